"""Arithmetic in kernel files: sizes, grids, bytes and FLOP as expressions such as ``ceil_div(n, 256)``.

A kernel file may come from anywhere, so its text is never handed to Python's own evaluator: it is parsed,
and only numbers, names, ``+ - * / // %``, comparisons and the functions of :data:`FUNCTIONS` are taken.
A general library of this kind allows strings, attributes and powers, which would have to be turned off again.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from bench_lib.errors import UsageError

Number = int | float

_MAX_CHARACTERS: Final = 400
_MAX_VALUE: Final = 2**63

_BINARY: Final[dict[type[ast.operator], Callable[[Any, Any], Number]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}

_COMPARISONS: Final[dict[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def _ceil_div(value: int, by: int) -> int:
    return -(-value // by)


def _align_up(value: int, to: int) -> int:
    return _ceil_div(value, to) * to


#: What an expression may call, with the number of arguments (``None``: one or more).
FUNCTIONS: Final[dict[str, tuple[Callable[..., Number], int | None]]] = {
    "align_up": (_align_up, 2),
    "ceil_div": (_ceil_div, 2),
    "max": (lambda *values: max(values), None),
    "min": (lambda *values: min(values), None),
    "sqrt": (math.sqrt, 1),
}


def names(text: str) -> frozenset[str]:
    """Names of the values that ``text`` uses, functions left out.

    Raises
    ------
    UsageError
        ``text`` is no expression.
    """
    tree = _parse(text)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and id(n) not in called)


def evaluate(text: str, values: Mapping[str, Number]) -> Number:
    """Value of the expression ``text``, where ``values`` gives its names.

    Raises
    ------
    UsageError
        It is no expression, uses something that is not allowed or not known, divides by zero, or its
        value does not fit in 63 bits.
    """
    tree = _parse(text)
    try:
        value = _value(tree.body, values)
    except (ZeroDivisionError, ValueError) as error:
        raise UsageError(f"Expression {text!r}: {error}; values: {dict(values)!r}.") from error
    except OverflowError as error:
        raise UsageError(f"Expression {text!r}: the value does not fit in 63 bits.") from error
    return value


def evaluate_integer(text: str, values: Mapping[str, Number]) -> int:
    """Like :func:`evaluate`, for what has to be a whole number.

    Raises
    ------
    UsageError
        As :func:`evaluate`, or the value is not whole.
    """
    value = evaluate(text, values)
    if isinstance(value, float):
        if not value.is_integer():
            raise UsageError.of(
                f"Expression {text!r}", found=value, expected="a whole number", hint="Use // ."
            )
        return int(value)
    return int(value)


def _parse(text: str) -> ast.Expression:
    if len(text) > _MAX_CHARACTERS:
        raise UsageError.of(
            "Expression", found=f"{len(text)} characters", expected=f"at most {_MAX_CHARACTERS}"
        )
    try:
        return ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError.of(
            "Expression", found=text, expected="arithmetic such as ceil_div(n, 256)"
        ) from error


def _value(node: ast.expr, values: Mapping[str, Number]) -> Number:
    found: Number
    match node:
        case ast.Constant(value=bool()):
            raise _refused(node)
        case ast.Constant(value=int() | float() as constant):
            found = constant
        case ast.Name(id=name):
            if name not in values:
                known = ", ".join(sorted(values)) or "none"
                raise UsageError.of("Expression", found=f"the name {name}", expected=f"one of: {known}")
            found = values[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            found = -_value(operand, values)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            found = _BINARY[type(op)](_value(left, values), _value(right, values))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
            found = int(_COMPARISONS[type(op)](_value(left, values), _value(right, values)))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            function, count = FUNCTIONS[name]
            if len(arguments) != count and (count is not None or not arguments):
                raise UsageError.of(
                    f"Function {name}", found=f"{len(arguments)} arguments", expected=str(count or 1)
                )
            found = function(*(_value(argument, values) for argument in arguments))
        case _:
            raise _refused(node)
    if not abs(found) < _MAX_VALUE:
        raise OverflowError
    return found


def _refused(node: ast.expr) -> UsageError:
    return UsageError.of(
        "Expression",
        found=ast.unparse(node),
        expected=f"numbers, names, + - * / // %, comparisons and {', '.join(sorted(FUNCTIONS))}",
    )
