"""Kernels across commits: records for asv, and kernels that changed class."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bench_lib.errors import DamagedFileError
from bench_lib.hardware.detect import detect
from bench_lib.hardware.environment import capture
from bench_lib.model import Measurement, Run
from bench_lib.roofline.analysis import LaunchAnalysis, analyse
from bench_lib.roofline.kernel_names import printable
from bench_lib.roofline.present import SCHEMA
from bench_lib.roofline.recorded import recorded, recorded_launches
from bench_lib.roofline.report_folder import CLOCK, VERSION, gpu_slug


def _details(analysis: LaunchAnalysis, *, source: str) -> dict[str, str | int | float | bool | None]:
    classification = analysis.classification
    return {
        "label": classification.verdict.label,
        "labels": classification.verdict.label,
        "kernel": printable(analysis.kernel),
        "reason": classification.verdict.reason_code,
        "strength": classification.strength,
        "spec_label": classification.spec_label,
        "nvidia_rule": classification.nvidia_rule,
        "rule_version": classification.verdict.rule_version,
        "sm_pct": analysis.values.sm_pct,
        "memory_pct": analysis.values.memory_pct,
        "clock_share_of_boost": analysis.clock_share_of_boost,
        "source": source,
    }


def names_with_roof() -> tuple[str, ...]:
    """Recorded launches whose distance from the roof is known."""
    return tuple(e.name for e in recorded_launches() if analyse(e.launch).share_of_roof)


def recorded_run(name: str, *, root: Path) -> Run:
    """Record of one shipped launch, as this version of the rules sees it; its origin is ``imported``."""
    entry = recorded(name)
    analysis = analyse(entry.launch)
    measurements = []
    if analysis.values.duration_s is not None:
        measurements.append(Measurement("kernel_duration", (analysis.values.duration_s,), clock=CLOCK))
    if analysis.share_of_roof:
        measurements.append(Measurement("time_over_roof", (1 / analysis.share_of_roof,), clock=CLOCK))
    environment = replace(
        capture(detect(), root=root), ncu=entry.ncu_version, clocks_locked=entry.launch.clocks_locked
    )
    return Run(
        benchmark="roofline.RecordedKernel",
        version=VERSION,
        params={"kernel": name},
        hardware=gpu_slug(entry.gpu),
        environment=environment,
        status="ok",
        measurements=tuple(measurements),
        origin="imported",
        details=_details(analysis, source=entry.source),
    )


@dataclass(frozen=True)
class ClassChange:
    """A kernel whose class is not what it was."""

    kernel: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def class_changes(
    before: Iterable[tuple[str, str]], after: Iterable[tuple[str, str]]
) -> tuple[ClassChange, ...]:
    """Kernels whose set of labels differs between two lists of (kernel, label), by kernel.

    A kernel that only one list has did not change class.
    """
    earlier, later = _labels(before), _labels(after)
    return tuple(
        ClassChange(kernel, tuple(sorted(earlier[kernel])), tuple(sorted(later[kernel])))
        for kernel in sorted(earlier.keys() & later.keys())
        if earlier[kernel] != later[kernel]
    )


def read_labels(path: Path) -> tuple[tuple[str, str], ...]:
    """(kernel, label) of every launch in what ``bench-lib classify --json`` wrote.

    Raises
    ------
    DamagedFileError
        The file is something else.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            raise ValueError(f"schema {document['schema']!r}")
        return tuple((str(n["kernel"]), str(n["label"])) for r in document["reports"] for n in r["launches"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedFileError(
            path, found=str(error) or type(error).__name__, expected="output of bench-lib classify --json"
        ) from error


def _labels(pairs: Iterable[tuple[str, str]]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for kernel, label in pairs:
        found.setdefault(kernel, set()).add(label)
    return found
