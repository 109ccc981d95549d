"""How a variant spreads a model: mesh, checkpointing, compilation, `fully_shard`, DDP.

Written as a user of FSDP2 would write it, so that what is timed is FSDP2 and not a harness.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import shutil
from collections.abc import Callable, Sequence
from typing import Any, cast

import torch
from torch import nn
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.fsdp import (
    CPUOffloadPolicy,
    FSDPModule,
    MixedPrecisionPolicy,
    OffloadPolicy,
    fully_shard,
)
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

from bench_lib.errors import UnavailableError
from bench_lib.fsdp2.variants import Variant

#: CUDA capability with float8 matrix units (Ada, Hopper).
_FP8_CAPABILITY = (8, 9)

_PRODUCTS = {torch.ops.aten.mm.default, torch.ops.aten.addmm.default, torch.ops.aten.bmm.default}
_ATTENTION = {
    torch.ops.aten._scaled_dot_product_flash_attention.default,
    torch.ops.aten._scaled_dot_product_efficient_attention.default,
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default,
    torch.ops.aten._scaled_dot_product_cudnn_attention.default,
}


def require_able(variant: Variant, *, device_type: str) -> None:
    """Refuse a variant that this machine cannot run.

    Raises
    ------
    UnavailableError
        With the reason, to be stored with a skip.
    """
    if variant.cpu_offload and device_type == "cpu":
        raise UnavailableError(
            "needs-gpu", "parameters of CPU ranks are on the host already, so there is nothing to offload."
        )
    compiler = os.environ.get("CXX") or next(filter(shutil.which, ("g++", "clang++")), None)
    if variant.compile and device_type == "cpu" and compiler is None:
        raise UnavailableError(
            "compiler-missing",
            "torch.compile on a CPU needs a C++ compiler, and there is no g++ or clang++.",
            remedy="Install one, or set CXX.",
        )
    if variant.fp8_all_gather:
        if device_type != "cuda" or torch.cuda.get_device_capability() < _FP8_CAPABILITY:
            raise UnavailableError(
                "needs-fp8", "float8 all-gathers need a GPU with float8 units (capability 8.9 or above)."
            )
        if importlib.util.find_spec("torchao") is None:
            raise UnavailableError(
                "torchao-missing", "float8 training needs torchao.", remedy="pip install torchao"
            )


def make_mesh(variant: Variant, *, num_ranks: int, device_type: str) -> DeviceMesh:
    """One dimension of shards; for HSDP a dimension of replicas before it."""
    if variant.replicate == 1:
        return init_device_mesh(device_type, (num_ranks,))
    shape = (variant.replicate, num_ranks // variant.replicate)
    return init_device_mesh(device_type, shape, mesh_dim_names=("replicate", "shard"))


def _selective_policy() -> Any:
    """A new policy a block: attention is kept, and every second matrix product."""
    count = {"products": 0, "again": 0}

    def policy(context: Any, operator: Any, *args: Any, **kwargs: Any) -> CheckpointPolicy:
        if operator in _ATTENTION:
            return CheckpointPolicy.MUST_SAVE
        if operator in _PRODUCTS:
            # Forward and recomputation count apart, so that both decide alike.
            key = "again" if context.is_recompute else "products"
            count[key] += 1
            if count[key] % 2:
                return CheckpointPolicy.MUST_SAVE
        return CheckpointPolicy.PREFER_RECOMPUTE

    return create_selective_checkpoint_contexts(policy)  # type: ignore[no-untyped-call]


def apply_checkpointing(blocks: Sequence[nn.Module], variant: Variant) -> None:
    """Have blocks recomputed in the backward pass, as the variant says."""
    if variant.checkpointing == "none":
        return
    settings: dict[str, Any] = {"use_reentrant": False}
    if variant.checkpointing == "selective":
        settings["context_fn"] = _selective_policy
    for block in blocks:
        # On the instance: FSDP2's hooks surround forward, so it gathers once for both.
        block.forward = functools.partial(checkpoint, block.forward, **settings)


def _apply_fp8(model: nn.Module) -> None:
    from torchao.float8 import Float8LinearConfig, convert_to_float8_training

    def wanted(module: nn.Module, name: str) -> bool:
        # torchao's own condition on shapes; the head stays in higher precision, as usual.
        return isinstance(module, nn.Linear) and "head" not in name and module.weight.shape[0] % 16 == 0

    config = Float8LinearConfig(enable_fsdp_float8_all_gather=True)
    convert_to_float8_training(model, config=config, module_filter_fn=wanted)


def shard(
    model: nn.Module,
    blocks: Sequence[nn.Module],
    *,
    variant: Variant,
    mesh: DeviceMesh,
    param_dtype: torch.dtype,
) -> None:
    """`fully_shard` each block, then the root, in place; then set its prefetching.

    Parameters stay in float32, sharded; they are gathered in ``param_dtype``, and gradients are reduced in
    float32.
    """
    if variant.fp8_all_gather:
        _apply_fp8(model)
    apply_checkpointing(blocks, variant)
    if variant.compile:
        for block in blocks:
            block.compile()
    policy = MixedPrecisionPolicy(param_dtype=param_dtype, reduce_dtype=torch.float32)
    offload = CPUOffloadPolicy() if variant.cpu_offload else OffloadPolicy()
    settings: dict[str, Any] = {"mesh": mesh, "mp_policy": policy, "offload_policy": offload}
    for block in blocks:
        fully_shard(block, reshard_after_forward=variant.reshard_after_forward, **settings)
    # The root's own parameters are needed first in the backward pass, so FSDP2's default keeps them.
    fully_shard(model, reshard_after_forward=False, **settings)
    _set_prefetch(cast(FSDPModule, model), cast(Sequence[FSDPModule], blocks), variant)


def _set_prefetch(root: FSDPModule, blocks: Sequence[FSDPModule], variant: Variant) -> None:
    if variant.async_unshard:
        root._set_unshard_async_op(True)
    ahead = variant.forward_prefetch
    if ahead:
        root.set_modules_to_forward_prefetch(list(blocks[:ahead]))
        for index, block in enumerate(blocks):
            block.set_modules_to_forward_prefetch(list(blocks[index + 1 : index + 1 + ahead]))
    back = variant.backward_prefetch
    if back is None:
        return
    for index, block in enumerate(blocks):
        # A list that names only the block itself gathers nothing; an empty one means FSDP2's default.
        earlier = list(reversed(blocks[max(0, index - back) : index]))
        block.set_modules_to_backward_prefetch(earlier or [block])
    last = list(reversed(blocks[max(0, len(blocks) - back) :])) if back else []
    root.set_modules_to_backward_prefetch(last or [root])


def spread_whole(
    model: nn.Module, blocks: Sequence[nn.Module], *, variant: Variant, device: torch.device
) -> nn.Module:
    """``model``, whole on ``device``, as DDP or alone."""
    apply_checkpointing(blocks, variant)
    if variant.compile:
        for block in blocks:
            block.compile()
    if variant.parallelism == "single":
        return model
    from torch.nn.parallel import DistributedDataParallel

    ids = [device.index] if device.type == "cuda" else None
    return DistributedDataParallel(model, device_ids=ids, gradient_as_bucket_view=True)


def autocast(variant: Variant, *, device_type: str, param_dtype: torch.dtype) -> Callable[[], Any]:
    """A new context for each forward pass: autocast for whole models, nothing for sharded ones."""
    enabled = variant.parallelism != "fsdp" and param_dtype != torch.float32
    return functools.partial(torch.autocast, device_type, dtype=param_dtype, enabled=enabled)
