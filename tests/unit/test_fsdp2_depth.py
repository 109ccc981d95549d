"""Communication, memory and scaling figures of FSDP2, worked by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from bench_lib.cli import cli
from bench_lib.errors import DamagedFileError, UsageError
from bench_lib.fsdp2 import (
    fit,
    links,
    memory_command,
    profile_record,
    scaling_command,
    trace,
    trace_memory,
    tracked_memory,
)
from bench_lib.fsdp2.owners import OWNERS
from bench_lib.fsdp2.profile_record import Profile
from bench_lib.fsdp2.step_model.constants import CalibrationFile
from bench_lib.fsdp2.step_model.peak_memory import MemoryOverhead, Segments
from bench_lib.fsdp2.tracked_memory import Question, TrackedMemory, continue_to, pools_of
from bench_lib.stats import Summary
from bench_lib.units import GIB


def span(name: str, start: float, end: float, *, cat: str, tid: int = 1, **args: Any) -> dict[str, Any]:
    """An event from ``start`` to ``end`` in ms."""
    return {
        "ph": "X",
        "cat": cat,
        "name": name,
        "ts": start * 1e3,
        "dur": (end - start) * 1e3,
        "tid": tid,
        "args": args,
    }


def gather(items: int) -> dict[str, Any]:
    return {
        "Input Dims": [[2 * items], [items], [], [], []],
        "Input type": ["c10::BFloat16", "c10::BFloat16", "", "Scalar", "Scalar"],
    }


GLOO = {
    "traceEvents": [
        span("step", 100, 200, cat="user_annotation"),
        span("c10d::_allgather_base_", 110, 111, cat="cpu_op", **gather(1000)),
        span("gloo:all_gather", 110, 130, cat="user_annotation", tid=7),
        # Half of the gather is behind this product, which ends at 125.
        span("aten::mm", 120, 125, cat="cpu_op"),
        span("aten::mul", 121, 122, cat="cpu_op"),
        # A node of autograd surrounds the waits of its hooks: it is no work.
        span("autograd::engine::evaluate_function: X", 100, 200, cat="cpu_op"),
        span(
            "c10d::_reduce_scatter_base_",
            150,
            151,
            cat="cpu_op",
            **{"Input Dims": [[1000], [2000], []], "Input type": ["float", "float", ""]},
        ),
        span("gloo:all_reduce", 150, 160, cat="user_annotation", tid=7),
    ]
}


def test_a_gloo_step_by_hand() -> None:
    step = trace.read_step(GLOO, span="step", world_size=2)
    assert step.duration_s == pytest.approx(0.1)
    assert [c.kind for c in step.collectives] == ["all-gather", "reduce-scatter"]
    all_gather, scatter = step.collectives
    assert (all_gather.num_bytes, scatter.num_bytes) == (4000, 8000)
    assert all_gather.duration_s == pytest.approx(0.020)
    assert all_gather.exposed_s == pytest.approx(0.015)
    assert scatter.exposed_s == pytest.approx(0.010)
    # (2 - 1) / 2 of 4000 B in 20 ms.
    assert all_gather.bus_bytes_per_s == pytest.approx(100_000)
    assert step.compute == (pytest.approx((0.020, 0.025)),)


def test_a_step_of_nccl_by_hand() -> None:
    nccl = {
        "Collective name": "_allgather_base",
        "In msg nelems": 500,
        "Out msg nelems": 4000,
        "Group size": 8,
        "dtype": "BFloat16",
    }
    document = {
        "traceEvents": [
            span("step", 0, 10, cat="user_annotation"),
            span("ncclDevKernel_AllGather_RING_LL", 4, 12, cat="kernel", tid=20, **nccl),
            span("gemm", 0, 6, cat="kernel", tid=21),
            span("aten::mm", 0, 9, cat="cpu_op"),
        ]
    }
    step = trace.read_step(document, span="step", world_size=8)
    # The device ends after the host.
    assert step.duration_s == pytest.approx(0.012)
    (found,) = step.collectives
    assert (found.num_bytes, found.group_size) == (8000, 8)
    assert found.exposed_s == pytest.approx(0.006)
    assert found.bus_bytes_per_s == pytest.approx(8000 * 7 / 8 / 0.008)


def test_a_trace_without_the_step_is_refused() -> None:
    with pytest.raises(ValueError, match="found 0 spans named 'other'"):
        trace.read_step(GLOO, span="other", world_size=2)


intervals = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda p: (min(p), max(p))))


@given(intervals, intervals)
def test_intervals_are_sets_of_points(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    def points(spans: Any) -> set[int]:
        return {x for start, end in spans for x in range(int(start), int(end))}

    left, right = trace.merged(a), trace.merged(b)
    assert points(left) == points(a)
    assert points(trace.without(left, right)) == points(a) - points(b)
    for each in left:
        assert trace.covered(each, right) == len(points([each]) & points(b))


def test_bus_bytes_are_those_of_nccl_tests() -> None:
    assert trace.bus_bytes("all-gather", 800, 4) == 600
    assert trace.bus_bytes("reduce-scatter", 800, 4) == 600
    assert trace.bus_bytes("all-reduce", 800, 4) == 1200


def allocation(time: float, address: int, size: int, tid: int = 1) -> dict[str, Any]:
    args = {"Addr": address, "Bytes": size, "Device Type": 0}
    return {"ph": "i", "name": "[memory]", "ts": time * 1e3, "tid": tid, "args": args}


def test_memory_by_owner_by_hand() -> None:
    events = [
        span("FSDP::pre_forward (a)", 0, 10, cat="user_annotation"),
        span("FSDP::all_gather (a)", 1, 3, cat="user_annotation"),
        allocation(2, 1, 100),  # the gathered buffer
        span("FSDP::all_gather_copy_out (a)", 4, 6, cat="user_annotation"),
        allocation(5, 2, 200),  # gathered parameters
        allocation(7, 1, -100),
        allocation(20, 3, 1000),  # an activation
        span("autograd::engine::evaluate_function: Mm", 30, 40, cat="cpu_op"),
        allocation(31, 4, 50),  # a gradient, freed as it is reduced
        allocation(32, 5, 70),  # a temporary; the peak
        allocation(33, 5, -70),
        span("FSDP::post_backward_reduce (a)", 50, 60, cat="user_annotation"),
        allocation(51, 6, 25),  # outlives the backward pass: a shard's gradient
        allocation(52, 4, -50),
        allocation(61, 3, -1000),
        span("Optimizer.step#AdamW.step", 70, 80, cat="user_annotation"),
        allocation(71, 7, 10),
        allocation(90, 6, -25),
    ]
    found = trace_memory.memory_by_owner(
        {"traceEvents": events}, device_type=0, resting={"sharded_parameters": 500, "inputs": 1}
    )
    assert {owner: size for owner, size in found.items() if size} == {
        "total": 500 + 1 + 200 + 1000 + 50 + 70,
        "sharded_parameters": 500,
        "inputs": 1,
        "unsharded_parameters": 200,
        "activations": 1000,
        "unsharded_gradients": 50,
        "temporaries": 70,
    }
    nothing = trace_memory.memory_by_owner({"traceEvents": events}, device_type=1, resting={"inputs": 1})
    assert nothing["total"] == 1


def test_the_peak_of_a_deep_model_may_be_another_stretch() -> None:
    low = {"forward": {"total": 100}, "optimizer": {"total": 80}, "only shallow": {"total": 999}}
    high = {"forward": {"total": 110}, "optimizer": {"total": 100}}
    # From 3 and 4 layers to 10: six more steps of 10 and of 20.
    assert continue_to(10, low=low, high=high) == {"forward": {"total": 170}, "optimizer": {"total": 220}}


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(1, 10**7), st.sampled_from([1, 2, 3]))
def test_largest_batch_of_a_line(slope: int, offset: int, limit: int, step: int) -> None:
    asked: list[int] = []

    def need(batch: int) -> float:
        asked.append(batch)
        return offset + slope * batch

    found = fit.largest_batch(need, limit=limit, step=step)
    expected = max(0, (limit - offset) // slope) // step * step
    assert found == min(expected, fit.MAX_BATCH // step * step)
    # A line is found out by few questions: each is a minute for a large model.
    assert len(asked) <= 24


def test_largest_batch_where_the_line_bends() -> None:
    assert fit.largest_batch(lambda b: max(100.0, 10.0 * b), limit=1234) == 123
    assert fit.largest_batch(lambda b: 50.0 if b < 40 else 5000.0, limit=100) == 39
    assert fit.largest_batch(lambda b: 101.0, limit=100) == 0


def moment(**held: int) -> dict[str, int]:
    pools = ("state", "gradients", "gathered", "passing")
    return {f"pool_{name}": held.get(name, 0) for name in pools}


def test_pools_are_the_largest_of_all_stretches() -> None:
    peaks = {
        "forward": moment(state=12, gathered=5, passing=40),
        "backward, 0 blocks done": moment(state=12, gradients=2, gathered=3, passing=50),
        # The tracker counts 4 of the optimizer's temporaries as its state.
        "optimizer": moment(state=16, gradients=4, passing=1),
    }
    assert pools_of(peaks) == Segments(state=12, gradients=4, gathered=5, passing=50)
    peaks["optimizer"] = moment(state=60, gradients=4, passing=3)
    assert pools_of(peaks) == Segments(state=12, gradients=4, gathered=5, passing=51)


def tracked(*, passing_gib: float, allocated_gib: float) -> TrackedMemory:
    return TrackedMemory(
        question=Question("tiny", 8),
        batch_per_rank=2,
        sequence_length=128,
        num_parameters=1,
        num_layers=4,
        tracked_layers=(),
        moment="forward",
        peak_bytes=int(allocated_gib * GIB),
        by_owner={},
        pools=Segments(10 * GIB, 5 * GIB, 2 * GIB, passing_gib * GIB),
    )


def test_reserved_memory_is_the_predictions_model_of_tracked_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    known = CalibrationFile({}, MemoryOverhead(1.25, 0.04), "")
    monkeypatch.setattr(fit, "built_in", lambda: known)
    needed = fit.reserved(tracked(passing_gib=40, allocated_gib=50))
    # 10 + 5 + 2 + 1.25 * 40; e ** (1.644854 * 0.04) = 1.06801 to both sides.
    assert needed.value / GIB == pytest.approx(67)
    assert (needed.low / GIB, needed.high / GIB) == (
        pytest.approx(62.734, abs=1e-3),
        pytest.approx(71.557, abs=1e-3),
    )
    assert fit.verdict(needed, capacity=72 * GIB) == "yes"
    assert fit.verdict(needed, capacity=71 * GIB) == "undecided"
    assert fit.verdict(needed, capacity=63 * GIB) == "undecided"
    assert fit.verdict(needed, capacity=62 * GIB) == "no"
    # Never below what is allocated.
    most = fit.reserved(tracked(passing_gib=40, allocated_gib=70))
    assert (most.value / GIB, most.low / GIB) == (70, 70)


def test_a_larger_batch_is_judged_by_its_own_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    known = CalibrationFile({}, MemoryOverhead(1.25, 0.04), "")
    monkeypatch.setattr(fit, "built_in", lambda: known)
    device, _ = memory_command.device_capacity("nvidia-h100-sxm")

    def track(question: Question) -> TrackedMemory:
        # 16 GiB a sequence: 17 + 20 b are reserved; b = 3 needs 77, and 82.2 by its upper bound.
        assert question.batch_per_rank is not None
        return tracked(passing_gib=16 * question.batch_per_rank, allocated_gib=20)

    found = fit.fit(
        tracked(passing_gib=32, allocated_gib=20), hardware=device, capacity=80 * GIB, track=track
    )
    assert (found.fits, found.largest_batch, found.largest_batch_sure) == ("yes", 3, 2)
    assert found.reserved_by_pool_bytes["passing"] == 32 * GIB


def summary(median: float, low: float, high: float) -> Summary:
    return Summary(9, median, low, high, low, high)


def test_efficiency_by_hand() -> None:
    one, four = summary(1.0, 0.9, 1.1), summary(0.5, 0.4, 0.6)
    weak = scaling_command.efficiency(one, four, base_ranks=1, num_ranks=4, mode="weak")
    assert weak == (pytest.approx(2.0), pytest.approx(1.5), pytest.approx(2.75))
    # Twice as fast on four times the ranks.
    strong = scaling_command.efficiency(one, four, base_ranks=1, num_ranks=4, mode="strong")
    assert strong == (pytest.approx(0.5), pytest.approx(0.375), pytest.approx(0.6875))


def test_batches_of_strong_scaling() -> None:
    assert scaling_command.batches("strong", counts=[1, 2, 4], batch_per_rank=8) == [8, 4, 2]
    assert scaling_command.batches("weak", counts=[1, 2, 4], batch_per_rank=8) == [8, 8, 8]
    with pytest.raises(UsageError, match="found 3, expected a divisor of the batch of all ranks, 8"):
        scaling_command.batches("strong", counts=[1, 3], batch_per_rank=8)


def test_sizes_of_a_sweep_end_where_memory_does() -> None:
    everything = links.sizes(num_ranks=2, available_bytes=1e15)
    assert (everything[0], everything[-1]) == (1024, 1024**3)
    # 4 copies of 64 MiB on each of 2 ranks fit into 512 MiB; 256 MiB do not.
    assert links.sizes(num_ranks=2, available_bytes=512 * 1024**2)[-1] == 64 * 1024**2
    # Every rank takes as many whole floats.
    assert all(size % (3 * 4) == 0 for size in links.sizes(num_ranks=3, available_bytes=1e15))


def test_other_batches_ask_for_peaks_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        asked.append(request)
        if request["wanted"] == "facts":
            about = {"batch_per_rank": 8, "sequence_length": 64, "num_layers": 12, "num_parameters": 5}
            return {"facts": about}
        size = (request["batch_per_rank"] or 8) * request["num_layers"]
        columns = ("total", *OWNERS, "pool_state", "pool_gradients", "pool_gathered", "pool_passing")
        return {"peaks": {"forward": dict.fromkeys(columns, size)}}

    monkeypatch.setenv("BENCH_LIB_CACHE", str(tmp_path))
    monkeypatch.setattr(tracked_memory, "_run", answer)
    monkeypatch.setattr(tracked_memory, "_torch_version", lambda: "2")
    found = [tracked_memory.track(Question("small", 2, batch_per_rank=b)) for b in (None, 4, 16)]
    # Continued in a line to all 12 layers.
    assert [(t.batch_per_rank, t.peak_bytes) for t in found] == [(8, 96), (4, 48), (16, 192)]
    assert [r["wanted"] for r in asked].count("facts") == 1
    assert sorted(r["num_layers"] for r in asked if r["wanted"] == "peaks") == [3] * 3 + [4] * 3
    assert tracked_memory.ask_facts("small", batch_per_rank=4, sequence_length=None)["batch_per_rank"] == 4
    assert len(asked) == 7


def test_a_ceiling_between_two_sizes(tmp_path: Path) -> None:
    points = [
        {"kind": "all-gather", "num_bytes": size, "bus_bytes_per_s": rate}
        for size, rate in ((1024, 10.0), (1024 * 16, 30.0))
    ]
    file = tmp_path / "links.json"
    file.write_text(json.dumps({"points": points}))
    ceiling = links.ceilings_of(file)["all-gather"]
    assert ceiling.bus_bytes_per_s(4096) == pytest.approx(20.0)
    assert (ceiling.bus_bytes_per_s(1), ceiling.bus_bytes_per_s(1e12)) == (10.0, 30.0)
    for damage in ("[]", "{", '{"points": [{"kind": "all-gather"}]}', '{"points": 3}'):
        file.write_text(damage)
        with pytest.raises(DamagedFileError):
            links.ceilings_of(file)


def profile(**changes: Any) -> Profile:
    step = trace.read_step(GLOO, span="step", world_size=2)
    made: dict[str, Any] = {
        "preset": "tiny",
        "variant": "fsdp",
        "num_ranks": 2,
        "hardware": "../../x",
        "backend": "gloo",
        "started": "2026-01-01",
        "ranks": (step, step),
    }
    return Profile(**(made | changes))


def test_totals_and_shares_by_hand() -> None:
    gather_total, scatter_total = profile_record.totals(profile())
    assert (gather_total.kind, gather_total.number, gather_total.num_bytes) == ("all-gather", 1, 4000)
    assert gather_total.exposed_share == pytest.approx(0.75)
    assert scatter_total.exposed_share == pytest.approx(1.0)
    # 15 ms and 10 ms of 100.
    assert profile_record.exposed_share_of_step(profile().ranks[0]) == pytest.approx(0.25)


def test_a_profile_survives_storage_and_stays_in_its_folder(tmp_path: Path) -> None:
    path = profile_record.path_of(profile(), tmp_path)
    assert tmp_path.resolve() in path.resolve().parents
    assert path.parent.name == "x"
    profile_record.write(profile(), path)
    assert profile_record.read(path) == profile()
    assert list(profile_record.iter_paths(tmp_path)) == [path]


@pytest.mark.parametrize("damage", ["", "{}", "[1]", '{"ranks": []}'])
def test_a_damaged_profile_is_named(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "x.fsdp2-profile"
    path.write_text(damage)
    with pytest.raises(DamagedFileError, match="expected a profile"):
        profile_record.read(path)


def test_figures_that_cannot_be_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.fsdp2-profile"
    profile_record.write(profile(ranks=()), path)
    with pytest.raises(DamagedFileError, match="0 ranks"):
        profile_record.read(path)
    step = profile().ranks[0]
    profile_record.write(profile(ranks=(trace.StepTrace(-1.0, step.compute, step.collectives),)), path)
    with pytest.raises(DamagedFileError, match="no time of a step"):
        profile_record.read(path)


def test_charts_are_whole_and_the_same_twice() -> None:
    charts = pytest.importorskip("bench_lib.fsdp2.charts")
    pytest.importorskip("matplotlib")
    bars = [charts.Bar("1", {"activations": 3.0, "inputs": 1.0}), charts.Bar("2", {"activations": 2.0})]
    for draw in (
        lambda: charts.stacked_memory(bars, title="a <b> & $c$"),
        lambda: charts.timeline(profile_record.lanes(profile().ranks[0]), title="</text><script>"),
        lambda: charts.by_ranks(
            [charts.Reading(1, 1.0, 1.0, 1.0), charts.Reading(2, 0.8, 0.7, float("inf"))],
            title="t",
            label="l",
            ideal=[(1, 1.0), (2, 1.0)],
        ),
    ):
        svg = draw()
        assert svg == draw()
        root = ElementTree.fromstring(svg)
        assert not [e for e in root.iter() if e.tag.endswith("script")]
    assert "computing" in charts.timeline(profile_record.lanes(profile().ranks[0]), title="t")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["memory", "--preset=tiny", "--ranks=0"], "--ranks: found 0, expected from 1 to 65536"),
        (["memory", "--preset=tiny", "--ranks=1,x"], "--ranks: found '1,x'"),
        (["memory", "--preset=tiny", "--ranks=2,2"], "expected each number once"),
        (["memory", "--preset=tiny", "--ranks=1", "--batch=0"], "--batch: found 0"),
        (["memory", "--preset=tiny", "--ranks=1", "--fit=h100"], "--fit: found 'h100', expected one of"),
        (["memory", "--preset=tiny", "--ranks=3", "--variant=hsdp"], "expected a multiple of 2"),
        (["links", "--ranks=1"], "--ranks: found 1, expected a whole number from 2 up"),
        (["communication", "--preset=tiny", "--ranks=2", "--variant=x"], "variant: found 'x'"),
        (["communication", "--preset=tiny", "--ranks=2", "--links=/none"], "found"),
        (["scaling", "--preset=tiny", "--ranks=1", "--peak-flop-per-s=-1"], "--peak-flop-per-s: found -1"),
        (["run", "--preset=tiny", "--ranks=1", "--variant=fsdp,hsdp"], "ranks: found 1, expected a multiple"),
    ],
)
def test_bad_use(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(cli, ["fsdp2", *arguments])
    text = f"{result.output}{result.exception}"
    assert message in text
    assert isinstance(result.exception, UsageError | DamagedFileError)


def test_questions_are_bounded() -> None:
    with pytest.raises(UsageError, match="--seq"):
        Question("tiny", 1, sequence_length=2**40)
