"""Encoder: bidirectional attention, LayerNorm, GELU, learned positions; it fills in masked tokens.

Pre-norm blocks with biases. A fixed number of tokens in each sequence is masked, so that the mean over
ranks or micro-batches is the mean over the whole batch. Tokens are uniform random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import nn

from bench_lib.fsdp2.workloads.minillm import fill_parameter

#: Share of tokens that are masked (Devlin et al. 2018, section 3.1).
MASKED_SHARE = 0.15
_IGNORED = -100


class Block(nn.Module):
    """Attention and feed-forward, each added to its input. Shapes: (batch, sequence, dim)."""

    def __init__(self, dim: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.attention_norm = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.feed_forward_norm = nn.LayerNorm(dim)
        self.feed_forward = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (
            self.qkv(self.attention_norm(x)).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
        )
        mixed = F.scaled_dot_product_attention(q, k, v)
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        return cast(torch.Tensor, x + self.feed_forward(self.feed_forward_norm(x)))


class Model(nn.Module):
    """Tokens (batch, sequence) to logits (batch, sequence, vocabulary)."""

    def __init__(self, *, vocabulary_size: int, dim: int, num_layers: int, num_heads: int, length: int):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary_size, dim)
        self.position = nn.Embedding(length, dim)
        self.layers = nn.ModuleList(Block(dim, num_heads) for _ in range(num_layers))
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocabulary_size)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        places = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.embedding(tokens) + self.position(places)
        for layer in self.layers:
            x = layer(x)
        return cast(torch.Tensor, self.head(self.norm(x)))


@dataclass(frozen=True)
class Encoder:
    """Sizes of an encoder; see :class:`bench_lib.fsdp2.workloads.Preset`. Token 0 is the mask."""

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
            length=self.sequence_length,
        )

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        return list(cast(Model, model).layers)

    def initialise(self, name: str, tensor: torch.Tensor, *, generator: torch.Generator) -> None:
        fill_parameter(name, tensor, generator=generator)

    def batch(self, *, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        shape = (self.batch_per_rank, self.sequence_length)
        tokens = torch.randint(1, self.vocabulary_size, shape, generator=generator)
        num_masked = max(1, round(MASKED_SHARE * self.sequence_length))
        order = torch.rand(shape, generator=generator).argsort(dim=1)
        masked = order < num_masked
        return tokens.masked_fill(masked, 0), tokens.masked_fill(~masked, _IGNORED)

    def loss(self, model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        tokens, targets = batch
        logits = model(tokens).flatten(0, 1).float()
        return F.cross_entropy(logits, targets.flatten(), ignore_index=_IGNORED)

    def flop_per_step(self) -> float:
        """Matrix products of forward and backward (three times the forward pass).

        **Source**: Kaplan et al. 2020, section 2.1; attention is full, 4 · sequence · dim a token and layer.
        """
        per_token = self.num_layers * (24 * self.dim**2 + 4 * self.sequence_length * self.dim)
        per_token += 2 * self.dim * self.vocabulary_size
        return 3.0 * per_token * self.batch_per_rank * self.sequence_length


PRESETS = (
    Encoder(
        "encoder-tiny",
        vocabulary_size=2048,
        dim=128,
        num_layers=4,
        num_heads=4,
        batch_per_rank=2,
        sequence_length=128,
    ),
    Encoder(
        "encoder-large",
        vocabulary_size=30_522,
        dim=1024,
        num_layers=24,
        num_heads=16,
        batch_per_rank=8,
        sequence_length=512,
    ),
)
