"""Memory by owner and communication on real ranks: tracked against measured, and planted changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'bench-lib[fsdp2]'")

from bench_lib.fsdp2 import link_sweep, links  # noqa: E402
from bench_lib.fsdp2.config import RunConfig  # noqa: E402
from bench_lib.fsdp2.measure import measure_ranks  # noqa: E402
from bench_lib.fsdp2.owners import OWNERS  # noqa: E402
from bench_lib.fsdp2.tracked_memory import Question, track  # noqa: E402

MIB = 2**20


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BENCH_LIB_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("PYTHONPATH", str(Path(__file__).parent))
        yield


def profiled(preset: str, num_ranks: int, *, variant: str = "fsdp", memory: bool = False) -> Any:
    config = RunConfig(
        preset,
        num_ranks,
        num_steps=1,
        num_warmup=2,
        device="cpu",
        variant=variant,
        measure_memory=memory,
        profile=True,
    )
    run, ranks = measure_ranks(config)
    assert run.status == "ok", run.reason + run.traceback
    return run, [r["profile"] for r in ranks]


def collectives(profile: Any, kind: str) -> list[Any]:
    return [c for c in profile["collectives"] if c["kind"] == kind]


def gathered_bytes(profile: Any) -> int:
    return int(profile["memory_by_owner"]["unsharded_parameters"])


#: 3 ranks cut no dimension of the model evenly.
@pytest.mark.parametrize("num_ranks", [1, 2, 3, 4])
def test_tracked_peak_is_the_measured_one(num_ranks: int) -> None:
    run, profiles = profiled("tiny", num_ranks, memory=True)
    tracked = track(Question("tiny", num_ranks, foreach=False))
    measured = run.measurement("peak_allocated", rank=0)
    assert measured is not None
    # The tokens of all steps lie beside; tracked are those of one.
    assert tracked.peak_bytes == pytest.approx(measured.samples[0], rel=0.03)
    assert sum(tracked.by_owner.values()) == tracked.peak_bytes
    by_owner = profiles[0]["memory_by_owner"]
    assert by_owner["total"] == pytest.approx(measured.samples[0], rel=0.03)
    for owner in OWNERS:
        # Of the whole: an owner that both say is small may differ by more of itself.
        assert by_owner[owner] == pytest.approx(tracked.by_owner[owner], abs=0.03 * tracked.peak_bytes), owner
    # By hand: 12 bytes a parameter (float32, two moments) over the ranks, at the start of the backward pass.
    resting = by_owner["sharded_parameters"] + by_owner["optimizer_state"]
    assert resting == pytest.approx(12 * 1_313_920 / num_ranks, rel=0.01)


@pytest.mark.parametrize(
    ("num_ranks", "variant"),
    [
        (1, "single"),
        (2, "hsdp+checkpoint-full"),
        (2, "no-reshard+accumulate-2-no-sync"),
        # Blocks are resharded to a mesh of their own, which fake tensors cannot make.
        (4, "reshard-2+checkpoint-selective"),
        # Gradients that wait for their reduction lie beside DDP's buckets.
        (2, "ddp+accumulate-2-no-sync"),
        (2, "ddp+accumulate-2"),
    ],
)
def test_tracked_peak_of_a_variant_is_the_measured_one(num_ranks: int, variant: str) -> None:
    config = RunConfig("tiny", num_ranks, num_steps=1, num_warmup=1, device="cpu", variant=variant)
    run, ranks = measure_ranks(config)
    assert run.status == "ok", run.reason + run.traceback
    tracked = track(Question("tiny", num_ranks, variant, foreach=False))
    assert tracked.peak_bytes == pytest.approx(ranks[0]["peak_allocated_bytes"], rel=0.03)
    assert sum(tracked.by_owner.values()) == tracked.peak_bytes


@pytest.fixture(scope="module")
def plain() -> Any:
    return profiled("tiny", 2)[1][0]


def test_collectives_are_those_of_the_schedule(plain: Any) -> None:
    gathers, scatters = collectives(plain, "all-gather"), collectives(plain, "reduce-scatter")
    # Root and 4 blocks forward; 4 blocks again backward. One reduction each.
    assert (len(gathers), len(scatters)) == (9, 5)
    # By hand: root 2 · 2048 · 128 + 128, a block 12 · 128² + 6 · 128; in bfloat16, and float32 reduced.
    root, block = 524_416, 197_376
    assert sorted(c["num_bytes"] for c in gathers) == [2 * block] * 8 + [2 * root]
    assert sorted(c["num_bytes"] for c in scatters) == [4 * block] * 4 + [4 * root]
    for c in plain["collectives"]:
        assert 0 <= c["exposed_s"] <= c["duration_s"]
        assert c["group_size"] == 2


def test_a_block_left_unsharded_shows(plain: Any) -> None:
    _, (profile, _) = profiled("faulty_presets:UNSHARDED", 2)
    # It is gathered with the root, once and for both passes.
    assert len(collectives(profile, "all-gather")) == 9 - 2
    largest = max(c["num_bytes"] for c in collectives(profile, "all-gather"))
    assert largest == 2 * (524_416 + 197_376)
    more = (
        profile["memory_by_owner"]["unsharded_parameters"] - plain["memory_by_owner"]["unsharded_parameters"]
    )
    assert more == 2 * 197_376


def test_an_extra_all_gather_shows(plain: Any) -> None:
    _, (profile, _) = profiled("faulty_presets:GATHERING", 2)
    assert len(collectives(profile, "all-gather")) == 10
    gathered = sum(c["num_bytes"] for c in collectives(profile, "all-gather"))
    assert gathered - sum(c["num_bytes"] for c in collectives(plain, "all-gather")) == MIB
    assert len(collectives(profile, "reduce-scatter")) == 5


def test_blocks_that_stay_gathered_show(plain: Any) -> None:
    _, (profile, _) = profiled("tiny", 2, variant="no-reshard")
    assert len(collectives(profile, "all-gather")) == 5
    more = (
        profile["memory_by_owner"]["unsharded_parameters"] - plain["memory_by_owner"]["unsharded_parameters"]
    )
    assert more == 4 * 2 * 197_376


def test_gradients_reduced_after_every_micro_batch_show() -> None:
    def reduced(variant: str) -> tuple[int, int]:
        scatters = collectives(profiled("tiny", 2, variant=variant)[1][0], "reduce-scatter")
        return len(scatters), sum(c["num_bytes"] for c in scatters)

    # By hand, in float32: the whole model once a step, or after each of two micro-batches.
    assert reduced("accumulate-2-no-sync") == (5, 4 * 1_313_920)
    assert reduced("accumulate-2") == (10, 2 * 4 * 1_313_920)


def test_prefetch_off_shows_as_nothing_hidden() -> None:
    def hidden_share(variant: str) -> float:
        _, profiles = profiled("small", 2, variant=variant)
        gathers = [c for p in profiles for c in collectives(p, "all-gather")]
        return 1 - sum(c["exposed_s"] for c in gathers) / sum(c["duration_s"] for c in gathers)

    with_prefetch, without = hidden_share("async+prefetch-1"), hidden_share("async+no-prefetch")
    assert without < 0.1
    assert with_prefetch > without + 0.1


def test_deep_models_continue_in_a_line() -> None:
    question = Question("llama3-tiny", 2, foreach=True, num_layers=9)
    line, exact = track(question), track(question, exact=True)
    assert line.tracked_layers == (3, 4)
    assert line.peak_bytes == pytest.approx(exact.peak_bytes, abs=0.3 * MIB)
    assert line.moment.split(",")[0] == exact.moment.split(",")[0]


def test_the_peak_may_move_as_a_model_deepens() -> None:
    """Fully checkpointed, gradients outgrow activations: shallow models peak elsewhere."""
    question = Question("tiny", 1, "checkpoint-full", batch_per_rank=1, sequence_length=64, num_layers=24)
    line, exact = track(question), track(question, exact=True)
    assert line.peak_bytes == pytest.approx(exact.peak_bytes, rel=0.01)
    assert line.moment == exact.moment


def test_a_barrier_delays_calls_on_end_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0
    late = False

    def barrier() -> None:
        nonlocal late
        late = True

    def call() -> None:
        # The first waits 40 for a peer that left the barrier later.
        nonlocal clock, late
        clock += 1 + 40 * late
        late = False

    monkeypatch.setattr(link_sweep.dist, "barrier", barrier)
    monkeypatch.setattr(link_sweep.time, "perf_counter", lambda: clock)
    device = torch.device("cpu")
    assert link_sweep._times(call, repeats=3, calls=20, device=device) == [3.0] * 3
    assert [links.calls_on_end(n) for n in (1024, 1024**2, 64 * 1024**2, 1024**3)] == [20, 20, 4, 1]
