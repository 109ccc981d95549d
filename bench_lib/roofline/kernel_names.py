"""Readable short forms of C++ kernel names."""

from __future__ import annotations

import re
from typing import Final

_OPERATOR: Final = re.compile(r"operator\s*(?:<=>|<<=?|>>=?|<=|>=|->\*?|<|>|\(\))")
_ANONYMOUS: Final = re.compile(r"\(anonymous namespace\)|<unnamed>|\(unnamed\)")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_~][\w:~@#$]*")
_CAST: Final = re.compile(r"\([a-z ]+\)(?=-?\d)")


def _split(name: str) -> tuple[str, str]:
    """The name without parameters and template arguments, and its last template argument list."""
    depth = 0
    kept: list[str] = []
    arguments: list[str] = []
    for character in name:
        if character == "<":
            if depth == 0:
                arguments = []
            else:
                arguments.append(character)
            depth += 1
        elif character == ">" and depth:
            depth -= 1
            if depth:
                arguments.append(character)
        elif depth:
            arguments.append(character)
        elif character == "(":
            break
        else:
            kept.append(character)
    return "".join(kept).strip(), "".join(arguments)


def _last_name(qualified: str) -> str:
    """What stands last in a qualified name; for a call operator, whose it is."""
    parts = [p for p in qualified.split("::") if p]
    while len(parts) > 1 and parts[-1].startswith(("operator", "lambda")):
        parts.pop()
    return parts[-1] if parts else ""


def printable(text: str) -> str:
    """``text`` with everything that a terminal could act on replaced."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def short_kernel_name(name: str, *, width: int = 44) -> str:
    """A form of ``name`` of at most ``width`` characters.

    Return type, parameters and namespaces go; of the template arguments the first type stays, since
    it tells many kernels of one template apart: ``Kernel<Gemm>``.
    """
    clean = _OPERATOR.sub("operator", _CAST.sub("", _ANONYMOUS.sub("", printable(name))))
    base, arguments = _split(clean)
    # A return type can end in a template too: what stands last is the kernel.
    base = base.split(" ")[-1] if " " in base else base
    base = _last_name(base) or base
    if not base:
        base, arguments = printable(name), ""
    inner = _IDENTIFIER.match(arguments.strip())
    if inner:
        base = f"{base}<{_last_name(inner.group())}>"
    if len(base) <= width:
        return base
    tail = (width - 1) // 3
    return f"{base[: width - 1 - tail]}…{base[-tail:]}"
