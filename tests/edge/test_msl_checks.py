"""The checks of Metal source find what is wrong, and pass what is right."""

from __future__ import annotations

import os
import struct

import msl_host
import msl_static
import numpy as np
import pytest
from msl_samples import MATRIX, ROW_SUM

needs_compiler = pytest.mark.skipif(not msl_host.available(), reason="no g++ on this machine")
needs_clang = pytest.mark.skipif(not msl_static.available(), reason="libclang is not installed")

ROWS, COLUMNS = 3, 150  # columns of four


def row_sum(source: str, *, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """What a row sum gives, and the exact sums."""
    x = np.random.default_rng(5).integers(-8, 9, size=(ROWS, 4 * COLUMNS)).astype(np.float32)
    buffers = {
        0: x.tobytes(),
        1: bytes(2 * ROWS),
        2: struct.pack("<If", COLUMNS, 0.5),
    }
    out = msl_host.run(
        source, entry="row_sum", buffers=buffers, threadgroups=(ROWS, 1, 1), threads=(128, 1, 1), seed=seed
    )
    return np.frombuffer(out[1], np.float16), x.sum(axis=1) / 2


def matrix(source: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    a = rng.integers(-4, 5, size=(16, 24)).astype(np.float16)
    b = rng.integers(-4, 5, size=(24, 40)).astype(np.float16)
    buffers = {0: a.tobytes(), 1: b.tobytes(), 2: bytes(4 * 16 * 40), 3: struct.pack("<II", 24, 40)}
    out = msl_host.run(source, entry="matrix", buffers=buffers, threadgroups=(2, 5, 1), threads=(32, 1, 1))
    return np.frombuffer(out[2], np.float32).reshape(16, 40), a.astype(np.float32) @ b.astype(np.float32)


def changed(source: str, old: str, new: str) -> str:
    assert source.count(old) == 1, f"{old!r} is {source.count(old)} times in the sample"
    return source.replace(old, new)


@needs_compiler
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_right_kernel_gives_exact_sums_in_any_order_of_lanes(seed: int) -> None:
    got, expected = row_sum(ROW_SUM, seed=seed)
    np.testing.assert_array_equal(got, expected)


@needs_compiler
def test_a_right_simdgroup_matrix_kernel_gives_exact_products() -> None:
    got, expected = matrix(MATRIX)
    np.testing.assert_array_equal(got, expected)


BARRIER = "    threadgroup_barrier(mem_flags::mem_threadgroup);\n"

#: What is done to the row sum, and the kind of fault that the run must name.
FAULTS = {
    "no barrier": (BARRIER, "", "race|uninitialised"),
    "barrier that orders device memory only": (
        BARRIER,
        "    threadgroup_barrier(mem_flags::mem_device);\n",
        "race",
    ),
    "every lane writes": ("if (simd_is_first())", "if (true)", "race"),
    "every lane writes the result": ("if (lane == 0U)", "if (lane < 2U)", "race"),
    "one element past the end": (
        "i < (&context)->parameters->columns;",
        "i <= (&context)->parameters->columns;",
        "out-of-bounds",
    ),
    "one element before the start": ("columns + i)))", "columns + i - 1U)))", "out-of-bounds"),
    "index outside an array": ("k < 128U / width", "k < 160U / width", "out-of-bounds"),
    "memory that nobody wrote": (
        "[lane / width] = sum",
        "[lane / width + 1U] = sum",
        "uninitialised|out-of-bounds",
    ),
    "barrier in a branch": (
        BARRIER,
        "    if (lane < 64U) { threadgroup_barrier(mem_flags::mem_threadgroup); }\n",
        "divergence",
    ),
    "buffer that nobody binds": ("y [[buffer(1)]]", "y [[buffer(7)]]", "binding"),
}


@needs_compiler
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_use_of_memory_is_found_whatever_the_numbers(name: str) -> None:
    old, new, kinds = FAULTS[name]
    with pytest.raises(msl_host.KernelFault) as caught:
        row_sum(changed(ROW_SUM, old, new))
    assert {f.kind for f in caught.value.findings} & set(kinds.split("|"))


@needs_compiler
def test_a_fault_names_the_line_of_the_source() -> None:
    source = changed(ROW_SUM, "i < (&context)->parameters->columns;", "i <= (&context)->parameters->columns;")
    with pytest.raises(msl_host.KernelFault) as caught:
        row_sum(source)
    expected = 1 + source.splitlines().index(next(row for row in source.splitlines() if "float4 v =" in row))
    assert caught.value.findings[0].line == expected


@needs_compiler
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("i + 128U", "i + 127U"),
        ("half(total *", "half(total +"),
        ("simd_sum(sum)", "simd_max(sum)"),
        ("float4(1.0, 1.0, 1.0, 1.0)", "float4(1.0, 1.0, 1.0, 0.0)"),
    ],
)
def test_a_wrong_formula_gives_wrong_numbers(old: str, new: str) -> None:
    got, expected = row_sum(changed(ROW_SUM, old, new))
    assert not np.array_equal(got, expected)


LAST_BARRIER = "        threadgroup_barrier(mem_flags::mem_threadgroup); // before the tile is filled anew\n"


@needs_compiler
@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (LAST_BARRIER, "", "race"),
        ("threadgroup half tile[64]", "threadgroup half tile[63]", "out-of-bounds"),
        ("ulong(8));\n", "ulong(8 + lane));\n", "undefined"),
        (
            "simdgroup_multiply_accumulate(sum, left, right, sum);",
            "if (lane < 16U) { simdgroup_multiply_accumulate(sum, left, right, sum); }",
            "divergence",
        ),
    ],
)
def test_a_fault_in_a_matrix_kernel_is_found(old: str, new: str, kind: str) -> None:
    with pytest.raises(msl_host.KernelFault) as caught:
        matrix(changed(MATRIX, old, new))
    assert kind in {f.kind for f in caught.value.findings}


FIRST_BARRIER = "        threadgroup_barrier(mem_flags::mem_threadgroup);\n        simdgroup_matrix<half"


@needs_compiler
def test_lanes_of_a_simdgroup_see_each_other_only_past_a_barrier_that_orders_memory() -> None:
    within = "        simdgroup_barrier(mem_flags::{});\n        simdgroup_matrix<half"
    got, expected = matrix(changed(MATRIX, FIRST_BARRIER, within.format("mem_threadgroup")))
    np.testing.assert_array_equal(got, expected)
    with pytest.raises(msl_host.KernelFault) as caught:
        matrix(changed(MATRIX, FIRST_BARRIER, within.format("mem_none")))
    assert {f.kind for f in caught.value.findings} <= {"race", "uninitialised"}


@needs_compiler
def test_a_transposed_load_gives_wrong_numbers() -> None:
    got, expected = matrix(changed(MATRIX, "tile, ulong(8))", "tile, ulong(8), ulong2(0), true)"))
    assert not np.array_equal(got, expected)


@needs_compiler
def test_two_threadgroups_that_write_one_place_race() -> None:
    source = changed(ROW_SUM, "*((&context)->y + group.x)", "*((&context)->y + group.y)")
    with pytest.raises(msl_host.KernelFault) as caught:
        row_sum(source)
    assert [f.kind for f in caught.value.findings] == ["race"]


@needs_clang
@pytest.mark.parametrize("source", [ROW_SUM, MATRIX], ids=["row_sum", "matrix"])
def test_the_static_check_passes_right_source(source: str) -> None:
    assert msl_static.check(source) == []


#: What is done to a sample, and a word of the message.
REFUSED = {
    "misspelt function": (ROW_SUM, "simd_sum(sum)", "simd_summ(sum)", "simd_summ"),
    "pointer into another address space": (
        ROW_SUM,
        "(&context)->y = y",
        "(&context)->y = (half constant*)y",
        "address space|differing|incompatible",
    ),
    "missing address space": (
        ROW_SUM,
        "half device* y;\n    array",
        "half threadgroup* y;\n    array",
        "assigning",
    ),
    "write to constant memory": (
        ROW_SUM,
        "(&context)->y = y;",
        "parameters->columns = 1U;",
        "read-only|const",
    ),
    "vectors of two types": (ROW_SUM, "float4 v = float4(", "half4 v = float4(", "half4"),
    "too few components": (ROW_SUM, "float4(1.0, 1.0, 1.0, 1.0)", "float4(1.0, 1.0, 1.0)", "msl_make"),
    "unknown member": (ROW_SUM, "parameters->scale", "parameters->scales", "scales"),
    "unknown barrier": (ROW_SUM, "mem_flags::mem_threadgroup", "mem_flags::mem_group", "mem_group"),
    "dot of scalars": (ROW_SUM, "dot(v, float4(1.0, 1.0, 1.0, 1.0))", "dot(1.0f, 2.0f)", "dot"),
    "result of another type": (ROW_SUM, "float sum = 0.0", "float4x4 sum = 0.0", "float4x4"),
    "missing semicolon": (ROW_SUM, "return;", "return", "expected"),
    "matrix of integers": (
        MATRIX,
        "simdgroup_matrix<half, int(8), int(8)> left",
        "simdgroup_matrix<int, int(8), int(8)> left",
        "half or float",
    ),
    "matrix of another size": (
        MATRIX,
        "simdgroup_matrix<half, int(8), int(8)> left",
        "simdgroup_matrix<half, int(16), int(8)> left",
        "8 by 8",
    ),
    "load of another type": (
        MATRIX,
        "(const threadgroup half*)tile",
        "(const threadgroup float*)tile",
        "simdgroup_load|address space|cast",
    ),
    "value of the hardware in a wrong type": (
        MATRIX,
        "uint lane [[thread_index",
        "float lane [[thread_index",
        "float",
    ),
}


@needs_clang
@pytest.mark.parametrize("name", REFUSED)
def test_the_static_check_refuses(name: str) -> None:
    source, old, new, words = REFUSED[name]
    messages = "\n".join(msl_static.check(changed(source, old, new)))
    assert any(word in messages for word in words.split("|")), messages


@needs_clang
def test_a_message_of_the_static_check_names_the_line_of_the_source() -> None:
    source = changed(ROW_SUM, "simd_sum(sum)", "simd_summ(sum)")
    line = 1 + source.splitlines().index("    sum = simd_summ(sum);")
    assert msl_static.check(source)[0].startswith(f"kernel.metal:{line}:")


@needs_compiler
def test_a_kernel_that_does_not_compile_says_so_with_its_line() -> None:
    source = changed(ROW_SUM, "simd_sum(sum)", "simd_summ(sum)")
    with pytest.raises(msl_host.BuildError, match="simd_summ"):
        row_sum(source)


@needs_compiler
def test_a_program_is_built_once(tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_LIB_MSL_CACHE", str(tmp_path))
    first = msl_host.build(ROW_SUM, entry="row_sum")
    before = first.stat().st_ino
    os.utime(first, (0, 0))
    assert msl_host.build(ROW_SUM, entry="row_sum") == first
    assert first.stat().st_ino == before
    assert msl_host.build(ROW_SUM + "\n", entry="row_sum") != first
    os.utime(first, (0, 0))
    msl_host.build(ROW_SUM + "\n\n", entry="row_sum")
    assert not first.exists(), "a program that nobody used for a month is kept"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("threadgroup float tile[64];", "msl::shared"),
        ("threadgroup array<half, int(64)> tile;", "msl::shared"),
        ("v = a.xyz;", "a.get<0, 1, 2>()"),
        ("a.xy = v;", "a.ref<0, 1>() = v"),
        ("p.x = 1;", "p.x = 1"),
    ],
)
def test_what_only_metal_has_is_rewritten(text: str, expected: str) -> None:
    assert expected in msl_host.for_host(text)


def test_threadgroup_memory_that_was_not_rewritten_is_refused() -> None:
    with pytest.raises(msl_host.BuildError, match="threadgroup memory"):
        msl_host.for_host("void f() { threadgroup float a[4], b[4]; }")
