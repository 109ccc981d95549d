"""Change points of every series in a frame: what changed, between which commits, for better or worse."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import numpy as np
import pandas as pd

from bench_lib.results import changes
from bench_lib.results.asv_index import Benchmark
from bench_lib.results.frames import SERIES
from bench_lib.results.step_search import MIN_SIDE

#: Columns of the frame that :func:`find_changes` returns.
COLUMNS: Final = (
    *SERIES,
    "version",
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


def find_changes(
    frame: pd.DataFrame, benchmarks: Mapping[str, Benchmark], *, min_change: float = 0.0
) -> pd.DataFrame:
    """Steps in every series of ``frame``, the newest first.

    A series is one benchmark with one set of parameters on one machine in one environment, and of one
    version: values of another version measure something else. Its values are in the order of commit
    dates; commits without a value are left out, and of several values at one commit the last counts.

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
    measured = frame[np.isfinite(frame["value"].to_numpy())]
    codes = [measured[c].cat.codes.to_numpy() for c in (*SERIES, "version")]
    dates = measured["date"].dt.tz_localize(None).to_numpy()
    # Last key first: sorted by series, and by date within each.
    order = np.lexsort([dates, *reversed(codes)])
    sorted_codes = [code[order] for code in codes]
    borders = np.zeros(len(order), dtype=bool)
    if len(order):
        borders[0] = True
    for code in sorted_codes:
        borders[1:] |= code[1:] != code[:-1]
    starts = np.flatnonzero(borders)
    commits = measured["commit"].cat.codes.to_numpy()[order]
    values = measured["value"].to_numpy()[order]
    names = measured["commit"].cat.categories
    rows = []
    for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
        if stop - start < 2 * MIN_SIDE:
            continue
        # Of several values at one commit, the last.
        kept = np.flatnonzero(np.append(np.diff(commits[start:stop]) != 0, True)) + start
        for step in changes.find_steps(values[kept]):
            if not _is_relevant(step, min_change):
                continue
            about = measured.iloc[order[start]]
            benchmark = benchmarks[about["benchmark"]]
            rows.append(
                {
                    **{c: about[c] for c in (*SERIES, "version", "metric", "unit")},
                    "kind": step.kind,
                    "effect": effect(step, benchmark),
                    **{c: getattr(step, c) for c in ("before", "after", "ratio", "ratio_low", "ratio_high")},
                    "confidence": step.confidence,
                    "last_before": names[commits[kept[step.index - 1]]],
                    "first_after": names[commits[kept[step.index]]],
                    "date": measured["date"].iloc[order[kept[step.index]]],
                    "earliest": names[commits[kept[step.first - 1]]],
                    "latest": names[commits[kept[step.last]]],
                }
            )
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    return found.sort_values("date", ascending=False, kind="stable", ignore_index=True)


def effect(step: changes.Step, benchmark: Benchmark) -> str:
    """``regression``, ``improvement``, or ``change`` where neither direction is better."""
    if benchmark.better == "neither":
        return "change"
    is_worse = (step.after > step.before) == (benchmark.better == "lower")
    return "regression" if is_worse else "improvement"


def _is_relevant(step: changes.Step, min_change: float) -> bool:
    # Either way round, so that a step down to a half and one up to the double count the same.
    return not math.isfinite(step.ratio) or max(step.ratio, 1 / step.ratio) - 1 >= min_change
