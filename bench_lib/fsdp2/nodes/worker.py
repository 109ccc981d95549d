"""What a rank on a node does: collectives of rising sizes, then training steps. Started by ``torchrun``.

``python -m torch.distributed.run … -m bench_lib.fsdp2.nodes.worker DIRECTORY``
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import msgspec
import torch
import torch.distributed as dist

from bench_lib.clocks import HostClock
from bench_lib.files import write_whole
from bench_lib.fsdp2 import training, workloads
from bench_lib.fsdp2.nodes.work import CONFIG, RESULT, NodesWork, order, phase_file
from bench_lib.fsdp2.variants import Variant
from bench_lib.sampling import Plan, collect

SMALLEST_BYTES: Final = 4096
CALLS_ON_END: Final = 4


def _await_shape(directory: Path, *, round_: int, shape: int, timeout_s: float) -> None:
    if dist.get_rank() == 0:
        write_whole(phase_file(directory, round_=round_, shape=shape, done=False), "")
        ready = phase_file(directory, round_=round_, shape=shape, done=True)
        deadline = time.monotonic() + timeout_s
        while not ready.exists():
            if time.monotonic() > deadline:
                raise TimeoutError(f"the links did not change within {timeout_s:g} s")
            time.sleep(0.01)
    dist.barrier()


def _timed(operation: Callable[[], object], *, samples: int) -> list[float]:
    """Seconds of a call, the slowest rank's: the mean of several on end, as a step sends them.

    Ranks leave a barrier one after another. Behind each single call that would count as its time.
    """
    operation()
    times = []
    for _ in range(samples):
        dist.barrier()
        started = time.perf_counter()
        for _ in range(CALLS_ON_END):
            operation()
        times.append((time.perf_counter() - started) / CALLS_ON_END)
    slowest = torch.tensor(times, dtype=torch.float64)
    dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
    return [float(t) for t in slowest]


def sweep(sizes: Sequence[int], *, samples: int) -> dict[str, list[list[float]]]:
    """``{"all_gather": [[bytes, seconds…], …], "reduce_scatter": …}``, float32, bytes of the whole tensor."""
    ranks = dist.get_world_size()
    found: dict[str, list[list[float]]] = {"all_gather": [], "reduce_scatter": []}
    for size in sizes:
        count = max(1, size // 4 // ranks)
        part, whole = torch.ones(count), torch.ones(count * ranks)

        def gather(whole: torch.Tensor = whole, part: torch.Tensor = part) -> None:
            dist.all_gather_into_tensor(whole, part)

        def scatter(whole: torch.Tensor = whole, part: torch.Tensor = part) -> None:
            dist.reduce_scatter_tensor(part, whole)

        for name, operation in (("all_gather", gather), ("reduce_scatter", scatter)):
            times = _timed(operation, samples=samples)
            found[name].append([float(count * ranks * 4), *times])
    return found


class Steps:
    """A model that trains on from phase to phase."""

    def __init__(self, work: NodesWork) -> None:
        self.preset = workloads.find(work.preset)
        self.seed = work.seed
        self.model = training.make_model(
            self.preset,
            variant=Variant(),
            num_ranks=dist.get_world_size(),
            param_dtype=torch.float32,
            device=torch.device("cpu"),
            seed=work.seed,
        )
        self.optimizer = training.make_optimizer(self.model)
        self.taken = 0

    def group_parameters(self) -> list[int]:
        """Parameters of each block, then of the root: what one all-gather moves."""
        blocks = [sum(p.numel() for p in b.parameters()) for b in self.preset.blocks(self.model)]
        return [*blocks, sum(p.numel() for p in self.model.parameters()) - sum(blocks)]

    def timed(self, number: int, *, warmup: int) -> list[float]:
        """Seconds of each step, the slowest rank's."""
        rank = dist.get_rank()
        indices = range(self.taken, self.taken + warmup + number)
        self.taken += warmup + number
        batches = [training.make_batch(self.preset, seed=self.seed, step=s, rank=rank) for s in indices]
        run = training.Training(
            self.preset, self.model, self.optimizer, batches, lambda what, index: None, []
        )
        plan = Plan(num_samples=number, num_warmup=warmup)
        samples = collect(run.step, clock=HostClock(), plan=plan, before_samples=dist.barrier)
        slowest = torch.tensor(list(samples), dtype=torch.float64)
        dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
        return [float(t) for t in slowest]


def main(argv: list[str]) -> None:
    """Run the work in ``DIRECTORY``; rank 0 writes the result there."""
    directory = Path(argv[0])
    work = msgspec.json.decode((directory / CONFIG).read_bytes(), type=NodesWork)
    torch.set_num_threads(1)
    dist.init_process_group("gloo", timeout=timedelta(seconds=work.timeout_s))
    steps = Steps(work)
    steps.timed(1, warmup=max(0, work.num_warmup - 1))
    groups = steps.group_parameters()
    # Sizes around those that the step sends, and one that only latency counts for.
    sizes = sorted({SMALLEST_BYTES, *(4 * g * f // 4 for g in set(groups) for f in (1, 4, 8))})
    phases: list[dict[str, Any]] = []
    for round_ in range(work.num_rounds):
        for shape in order(work.num_shapes, round_=round_):
            _await_shape(directory, round_=round_, shape=shape, timeout_s=work.timeout_s)
            phases.append(
                {
                    "shape": shape,
                    "round": round_,
                    "step_time_s": steps.timed(work.steps_per_round, warmup=1),
                    **sweep(sizes, samples=work.sweep_samples),
                }
            )
    dist.barrier()
    dist.destroy_process_group()
    if int(os.environ["RANK"]) == 0:
        facts = {
            "torch": torch.__version__,
            "num_parameters": sum(groups),
            "group_parameters": groups,
            "batch_per_rank": steps.preset.batch_per_rank,
            "sequence_length": steps.preset.sequence_length,
        }
        write_whole(directory / RESULT, json.dumps({"phases": phases, "facts": facts}))


if __name__ == "__main__":
    main(sys.argv[1:])
