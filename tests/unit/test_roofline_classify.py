"""The rules, on numbers worked by hand."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bench_lib.roofline.analysis import analyse, open_source
from bench_lib.roofline.classify import LABELS, RULE_VERSION, classify
from bench_lib.roofline.launch import Launch
from bench_lib.roofline.published_rules import nvidia_rule, spec_rule
from bench_lib.roofline.values import Axis, LaunchValues, Reading, extract

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_data import ncu_data


def readings(**axes: float) -> tuple[Reading, ...]:
    pipes = {"math": "fma"}
    return tuple(
        Reading(axis=a, pipe=pipes.get(a, a), metric=f"{a}__x", pct=v)  # type: ignore[arg-type]
        for a, v in axes.items()
    )


def values(sm: dict[str, float], memory: dict[str, float], **rest: float | str | None) -> LaunchValues:
    return LaunchValues(
        sm_pct=max(sm.values()),
        memory_pct=max(memory.values()),
        sm_readings=readings(**sm),
        memory_readings=readings(**memory),
        **rest,  # type: ignore[arg-type]
    )


IDLE = values({"math": 10, "issue": 20}, {"l1": 15, "l2": 30, "dram": 40}, waves_per_sm=5)


@pytest.mark.parametrize(
    ("given", "label", "reason", "strength"),
    [
        (values({"issue": 28}, {"l1": 28, "l2": 40, "dram": 92}), "dram_bound", "level-throughput", "strong"),
        (
            values({"issue": 28}, {"l1": 28, "l2": 79.9, "dram": 60}),
            "l2_bound",
            "level-throughput",
            "moderate",
        ),
        # The SM's figure is its load/store pipe's: not compute.
        (
            values({"math": 24, "issue": 25, "l1": 91}, {"l1": 91, "dram": 1}),
            "l1_bound",
            "level-throughput",
            "strong",
        ),
        (values({"math": 85, "issue": 60}, {"dram": 30}), "compute_bound", "fma-pipe", "strong"),
        (values({"math": 56, "issue": 70}, {"dram": 30}), "compute_bound", "fma-pipe", "moderate"),
        (values({"math": 55.9, "issue": 70}, {"dram": 30}), "issue_bound", "instruction-issue", "moderate"),
        (values({"math": 70, "issue": 50}, {"dram": 60}), "balanced", "compute-and-dram", "moderate"),
        (values({"math": 71, "issue": 50}, {"dram": 60}), "compute_bound", "fma-pipe", "moderate"),
        # An issue share that is not there is at most the SM's; a math share that is not there is nothing.
        (values({"math": 85}, {"dram": 30}), "compute_bound", "fma-pipe", "strong"),
        (values({"issue": 85}, {"dram": 30}), "unknown", "missing-breakdown", None),
        (
            replace(values({"math": 20, "issue": 85}, {"dram": 30}), sm_missing=frozenset[Axis](("math",))),
            "unknown",
            "missing-breakdown",
            None,
        ),
        # Neither math nor issue: the load/store pipe's 85 % must not be beside a compute of 0 %.
        (values({"l1": 85}, {"l1": 85, "dram": 70}), "unknown", "missing-breakdown", None),
        (
            values({"l1": 30}, {"l1": 30, "dram": 70}, dram_pct=70.0),
            "dram_bound",
            "level-throughput",
            "moderate",
        ),
        # Memory is at 62 %, and what is so busy has no share: not the level that is left.
        (
            replace(
                values({"math": 10, "issue": 20}, {"l2": 56}),
                memory_pct=62.0,
                memory_missing=frozenset[Axis](("dram",)),
            ),
            "unknown",
            "memory-level-unclear",
            None,
        ),
        (values({"math": 59, "issue": 50}, {"dram": 62}), "dram_bound", "level-throughput", "moderate"),
        (replace(IDLE, waves_per_sm=0.99), "launch_limited", "small-grid", None),
        (replace(IDLE, waves_per_sm=0.5, duration_s=4.9e-6), "launch_limited", "tiny", None),
        (replace(IDLE, theoretical_occupancy_pct=49.0), "latency_bound", "occupancy", None),
        (replace(IDLE, theoretical_occupancy_pct=50.0, l1_pct=80.0), "latency_bound", "l1-hot", None),
        (
            replace(IDLE, theoretical_occupancy_pct=100.0, achieved_occupancy_pct=79.0),
            "latency_bound",
            "imbalance",
            None,
        ),
        (
            replace(IDLE, theoretical_occupancy_pct=100.0, achieved_occupancy_pct=80.0),
            "latency_bound",
            "stalls",
            None,
        ),
        (IDLE, "latency_bound", "cause-unknown", None),
        (replace(IDLE, waves_per_sm=None), "unknown", "missing-waves", None),
        (replace(IDLE, waves_per_sm=None, nvidia_rule="Small Grid"), "launch_limited", "small-grid", None),
        (replace(IDLE, sm_pct=None), "unknown", "missing-throughput", None),
        (replace(IDLE, memory_pct=None), "unknown", "missing-throughput", None),
        (LaunchValues(), "unknown", "missing-throughput", None),
    ],
)
def test_taxonomy(given: LaunchValues, label: str, reason: str, strength: str | None) -> None:
    found = classify(given, subject="k")
    assert (found.verdict.label, found.verdict.reason_code, found.strength) == (label, reason, strength)
    assert found.verdict.rule_version == RULE_VERSION
    assert found.verdict.label in LABELS
    assert None not in found.verdict.evidence.values()


@pytest.mark.parametrize(
    ("given", "label", "reason"),
    [
        (LaunchValues(sm_pct=12, memory_pct=94, dram_pct=10, l2_pct=94), "l2_bound", "level-throughput"),
        (LaunchValues(sm_pct=12, memory_pct=94, dram_pct=94), "dram_bound", "level-throughput"),
        (
            LaunchValues(sm_pct=12, memory_pct=94, dram_pct=9, l2_pct=9, l1_pct=95),
            "l1_bound",
            "level-throughput",
        ),
        (LaunchValues(sm_pct=12, memory_pct=94, l1_pct=95), "unknown", "missing-memory-levels"),
        (LaunchValues(sm_pct=91, memory_pct=40), "compute_bound", "pipe-unknown"),
        # The load/store pipe shows in both: nothing tells it from math here.
        (LaunchValues(sm_pct=91, memory_pct=91), "unknown", "missing-breakdown"),
    ],
)
def test_without_breakdown_only_what_is_sure(given: LaunchValues, label: str, reason: str) -> None:
    verdict = classify(given, subject="k").verdict
    assert (verdict.label, verdict.reason_code) == (label, reason)


@pytest.mark.parametrize(
    "broken",
    [
        replace(IDLE, sm_pct=21.0),
        replace(IDLE, memory_pct=39.0),
        replace(IDLE, sm_pct=-1.0),
        replace(IDLE, l1_pct=1e30),
        replace(IDLE, duration_s=0.0),
        replace(IDLE, nvidia_rule="High Throughput"),
        replace(IDLE, waves_per_sm=-2.0),
    ],
)
def test_figures_that_contradict_each_other_are_no_verdict(broken: LaunchValues) -> None:
    verdict = classify(broken, subject="k").verdict
    assert (verdict.label, verdict.reason_code) == ("unknown", "contradiction")


@pytest.mark.parametrize(
    ("sm", "memory", "label"),
    [
        (24.9, 75.1, "memory_bound"),
        (25.0, 75.1, "neither"),
        (24.9, 75.0, "neither"),
        (75.1, 49.9, "compute_bound"),
        (75.0, 49.9, "neither"),
        (75.1, 50.0, "neither"),
        (28.0, 92.0, "neither"),
        (None, 92.0, "unknown"),
        (28.0, None, "unknown"),
    ],
)
def test_spec_rule_word_for_word(sm: float | None, memory: float | None, label: str) -> None:
    assert spec_rule(sm, memory) == label


@pytest.mark.parametrize(
    ("sm", "memory", "waves", "title"),
    [
        (80, 10, None, "High Throughput"),
        (10, 80, None, "High Throughput"),
        (59.9, 59.9, 0.99, "Small Grid"),
        (59.9, 59.9, 1.0, "Latency Issue"),
        (59.9, 59.9, None, None),
        (60, 50.1, None, "Balanced Throughput"),
        (60, 50, None, "High Compute Throughput"),
        (50, 60, None, "High Memory Throughput"),
        (None, 60, 1.0, None),
    ],
)
def test_nvidia_rule(sm: float | None, memory: float | None, waves: float | None, title: str | None) -> None:
    assert nvidia_rule(sm, memory, waves) == title


def test_stored_rule_is_compared() -> None:
    assert classify(IDLE, subject="k").nvidia_agrees is None
    assert classify(replace(IDLE, nvidia_rule="Latency Issue"), subject="k").nvidia_agrees is True
    assert classify(replace(IDLE, nvidia_rule="Small Grid"), subject="k").nvidia_agrees is False


def test_evidence_has_every_axis_that_is_known() -> None:
    evidence = classify(IDLE, subject="k").verdict.evidence
    axes: tuple[Axis, ...] = ("math", "issue", "l1", "l2", "dram")
    assert {f"{a}_axis_pct": IDLE.axis(a) for a in axes}.items() <= evidence.items()


def test_another_wording_of_the_stored_rule_is_no_contradiction() -> None:
    found = classify(replace(IDLE, nvidia_rule="Latency"), subject="k")
    assert found.verdict.label == "latency_bound" and found.nvidia_agrees is None


def made(metrics: dict[str, float]) -> LaunchValues:
    return extract(Launch(index=0, function="k", demangled="", metrics=metrics))


def test_names_of_2018() -> None:
    found = made(
        {
            "sm__sol_pct": 20.0,
            "gpu__compute_memory_sol_pct": 90.0,
            "fbpa__sol_pct": 90.0,
            "ltc__sol_pct": 30.0,
            "tex__sol_pct": 10.0,
            "gpu__time_duration": 5000.0,
            "sm__active_warps_avg_per_active_cycle_pct": 40.0,
        }
    )
    assert (found.duration_s, found.achieved_occupancy_pct) == (pytest.approx(5e-6), 40.0)
    assert classify(found, subject="k").verdict.label == "dram_bound"


def test_members_without_a_list_count_where_the_largest_is_the_headline() -> None:
    share = ".avg.pct_of_peak_sustained_elapsed"
    metrics = {
        f"sm__throughput{share}": 91.0,
        f"gpu__compute_memory_throughput{share}": 91.0,
        f"sm__inst_executed_pipe_lsu{share}": 91.004,
        f"sm__issue_active{share}": 20.0,
        f"l1tex__lsuin_requests{share}": 91.0,
        f"dram__cycles_active{share}": 5.0,
    }
    assert classify(made(metrics), subject="k").verdict.label == "l1_bound"
    # The busiest member is not among them: what it is cannot be told.
    del metrics[f"sm__inst_executed_pipe_lsu{share}"]
    assert classify(made(metrics), subject="k").verdict.reason_code == "missing-breakdown"


def test_leaving_out_any_one_metric_never_gives_another_verdict() -> None:
    for path in sorted(ncu_data().glob("*.ncu-rep")):
        for launch in list(open_source(path))[:4]:
            label = analyse(launch).classification.verdict.label
            whole = {name: launch.metrics[name] for name in launch.metrics}
            for name in whole:
                if "pct" not in name and not name.startswith(("launch__waves", "breakdown", "gpu__time")):
                    continue
                rest = {other: value for other, value in whole.items() if other != name}
                for rule in (launch.nvidia_rule, None):
                    values_left = extract(replace(launch, metrics=rest, nvidia_rule=rule))
                    found = classify(values_left, subject="k").verdict.label
                    assert found in {label, "unknown"}, (path.name, launch.index, name)
