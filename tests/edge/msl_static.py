"""Compiles Metal source with clang's front end against a stub of Metal's library: syntax, types, address
spaces.

Metal is C++ with address spaces, and so is C++ for OpenCL; the few things that only Metal's grammar has
are rewritten
first. What passes here may still be refused by Apple's compiler; what fails here would not run.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from msl_host import without_lines

from bench_lib.edge.msl_source import EntryPoint, entry_points

STUB = Path(__file__).parent / "msl" / "static"

_ARGUMENTS = [
    *("-xcl", "-cl-std=clc++2021", "-target", "spir64", "-cl-no-stdinc", "-nostdinc++"),
    *("-cl-single-precision-constant", "-Wall", "-Wextra", "-Wconversion", "-ferror-limit=20"),
    # What a shader compiler writes on purpose: unused things, and integers of either sign.
    *("-Wno-unknown-attributes", "-Wno-unused", "-Wno-unused-parameter", "-Wno-missing-prototypes"),
    *("-Wno-sign-conversion", "-Wno-implicit-int-float-conversion", "-Wno-literal-conversion"),
    f"-I{STUB}",
]

_TYPES = "char|uchar|short|ushort|int|uint|long|ulong|half|float"
_MAKE = re.compile(rf"(?<![\w:])(?P<type>(?:{_TYPES})[234])\s*\(")
_KERNEL = re.compile(r"\[\[\s*kernel\s*\]\]")
#: Types that the attributes of the hardware's values allow. **Source**: Metal Shading Language
#: Specification, table 5.8.
_INDEX_TYPE = re.compile(r"u?(?:short|int)")
_POSITION_TYPE = re.compile(r"u(?:short|int)[23]?")
_POSITIONS = ("_position_in_", "threads_per_threadgroup", "threadgroups_per_grid", "threads_per_grid")


def available() -> bool:
    """Whether clang's front end is installed."""
    try:
        import clang.cindex  # noqa: F401
    except ImportError:
        return False
    return True


def for_clang(source: str) -> str:
    """``source`` with Metal's own spellings replaced by those of C++ for OpenCL, line for line."""
    text = _KERNEL.sub("__kernel", without_lines(source))
    return _MAKE.sub(lambda m: f"msl_make<{m['type']}>(", text)


def check(source: str) -> list[str]:
    """Messages for every fault; empty where there is none.

    Raises
    ------
    UsageError
        The arguments of a kernel cannot be bound.
    """
    from clang import cindex

    entries = entry_points(source)
    if not entries:
        return ["the source has no kernel"]
    index: Any = cindex.Index.create()
    unit = index.parse("kernel.metal", args=_ARGUMENTS, unsaved_files=[("kernel.metal", for_clang(source))])
    messages = [
        f"{d.location.file}:{d.location.line}: {d.spelling}"
        for d in unit.diagnostics
        if d.severity >= cindex.Diagnostic.Warning
    ]
    return messages + [message for entry in entries for message in _argument_types(entry)]


def _argument_types(entry: EntryPoint) -> list[str]:
    wrong = []
    for argument in entry.arguments:
        if argument.attribute in ("buffer", "threadgroup"):
            continue
        position = any(word in argument.attribute for word in _POSITIONS)
        allowed = _POSITION_TYPE if position else _INDEX_TYPE
        if not allowed.fullmatch(argument.type):
            wrong.append(
                f"argument {argument.name} of {entry.name}: {argument.attribute} cannot be {argument.type}"
            )
    return wrong
