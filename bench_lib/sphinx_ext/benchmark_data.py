"""The series of each benchmark, as columns small enough to carry in a page.

A series is what :data:`bench_lib.results.frames.SERIES` says. Its values become whole numbers of a
quantum, with five digits at their median and three of the smallest; the bounds of an interval, their
distances from the value, with two and rounded outwards; its commits, runs of numbers in the list of
all commits.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench_lib.results.asv_index import Benchmark
from bench_lib.results.frames import SERIES
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.number_text import number_text
from bench_lib.sphinx_ext.site_data import SiteData

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: Digits that a value, and the reach of an interval, keeps where it is as large as its series' median.
DIGITS: Final = 5
REACH_DIGITS: Final = 2
#: What is kept of the smallest value, which a step may have brought far below the median; of its interval.
_OF_SMALLEST: Final = 1e-3
_REACH_OF_SMALLEST: Final = 1e-2
#: Largest whole number that stands for a value: well below 2**50.
_MAX_COUNT: Final = 1e13
#: What the numbers of a change mean, in this order.
KINDS: Final = ("possible", "confirmed")
EFFECTS: Final = ("regression", "improvement", "change")


@dataclass(frozen=True)
class SeriesData:
    """One series.

    Parameters
    ----------
    parameters, machine, environment
        What tells it from its siblings.
    places
        Numbers of its commits with a value, rising.
    values, low, high
        At those, in the benchmark's unit; NaN for an interval that is not known.
    versions, origins, num_samples
        At those; the first two as texts of the frame.
    samples
        At those; ``None`` where none are stored.
    gaps
        (number of a commit, status, reason) where a run gave no value.
    changes
        Rows of :attr:`.SiteData.changes`, the oldest first.
    """

    parameters: tuple[tuple[str, str], ...]
    machine: str
    environment: str
    places: Ints
    values: Floats
    low: Floats
    high: Floats
    versions: Sequence[str]
    origins: Sequence[str]
    num_samples: Ints
    samples: Sequence[Floats | None]
    gaps: Sequence[tuple[int, str, str]]
    changes: Sequence[Mapping[str, Any]] = ()

    @property
    def newest_place(self) -> int:
        """Number of its newest commit, with a value or without."""
        ends = [int(self.places[-1])] if len(self.places) else []
        return max([*ends, *(gap[0] for gap in self.gaps)], default=-1)


@dataclass(frozen=True)
class BenchmarkData:
    """A benchmark with all its series, in the order of machine, environment and parameters."""

    about: Benchmark
    series: tuple[SeriesData, ...]
    machine_kinds: Mapping[str, str] = field(default_factory=dict)


def iter_benchmarks(data: SiteData) -> Iterator[BenchmarkData]:
    """Every benchmark with a row, by name; one is made at a time, so that a large store fits in memory."""
    frame = data.frame
    place_of = _places(data).astype(np.int32)
    codes = {c: frame[c].cat.codes.to_numpy() for c in SERIES}
    places = place_of[frame["commit"].cat.codes.to_numpy()]
    # The last of several values at one commit counts, so the order within a commit is kept.
    keys = [places, *(codes[c] for c in ("parameters", "environment", "machine", "benchmark"))]
    order = np.lexsort(keys)
    borders = _borders([codes[c][order] for c in SERIES])
    columns = _Columns(data, order, places)
    changes = _changes_by_series(data)
    kinds = _machine_kinds(data)
    name = ""
    made: list[SeriesData] = []
    for start, stop in itertools.pairwise(borders):
        key = columns.key(start)
        if key[0] != name:
            if made:
                yield _benchmark(data, name, made, kinds)
            name, made = key[0], []
        made.append(columns.series(start, stop, changes.get(key, ())))
    if made:
        yield _benchmark(data, name, made, kinds)


def _benchmark(
    data: SiteData, name: str, series: list[SeriesData], kinds: Mapping[str, str]
) -> BenchmarkData:
    return BenchmarkData(data.results.benchmarks[name], tuple(series), kinds)


def _machine_kinds(data: SiteData) -> dict[str, str]:
    from bench_lib.results.compare import hardware_kind

    machines = data.frame["machine"].cat.categories
    return {str(m): hardware_kind(data.results, str(m)) for m in machines}


def _places(data: SiteData) -> Ints:
    """Number of each commit, by its code in the frame."""
    number = {commit: i for i, commit in enumerate(data.commits["commit"])}
    return np.array([number[c] for c in data.frame["commit"].cat.categories], dtype=np.int64)


def _borders(sorted_codes: Sequence[NDArray[Any]]) -> list[int]:
    length = len(sorted_codes[0])
    is_start = np.zeros(length, dtype=bool)
    is_start[:1] = True
    for code in sorted_codes:
        is_start[1:] |= code[1:] != code[:-1]
    return [*np.flatnonzero(is_start).tolist(), length]


def _changes_by_series(data: SiteData) -> dict[tuple[str, ...], list[Mapping[str, Any]]]:
    found: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    rows = data.changes.iloc[::-1]
    records: list[dict[Any, Any]] = rows.to_dict("records")
    for row in records:
        found.setdefault(tuple(str(row[c]) for c in SERIES), []).append(row)
    return found


class _Columns:
    """The frame's columns, from which rows are taken a series at a time: in order, a copy of all would be as
    large as the frame."""

    def __init__(self, data: SiteData, order: Ints, places: NDArray[np.int32]) -> None:
        frame = data.frame
        self.parameters = data.results.parameters
        self.order = order
        self.places = places
        self.numbers = {c: frame[c].to_numpy() for c in ("value", "low", "high")}
        self.num_samples = frame["num_samples"].to_numpy()
        self.samples = frame["samples"].to_numpy()
        self.codes = {}
        self.texts: dict[str, list[str]] = {}
        for column in (*SERIES, "version", "origin", "status", "reason"):
            self.codes[column] = frame[column].cat.codes.to_numpy()
            self.texts[column] = [str(t) for t in frame[column].cat.categories]

    def key(self, at: int) -> tuple[str, ...]:
        row = self.order[at]
        return tuple(self.texts[c][self.codes[c][row]] for c in SERIES)

    def series(self, start: int, stop: int, changes: Sequence[Mapping[str, Any]]) -> SeriesData:
        rows = self.order[start:stop]
        places = self.places[rows]
        is_last = np.append(places[1:] != places[:-1], True)
        is_known = np.isfinite(self.numbers["value"][rows])
        kept = rows[is_last & is_known]
        _, text, machine, environment = self.key(start)
        return SeriesData(
            parameters=self.parameters[text],
            machine=machine,
            environment=environment,
            places=self.places[kept].astype(np.int64),
            values=self.numbers["value"][kept],
            low=self.numbers["low"][kept],
            high=self.numbers["high"][kept],
            versions=self._texts("version", kept),
            origins=self._texts("origin", kept),
            num_samples=self.num_samples[kept],
            samples=list(self.samples[kept]),
            gaps=[self._gap(i) for i in rows[is_last & ~is_known].tolist()],
            changes=changes,
        )

    def _gap(self, row: int) -> tuple[int, str, str]:
        status, reason = (self.texts[c][self.codes[c][row]] for c in ("status", "reason"))
        if status == "ok":
            status, reason = "failed", "the value is infinite"
        return int(self.places[row]), status, reason

    def _texts(self, column: str, rows: Ints) -> list[str]:
        texts = self.texts[column]
        return [texts[code] for code in self.codes[column][rows].tolist()]


def packed(series: SeriesData, tables: Tables, commits: Mapping[str, int]) -> dict[str, Any]:
    """``series`` for a page; keys are short because there are many of it.

    Columns are text, as :func:`.number_text` has it. ``m``, ``e``, ``p``: numbers of machine, environment and
    parameter values. ``x``: runs of commits, distance and length in turn. ``v``: values over the quantum
    ``q``, less ``b``; ``l``, ``h``: how far the interval reaches down and up, over the quantum ``r``; without
    ``h`` it reaches as far up as down. ``n``: numbers of samples. ``w``, ``o``: (position, number) from where
    on there is another version, another origin. ``g``: (commit, status, reason) of runs without a value.
    ``c``: changes.
    """
    smallest = _smallest(series.values)
    quantum = _quantum(series.values, digits=DIGITS, finest=smallest * _OF_SMALLEST)
    made: dict[str, Any] = {
        "m": tables.machine.number(series.machine),
        "e": tables.environment.number(series.environment),
        "p": tables.parameter_numbers(series.parameters),
        "x": number_text(runs(series.places)),
        "q": quantum,
    }
    counts = _scaled(series.values, quantum)
    made["b"], values = _about_middle(counts)
    made["v"] = number_text(values)
    if np.isfinite(series.low).any() or np.isfinite(series.high).any():
        # From the value that is shown, which may be on either side of the exact one.
        away = np.abs(series.values - np.asarray(counts, dtype=np.float64) * (quantum or 1))
        reaches = series.values - series.low + away, series.high - series.values + away
        made["r"] = _quantum(
            np.concatenate(reaches), digits=REACH_DIGITS, finest=smallest * _REACH_OF_SMALLEST
        )
        made["l"], made["h"] = (number_text(_scaled(reach, made["r"], outwards=True)) for reach in reaches)
        if made["h"] == made["l"]:
            del made["h"]
    if series.num_samples.any():
        numbers = series.num_samples.tolist()
        made["n"] = numbers[0] if len(set(numbers)) == 1 else number_text(numbers)
    made["w"] = _changing(series.versions, tables.version)
    made["o"] = _changing(series.origins, tables.origin)
    if series.gaps:
        made["g"] = [(x, tables.status.number(s), tables.reason.number(clean(r))) for x, s, r in series.gaps]
    if series.changes:
        made["c"] = [_change(row, commits) for row in series.changes]
    return made


class Table:
    """Texts in the order of their first use, and their numbers."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def shown(self) -> list[str]:
        """The texts, fit to show."""
        return [clean(text) for text in self.numbers]


class Tables:
    """The texts that the series of one page refer to."""

    def __init__(self) -> None:
        self.machine, self.environment, self.version = Table(), Table(), Table()
        self.origin, self.status, self.reason = Table(), Table(), Table()
        self.axes: dict[str, Table] = {}

    def parameter_numbers(self, parameters: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
        names = list(self.axes)
        made = []
        for name, value in parameters:
            if name not in self.axes:
                self.axes[name] = Table()
                names.append(name)
            made.append((names.index(name), self.axes[name].number(value)))
        return made


def runs(places: Ints) -> list[int]:
    """Rising numbers as runs: how far each lies behind the one before, and its length, in turn."""
    if not len(places):
        return []
    starts = np.flatnonzero(np.append(True, np.diff(places) != 1))
    lengths = np.diff(np.append(starts, len(places)))
    ends = np.append(0, places[starts] + lengths)[:-1]
    return np.column_stack([places[starts] - ends, lengths]).ravel().tolist()


def _quantum(values: Floats, *, digits: int, finest: float = math.inf) -> float | None:
    """What ``values`` are to be counted in, at most ``finest``.

    ``None`` where they lie too far apart for whole numbers that JavaScript has exactly.
    """
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    if not len(sizes):
        return 1.0
    with np.errstate(over="ignore"):
        median = float(np.median(sizes))
    if not math.isfinite(median):
        return None
    wanted = min(10.0 ** (math.floor(math.log10(median)) - digits + 1), finest)
    if wanted <= 0 or float(sizes.max()) > _MAX_COUNT * wanted:
        return None
    return float(f"1e{math.floor(math.log10(wanted) + 1e-9)}")


def _smallest(values: Floats) -> float:
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    return float(sizes.min()) if len(sizes) else math.inf


def _scaled(values: Floats, quantum: float | None, *, outwards: bool = False) -> Ints | list[Any]:
    """Counts of ``quantum``; a list where one is missing, or where there is no quantum."""
    if quantum is None:
        return [float(f"{v:.6g}") if math.isfinite(v) else None for v in values.tolist()]
    known = np.isfinite(values)
    exact = np.where(known, values, 0.0) / quantum
    # A reach of 2 that was written as 2.0000001 is still 2.
    counts = (np.ceil(exact - 1e-6) if outwards else np.rint(exact)).astype(np.int64)
    if known.all():
        return counts
    return [c if k else None for c, k in zip(counts.tolist(), known.tolist(), strict=True)]


def _about_middle(counts: Ints | list[Any]) -> tuple[int, Ints | list[Any]]:
    """Whole numbers less one in their middle, which leaves fewer digits; others as they are."""
    if not isinstance(counts, np.ndarray) or not len(counts):
        return 0, counts
    middle = int(np.median(counts))
    return middle, counts - middle


def _changing(texts: Sequence[str], table: Table) -> list[tuple[int, int]]:
    """(position, number) of each text that differs from the one before."""
    made: list[tuple[int, int]] = []
    before: str | None = None
    for i, text in enumerate(texts):
        if text != before:
            made.append((i, table.number(text)))
            before = text
    return made


def _change(row: Mapping[str, Any], commits: Mapping[str, int]) -> list[Any]:
    figures = [float(f"{row[c]:.5g}") for c in ("before", "after", "ratio", "ratio_low", "ratio_high")]
    return [
        *(commits[row[c]] for c in ("last_before", "first_after", "earliest", "latest")),
        KINDS.index(row["kind"]),
        EFFECTS.index(row["effect"]),
        *(f if math.isfinite(f) else None for f in figures),
    ]
