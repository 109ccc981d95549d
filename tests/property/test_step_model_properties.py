"""What a prediction must obey on inputs that nobody has tried: more of anything never makes it cheaper."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bench_lib.errors import UsageError
from bench_lib.fsdp2.step_model import constants
from bench_lib.fsdp2.step_model.peak_memory import peak_memory, segments
from bench_lib.fsdp2.step_model.prediction import Network, ceilings, network_of, play, predict
from bench_lib.fsdp2.step_model.schedule import Timeline
from bench_lib.fsdp2.step_model.setup import Checkpointing, TrainingSetup
from bench_lib.fsdp2.step_model.shapes import SHAPES, find_shape
from bench_lib.hardware import find

KNOWN = constants.built_in()
#: Shapes of few layers and many: a schedule of 126 blocks at 16,384 ranks is still one of a second.
NAMES = [name for name in SHAPES if SHAPES[name].num_layers <= 40]

setups = st.builds(
    TrainingSetup,
    shape=st.sampled_from([find_shape(name) for name in NAMES]),
    batch_per_rank=st.integers(1, 32),
    sequence_length=st.integers(1, 16384),
    num_accumulation=st.integers(1, 3),
    activation_checkpointing=st.sampled_from(["none", "selective", "alternate", "full"]),
    is_compiled=st.booleans(),
    is_loss_compiled=st.booleans(),
    is_float8=st.booleans(),
    reduce_dtype=st.sampled_from(["float32", "bfloat16"]),
    reshards_after_forward=st.booleans(),
)
devices = st.sampled_from(["nvidia-h100-sxm", "nvidia-h200-sxm", "nvidia-h100-sxm-96gb-500w"])
worlds = st.tuples(st.integers(1, 16), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] * pair[1]))
networks = st.builds(
    Network,
    ranks_per_node=st.just(8),
    intra_bytes_per_s=st.floats(1e9, 1e12),
    inter_bytes_per_s=st.floats(1e8, 1e11),
    intra_latency_s=st.floats(0, 1e-4),
    inter_latency_s=st.floats(0, 1e-3),
)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def played(setup: TrainingSetup, slug: str, network: Network, ranks: int) -> Timeline:
    hardware = find(slug)
    assert hardware is not None
    return play(
        setup,
        num_ranks=ranks,
        peaks=ceilings(hardware, setup=setup),
        network=network,
        constants=constants.of_device(slug, calibration=KNOWN).constants,
    )


def fitted_to(network: Network, world: tuple[int, int]) -> Network:
    return replace(network, ranks_per_node=world[0])


@quick
@given(setups, devices, networks, worlds)
def test_figures_are_finite_and_hang_together(
    setup: TrainingSetup, slug: str, network: Network, world: tuple[int, int]
) -> None:
    line = played(setup, slug, fitted_to(network, world), world[1])
    assert 0 < line.step_time_s < math.inf
    # A step is at least what the longer of its two queues does, and at most both, one after the other.
    computing = line.busy_s("copy", "forward", "backward", "optimizer")
    assert line.exposed_communication_s <= line.communication_s * (1 + 1e-9)
    assert max(computing, line.communication_s) <= line.step_time_s * (1 + 1e-9)
    assert line.step_time_s <= (computing + line.busy_s("copy_in") + line.communication_s) * (1 + 1e-9)


@quick
@given(setups, devices, networks, worlds, st.floats(1, 100), st.floats(1, 100))
def test_a_slower_network_never_gives_a_faster_step(  # noqa: PLR0917
    setup: TrainingSetup,
    slug: str,
    network: Network,
    world: tuple[int, int],
    narrower: float,
    later: float,
) -> None:
    fast = fitted_to(network, world)
    slow = replace(
        fast,
        intra_bytes_per_s=max(1e3, fast.intra_bytes_per_s / narrower),
        inter_bytes_per_s=max(1e3, fast.inter_bytes_per_s / narrower),
        intra_latency_s=fast.intra_latency_s * later,
        inter_latency_s=fast.inter_latency_s * later,
    )
    before, after = (played(setup, slug, n, world[1]).step_time_s for n in (fast, slow))
    assert after >= before * (1 - 1e-9)


@quick
@given(setups, devices, networks, worlds)
def test_more_tokens_never_take_less_time(
    setup: TrainingSetup, slug: str, network: Network, world: tuple[int, int]
) -> None:
    at = fitted_to(network, world)
    more = replace(setup, batch_per_rank=setup.batch_per_rank + 1)
    assert played(more, slug, at, world[1]).step_time_s >= played(setup, slug, at, world[1]).step_time_s


@quick
@given(setups, devices, worlds, st.integers(2, 8))
def test_more_ranks_never_hold_more_each(
    setup: TrainingSetup, slug: str, world: tuple[int, int], factor: int
) -> None:
    hardware = find(slug)
    assert hardware is not None
    assume(world[1] > 1)
    network = network_of(hardware, ranks_per_node=world[0])
    few, many = (network.topology(n, efficiency=1.0) for n in (world[1], world[1] * factor))
    assert peak_memory(setup, topology=many).allocated <= peak_memory(setup, topology=few).allocated
    overhead = KNOWN.reserved_memory
    assert overhead.reserved(segments(setup, topology=many)) <= overhead.reserved(
        segments(setup, topology=few)
    )


@quick
@given(setups, devices, worlds)
def test_a_larger_batch_never_needs_less_memory(
    setup: TrainingSetup, slug: str, world: tuple[int, int]
) -> None:
    hardware = find(slug)
    assert hardware is not None
    at = network_of(hardware, ranks_per_node=world[0]).topology(world[1], efficiency=1.0)
    more = replace(setup, batch_per_rank=setup.batch_per_rank + 1)
    assert peak_memory(more, topology=at).allocated >= peak_memory(setup, topology=at).allocated


@quick
@given(setups, worlds)
def test_checkpointing_saves_memory_and_costs_time(setup: TrainingSetup, world: tuple[int, int]) -> None:
    slug = "nvidia-h100-sxm"
    hardware = find(slug)
    assert hardware is not None
    network = network_of(hardware, ranks_per_node=world[0])
    at = network.topology(world[1], efficiency=1.0)
    kinds: tuple[Checkpointing, ...] = ("none", "alternate", "full")
    ways = [replace(setup, activation_checkpointing=kind) for kind in kinds]
    kept = [peak_memory(way, topology=at).activations for way in ways]
    times = [played(way, slug, network, world[1]).step_time_s for way in ways]
    if peak_memory(ways[0], topology=at).activations and kept[2]:
        assert kept == sorted(kept, reverse=True)
    assert times[0] <= times[1] * (1 + 1e-9) and times[1] <= times[2] * (1 + 1e-9)


@quick
@given(networks, st.sampled_from(NAMES), st.integers(1, 6))
def test_a_fixed_global_batch_on_more_ranks_never_costs_more_each(
    network: Network, name: str, doublings: int
) -> None:
    """Strong scaling: half the sequences a rank on twice the ranks cannot lengthen the computation."""
    ranks, batch = 8, 2**doublings
    few = TrainingSetup(find_shape(name), batch, 1024)
    many = TrainingSetup(find_shape(name), batch // 2, 1024)
    one = played(few, "nvidia-h100-sxm", network, ranks)
    two = played(many, "nvidia-h100-sxm", network, 2 * ranks)
    for kind in ("forward", "backward", "optimizer"):
        # Time that a collective slows is not the computation's own.
        assert two.busy_s(kind) * (1 - 0.2) <= one.busy_s(kind) * (1 + 1e-9)  # type: ignore[arg-type]
    assert two.communication_s >= one.communication_s * (1 - 1e-9)


@pytest.mark.parametrize("ranks", [1, 2, 3, 7, 8, 16, 16384])
@pytest.mark.parametrize(("batch", "sequence"), [(1, 1), (1, 8192), (64, 1)])
@pytest.mark.parametrize("name", ["tiny", "llama3-70b", "mpt-125m"])
def test_odd_sizes_have_an_answer(ranks: int, batch: int, sequence: int, name: str) -> None:
    hardware = find("nvidia-h100-sxm")
    assert hardware is not None
    made = predict(
        TrainingSetup(find_shape(name), batch, sequence),
        num_ranks=ranks,
        hardware=hardware,
        network=network_of(hardware),
        calibration=constants.of_device(hardware.slug, calibration=KNOWN),
        overhead=KNOWN.reserved_memory,
    )
    for interval in (made.step_time_s, made.tokens_per_s_per_rank, made.peak_reserved_bytes):
        assert 0 < interval.low <= interval.value <= interval.high < math.inf


@pytest.mark.parametrize("ranks", [12, 9, 20, 16383, 16385, 0])
def test_ranks_that_fill_no_nodes_are_refused(ranks: int) -> None:
    hardware = find("nvidia-h100-sxm")
    assert hardware is not None
    with pytest.raises(UsageError, match="--ranks"):
        network_of(hardware).topology(ranks, efficiency=1.0)


def test_twelve_ranks_on_nodes_of_four_are_three_nodes() -> None:
    hardware = find("nvidia-h100-sxm")
    assert hardware is not None
    at = network_of(hardware, ranks_per_node=4).topology(12, efficiency=1.0)
    assert (at.num_nodes, at.ranks_on_node) == (3, 4)
