"""Time of one collective: latency of its steps plus bytes over bandwidth, for NCCL and for gloo.

``num_bytes`` is the whole tensor: what an all-gather produces, what a reduce-scatter takes in.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from bench_lib.fsdp2.step_model.topology import Link, Topology


class CollectiveModel(Protocol):
    """What a communication library takes for each collective that FSDP2 issues, in seconds."""

    def all_gather(self, num_bytes: float, *, group: Topology) -> float: ...
    def reduce_scatter(self, num_bytes: float, *, group: Topology) -> float: ...
    def all_reduce(self, num_bytes: float, *, group: Topology) -> float: ...


#: Seconds a hop of NCCL's ring takes beside its bytes, inside a node and between nodes.
#: **Source**: the latencies by which NCCL 2.2x itself chooses algorithms (ring, Simple protocol, NVLink and
#: network).
NCCL_INTRA_LATENCY_S = 3.4e-6
NCCL_INTER_LATENCY_S = 14.0e-6


def _ring_pass(num_bytes: float, *, group: Topology) -> float:
    """One pass round a ring that visits every rank of a node before it leaves for the next.

    Each of the n - 1 steps moves 1/n of the tensor over every hop at once, so the slowest hop sets the
    pace; the hops between nodes cost their own latency. With a network interface for each rank there are as
    many
    rings as ranks on a node, each leaving through another one: a rank's own share of the network counts.

    **Source**: Thakur, Rabenseifner, Gropp 2005, section 3 (ring); the order of hops is NCCL's.
    """
    n = group.num_ranks
    if n == 1:
        return 0.0
    nodes = group.num_nodes
    slowest = group.intra.bandwidth_bytes_per_s if group.ranks_on_node > 1 else float("inf")
    crossings = nodes if nodes > 1 else 0
    latency = 0.0
    if nodes > 1:
        # A ring over several nodes leaves each node once; its n - 1 steps wait for every hop in turn.
        crossings = nodes - 1
        slowest = min(slowest, group.inter.bandwidth_bytes_per_s * group.ranks_on_node)
        latency += crossings * group.inter.latency_s
    latency += (n - 1 - crossings) * group.intra.latency_s
    return latency + (n - 1) / n * num_bytes / slowest


def _gloo_pass(num_bytes: float, *, group: Topology) -> float:
    slower = [
        Link(link.bandwidth_bytes_per_s, GLOO_LATENCIES_A_HOP * link.latency_s)
        for link in (group.intra, group.inter)
    ]
    return _ring_pass(num_bytes, group=replace(group, intra=slower[0], inter=slower[1]))


class Nccl:
    """Rings: an all-gather and a reduce-scatter are one pass each, an all-reduce both in turn."""

    def all_gather(self, num_bytes: float, *, group: Topology) -> float:
        """Seconds for a tensor of ``num_bytes``, gathered."""
        return _ring_pass(num_bytes, group=group)

    def reduce_scatter(self, num_bytes: float, *, group: Topology) -> float:
        """Seconds for a tensor of ``num_bytes``, before it is scattered."""
        return _ring_pass(num_bytes, group=group)

    def all_reduce(self, num_bytes: float, *, group: Topology) -> float:
        """Seconds for a tensor of ``num_bytes``."""
        return 2 * _ring_pass(num_bytes, group=group)


#: Times the link's latency that one hop of gloo takes: the receiver first tells the sender that it is ready.
#: **Source**: measured here: an all-gather of 4 KiB on two ranks takes 24 ms where packets take 10 ms one
#: way.
GLOO_LATENCIES_A_HOP = 2


class Gloo:
    """Rings over TCP; its reduce-scatter is an all-reduce of the whole tensor, so twice an all-gather.

    **Source**: ``ProcessGroupGloo`` of PyTorch 2.13 implements ``reduce_scatter_tensor`` over ``all_reduce``;
    measured here: 30 ms against 24 ms unshaped, 706 ms against 357 ms at 100 Mbit/s for 8 MiB on two ranks.
    """

    def all_gather(self, num_bytes: float, *, group: Topology) -> float:
        """Seconds for a tensor of ``num_bytes``, gathered."""
        return _gloo_pass(num_bytes, group=group)

    def reduce_scatter(self, num_bytes: float, *, group: Topology) -> float:
        """Seconds for a tensor of ``num_bytes``, before it is scattered."""
        return self.all_reduce(num_bytes, group=group)

    def all_reduce(self, num_bytes: float, *, group: Topology) -> float:
        """Seconds for a tensor of ``num_bytes``."""
        return 2 * _gloo_pass(num_bytes, group=group)
