"""Sizes of a SPIR-V module's types, as far as its declarations say them.

**Source**: SPIR-V specification 1.6, sections 3.52.6 (types) and 3.20 (decorations).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

_OP_TYPE_BOOL: Final = 20
_OP_TYPE_INT: Final = 21
_OP_TYPE_FLOAT: Final = 22
_OP_TYPE_VECTOR: Final = 23
_OP_TYPE_MATRIX: Final = 24
_OP_TYPE_ARRAY: Final = 28
_OP_TYPE_STRUCT: Final = 30
_OP_TYPE_POINTER: Final = 32
_OP_CONSTANT: Final = 43
_OP_VARIABLE: Final = 59
_OP_MEMBER_DECORATE: Final = 72
_OFFSET: Final = 35
#: Of a type; more is said to be that.
_MOST_BYTES: Final = 2**48
WORKGROUP: Final = 4
PUSH_CONSTANT: Final = 9


@dataclass
class Types:
    """Types, constants and variables, taken one instruction after another.

    A type is declared after all that it is made of, so its size is known at once.
    """

    sizes: dict[int, int] = field(default_factory=dict)
    pointers: dict[int, tuple[int, int]] = field(default_factory=dict)
    constants: dict[int, int] = field(default_factory=dict)
    offsets: dict[tuple[int, int], int] = field(default_factory=dict)
    found: list[tuple[int, int]] = field(default_factory=list)

    def take(self, opcode: int, operands: tuple[int, ...]) -> None:
        """Note what an instruction declares, where it is of use."""
        if opcode == _OP_TYPE_POINTER and len(operands) == 3:
            self.pointers[operands[0]] = (operands[1], operands[2])
        elif _OP_TYPE_BOOL <= opcode <= _OP_TYPE_STRUCT and operands:
            self.sizes[operands[0]] = min(_MOST_BYTES, self._size(opcode, operands[0], operands[1:]))
        elif opcode == _OP_CONSTANT and len(operands) > 2:
            self.constants[operands[1]] = operands[2]
        elif opcode == _OP_MEMBER_DECORATE and len(operands) == 4 and operands[2] == _OFFSET:
            self.offsets[operands[0], operands[1]] = operands[3]
        elif opcode == _OP_VARIABLE and len(operands) > 2 and operands[0] in self.pointers:
            storage_class, pointed = self.pointers[operands[0]]
            self.found.append((storage_class, self.sizes.get(pointed, 0)))

    def num_bytes(self, storage_class: int) -> int:
        """Bytes of all variables of a storage class; sizes that the module leaves open count nothing."""
        return sum(size for class_, size in self.found if class_ == storage_class)

    def _size(self, opcode: int, id_: int, parts: tuple[int, ...]) -> int:
        if opcode == _OP_TYPE_STRUCT:
            end = 0
            for place, member in enumerate(parts):
                # Without an offset the members lie one after another.
                end = max(end, self.offsets.get((id_, place), end) + self.sizes.get(member, 0))
            return end
        if opcode in (_OP_TYPE_INT, _OP_TYPE_FLOAT) and parts:
            return parts[0] // 8
        if opcode in (_OP_TYPE_VECTOR, _OP_TYPE_MATRIX, _OP_TYPE_ARRAY) and len(parts) == 2:
            count = self.constants.get(parts[1], 0) if opcode == _OP_TYPE_ARRAY else parts[1]
            return self.sizes.get(parts[0], 0) * count
        return 4 if opcode == _OP_TYPE_BOOL else 0
