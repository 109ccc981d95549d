"""What a SPIR-V module says of itself: version, capabilities, entry points, bindings.

Read before a driver sees the module: drivers crash on damaged ones, and the capabilities tell which
features have to be asked for.

**Source**: SPIR-V specification 1.6, sections 2.3 (physical layout), 3.31 (capabilities) and 3.52.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from bench_lib.edge.vulkan.spirv_types import PUSH_CONSTANT, WORKGROUP, Types
from bench_lib.errors import UsageError

_MAGIC: Final = 0x07230203
_HEADER_WORDS: Final = 5
_OP_EXTENSION: Final = 10
_OP_ENTRY_POINT: Final = 15
_OP_EXECUTION_MODE: Final = 16
_OP_CAPABILITY: Final = 17
_OP_FUNCTION: Final = 54
_OP_FUNCTION_END: Final = 56
_OP_DECORATE: Final = 71
_GL_COMPUTE: Final = 5
_LOCAL_SIZE: Final = 17
_BINDING: Final = 33
_DESCRIPTOR_SET: Final = 34
_FULL: Final = "a SPIR-V module for Vulkan with a compute entry point"


@dataclass(frozen=True)
class Module:
    """Facts of one module.

    Parameters
    ----------
    version
        Major and minor version of SPIR-V.
    capabilities
        Numbers of ``OpCapability``.
    extensions
        Names of ``OpExtension``.
    entry_points
        Compute entry points, with the workgroup size that each states; ``None`` where specialisation
        constants or ids give it.
    bindings
        (set, binding) of each variable that has both.
    push_constant_bytes, shared_bytes
        Bytes that its push constants reach to, and of memory that a workgroup shares.
    """

    version: tuple[int, int]
    capabilities: frozenset[int]
    extensions: frozenset[str]
    entry_points: dict[str, tuple[int, int, int] | None]
    bindings: frozenset[tuple[int, int]]
    push_constant_bytes: int = 0
    shared_bytes: int = 0


def _text(words: tuple[int, ...]) -> str:
    data = struct.pack(f"<{len(words)}I", *words)
    return data.split(b"\0", 1)[0].decode("utf-8", errors="replace")


def read_module(code: bytes) -> Module:
    """Read a module's declarations.

    Raises
    ------
    UsageError
        ``code`` is not SPIR-V in this byte order, is cut short, or has no compute entry point.
    """
    num_words, rest = divmod(len(code), 4)
    if rest or num_words < _HEADER_WORDS:
        raise UsageError.of("SPIR-V", found=f"{len(code)} bytes", expected=_FULL)
    words = struct.unpack(f"<{num_words}I", code)
    if words[0] != _MAGIC:
        raise UsageError.of(
            "SPIR-V", found=f"first word {words[0]:#010x}", expected=f"{_MAGIC:#010x}: {_FULL}"
        )
    capabilities: set[int] = set()
    extensions: set[str] = set()
    names: dict[int, str] = {}
    sizes: dict[int, tuple[int, int, int]] = {}
    places: dict[int, dict[int, int]] = {}
    functions: set[int] = set()
    types = Types()
    last = 0
    at = _HEADER_WORDS
    while at < num_words:
        length, opcode = words[at] >> 16, words[at] & 0xFFFF
        if length == 0 or at + length > num_words:
            raise UsageError.of(
                "SPIR-V", found=f"an instruction that leaves the file at word {at}", expected=_FULL
            )
        operands = words[at + 1 : at + length]
        if opcode == _OP_FUNCTION and len(operands) > 1:
            functions.add(operands[1])
        elif opcode == _OP_CAPABILITY and operands:
            capabilities.add(operands[0])
        elif opcode == _OP_EXTENSION:
            extensions.add(_text(operands))
        elif opcode == _OP_ENTRY_POINT and len(operands) > 2 and operands[0] == _GL_COMPUTE:
            names[operands[1]] = _text(operands[2:])
        elif opcode == _OP_EXECUTION_MODE and len(operands) == 5 and operands[1] == _LOCAL_SIZE:
            sizes[operands[0]] = (operands[2], operands[3], operands[4])
        elif opcode == _OP_DECORATE and len(operands) == 3 and operands[1] in (_BINDING, _DESCRIPTOR_SET):
            places.setdefault(operands[0], {})[operands[1]] = operands[2]
        types.take(opcode, operands)
        last = opcode
        at += length
    if not names:
        raise UsageError.of("SPIR-V", found="no compute entry point", expected=_FULL)
    # Drivers crash on modules that end early, even between instructions.
    if last != _OP_FUNCTION_END or not names.keys() <= functions:
        raise UsageError.of("SPIR-V", found="a module that ends before its functions do", expected=_FULL)
    bindings = frozenset(
        (p[_DESCRIPTOR_SET], p[_BINDING]) for p in places.values() if {_BINDING, _DESCRIPTOR_SET} <= p.keys()
    )
    return Module(
        version=(words[1] >> 16 & 0xFF, words[1] >> 8 & 0xFF),
        capabilities=frozenset(capabilities),
        extensions=frozenset(extensions),
        entry_points={name: sizes.get(id_) for id_, name in names.items()},
        bindings=bindings,
        push_constant_bytes=types.num_bytes(PUSH_CONSTANT),
        shared_bytes=types.num_bytes(WORKGROUP),
    )
