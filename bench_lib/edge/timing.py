"""Samples of device time: how many runs a submission, warm and cold, and which clock to believe."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench_lib.edge.runtime import Batch, BatchTiming, Command, Device
from bench_lib.errors import UsageError

#: Below this share of the host's time the device's clock tells nothing: the host's is taken.
MIN_DEVICE_SHARE: Final = 0.01
#: A device that worked longer than the host waited for it contradicts itself; this much is reading error.
_CONTRADICTION: Final = 1.05
_FEWEST_SAMPLES: Final = 5

HOST_CLOCK: Final = "host"


@dataclass(frozen=True)
class TimingPlan:
    """How long to measure.

    Parameters
    ----------
    num_samples
        Samples of each series, where the time allows.
    sample_s
        Least time of one sample: short runs are repeated in one submission until it lasts that long.
    series_s
        Time that a series may take; long runs get fewer samples, at least five.
    max_count
        Most runs in one submission.
    cool_down_s
        Idle time before each series.
    """

    num_samples: int = 20
    sample_s: float = 0.01
    series_s: float = 10.0
    max_count: int = 1000
    cool_down_s: float = 0.0

    def __post_init__(self) -> None:
        for name, least in (("num_samples", 1), ("sample_s", 0), ("series_s", 0), ("max_count", 1)):
            if not least <= getattr(self, name) < math.inf:
                raise UsageError.of(name, found=getattr(self, name), expected=f"a number from {least} up")
        if not 0 <= self.cool_down_s <= 3600:
            raise UsageError.of("cool_down_s", found=self.cool_down_s, expected="0 to 3600")


@dataclass(frozen=True)
class Series:
    """Samples in the order they were taken, in seconds a run.

    Parameters
    ----------
    clock
        Which clock gave ``samples``: the device's (``vulkan-timestamp``, ``metal-gpu``) or ``host``.
    count
        Runs that each sample averages over.
    cpu_samples
        Processor time of this process a run.
    submit_to_start
        Where the clocks can be related, else empty.
    round_trips
        Time that the host saw, a submission.
    discarded
        Samples whose timestamps contradict themselves.
    """

    samples: tuple[float, ...]
    clock: str
    count: int
    warmup: int
    discarded: int = 0
    cpu_samples: tuple[float, ...] = ()
    submit_to_start: tuple[float, ...] = ()
    round_trips: tuple[float, ...] = field(default=(), repr=False)


def device_clock(api: str) -> str:
    """Name of an API's device clock, as records have it."""
    return {"vulkan": "vulkan-timestamp", "metal": "metal-gpu"}[api]


def _is_believable(timing: BatchTiming) -> bool:
    return timing.device_s is not None and 0 < timing.device_s <= _CONTRADICTION * timing.round_trip_s


def to_series(timings: Sequence[BatchTiming], *, count: int, warmup: int, api: str) -> Series:
    """Samples of the device's clock, or of the host's where that one tells nothing.

    ``count`` is the number of runs in each submission.
    """
    good = [t for t in timings if _is_believable(t)]
    shares = [t.device_s / t.round_trip_s for t in good if t.device_s is not None]
    if 2 * len(good) > len(timings) and statistics.median(shares) >= MIN_DEVICE_SHARE:
        samples = [t.device_s for t in good if t.device_s is not None]
        clock, kept = device_clock(api), good
    else:
        kept = list(timings)
        samples, clock = [t.round_trip_s for t in kept], HOST_CLOCK
    starts = tuple(t.submit_to_start_s for t in kept if t.submit_to_start_s is not None)
    return Series(
        samples=tuple(s / count for s in samples),
        clock=clock,
        count=count,
        warmup=warmup,
        discarded=len(timings) - len(kept),
        cpu_samples=tuple(t.cpu_s / count for t in kept),
        submit_to_start=starts if len(starts) == len(kept) else (),
        round_trips=tuple(t.round_trip_s for t in kept),
    )


def runs_per_sample(run_s: float, plan: TimingPlan) -> int:
    """Runs in one submission so that a sample lasts ``plan.sample_s``."""
    return max(1, min(plan.max_count, math.ceil(plan.sample_s / run_s))) if run_s > 0 else plan.max_count


def samples_for(sample_s: float, plan: TimingPlan) -> int:
    """Samples that fit into ``plan.series_s``: at most those wanted, at least five of them."""
    fitting = int(plan.series_s / sample_s) if sample_s > 0 else plan.num_samples
    return max(min(_FEWEST_SAMPLES, plan.num_samples), min(plan.num_samples, fitting))


def estimate_run_s(device: Device, commands: Sequence[Command], *, timeout_s: float) -> float:
    """Seconds of one run: the second submission's, as the first compiles and touches memory first."""
    batch = device.batch(commands)
    batch.run(timeout_s=timeout_s)
    timing = batch.run(timeout_s=timeout_s)
    batch.close()
    return timing.device_s if _is_believable(timing) and timing.device_s else timing.round_trip_s


def measure_series(
    device: Device,
    sets: Sequence[Sequence[Command]],
    *,
    run_s: float,
    plan: TimingPlan,
    timeout_s: float,
    idle: Callable[[float], object] = time.sleep,
) -> Series:
    """Times of the op when it goes round ``sets``: one for warm caches, as many as pass the cache for cold.

    Parameters
    ----------
    run_s
        Estimate of one run, which decides how many a submission holds.
    idle
        Waits; for the cool-down before the series.
    """
    per_run = len(sets[0])
    count = runs_per_sample(run_s, plan)
    # Whole turns: a part of one would leave the last sets out, and the first ones in the cache.
    turns = -(-count // len(sets))
    count = turns * len(sets)
    commands = [command for commands in sets for command in commands]
    batch = device.batch(commands, count=count * per_run)
    try:
        if plan.cool_down_s:
            idle(plan.cool_down_s)
        return sample_batch(
            batch,
            runs=count,
            num_samples=samples_for(run_s * count, plan),
            api=device.facts.api,
            timeout_s=timeout_s,
        )
    finally:
        batch.close()


def sample_batch(
    batch: Batch, *, runs: int, num_samples: int, api: str, timeout_s: float, warmup: int = 1
) -> Series:
    """Submit ``batch``, which holds ``runs`` runs, ``warmup`` times and then once a sample."""
    for _ in range(warmup):
        batch.run(timeout_s=timeout_s)
    timings = [batch.run(timeout_s=timeout_s) for _ in range(num_samples)]
    return to_series(timings, count=runs, warmup=warmup * runs, api=api)
