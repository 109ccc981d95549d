"""Ceilings of a launch's GPU as its report gives them, at the profiled clock and at boost.

**Source**: the peaks that ncu stores beside its roofline charts. Nothing is looked up by the GPU's
name: parts of one name differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bench_lib.roofline.launch import Launch
from bench_lib.roofline.work import OPS_PATH, Work

_SCALAR_PEAKS: Final = {"fp64": ("d", 2), "fp32": ("f", 2), "fp16": ("h", 4)}
#: level → (counter with a peak a cycle, bytes of each count, its clock).
_BANDWIDTHS: Final[dict[str, tuple[tuple[str, float, str], ...]]] = {
    "dram": (("dram__bytes", 1, "dram__cycles_elapsed"),),
    "l2": (
        ("lts__lts2xbar_cycles_active", 32, "lts__cycles_elapsed"),
        ("l1tex__m_xbar2l1tex_read_bytes", 1, "l1tex__cycles_elapsed"),
    ),
    "l1": (
        ("l1tex__lsu_writeback_active_mem_lgds", 128, "l1tex__cycles_elapsed"),
        ("l1tex__lsu_writeback_active_mem_lg", 128, "l1tex__cycles_elapsed"),
        ("l1tex__lsu_writeback_active", 128, "l1tex__cycles_elapsed"),
    ),
}


#: A precision with less than this part of the FLOP is left out of a launch's least time.
_SLIVER: Final = 0.01


@dataclass(frozen=True)
class Roofs:
    """Peak rates at one clock.

    Parameters
    ----------
    flop_per_s
        By ``fp64``, ``fp32``, ``fp16`` and ``tensor_<source type>``; only those the report has.
    bytes_per_s
        By ``dram``, ``l2`` and ``l1``; only those the report has.
    """

    flop_per_s: Mapping[str, float] = field(default_factory=dict)
    bytes_per_s: Mapping[str, float] = field(default_factory=dict)

    def ridge_flop_per_byte(self, precision: str, level: str = "dram") -> float | None:
        """Arithmetic intensity at which the level's roof meets the precision's; ``None`` if unknown."""
        peak, bandwidth = self.flop_per_s.get(precision), self.bytes_per_s.get(level)
        return peak / bandwidth if peak is not None and bandwidth else None


def _peak(launch: Launch, name: str) -> float | None:
    value = launch.number(f"{name}.sum.peak_sustained")
    return value if value is not None and value > 0 else None


def _clock(launch: Launch, *names: str) -> float | None:
    for name in names:
        value = launch.number(f"{name}.avg.per_second")
        if value is not None and value > 0:
            return value
    return None


def _flop_peaks(launch: Launch, clock_hz: float | None) -> dict[str, float]:
    peaks: dict[str, float] = {}
    if clock_hz is None:
        return peaks
    for precision, (letter, flop) in _SCALAR_PEAKS.items():
        per_cycle = _peak(launch, f"sm__sass_thread_inst_executed_op_{letter}fma_pred_on")
        if per_cycle is not None:
            peaks[precision] = flop * per_cycle * clock_hz
    for metric in launch.metrics:
        if not metric.startswith("sm__ops_path_tensor") or not metric.endswith(".sum.peak_sustained"):
            continue
        match = OPS_PATH.fullmatch(metric.removesuffix(".peak_sustained"))
        # Sparse peaks are twice what dense work can reach; on sm_90 names without a suffix are sparse.
        dense = match is not None and (match["sparsity"] == "off" or _compute_capability(launch) < 8)
        per_cycle = launch.number(metric)
        if match is not None and dense and per_cycle:
            name = f"tensor_{match['src']}"
            peaks[name] = max(peaks.get(name, 0.0), per_cycle * clock_hz)
    return peaks


def _compute_capability(launch: Launch) -> float:
    return launch.number("device__attribute_compute_capability_major") or 99.0


def profiled_roofs(launch: Launch) -> Roofs:
    """Roofs at the clocks under which the launch was profiled: the ones to draw it against."""
    bandwidths: dict[str, float] = {}
    for level, counters in _BANDWIDTHS.items():
        for counter, num_bytes, clock in counters:
            per_cycle, clock_hz = _peak(launch, counter), _clock(launch, clock)
            if level == "l1" and clock_hz is None:
                clock_hz = _clock(launch, "sm__cycles_elapsed")
            if per_cycle is not None and clock_hz is not None:
                bandwidths[level] = per_cycle * num_bytes * clock_hz
                break
    clock_hz = _clock(launch, "sm__cycles_elapsed", "smsp__cycles_elapsed")
    return Roofs(flop_per_s=_flop_peaks(launch, clock_hz), bytes_per_s=bandwidths)


def boost_roofs(launch: Launch) -> Roofs:
    """Roofs at the boost clocks that the device's attributes give.

    DRAM is 2 · memory clock · bus width / 8, which matches the report's own peak to 0.3 % on
    data-centre parts; caches run at clocks that the attributes do not give.
    """
    clock_khz = launch.number("device__attribute_clock_rate")
    memory_khz = launch.number("device__attribute_memory_clock_rate")
    bus_bits = launch.number("device__attribute_global_memory_bus_width")
    bandwidths: dict[str, float] = {}
    if memory_khz and bus_bits:
        bandwidths["dram"] = 2 * memory_khz * 1e3 * bus_bits / 8
    return Roofs(
        flop_per_s=_flop_peaks(launch, clock_khz * 1e3 if clock_khz else None), bytes_per_s=bandwidths
    )


def clock_share_of_boost(launch: Launch) -> float | None:
    """SM clock during profiling over the boost clock; far below 1 where ncu locked the clocks."""
    clock_hz = _clock(launch, "sm__cycles_elapsed", "smsp__cycles_elapsed")
    boost_khz = launch.number("device__attribute_clock_rate")
    return clock_hz / (boost_khz * 1e3) if clock_hz is not None and boost_khz else None


def roof_time_s(work: Work, roofs: Roofs) -> float | None:
    """Least time that the roofs allow for this work: its bytes from DRAM, or its FLOP, if longer.

    A precision with less than 1 % of the FLOP is left out. Unknown where the bytes are, where any
    precision's work is, or where work that was done has no roof in the report (tensor work before
    ncu 2025).
    """
    bandwidth = roofs.bytes_per_s.get("dram")
    if work.dram_bytes is None or bandwidth is None or work.flop is None:
        return None
    times = [work.dram_bytes / bandwidth]
    for precision, flop in work.flop_by_precision.items():
        # A sliver of FP16 beside FP32 work sets no pace, and its roof may not be in the report.
        if not flop or flop < _SLIVER * work.flop:
            continue
        if precision == "tensor":
            peaks = [v for k, v in roofs.flop_per_s.items() if k.startswith("tensor_")]
            peak = max(peaks, default=None)
        else:
            peak = roofs.flop_per_s.get(precision)
        if peak is None:
            return None
        times.append(flop / peak)
    return max(times)


def share_of_roof(work: Work, roofs: Roofs) -> float | None:
    """Least time over the measured one: 1 is on the roof, under the clocks it was profiled at."""
    least = roof_time_s(work, roofs)
    return least / work.duration_s if least is not None and work.duration_s else None
