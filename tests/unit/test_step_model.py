"""The step model's parts, worked by hand: no fitted constant enters these figures."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from bench_lib.errors import UsageError
from bench_lib.fsdp2.step_model.collectives import Gloo, Nccl
from bench_lib.fsdp2.step_model.compute import Ceilings, ComputeModel, Constants
from bench_lib.fsdp2.step_model.peak_memory import (
    MemoryOverhead,
    peak_memory,
    saved_bytes_per_token,
    segments,
)
from bench_lib.fsdp2.step_model.schedule import Unit, simulate
from bench_lib.fsdp2.step_model.setup import Checkpointing, TrainingSetup
from bench_lib.fsdp2.step_model.shapes import SHAPES, find_shape
from bench_lib.fsdp2.step_model.topology import Link, Topology

GIB = 2**30
FAST, SLOW = Link(100e9, 1e-6), Link(10e9, 10e-6)


def topology(num_ranks: int, per_node: int = 8) -> Topology:
    return Topology(num_ranks, per_node, FAST, SLOW)


def unit(**times: float) -> Unit:
    names = (
        "forward",
        "backward",
        "recompute",
        "all_gather",
        "reduce_scatter",
        "all_reduce",
        "copy_in",
        "copy_out",
        "reduce_copy",
    )
    return Unit(**{name: times.get(name, 0.0) for name in names})


class TestShapes:
    @pytest.mark.parametrize(
        ("name", "sequence", "parameters"),
        [
            # As their authors count them: Llama 3.1 8B; MPT as llm-foundry prints it for this sequence.
            ("llama3-8b", 8192, 8_030_261_248),
            ("llama3-70b", 8192, 70_553_706_496),
            ("llama2-7b", 4096, 6_738_415_616),
            ("mpt-7b", 2048, 6_658_859_008),
            ("mpt-70b", 2048, 64_862_437_376),
            ("mpt-125m", 32768, 148_904_448),
        ],
    )
    def test_parameters_are_those_that_authors_publish(
        self, name: str, sequence: int, parameters: int
    ) -> None:
        assert find_shape(name).num_parameters(sequence) == parameters

    @pytest.mark.parametrize("name", ["llama3-8b", "llama3-70b"])
    def test_a_large_shape_is_its_preset_module_by_module(self, name: str) -> None:
        torch = pytest.importorskip("torch")
        from bench_lib.fsdp2 import workloads

        preset, shape = workloads.find(name), find_shape(name)
        with torch.device("meta"):
            model = preset.build()
        blocks = preset.blocks(model)
        assert len(blocks) == shape.num_layers
        products = sorted((k, n) for k, n in shape.matrices)
        for block in blocks:
            assert sum(p.numel() for p in block.parameters()) == shape.block_parameters
            linear = [m for m in block.modules() if isinstance(m, torch.nn.Linear)]
            assert sorted((m.in_features, m.out_features) for m in linear) == products
        root = sum(p.numel() for p in model.parameters()) - shape.num_layers * shape.block_parameters
        assert root == shape.root_parameters(preset.sequence_length)

    @pytest.mark.parametrize("name", ["tiny", "small", "minillm"])
    def test_a_shape_named_like_a_preset_is_that_preset(self, name: str) -> None:
        torch = pytest.importorskip("torch")
        from bench_lib.fsdp2 import workloads

        preset, shape = workloads.find(name), find_shape(name)
        with torch.device("meta"):
            model = preset.build()
        assert shape.num_parameters(shape.sequence_length) == sum(p.numel() for p in model.parameters())
        assert (shape.batch_per_rank, shape.sequence_length) == (
            preset.batch_per_rank,
            preset.sequence_length,
        )
        tokens = shape.batch_per_rank * shape.sequence_length
        forward = 2 * tokens * sum(k * n for k, n in shape.matrices) + shape.attention_flop(
            batch=shape.batch_per_rank, sequence_length=shape.sequence_length
        )
        head = 2 * tokens * shape.dim * shape.vocabulary_size
        assert 3 * (shape.num_layers * forward + head) == pytest.approx(preset.flop_per_step())

    def test_an_unknown_preset_is_refused_with_those_that_exist(self) -> None:
        with pytest.raises(UsageError, match=r"'llama9'.*llama3-8b"):
            find_shape("llama9")


class TestTopology:
    def test_ranks_that_do_not_fill_nodes_are_refused(self) -> None:
        with pytest.raises(UsageError, match="multiple of the 8"):
            topology(12)

    def test_fewer_ranks_than_a_node_holds_are_one_node(self) -> None:
        assert (topology(6).num_nodes, topology(6).ranks_on_node) == (1, 6)
        assert (topology(64).num_nodes, topology(64).ranks_on_node) == (8, 8)

    @pytest.mark.parametrize("ranks", [0, -8, 16392])
    def test_rank_counts_out_of_range_are_refused(self, ranks: int) -> None:
        with pytest.raises(UsageError, match="--ranks"):
            topology(ranks)

    def test_shard_groups_take_neighbours_and_replicas_the_rest(self) -> None:
        shards, replicas = topology(32).split(4)
        assert (shards.num_ranks, shards.num_nodes) == (8, 1)
        assert (replicas.num_ranks, replicas.num_nodes) == (4, 4)
        shards, replicas = topology(16).split(4)
        assert (shards.num_ranks, shards.num_nodes) == (4, 1)
        # Two of the four copies share a node.
        assert (replicas.num_ranks, replicas.num_nodes) == (4, 2)

    @pytest.mark.parametrize("replicas", [0, 3, 64])
    def test_replicas_that_do_not_divide_are_refused(self, replicas: int) -> None:
        with pytest.raises(UsageError, match="--replicas"):
            topology(32).split(replicas)

    def test_a_shard_group_that_ends_inside_a_node_is_refused(self) -> None:
        with pytest.raises(UsageError, match="whole nodes"):
            topology(24).split(2)

    @pytest.mark.parametrize(("rate", "delay"), [(0, 0), (-1, 0), (math.nan, 0), (1, -1), (1, math.inf)])
    def test_links_are_finite(self, rate: float, delay: float) -> None:
        with pytest.raises(UsageError):
            Link(rate, delay)


class TestCollectives:
    def test_one_node_moves_all_but_its_own_part_over_the_fast_link(self) -> None:
        # 7 steps of 1 µs; 7/8 of 8 GB at 100 GB/s.
        assert Nccl().all_gather(8e9, group=topology(8)) == pytest.approx(7e-6 + 0.07)

    def test_two_nodes_share_eight_interfaces_and_cross_once(self) -> None:
        # 15 steps: 14 inside (1 µs), 1 across (10 µs); 15/16 of 16 GB at 8 × 10 GB/s.
        assert Nccl().all_gather(16e9, group=topology(16)) == pytest.approx(24e-6 + 15 / 80)

    def test_the_fast_link_bounds_where_the_network_is_faster(self) -> None:
        group = Topology(16, 8, FAST, Link(50e9, 0.0))
        assert Nccl().reduce_scatter(16e9, group=group) == pytest.approx(14e-6 + 0.15)

    def test_one_rank_a_node_uses_the_network_alone(self) -> None:
        group = Topology(2, 1, FAST, Link(125e6, 1e-3))
        # One hop, and the receiver's word before it.
        assert Gloo().all_gather(8 * 2**20, group=group) == pytest.approx(2e-3 + 4 * 2**20 / 125e6)

    def test_gloo_reduces_and_scatters_by_an_all_reduce_of_two_passes(self) -> None:
        group = topology(4)
        gather = Gloo().all_gather(1e9, group=group)
        assert Gloo().reduce_scatter(1e9, group=group) == pytest.approx(2 * gather)
        assert Nccl().reduce_scatter(1e9, group=group) == Nccl().all_gather(1e9, group=group)

    def test_a_single_rank_communicates_nothing(self) -> None:
        assert Nccl().all_reduce(1e9, group=topology(1)) == 0


class TestSchedule:
    def test_computation_alone_adds_up(self) -> None:
        blocks = [unit(forward=1, backward=2)] * 3
        made = simulate(blocks, root=unit(forward=1, backward=2), optimizer=0.5)
        assert made.step_time_s == 12.5
        assert made.exposed_communication_s == 0

    def test_an_all_gather_hides_behind_the_block_before(self) -> None:
        blocks = [unit(forward=2, backward=4, all_gather=1)] * 3
        made = simulate(blocks, root=unit(), optimizer=0)
        # Exposed: the first gather of the forward pass. Backward: the last block's again.
        assert made.step_time_s == 1 + 6 + 1 + 12
        assert made.exposed_communication_s == 2

    def test_a_copy_into_a_gather_is_no_communication(self) -> None:
        blocks = [unit(forward=2, backward=4, all_gather=1, copy_in=1)] * 2
        made = simulate(blocks, root=unit(), optimizer=0)
        # Copy and gather hold the network for 2: in full before the first block of each pass.
        assert made.step_time_s == 2 + 4 + 2 + 8
        assert (made.communication_s, made.exposed_communication_s) == (4, 2)

    def test_without_prefetch_every_all_gather_is_exposed(self) -> None:
        blocks = [unit(forward=2, backward=4, all_gather=1)] * 3
        made = simulate(blocks, root=unit(), optimizer=0, prefetches=False)
        assert made.step_time_s == 18 + 6

    def test_without_overlap_computation_waits_for_everything(self) -> None:
        blocks = [unit(forward=2, backward=4, all_gather=1, reduce_scatter=3)] * 2
        made = simulate(blocks, root=unit(all_gather=1, reduce_scatter=1), optimizer=1, overlaps=False)
        assert made.step_time_s == 12 + (1 + 2 + 2) + (6 + 1) + 1

    def test_blocks_that_stay_unsharded_are_gathered_once(self) -> None:
        blocks = [unit(forward=2, backward=4, all_gather=1)] * 3
        made = simulate(blocks, root=unit(), optimizer=0, reshards_after_forward=False)
        assert made.step_time_s == 1 + 6 + 12
        assert made.busy_s("all_gather") == 3

    def test_a_slow_network_sets_the_pace(self) -> None:
        blocks = [unit(forward=1, backward=1, all_gather=5)] * 3
        made = simulate(blocks, root=unit(), optimizer=0)
        # Forward: 15 of gathers and the last block. Backward: 15 more and the first block.
        assert made.step_time_s == 15 + 1 + 15 + 1

    def test_the_last_reduction_is_exposed_and_the_optimizer_waits(self) -> None:
        made = simulate([unit(backward=4, reduce_scatter=3)], root=unit(), optimizer=1)
        assert made.step_time_s == 4 + 3 + 1

    def test_a_block_waits_for_the_reduction_two_blocks_before_it_hands_in_its_own(self) -> None:
        made = simulate([unit(backward=1, reduce_scatter=5)] * 3, root=unit(), optimizer=0)
        assert made.step_time_s == 1 + 15

    def test_collectives_run_one_after_another_in_the_order_of_issue(self) -> None:
        blocks = [unit(forward=1, backward=2, all_gather=1, reduce_scatter=1)] * 4
        made = simulate(blocks, root=unit(), optimizer=0)
        busy = [e for e in made.events if e.kind in ("all_gather", "reduce_scatter")]
        assert all(a.end <= b.start for a, b in itertools.pairwise(busy))

    def test_computation_slows_only_while_the_network_is_busy(self) -> None:
        blocks = [unit(forward=4, all_gather=1), unit(forward=4, all_gather=2)]
        free = simulate(blocks, root=unit(), optimizer=0)
        slowed = simulate(blocks, root=unit(), optimizer=0, contention=0.5)
        # Beside the second block's gather of 2, the first computes 1 instead of 2. Backward: two gathers, no
        # work.
        assert slowed.step_time_s - free.step_time_s == pytest.approx(1)

    def test_each_accumulated_pass_gathers_and_reduces(self) -> None:
        blocks = [unit(forward=2, backward=4, all_gather=1, reduce_scatter=1)] * 2
        made = simulate(blocks, root=unit(), optimizer=3, num_accumulation=3)
        assert made.busy_s("all_gather") == 3 * 4
        assert made.busy_s("reduce_scatter") == 3 * 2
        assert made.busy_s("optimizer") == 3

    def test_recomputation_adds_a_forward_pass(self) -> None:
        plain = simulate([unit(forward=2, backward=4)] * 2, root=unit(), optimizer=0)
        again = simulate([unit(forward=2, backward=4, recompute=2)] * 2, root=unit(), optimizer=0)
        assert again.step_time_s - plain.step_time_s == 4


HALF = Constants(0.5, 0.5, 0.5, 0.25, 1.0)
PEAKS = Ceilings(100e12, 200e12, 1e12)


class TestCompute:
    def test_a_large_product_is_bound_by_its_work(self) -> None:
        # 2 · 8192³ at 50 TFLOP/s.
        assert ComputeModel(PEAKS, HALF).matmul(8192, 8192, 8192) == pytest.approx(2 * 8192**3 / 50e12)

    def test_a_thin_product_is_bound_by_its_bytes(self) -> None:
        # One token: the matrix is read once, 2 bytes a value, at 0.5 TB/s.
        made = ComputeModel(PEAKS, HALF).matmul(1, 8192, 8192)
        assert made == pytest.approx(2 * (8192 + 8192**2 + 8192) / 0.5e12)

    def test_early_attention_has_a_rate_of_its_own(self) -> None:
        compute = ComputeModel(PEAKS, HALF)
        assert compute.attention(1e12, is_early=True) == 2 * compute.attention(1e12, is_early=False)

    def test_checkpointing_costs_what_it_runs_again(self) -> None:
        setup = TrainingSetup(find_shape("llama3-8b"), 1, 8192)
        compute = ComputeModel(PEAKS, HALF)
        full = compute.block(replace(setup, activation_checkpointing="full"))
        selective = compute.block(replace(setup, activation_checkpointing="selective"))
        assert compute.block(setup).recompute == 0
        assert full.recompute == full.forward
        assert 0 < selective.recompute < 0.6 * full.recompute

    def test_a_compiler_only_removes_traffic(self) -> None:
        setup = TrainingSetup(find_shape("llama3-8b"), 1, 8192)
        compute = ComputeModel(PEAKS, HALF)
        eager, compiled = compute.block(setup), compute.block(replace(setup, is_compiled=True))
        assert compiled.forward < eager.forward
        assert compute.block(replace(setup, is_compiled=True, is_float8=True)).forward < compiled.forward


class TestMemory:
    def test_state_is_sixteen_bytes_a_parameter_over_the_ranks(self) -> None:
        setup = TrainingSetup(find_shape("llama3-70b"), 1, 1)
        one, many = (peak_memory(setup, topology=topology(n)) for n in (8, 64))
        states = [p.sharded_parameters + p.optimizer_state + p.gradients for p in (one, many)]
        assert states[0] == pytest.approx(16 * 70_553_706_496 / 8)
        assert states[0] / states[1] == pytest.approx(8, rel=1e-6)

    def test_selective_checkpointing_keeps_the_products_it_does_not_repeat(self) -> None:
        setup = TrainingSetup(find_shape("llama2-7b"), 8, 2048, activation_checkpointing="selective")
        # Block input, attention's output; of seven products the first, third, fifth and last.
        assert saved_bytes_per_token(setup) == 2 * (4096 + 4096) + 2 * (4096 + 4096 + 11008 + 4096)

    def test_a_compiler_keeps_no_product_that_no_gradient_needs(self) -> None:
        setup = TrainingSetup(find_shape("llama3-8b"), 2, 8192, activation_checkpointing="selective")
        eager, compiled = (saved_bytes_per_token(replace(setup, is_compiled=c)) for c in (False, True))
        # The block's output, added to the stream: bfloat16 of width 4096.
        assert eager - compiled == 2 * 4096

    def test_a_block_without_checkpointing_keeps_what_it_saves_for_backward(self) -> None:
        setup = TrainingSetup(find_shape("llama3-8b"), 1, 8192)
        # Two norms of 8 bytes a channel; q, k and v for all heads, and attention's output; four of the width.
        assert saved_bytes_per_token(setup) == 2 * 8 * 4096 + 4 * 2 * 4096 + 4 * 2 * 14336

    def test_pools_by_hand(self) -> None:
        setup = TrainingSetup(find_shape("llama3-8b"), 2, 8192, activation_checkpointing="selective")
        pools = segments(setup, topology=topology(8))
        root, block = 2 * 128256 * 4096 + 4096, 218_112_000
        shard = (root + 32 * block) / 8
        assert pools.state == 12 * shard
        assert pools.gradients == 4 * shard
        # The root's parameters in bfloat16 are more than two blocks'.
        assert pools.gathered == 2 * root
        kept = 2 * 8192 * 32 * (8 * 4096 + 2 * 1024 + 2 * 14336)
        loss = 2 * 8192 * 128256 * 12
        assert pools.passing == kept + loss + 2 * root
        assert MemoryOverhead(1.5, 0.1).reserved(pools) == (
            pools.state + pools.gradients + pools.gathered + 1.5 * pools.passing
        )

    def test_logits_that_the_trainer_holds_live_beside_the_loss(self) -> None:
        setup = TrainingSetup(find_shape("llama2-7b"), 8, 2048, activation_checkpointing="full")
        held = replace(setup, keeps_float32_logits=True)
        first, second = (segments(s, topology=topology(8)).passing for s in (setup, held))
        assert second - first == 4 * 8 * 2048 * 32000

    def test_a_rank_alone_gathers_nothing(self) -> None:
        assert segments(TrainingSetup(find_shape("tiny"), 1, 128), topology=topology(1)).gathered == 0

    @pytest.mark.parametrize("name", SHAPES)
    @pytest.mark.parametrize("checkpointing", ["none", "selective", "alternate", "full"])
    @pytest.mark.parametrize("ranks", [1, 8, 16384])
    def test_pools_hold_what_is_allocated(self, name: str, checkpointing: Checkpointing, ranks: int) -> None:
        for batch, sequence in ((1, 1), (4, 2048)):
            for resharding in (True, False):
                setup = TrainingSetup(
                    find_shape(name),
                    batch,
                    sequence,
                    activation_checkpointing=checkpointing,
                    reshards_after_forward=resharding,
                )
                at = topology(ranks)
                held = MemoryOverhead(1.0, 0.0).reserved(segments(setup, topology=at))
                assert held >= peak_memory(setup, topology=at).allocated

    @pytest.mark.parametrize(
        ("name", "batch", "sequence", "checkpointing", "ranks", "tracked_gib"),
        [
            # PyTorch's FSDP memory tracker on fake tensors, 2.13.
            ("llama2-7b", 8, 2048, "full", 8, 20.3),
            ("llama2-7b", 8, 2048, "selective", 8, 47.1),
            # 115.4, less what RMSNorm keeps more on a CPU: two bytes a channel, two norms, 32 blocks.
            ("llama2-7b", 8, 2048, "none", 8, 115.4 - 2 * 2 * 32 * 4096 * 8 * 2048 / GIB),
            ("llama3-8b", 2, 8192, "selective", 8, 68.35),
            ("llama3-8b", 2, 8192, "selective", 128, 57.83),
            ("llama3-8b", 1, 8192, "full", 8, 27.23),
            ("llama3-8b", 1, 8192, "none", 8, 81.27 - 2 * 2 * 32 * 4096 * 8192 / GIB),
            ("llama3-70b", 1, 8192, "full", 64, 39.43),
            ("llama3-70b", 1, 8192, "full", 512, 28.62),
            ("minillm", 8, 1024, "none", 1, 19.68),
            ("minillm", 8, 1024, "none", 4, 13.51),
            ("minillm", 8, 1024, "none", 64, 11.59),
        ],
    )
    def test_allocated_is_within_three_percent_of_the_tracker(  # noqa: PLR0917
        self, name: str, batch: int, sequence: int, checkpointing: str, ranks: int, tracked_gib: float
    ) -> None:
        setup = TrainingSetup(find_shape(name), batch, sequence, activation_checkpointing=checkpointing)  # type: ignore[arg-type]
        made = peak_memory(setup, topology=topology(ranks)).allocated / GIB
        assert made == pytest.approx(tracked_gib, rel=0.03)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("batch_per_rank", 0),
        ("sequence_length", -1),
        ("num_accumulation", 2**30),
        ("activation_checkpointing", "some"),
        ("param_dtype", "float16"),
    ],
)
def test_a_setup_that_means_nothing_is_refused(field: str, value: object) -> None:
    values = {"shape": SHAPES["tiny"], "batch_per_rank": 1, "sequence_length": 1, field: value}
    with pytest.raises(UsageError):
        TrainingSetup(**values)  # type: ignore[arg-type]
