"""Samples, clocks, rotation and drift, with numbers worked by hand and a scripted device."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bench_lib.edge.caches import MAX_SETS, cpu_cache_bytes, plan_rotation
from bench_lib.edge.drift import find_drift
from bench_lib.edge.runtime import BatchTiming, Copy
from bench_lib.edge.timing import (
    TimingPlan,
    estimate_run_s,
    measure_series,
    runs_per_sample,
    samples_for,
    to_series,
)
from bench_lib.edge.vulkan.batch import device_seconds, seconds_until
from bench_lib.errors import UsageError


def timing(device_s: float | None, round_trip_s: float, start_s: float | None = None) -> BatchTiming:
    return BatchTiming(round_trip_s=round_trip_s, device_s=device_s, submit_to_start_s=start_s, cpu_s=0.4)


def test_the_device_clock_is_taken_and_divided_by_the_runs() -> None:
    found = to_series([timing(0.2, 0.3, 0.01), timing(0.4, 0.5, 0.02)], count=4, warmup=4, api="vulkan")
    assert found.samples == (0.05, 0.1)
    assert (found.clock, found.discarded) == ("vulkan-timestamp", 0)
    assert found.cpu_samples == (0.1, 0.1)
    assert found.submit_to_start == (0.01, 0.02)
    assert found.round_trips == (0.3, 0.5)


def test_below_one_percent_of_the_hosts_time_the_host_clock_is_taken() -> None:
    found = to_series([timing(0.0009, 0.1)] * 3, count=1, warmup=0, api="vulkan")
    assert (found.clock, found.samples) == ("host", (0.1, 0.1, 0.1))
    found = to_series([timing(0.0011, 0.1)] * 3, count=1, warmup=0, api="vulkan")
    assert (found.clock, found.samples) == ("vulkan-timestamp", (0.0011,) * 3)


def test_samples_that_contradict_themselves_are_discarded_and_counted() -> None:
    # A device cannot work longer than the host waited, nor for no time.
    timings = [timing(0.2, 0.3), timing(0.9, 0.3), timing(None, 0.3), timing(0.25, 0.3)]
    timings += [timing(0.2, 0.3)]
    found = to_series(timings, count=1, warmup=0, api="metal")
    assert (found.samples, found.discarded, found.clock) == ((0.2, 0.25, 0.2), 2, "metal-gpu")


def test_without_timestamps_no_sample_is_lost() -> None:
    found = to_series([timing(None, 0.3)] * 5, count=3, warmup=0, api="vulkan")
    assert found.samples == pytest.approx((0.1,) * 5)
    assert (found.clock, found.discarded, found.submit_to_start) == ("host", 0, ())


def test_timestamps_wrap_at_their_valid_bits() -> None:
    assert device_seconds(10, 110, bits=64, period_s=1e-9) == pytest.approx(100e-9)
    # 36 bits: from 2^36 - 10 to 30 are 40 ticks of 52 ns.
    assert device_seconds(2**36 - 10, 30, bits=36, period_s=52e-9) == pytest.approx(40 * 52e-9)
    assert device_seconds(110, 10, bits=64, period_s=1e-9) is None
    assert device_seconds(10, 10, bits=64, period_s=1e-9) is None


def test_an_instant_of_the_device_is_placed_on_the_hosts_clock() -> None:
    # Both clocks were read at host 1,000 ns; the submission is at 1,200; the start 5 ticks of 100 ns later.
    found = seconds_until(505, calibrated=(500, 1000), host_ns=1200, bits=64, period_s=100e-9)
    assert found == pytest.approx(300e-9)
    wrapped = seconds_until(3, calibrated=(2**36 - 2, 1000), host_ns=1200, bits=36, period_s=100e-9)
    assert wrapped == pytest.approx(300e-9)
    before = seconds_until(499, calibrated=(500, 1000), host_ns=1000, bits=64, period_s=100e-9)
    assert before == pytest.approx(-100e-9)


def test_short_runs_are_repeated_and_long_ones_get_fewer_samples() -> None:
    plan = TimingPlan(num_samples=20, sample_s=0.01, series_s=2.0, max_count=1000)
    assert runs_per_sample(0.004, plan) == 3
    assert runs_per_sample(1e-6, plan) == 1000
    assert runs_per_sample(5.0, plan) == 1
    assert samples_for(0.01, plan) == 20
    assert samples_for(0.2, plan) == 10
    assert samples_for(5.0, plan) == 5
    assert samples_for(5.0, TimingPlan(num_samples=3)) == 3


@pytest.mark.parametrize(
    "values",
    [{"num_samples": 0}, {"max_count": 0}, {"sample_s": -1.0}, {"cool_down_s": -1.0}, {"cool_down_s": 1e9}],
)
def test_plans_that_cannot_be_followed_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        TimingPlan(**values)


class ScriptedBatch:
    def __init__(self, count: int, timings: list[BatchTiming]) -> None:
        self.count, self._timings, self.num_runs, self.closed = count, timings, 0, False

    def run(self, *, timeout_s: float) -> BatchTiming:
        self.num_runs += 1
        return self._timings[min(self.num_runs, len(self._timings)) - 1]

    def close(self) -> None:
        self.closed = True


class ScriptedDevice:
    """Records what it is asked to record."""

    facts = SimpleNamespace(api="vulkan")

    def __init__(self, timings: list[BatchTiming]) -> None:
        self._timings = timings
        self.batches: list[tuple[list[Any], ScriptedBatch]] = []

    def batch(self, commands: Sequence[Any], *, count: int | None = None) -> ScriptedBatch:
        made = ScriptedBatch(len(commands) if count is None else count, self._timings)
        self.batches.append((list(commands), made))
        return made


def command(name: str) -> Copy:
    return Copy(name, name, 1)  # type: ignore[arg-type]


def test_a_cold_series_goes_round_all_sets_in_whole_turns() -> None:
    device: Any = ScriptedDevice([timing(0.5, 0.6)])
    sets = [[command(f"{s}{p}") for p in range(2)] for s in range(3)]
    plan = TimingPlan(num_samples=2, sample_s=0.004, series_s=100)
    found = measure_series(device, sets, run_s=0.001, plan=plan, timeout_s=1)
    ((commands, batch),) = device.batches
    assert [c.source for c in commands] == ["00", "01", "10", "11", "20", "21"]
    # 4 ms of 1 ms runs would be 4; in whole turns of 3 sets that is 6 runs of 2 dispatches.
    assert (found.count, batch.count) == (6, 12)
    assert found.samples == pytest.approx((0.5 / 6,) * 2)
    assert (batch.num_runs, found.warmup, batch.closed) == (3, 6, True)


def test_the_device_idles_before_a_series_only_where_that_is_asked_for() -> None:
    idle: list[float] = []
    device: Any = ScriptedDevice([timing(0.5, 0.6)])
    for cool_down_s in (0.0, 7.5):
        plan = TimingPlan(num_samples=1, cool_down_s=cool_down_s)
        measure_series(device, [[command("a")]], run_s=1.0, plan=plan, timeout_s=1, idle=idle.append)
    assert idle == [7.5]


def test_a_run_is_estimated_without_the_first() -> None:
    device: Any = ScriptedDevice([timing(9.0, 10.0), timing(0.5, 0.6)])
    assert estimate_run_s(device, [command("a")], timeout_s=1) == 0.5
    device = ScriptedDevice([timing(9.0, 10.0), timing(None, 0.6)])
    assert estimate_run_s(device, [command("a")], timeout_s=1) == 0.6


def test_rotation_passes_the_cache_twice() -> None:
    # Twice 32 MiB in sets of 12 MiB: six cover 72 MiB, and one more so that none is back too soon.
    found = plan_rotation(12 * 2**20, cache_bytes=32 * 2**20, memory_bytes=2**30)
    assert (found.num_sets, found.working_set_bytes, found.reason) == (7, 84 * 2**20, "")
    large = plan_rotation(2**30, cache_bytes=32 * 2**20, memory_bytes=2**32)
    assert large.num_sets == 2


def test_a_cold_measurement_that_cannot_be_says_why() -> None:
    assert "no bytes" in plan_rotation(0, cache_bytes=1, memory_bytes=1).reason
    tiny = plan_rotation(4096, cache_bytes=32 * 2**20, memory_bytes=2**40)
    assert tiny.num_sets == 0 and str(MAX_SETS) in tiny.reason
    crowded = plan_rotation(2**30, cache_bytes=2**30, memory_bytes=2**31)
    assert crowded.num_sets == 0 and "may be used" in crowded.reason


def test_the_largest_cache_of_the_processor_is_found(tmp_path: Path) -> None:
    for index, size in enumerate(("48K\n", "1024K\n", "32M\n", "none\n")):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        (folder / "size").write_text(size)
    assert cpu_cache_bytes(tmp_path) == 32 * 2**20
    assert cpu_cache_bytes(tmp_path / "nothing") is None


def test_a_trend_is_marked_and_noise_is_not() -> None:
    # 20 samples that each take 1 % longer than the one before end 19 % above the first; the median is 1.1.
    found = find_drift([1 + 0.01 * i for i in range(20)])
    assert found is not None and found.is_marked
    assert found.change == pytest.approx(0.19 / 1.1, rel=0.01)
    alternating = find_drift([1.0, 1.2] * 10)
    assert alternating is not None and not alternating.is_marked
    small = find_drift([1 + 0.0001 * i for i in range(20)])
    assert small is not None and small.p_value < 0.01 and not small.is_marked
    same = find_drift([1.0] * 20)
    assert same is not None and not same.is_marked
    assert find_drift([1.0, 2.0, 3.0]) is None


def test_a_single_outlier_is_no_trend() -> None:
    found = find_drift([1.0, 1.01, 0.99, 1.0, 1.02, 0.98, 1.0, 1.01, 0.99, 50.0])
    assert found is not None and not found.is_marked
