"""Warm-up, samples, and nothing else: the one loop that times a body of work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from bench_lib.clocks import Clock
from bench_lib.errors import UsageError

MarkT = TypeVar("MarkT")


@dataclass(frozen=True)
class Plan:
    """How many iterations to run.

    Parameters
    ----------
    num_samples
        Samples to keep; at least 1.
    num_warmup
        Iterations before the first sample; their times are not kept.
    number
        Iterations that one sample averages over; more than 1 for bodies near the clock's resolution.
    """

    num_samples: int
    num_warmup: int = 1
    number: int = 1

    def __post_init__(self) -> None:
        for name, least in (("num_samples", 1), ("num_warmup", 0), ("number", 1)):
            value = getattr(self, name)
            if value < least:
                raise UsageError.of(name, found=value, expected=f"a whole number from {least} up")


def collect(
    body: Callable[[int], object],
    *,
    clock: Clock[MarkT],
    plan: Plan,
    before_samples: Callable[[], object] = lambda: None,
) -> tuple[float, ...]:
    """Time ``body`` and return the samples in seconds an iteration.

    Parameters
    ----------
    body
        The work; it is given the iteration's index, warm-up included, from 0.
    clock
        Read once before and once after each sample.
    plan
        Numbers of iterations.
    before_samples
        Called once between warm-up and the first sample; for resetting peak counters.

    Notes
    -----
    Elapsed times are read after the last sample, so that a clock which waits for the device
    does not drain its queue between samples.
    """
    for index in range(plan.num_warmup):
        body(index)
    before_samples()
    marks: list[tuple[MarkT, MarkT]] = []
    index = plan.num_warmup
    for _ in range(plan.num_samples):
        start = clock.mark()
        for _ in range(plan.number):
            body(index)
            index += 1
        marks.append((start, clock.mark()))
    return tuple(clock.elapsed_s(start, end) / plan.number for start, end in marks)
