"""Change points of every series in a frame: what changed, between which commits, for better or worse."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench_lib.results import changes
from bench_lib.results.asv_index import Benchmark
from bench_lib.results.frames import SERIES
from bench_lib.results.step_search import MIN_SIDE

Floats = NDArray[np.float64]

#: Columns of the frame that :func:`find_changes` returns.
COLUMNS: Final = (
    *SERIES,
    "version",
    "origin",
    "metric",
    "unit",
    "kind",
    "effect",
    "before",
    "after",
    "ratio",
    "ratio_low",
    "ratio_high",
    "confidence",
    "last_before",
    "first_after",
    "date",
    "earliest",
    "latest",
)


#: Commits that a series needs to have a step: enough on both sides of it.
SHORTEST: Final = 2 * MIN_SIDE
_MAX_KEY: Final = 2**62


def find_changes(
    frame: pd.DataFrame, benchmarks: Mapping[str, Benchmark], *, min_change: float = 0.0
) -> pd.DataFrame:
    """Steps in every series of ``frame``, the newest first.

    A series is one benchmark with one set of parameters on one machine in one environment, and of one
    version and origin: values of another version measure something else. Its values are in the order of
    commit dates; commits without a value are left out, and so are values whose commit has no date.
    Several values at one commit (launches that were repeated) are one: their median.

    Parameters
    ----------
    frame, benchmarks
        As :func:`bench_lib.results.read` gives them.
    min_change
        Steps that change the level by less than this part of it are left out: what is significant need
        not be relevant.

    Returns
    -------
    pandas.DataFrame
        One row a step. It lies between the commits ``last_before`` and ``first_after``, the neighbours
        that were measured; with 99 % confidence it is after ``earliest`` and not after ``latest``.
        ``effect`` is ``regression``, ``improvement`` or ``change``, by the direction of the metric.
    """
    names = frame["commit"].cat.categories
    rows = []
    for series in _series(frame):
        for step in changes.find_steps(series.values):
            if not _is_relevant(step, min_change):
                continue
            about = frame.iloc[series.row]
            commits = names[series.commits]
            rows.append(
                {
                    **{c: about[c] for c in (*SERIES, "version", "origin", "metric", "unit")},
                    "kind": step.kind,
                    "effect": effect(step, benchmarks[about["benchmark"]]),
                    **{c: getattr(step, c) for c in ("before", "after", "ratio", "ratio_low", "ratio_high")},
                    "confidence": step.confidence,
                    "last_before": commits[step.index - 1],
                    "first_after": commits[step.index],
                    "date": pd.Timestamp(series.dates[step.index], tz="UTC"),
                    "earliest": commits[step.first - 1],
                    "latest": commits[step.last],
                }
            )
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    return found.sort_values("date", ascending=False, kind="stable", ignore_index=True)


def count_series(frame: pd.DataFrame) -> tuple[int, int]:
    """Series of ``frame`` that :func:`find_changes` searches, and those with too few commits for a step."""
    lengths = [len(series.values) for series in _series(frame, shortest=1)]
    searched = sum(length >= SHORTEST for length in lengths)
    return searched, len(lengths) - searched


@dataclass(frozen=True)
class _Series:
    """One value a commit, in the order of dates; ``commits`` are codes, and ``row`` is one of its rows."""

    row: int
    values: Floats
    commits: NDArray[np.integer[Any]]
    dates: NDArray[np.datetime64]


def _series(frame: pd.DataFrame, *, shortest: int = SHORTEST) -> Iterator[_Series]:
    """Every series of ``frame`` with values at ``shortest`` commits or more."""
    dates = frame["date"].dt.tz_localize(None).to_numpy()
    # Of a store with millions of rows each whole column counts: short numbers, and none longer than needed.
    rows = np.flatnonzero(np.isfinite(frame["value"].to_numpy()) & ~np.isnat(dates)).astype(np.int32)
    if not len(rows):
        return
    # One whole number a series: a single key sorts a large store several times faster than many.
    key, most = np.zeros(len(rows), dtype=np.int64), 1
    for column in (*SERIES, "version", "origin"):
        # What is missing has the code -1.
        count = len(frame[column].cat.categories) + 1
        if most * count > _MAX_KEY:
            key = np.unique(key, return_inverse=True)[1]
            most = len(rows)
        key *= count
        key += frame[column].cat.codes.to_numpy()[rows]
        key += 1
        most *= count
    commits = frame["commit"].cat.codes.to_numpy()
    order = np.lexsort([commits[rows], dates[rows], key])
    rows, key = rows[order], key[order]
    del order
    commits, dates, values = commits[rows], dates[rows], frame["value"].to_numpy()[rows]
    is_new = np.append(
        True, (key[1:] != key[:-1]) | (commits[1:] != commits[:-1]) | (dates[1:] != dates[:-1])
    )
    points = np.flatnonzero(is_new)
    counts = np.diff(np.append(points, len(rows)))
    single = values[points]
    for i in np.flatnonzero(counts > 1):
        single[i] = np.median(values[points[i] : points[i] + counts[i]])
    starts = np.flatnonzero(np.append(True, np.diff(key[points]) != 0))
    for start, stop in itertools.pairwise([*starts.tolist(), len(points)]):
        if stop - start >= shortest:
            at = points[start:stop]
            yield _Series(int(rows[at[0]]), single[start:stop], commits[at], dates[at])


def effect(step: changes.Step, benchmark: Benchmark) -> str:
    """``regression``, ``improvement``, or ``change`` where neither direction is better."""
    if benchmark.better == "neither":
        return "change"
    is_worse = (step.after > step.before) == (benchmark.better == "lower")
    return "regression" if is_worse else "improvement"


def _is_relevant(step: changes.Step, min_change: float) -> bool:
    # Either way round, so that a step down to a half and one up to the double count the same.
    return not math.isfinite(step.ratio) or max(step.ratio, 1 / step.ratio) - 1 >= min_change
