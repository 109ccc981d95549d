"""Whole numbers as text that pages carry: two characters for most values, where JSON takes six.

An alphabet of 90 characters that mean nothing in JSON or HTML. The first character says which of
:data:`_SHORT` holds, and whether numbers have a sign (in their lowest bit), are differences with one, or have
none; then each number follows, as a first character that says how many follow it. ``bench.numbers`` in
``bench-numbers.js`` reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

#: Printable ASCII but the characters that end a string or begin markup.
ALPHABET: Final = "".join(chr(c) for c in range(32, 127) if chr(c) not in '"\\<>&')
_BASE: Final = len(ALPHABET)
_CODES: Final = np.frombuffer(ALPHABET.encode(), dtype=np.uint8)
#: Numbers of first characters that are a value by themselves; which is best depends on the numbers.
_SHORT: Final = (0, 24, 48, 72, 80)
#: First characters from here on are followed by two, by three, by decimal digits; the last means none.
_TWO, _THREE, _DECIMAL, _NOTHING = 84, 87, 88, 89
#: Numbers beyond are left to JSON: their differences would not be exact in JavaScript.
_MAX: Final = 2**50


def number_text(numbers: Sequence[Any]) -> str | list[Any]:
    """``numbers`` as text; as they are where one is neither a whole number nor ``None``."""
    if not all(n is None or (isinstance(n, int) and abs(n) < _MAX) for n in numbers):
        return list(numbers)
    is_known = np.array([n is not None for n in numbers], dtype=bool)
    plain = np.array([n for n in numbers if n is not None], dtype=np.int64)
    kinds = [_unsigned(plain), _unsigned(np.diff(plain, prepend=0))]
    if len(plain) and plain.min() >= 0:
        kinds.append(plain)
    found = [(size, kind, which) for kind, v in enumerate(kinds) for which, size in _sizes(v)]
    _, kind, which = min(found)
    text = _text(kinds[kind], _SHORT[which])
    if not is_known.all():
        marks = np.cumsum(is_known) - 1
        text = [text[at] if known else ALPHABET[_NOTHING] for known, at in zip(is_known, marks, strict=True)]
    return ALPHABET[kind * len(_SHORT) + which] + "".join(text)


def _unsigned(numbers: Ints) -> Ints:
    return np.where(numbers >= 0, 2 * numbers, -2 * numbers - 1)


def _limits(short: int) -> tuple[int, int, int]:
    """What the numbers of one, two, three and four characters end before; there are more beyond."""
    two = short + (_TWO - short) * _BASE
    three = two + (_THREE - _TWO) * _BASE**2
    return two, three, three + _BASE**3


def _sizes(numbers: Ints) -> list[tuple[int, int]]:
    """(which of :data:`_SHORT`, length of the text) for each."""
    sizes = []
    for which, short in enumerate(_SHORT):
        beyond = [int((numbers >= limit).sum()) for limit in (short, *_limits(short))]
        # Decimal digits stand between two characters.
        sizes.append((which, len(numbers) + sum(beyond) + 10 * beyond[-1]))
    return sizes


def _text(numbers: Ints, short: int) -> list[str]:
    two, three, four = _limits(short)
    second = numbers - short
    third = numbers - two
    fourth = numbers - three
    size = np.searchsorted([short, two, three, four], numbers, side="right")
    columns = np.zeros((len(numbers), 4), dtype=np.int64)
    for at, rest, first in ((0, numbers, 0), (1, second, short), (2, third, _TWO), (3, fourth, _THREE)):
        chosen = size == at
        digits = rest[chosen]
        for place in range(at, 0, -1):
            digits, columns[chosen, place] = np.divmod(digits, _BASE)
        columns[chosen, 0] = first + digits
    whole = _CODES[np.minimum(columns, _BASE - 1)].tobytes().decode()
    made = [whole[4 * i : 4 * i + 1 + n] for i, n in enumerate(size.tolist())]
    mark = ALPHABET[_DECIMAL]
    for i in np.flatnonzero(size == 4).tolist():
        made[i] = f"{mark}{numbers[i]}{mark}"
    return made
