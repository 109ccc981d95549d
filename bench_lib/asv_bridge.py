"""The only file that knows what asv_runner wants a benchmark to return.

Tested against asv 0.6.6 and asv_runner 0.3.2; ``tests/unit/test_asv_traps.py`` holds each
behaviour that is relied upon.
"""

from __future__ import annotations

from typing import TypedDict

from bench_lib.errors import RunFailedError, UsageError
from bench_lib.metrics import metric
from bench_lib.model import Run
from bench_lib.units import ASV_UNITS


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


def require(run: Run | None) -> None:
    """Skip the benchmark where ``run`` says that this machine cannot; to be called in ``setup``.

    asv knows a skip only by ``NotImplementedError`` out of ``setup``.
    """
    if run is not None and run.status == "skipped":
        raise NotImplementedError(run.reason)
