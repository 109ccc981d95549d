"""Peak memory of one rank by fake tensors: any world size, no hardware, nothing allocated.

``python -m bench_lib.fsdp2.tracking`` reads one request as JSON on standard input and prints the answer.
It is a process of its own: a fake process group is state that no caller should hold.

PyTorch's own trackers do the book-keeping
(:class:`torch.distributed._tools.fsdp2_mem_tracker.FSDPMemTracker`). What they cannot see is not in the
figures: the caching allocator's rounding and fragmentation, NCCL's and cuBLAS's work space, the CUDA context.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.distributed._tools.fsdp2_mem_tracker import FSDPMemTracker
from torch.distributed._tools.mem_tracker import MemTracker, _MemRefType
from torch.distributed.fsdp import FSDPModule
from torch.testing._internal.distributed.fake_pg import FakeStore

from bench_lib.errors import BenchLibError, UnavailableError, UsageError
from bench_lib.fsdp2 import sharding, training, variants, workloads
from bench_lib.fsdp2.owners import OWNERS
from bench_lib.fsdp2.workloads import Preset

#: PyTorch's category → ours. Those of both trackers.
_OWNER_OF = {
    "Sharded Param": "sharded_parameters",
    "Unsharded Param": "unsharded_parameters",
    "Parameter": "unsharded_parameters",
    "Sharded Grad": "sharded_gradients",
    "Unsharded Grad": "unsharded_gradients",
    "Gradient": "unsharded_gradients",
    "Activation": "activations",
    "Temp": "temporaries",
    "All Gather": "communication",
    "Reduce Scatter": "communication",
    "OptState": "optimizer_state",
    "Optstate": "optimizer_state",
    "Inputs": "inputs",
    "Other": "inputs",
    "Buffer": "inputs",
}

#: What each of the caching allocator's pools holds, as ``step_model.peak_memory.Segments`` has them. What is
#: named in none comes and goes on the compute stream.
_POOL_OF_SHARDED = {
    "Sharded Param": "pool_state",
    "OptState": "pool_state",
    "Sharded Grad": "pool_gradients",
    "All Gather": "pool_gathered",
}
#: Whole parameters stay, and so do DDP's buckets; one device alone frees its gradients after each step.
_POOL_OF_SINGLE = {"Parameter": "pool_state", "Optstate": "pool_state"}
_POOL_OF_DDP = {**_POOL_OF_SINGLE, "Gradient": "pool_gradients"}
POOLS = ("pool_state", "pool_gradients", "pool_gathered", "pool_passing")

Moment = dict[str, int]


class _Moments:
    """Peaks of every stretch of a step, kept apart: each grows with the number of layers in its own line.

    Mixed into a tracker. A stretch is the forward pass, the optimizer's step, or the backward pass between
    two blocks' ends, counted from its start and from its end. Owners are those at the stretch's peak; each
    pool has a peak of its own, which may be at another moment.
    """

    pool_of: Mapping[str, str]
    peaks: dict[str, Moment]
    pools: dict[str, Moment]
    num_blocks: int
    blocks_done: int

    def begin(self, num_blocks: int, *, pool_of: Mapping[str, str]) -> None:
        self.peaks, self.pools, self.pool_of = {}, {}, pool_of
        self.num_blocks, self.blocks_done = num_blocks, 0

    def stretches(self) -> dict[str, Moment]:
        """Bytes of each stretch: by owner, in ``total`` and by pool."""
        return {name: peak | self.pools[name] for name, peak in self.peaks.items()}

    def _update_peak_stats(self, peak_state: object) -> None:
        tracker: Any = self
        now = tracker._curr_mem_snap.get(torch.device("cpu"))
        if now is None:
            return
        if tracker._in_opt:
            stretch = "optimizer"
        elif not tracker._mod_tracker.is_bw:
            stretch = "forward"
        elif self.blocks_done <= self.num_blocks // 2:
            stretch = f"backward, {self.blocks_done} blocks done"
        else:
            stretch = f"backward, {self.num_blocks - self.blocks_done} blocks left"
        if now["Total"] > self.peaks.get(stretch, {"total": -1})["total"]:
            self.peaks[stretch] = _by_owner(now)
        held = self.pools.setdefault(stretch, dict.fromkeys(POOLS, 0))
        for pool, num_bytes in _by_pool(now, self.pool_of).items():
            held[pool] = max(held[pool], num_bytes)


def _by_owner(snapshot: dict[Any, int]) -> Moment:
    made = dict.fromkeys(("total", *OWNERS), 0)
    for category, num_bytes in snapshot.items():
        owner = _OWNER_OF.get(getattr(category, "value", category), "total")
        made[owner] += num_bytes
    return made


def _by_pool(snapshot: dict[Any, int], pool_of: Mapping[str, str]) -> Moment:
    made = dict.fromkeys(POOLS, 0)
    for category, num_bytes in snapshot.items():
        name = getattr(category, "value", category)
        if name in _OWNER_OF:
            made[pool_of.get(name, "pool_passing")] += num_bytes
    return made


class _Sharded(_Moments, FSDPMemTracker):  # type: ignore[no-untyped-call]
    """Of a model under `fully_shard`."""


class _Whole(_Moments, MemTracker):  # type: ignore[no-untyped-call]
    """Of a model that each rank holds whole."""


def _require_trackable(name: str, variant: variants.Variant) -> None:
    for field, why in (
        ("compile", "compiled graphs plan their own memory"),
        ("cpu_offload", "the tracker knows one device"),
        ("fp8_all_gather", "float8 tensors are no plain tensors"),
    ):
        if getattr(variant, field):
            raise UnavailableError("not-trackable", f"variant {name!r} cannot be tracked: {why}.")


def track(
    preset: Preset, *, variant_name: str, num_ranks: int, param_dtype: str, foreach: bool
) -> dict[str, Moment]:
    """Peak of each stretch of one step of rank 0, in bytes by owner, in ``total`` and by pool.

    Raises
    ------
    UsageError
        The variant does not divide into the ranks or the batch.
    UnavailableError
        It cannot be tracked.
    """
    variant = variants.find(variant_name)
    variants.require_ranks(variant_name, num_ranks=num_ranks)
    variants.require_batch(variant_name, batch_per_rank=preset.batch_per_rank)
    _require_trackable(variant_name, variant)
    dtype: torch.dtype = getattr(torch, param_dtype)
    device = torch.device("cpu")
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=num_ranks)
    if variant.parallelism == "fsdp":
        # Before fake tensors: a mesh reads its own ranks, those that `fully_shard` makes as well.
        mesh = sharding.make_mesh(variant, num_ranks=num_ranks, device_type="cpu")
        with torch.device("meta"):
            model = preset.build()
        blocks = preset.blocks(model)
        sharding.shard(model, blocks, variant=variant, mesh=mesh, param_dtype=dtype)
    with FakeTensorMode(allow_non_fake_inputs=True):
        if variant.parallelism == "fsdp":
            model.to_empty(device=device)
        else:
            with device:
                model = preset.build()
            blocks = preset.blocks(model)
            sharding.apply_checkpointing(blocks, variant)
        optimizer = training.make_optimizer(model, foreach=foreach)
        shape = (preset.batch_per_rank, preset.sequence_length)
        batch = (torch.zeros(shape, dtype=torch.int64), torch.zeros(shape, dtype=torch.int64))
        context = sharding.autocast(variant, device_type="cpu", param_dtype=dtype)
        run = training.Training(
            preset, model, optimizer, [batch], lambda phase, step: None, [], variant, context
        )
        parts = _Parts(variant)
        buckets = _reduce_like_ddp(model, parts) if variant.parallelism == "ddp" else []

        def begin_part() -> Any:
            parts.begin()
            return context()

        run.context = begin_part
        # Untracked: the first step counts DTensor's own propagation of shardings, at global shapes.
        run.step(0)
        optimizer.zero_grad()
        run.losses.clear()
        tracker = _tracker(model, optimizer, batch)
        for bucket in buckets:
            tracker._update_and_maybe_create_winfos(bucket, _MemRefType.GRAD)
        pool_of = {"fsdp": _POOL_OF_SHARDED, "ddp": _POOL_OF_DDP, "single": _POOL_OF_SINGLE}
        tracker.begin(len(blocks), pool_of=pool_of[variant.parallelism])
        for block in blocks:
            _count_backward(block, tracker)

        def forward_context() -> Any:
            # The tracker refuses a second forward pass of a step unless it forgets the first.
            tracker.reset_mod_stats()
            tracker.blocks_done = 0
            return begin_part()

        run.context = forward_context
        with tracker:
            run.step(0)
    made: dict[str, Moment] = tracker.stretches()
    return made


class _Parts:
    """Which micro-batch of a step runs, and whether gradients are reduced after it."""

    def __init__(self, variant: variants.Variant) -> None:
        self._variant = variant
        self._number = -1

    def begin(self) -> None:
        self._number = (self._number + 1) % self._variant.num_micro_batches

    @property
    def reduces(self) -> bool:
        is_last = self._number == self._variant.num_micro_batches - 1
        return is_last or self._variant.sync_each_micro_batch


def _reduce_like_ddp(model: nn.Module, parts: _Parts) -> list[torch.Tensor]:
    """Have gradients move into buckets as DDP's reducer does; returns the buckets.

    The reducer is C++ that fake tensors cannot pass, so the model is tracked without it. Buckets stay all the
    time. A gradient becomes a view of its bucket where it is reduced; until then, without synchronisation, it
    lies beside it.
    """
    buckets: dict[torch.Tensor, torch.Tensor] = {p: torch.zeros_like(p) for p in model.parameters()}

    def reduce(parameter: torch.Tensor) -> None:
        gradient, bucket = parameter.grad, buckets[parameter]
        if parts.reduces and gradient is not None and gradient is not bucket:
            bucket.copy_(gradient)
            parameter.grad = bucket

    for parameter in buckets:
        parameter.register_post_accumulate_grad_hook(reduce)  # type: ignore[no-untyped-call]
    return list(buckets.values())


def _tracker(
    model: nn.Module, optimizer: torch.optim.Optimizer, batch: training.Batch
) -> Any:  # a tracker mixed with _Moments
    if isinstance(model, FSDPModule):
        sharded = _Sharded(model, optimizer)
        sharded.track_inputs(batch)
        return sharded
    whole = _Whole()
    whole.track_external(model, optimizer, *batch)
    return whole


def _count_backward(block: nn.Module, tracker: Any) -> None:
    def done(*unused: Any) -> None:
        tracker.blocks_done += 1

    if isinstance(block, FSDPModule):
        group = block._get_fsdp_state()._fsdp_param_group
        assert group is not None
        after = group.post_backward

        def post_backward(*unused: Any) -> None:
            after(*unused)
            done()

        group.post_backward = post_backward  # type: ignore[method-assign]
    else:
        block.register_full_backward_hook(done)


def facts(preset: Preset) -> dict[str, int | None]:
    """What a preset says of itself."""
    with torch.device("meta"):
        model = preset.build()
    return {
        "batch_per_rank": preset.batch_per_rank,
        "sequence_length": preset.sequence_length,
        "num_layers": getattr(preset, "num_layers", None),
        "num_parameters": sum(p.numel() for p in model.parameters()),
    }


def flop(preset: Preset, *, variant: variants.Variant) -> dict[str, float]:
    """FLOP of forward and backward on one rank: the model's, and with what checkpointing repeats.

    Counted on the meta device. Of matrix products and attention; attention under a causal mask counts whole.
    """
    from torch.utils.flop_counter import FlopCounterMode

    made: dict[str, float] = {}
    tokens = torch.zeros(preset.batch_per_rank, preset.sequence_length, dtype=torch.int64, device="meta")
    for name, checkpointing in (("model", False), ("hardware", True)):
        with torch.device("meta"):
            model = preset.build()
        if checkpointing:
            sharding.apply_checkpointing(preset.blocks(model), variant)
        with FlopCounterMode(display=False) as counter:
            preset.loss(model, (tokens, tokens)).backward()  # type: ignore[no-untyped-call]
        made[name] = float(counter.get_total_flops())
    return made


def main() -> int:
    """Answer one request."""
    request = json.load(sys.stdin)
    try:
        preset = workloads.resized(
            workloads.find(request["preset"]),
            batch_per_rank=request["batch_per_rank"],
            sequence_length=request["sequence_length"],
            num_layers=request["num_layers"],
        )
        answer: dict[str, Any]
        if request["wanted"] == "facts":
            answer = {"facts": facts(preset)}
        elif request["wanted"] == "flop":
            answer = {"flop": flop(preset, variant=variants.find(request["variant"]))}
        else:
            peaks = track(
                preset,
                variant_name=request["variant"],
                num_ranks=request["num_ranks"],
                param_dtype=request["param_dtype"],
                foreach=request["foreach"],
            )
            answer = {"peaks": peaks}
    except BenchLibError as error:
        kind = "usage" if isinstance(error, UsageError) else "unavailable"
        answer = {"error": str(error), "kind": kind}
        if isinstance(error, UnavailableError):
            answer |= {"code": error.code, "error": error.detail, "remedy": error.remedy}
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
