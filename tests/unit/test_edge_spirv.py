"""What a SPIR-V module says of itself, on modules assembled by hand."""

from __future__ import annotations

import struct

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
            found, entry_point="main", num_buffers=0, features=frozenset(FEATURES), api_version=(1, 3)
        )
    assert error.value.code == "feature-missing:spirv-capability-31337"


def test_what_a_driver_need_not_check_is_checked() -> None:
    found = read_module(module(SHADER, ENTRY, SIZE, instruction(71, 20, 34, 0), instruction(71, 20, 33, 2)))
    none = frozenset[str]()
    with pytest.raises(UsageError, match="entry point"):
        check_module(found, entry_point="other", num_buffers=3, features=none, api_version=(1, 3))
    with pytest.raises(UsageError, match="bindings 0 to 1"):
        check_module(found, entry_point="main", num_buffers=2, features=none, api_version=(1, 3))
    check_module(found, entry_point="main", num_buffers=3, features=none, api_version=(1, 3))


def test_a_newer_spirv_than_the_device_takes_is_a_missing_feature() -> None:
    found = read_module(module(SHADER, ENTRY, SIZE, version=0x00010500))
    none = frozenset[str]()
    check_module(found, entry_point="main", num_buffers=0, features=none, api_version=(1, 2))
    with pytest.raises(UnavailableError) as error:
        check_module(found, entry_point="main", num_buffers=0, features=none, api_version=(1, 1))
    assert error.value.code == "feature-missing:spirv-1.5"
    assert newest_spirv((1, 4)) == (1, 6)


def test_every_feature_that_a_capability_names_is_known() -> None:
    named = {name for names in CAPABILITIES.values() for name in names}
    assert named <= FEATURES.keys() | SUBGROUP_OPERATIONS.keys()
