"""Put the parts together: a setup, a device and a topology in; the timeline of one step out."""

from __future__ import annotations

from dataclasses import dataclass

from bench_lib.fsdp2.step_model.collectives import CollectiveModel
from bench_lib.fsdp2.step_model.compute import ComputeModel
from bench_lib.fsdp2.step_model.schedule import Message, Timeline, Unit, simulate
from bench_lib.fsdp2.step_model.setup import TrainingSetup
from bench_lib.fsdp2.step_model.topology import Topology


@dataclass(frozen=True)
class Machine:
    """What a step runs on.

    ``overlaps`` is false where a collective keeps the computing thread (gloo on a CPU).
    """

    compute: ComputeModel
    collectives: CollectiveModel
    topology: Topology
    overlaps: bool = True
    contention: float = 0.0


def timeline(setup: TrainingSetup, *, machine: Machine, prefetches: bool = True) -> Timeline:
    """One step of ``setup`` on ``machine``."""
    shape = setup.shape
    shard_group, replica_group = machine.topology.split(setup.num_replicas)
    compute = machine.compute
    times = compute.block(setup)

    def unit(parameters: int, forward: float, backward: float, recompute: float) -> Unit:
        gathered = parameters * setup.compute_bytes
        reduced = parameters * setup.reduce_bytes
        shards = shard_group.num_ranks
        alone = shards == 1
        return Unit(
            forward=forward,
            backward=backward,
            recompute=recompute,
            all_gather=machine.collectives.all_gather(gathered, group=shard_group),
            reduce_scatter=machine.collectives.reduce_scatter(reduced, group=shard_group),
            all_reduce=machine.collectives.all_reduce(reduced / shards, group=replica_group),
            # The shard is read in float32 and written in the gathered type.
            copy_in=compute.move(parameters / shards * (4 + setup.compute_bytes)),
            copy_out=0.0 if alone else compute.move(2 * gathered),
            reduce_copy=compute.move(gathered + reduced),
            messages={
                "all_gather": Message(gathered, shards),
                "reduce_scatter": Message(reduced, shards),
                "all_reduce": Message(reduced / shards, replica_group.num_ranks),
            },
        )

    blocks = [
        unit(
            shape.block_parameters,
            times.forward,
            times.backward,
            times.recompute
            if setup.activation_checkpointing == "selective" or setup.recomputes_block(index)
            else 0.0,
        )
        for index in range(shape.num_layers)
    ]
    root = unit(shape.root_parameters(setup.sequence_length), *compute.head(setup), 0.0)
    total = shape.num_parameters(setup.sequence_length)
    return simulate(
        blocks,
        root=root,
        optimizer=compute.optimizer(total / shard_group.num_ranks),
        num_accumulation=setup.num_accumulation,
        reshards_after_forward=setup.reshards_after_forward,
        overlaps=machine.overlaps,
        prefetches=prefetches,
        contention=machine.contention,
    )
