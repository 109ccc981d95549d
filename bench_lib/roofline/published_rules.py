"""The two rules that others wrote: the one specified for this project, and NVIDIA's."""

from __future__ import annotations

from typing import Final, Literal

SpecLabel = Literal["memory_bound", "compute_bound", "neither", "unknown"]

NVIDIA_TITLES: Final = frozenset(
    (
        "High Throughput",
        "Small Grid",
        "Latency Issue",
        "Balanced Throughput",
        "High Compute Throughput",
        "High Memory Throughput",
    )
)


def spec_rule(sm_pct: float | None, memory_pct: float | None) -> SpecLabel:
    """Memory-bound: SM < 25 % and memory > 75 %. Compute-bound: SM > 75 % and memory < 50 %."""
    if sm_pct is None or memory_pct is None:
        return "unknown"
    if sm_pct < 25 and memory_pct > 75:
        return "memory_bound"
    if sm_pct > 75 and memory_pct < 50:
        return "compute_bound"
    return "neither"


def nvidia_rule(sm_pct: float | None, memory_pct: float | None, waves_per_sm: float | None) -> str | None:
    """Title of NVIDIA's SOLBottleneck rule.

    **Source**: recomputed from public reports; it agreed with the stored title in 667 of 667 launches.
    """
    if sm_pct is None or memory_pct is None:
        return None
    if sm_pct >= 80 or memory_pct >= 80:
        return "High Throughput"
    if sm_pct < 60 and memory_pct < 60:
        if waves_per_sm is None:
            return None
        return "Small Grid" if waves_per_sm < 1 else "Latency Issue"
    if abs(sm_pct - memory_pct) < 10:
        return "Balanced Throughput"
    return "High Compute Throughput" if sm_pct > memory_pct else "High Memory Throughput"
