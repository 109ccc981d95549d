"""MiniLLM: a decoder-sized transformer from PyTorch's own modules.

Pre-norm blocks of RMSNorm, :class:`torch.nn.MultiheadAttention` (its default biases, no mask) and
a SiLU feed-forward of four times the width without bias; a final RMSNorm and a head without bias.
Attention is asked for no weights, which selects the fused kernel. Tokens are uniform random:
the loss shows that ranks agree, not that anything is learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    """Attention and feed-forward, each added to its input. Shapes: (batch, sequence, dim)."""

    def __init__(self, dim: int, num_heads: int) -> None:
        super().__init__()
        self.attention_norm = nn.RMSNorm(dim)
        self.attention = nn.MultiheadAttention(dim, num_heads, batch_first=True)
        self.feed_forward_norm = nn.RMSNorm(dim)
        self.feed_forward = nn.Sequential(
            nn.Linear(dim, 4 * dim, bias=False), nn.SiLU(), nn.Linear(4 * dim, dim, bias=False)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.attention_norm(x)
        attended, _ = self.attention(h, h, h, need_weights=False)
        x = x + attended
        return cast(torch.Tensor, x + self.feed_forward(self.feed_forward_norm(x)))


class Model(nn.Module):
    """Tokens (batch, sequence) to logits (batch, sequence, vocabulary)."""

    def __init__(self, *, vocabulary_size: int, dim: int, num_layers: int, num_heads: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary_size, dim)
        self.layers = nn.ModuleList(Block(dim, num_heads) for _ in range(num_layers))
        self.norm = nn.RMSNorm(dim)
        self.head = nn.Linear(dim, vocabulary_size, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x)
        return cast(torch.Tensor, self.head(self.norm(x)))


def fill_parameter(name: str, tensor: torch.Tensor, *, generator: torch.Generator) -> None:
    """Biases 0, norms 1, and the rest normal with a standard deviation of 0.02, in place."""
    if name.endswith("bias"):
        tensor.zero_()
    elif "norm" in name:
        tensor.fill_(1.0)
    else:
        tensor.normal_(mean=0.0, std=0.02, generator=generator)


def next_token_batch(
    vocabulary_size: int, *, batch: int, length: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Random tokens (batch, length), and as targets the token after each."""
    tokens = torch.randint(vocabulary_size, (batch, length + 1), generator=generator)
    return tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()


def next_token_loss(model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Mean cross entropy of the logits."""
    tokens, targets = batch
    # In float32: a bfloat16 log-softmax over 32,000 classes has two significant digits.
    return F.cross_entropy(model(tokens).flatten(0, 1).float(), targets.flatten())


@dataclass(frozen=True)
class MiniLLM:
    """Sizes of a MiniLLM; see :class:`bench_lib.fsdp2.workloads.Preset`."""

    name: str
    vocabulary_size: int
    dim: int
    num_layers: int
    num_heads: int
    batch_per_rank: int
    sequence_length: int

    def build(self) -> nn.Module:
        return Model(
            vocabulary_size=self.vocabulary_size,
            dim=self.dim,
            num_layers=self.num_layers,
            num_heads=self.num_heads,
        )

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        return list(cast(Model, model).layers)

    def initialise(self, name: str, tensor: torch.Tensor, *, generator: torch.Generator) -> None:
        fill_parameter(name, tensor, generator=generator)

    def batch(self, *, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        return next_token_batch(
            self.vocabulary_size,
            batch=self.batch_per_rank,
            length=self.sequence_length,
            generator=generator,
        )

    def loss(self, model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        return next_token_loss(model, batch)

    def flop_per_step(self) -> float:
        """Matrix products of forward and backward (three times the forward pass).

        **Source**: Kaplan et al. 2020, section 2.1 (2 FLOP a parameter and token forward), with full,
        unmasked attention: 4 · sequence · dim a token and layer.
        """
        per_token = self.num_layers * (24 * self.dim**2 + 4 * self.sequence_length * self.dim)
        per_token += 2 * self.dim * self.vocabulary_size
        return 3.0 * per_token * self.batch_per_rank * self.sequence_length


PRESETS = (
    MiniLLM(
        "tiny",
        vocabulary_size=2048,
        dim=128,
        num_layers=4,
        num_heads=4,
        batch_per_rank=2,
        sequence_length=128,
    ),
    MiniLLM(
        "small",
        vocabulary_size=8192,
        dim=512,
        num_layers=6,
        num_heads=8,
        batch_per_rank=2,
        sequence_length=256,
    ),
    MiniLLM(
        "minillm",
        vocabulary_size=32000,
        dim=2048,
        num_layers=12,
        num_heads=16,
        batch_per_rank=8,
        sequence_length=1024,
    ),
)
