"""A device's measured roofs, read from records, and where a kernel's time lies under them. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bench_lib.model import Run
from bench_lib.placement import Placement, place_under

ROOF: Final = "edge.Roof"
_COPY: Final = "copy"
_MATRIX: Final = "matrix-"
#: The op whose time is what a dispatch itself takes.
_NO_WORK: Final = "null"


@dataclass(frozen=True)
class DeviceRoofs:
    """What one device reached, by our own kernels, in one session.

    Parameters
    ----------
    bytes_per_s
        Bytes read and written by a copy, over its best time.
    flop_per_s
        FLOP of a matrix product over its best time, by data type.
    """

    bytes_per_s: float
    flop_per_s: Mapping[str, float] = field(default_factory=dict)


def _rate(run: Run, work: str) -> float | None:
    amount, found = run.details.get(work), run.measurement("dispatch_time")
    if run.status != "ok" or found is None or not found.samples:
        return None
    best = min(found.samples)
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not amount > 0 or not best > 0:
        return None
    return amount / best


def roofs_of(runs: Iterable[Run]) -> DeviceRoofs | None:
    """Roofs in the records of one device and session; ``None`` without a copy."""
    copy: float | None = None
    matrix: dict[str, float] = {}
    for run in runs:
        roof = str(run.params.get("roof", ""))
        if run.benchmark != ROOF:
            continue
        if roof == _COPY:
            copy = _rate(run, "bytes_moved")
        elif roof.startswith(_MATRIX):
            rate = _rate(run, "flop")
            if rate is not None:
                matrix[roof.removeprefix(_MATRIX)] = rate
    return None if copy is None else DeviceRoofs(copy, matrix)


def has_work(run: Run) -> bool:
    """Whether a kernel is there for its work: the null dispatch writes one word only not to be left out."""
    return run.params.get("op") != _NO_WORK


def placement(run: Run, roofs: DeviceRoofs | None, *, metric: str = "dispatch_time") -> Placement | None:
    """Where the median of ``metric`` lies; ``None`` where work, time or roof is not known.

    A kernel that computes has no place without the matrix peak of its data type: its bandwidth alone would
    flatter or shame it. The null dispatch has none.
    """
    found = run.measurement(metric)
    num_bytes, flop = run.details.get("bytes_moved"), run.details.get("flop")
    if roofs is None or found is None or not found.samples or run.status != "ok" or not has_work(run):
        return None
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in (num_bytes, flop)):
        return None
    assert isinstance(num_bytes, int | float) and isinstance(flop, int | float)
    duration_s = statistics.median(found.samples)
    if not num_bytes > 0 or not flop >= 0 or not duration_s > 0:
        return None
    return place_under(
        flop=flop,
        num_bytes=num_bytes,
        duration_s=duration_s,
        bytes_per_s=roofs.bytes_per_s,
        peak_flop_per_s=roofs.flop_per_s.get(str(run.params.get("dtype"))),
    )
