"""What bounds a launch: pure functions over named values. Nothing is read, nothing is guessed.

Three verdicts stand side by side: the two-threshold rule as specified, word for word; NVIDIA's own
SOLBottleneck rule, recomputed; and the complete taxonomy, which gives every launch a label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from bench_lib.model import Verdict
from bench_lib.roofline.contradictions import contradiction
from bench_lib.roofline.published_rules import NVIDIA_TITLES, SpecLabel, nvidia_rule, spec_rule
from bench_lib.roofline.values import SAME_PCT, Axis, LaunchValues, evidence_of

RULE_VERSION: Final = "1"

Label = Literal[
    "dram_bound",
    "l2_bound",
    "l1_bound",
    "compute_bound",
    "issue_bound",
    "balanced",
    "launch_limited",
    "latency_bound",
    "unknown",
]
Strength = Literal["strong", "moderate"]

LABELS: Final[tuple[Label, ...]] = get_args(Label)

BUSY_PCT: Final = 60.0
STRONG_PCT: Final = 80.0
BALANCE_PCT: Final = 10.0
MATH_SHARE_OF_ISSUE: Final = 0.8
LOW_OCCUPANCY_PCT: Final = 50.0
L1_HOT_PCT: Final = 80.0
EVEN_SHARE: Final = 0.8
TINY_S: Final = 5e-6


@dataclass(frozen=True)
class Classification:
    """The verdicts on one launch.

    Parameters
    ----------
    verdict
        Label of the taxonomy with reason code, message, evidence and rule version.
    strength
        ``strong`` from 80 % of the deciding resource's peak, ``moderate`` from 60 %; ``None`` where no
        resource decided.
    spec_label
        The rule as specified: memory-bound below 25 % SM and above 75 % memory, compute-bound above
        75 % SM and below 50 % memory.
    nvidia_rule
        Title that NVIDIA's rule gives for these figures; ``None`` where they do not suffice.
    nvidia_agrees
        Whether the report stored the same title; ``None`` where it stored none.
    """

    verdict: Verdict
    strength: Strength | None
    spec_label: SpecLabel
    nvidia_rule: str | None
    nvidia_agrees: bool | None


def classify(values: LaunchValues, *, subject: str) -> Classification:
    """Classify one launch.

    Parameters
    ----------
    values
        Named values; what is unknown is ``None``.
    subject
        What the verdict is about, such as the kernel's name.
    """
    recomputed = nvidia_rule(values.sm_pct, values.memory_pct, values.waves_per_sm)
    stored = values.nvidia_rule
    comparable = recomputed is not None and stored in NVIDIA_TITLES
    agrees = stored == recomputed if comparable else None
    decision = _decide(values, recomputed)
    evidence: dict[str, float | str | None] = {k: v for k, v in evidence_of(values).items() if v is not None}
    evidence.update(decision.evidence)
    if stored is not None:
        evidence["nvidia_rule_stored"] = stored
    return Classification(
        verdict=Verdict(
            subject=subject,
            label=decision.label,
            reason_code=decision.reason,
            message=decision.message,
            evidence=evidence,
            rule_version=RULE_VERSION,
        ),
        strength=decision.strength,
        spec_label=spec_rule(values.sm_pct, values.memory_pct),
        nvidia_rule=recomputed,
        nvidia_agrees=agrees,
    )


@dataclass(frozen=True)
class _Decision:
    label: Label
    reason: str
    message: str
    deciding_pct: float | None = None
    deciding: str = ""

    @property
    def strength(self) -> Strength | None:
        if self.deciding_pct is None:
            return None
        return "strong" if self.deciding_pct >= STRONG_PCT else "moderate"

    @property
    def evidence(self) -> dict[str, float | str | None]:
        if self.deciding_pct is None:
            return {}
        return {"deciding_pct": self.deciding_pct, "deciding_metric": self.deciding}


def _decide(values: LaunchValues, recomputed: str | None) -> _Decision:
    sm, memory = values.sm_pct, values.memory_pct
    if sm is None or memory is None:
        missing = " and ".join(n for n, v in (("SM", sm), ("memory", memory)) if v is None)
        return _Decision("unknown", "missing-throughput", f"{missing} throughput is not in the source.")
    wrong = contradiction(values, recomputed)
    if wrong is not None:
        return _Decision("unknown", "contradiction", f"The figures contradict each other: {wrong}.")
    if max(sm, memory) < BUSY_PCT:
        return _idle(values)
    if not values.sm_readings or not values.memory_readings:
        return _busy_without_breakdown(values, sm, memory)
    return _busy(values, sm, memory)


def _busy(values: LaunchValues, sm: float, memory_headline: float) -> _Decision:
    math, issue = values.axis("math"), values.axis("issue")
    if math is None and issue is None:
        return _busy_without_breakdown(values, sm, memory_headline)
    compute = max(v for v in (math, issue) if v is not None)
    levels: dict[Axis, float] = {a: v for a in ("dram", "l2", "l1") if (v := values.axis(a)) is not None}
    if not levels:
        return _Decision("unknown", "missing-memory-levels", "No memory level's share is in the source.")
    level = max(levels, key=lambda a: levels[a])
    memory = levels[level]
    if _memory_unclear(values, memory_headline, compute=compute, memory=memory):
        return _Decision(
            "unknown",
            "memory-level-unclear",
            f"Memory is at {memory_headline:.0f} %, but no level above {memory:.0f} %.",
        )
    if min(compute, memory) >= BUSY_PCT and abs(compute - memory) <= BALANCE_PCT:
        return _Decision(
            "balanced",
            f"compute-and-{level}",
            f"Compute ({compute:.0f} %) and {_NAMES[level]} ({memory:.0f} %) are both busy.",
            max(compute, memory),
            "compute and memory",
        )
    if memory >= compute:
        top = values.top(level)
        return _memory_bound(level, memory, top.metric if top else level)
    return _compute(values, sm, compute)


def _compute(values: LaunchValues, sm: float, compute: float) -> _Decision:
    math, issue = values.axis("math"), values.axis("issue")
    # An unknown share of issue is at most the SM's, which is the largest of all.
    most_issue = sm if issue is None else issue
    if math is not None and math >= MATH_SHARE_OF_ISSUE * most_issue:
        top = values.top("math")
        pipe = top.pipe if top else "math"
        beside = "" if issue is None else f", instruction issue at {issue:.0f} %"
        return _Decision(
            "compute_bound",
            f"{pipe}-pipe",
            f"The {pipe} pipe is at {math:.0f} % of its peak{beside}.",
            compute,
            top.metric if top else "math",
        )
    if issue is None or math is None or "math" in values.sm_missing:
        return _Decision(
            "unknown",
            "missing-breakdown",
            f"Compute is at {compute:.0f} %; math pipes cannot be told from instruction issue, as the source "
            "lacks a share of theirs.",
        )
    top = values.top("issue")
    return _Decision(
        "issue_bound",
        "instruction-issue",
        f"Instruction issue is at {issue:.0f} %, no math pipe above {math:.0f} %.",
        issue,
        top.metric if top else "issue",
    )


def _memory_unclear(values: LaunchValues, headline: float, *, compute: float, memory: float) -> bool:
    """Whether what the memory's headline speaks of is no level that is known."""
    hidden = values.axis("other") or 0.0
    if hidden > memory + BALANCE_PCT and hidden > compute:
        return True
    # A member without a share may be the busiest; it matters unless compute is well above it.
    top = max((r.pct for r in values.memory_readings), default=memory)
    return bool(values.memory_missing) and headline > top + SAME_PCT and headline >= compute - BALANCE_PCT


_NAMES: Final[dict[Axis, str]] = {
    "dram": "DRAM",
    "l2": "L2",
    "l1": "L1 and its load/store pipes",
    "math": "math",
    "issue": "issue",
    "other": "memory",
}


def _memory_bound(level: Axis, pct: float, metric: str) -> _Decision:
    labels: dict[Axis, Label] = {"dram": "dram_bound", "l2": "l2_bound", "l1": "l1_bound"}
    return _Decision(
        labels[level],
        "level-throughput",
        f"{_NAMES[level]} reached {pct:.0f} % of peak.",
        pct,
        metric,
    )


def _busy_without_breakdown(values: LaunchValues, sm: float, memory: float) -> _Decision:
    """Without the breakdowns the SM's figure may be its load/store pipes': decide only what is sure."""
    if memory >= BUSY_PCT and memory > sm + BALANCE_PCT:
        level = _level_of(values, memory)
        if level is None:
            return _Decision(
                "unknown", "missing-memory-levels", "Memory is busy, but which level is not in the source."
            )
        return _memory_bound(level, memory, "memory throughput")
    if sm > memory + BALANCE_PCT:
        return _Decision(
            "compute_bound",
            "pipe-unknown",
            f"SM is at {sm:.0f} %, memory at {memory:.0f} %; which pipe is not in the source.",
            sm,
            "SM throughput",
        )
    return _Decision(
        "unknown",
        "missing-breakdown",
        "SM and memory are both busy; without their breakdown, load/store pipes cannot be told from math.",
    )


def _level_of(values: LaunchValues, memory: float) -> Axis | None:
    """The level whose share is the memory throughput, to the two decimals of a CSV."""
    if values.dram_pct is not None and abs(values.dram_pct - memory) <= SAME_PCT:
        return "dram"
    if values.l2_pct is not None and abs(values.l2_pct - memory) <= SAME_PCT:
        return "l2"
    # L1's own figure is over active cycles, so it is at least its share of the elapsed ones.
    others = (values.dram_pct, values.l2_pct)
    if None not in others and values.l1_pct is not None and values.l1_pct >= memory - SAME_PCT:
        return "l1"
    return None


def _idle(values: LaunchValues) -> _Decision:
    waves = values.waves_per_sm
    small = waves < 1 if waves is not None else None
    if small is None and values.nvidia_rule in {"Small Grid", "Latency Issue"}:
        # NVIDIA's rule had the figure that this source leaves out.
        small = values.nvidia_rule == "Small Grid"
    if small is None:
        return _Decision(
            "unknown",
            "missing-waves",
            "Neither SM nor memory is busy, and the number of waves, which tells a small grid from "
            "latency, is not in the source.",
        )
    if small:
        tiny = values.duration_s is not None and values.duration_s < TINY_S
        text = "less than one wave" if waves is None else f"{waves:.2g} waves"
        return _Decision(
            "launch_limited",
            "tiny" if tiny else "small-grid",
            f"The grid makes {text}: it cannot fill the GPU.",
        )
    reason, message = _latency_cause(values)
    return _Decision("latency_bound", reason, message)


def _latency_cause(values: LaunchValues) -> tuple[str, str]:
    theoretical, achieved = values.theoretical_occupancy_pct, values.achieved_occupancy_pct
    if theoretical is not None and theoretical < LOW_OCCUPANCY_PCT:
        return "occupancy", f"An SM can hold only {theoretical:.0f} % of its warps."
    if values.l1_pct is not None and values.l1_pct >= L1_HOT_PCT:
        return "l1-hot", f"L1 is at {values.l1_pct:.0f} % while an SM is active."
    if theoretical is None or achieved is None:
        return "cause-unknown", "No resource is busy; occupancy, which tells why, is not in the source."
    if achieved < EVEN_SHARE * theoretical:
        return (
            "imbalance",
            f"Of {theoretical:.0f} % possible occupancy {achieved:.0f} % was reached: uneven work or a tail.",
        )
    return "stalls", "Enough warps, yet they wait: dependencies or memory latency."
