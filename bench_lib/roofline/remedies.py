"""What to do about a verdict, with how much it could gain.

A gain is a bound from the roof, never a promise: the time that would be left if the remedy removed
all it can and the next busiest resource then set the pace. A remedy that the figures contradict is
not given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, cast

from bench_lib.roofline.classify import Classification
from bench_lib.roofline.larger_gpu import larger_gpu
from bench_lib.roofline.launch import Launch
from bench_lib.roofline.remedy_facts import (
    Facts,
    all_of,
    at_least,
    bank_conflicts,
    few_waves,
    left_of_ridge,
    pipe,
    reads,
    tiles,
    uses_floats,
    wider_than,
)
from bench_lib.roofline.roofs import Roofs
from bench_lib.roofline.values import Axis, LaunchValues
from bench_lib.roofline.work import Work

#: Below this a gain is within what two runs differ by.
_WORTH: Final = 1.05


@dataclass(frozen=True)
class Remedy:
    """One thing to do.

    Parameters
    ----------
    code
        Stable identifier.
    action
        What to do.
    speedup_at_most
        Bound on duration before over after; ``None`` where the figures give none.
    time_s
        The duration at that bound.
    basis
        How the bound comes about.
    """

    code: str
    action: str
    speedup_at_most: float | None
    time_s: float | None
    basis: str


def _traffic(code: str, action: str, *axes: Axis, left: float) -> Callable[[Facts], Remedy | None]:
    def remedy(facts: Facts) -> Remedy | None:
        speedup, basis = facts.limit(*axes, left=left)
        return _remedy(facts, code, action, speedup, basis)

    return remedy


def _plain(code: str, action: str, basis: str = "") -> Callable[[Facts], Remedy | None]:
    def remedy(facts: Facts) -> Remedy | None:
        return _remedy(facts, code, action, None, basis or "the figures give no bound")

    return remedy


def _remedy(facts: Facts, code: str, action: str, speedup: float | None, basis: str) -> Remedy | None:
    if speedup is not None and speedup < _WORTH:
        return None
    duration_s = facts.values.duration_s
    time_s = None if speedup is None or duration_s is None else duration_s / speedup
    return Remedy(code=code, action=action, speedup_at_most=speedup, time_s=time_s, basis=basis)


def _at_most(*bounds: float | None) -> float | None:
    return min((b for b in bounds if b is not None), default=None)


def _same_work(code: str, action: str) -> Callable[[Facts], Remedy | None]:
    def remedy(facts: Facts) -> Remedy | None:
        busiest = facts.busiest
        at = "sustained peak" if busiest is None else facts.ceiling(busiest)
        return _remedy(facts, code, action, facts.ceiling_speedup, f"the busiest resource at its {at}")

    return remedy


def _only_if(
    claim: Callable[[Facts], bool | None], remedy: Callable[[Facts], Remedy | None]
) -> Callable[[Facts], Remedy | None]:
    """Give the remedy unless the figures deny its claim; unknown (``None``) denies nothing."""

    def guarded(facts: Facts) -> Remedy | None:
        return None if claim(facts) is False else remedy(facts)

    return guarded


def _whole_wave(code: str, action: str, basis: str) -> Callable[[Facts], Remedy | None]:
    def remedy(facts: Facts) -> Remedy | None:
        waves = facts.values.waves_per_sm
        return _remedy(
            facts, code, action, _at_most(1 / waves if waves else None, facts.ceiling_speedup), basis
        )

    return remedy


_fill_grid = _whole_wave(
    "batch-launches",
    "Batch: more items a launch, so that the grid fills every SM.",
    "time for each item if a whole wave took the time of this one, or the busiest resource at its ceiling",
)
_split_k = _whole_wave(
    "split-k",
    "Split the reduction (split-K), where there is one.",
    "every SM at work instead of the part of a wave, or the busiest resource at its ceiling",
)


def _larger(action: str) -> Callable[[Facts], Remedy | None]:
    def remedy(facts: Facts) -> Remedy | None:
        speedup, basis = larger_gpu(facts)
        return _remedy(facts, "larger-gpu", action, speedup, basis)

    return remedy


def _less_of_both(facts: Facts) -> Remedy | None:
    level = cast(Axis, facts.reason.removeprefix("compute-and-"))
    speedup, basis = facts.limit(level, "math", "issue", left=0.5)
    action = "Fuse and lower the precision together; one alone moves the limit."
    return _remedy(facts, "less-of-both", action, speedup, f"half the load of each; {basis}")


def _low_occupancy(facts: Facts) -> Remedy | None:
    limits = {
        name: value
        for name, metric in (
            ("registers", "launch__occupancy_limit_registers"),
            ("shared memory", "launch__occupancy_limit_shared_mem"),
            ("warps", "launch__occupancy_limit_warps"),
            ("blocks", "launch__occupancy_limit_blocks"),
        )
        if (value := facts.number(metric)) is not None
    }
    by = f"; {min(limits, key=lambda k: limits[k])} allow the fewest blocks" if limits else ""
    return _remedy(
        facts,
        "raise-occupancy",
        f"Raise occupancy: fewer registers or less shared memory a block, or other block sizes{by}.",
        _at_most(
            100 / occupancy if (occupancy := facts.values.theoretical_occupancy_pct) else None,
            facts.ceiling_speedup,
        ),
        "warps that could be resident over those that can be now, or the busiest resource at its ceiling",
    )


_TENSOR: Final = "Matrix products in BF16, TF32 or FP8 on the tensor cores."
_FUSE: Final = "Fuse with the kernels before and after it (torch.compile, or one Triton kernel)."
_REMEDIES: Final[dict[str, tuple[Callable[[Facts], Remedy | None], ...]]] = {
    "dram_bound": (
        _traffic("fuse", _FUSE, "dram", left=0.0),
        _only_if(
            all_of(reads(0.25), uses_floats),
            _traffic("quantise-8bit", "Halve the bytes: FP8 or INT8 for 16-bit operands.", "dram", left=0.5),
        ),
        _only_if(
            all_of(reads(0.75), uses_floats),
            _traffic("quantise-int4", "Quarter the bytes: INT4 weights for 16-bit ones.", "dram", left=0.25),
        ),
        _only_if(
            all_of(reads(0.75), left_of_ridge),
            _traffic(
                "larger-batch",
                "Larger batch, where weights are read once for all of it.",
                "dram",
                left=0.0,
            ),
        ),
    ),
    "l2_bound": (
        _traffic("fuse", _FUSE, "l2", left=0.0),
        _traffic("larger-tiles", "Larger tiles in shared memory: half the reads from L2.", "l2", left=0.5),
    ),
    "l1_bound": (
        _traffic("vectorise", "Load and store 16 bytes a thread: fewer instructions.", "l1", left=0.5),
        _traffic(
            "register-tiles", "Keep a tile in registers, so that a loaded value is used more.", "l1", left=0.5
        ),
        _only_if(
            bank_conflicts,
            _traffic("bank-conflicts", "Pad or swizzle shared memory: banks conflict.", "l1", left=0.0),
        ),
    ),
    "compute_bound": (
        _only_if(
            all_of(pipe("tensor"), at_least(8.9), wider_than(8)),
            _traffic("fp8", "FP8 operands where accuracy allows.", "math", left=0.5),
        ),
        _only_if(
            all_of(pipe("tensor"), at_least(10.0), wider_than(4)),
            _traffic("nvfp4", "NVFP4 operands where accuracy allows.", "math", left=0.25),
        ),
        _only_if(
            all_of(pipe("fma"), at_least(7.0)),
            _traffic("tensor-cores", _TENSOR, "math", "issue", left=0.0),
        ),
        _only_if(
            pipe("fp64", "shared"),
            _traffic("lower-fp64", "FP32, or FP32 pairs, where accuracy allows.", "math", left=0.0),
        ),
        _only_if(
            pipe("alu", "xu"),
            _traffic(
                "less-integer",
                "Hoist index arithmetic and conversions; cheaper special functions.",
                "math",
                "issue",
                left=0.0,
            ),
        ),
        _only_if(tiles, _plain("aligned-tiles", "Dimensions that are multiples of 64 or 128.")),
        _larger("A GPU with more SMs or a higher clock."),
    ),
    "issue_bound": (
        _traffic("fewer-instructions", "Packed math, wider loads, unrolled loops.", "issue", left=0.5),
        _larger("A GPU with more SMs or a higher clock."),
    ),
    "balanced": (
        _less_of_both,
        _larger("A larger GPU: both its bandwidth and its SMs are in use."),
    ),
    "launch_limited": (
        _fill_grid,
        _plain("cuda-graphs", "Launch through CUDA graphs: less time between kernels."),
        _only_if(
            all_of(few_waves, uses_floats, lambda facts: facts.reason != "tiny"),
            _split_k,
        ),
    ),
    "latency_bound": (
        _only_if(lambda facts: facts.reason == "occupancy", _low_occupancy),
        _only_if(
            lambda facts: facts.reason == "l1-hot",
            _same_work("l1-locality", "Vectorise loads and reuse them from registers: L1 is hot in bursts."),
        ),
        _only_if(
            lambda facts: facts.reason == "imbalance",
            _same_work("balance", "Even out the work of blocks: smaller tiles, or a persistent kernel."),
        ),
        _same_work("ilp", "More independent work a thread: unroll, prefetch, asynchronous copies."),
        _same_work(
            "reach-ceiling",
            "Same work, better pipelined: deeper prefetch, more loads in flight, fewer waits.",
        ),
    ),
}


def remedies_for(
    classification: Classification,
    *,
    values: LaunchValues,
    work: Work,
    roofs: Roofs,
    launch: Launch,
    boost: Roofs,
    attainable: Mapping[Axis, float],
) -> tuple[Remedy, ...]:
    """Remedies for a verdict, in the order to try them; none for ``unknown``.

    ``boost`` has the peaks that a larger GPU is compared with. ``attainable`` is measured ceiling over
    peak, by axis; a gain ends at the peak of axes it lacks.
    """
    facts = Facts(
        values=values,
        work=work,
        roofs=roofs,
        launch=launch,
        reason=classification.verdict.reason_code,
        boost=boost,
        attainable=attainable,
    )
    makers: Iterable[Callable[[Facts], Remedy | None]] = _REMEDIES.get(classification.verdict.label, ())
    return tuple(r for make in makers if (r := make(facts)) is not None)
