"""Where a piece of work lies under two roofs: the bandwidth of memory and the peak of arithmetic. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bench_lib.errors import UsageError


@dataclass(frozen=True)
class Placement:
    """Where a kernel lies under measured ceilings.

    ``ridge_flop_per_byte`` is ``None`` where only the bandwidth is known.
    """

    arithmetic_intensity_flop_per_byte: float
    flop_per_s: float
    ridge_flop_per_byte: float | None
    side: Literal["memory", "compute"]
    share_of_roof: float


def place_under(
    *,
    flop: float,
    num_bytes: float,
    duration_s: float,
    bytes_per_s: float,
    peak_flop_per_s: float | None,
) -> Placement:
    """Place work under a bandwidth and, where it is known, a peak rate.

    The roof is the longer of the two least times, bytes over bandwidth and FLOP over peak.

    Raises
    ------
    UsageError
        A figure is not positive (``flop`` may be zero).

    **Source**: S. Williams, A. Waterman, D. Patterson, *Communications of the ACM* 52 (2009) 4.
    """
    for name, value in (("num_bytes", num_bytes), ("duration_s", duration_s), ("bytes_per_s", bytes_per_s)):
        if not value > 0:
            raise UsageError.of(name, found=value, expected="a positive number")
    if not flop >= 0:
        raise UsageError.of("flop", found=flop, expected="zero or a positive number")
    if peak_flop_per_s is not None and not peak_flop_per_s > 0:
        raise UsageError.of("peak_flop_per_s", found=peak_flop_per_s, expected="a positive number")
    by_memory_s = num_bytes / bytes_per_s
    by_compute_s = flop / peak_flop_per_s if peak_flop_per_s is not None else 0.0
    return Placement(
        arithmetic_intensity_flop_per_byte=flop / num_bytes,
        flop_per_s=flop / duration_s,
        ridge_flop_per_byte=None if peak_flop_per_s is None else peak_flop_per_s / bytes_per_s,
        side="compute" if by_compute_s >= by_memory_s else "memory",
        share_of_roof=max(by_memory_s, by_compute_s) / duration_s,
    )
