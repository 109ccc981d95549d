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


def number_text(numbers: Ints | Sequence[Any]) -> str | list[Any]:
    """``numbers`` as text; as they are where one is neither a whole number nor ``None``."""
    found_type = np.asarray(numbers).dtype.kind if len(numbers) else "i"
    if found_type == "i":
        plain = np.asarray(numbers, dtype=np.int64)
        is_known = np.ones(len(plain), dtype=bool)
    elif all(n is None or isinstance(n, int) for n in numbers) and found_type != "u":
        is_known = np.array([n is not None for n in numbers], dtype=bool)
        plain = np.array([n for n in numbers if n is not None and abs(n) < _MAX], dtype=np.int64)
    else:
        return list(numbers)
    if len(plain) != is_known.sum() or (len(plain) and int(np.abs(plain).max()) >= _MAX):
        return numbers.tolist() if isinstance(numbers, np.ndarray) else list(numbers)
    kinds = [_unsigned(plain), _unsigned(np.diff(plain, prepend=0))]
    if len(plain) and plain.min() >= 0:
        kinds.append(plain)
    found = [(size, kind, which) for kind, v in enumerate(kinds) for which, size in _sizes(v)]
    _, kind, which = min(found)
    rows, sizes = _rows(kinds[kind], _SHORT[which])
    head = ALPHABET[kind * len(_SHORT) + which]
    if is_known.all() and (not len(sizes) or int(sizes.max()) < 4):
        # The whole at once: a store has a million of them.
        return head + rows[np.arange(4) <= sizes[:, None]].tobytes().decode()
    texts = iter(_texts(kinds[kind], rows, sizes))
    return head + "".join(next(texts) if known else ALPHABET[_NOTHING] for known in is_known.tolist())


def _unsigned(numbers: Ints) -> Ints:
    return np.where(numbers >= 0, 2 * numbers, -2 * numbers - 1)


def _limits(short: int) -> tuple[int, int, int]:
    """What the numbers of one, two, three and four characters end before; there are more beyond."""
    two = short + (_TWO - short) * _BASE
    three = two + (_THREE - _TWO) * _BASE**2
    return two, three, three + _BASE**3


def _sizes(numbers: Ints) -> list[tuple[int, int]]:
    """(which of :data:`_SHORT`, length of the text) for each."""
    limits = [limit for short in _SHORT for limit in (short, *_limits(short))]
    beyond = len(numbers) - np.searchsorted(np.sort(numbers), limits).reshape(len(_SHORT), 4)
    # Decimal digits stand between two characters.
    sizes = len(numbers) + beyond.sum(axis=1) + 10 * beyond[:, -1]
    return list(enumerate(sizes.tolist()))


def _rows(numbers: Ints, short: int) -> tuple[NDArray[np.uint8], Ints]:
    """Four characters a number, and how many of them follow the first; four of those mean decimal digits."""
    two, three, four = _limits(short)
    sizes = np.searchsorted([short, two, three, four], numbers, side="right")
    columns = np.zeros((len(numbers), 4), dtype=np.int64)
    for at, before, first in ((0, 0, 0), (1, short, short), (2, two, _TWO), (3, three, _THREE)):
        chosen = sizes == at
        digits = numbers[chosen] - before
        for place in range(at, 0, -1):
            digits, columns[chosen, place] = np.divmod(digits, _BASE)
        columns[chosen, 0] = first + digits
    return _CODES[columns], sizes


def _texts(numbers: Ints, rows: NDArray[np.uint8], sizes: Ints) -> list[str]:
    whole = rows.tobytes().decode()
    made = [whole[4 * i : 4 * i + 1 + n] for i, n in enumerate(sizes.tolist())]
    mark = ALPHABET[_DECIMAL]
    for i in np.flatnonzero(sizes == 4).tolist():
        made[i] = f"{mark}{numbers[i]}{mark}"
    return made
