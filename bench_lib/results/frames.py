"""Everything below a results directory as one pandas frame: asv's cells, with our records joined."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench_lib.errors import DamagedFileError, UsageError
from bench_lib.results import records
from bench_lib.results.asv_cells import STATUSES
from bench_lib.results.asv_index import Benchmark, describe, read_benchmarks, read_machines
from bench_lib.results.change_rules import ChangeRules, read_rules
from bench_lib.results.join import join
from bench_lib.results.store import Store, read_store

#: Columns of the frame, in order. Text columns are categorical.
COLUMNS: Final = (
    "benchmark",
    "parameters",
    "metric",
    "commit",
    "date",
    "machine",
    "environment",
    "value",
    "low",
    "high",
    "num_samples",
    "samples",
    "unit",
    "version",
    "status",
    "reason",
    "origin",
)
#: What identifies a series: values over commits that may be compared with each other.
SERIES: Final = ("benchmark", "parameters", "machine", "environment")
#: Reason of a row without a value that no record explains.
NO_REASON: Final = "asv keeps no reason"
#: Of each of ``STATUSES``.
_REASONS: Final = ("", *[NO_REASON] * 3, "the value is no number")


@dataclass(frozen=True)
class Results:
    """What was read.

    Parameters
    ----------
    frame
        One row a value. ``benchmark``, ``parameters`` (``name=value, ...``), ``metric``, ``commit``,
        ``date`` (of the commit, UTC), ``machine``, ``environment``; ``value`` with its 99 % interval
        ``low`` to ``high``, in ``unit``; ``num_samples`` and ``samples``; ``version`` of the
        benchmark; ``status``, and its ``reason`` where there is no value; ``origin``.
    benchmarks
        What is known of each benchmark in the frame.
    parameters
        The text in the frame's column ``parameters`` → its (name, value) pairs.
    machines
        Facts of each machine that has a machine.json.
    damaged
        An error for each file that could not be read.
    notes
        Other things a reader should know, such as a machine without machine.json.
    num_parsed
        Results files that were parsed; the others came from the cache.
    unmeasured
        Benchmarks that asv's index names and that have no row.
    rules
        What asv.conf.json says of steps in series.
    """

    frame: pd.DataFrame
    benchmarks: dict[str, Benchmark]
    parameters: dict[str, tuple[tuple[str, str], ...]]
    machines: dict[str, dict[str, str]]
    damaged: tuple[DamagedFileError, ...]
    notes: tuple[str, ...]
    num_parsed: int
    unmeasured: tuple[str, ...] = ()
    rules: ChangeRules = field(default_factory=ChangeRules)


def results_dir_of(directory: Path) -> Path:
    """``directory``, or the folder ``results`` in it where only that one looks like asv's results.

    Raises
    ------
    UsageError
        It is no folder, or one that may not be entered.
    """
    if not directory.is_dir():
        raise UsageError.of("results directory", found=str(directory), expected="a folder with results")
    if not os.access(directory, os.R_OK | os.X_OK):
        raise UsageError.of("results directory", found=str(directory), expected="a folder that may be read")
    inner = directory / "results"
    looks_right = (directory / "benchmarks.json").is_file() or any(directory.glob("*/machine.json"))
    if not looks_right and inner.is_dir() and not (directory / records.DIRECTORY).is_dir():
        return inner
    return directory


def read_results(directory: Path, *, samples: bool, cache: bool) -> Results:
    """Implementation of :func:`bench_lib.results.read`."""
    results_dir = results_dir_of(directory)
    damaged: list[DamagedFileError] = []
    index = read_benchmarks(results_dir, damaged)
    machines = read_machines(results_dir, damaged)
    store = read_store(results_dir, cache=cache)
    notes = list(store.notes)
    unknown = sorted({f.machine for f in store.files} - set(machines))
    notes += [f"Machine {name!r} has results and no machine.json: its parts are unknown." for name in unknown]
    frame, benchmarks, parameters = _frame(store, index, samples=samples)
    loaded = records.load(results_dir)
    frame = join(frame, loaded.runs, benchmarks=benchmarks, parameters=parameters, samples=samples)
    rules = read_rules(results_dir, commits=frame["commit"].cat.categories.tolist(), notes=notes)
    return Results(
        frame=frame,
        benchmarks=benchmarks,
        parameters=parameters,
        machines=machines,
        damaged=(*damaged, *store.damaged, *loaded.damaged),
        notes=tuple(notes),
        num_parsed=store.num_parsed,
        unmeasured=tuple(sorted(set(index) - set(benchmarks))),
        rules=rules,
    )


def categorical(codes: NDArray[Any], texts: Sequence[str]) -> pd.Categorical:
    """Codes into ``texts`` (which may repeat) as a categorical: categories sorted, unused ones left out."""
    used = np.zeros(len(texts) + 1, dtype=bool)
    used[codes] = True
    used = used[:-1]
    categories = sorted({text for text, is_used in zip(texts, used, strict=True) if is_used})
    place = {text: i for i, text in enumerate(categories)}
    small = np.min_scalar_type(-max(len(categories), 1))
    # A code of -1 is a missing value; it takes the last entry.
    remap = np.array([*(place.get(text, -1) for text in texts), -1], dtype=small)
    # An explicit dtype: without one, pandas converts lists of text by way of pyarrow, slowly.
    dtype = pd.CategoricalDtype(pd.Index(categories, dtype="str"))
    return pd.Categorical.from_codes(remap[codes], dtype=dtype)


def _constant(text: str, length: int) -> pd.Categorical:
    return categorical(np.zeros(length, dtype=np.int8), [text])


def _frame(
    store: Store, index: dict[str, Benchmark], *, samples: bool
) -> tuple[pd.DataFrame, dict[str, Benchmark], dict[str, tuple[tuple[str, str], ...]]]:
    cells = store.cells
    length = len(cells)
    benchmarks: dict[str, Benchmark] = {}
    parameters: dict[str, tuple[tuple[str, str], ...]] = {}
    names: list[str] = []
    texts: list[str] = []
    used = np.zeros(len(store.combinations), dtype=bool)
    used[cells.combination] = True
    for combination, is_used in zip(store.combinations, used, strict=True):
        name, *values = json.loads(combination)
        names.append(name)
        if not is_used:
            texts.append("")
            continue
        if name not in benchmarks:
            benchmarks[name] = index.get(name) or describe(name)
        pairs = benchmarks[name].parameters(values)
        text = parameters_text(pairs)
        parameters[text] = pairs
        texts.append(text)
    counts = np.array([f.num_cells for f in store.files], dtype=np.int64)

    def of_file(get: Callable[[Any], str]) -> pd.Categorical:
        per_file = [get(f) for f in store.files]
        return categorical(np.repeat(np.arange(len(per_file), dtype=np.int32), counts), per_file)

    def of_benchmark(get: Callable[[Benchmark], str]) -> pd.Categorical:
        known = [get(benchmarks[name]) if name in benchmarks else "" for name in names]
        return categorical(cells.combination, known)

    dates = np.array(
        [np.datetime64("NaT") if f.date_ms is None else f.date_ms for f in store.files], "M8[ms]"
    )
    frame = pd.DataFrame(
        {
            "benchmark": categorical(cells.combination, names),
            "parameters": categorical(cells.combination, texts),
            "metric": of_benchmark(lambda b: b.metric),
            "commit": of_file(lambda f: f.commit),
            "date": pd.DatetimeIndex(np.repeat(dates, counts)).tz_localize("UTC"),
            "machine": of_file(lambda f: f.machine),
            "environment": of_file(lambda f: f.environment),
            "value": cells.value,
            "low": cells.low,
            "high": cells.high,
            "num_samples": cells.num_samples,
            "samples": _samples(store) if samples else pd.Series([None] * length, dtype=object),
            "unit": of_benchmark(lambda b: b.unit),
            "version": categorical(cells.version, store.versions),
            "status": categorical(cells.status, STATUSES),
            "reason": categorical(cells.status, _REASONS),
            "origin": _constant("measured", length),
        },
        copy=False,
    )
    if not samples:
        del frame["samples"]
    return frame, benchmarks, parameters


def parameters_text(pairs: Sequence[tuple[str, str]]) -> str:
    """(name, value) pairs as the frame shows them."""
    return ", ".join(f"{name}={value}" for name, value in pairs)


def _samples(store: Store) -> NDArray[Any]:
    cells = store.cells
    column = np.full(len(cells), None, dtype=object)
    filled = np.flatnonzero(cells.sample_counts)
    ends = np.cumsum(cells.sample_counts[filled], dtype=np.int64)
    for row, part in zip(filled, np.split(cells.samples, ends[:-1]), strict=True) if len(filled) else ():
        column[row] = part
    return column
