"""What a SPIR-V module says of itself, on modules assembled by hand."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from bench_lib.edge.vulkan.features import CAPABILITIES, FEATURES, SUBGROUP_OPERATIONS, needed, newest_spirv
from bench_lib.edge.vulkan.pipelines import check_module
from bench_lib.edge.vulkan.spirv import read_module
from bench_lib.errors import UnavailableError, UsageError

MAGIC, VERSION_1_3 = 0x07230203, 0x00010300


def text(value: str) -> list[int]:
    data = value.encode() + b"\0" * (4 - len(value.encode()) % 4)
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def instruction(opcode: int, *operands: int) -> list[int]:
    return [(1 + len(operands)) << 16 | opcode, *operands]


#: What a pipeline is made with, where a test is about something else.
LIMITS: dict[str, Any] = {"push_constant_bytes": 128, "workgroup": None, "shared_memory_bytes": 16384}

#: The function that the entry point names, empty.
FUNCTION = [*instruction(54, 1, 7, 0, 3), *instruction(56)]


def module(*instructions: list[int], version: int = VERSION_1_3, ends: list[int] = FUNCTION) -> bytes:
    words = [MAGIC, version, 0, 100, 0] + [w for one in (*instructions, ends) for w in one]
    return struct.pack(f"<{len(words)}I", *words)


SHADER = instruction(17, 1)
ENTRY = instruction(15, 5, 7, *text("main"))
SIZE = instruction(16, 7, 17, 64, 2, 1)


def test_declarations_are_read() -> None:
    found = read_module(
        module(
            SHADER,
            instruction(17, 4433),
            instruction(10, *text("SPV_KHR_16bit_storage")),
            ENTRY,
            SIZE,
            instruction(71, 20, 34, 0),
            instruction(71, 20, 33, 3),
            # Another decoration, and a binding without a set: neither is a place.
            instruction(71, 21, 6, 4),
            instruction(71, 22, 33, 9),
        )
    )
    assert found.version == (1, 3)
    assert found.capabilities == {1, 4433}
    assert found.extensions == {"SPV_KHR_16bit_storage"}
    assert found.entry_points == {"main": (64, 2, 1)}
    assert found.bindings == {(0, 3)}
    assert needed(found) == {"storageBuffer16BitAccess"}


def test_a_workgroup_given_by_constants_is_unknown() -> None:
    assert read_module(module(SHADER, ENTRY)).entry_points == {"main": None}


@pytest.mark.parametrize(
    "code",
    [
        b"",
        b"abc",
        module(SHADER, ENTRY)[:-1],
        module(SHADER, ENTRY)[:12],
        struct.pack("<6I", 0x03022307, VERSION_1_3, 0, 1, 0, 0),
        module(SHADER),
        module(SHADER, [5 << 16 | 15, 5, 7]),
        module(SHADER, ENTRY, [0]),
        # A fragment shader's entry point is none for us.
        module(SHADER, instruction(15, 4, 7, *text("main"))),
        bytes(4096),
        # Cut between two instructions; another function than the one named; a function without an end.
        module(SHADER, ENTRY, ends=[]),
        module(SHADER, ENTRY, ends=[*instruction(54, 1, 8, 0, 3), *instruction(56)]),
        module(SHADER, ENTRY, ends=instruction(54, 1, 7, 0, 3)),
    ],
)
def test_damaged_modules_are_refused_before_a_driver_sees_them(code: bytes) -> None:
    with pytest.raises(UsageError):
        read_module(code)


def test_an_unknown_capability_is_one_that_no_device_has() -> None:
    found = read_module(module(instruction(17, 31337), ENTRY, SIZE))
    assert needed(found) == {"spirv-capability-31337"}
    with pytest.raises(UnavailableError) as error:
        check_module(
            found,
            entry_point="main",
            num_buffers=0,
            features=frozenset(FEATURES),
            api_version=(1, 3),
            **LIMITS,
        )
    assert error.value.code == "feature-missing:spirv-capability-31337"


def test_what_a_driver_need_not_check_is_checked() -> None:
    found = read_module(module(SHADER, ENTRY, SIZE, instruction(71, 20, 34, 0), instruction(71, 20, 33, 2)))
    none = frozenset[str]()
    with pytest.raises(UsageError, match="entry point"):
        check_module(found, entry_point="other", num_buffers=3, features=none, **LIMITS, api_version=(1, 3))
    with pytest.raises(UsageError, match="bindings 0 to 1"):
        check_module(found, entry_point="main", num_buffers=2, features=none, **LIMITS, api_version=(1, 3))
    check_module(found, entry_point="main", num_buffers=3, features=none, **LIMITS, api_version=(1, 3))


def test_a_newer_spirv_than_the_device_takes_is_a_missing_feature() -> None:
    found = read_module(module(SHADER, ENTRY, SIZE, version=0x00010500))
    none = frozenset[str]()
    check_module(found, entry_point="main", num_buffers=0, features=none, **LIMITS, api_version=(1, 2))
    with pytest.raises(UnavailableError) as error:
        check_module(found, entry_point="main", num_buffers=0, features=none, **LIMITS, api_version=(1, 1))
    assert error.value.code == "feature-missing:spirv-1.5"
    assert newest_spirv((1, 4)) == (1, 6)


def test_every_feature_that_a_capability_names_is_known() -> None:
    named = {name for names in CAPABILITIES.values() for name in names}
    assert named <= FEATURES.keys() | SUBGROUP_OPERATIONS.keys()


#: struct { uint at 0; float4 at 16; } as push constants, and float[100] that a workgroup shares.
TYPES = [
    instruction(72, 33, 0, 35, 0),
    instruction(72, 33, 1, 35, 16),
    instruction(21, 30, 32, 0),
    instruction(22, 31, 32),
    instruction(23, 32, 31, 4),
    instruction(30, 33, 30, 32),
    instruction(32, 34, 9, 33),
    instruction(59, 34, 35, 9),
    instruction(43, 30, 36, 100),
    instruction(28, 37, 31, 36),
    instruction(32, 38, 4, 37),
    instruction(59, 38, 39, 4),
]


def test_sizes_of_push_constants_and_of_shared_memory() -> None:
    found = read_module(module(SHADER, ENTRY, *TYPES))
    assert (found.push_constant_bytes, found.shared_bytes) == (32, 400)


@pytest.mark.parametrize(
    ("limits", "error"),
    [
        ({"push_constant_bytes": 28}, UsageError),
        ({"workgroup": (64, 1, 1)}, UsageError),
        ({"shared_memory_bytes": 399}, UnavailableError),
        ({"push_constant_bytes": 32, "workgroup": (64, 2, 1), "shared_memory_bytes": 400}, None),
    ],
)
def test_a_module_that_reaches_further_than_was_said_is_refused(
    limits: dict[str, Any], error: type[Exception] | None
) -> None:
    found = read_module(module(SHADER, ENTRY, SIZE, *TYPES))

    def check() -> None:
        given = {**LIMITS, **limits}
        check_module(
            found, entry_point="main", num_buffers=0, features=frozenset(), api_version=(1, 3), **given
        )

    if error is None:
        check()
    else:
        with pytest.raises(error):
            check()


def test_types_that_contain_themselves_end() -> None:
    looped = [instruction(30, 33, 33, 33), instruction(32, 34, 4, 33), instruction(59, 34, 35, 4)]
    assert read_module(module(SHADER, ENTRY, *looped)).shared_bytes == 0


def test_types_that_double_at_every_step_are_read_at_once() -> None:
    chain = [instruction(30, 41 + i, 40 + i, 40 + i) for i in range(3000)]
    types = [instruction(21, 40, 32, 0), *chain, instruction(32, 34, 4, 3040), instruction(59, 34, 35, 4)]
    assert read_module(module(SHADER, ENTRY, *types)).shared_bytes == 2**48
