"""The model, its sharding, its data and one training step: what every rank runs.

Written as a user of FSDP2 would write it, so that what is timed is FSDP2 and not a harness.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from torch.distributed.fsdp import FSDPModule
from torch.distributed.tensor import DTensor, distribute_tensor
from torch.nn.parallel import DistributedDataParallel

from bench_lib.fsdp2 import sharding
from bench_lib.fsdp2.variants import Variant
from bench_lib.fsdp2.workloads import Preset

LEARNING_RATE = 3e-4

Batch = tuple[torch.Tensor, torch.Tensor]


def parameter_values(preset: Preset, model: nn.Module, *, seed: int) -> Iterator[tuple[str, torch.Tensor]]:
    """Whole initial values of every parameter, one at a time: the same on any number of ranks."""
    for index, (name, parameter) in enumerate(model.named_parameters()):
        generator = torch.Generator().manual_seed((seed << 20) + index)
        whole = torch.empty(parameter.shape, dtype=torch.float32)
        preset.initialise(name, whole, generator=generator)
        yield name, whole


def make_batch(preset: Preset, *, seed: int, step: int, rank: int) -> Batch:
    """The batch that ``rank`` takes at ``step``; all ranks' batches together are the global batch."""
    generator = torch.Generator().manual_seed((seed << 48) + (step << 24) + rank + 1)
    return preset.batch(generator=generator)


def _fill(preset: Preset, model: nn.Module, *, device: torch.device, seed: int) -> None:
    parameters = dict(model.named_parameters())
    with torch.no_grad():
        for name, whole in parameter_values(preset, model, seed=seed):
            parameter = parameters[name]
            value = whole.to(device)
            if isinstance(parameter, DTensor):
                # src_data_rank=None: each rank cuts its own shard, nothing is sent.
                value = distribute_tensor(
                    value, parameter.device_mesh, parameter.placements, src_data_rank=None
                )
            parameter.copy_(value)


def make_model(
    preset: Preset,
    *,
    variant: Variant,
    num_ranks: int,
    param_dtype: torch.dtype,
    device: torch.device,
    seed: int,
) -> nn.Module:
    """The preset's model, spread as the variant says, with the same values on any number of ranks.

    Built on the meta device, so that no rank ever holds the whole model, unless the variant wants it to.
    """
    with torch.device("meta" if variant.meta_init else device):
        model = preset.build()
    if not variant.meta_init:
        _fill(preset, model, device=device, seed=seed)
    blocks = preset.blocks(model)
    if variant.parallelism != "fsdp":
        return sharding.spread_whole(model, blocks, variant=variant, device=device)
    mesh = sharding.make_mesh(variant, num_ranks=num_ranks, device_type=device.type)
    sharding.shard(model, blocks, variant=variant, mesh=mesh, param_dtype=param_dtype)
    if variant.meta_init:
        model.to_empty(device="cpu" if variant.cpu_offload else device)
        _fill(preset, model, device=torch.device("cpu") if variant.cpu_offload else device, seed=seed)
    return model


def make_optimizer(model: nn.Module, *, foreach: bool | None = None) -> torch.optim.Optimizer:
    """AdamW over the (sharded) parameters; made after sharding, or it would step nothing.

    ``foreach`` is AdamW's own: ``None`` steps all parameters at once on CUDA, one by one on a CPU.
    """
    return torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, foreach=foreach)


@dataclass
class Training:
    """One rank's model, optimizer and batches, and its losses so far.

    ``losses`` are this rank's, one a step, left on the device: reading one would make the host wait.
    ``context`` makes what a forward pass runs under.
    """

    preset: Preset
    model: nn.Module
    optimizer: torch.optim.Optimizer
    batches: list[Batch]
    report: Callable[[str, int], None]
    losses: list[torch.Tensor]
    variant: Variant = field(default_factory=Variant)
    context: Callable[[], AbstractContextManager[Any]] = contextlib.nullcontext

    def step(self, index: int) -> None:
        """Zero gradients, forward, loss, backward, optimizer."""
        self.report("step", index)
        self.optimizer.zero_grad()
        num_parts = self.variant.num_micro_batches
        if num_parts == 1:
            loss = self._backward(self.batches[index], scale=1)
        else:
            parts = list(zip(*(t.chunk(num_parts) for t in self.batches[index]), strict=True))
            loss = torch.zeros((), device=self.batches[index][0].device)
            for number, part in enumerate(parts):
                with self._syncing(is_last=number == num_parts - 1):
                    loss += self._backward((part[0], part[1]), scale=num_parts)
        self.optimizer.step()
        self.losses.append(loss)

    def _backward(self, batch: Batch, *, scale: int) -> torch.Tensor:
        with self.context():
            loss = self.preset.loss(self.model, batch)
        if scale != 1:
            loss = loss / scale
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach()

    @contextlib.contextmanager
    def _syncing(self, *, is_last: bool) -> Iterator[None]:
        """Whether gradients are reduced after the backward pass of this micro-batch."""
        sync = is_last or self.variant.sync_each_micro_batch
        if isinstance(self.model, FSDPModule):
            self.model.set_is_last_backward(is_last)
            self.model.set_requires_gradient_sync(sync)
            yield
        elif isinstance(self.model, DistributedDataParallel) and not sync:
            with self.model.no_sync():
                yield
        else:
            yield

    def resting_bytes(self) -> int:
        """Bytes that this rank's tensors hold between steps, gradients freed."""
        return sum(self.resting_by_owner().values())

    def resting_by_owner(self) -> dict[str, int]:
        """The same by owner (:mod:`bench_lib.fsdp2.owners`)."""
        states = [s for state in self.optimizer.state.values() for s in state.values()]
        parameters = "sharded_parameters" if isinstance(self.model, FSDPModule) else "unsharded_parameters"
        made = {
            parameters: _storage_bytes(self.model.parameters()),
            "optimizer_state": _storage_bytes(s for s in states if isinstance(s, torch.Tensor)),
            "inputs": _storage_bytes(t for batch in self.batches for t in batch),
        }
        if isinstance(self.model, DistributedDataParallel):
            # DDP keeps its buckets, of which gradients are views, from step to step.
            made["unsharded_gradients"] = sum(p.nbytes for p in self.model.parameters())
        return made


def _storage_bytes(tensors: Iterable[torch.Tensor]) -> int:
    """Bytes of the storages behind ``tensors`` on this rank, each counted once."""
    storages: dict[int, int] = {}
    for tensor in tensors:
        local = tensor.detach()
        local = local.to_local() if isinstance(local, DTensor) else local
        storages[local.untyped_storage().data_ptr()] = local.untyped_storage().nbytes()
    return sum(storages.values())


def reference_losses(
    preset: Preset, *, num_ranks: int, num_steps: int, param_dtype: torch.dtype, seed: int
) -> list[float]:
    """Losses of the same training in one process, without FSDP, on the global batch.

    An independent oracle: a plain module, master parameters in float32, computed in ``param_dtype`` and
    its gradients kept in float32. Each rank's batch is one micro-batch, so activations fit.
    """
    model = preset.build()
    with torch.no_grad():
        for (_, whole), parameter in zip(
            parameter_values(preset, model, seed=seed), model.parameters(), strict=True
        ):
            parameter.copy_(whole)
    optimizer = make_optimizer(model)
    losses = []
    for step in range(num_steps):
        optimizer.zero_grad()
        total = 0.0
        for rank in range(num_ranks):
            batch = make_batch(preset, seed=seed, step=step, rank=rank)
            low: dict[str, Any] = {
                name: p.detach().to(param_dtype).requires_grad_() for name, p in model.named_parameters()
            }
            loss = preset.loss(_Called(model, low), batch)
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach()) / num_ranks
            for name, parameter in model.named_parameters():
                share = low[name].grad.float() / num_ranks
                parameter.grad = share if parameter.grad is None else parameter.grad + share
        optimizer.step()
        losses.append(total)
    return losses


class _Called(nn.Module):
    """``model`` called with other parameter values."""

    def __init__(self, model: nn.Module, values: dict[str, torch.Tensor]) -> None:
        super().__init__()
        # In a list: the model is called, not a submodule whose parameters are this module's.
        self._model = [model]
        self._values = values

    def forward(self, *args: torch.Tensor) -> Any:
        return torch.func.functional_call(self._model[0], self._values, args)
