"""How much memory a rank will need, before one is started.

A bound to refuse what cannot fit, not a result: it is never stored or shown as a measurement.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

from bench_lib.errors import UnavailableError
from bench_lib.fsdp2 import sharding
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.variants import Variant
from bench_lib.fsdp2.workloads import Preset
from bench_lib.units import format_value

#: Interpreter and libraries of one rank's process on a CPU (measured: 300 to 350 MiB, mostly shared).
PROCESS_BYTES = 150 * 1024**2


def _num_parameters(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


def saved_for_backward_bytes(preset: Preset, model: nn.Module, *, num_micro_batches: int = 1) -> int:
    """Bytes that autograd keeps between forward and backward of one micro-batch, parameters left out.

    The largest of them counts twice: its gradient exists before it is released.

    The model runs once on fake tensors: shapes only, no memory and no arithmetic. (The meta device
    would take attention's unfused kernel, which keeps the whole score matrix.)
    """
    kept: dict[int, tuple[Any, int]] = {}
    owned = {p.untyped_storage()._cdata for p in model.parameters()}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage._cdata not in owned:
            # The storage is kept so that its address is not reused and counted once for two.
            kept[storage._cdata] = (storage, storage.nbytes())
        return tensor

    shape = (preset.batch_per_rank // num_micro_batches, preset.sequence_length)
    tokens = torch.empty(shape, dtype=torch.int64)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        preset.loss(model, (tokens, tokens))
    sizes = [size for _, size in kept.values()]
    return sum(sizes) + max(sizes, default=0)


def _saved(preset: Preset, model: nn.Module, variant: Variant) -> int:
    """What is saved under the variant's checkpointing."""
    parts = variant.num_micro_batches
    everything = saved_for_backward_bytes(preset, model, num_micro_batches=parts)
    if variant.checkpointing == "none":
        return everything
    blocks = preset.blocks(model)
    sharding.apply_checkpointing(blocks, Variant(checkpointing="full"))
    at_borders = saved_for_backward_bytes(preset, model, num_micro_batches=parts)
    inside = everything - at_borders
    kept = 0 if variant.checkpointing == "full" else inside // 2
    return at_borders + kept + inside // max(1, len(blocks))


def peak_bytes(
    preset: Preset,
    *,
    num_ranks: int,
    param_dtype: str,
    variant: Variant = Variant(),  # noqa: B008
) -> int:
    """Estimated peak of one rank's allocator, in bytes.

    The larger of two moments. Start of the backward pass: sharded parameters and AdamW's moments in float32
    (12 bytes a parameter over all ranks), the unsharded root and two blocks, and what autograd saves.
    Its end: gradients in place of activations (16 bytes), and the root's gradient before it is reduced.
    """
    dtype: torch.dtype = getattr(torch, param_dtype)
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with FakeTensorMode():
            model = preset.build()
            saved = _saved(preset, model, variant)
    finally:
        torch.set_default_dtype(before)
    blocks = [_num_parameters(b) for b in preset.blocks(model)]
    total = _num_parameters(model)
    root = total - sum(blocks)
    shard = -(-total // variant.shard_size(num_ranks))
    if variant.parallelism != "fsdp":
        # Gradients (and DDP's buckets, the same memory) stay through the step.
        return 16 * shard + total * dtype.itemsize + saved
    if variant.reshard_after_forward is True:
        gathered = (root + 2 * max(blocks, default=0)) * dtype.itemsize
    else:
        gathered = total * dtype.itemsize
    reducing = max([*blocks, root]) * (dtype.itemsize + 4)
    held = 0 if variant.cpu_offload else 12
    return max(held * shard + gathered + saved, (held + 4) * shard + gathered + reducing)


def available_bytes() -> int:
    """Memory that new processes can have on this host, or in this control group if that is less."""
    available = int(psutil.virtual_memory().available)
    limit, used = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
    if limit.is_file() and used.is_file():
        text = limit.read_text(encoding="ascii").strip()
        if text.isdigit():
            available = min(available, int(text) - int(used.read_text(encoding="ascii")))
    return available


def ranks_text(number: int) -> str:
    """``1 rank``, ``2 ranks``."""
    return "1 rank" if number == 1 else f"{number} ranks"


def free_gpu_bytes() -> int:
    """Free memory of the first GPU, asked of a process that ends: a context here would take some of it."""
    code = "import torch; print(torch.cuda.mem_get_info()[0])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise UnavailableError("gpu-unusable", f"CUDA does not start: {last}.", remedy="Pass --device cpu.")
    return int(done.stdout)


def require_memory(needed: int, *, config: RunConfig, preset: Preset, device_type: str) -> None:
    """Refuse a group that cannot fit.

    Raises
    ------
    UnavailableError
        With code ``not-enough-memory``: what it needs, what there is, and what would fit.
    """
    ranks = config.ranks_per_node
    if device_type == "cuda":
        ranks_here, available = 1, free_gpu_bytes()
        where = "on each GPU"
    else:
        ranks_here, available = ranks, available_bytes()
        needed += PROCESS_BYTES
        where = "on this host"
    if needed * ranks_here > available:
        a_rank, together, there = (
            format_value(size, "B", digits=3) for size in (needed, needed * ranks_here, available)
        )
        raise UnavailableError(
            "not-enough-memory",
            f"preset {preset.name} on {ranks_text(config.num_ranks)} needs about {a_rank} a rank, "
            f"{together} {where}; {there} are available.",
            remedy="Choose a smaller preset, or spread the ranks over more nodes.",
        )
