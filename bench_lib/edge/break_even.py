"""From which size one way of bringing bytes to a device costs less than another. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from typing import Final

from bench_lib.model import Run

TRANSFER: Final = "edge.Transfer"


def medians(runs: Iterable[Run], *, metric: str = "transfer_time") -> dict[str, dict[int, float]]:
    """Median seconds by memory mode and number of bytes, of the transfers among ``runs``."""
    found: dict[str, dict[int, float]] = {}
    for run in runs:
        measured = run.measurement(metric)
        size = run.params.get("num_bytes")
        if run.benchmark != TRANSFER or run.status != "ok" or measured is None or not measured.samples:
            continue
        if isinstance(size, int) and not isinstance(size, bool):
            found.setdefault(str(run.params.get("mode")), {})[size] = statistics.median(measured.samples)
    return found


def break_even_bytes(slower_at_first: Mapping[int, float], other: Mapping[int, float]) -> int | None:
    """Smallest size from which ``slower_at_first`` is the faster one, there and at every larger size.

    ``None`` where it never is. A size that only one of them has does not count.
    """
    sizes = sorted(slower_at_first.keys() & other.keys())
    found: int | None = None
    for size in reversed(sizes):
        if slower_at_first[size] >= other[size]:
            break
        found = size
    return found
