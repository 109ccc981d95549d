"""The figures a verdict needs, taken from a launch's metrics by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from bench_lib.roofline.launch import Launch
from bench_lib.roofline.ncu_csv_values import DRAM_PCT, DURATION_NS, L1_PCT, L2_PCT, MEMORY_PCT, SM_PCT

#: ``other`` is a unit of the memory system that belongs to no level.
Axis = Literal["math", "issue", "l1", "l2", "dram", "other"]

#: Unit of a breakdown member (without its suffix) → axis and pipe. First match wins.
#: **Source**: the members of ncu's own ``breakdown:`` lists; loads and stores that go through the
#: LSU and MIO pipes count under L1, where their limit is.
_UNITS: Final[tuple[tuple[str, Axis, str], ...]] = (
    ("sm__inst_executed_pipe_lsu", "l1", "lsu"),
    ("sm__inst_executed_pipe_tex", "l1", "tex"),
    ("sm__pipe_tma", "l1", "tma"),
    ("sm__mio", "l1", "mio"),
    ("sm__memory_throughput", "l1", "mio"),
    ("sm__pipe_tensor", "math", "tensor"),
    ("sm__inst_executed_pipe_tensor", "math", "tensor"),
    ("sm__pipe_tc", "math", "tensor"),
    ("sm__mem_tensor", "math", "tensor"),
    ("sm__pipe_fma64", "math", "fp64"),
    ("sm__pipe_fp64", "math", "fp64"),
    ("sm__inst_executed_pipe_fp64", "math", "fp64"),
    ("sm__pipe_fma", "math", "fma"),
    ("sm__inst_executed_pipe_fma", "math", "fma"),
    ("sm__inst_executed_pipe_fp16", "math", "fp16"),
    ("sm__pipe_fp16", "math", "fp16"),
    ("sm__inst_executed_pipe_xu", "math", "xu"),
    ("sm__pipe_alu", "math", "alu"),
    ("sm__inst_executed_pipe_alu", "math", "alu"),
    ("sm__pipe_shared", "math", "shared"),
    ("sm__issue", "issue", "issue"),
    ("sm__inst", "issue", "issue"),
    ("idc__", "issue", "constant"),
    ("sm__", "issue", "other"),
    ("dram__", "dram", "dram"),
    ("fbpa__", "dram", "dram"),
    ("lts__", "l2", "l2"),
    ("ltc__", "l2", "l2"),
    ("l1tex__", "l1", "l1tex"),
)


@dataclass(frozen=True)
class Reading:
    """One unit's share of its peak."""

    axis: Axis
    pipe: str
    metric: str
    pct: float


@dataclass(frozen=True)
class LaunchValues:
    """Named values of one launch; ``None`` is unknown. Percentages are of the sustained peak.

    Parameters
    ----------
    sm_pct, memory_pct
        ncu's two headline throughputs.
    dram_pct, l2_pct, l1_pct
        Throughput of each level; L1's is over active cycles, as ncu shows it.
    waves_per_sm
        Full waves of blocks that the grid makes.
    theoretical_occupancy_pct, achieved_occupancy_pct
        Warps, of the most an SM can hold.
    sm_readings, memory_readings
        Members of the two throughputs' breakdowns; empty where the source has none.
    sm_missing, memory_missing
        Axes of members that a breakdown lists, but whose share the source does not have.
    nvidia_rule
        The verdict stored by NVIDIA's rule.
    """

    sm_pct: float | None = None
    memory_pct: float | None = None
    dram_pct: float | None = None
    l2_pct: float | None = None
    l1_pct: float | None = None
    waves_per_sm: float | None = None
    theoretical_occupancy_pct: float | None = None
    achieved_occupancy_pct: float | None = None
    duration_s: float | None = None
    sm_readings: tuple[Reading, ...] = ()
    memory_readings: tuple[Reading, ...] = ()
    sm_missing: frozenset[Axis] = frozenset()
    memory_missing: frozenset[Axis] = frozenset()
    nvidia_rule: str | None = None
    conflicts: frozenset[str] = field(default_factory=frozenset)

    def axis(self, axis: Axis) -> float | None:
        """Largest share of peak among the units of an axis, over both breakdowns."""
        return max(
            (r.pct for r in (*self.sm_readings, *self.memory_readings) if r.axis == axis), default=None
        )

    def top(self, axis: Axis) -> Reading | None:
        """The unit that leads its axis."""
        readings = [r for r in (*self.sm_readings, *self.memory_readings) if r.axis == axis]
        return max(readings, key=lambda r: r.pct, default=None)


_MEMBER_SUFFIX: Final = ".avg.pct_of_peak_sustained_elapsed"
#: How far the largest member may lie from its headline: a CSV rounds to two decimals.
SAME_PCT: Final = 0.05


def _reading(metric: str, pct: float, rest: tuple[Axis, str]) -> Reading:
    unit = metric.replace("smsp__", "sm__", 1)
    axis, pipe = next(((axis, pipe) for prefix, axis, pipe in _UNITS if unit.startswith(prefix)), rest)
    return Reading(axis=axis, pipe=pipe, metric=metric, pct=pct)


def _readings(launch: Launch, throughput: str, rest: tuple[Axis, str]) -> Iterator[Reading]:
    """Members of a breakdown, as the source lists them; without a list, those that must be it.

    Raw CSV and old reports have the members but no list. All units with a share are then taken for
    members, and believed only where the largest of them is the headline.
    """
    listed = launch.text(f"breakdown:{throughput}")
    if listed:
        for metric in listed.split(","):
            pct = launch.number(metric)
            if pct is not None:
                yield _reading(metric, pct, rest)
        return
    headline = launch.number(throughput)
    if headline is None:
        return
    prefixes = (
        ("sm__", "smsp__", "idc__") if throughput == SM_PCT else ("dram__", "fbpa__", "lts__", "l1tex__")
    )
    found = [
        _reading(metric, pct, rest)
        for metric in launch.metrics
        if metric.endswith(_MEMBER_SUFFIX)
        and metric.startswith(prefixes)
        and "throughput" not in metric
        and (pct := launch.number(metric)) is not None
    ]
    if found and abs(max(r.pct for r in found) - headline) <= SAME_PCT:
        yield from found


def _missing(launch: Launch, throughput: str, rest: tuple[Axis, str]) -> frozenset[Axis]:
    """Axes of the members that a breakdown lists without a share."""
    listed = launch.text(f"breakdown:{throughput}") or ""
    names = (name for name in listed.split(",") if name)
    return frozenset(_reading(name, 0.0, rest).axis for name in names if launch.number(name) is None)


def _first(launch: Launch, names: tuple[str, ...]) -> float | None:
    return next((v for name in names if (v := launch.number(name)) is not None), None)


def extract(launch: Launch) -> LaunchValues:
    """Take the named values of a launch. What is absent, NaN or given twice is ``None``.

    Names without ``avg`` or ``sum`` are those of Nsight Compute 2018 and 2019 before compute
    capability 7.0 (``sm__sol_pct``).
    """
    duration_ns = _first(launch, (DURATION_NS, "gpu__time_duration.avg", "gpu__time_duration"))
    return LaunchValues(
        sm_pct=_first(launch, (SM_PCT, "sm__sol_pct")),
        memory_pct=_first(launch, (MEMORY_PCT, "gpu__compute_memory_sol_pct")),
        dram_pct=_first(
            launch,
            (
                DRAM_PCT,
                "dram__throughput.avg.pct_of_peak_sustained_elapsed",
                "dram__cycles_active.avg.pct_of_peak_sustained_elapsed",
                "fbpa__sol_pct",
            ),
        ),
        l2_pct=_first(
            launch,
            (L2_PCT, "lts__t_sectors.avg.pct_of_peak_sustained_elapsed", "ltc__sol_pct", "lts__sol_pct"),
        ),
        l1_pct=_first(
            launch,
            (L1_PCT, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed", "l1tex__sol_pct", "tex__sol_pct"),
        ),
        waves_per_sm=launch.number("launch__waves_per_multiprocessor"),
        theoretical_occupancy_pct=launch.number("sm__maximum_warps_per_active_cycle_pct"),
        achieved_occupancy_pct=_first(
            launch,
            (
                "sm__warps_active.avg.pct_of_peak_sustained_active",
                "sm__active_warps_avg_per_active_cycle_pct",
            ),
        ),
        duration_s=None if duration_ns is None else duration_ns * 1e-9,
        sm_readings=tuple(_readings(launch, SM_PCT, ("issue", "other"))),
        memory_readings=tuple(_readings(launch, MEMORY_PCT, ("other", "other"))),
        sm_missing=_missing(launch, SM_PCT, ("issue", "other")),
        memory_missing=_missing(launch, MEMORY_PCT, ("other", "other")),
        nvidia_rule=launch.nvidia_rule,
        conflicts=launch.conflicts,
    )


def evidence_of(values: LaunchValues) -> Mapping[str, float | str | None]:
    """The figures that every verdict shows."""
    return {
        "sm_pct": values.sm_pct,
        "memory_pct": values.memory_pct,
        **{f"{axis}_axis_pct": values.axis(axis) for axis in ("math", "issue", "l1", "l2", "dram")},
        "waves_per_sm": values.waves_per_sm,
    }
