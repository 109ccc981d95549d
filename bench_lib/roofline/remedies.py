"""What to do about a verdict, with how much it could gain.

A gain is a bound from the roof, never a promise: the time that would be left if the remedy removed
all it can and the next busiest resource then set the pace. A remedy that the figures contradict is
not given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from bench_lib.roofline.classify import Classification
from bench_lib.roofline.launch import Launch
from bench_lib.roofline.roofs import Roofs
from bench_lib.roofline.values import Axis, LaunchValues
from bench_lib.roofline.work import Work

#: Below this a gain is within what two runs differ by.
_WORTH: Final = 1.05
_LEVELS: Final[tuple[Axis, ...]] = ("math", "issue", "l1", "l2", "dram")


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


@dataclass(frozen=True)
class Facts:
    """All that a remedy may look at."""

    values: LaunchValues
    work: Work
    roofs: Roofs
    launch: Launch
    reason: str

    def number(self, name: str) -> float | None:
        """A metric of the launch."""
        return self.launch.number(name)

    @property
    def capability(self) -> float | None:
        """Compute capability such as 8.6."""
        major, minor = (
            self.number(f"device__attribute_compute_capability_{part}") for part in ("major", "minor")
        )
        if major is not None and minor is not None:
            return major + minor / 10
        text = self.launch.text("CC") or ""
        return float(text) if text.replace(".", "", 1).isdigit() else None

    def share(self, axis: Axis) -> float | None:
        """An axis' share of its peak; from the headline figures where there is no breakdown."""
        from_members = self.values.axis(axis)
        if from_members is not None:
            return from_members
        headline = {
            "math": self.values.sm_pct,
            "l1": self.values.l1_pct,
            "l2": self.values.l2_pct,
            "dram": self.values.dram_pct,
        }
        return None if self.values.sm_readings else headline.get(axis)

    @property
    def ceiling_speedup(self) -> float | None:
        """Speed-up if the busiest resource ran at its sustained peak: no remedy of the same work beats it."""
        busiest = max((s for a in _LEVELS if (s := self.share(a)) is not None), default=0.0)
        return 100.0 / busiest if busiest > 0 else None

    def limit(self, axis: Axis, *, left: float) -> tuple[float | None, str]:
        """Bound on the speed-up if ``axis`` kept the fraction ``left`` of its load."""
        shares = {a: s for a in _LEVELS if (s := self.share(a)) is not None}
        if axis not in shares:
            return None, "the source has no share of this resource"
        shares[axis] *= left
        after = max(shares.values())
        if after <= 0:
            return None, "nothing else was measured"
        busiest = max(shares, key=lambda a: shares[a])
        # Whatever is left would have to run at the peak of the resource that is then busiest.
        return 100.0 / after, f"{busiest} would be the limit, at its sustained peak"


def _traffic(code: str, action: str, axis: Axis, left: float) -> Callable[[Facts], Remedy | None]:
    def remedy(facts: Facts) -> Remedy | None:
        speedup, basis = facts.limit(axis, left=left)
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


def _reach_ceiling(facts: Facts) -> Remedy | None:
    return _remedy(
        facts,
        "reach-ceiling",
        "Same work, better pipelined: deeper prefetch, more loads in flight, fewer waits.",
        facts.ceiling_speedup,
        "the busiest resource at its sustained peak",
    )


def _only_if(
    claim: Callable[[Facts], bool | None], remedy: Callable[[Facts], Remedy | None]
) -> Callable[[Facts], Remedy | None]:
    """Give the remedy unless the figures deny its claim; unknown (``None``) denies nothing."""

    def guarded(facts: Facts) -> Remedy | None:
        return None if claim(facts) is False else remedy(facts)

    return guarded


def _reads(share: float) -> Callable[[Facts], bool | None]:
    def claim(facts: Facts) -> bool | None:
        read, total = facts.work.dram_read_bytes, facts.work.dram_bytes
        return None if read is None or not total else read >= share * total

    return claim


def _left_of_ridge(facts: Facts) -> bool | None:
    intensity = facts.work.arithmetic_intensity_flop_per_byte
    tensor = facts.work.flop_by_precision.get("tensor")
    ridge = facts.roofs.ridge_flop_per_byte("fp32")
    if intensity is None or ridge is None or tensor:
        return None
    return intensity < ridge


def _uses_floats(facts: Facts) -> bool | None:
    parts = facts.work.flop_by_precision
    if any(parts.get(p) for p in ("fp32", "fp16", "tensor")):
        return True
    return None if any(parts.get(p) is None for p in ("fp32", "fp16", "tensor")) else False


def _at_least(capability: float) -> Callable[[Facts], bool | None]:
    # A feature that the GPU lacks is contradicted; so is one on a GPU that is not known.
    return lambda facts: facts.capability is not None and facts.capability >= capability


def _pipe(*pipes: str) -> Callable[[Facts], bool | None]:
    return lambda facts: facts.reason.removesuffix("-pipe") in pipes


def _bank_conflicts(facts: Facts) -> bool | None:
    seen = [
        facts.number(name)
        for name in (
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
            "derived__memory_l1_wavefronts_shared_excessive",
        )
    ]
    known = [s for s in seen if s is not None]
    return None if not known else any(known)


def _tiles(facts: Facts) -> bool | None:
    return bool(facts.work.flop_by_precision.get("tensor")) or _pipe("tensor")(facts)


def _few_waves(facts: Facts) -> bool | None:
    return None if facts.values.waves_per_sm is None else facts.values.waves_per_sm < 1


def _fill_grid(facts: Facts) -> Remedy | None:
    waves = facts.values.waves_per_sm
    speedup = _at_most(1 / waves if waves else None, facts.ceiling_speedup)
    return _remedy(
        facts,
        "batch-launches",
        "Batch: more items a launch, so that the grid fills every SM.",
        speedup,
        "time for each item if a whole wave took the time of this one, or the busiest resource at its peak",
    )


def _and(*claims: Callable[[Facts], bool | None]) -> Callable[[Facts], bool | None]:
    def both(facts: Facts) -> bool | None:
        found = [claim(facts) for claim in claims]
        return False if False in found else None if None in found else True

    return both


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
        "warps that could be resident over those that can be now, or the busiest resource at its peak",
    )


_FUSE: Final = "Fuse with the kernels before and after it (torch.compile, or one Triton kernel)."
_REMEDIES: Final[dict[str, tuple[Callable[[Facts], Remedy | None], ...]]] = {
    "dram_bound": (
        _traffic("fuse", _FUSE, "dram", 0.0),
        _only_if(
            _and(_reads(0.25), _uses_floats),
            _traffic("quantise-8bit", "Halve the bytes: FP8 or INT8 for 16-bit operands.", "dram", 0.5),
        ),
        _only_if(
            _and(_reads(0.75), _uses_floats),
            _traffic("quantise-int4", "Quarter the bytes: INT4 weights for 16-bit ones.", "dram", 0.25),
        ),
        _only_if(
            _and(_reads(0.75), _left_of_ridge),
            _plain("larger-batch", "Larger batch, where weights are read once for all items of it."),
        ),
    ),
    "l2_bound": (
        _traffic("fuse", _FUSE, "l2", 0.0),
        _traffic("larger-tiles", "Larger tiles in shared memory: half the reads from L2.", "l2", 0.5),
    ),
    "l1_bound": (
        _traffic("vectorise", "Load and store 16 bytes a thread: fewer instructions.", "l1", 0.5),
        _traffic(
            "register-tiles", "Keep a tile in registers, so that a loaded value is used more.", "l1", 0.5
        ),
        _only_if(
            _bank_conflicts,
            _plain("bank-conflicts", "Pad or swizzle shared memory: it has bank conflicts."),
        ),
    ),
    "compute_bound": (
        _only_if(
            _and(_pipe("tensor"), _at_least(8.9)),
            _traffic("fp8", "FP8 operands where accuracy allows.", "math", 0.5),
        ),
        _only_if(
            _and(_pipe("tensor"), _at_least(10.0)),
            _traffic("nvfp4", "NVFP4 operands where accuracy allows.", "math", 0.25),
        ),
        _only_if(
            _and(_pipe("fma"), _at_least(7.0)),
            _plain("tensor-cores", "Matrix products in BF16, TF32 or FP8 on the tensor cores."),
        ),
        _only_if(
            _pipe("fp64", "shared"), _plain("lower-fp64", "FP32, or FP32 pairs, where accuracy allows.")
        ),
        _only_if(
            _pipe("alu", "xu"),
            _plain("less-integer", "Hoist index arithmetic and conversions; cheaper special functions."),
        ),
        _only_if(_tiles, _plain("aligned-tiles", "Dimensions that are multiples of 64 or 128.")),
        _plain("larger-gpu", "A GPU with more SMs or a higher clock."),
    ),
    "issue_bound": (
        _traffic("fewer-instructions", "Packed math, wider loads, unrolled loops.", "issue", 0.5),
        _plain("larger-gpu", "A GPU with more SMs or a higher clock."),
    ),
    "balanced": (
        _plain("less-of-both", "Fuse and lower the precision together; one alone moves the limit."),
        _plain("larger-gpu", "A larger GPU: both its bandwidth and its SMs are in use."),
    ),
    "launch_limited": (
        _fill_grid,
        _plain("cuda-graphs", "Launch through CUDA graphs: less time between kernels."),
        _only_if(
            _and(_few_waves, _uses_floats, lambda facts: facts.reason != "tiny"),
            _plain("split-k", "Split the reduction (split-K), where there is one."),
        ),
    ),
    "latency_bound": (
        _only_if(lambda facts: facts.reason == "occupancy", _low_occupancy),
        _only_if(
            lambda facts: facts.reason == "l1-hot",
            _plain("l1-locality", "Vectorise loads and reuse them from registers: L1 is hot in bursts."),
        ),
        _only_if(
            lambda facts: facts.reason == "imbalance",
            _plain("balance", "Even out the work of blocks: smaller tiles, or a persistent kernel."),
        ),
        _plain("ilp", "More independent work a thread: unroll, prefetch, asynchronous copies."),
        _reach_ceiling,
    ),
}


def remedies_for(
    classification: Classification, *, values: LaunchValues, work: Work, roofs: Roofs, launch: Launch
) -> tuple[Remedy, ...]:
    """Remedies for a verdict, in the order to try them; none for ``unknown``."""
    facts = Facts(
        values=values,
        work=work,
        roofs=roofs,
        launch=launch,
        reason=classification.verdict.reason_code,
    )
    makers: Iterable[Callable[[Facts], Remedy | None]] = _REMEDIES.get(classification.verdict.label, ())
    return tuple(r for make in makers if (r := make(facts)) is not None)
