"""The model, its sharding, its data and one training step: what every rank runs.

Written as a user of FSDP2 would write it, so that what is timed is FSDP2 and not a harness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

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


def sharded_model(
    preset: Preset, *, mesh: DeviceMesh, param_dtype: torch.dtype, device: torch.device, seed: int
) -> nn.Module:
    """The preset's model under ``fully_shard``: each block, then the root.

    Parameters stay in float32, sharded; they are gathered in ``param_dtype``, and gradients are reduced in
    float32. Built on the meta device, so that no rank ever holds the whole model.
    """
    with torch.device("meta"):
        model = preset.build()
    policy = MixedPrecisionPolicy(param_dtype=param_dtype, reduce_dtype=torch.float32)
    for block in preset.blocks(model):
        fully_shard(block, mesh=mesh, mp_policy=policy, reshard_after_forward=True)
    # The root's own parameters are needed first in the backward pass, so FSDP2's default keeps them.
    fully_shard(model, mesh=mesh, mp_policy=policy, reshard_after_forward=False)
    model.to_empty(device=device)
    parameters = dict(model.named_parameters())
    with torch.no_grad():
        for name, whole in parameter_values(preset, model, seed=seed):
            parameter = parameters[name]
            assert isinstance(parameter, DTensor)
            # src_data_rank=None: each rank cuts its own shard, nothing is sent.
            shard = distribute_tensor(
                whole.to(device), parameter.device_mesh, parameter.placements, src_data_rank=None
            )
            parameter.copy_(shard)
    return model


def make_optimizer(model: nn.Module) -> torch.optim.Optimizer:
    """AdamW over the (sharded) parameters; made after sharding, or it would step nothing."""
    return torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)


@dataclass
class Training:
    """One rank's model, optimizer and batches, and its losses so far.

    ``losses`` are this rank's, one a step, left on the device: reading one would make the host wait.
    """

    preset: Preset
    model: nn.Module
    optimizer: torch.optim.Optimizer
    batches: list[Batch]
    report: Callable[[str, int], None]
    losses: list[torch.Tensor]

    def step(self, index: int) -> None:
        """Zero gradients, forward, loss, backward, optimizer."""
        self.report("step", index)
        self.optimizer.zero_grad()
        loss = self.preset.loss(self.model, self.batches[index])
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.losses.append(loss.detach())

    def resting_bytes(self) -> int:
        """Bytes that this rank's tensors hold between steps, gradients freed."""
        tensors: list[torch.Tensor] = list(self.model.parameters())
        for state in self.optimizer.state.values():
            tensors.extend(value for value in state.values() if isinstance(value, torch.Tensor))
        for batch in self.batches:
            tensors.extend(batch)
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
