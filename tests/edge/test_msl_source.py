"""What is read from Metal source."""

from __future__ import annotations

import struct

import pytest
from msl_samples import ROW_SUM

from bench_lib.edge.msl_source import entry_point, entry_points, specialise
from bench_lib.errors import UsageError


def test_arguments_by_slot_and_the_block_of_parameters() -> None:
    entry = entry_point(ROW_SUM, name="row_sum")
    assert {i: (a.name, a.type, a.space) for i, a in entry.buffers.items()} == {
        0: ("x", "packed_float4 *", "device"),
        1: ("y", "half *", "device"),
        2: ("parameters", "Parameters *", "constant"),
    }
    assert entry.uniforms is not None and entry.uniforms.index == 2
    assert [a.attribute for a in entry.arguments[:3]] == [
        "thread_position_in_threadgroup",
        "threadgroup_position_in_grid",
        "threads_per_simdgroup",
    ]


def test_commas_inside_types_do_not_part_arguments() -> None:
    source = (
        "kernel void k(array<float, 4> device* a [[buffer(0)]], constant vec<int, 2>& b [[ buffer(1) ]]) {}"
    )
    assert [a.type for a in entry_point(source, name="k").arguments] == ["array<float, 4> *", "vec<int, 2>&"]


def test_a_kernel_in_a_comment_is_none() -> None:
    assert entry_points("// kernel void a(int x [[buffer(0)]]) {}\n/* kernel void b() {} */") == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("device float* a [[buffer(0)]], device float* b [[buffer(0)]]", "slot of its own"),
        ("device float* a [[buffer(31)]]", "slot from 0 to 30"),
        ("device float* a [[buffer]]", "slot from 0 to 30"),
        ("device float* a", "one attribute"),
        ("uint a [[thread_position_in_gird]]", "built-in value"),
        ("float a [[buffer(0)]]", "address space"),
        ("device float* a [[buffer(0)]], uint b [[thread_index_in_threadgroup]]", ""),
        ("device float* a [[buffer(0)]", "never end|one attribute"),
    ],
)
def test_arguments_that_cannot_be_bound_are_refused(arguments: str, message: str) -> None:
    source = f"kernel void k({arguments}) {{}}"
    if not message:
        assert len(entry_points(source)) == 1
        return
    with pytest.raises(UsageError, match=message):
        entry_points(source)


def test_function_constants_become_constants() -> None:
    source = "constant uint n [[function_constant(0)]];\nconstant float f [[function_constant(3)]];"
    text = specialise(source, {0: struct.pack("<I", 4_000_000_000), 3: struct.pack("<f", 0.5)})
    assert text == "constant uint n = uint(4000000000);\nconstant float f = float(0.5f);"


def test_a_function_constant_without_a_value_or_a_value_without_one() -> None:
    source = "constant bool n [[function_constant(0)]];"
    with pytest.raises(UsageError, match="no value"):
        specialise(source, {})
    with pytest.raises(UsageError, match=r"\[2\]"):
        specialise(source, {0: bytes(4), 2: bytes(4)})
