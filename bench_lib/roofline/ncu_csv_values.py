"""Numbers, units and headings of Nsight Compute's CSV, brought to metric names and base units.

Base units are those of a ``.ncu-rep``: nanoseconds for ``gpu__time_duration``, else bytes, hertz,
bytes a second, percent.

**Source**: headings as in exports of ncu 2019.5 to 2025.2; prefixes are decimal (958.09 Gbyte/s for
18.34 µs is 17.57 Mbyte in the same export).
"""

from __future__ import annotations

import re
from typing import Final

SM_PCT: Final = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
MEMORY_PCT: Final = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
DRAM_PCT: Final = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
L1_PCT: Final = "l1tex__throughput.avg.pct_of_peak_sustained_active"
L2_PCT: Final = "lts__throughput.avg.pct_of_peak_sustained_elapsed"
DURATION_NS: Final = "gpu__time_duration.sum"

_SOL: Final = "speed of light"
#: (part of the section's name, heading, dimension) → metric. A heading alone is ambiguous:
#: "Memory Throughput" is a percentage in one section and a rate in another.
_HEADINGS: Final[dict[tuple[str, str, str], str]] = {
    (_SOL, "compute (sm) throughput", "%"): SM_PCT,
    (_SOL, "compute (sm) [%]", "%"): SM_PCT,
    (_SOL, "sm [%]", "%"): SM_PCT,
    (_SOL, "sol sm", "%"): SM_PCT,
    (_SOL, "memory throughput", "%"): MEMORY_PCT,
    (_SOL, "memory [%]", "%"): MEMORY_PCT,
    (_SOL, "sol memory", "%"): MEMORY_PCT,
    (_SOL, "dram throughput", "%"): DRAM_PCT,
    (_SOL, "sol dram", "%"): DRAM_PCT,
    (_SOL, "l1/tex cache throughput", "%"): L1_PCT,
    (_SOL, "sol l1/tex cache", "%"): L1_PCT,
    (_SOL, "l2 cache throughput", "%"): L2_PCT,
    (_SOL, "sol l2 cache", "%"): L2_PCT,
    (_SOL, "duration", "s"): DURATION_NS,
    (_SOL, "elapsed cycles", "1"): "gpc__cycles_elapsed.max",
    (_SOL, "sm frequency", "hz"): "sm__cycles_elapsed.avg.per_second",
    (_SOL, "dram frequency", "hz"): "dram__cycles_elapsed.avg.per_second",
    ("memory workload", "memory throughput", "byte/s"): "dram__bytes.sum.per_second",
    ("memory workload", "l1/tex hit rate", "%"): "l1tex__t_sector_hit_rate.pct",
    ("memory workload", "l2 hit rate", "%"): "lts__t_sector_hit_rate.pct",
    ("launch statistics", "waves per sm", "1"): "launch__waves_per_multiprocessor",
    ("launch statistics", "grid size", "1"): "launch__grid_size",
    ("launch statistics", "block size", "1"): "launch__block_size",
    ("launch statistics", "registers per thread", "1"): "launch__registers_per_thread",
    ("occupancy", "theoretical occupancy", "%"): "sm__maximum_warps_per_active_cycle_pct",
    ("occupancy", "achieved occupancy", "%"): "sm__warps_active.avg.pct_of_peak_sustained_active",
}

_PREFIX: Final = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_TIME: Final = {
    **dict.fromkeys(("s", "sec", "second"), 1.0),
    **dict.fromkeys(("ms", "msec", "msecond"), 1e-3),
    **dict.fromkeys(("us", "usec", "usecond"), 1e-6),
    **dict.fromkeys(("ns", "nsec", "nsecond"), 1e-9),
}
_SCALED: Final = re.compile(r"(?P<prefix>[kmgt]?)(?P<base>byte|hz|cycle|inst|sector|thread|warp|flop)s?")

_PLAIN: Final = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
_GROUPED: Final = re.compile(r"-?\d{1,3}(?P<mark>[,'’\u00a0\u202f ])\d{3}(?:(?P=mark)\d{3})*(?:\.\d+)?")
#: With ``--print-metric-instances`` a value is followed by its instances in brackets.
_INSTANCES: Final = re.compile(r"\s*\([^()]*\)\s*$")


def parse_number(text: str) -> float | None:
    """The number in a cell; ``None`` for "n/a", NaN, an empty cell or anything not understood."""
    text = _INSTANCES.sub("", text.strip().removeprefix("(!)")).strip()
    if _PLAIN.fullmatch(text):
        return float(text)
    match = _GROUPED.fullmatch(text)
    return float(text.replace(match["mark"], "")) if match else None


def scale_of(unit: str) -> tuple[float, str]:
    """Factor to the base unit, and the dimension: ``%``, ``s``, ``hz``, ``byte``, ``byte/s`` or ``1``.

    A unit that is not known has factor 1 and dimension ``?``.
    """
    unit = unit.strip().lower()
    if unit in {"", "%", "1"}:
        return 1.0, "%" if unit == "%" else "1"
    top, _, bottom = unit.partition("/")
    if unit in _TIME:
        return _TIME[unit], "s"
    match = _SCALED.fullmatch(top)
    if bottom in _TIME and match:
        dimension = "hz" if match["base"] == "cycle" else f"{match['base']}/s"
        return _PREFIX[match["prefix"]] / _TIME[bottom], dimension
    if match and not bottom:
        base = match["base"]
        return _PREFIX[match["prefix"]], base if base in {"byte", "hz"} else "1"
    return 1.0, "1" if unit in {"block", "register/thread", "ratio"} else "?"


def to_metric(name: str, unit: str, number: float, *, section: str = "") -> tuple[str, float] | None:
    """Metric name and value in base units; ``None`` for a heading that no metric is known for."""
    factor, dimension = scale_of(unit)
    metric: str | None = name
    if "__" not in name:
        metric = next(
            (
                found
                for (part, heading, wanted), found in _HEADINGS.items()
                if part in section.lower() and heading == name.strip().lower() and wanted == dimension
            ),
            None,
        )
    if metric is None:
        return None
    # A number under another dimension than its name's would be wrong by any factor.
    if metric.startswith("gpu__time_duration"):
        if dimension != "s":
            return None
        factor *= 1e9
        return metric, number * factor
    wrong_share = "pct" in metric and dimension not in {"%", "1"}
    unknown_unit = dimension == "?" and (".per_second" in metric or "byte" in metric)
    if wrong_share or unknown_unit:
        return None
    return metric, number * factor


#: Phrases by which the export's rule texts can be told apart; it has no titles.
_RULE_PHRASES: Final = (
    ("greater than 80", "High Throughput"),
    ("grid is too small", "Small Grid"),
    ("low compute throughput and memory bandwidth", "Latency Issue"),
    ("compute is more heavily utilized than memory", "High Compute Throughput"),
    ("memory is more heavily utilized than compute", "High Memory Throughput"),
    ("compute and memory are well-balanced", "Balanced Throughput"),
)


def bottleneck_title(description: str) -> str | None:
    """Title of NVIDIA's SOLBottleneck verdict from the text of its message."""
    text = " ".join(description.lower().split())
    return next((title for phrase, title in _RULE_PHRASES if phrase in text), None)
