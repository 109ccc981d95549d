"""Figures of one launch that cannot all be true, as those of a damaged report."""

from __future__ import annotations

from typing import Final

from bench_lib.roofline.published_rules import NVIDIA_TITLES
from bench_lib.roofline.values import SAME_PCT, LaunchValues

#: Shares beyond this are no measurement; a little over 100 % is, as counters come from several passes.
PLAUSIBLE_PCT: Final = 400.0


def contradiction(values: LaunchValues, recomputed: str | None) -> str | None:
    """In what the figures contradict each other, as those of a damaged report do; else ``None``."""
    return _implausible(values) or _inconsistent(values, recomputed)


def _implausible(values: LaunchValues) -> str | None:
    shares = {
        "SM": values.sm_pct,
        "memory": values.memory_pct,
        "DRAM": values.dram_pct,
        "L2": values.l2_pct,
        "L1": values.l1_pct,
        **{r.metric: r.pct for r in (*values.sm_readings, *values.memory_readings)},
    }
    for name, pct in shares.items():
        if pct is not None and not 0 <= pct <= PLAUSIBLE_PCT:
            return f"{name} is at {pct:g} % of its peak"
    if values.duration_s is not None and values.duration_s <= 0:
        return f"a duration of {values.duration_s:g} s"
    for name in ("waves_per_sm", "theoretical_occupancy_pct", "achieved_occupancy_pct"):
        value = getattr(values, name)
        if value is not None and value < 0:
            return f"{name} is {value:g}"
    return None


def _inconsistent(values: LaunchValues, recomputed: str | None) -> str | None:
    sm_top = max((r.pct for r in values.sm_readings), default=None)
    if sm_top is not None and values.sm_pct is not None and abs(sm_top - values.sm_pct) > SAME_PCT:
        return f"SM is at {values.sm_pct:.2f} %, but its busiest unit at {sm_top:.2f} %"
    memory_top = max((r.pct for r in values.memory_readings), default=None)
    # Some versions count an internal unit that they do not show; then memory is above all members.
    if memory_top is not None and values.memory_pct is not None and memory_top > values.memory_pct + SAME_PCT:
        return f"memory is at {values.memory_pct:.2f} %, but its busiest unit at {memory_top:.2f} %"
    # Another version may word a title differently: that is no contradiction.
    if recomputed is not None and values.nvidia_rule in NVIDIA_TITLES - {recomputed}:
        return f"the report's own rule says {values.nvidia_rule!r}, its figures {recomputed!r}"
    return None
