"""What is to be predicted: a model's shape, its batch, and how it is sharded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from bench_lib.errors import UsageError
from bench_lib.fsdp2.step_model.shapes import DecoderShape

Checkpointing = Literal["none", "selective", "alternate", "full"]
Dtype = Literal["bfloat16", "float32"]

ITEM_BYTES: Final = {"bfloat16": 2, "float32": 4}

MAX_BATCH, MAX_SEQUENCE, MAX_ACCUMULATION = 2**20, 2**24, 2**20


@dataclass(frozen=True)
class TrainingSetup:
    """One training step, apart from hardware and ranks.

    Parameters
    ----------
    shape
        The model.
    batch_per_rank, sequence_length
        Shape of the tokens of one forward pass of a rank.
    num_accumulation
        Forward and backward passes a step. Each reduces its gradients, as FSDP2 does unless it is told not
        to.
    activation_checkpointing
        ``none``; ``selective``: every second matrix product and all that is cheap is computed again;
        ``alternate``:
        every second block is; ``full``: every block is.
    is_compiled
        Each block under ``torch.compile``.
    is_loss_compiled
        The loss as well, so that no float32 copy of the logits is kept.
    is_float8
        Matrix products of blocks, forward and backward, in float8 with scales computed on the way.
    param_dtype, reduce_dtype
        Of computation and all-gathers, and of reduce-scatters.
    reshards_after_forward
        Whether blocks are gathered again for the backward pass. The root never is.
    num_replicas
        Shard groups that hold a copy each (HSDP); 1 is plain FSDP2.
    keeps_float32_logits
        The trainer's own variable holds the logits in float32 until the backward pass has ended, as
        torchtitan's did before April 2024.
    """

    shape: DecoderShape
    batch_per_rank: int
    sequence_length: int
    num_accumulation: int = 1
    activation_checkpointing: Checkpointing = "none"
    is_compiled: bool = False
    is_loss_compiled: bool = False
    is_float8: bool = False
    param_dtype: Dtype = "bfloat16"
    reduce_dtype: Dtype = "float32"
    reshards_after_forward: bool = True
    num_replicas: int = 1
    keeps_float32_logits: bool = False

    def __post_init__(self) -> None:
        for flag, value, most in (
            ("--batch", self.batch_per_rank, MAX_BATCH),
            ("--seq", self.sequence_length, MAX_SEQUENCE),
            ("--accumulate", self.num_accumulation, MAX_ACCUMULATION),
        ):
            if not 1 <= value <= most:
                raise UsageError.of(flag, found=value, expected=f"a whole number from 1 to {most}")
        for flag, text, choices in (
            ("--checkpointing", self.activation_checkpointing, get_args(Checkpointing)),
            ("--dtype", self.param_dtype, get_args(Dtype)),
            ("--reduce-dtype", self.reduce_dtype, get_args(Dtype)),
        ):
            if text not in choices:
                raise UsageError.of(flag, found=text, expected="one of " + ", ".join(choices))
        if self.is_float8 and self.param_dtype != "bfloat16":
            raise UsageError.of("--float8", found=self.param_dtype, expected="--dtype bfloat16 beside it")

    @property
    def tokens_per_pass(self) -> int:
        """Tokens of one forward pass of a rank."""
        return self.batch_per_rank * self.sequence_length

    @property
    def tokens_per_step(self) -> int:
        """Tokens of a step of a rank."""
        return self.tokens_per_pass * self.num_accumulation

    @property
    def compute_bytes(self) -> int:
        """Bytes of an activation, and of a gathered parameter."""
        return ITEM_BYTES[self.param_dtype]

    @property
    def reduce_bytes(self) -> int:
        """Bytes of a gradient on its way through a reduce-scatter."""
        return ITEM_BYTES[self.reduce_dtype]

    def without_checkpointing(self) -> TrainingSetup:
        """The same, every activation kept."""
        return replace(self, activation_checkpointing="none")

    def recomputes_block(self, index: int) -> bool:
        """Whether the whole of block ``index`` runs forward again in the backward pass."""
        return self.activation_checkpointing == "full" or (
            self.activation_checkpointing == "alternate" and index % 2 == 1
        )
