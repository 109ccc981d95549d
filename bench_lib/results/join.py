"""Our records beside asv's cells: one row a measurement, with the reason where there is none.

A run that asv started is in both. asv's row keeps its value and interval, and takes from the record
the status, the reason, the origin and the device, which asv cannot store. What only a record holds becomes
a row of its own, named as asv would name it (``<benchmark>.track_<metric>``), so that it belongs to one
series with what asv measured.

asv writes one value for a skip and for parameters that nobody asked for. Where its run kept records, a skip
has one: a row without a value and without a record was not asked for, and goes.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from bench_lib import stats
from bench_lib.metrics import METRICS
from bench_lib.model import ASV_BENCHMARK, ASV_MACHINE, ASV_PARAMS, Measurement, Run
from bench_lib.results.asv_index import Benchmark, describe

Pairs = tuple[tuple[str, str], ...]


def join(
    frame: pd.DataFrame,
    runs: Sequence[Run],
    *,
    benchmarks: dict[str, Benchmark],
    parameters: dict[str, Pairs],
    samples: bool,
) -> pd.DataFrame:
    """``frame`` with ``runs`` in it; ``benchmarks`` and ``parameters`` learn the new names."""
    if not runs:
        return frame
    ours = {_benchmark(run) for run in runs}
    names = [n for n in frame["benchmark"].cat.categories if n.rpartition(".track_")[0] in ours]
    rows = np.flatnonzero(frame["benchmark"].isin(names).to_numpy()) if names else np.array([], dtype=int)
    at: dict[Any, list[int]] = defaultdict(list)
    keys = frame.iloc[rows][["benchmark", "parameters", "commit", "machine"]].astype(object)
    for row, key in zip(rows, keys.itertuples(index=False, name=None), strict=True):
        name, text, commit, machine = key
        at[name.rpartition(".track_")[0], frozenset(parameters[text]), commit, machine].append(int(row))
    # asv knows in which order a benchmark takes its parameters, and a commit's own date.
    orders = {n.rpartition(".track_")[0]: about.param_names for n, about in benchmarks.items()}
    dates = dict(frame[["commit", "date"]].drop_duplicates("commit").itertuples(index=False, name=None))
    environments = frame["environment"]
    has_value = frame["value"].notna().to_numpy()
    is_skip = (frame["status"] == "skipped").to_numpy()
    changes: dict[int, tuple[str, str, str, str]] = {}
    added: list[dict[str, Any]] = []
    for run in sorted(runs, key=lambda r: r.environment.started):
        pairs = _pairs(run)
        matched = [
            row
            for row in at.get((_benchmark(run), frozenset(pairs), _commit(run), _machine(run)), ())
            # A launch that failed is not the one whose value asv holds, and the other way round.
            if _same_environment(str(environments.iloc[row]), run) and has_value[row] == (run.status == "ok")
        ]
        for row in matched:
            changes[row] = (run.status, run.reason, run.origin, run.hardware)
        taken = {str(frame["benchmark"].iloc[row]).rpartition(".track_")[2] for row in matched}
        environment = str(environments.iloc[matched[0]]) if matched else _environment(run)
        added += [
            row | {"environment": environment}
            for row in _rows(
                run,
                pairs,
                taken=taken,
                benchmarks=benchmarks,
                parameters=parameters,
                orders=orders,
                dates=dates,
            )
        ]
    kept: dict[tuple[str, str, str], list[Run]] = defaultdict(list)
    for run in runs:
        if ASV_MACHINE in run.details:
            kept[_benchmark(run), _commit(run), _machine(run)].append(run)
    not_asked = [
        row
        for (benchmark, _, commit, machine), found in at.items()
        for row in found
        if is_skip[row]
        and row not in changes
        and any(_same_environment(str(environments.iloc[row]), r) for r in kept[benchmark, commit, machine])
    ]
    frame = _with_changes(frame, changes)
    if not_asked:
        frame = frame.drop(index=frame.index[not_asked]).reset_index(drop=True)
    return _with_rows(frame, added, samples=samples)


def _benchmark(run: Run) -> str:
    name = run.details.get(ASV_BENCHMARK)
    return name if isinstance(name, str) and name else run.benchmark


def _machine(run: Run) -> str:
    name = run.details.get(ASV_MACHINE)
    return name if isinstance(name, str) and name else run.hardware


def _pairs(run: Run) -> Pairs:
    params: Any = run.params
    text = run.details.get(ASV_PARAMS)
    if isinstance(text, str):
        try:
            params = json.loads(text)
        except ValueError:
            params = None
        # A record is not trusted: anything but a flat object is as if it were not there.
        if not isinstance(params, dict) or any(isinstance(v, dict | list) for v in params.values()):
            params = run.params
    return tuple((str(name), repr(value)) for name, value in params.items())


def _commit(run: Run) -> str:
    # Measured with other files than the commit's: never a point of that commit's series.
    return (run.environment.commit or "") + ("+changes" if run.environment.dirty else "")


def _date(run: Run) -> Any:
    text = run.environment.commit_time or run.environment.started
    return pd.to_datetime(text, utc=True, errors="coerce")


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _public(version: str) -> str:
    return version.partition("+")[0]


def _environment(run: Run) -> str:
    if run.origin == "imported":
        # A build of another tool is what a Python version is of ours.
        build = run.details.get("build_number") or run.details.get("clpeak_version") or ""
        return f"{run.benchmark}-{build}".rstrip("-")
    name = f"py{_minor(run.environment.python)}"
    return name + (f"-torch{_public(run.environment.torch)}" if run.environment.torch else "")


def _same_environment(name: str, run: Run) -> bool:
    parts = name.split("-")
    torch = [p.removeprefix("torch") for p in parts if p.startswith("torch")]
    same_torch = not torch or not run.environment.torch or torch[0] in ("", _public(run.environment.torch))
    return f"py{_minor(run.environment.python)}" in parts and same_torch


def _rows(
    run: Run,
    pairs: Pairs,
    *,
    taken: set[str],
    benchmarks: dict[str, Benchmark],
    parameters: dict[str, Pairs],
    orders: dict[str, tuple[str, ...]],
    dates: dict[str, pd.Timestamp],
) -> Iterable[dict[str, Any]]:
    """A row for each of the group's measurements that asv does not have; for a run without any, one."""
    measured = [m for m in run.measurements if m.rank is None and m.metric not in taken]
    if not measured and (run.status == "ok" or taken):
        return
    commit = _commit(run)
    each: Sequence[Measurement | None] = measured or [None]
    for measurement in each:
        metric = measurement.metric if measurement else ""
        benchmark = _benchmark(run)
        name = f"{benchmark}.track_{metric}" if metric else benchmark
        benchmarks.setdefault(name, describe(name))
        ordered = _in_order(pairs, orders.get(benchmark, ()))
        text = ", ".join(f"{n}={v}" for n, v in ordered)
        parameters[text] = ordered
        yield {
            "benchmark": name,
            "parameters": text,
            "metric": metric,
            "commit": commit,
            "date": dates[commit] if commit in dates else _date(run),
            "machine": run.hardware,
            **_figures(measurement),
            "unit": METRICS[metric].unit if metric in METRICS else "",
            "version": f"{metric}-{run.version}" if metric else run.version,
            "status": run.status,
            "reason": run.reason,
            "origin": run.origin,
        }


def _in_order(pairs: Pairs, names: Sequence[str]) -> Pairs:
    by_name = dict(pairs)
    known = [n for n in names if n in by_name]
    return tuple((n, by_name[n]) for n in [*known, *(n for n in by_name if n not in known)])


def _figures(measurement: Measurement | None) -> dict[str, Any]:
    finite = bool(measurement and measurement.samples) and all(map(math.isfinite, measurement.samples))  # type: ignore[union-attr]
    if measurement is None or not finite:
        return {"value": math.nan, "low": math.nan, "high": math.nan, "num_samples": 0, "samples": None}
    summary = stats.summarize(measurement.samples)
    return {
        "value": summary.median,
        "low": summary.low,
        "high": summary.high,
        "num_samples": summary.num_samples,
        "samples": np.array(measurement.samples),
    }


def _with_changes(frame: pd.DataFrame, changes: dict[int, tuple[str, str, str, str]]) -> pd.DataFrame:
    if not changes:
        return frame
    rows = list(changes)
    for place, column in enumerate(("status", "reason", "origin", "machine")):
        texts = frame[column].astype(object)
        texts.iloc[rows] = [change[place] for change in changes.values()]
        frame[column] = pd.Categorical(texts, categories=pd.Index(sorted(set(texts)), dtype="str"))
    return frame


def _with_rows(frame: pd.DataFrame, added: list[dict[str, Any]], *, samples: bool) -> pd.DataFrame:
    if not added:
        return frame
    extra = pd.DataFrame(added)[[c for c in (*frame.columns, "samples") if c != "samples" or samples]]
    extra = extra.loc[:, ~extra.columns.duplicated()][list(frame.columns)]
    merged: dict[str, Any] = {}
    for column in frame.columns:
        old, new = frame[column], extra[column]
        if isinstance(old.dtype, pd.CategoricalDtype):
            categories = pd.Index(sorted(set(old.cat.categories) | set(new)), dtype="str")
            pieces = [old.cat.set_categories(categories), pd.Categorical(new, categories=categories)]
            codes = np.concatenate([pd.Series(piece).cat.codes for piece in pieces])
            merged[column] = pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(categories))
        else:
            merged[column] = pd.concat([old, new.astype(old.dtype)], ignore_index=True)
    return pd.DataFrame(merged, copy=False)
