"""Unit names, scaling and formatting: the only place that does it.

Everything is stored in SI base units; a value is scaled only when a person reads it.
"""

from __future__ import annotations

import math
from typing import Final, Literal

Unit = Literal["s", "B", "FLOP", "FLOP/s", "OP/s", "B/s", "token/s", "1/s", "1"]

UNITS: Final[tuple[Unit, ...]] = ("s", "B", "FLOP", "FLOP/s", "OP/s", "B/s", "token/s", "1/s", "1")

#: The names that asv prints and scales by; it knows no others than these two.
ASV_UNITS: Final[dict[Unit, str]] = {"s": "seconds", "B": "bytes"}

MIB: Final = 1024**2
GIB: Final = 1024**3

_TIME: Final = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_BINARY: Final = ((1024.0**4, "Ti"), (1024.0**3, "Gi"), (1024.0**2, "Mi"), (1024.0, "Ki"), (1.0, ""))
_DECIMAL: Final = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))


def scale(value: float, unit: Unit) -> tuple[float, str]:
    """Factor by which to divide values near ``value``, and the name of the scaled unit.

    Bytes of capacity scale by 1024 and say so (``MiB``); rates and work by 1000 (``GB/s``,
    ``TFLOP/s``), as data sheets do. Seconds scale down to ``ns``. Ratios do not scale.
    """
    if unit not in UNITS:
        raise ValueError(f"unknown unit {unit!r}; known: {', '.join(UNITS)}")
    if unit == "1" or not math.isfinite(value):
        return 1.0, "" if unit == "1" else unit
    # Round as the reader will see it: 999.9996 ms is printed as 1 s, never as 1000 ms.
    size = abs(float(f"{value:.4g}"))
    table: tuple[tuple[float, str], ...]
    if unit == "s":
        table = _TIME
        names = dict(table)
    else:
        table = _BINARY if unit == "B" else _DECIMAL
        names = {factor: prefix + unit for factor, prefix in table}
    if size == 0:
        return 1.0, unit
    factor = next((f for f, _ in table if size >= f), table[-1][0])
    return factor, names[factor]


def format_value(value: float | None, unit: Unit, *, digits: int = 4) -> str:
    """``value`` for a reader, such as ``12.35 ms``; a missing or NaN value reads ``unknown``."""
    if value is None or math.isnan(value):
        return "unknown"
    factor, name = scale(value, unit)
    number = f"{value / factor:.{digits}g}"
    if "e+" in number and abs(value / factor) < 1e9:
        number = f"{float(number):,.0f}"
    return f"{number} {name}".rstrip()
