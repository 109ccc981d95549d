"""Llama-3-style decoder: grouped-query attention, rotary positions, SwiGLU, RMSNorm, no biases.

Dimensions of ``llama3-8b`` and ``llama3-70b`` are the published ones. Keys and values are repeated for
their group of heads before the fused causal attention kernel, as most trainers do, so the repeated
tensors count as activations. Tokens are uniform random: the loss shows that ranks agree.

**Source**: Llama Team 2024, "The Llama 3 Herd of Models", table 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import nn

from bench_lib.fsdp2.workloads.minillm import fill_parameter, next_token_batch, next_token_loss

ROPE_THETA = 500_000.0


def rotations(length: int, head_dim: int, *, device: torch.device) -> torch.Tensor:
    """Unit complex numbers (length, head_dim / 2) that rotate pairs of a head by position.

    Complex, because FSDP2's mixed precision casts floating-point inputs of a block to bfloat16, which
    cannot tell neighbouring positions of a long sequence apart, and leaves complex ones alone.
    """
    powers = torch.arange(0, head_dim, 2, device=device, dtype=torch.float32) / head_dim
    angles = torch.outer(
        torch.arange(length, device=device, dtype=torch.float32), 1.0 / torch.pow(ROPE_THETA, powers)
    )
    return torch.polar(torch.ones_like(angles), angles)


def _rotate(x: torch.Tensor, turn: torch.Tensor) -> torch.Tensor:
    """Rotate ``x`` (batch, sequence, heads, head_dim); computed in float32."""
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turn[None, :, None, :]).flatten(-2).type_as(x)


class Attention(nn.Module):
    """Causal attention in which ``num_heads / num_kv_heads`` heads share keys and values."""

    def __init__(self, dim: int, num_heads: int, num_kv_heads: int) -> None:
        super().__init__()
        self.head_dim = dim // num_heads
        self.group = num_heads // num_kv_heads
        self.q = nn.Linear(dim, num_heads * self.head_dim, bias=False)
        self.k = nn.Linear(dim, num_kv_heads * self.head_dim, bias=False)
        self.v = nn.Linear(dim, num_kv_heads * self.head_dim, bias=False)
        self.out = nn.Linear(num_heads * self.head_dim, dim, bias=False)

    def forward(self, x: torch.Tensor, turn: torch.Tensor) -> torch.Tensor:
        q, k, v = (part(x).unflatten(-1, (-1, self.head_dim)) for part in (self.q, self.k, self.v))
        q, k = _rotate(q, turn), _rotate(k, turn)
        k, v = (t.repeat_interleave(self.group, dim=2) if self.group > 1 else t for t in (k, v))
        mixed = F.scaled_dot_product_attention(
            q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True
        )
        return cast(torch.Tensor, self.out(mixed.transpose(1, 2).flatten(2)))


class FeedForward(nn.Module):
    """SwiGLU."""

    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        self.gate = nn.Linear(dim, hidden, bias=False)
        self.up = nn.Linear(dim, hidden, bias=False)
        self.down = nn.Linear(hidden, dim, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return cast(torch.Tensor, self.down(F.silu(self.gate(x)) * self.up(x)))


class Block(nn.Module):
    """Attention and a feed-forward, each added to its input. Shapes: (batch, sequence, dim)."""

    def __init__(self, dim: int, attention: nn.Module, feed_forward: nn.Module) -> None:
        super().__init__()
        self.attention_norm = nn.RMSNorm(dim, eps=1e-5)
        self.attention = attention
        self.feed_forward_norm = nn.RMSNorm(dim, eps=1e-5)
        self.feed_forward = feed_forward

    def forward(self, x: torch.Tensor, turn: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.attention_norm(x), turn)
        return cast(torch.Tensor, x + self.feed_forward(self.feed_forward_norm(x)))


class Decoder(nn.Module):
    """Tokens (batch, sequence) to logits (batch, sequence, vocabulary); embedding and head not tied."""

    def __init__(self, *, vocabulary_size: int, dim: int, head_dim: int, layers: Sequence[Block]) -> None:
        super().__init__()
        self.head_dim = head_dim
        self.embedding = nn.Embedding(vocabulary_size, dim)
        self.layers = nn.ModuleList(layers)
        self.norm = nn.RMSNorm(dim, eps=1e-5)
        self.head = nn.Linear(dim, vocabulary_size, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        turn = rotations(tokens.shape[1], self.head_dim, device=tokens.device)
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x, turn)
        return cast(torch.Tensor, self.head(self.norm(x)))


@dataclass(frozen=True)
class Llama:
    """Sizes of a decoder; see :class:`bench_lib.fsdp2.workloads.Preset`."""

    name: str
    vocabulary_size: int
    dim: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    hidden_dim: int
    batch_per_rank: int
    sequence_length: int

    def feed_forward(self) -> nn.Module:
        return FeedForward(self.dim, self.hidden_dim)

    def build(self) -> nn.Module:
        layers = [
            Block(self.dim, Attention(self.dim, self.num_heads, self.num_kv_heads), self.feed_forward())
            for _ in range(self.num_layers)
        ]
        return Decoder(
            vocabulary_size=self.vocabulary_size,
            dim=self.dim,
            head_dim=self.dim // self.num_heads,
            layers=layers,
        )

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        return list(cast(Decoder, model).layers)

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

    def feed_forward_flop_per_token(self) -> float:
        """Forward, one layer."""
        return 6.0 * self.dim * self.hidden_dim

    def flop_per_step(self) -> float:
        """Matrix products of forward and backward (three times the forward pass).

        **Source**: Kaplan et al. 2020, section 2.1 (2 FLOP a parameter and token forward). Attention is
        counted whole, 4 · sequence · dim a token and layer, though the mask lets half of it be skipped:
        PyTorch's FLOP counter does the same.
        """
        kv_dim = self.dim // self.num_heads * self.num_kv_heads
        attention = 4 * self.dim**2 + 4 * self.dim * kv_dim + 4 * self.sequence_length * self.dim
        per_token = self.num_layers * (attention + self.feed_forward_flop_per_token())
        per_token += 2 * self.dim * self.vocabulary_size
        return 3.0 * per_token * self.batch_per_rank * self.sequence_length


PRESETS: tuple[Llama, ...] = (
    Llama(
        "llama3-tiny",
        vocabulary_size=2048,
        dim=128,
        num_layers=4,
        num_heads=4,
        num_kv_heads=2,
        hidden_dim=384,
        batch_per_rank=2,
        sequence_length=128,
    ),
    Llama(
        "llama3-8b",
        vocabulary_size=128_256,
        dim=4096,
        num_layers=32,
        num_heads=32,
        num_kv_heads=8,
        hidden_dim=14_336,
        batch_per_rank=1,
        sequence_length=8192,
    ),
    Llama(
        "llama3-70b",
        vocabulary_size=128_256,
        dim=8192,
        num_layers=80,
        num_heads=64,
        num_kv_heads=8,
        hidden_dim=28_672,
        batch_per_rank=1,
        sequence_length=8192,
    ),
)
