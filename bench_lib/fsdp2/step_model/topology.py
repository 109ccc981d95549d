"""Who is connected to whom: ranks a node, and the links inside and between nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bench_lib.errors import UsageError

#: The model was never compared with anything larger, and a larger number is more likely a slip.
MAX_RANKS = 16384


@dataclass(frozen=True)
class Link:
    """A rank's share of a network, in one direction.

    Parameters
    ----------
    bandwidth_bytes_per_s
        Bytes that one rank can send while it receives as many.
    latency_s
        Time from one rank to the next of a message without content, software included.
    """

    bandwidth_bytes_per_s: float
    latency_s: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.bandwidth_bytes_per_s) and self.bandwidth_bytes_per_s > 0):
            raise UsageError.of("bandwidth", found=self.bandwidth_bytes_per_s, expected="bytes/s above 0")
        if not (math.isfinite(self.latency_s) and self.latency_s >= 0):
            raise UsageError.of("latency", found=self.latency_s, expected="seconds from 0 up")


@dataclass(frozen=True)
class Topology:
    """Equal nodes, each with as many ranks and as fast links as the others."""

    num_ranks: int
    ranks_per_node: int
    intra: Link
    inter: Link

    def __post_init__(self) -> None:
        if not 1 <= self.num_ranks <= MAX_RANKS:
            raise UsageError.of("--ranks", found=self.num_ranks, expected=f"from 1 to {MAX_RANKS}")
        if self.ranks_per_node < 1:
            raise UsageError.of("--ranks-per-node", found=self.ranks_per_node, expected="from 1 up")
        if self.num_ranks > self.ranks_per_node and self.num_ranks % self.ranks_per_node:
            raise UsageError.of(
                "--ranks",
                found=self.num_ranks,
                expected=f"a multiple of the {self.ranks_per_node} ranks of a node, or at most one node",
                hint="Pass --ranks-per-node if nodes differ.",
            )

    @property
    def num_nodes(self) -> int:
        """Nodes that the ranks take."""
        return max(1, self.num_ranks // self.ranks_per_node)

    @property
    def ranks_on_node(self) -> int:
        """Ranks that each of those nodes holds."""
        return self.num_ranks // self.num_nodes

    def split(self, num_replicas: int) -> tuple[Topology, Topology]:
        """(shard group, replica group) of a two-dimensional mesh, replicas outermost as in HSDP.

        The shard group takes neighbouring ranks, so it stays inside a node where it fits. The replica group
        joins ranks that are a whole shard group apart.

        Raises
        ------
        UsageError
            The replicas do not divide the ranks, or a shard group would end in the middle of a node.
        """
        if num_replicas < 1 or self.num_ranks % num_replicas:
            raise UsageError.of(
                "--replicas", found=num_replicas, expected=f"a divisor of the {self.num_ranks} ranks"
            )
        shards = self.num_ranks // num_replicas
        on_node = self.ranks_on_node
        if shards % on_node and on_node % shards:
            raise UsageError.of(
                "--replicas",
                found=num_replicas,
                expected=f"shard groups that fill whole nodes of {on_node} ranks, or divide one",
                hint=f"They would have {shards} ranks.",
            )
        shard = Topology(shards, min(shards, on_node), self.intra, self.inter)
        replicas_on_node = max(1, on_node // shards)
        return shard, Topology(num_replicas, min(replicas_on_node, num_replicas), self.intra, self.inter)
