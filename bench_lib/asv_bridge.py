"""The only file that knows what asv_runner wants a benchmark to return.

Tested against asv 0.6.6 and asv_runner 0.3.2; ``tests/unit/test_asv_traps.py`` holds each
behaviour that is relied upon.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from bench_lib.errors import RunFailedError, UsageError
from bench_lib.files import write_whole
from bench_lib.metrics import metric
from bench_lib.model import ASV_BENCHMARK, ASV_MACHINE, ASV_PARAMS, Run
from bench_lib.results import records
from bench_lib.units import ASV_UNITS

#: Environment variable with the absolute results directory for records; empty stores none.
RESULTS_VARIABLE = "BENCH_LIB_RESULTS"
#: Environment variable with the machine that asv files results under.
MACHINE_VARIABLE = "BENCH_LIB_ASV_MACHINE"


class AsvSamples(TypedDict):
    """What a ``track_*`` method returns to get asv's median, interval and quartiles."""

    samples: list[float]
    number: int


def unit(metric_name: str) -> str:
    """asv's name for the metric's unit, which decides how asv scales and prints it.

    Raises
    ------
    UsageError
        The metric is not one that asv may judge: asv calls every step up a regression.
    """
    m = metric(metric_name)
    if m.better != "lower":
        raise UsageError.of(
            "metric for asv",
            found=f"{metric_name} ({m.better} is better)",
            expected="a metric where lower is better",
            hint="Derive the others when presenting.",
        )
    return ASV_UNITS.get(m.unit, m.unit)


def describe_metrics(*classes: type, version: str) -> None:
    """Give each ``track_<metric>`` method of ``classes`` its metric's unit, and a version for asv."""
    for each in classes:
        for name, method in vars(each).items():
            if name.startswith("track_"):
                metric_name = name.removeprefix("track_")
                method.unit = unit(metric_name)
                method.version = f"{metric_name}-{version}"


def track(run: Run, metric_name: str) -> AsvSamples:
    """Samples of a run's group measurement, for a ``track_*`` benchmark to return.

    Raises
    ------
    RunFailedError
        The run has no result: asv then stores ``null`` (failed) and prints the reason.
    NotImplementedError
        The run was skipped.
    """
    if run.status == "skipped":
        raise NotImplementedError(run.reason)
    measurement = run.measurement(metric_name)
    if run.status != "ok" or measurement is None:
        raise RunFailedError(run)
    return {"samples": list(measurement.samples), "number": 1}


def track_known(run: Run, metric_name: str) -> AsvSamples | float:
    """Like :func:`track`, for a metric that a good run may lack: then NaN, by which asv knows a skip."""
    if run.status == "ok" and run.measurement(metric_name) is None:
        return math.nan
    return track(run, metric_name)


def require(run: Run | None) -> None:
    """Skip the benchmark where ``run`` says that this machine cannot; to be called in ``setup``.

    asv knows a skip only by ``NotImplementedError`` out of ``setup``.
    """
    if run is not None and run.status == "skipped":
        raise NotImplementedError(run.reason)


def checkout_root() -> Path:
    """Folder that holds asv's configuration; the working directory outside asv."""
    return Path(os.environ.get("ASV_CONF_DIR") or Path.cwd())


def once(
    cache: str, params: Mapping[str, str | int], measure: Callable[[], Run], *, benchmark: str = ""
) -> Run:
    """The run for ``params``: measured by the first caller, the same for all others.

    asv calls each method of a class in a process of its own, and a launch is dear, so one launch serves every
    metric of a parameter set. The first caller also stores the record where
    :data:`RESULTS_VARIABLE` says.

    Parameters
    ----------
    cache
        Folder that lives as long as asv's run in one environment: what ``setup_cache`` returns.
    params
        Parameters of the benchmark; they identify the run.
    measure
        Makes the run.
    benchmark
        asv's name of the class, where the record has another or other parameters: the record then says under
        which name, parameters and machine asv files the same run.
    """
    return once_of(cache, params, lambda: (measure(),), benchmark=benchmark)


def once_of(
    cache: str, params: Mapping[str, str | int], measure: Callable[[], Sequence[Run]], *, benchmark: str = ""
) -> Run:
    """As :func:`once`, where one launch gives the runs of several parameter sets.

    ``measure`` makes them all, each with its own parameters in :attr:`~bench_lib.model.Run.params`; the
    one of ``params`` is returned, or the only one.
    """
    path = _path(cache, params)
    if path.is_file():
        return records.read(path)
    session = Path(cache) / "session"
    if not session.is_file():
        write_whole(session, uuid.uuid4().hex[:12])
    name = session.read_text(encoding="ascii")
    made = list(measure())
    results = os.environ.get(RESULTS_VARIABLE)
    for run in made:
        # A single run is of the parameters asked for, by whatever names it tells them.
        own = params if len(made) == 1 else run.params
        filed = _filed(dataclasses.replace(run, session=name), benchmark, own)
        if results:
            records.write(filed, Path(results))
        write_whole(_path(cache, own), records.to_json(filed))
    return records.read(path)


def _filed(run: Run, benchmark: str, params: Mapping[str, object]) -> Run:
    facts = {ASV_BENCHMARK: benchmark, ASV_PARAMS: json.dumps(dict(params))} if benchmark else {}
    if machine := os.environ.get(MACHINE_VARIABLE):
        facts[ASV_MACHINE] = machine
    return dataclasses.replace(run, details={**run.details, **facts})


def _path(cache: str, params: Mapping[str, object]) -> Path:
    digest = hashlib.sha256(json.dumps(sorted(params.items())).encode()).hexdigest()[:16]
    return Path(cache) / f"{digest}{records.SUFFIX}"
