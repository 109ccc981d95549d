"""What a Metal source says of its kernels: their names, and where each argument is bound.

The compiler that writes the source chooses the buffer numbers, so they are read from it and never assumed.
The text is
only read here; Metal's own compiler judges it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from bench_lib.errors import UsageError

AddressSpace = Literal["device", "constant", "threadgroup", "value"]

#: Values that the hardware hands to a kernel. **Source**: Metal Shading Language Specification 3.2, table
#: 5.8.
BUILT_IN: Final = frozenset(
    {
        "dispatch_simdgroups_per_threadgroup",
        "dispatch_threads_per_threadgroup",
        "simdgroup_index_in_threadgroup",
        "simdgroups_per_threadgroup",
        "thread_execution_width",
        "thread_index_in_simdgroup",
        "thread_index_in_threadgroup",
        "thread_position_in_grid",
        "thread_position_in_threadgroup",
        "threadgroup_position_in_grid",
        "threadgroups_per_grid",
        "threads_per_grid",
        "threads_per_simdgroup",
        "threads_per_threadgroup",
    }
)

#: Metal has 31 buffer slots, numbered from 0. **Source**: Metal feature set tables.
NUM_BUFFERS: Final = 31

_KERNEL = re.compile(r"(?:\[\[\s*kernel\s*\]\]|\bkernel\b)\s*void\s+(?P<name>\w+)\s*\(")
_ATTRIBUTE = re.compile(r"\[\[\s*(?P<name>\w+)\s*(?:\(\s*(?P<index>\w+)\s*\))?\s*\]\]")
_CONSTANT = re.compile(
    r"\bconstant\s+(?P<type>bool|int|uint|float)\s+(?P<name>\w+)\s*"
    r"\[\[\s*function_constant\(\s*(?P<index>\d+)\s*\)\s*\]\]\s*;"
)
_FORMATS: Final = {"bool": "<?3x", "int": "<i", "uint": "<I", "float": "<f"}
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SPACES: Final[tuple[AddressSpace, ...]] = ("device", "constant", "threadgroup")


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel.

    Parameters
    ----------
    name, type
        As written; ``type`` is without the address space and without the name.
    attribute
        ``buffer``, ``threadgroup`` or one of :data:`BUILT_IN`.
    index
        The slot of a buffer or of threadgroup memory; ``None`` for a built-in value.
    space
        Address space of a pointer or reference; ``value`` for what is passed by value.
    """

    name: str
    type: str
    attribute: str
    index: int | None
    space: AddressSpace


@dataclass(frozen=True)
class EntryPoint:
    """A kernel and its arguments in their order."""

    name: str
    arguments: tuple[Argument, ...]

    @property
    def buffers(self) -> dict[int, Argument]:
        """Arguments that are buffers, by slot."""
        return {a.index: a for a in self.arguments if a.attribute == "buffer" and a.index is not None}

    @property
    def uniforms(self) -> Argument | None:
        """The one block of parameters in constant memory; ``None`` where there is none."""
        found = [a for a in self.buffers.values() if a.space == "constant"]
        return found[0] if len(found) == 1 else None


def entry_points(source: str) -> tuple[EntryPoint, ...]:
    """Every kernel of ``source``, in the order of the text.

    Raises
    ------
    UsageError
        A kernel's arguments cannot be bound: an unknown attribute, none at all, a slot that Metal does not
        have, or
        one slot twice.
    """
    text = _COMMENT.sub(" ", source)
    return tuple(_entry_point(text, match) for match in _KERNEL.finditer(text))


def entry_point(source: str, *, name: str) -> EntryPoint:
    """The kernel called ``name``.

    Raises
    ------
    UsageError
        ``source`` has no such kernel; or as :func:`entry_points`.
    """
    found = entry_points(source)
    for entry in found:
        if entry.name == name:
            return entry
    raise UsageError.of(
        "kernel in Metal source",
        found=name,
        expected="one of " + (", ".join(e.name for e in found) or "none: the source has no kernel"),
    )


def _entry_point(text: str, match: re.Match[str]) -> EntryPoint:
    name = match["name"]
    arguments: list[Argument] = []
    taken: set[tuple[str, int]] = set()
    for part in _split(text, start=match.end()):
        argument = _argument(part, kernel=name)
        if argument.index is not None:
            slot = (argument.attribute, argument.index)
            if slot in taken:
                raise UsageError.of(
                    f"argument {argument.name} of kernel {name}", found=slot, expected="a slot of its own"
                )
            taken.add(slot)
        arguments.append(argument)
    return EntryPoint(name, tuple(arguments))


def _split(text: str, *, start: int) -> list[str]:
    """Arguments between the parenthesis before ``start`` and its partner; commas inside brackets do not
    part."""
    depth = 0
    parts: list[str] = []
    begin = start
    for position in range(start, len(text)):
        character = text[position]
        if character in "([{<":
            depth += 1
        elif character == ")" and depth == 0:
            parts.append(text[begin:position])
            return [p.strip() for p in parts if p.strip()]
        elif character in ")]}>":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[begin:position])
            begin = position + 1
    raise UsageError.of("Metal source", found="a kernel whose arguments never end", expected="a whole file")


def _argument(text: str, *, kernel: str) -> Argument:
    attributes = list(_ATTRIBUTE.finditer(text))
    declaration = " ".join(_ATTRIBUTE.sub(" ", text).split())
    match = re.fullmatch(r"(?P<type>.*[\s*&>])(?P<name>\w+)", declaration)
    what = f"argument {declaration!r} of kernel {kernel}"
    if match is None or len(attributes) != 1:
        raise UsageError.of(
            what, found=text, expected="a type, a name and one attribute such as [[buffer(0)]]"
        )
    kind, index = attributes[0]["name"], attributes[0]["index"]
    words = re.findall(r"\w+", match["type"])
    space: AddressSpace = next((s for s in _SPACES if s in words), "value")
    type_ = re.sub(r"\b(?:device|constant|threadgroup)\b", "", match["type"])
    if kind in ("buffer", "threadgroup"):
        if index is None or not index.isdecimal() or int(index) >= NUM_BUFFERS:
            raise UsageError.of(what, found=index, expected=f"a slot from 0 to {NUM_BUFFERS - 1}")
        if (kind == "threadgroup") != (space == "threadgroup") or space == "value":
            raise UsageError.of(what, found=f"address space {space}", expected="one that a buffer can have")
        return Argument(match["name"], " ".join(type_.split()), kind, int(index), space)
    if kind not in BUILT_IN or index is not None:
        raise UsageError.of(what, found=kind, expected="buffer, threadgroup or a built-in value of a kernel")
    return Argument(match["name"], " ".join(type_.split()), kind, None, space)


def specialise(source: str, values: Mapping[int, bytes]) -> str:
    """``source`` with its function constants set to ``values``: four bytes each, little-endian, by number.

    The text is changed rather than ``MTLFunctionConstantValues`` filled: it is compiled here anyway, and the
    compiler then sees an ordinary constant.

    Raises
    ------
    UsageError
        The source lacks one of the constants, or has one that is given no value.
    """
    left = dict(values)

    def replace(match: re.Match[str]) -> str:
        index, type_ = int(match["index"]), match["type"]
        if index not in left:
            raise UsageError.of(
                f"function constant {index} ({match['name']})", found="no value", expected="one"
            )
        (value,) = struct.unpack(_FORMATS[type_], left.pop(index))
        text = (
            str(value).lower() if type_ == "bool" else f"{type_}({value!r}{'f' if type_ == 'float' else ''})"
        )
        return f"constant {type_} {match['name']} = {text};"

    text = _CONSTANT.sub(replace, source)
    if left:
        raise UsageError.of(
            "function constants", found=sorted(left), expected="numbers that the source declares"
        )
    return text
