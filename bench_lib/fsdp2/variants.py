"""Variants of the training step: one frozen description each, and the one place that adds one.

A variant is a name in ``VARIANTS``, or several joined with ``+``. Nothing here imports torch: what
a description means is in ``bench_lib.fsdp2.training``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from bench_lib.errors import UsageError

Parallelism = Literal["fsdp", "ddp", "single"]
Checkpointing = Literal["none", "selective", "full"]


@dataclass(frozen=True)
class Variant:
    """How a model is spread over ranks and stepped.

    Parameters
    ----------
    parallelism
        ``fsdp`` (``fully_shard``), ``ddp`` (each rank holds the whole model, gradients are averaged) or
        ``single`` (one rank, no group). The last two compute under autocast.
    reshard_after_forward
        Of blocks, as ``fully_shard`` takes it; a number reshards to groups of so many ranks. The root
        stays unsharded after its forward pass in every variant.
    replicate
        HSDP: groups that each hold the whole model between them; 1 is plain sharding.
    forward_prefetch
        Blocks whose all-gather is issued ahead in the forward pass; 0 leaves it to FSDP2's streams.
    backward_prefetch
        The same in the backward pass; ``None`` is FSDP2's own order (one ahead), 0 turns it off.
    async_unshard
        Issue all-gathers as asynchronous work even where there are no streams (a CPU).
    num_micro_batches
        Parts that a rank's batch is cut into; gradients accumulate over them.
    sync_each_micro_batch
        Reduce gradients after each part; otherwise after the last only.
    checkpointing
        ``full`` recomputes each block in the backward pass; ``selective`` keeps attention and every
        second matrix product and recomputes the rest.
    cpu_offload
        Parameters, gradients and optimizer state live on the host between uses.
    meta_init
        Build on the meta device and fill shards; otherwise every rank first holds the whole model.
    compile
        ``torch.compile`` of each block.
    fp8_all_gather
        Linear layers in float8, gathered in float8 (torchao).
    """

    parallelism: Parallelism = "fsdp"
    reshard_after_forward: bool | int = True
    replicate: int = 1
    forward_prefetch: int = 0
    backward_prefetch: int | None = None
    async_unshard: bool = False
    num_micro_batches: int = 1
    sync_each_micro_batch: bool = True
    checkpointing: Checkpointing = "none"
    cpu_offload: bool = False
    meta_init: bool = True
    compile: bool = False
    fp8_all_gather: bool = False

    @property
    def changes(self) -> dict[str, Any]:
        """Fields that differ from plain FSDP2."""
        return {
            f.name: getattr(self, f.name)
            for f in dataclasses.fields(self)
            if getattr(self, f.name) != f.default
        }

    def shard_size(self, num_ranks: int) -> int:
        """Ranks that hold one copy of the model between them."""
        return num_ranks // self.replicate if self.parallelism == "fsdp" else 1


BASELINE: Final = "fsdp"

#: What each name changes about plain FSDP2.
VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = {
    BASELINE: {},
    "no-reshard": {"reshard_after_forward": False},
    "reshard-2": {"reshard_after_forward": 2},
    "hsdp": {"replicate": 2},
    "no-prefetch": {"backward_prefetch": 0},
    "prefetch-1": {"forward_prefetch": 1, "backward_prefetch": 1},
    "prefetch-2": {"forward_prefetch": 2, "backward_prefetch": 2},
    "async": {"async_unshard": True},
    "accumulate-2": {"num_micro_batches": 2},
    "accumulate-2-no-sync": {"num_micro_batches": 2, "sync_each_micro_batch": False},
    "checkpoint-selective": {"checkpointing": "selective"},
    "checkpoint-full": {"checkpointing": "full"},
    "cpu-offload": {"cpu_offload": True},
    "materialised-init": {"meta_init": False},
    "compile": {"compile": True},
    "fp8-all-gather": {"fp8_all_gather": True},
    "ddp": {"parallelism": "ddp", "meta_init": False},
    "single": {"parallelism": "single", "meta_init": False},
}

#: Fields that mean something only where parameters are sharded.
_SHARDING: Final = (
    "reshard_after_forward",
    "replicate",
    "forward_prefetch",
    "backward_prefetch",
    "async_unshard",
    "cpu_offload",
    "fp8_all_gather",
)


def find(name: str) -> Variant:
    """The variant called ``name``; several names joined with ``+`` change several things.

    Raises
    ------
    UsageError
        A name is not known, or two of them contradict each other.
    """
    changes: dict[str, Any] = {}
    origin: dict[str, str] = {}
    for part in name.split("+"):
        if part not in VARIANTS:
            raise UsageError.of(
                "variant", found=part, expected="one of " + ", ".join(VARIANTS) + ", or several joined with +"
            )
        for key, value in VARIANTS[part].items():
            if changes.get(key, value) != value:
                raise UsageError(
                    f"variant {name!r}: {origin[key]} sets {key} to {changes[key]!r}, {part} to {value!r}. "
                    "Leave one of them out."
                )
            changes[key], origin[key] = value, part
    variant = Variant(**changes)
    if variant.parallelism != "fsdp":
        useless = [key for key in _SHARDING if key in changes]
        if useless:
            raise UsageError(
                f"variant {name!r}: {variant.parallelism} shards nothing, so {origin[useless[0]]} has no "
                "meaning with it. Leave one of them out."
            )
    return variant


def require_ranks(name: str, *, num_ranks: int) -> None:
    """Refuse a variant that this number of ranks cannot be divided into.

    Raises
    ------
    UsageError
        With the number that was found, and those that would do.
    """
    variant = find(name)
    if variant.parallelism == "single" and num_ranks != 1:
        _refuse(name, "ranks", num_ranks, "1, it has no group")
    if num_ranks % variant.replicate:
        _refuse(name, "ranks", num_ranks, f"a multiple of {variant.replicate}, equal shares for its replicas")
    reshard = variant.reshard_after_forward
    shards = variant.shard_size(num_ranks)
    if not isinstance(reshard, bool) and shards % reshard:
        _refuse(name, "ranks that share one copy of the model", shards, f"a multiple of {reshard}")


def require_batch(name: str, *, batch_per_rank: int) -> None:
    """Refuse a variant whose micro-batches this batch cannot be cut into.

    Raises
    ------
    UsageError
        As above.
    """
    parts = find(name).num_micro_batches
    if batch_per_rank % parts:
        _refuse(name, "batch a rank", batch_per_rank, f"a multiple of {parts}")


def _refuse(name: str, what: str, found: int, expected: str) -> None:
    raise UsageError.of(f"variant {name!r}: {what}", found=found, expected=expected)
