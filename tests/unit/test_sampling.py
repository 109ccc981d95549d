"""The timing loop, against a scripted clock: no test waits for time to pass."""

from __future__ import annotations

import pytest

from bench_lib.clocks import HostClock
from bench_lib.errors import UsageError
from bench_lib.sampling import Plan, collect


class ScriptedClock:
    """Time that passes only where the test says so."""

    name = "scripted"

    def __init__(self) -> None:
        self.now = 0.0
        self.log: list[str] = []

    def mark(self) -> float:
        self.log.append("mark")
        return self.now

    def elapsed_s(self, start: float, end: float) -> float:
        self.log.append("elapsed")
        return end - start


def test_warmup_is_run_and_not_kept() -> None:
    clock = ScriptedClock()
    durations = [9.0, 9.0, 1.0, 2.0, 3.0]
    calls: list[int] = []

    def body(index: int) -> None:
        calls.append(index)
        clock.now += durations[index]

    samples = collect(body, clock=clock, plan=Plan(num_samples=3, num_warmup=2))
    assert samples == (1.0, 2.0, 3.0)
    assert calls == [0, 1, 2, 3, 4]


def test_a_sample_averages_over_its_iterations() -> None:
    clock = ScriptedClock()

    def body(index: int) -> None:
        clock.now += index

    # Iterations 0 to 3 take 0, 1, 2, 3: two samples of two.
    assert collect(body, clock=clock, plan=Plan(num_samples=2, num_warmup=0, number=2)) == (0.5, 2.5)


def test_elapsed_times_are_read_after_the_last_sample() -> None:
    clock = ScriptedClock()
    collect(lambda index: None, clock=clock, plan=Plan(num_samples=3, num_warmup=0))
    assert clock.log == ["mark"] * 6 + ["elapsed"] * 3


def test_the_hook_runs_once_between_warmup_and_samples() -> None:
    events: list[str] = []
    collect(
        lambda index: events.append(f"body {index}"),
        clock=ScriptedClock(),
        plan=Plan(num_samples=1, num_warmup=2),
        before_samples=lambda: events.append("hook"),
    )
    assert events == ["body 0", "body 1", "hook", "body 2"]


def test_an_error_in_the_body_is_not_swallowed() -> None:
    def body(index: int) -> None:
        raise RuntimeError("planted")

    with pytest.raises(RuntimeError, match="planted"):
        collect(body, clock=ScriptedClock(), plan=Plan(num_samples=1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_samples": 0}, "num_samples: found 0, expected a whole number from 1 up"),
        ({"num_samples": 1, "num_warmup": -1}, "num_warmup: found -1"),
        ({"num_samples": 1, "number": 0}, "number: found 0"),
    ],
)
def test_plans_that_measure_nothing_are_refused(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Plan(**arguments)


def test_the_host_clock_is_monotonic_and_in_seconds() -> None:
    clock = HostClock()
    start = clock.mark()
    assert clock.elapsed_s(start, clock.mark()) >= 0
    assert clock.elapsed_s(1.25, 3.5) == 2.25
