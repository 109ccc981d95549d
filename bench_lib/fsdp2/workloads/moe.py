"""Mixture of experts: a Llama-style decoder whose feed-forward is ``num_experts`` SwiGLU experts.

Each token goes to the ``top_k`` experts with the largest router logits, weighted by a softmax over
those. Every expert takes at most ``capacity_factor`` times its even share of tokens; tokens beyond it
skip the expert, so that shapes, and with them memory and work, do not depend on the data. At
``capacity_factor = num_experts / top_k`` no token is ever left out. No auxiliary loss balances the load.

**Source**: Fedus, Zoph and Shazeer 2021, "Switch Transformers", section 2.2 (capacity); Jiang et al. 2024,
"Mixtral of Experts", table 1 (dimensions of ``mixtral-8x7b``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from bench_lib.fsdp2.workloads.llama3 import Llama


class Experts(nn.Module):
    """Routed SwiGLU experts. Shapes: (batch, sequence, dim)."""

    def __init__(
        self, dim: int, hidden: int, *, num_experts: int, top_k: int, capacity_factor: float
    ) -> None:
        super().__init__()
        self.top_k = top_k
        self.capacity_factor = capacity_factor
        self.router = nn.Linear(dim, num_experts, bias=False)
        self.gate = nn.Parameter(torch.empty(num_experts, dim, hidden))
        self.up = nn.Parameter(torch.empty(num_experts, dim, hidden))
        self.down = nn.Parameter(torch.empty(num_experts, hidden, dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        tokens = x.flatten(0, 1)
        num_tokens, num_experts = tokens.shape[0], self.gate.shape[0]
        logits, chosen = self.router(tokens).topk(self.top_k, dim=-1)
        weight = logits.float().softmax(-1).flatten()
        expert = chosen.flatten()
        # Place of each (token, choice) in its expert's queue, in the order of tokens.
        before = F.one_hot(expert, num_experts).cumsum(0)
        place = before.gather(1, expert[:, None]).squeeze(1) - 1
        capacity = math.ceil(self.capacity_factor * self.top_k * num_tokens / num_experts)
        fits = place < capacity
        # Those that do not fit share one slot past the end, which is cut off again.
        slot = torch.where(fits, expert * capacity + place, num_experts * capacity)
        source = torch.arange(num_tokens, device=x.device).repeat_interleave(self.top_k)
        queued = tokens.new_zeros(num_experts * capacity + 1, tokens.shape[1])
        queued = queued.index_copy(0, slot, tokens.index_select(0, source))
        grouped = queued[:-1].view(num_experts, capacity, -1)
        hidden = F.silu(torch.bmm(grouped, self.gate)) * torch.bmm(grouped, self.up)
        made = F.pad(torch.bmm(hidden, self.down).flatten(0, 1), (0, 0, 0, 1))
        shares = made.index_select(0, slot) * (weight * fits)[:, None].type_as(made)
        mixed: torch.Tensor = shares.view(num_tokens, self.top_k, -1).sum(1).view_as(x)
        return mixed


@dataclass(frozen=True)
class MixtureOfExperts(Llama):
    """Sizes of a mixture of experts; ``hidden_dim`` is one expert's."""

    num_experts: int = 8
    top_k: int = 2
    capacity_factor: float = 1.25

    def feed_forward(self) -> nn.Module:
        return Experts(
            self.dim,
            self.hidden_dim,
            num_experts=self.num_experts,
            top_k=self.top_k,
            capacity_factor=self.capacity_factor,
        )

    def feed_forward_flop_per_token(self) -> float:
        """Of the experts that a token is sent to, and the router; unused capacity is no model FLOP."""
        return 6.0 * self.dim * self.hidden_dim * self.top_k + 2.0 * self.dim * self.num_experts


PRESETS = (
    MixtureOfExperts(
        "moe-tiny",
        vocabulary_size=2048,
        dim=128,
        num_layers=2,
        num_heads=4,
        num_kv_heads=2,
        hidden_dim=256,
        batch_per_rank=2,
        sequence_length=128,
        num_experts=4,
        top_k=2,
        capacity_factor=2.0,
    ),
    MixtureOfExperts(
        "mixtral-8x7b",
        vocabulary_size=32_000,
        dim=4096,
        num_layers=32,
        num_heads=32,
        num_kv_heads=8,
        hidden_dim=14_336,
        batch_per_rank=1,
        sequence_length=4096,
    ),
)
