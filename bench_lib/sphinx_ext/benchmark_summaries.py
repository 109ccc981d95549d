"""What lists say of each benchmark: its newest value, its last change, and its shape in small."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from bench_lib.results.asv_index import Benchmark
from bench_lib.sphinx_ext.benchmark_data import BenchmarkData, SeriesData, iter_benchmarks
from bench_lib.sphinx_ext.benchmark_selection import first_selection
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.site_data import SiteData

SPARK_WIDTH: Final = 100
SPARK_HEIGHT: Final = 20
_SPARK_POINTS: Final = 50

_summaries: WeakKeyDictionary[SiteData, tuple[Summary, ...]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Summary:
    """One benchmark.

    Parameters
    ----------
    about
        Its name, unit and metric.
    series
        The first of those that its page shows first: what the figures are of.
    num_series
        How many there are.
    value, date
        The newest value and its date; NaN and NaT where there is none.
    status, reason
        Of the newest run; ``ok`` where it gave the value.
    marks
        What must be said beside a value: not measured, or not on hardware.
    change
        The newest of all changes of all series.
    spark
        An SVG path of the series' values; empty where there are fewer than two.
    words
        What a filter looks in.
    """

    about: Benchmark
    series: SeriesData
    num_series: int
    value: float
    date: pd.Timestamp
    status: str
    reason: str
    marks: tuple[str, ...]
    change: Mapping[str, Any] | None
    spark: str
    words: str


def summaries(data: SiteData) -> tuple[Summary, ...]:
    """One for each benchmark, by name."""
    if data not in _summaries:
        dates = data.commits["date"]
        _summaries[data] = tuple(_summary(b, dates) for b in iter_benchmarks(data))
    return _summaries[data]


def _summary(benchmark: BenchmarkData, dates: pd.Series[pd.Timestamp]) -> Summary:
    series = benchmark.series[first_selection(benchmark)[0]]
    has_value = len(series.places) > 0
    gap = series.gaps[-1] if series.gaps and series.gaps[-1][0] == series.newest_place else None
    changes = [row for s in benchmark.series for row in s.changes]
    origins = {o for s in benchmark.series for o in s.origins} - {"measured"}
    kinds = {benchmark.machine_kinds.get(s.machine) for s in benchmark.series}
    marks = [*sorted(origins), *(["software device"] if "software" in kinds else [])]
    words = [benchmark.about.name, *{s.machine for s in benchmark.series}]
    words += {f"{n}={v}" for s in benchmark.series for n, v in s.parameters}
    return Summary(
        about=benchmark.about,
        # Its columns would keep a whole store in memory.
        series=_without_columns(series),
        num_series=len(benchmark.series),
        value=float(series.values[-1]) if has_value else math.nan,
        date=dates.iloc[series.newest_place],
        status=gap[1] if gap else "ok",
        reason=gap[2] if gap else "",
        marks=tuple(marks),
        change=max(changes, key=lambda row: row["date"], default=None),
        spark=spark_path(series.places.tolist(), series.values.tolist()),
        words=clean(
            " ".join([benchmark.about.family, benchmark.about.pretty_name, *sorted(words)[:60]]).lower()
        )[:400],
    )


def _without_columns(series: SeriesData) -> SeriesData:
    nothing = np.empty(0)
    return SeriesData(
        parameters=series.parameters,
        machine=series.machine,
        environment=series.environment,
        places=nothing.astype(np.int64),
        values=nothing,
        low=nothing,
        high=nothing,
        versions=(),
        origins=(),
        num_samples=nothing.astype(np.int64),
        samples=(),
        gaps=(),
    )


def _medians(values: Sequence[float], size: int) -> list[float]:
    """Of each ``size`` values on end, and of the rest."""
    whole = len(values) // size * size
    made = np.median(np.reshape(values[:whole], (-1, size)), axis=1).tolist()
    return [*made, float(np.median(values[whole:]))] if whole < len(values) else made


def spark_path(places: Sequence[int], values: Sequence[float]) -> str:
    """An SVG path over ``values``, medians of neighbours where they are many; the y axis is their range."""
    if len(values) < 2:
        return ""
    size = math.ceil(len(values) / _SPARK_POINTS)
    medians = _medians(values, size)
    at = [places[min(i + size // 2, len(places) - 1)] for i in range(0, len(values), size)]
    if len(medians) < 2:
        return ""
    low, high = min(medians), max(medians)
    # A line that is flat but for its noise is drawn flat: 2 % take the whole height at least.
    least = 0.02 * max(abs(low), abs(high))
    span = max(high - low, least) or 1.0
    middle = (high + low) / 2
    width = at[-1] - at[0] or 1
    x = [round(1 + (place - at[0]) / width * (SPARK_WIDTH - 2)) for place in at]
    y = [round(SPARK_HEIGHT / 2 - (value - middle) / span * (SPARK_HEIGHT - 4)) for value in medians]
    # From point to point: shorter than where each lies.
    steps = zip(np.diff(x).tolist(), np.diff(y).tolist(), strict=True)
    return f"M{x[0]} {y[0]}l" + " ".join(f"{right}{' ' if down >= 0 else ''}{down}" for right, down in steps)
