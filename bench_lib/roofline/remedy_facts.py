"""What a remedy may look at, and claims about it: true, denied by the figures, or unknown (``None``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bench_lib.roofline.launch import Launch
from bench_lib.roofline.roofs import Roofs
from bench_lib.roofline.values import Axis, LaunchValues
from bench_lib.roofline.work import Work, opcode_counts, tensor_flop_by_source

LEVELS: Final[tuple[Axis, ...]] = ("math", "issue", "l1", "l2", "dram")


@dataclass(frozen=True)
class Facts:
    """All that a remedy may look at.

    ``attainable`` is the part of an axis' peak that this GPU was measured to reach; 1 where it has none.
    """

    values: LaunchValues
    work: Work
    roofs: Roofs
    launch: Launch
    reason: str
    boost: Roofs = field(default_factory=Roofs)
    attainable: Mapping[Axis, float] = field(default_factory=dict)

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
        """An axis' share of its ceiling, in %; from the headline figures where there is no breakdown."""
        share = self._share_of_peak(axis)
        return None if share is None else share / self.attainable.get(axis, 1.0)

    def ceiling(self, axis: Axis) -> str:
        """What the axis' share is a share of, in words."""
        return "measured ceiling" if axis in self.attainable else "sustained peak"

    def _share_of_peak(self, axis: Axis) -> float | None:
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
        """Speed-up if the busiest resource ran at its ceiling: no remedy of the same work beats it."""
        busiest = self.busiest
        share = None if busiest is None else self.share(busiest)
        return 100.0 / share if share else None

    @property
    def busiest(self) -> Axis | None:
        """The axis that is nearest to its ceiling."""
        shares = {a: s for a in LEVELS if (s := self.share(a)) is not None}
        return max(shares, key=lambda a: shares[a], default=None)

    def limit(self, *axes: Axis, left: float) -> tuple[float | None, str]:
        """Bound on the speed-up if each of ``axes`` kept the fraction ``left`` of its load.

        The first must be known; another that is not known limits nothing.
        """
        shares = {a: s for a in LEVELS if (s := self.share(a)) is not None}
        if axes[0] not in shares:
            return None, "the source has no share of this resource"
        for axis in shares.keys() & set(axes):
            shares[axis] *= left
        after = max(shares.values())
        if after <= 0:
            return None, "nothing else was measured"
        busiest = max(shares, key=lambda a: shares[a])
        # Whatever is left would have to run at the peak of the resource that is then busiest.
        return 100.0 / after, f"{busiest} would be the limit, at its {self.ceiling(busiest)}"


Claim = Callable[[Facts], bool | None]


def reads(share: float) -> Callable[[Facts], bool | None]:
    def claim(facts: Facts) -> bool | None:
        read, total = facts.work.dram_read_bytes, facts.work.dram_bytes
        return None if read is None or not total else read >= share * total

    return claim


def left_of_ridge(facts: Facts) -> bool | None:
    intensity = facts.work.arithmetic_intensity_flop_per_byte
    tensor = facts.work.flop_by_precision.get("tensor")
    ridge = facts.roofs.ridge_flop_per_byte("fp32")
    if intensity is None or ridge is None or tensor:
        return None
    return intensity < ridge


def uses_floats(facts: Facts) -> bool | None:
    parts = facts.work.flop_by_precision
    if any(parts.get(p) for p in ("fp32", "fp16", "tensor")):
        return True
    return None if any(parts.get(p) is None for p in ("fp32", "fp16", "tensor")) else False


def at_least(capability: float) -> Callable[[Facts], bool | None]:
    # A feature that the GPU lacks is contradicted; so is one on a GPU that is not known.
    return lambda facts: facts.capability is not None and facts.capability >= capability


def pipe(*pipes: str) -> Callable[[Facts], bool | None]:
    return lambda facts: facts.reason.removesuffix("-pipe") in pipes


_BITS: Final = (
    (re.compile(r"fp4|e2m1"), 4),
    (re.compile(r"fp6|e3m2|e2m3"), 6),
    (re.compile(r"fp8|e4m3|e5m2"), 8),
    (re.compile(r"fp16|bf16|tf32|fp64"), 16),
)
_OPCODE_BITS: Final = {
    **dict.fromkeys(("HMMA", "HGMMA", "DMMA", "UTCHMMA"), 16),
    **dict.fromkeys(("QMMA", "QGMMA", "UTCQMMA", "IMMA", "IGMMA", "UTCIMMA"), 8),
    **dict.fromkeys(("OMMA", "UTCOMMA"), 4),
    **dict.fromkeys(("BMMA", "BGMMA"), 1),
}


def wider_than(bits: int) -> Callable[[Facts], bool | None]:
    """Whether tensor work has operands of more bits; unknown where neither counters nor opcodes tell."""

    def claim(facts: Facts) -> bool | None:
        opcodes = opcode_counts(facts.launch) or {}
        widths = {w for o, n in opcodes.items() if n and (w := _OPCODE_BITS.get(o.partition(".")[0]))}
        if not widths:
            sources = [s for s, flop in tensor_flop_by_source(facts.launch).items() if flop]
            widths = {max((w for mark, w in _BITS if mark.search(s)), default=16) for s in sources}
        return max(widths) > bits if widths else None

    return claim


def bank_conflicts(facts: Facts) -> bool | None:
    seen = [
        facts.number(name)
        for name in (
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
            "derived__memory_l1_wavefronts_shared_excessive",
        )
    ]
    known = [s for s in seen if s is not None]
    return None if not known else any(known)


def tiles(facts: Facts) -> bool | None:
    return bool(facts.work.flop_by_precision.get("tensor")) or pipe("tensor")(facts)


def few_waves(facts: Facts) -> bool | None:
    return None if facts.values.waves_per_sm is None else facts.values.waves_per_sm < 1


def all_of(*claims: Callable[[Facts], bool | None]) -> Callable[[Facts], bool | None]:
    def both(facts: Facts) -> bool | None:
        found = [claim(facts) for claim in claims]
        return False if False in found else None if None in found else True

    return both
