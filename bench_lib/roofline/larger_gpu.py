"""How much faster the fastest GPU of the catalogue could run what a launch's GPU is bound by."""

from __future__ import annotations

from typing import Final

from bench_lib.hardware.catalog import all_hardware
from bench_lib.model import Hardware
from bench_lib.roofline.remedy_facts import Facts

#: Pipe → the report's names of its peak, and the data sheet's.
_PEAKS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "fma": (("fp32",), ("float32",)),
    "fp64": (("fp64",), ("float64",)),
    "tensor": (("tensor_bf16", "tensor_fp16"), ("bfloat16", "float16")),
}


def larger_gpu(facts: Facts) -> tuple[float | None, str]:
    """Speed-up on the fastest GPU known, if the kernel kept its share of peak there, and its basis.

    Data-sheet peak over this GPU's own at boost, dense, of the pipe that leads; where DRAM is
    as busy, the smaller of that and the ratio of bandwidths. ``None`` where the report has no such peak;
    rates of instructions and of L2 are on no data sheet.
    """
    top = facts.values.top("math")
    names = _PEAKS.get(top.pipe) if top is not None else None
    own = next((p for n in names[0] if (p := facts.boost.flop_per_s.get(n))), None) if names else None
    leads = (facts.values.axis("math") or 0.0) >= (facts.values.axis("issue") or 0.0)
    if names is None or own is None or not leads or facts.reason == "compute-and-l2":
        return None, "the report has no peak to compare with a data sheet"
    needs_bandwidth = facts.reason == "compute-and-dram"
    own_bandwidth = facts.boost.bytes_per_s.get("dram")
    if needs_bandwidth and own_bandwidth is None:
        return None, "the report has no DRAM bandwidth to compare with a data sheet"
    best: tuple[float, Hardware] | None = None
    for hardware in all_hardware():
        peak = next((p for n in names[1] if (p := hardware.peak_flop_per_s.get(n))), None)
        # The kernel is CUDA code.
        if peak is None or not hardware.slug.startswith("nvidia-"):
            continue
        ratio = peak / own
        if needs_bandwidth and own_bandwidth is not None:
            if hardware.memory_bandwidth_bytes_per_s is None:
                continue
            ratio = min(ratio, hardware.memory_bandwidth_bytes_per_s / own_bandwidth)
        if best is None or ratio > best[0]:
            best = (ratio, hardware)
    if best is None:
        return None, "no data sheet has this peak"
    return best[0], f"the same share of peak on {best[1].name}, by its data sheet"
