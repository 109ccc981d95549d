"""The decoder as a torch module without state, for frameworks that compile exported programs.

Prefill and decode are two functions: the key-value cache goes in and comes out, sizes are fixed, and the
position is data. Indices are 32-bit: small GPUs have no wider integers. Imported only where torch is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bench_lib.edge.models import decoder
from bench_lib.edge.models.decoder import DECODER


def empty_cache() -> Tensor:
    """Keys and values (layers, 2, heads, context, head_dim) of no token."""
    shape = (DECODER.num_layers, 2, DECODER.num_kv_heads, DECODER.context, DECODER.head_dim)
    return torch.zeros(shape)


class Layer(nn.Module):
    """One layer, in two parts: what comes before attention, and the rest."""

    attn_norm: Tensor
    attn_q: Tensor
    attn_k: Tensor
    attn_v: Tensor
    attn_output: Tensor
    ffn_norm: Tensor
    ffn_gate: Tensor
    ffn_up: Tensor
    ffn_down: Tensor

    def __init__(self, index: int) -> None:
        super().__init__()
        for name, value in decoder.layer_weights(index).items():
            self.register_parameter(_plain(name), nn.Parameter(torch.from_numpy(np.array(value))))

    def heads(self, hidden: Tensor, weight: Tensor, count: int) -> Tensor:
        made = functional.linear(hidden, weight).view(hidden.shape[0], count, DECODER.head_dim)
        return made.transpose(0, 1)

    def project(self, x: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Query, key and value of ``x``, rotated by its positions."""
        hidden = _norm(x, self.attn_norm)
        query = _rotate(self.heads(hidden, self.attn_q, DECODER.num_heads), cos, sin)
        key = _rotate(self.heads(hidden, self.attn_k, DECODER.num_kv_heads), cos, sin)
        return query, key, self.heads(hidden, self.attn_v, DECODER.num_kv_heads)

    def finish(self, x: Tensor, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        """Attention over ``key`` and ``value`` where ``mask`` is 0, not -inf, and the feed-forward part."""
        # Heads that share keys are rows of one product: no copy of the keys for each.
        length, rows = x.shape[0], DECODER.num_heads // DECODER.num_kv_heads * x.shape[0]
        grouped = query.reshape(DECODER.num_kv_heads, rows, DECODER.head_dim)
        score = torch.matmul(grouped, key.transpose(1, 2)) * DECODER.head_dim**-0.5
        score = score.reshape(DECODER.num_heads, length, key.shape[1]) + mask
        share = torch.softmax(score, dim=-1).reshape(DECODER.num_kv_heads, rows, key.shape[1])
        mixed = torch.matmul(share, value).reshape(DECODER.num_heads, length, DECODER.head_dim)
        mixed = mixed.transpose(0, 1).reshape(x.shape[0], DECODER.dim)
        x = x + functional.linear(mixed, self.attn_output)
        hidden = _norm(x, self.ffn_norm)
        gate = functional.silu(functional.linear(hidden, self.ffn_gate))
        return x + functional.linear(gate * functional.linear(hidden, self.ffn_up), self.ffn_down)


def _plain(name: str) -> str:
    return name.removesuffix(".weight")


def _norm(x: Tensor, weight: Tensor) -> Tensor:
    return x * torch.rsqrt((x * x).mean(dim=-1, keepdim=True) + DECODER.norm_eps) * weight


def _rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    pairs = x.reshape(x.shape[0], x.shape[1], DECODER.head_dim // 2, 2)
    even, odd = pairs[..., 0], pairs[..., 1]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).reshape(x.shape)


def _causal_mask(length: int) -> Tensor:
    # A large number, not infinity, which quantisers and some compilers turn into NaN.
    return torch.full((length, length), -1e9).triu(1)


class Block(nn.Module):
    """The first layer alone: (tokens, dim) to (tokens, dim)."""

    cos: Tensor
    sin: Tensor
    mask: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.layer = Layer(0)
        cos, sin = decoder.rope_table(DECODER, decoder.BLOCK_LENGTH)
        self.register_buffer("cos", torch.tensor(cos, dtype=torch.float32))
        self.register_buffer("sin", torch.tensor(sin, dtype=torch.float32))
        self.register_buffer("mask", _causal_mask(decoder.BLOCK_LENGTH))

    def forward(self, x: Tensor) -> Tensor:
        query, key, value = self.layer.project(x, self.cos, self.sin)
        return self.layer.finish(x, query, key, value, self.mask)


class _Decoder(nn.Module):
    cos: Tensor
    sin: Tensor
    mask: Tensor

    def __init__(self, layers: Sequence[Layer], embedding: nn.Parameter, head: nn.Parameter) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.each = tuple(layers)
        self.embedding, self.head = embedding, head
        norm = decoder.weights()["output_norm.weight"]
        self.norm = nn.Parameter(torch.from_numpy(np.array(norm)))
        cos, sin = decoder.rope_table(DECODER, DECODER.context)
        self.register_buffer("cos", torch.tensor(cos, dtype=torch.float32))
        self.register_buffer("sin", torch.tensor(sin, dtype=torch.float32))

    def logits(self, x: Tensor) -> Tensor:
        return functional.linear(_norm(x[-1:], self.norm), self.head)


class Prefill(_Decoder):
    """The prompt's tokens (PROMPT_LENGTH,) to the logits (1, vocabulary) after them, and the cache."""

    def __init__(self, layers: Sequence[Layer], embedding: nn.Parameter, head: nn.Parameter) -> None:
        super().__init__(layers, embedding, head)
        self.register_buffer("mask", _causal_mask(decoder.PROMPT_LENGTH))

    def forward(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        length = decoder.PROMPT_LENGTH
        cos, sin = self.cos[:length], self.sin[:length]
        x = functional.embedding(tokens, self.embedding)
        cache = []
        for layer in self.each:
            query, key, value = layer.project(x, cos, sin)
            x = layer.finish(x, query, key, value, self.mask)
            cache.append(torch.stack((key, value)))
        filled = torch.stack(cache)
        return self.logits(x), functional.pad(filled, (0, 0, 0, DECODER.context - length))


class Decode(_Decoder):
    """One token (1,) at ``position`` (1,), with the cache of those before it, to logits and the new cache."""

    positions: Tensor

    def __init__(self, layers: Sequence[Layer], embedding: nn.Parameter, head: nn.Parameter) -> None:
        super().__init__(layers, embedding, head)
        self.register_buffer("positions", torch.arange(DECODER.context, dtype=torch.int32))

    def forward(self, token: Tensor, position: Tensor, cache: Tensor) -> tuple[Tensor, Tensor]:
        cos, sin = functional.embedding(position, self.cos), functional.embedding(position, self.sin)
        here = (self.positions == position).view(1, -1, 1)
        mask = torch.where(self.positions <= position, 0.0, -1e9).view(1, 1, -1)
        x = functional.embedding(token, self.embedding)
        made = []
        for index, layer in enumerate(self.each):
            query, key, value = layer.project(x, cos, sin)
            key = torch.where(here, key, cache[index, 0])
            value = torch.where(here, value, cache[index, 1])
            x = layer.finish(x, query, key, value, mask)
            made.append(torch.stack((key, value)))
        return self.logits(x), torch.stack(made)


def modules() -> tuple[Prefill, Decode]:
    """Both functions, which share their weights."""
    every = decoder.weights()
    layers = [Layer(index) for index in range(DECODER.num_layers)]
    embedding = nn.Parameter(torch.from_numpy(np.array(every["token_embd.weight"])))
    head = nn.Parameter(torch.from_numpy(np.array(every["output.weight"])))
    return Prefill(layers, embedding, head).eval(), Decode(layers, embedding, head).eval()


def example_inputs() -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    """Inputs of prefill, and of the first decode after it."""
    prefill = (torch.tensor(decoder.prompt(), dtype=torch.int32),)
    decode = (
        torch.tensor([decoder.generation().tokens[0]], dtype=torch.int32),
        torch.tensor([decoder.PROMPT_LENGTH], dtype=torch.int32),
        empty_cache(),
    )
    return prefill, decode
