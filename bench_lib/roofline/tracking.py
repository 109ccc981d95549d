"""Kernels across commits: records for asv, and kernels that changed class."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from slugify import slugify

from bench_lib.errors import DamagedFileError
from bench_lib.hardware.catalog import find
from bench_lib.hardware.detect import detect
from bench_lib.hardware.environment import capture
from bench_lib.model import Measurement, Run
from bench_lib.roofline.analysis import LaunchAnalysis, analyse, analyse_file, find_sources
from bench_lib.roofline.classify import RULE_VERSION
from bench_lib.roofline.present import SCHEMA
from bench_lib.roofline.recorded import recorded, recorded_launches

#: Changes when what is measured changes.
VERSION: Final = f"1-rule-{RULE_VERSION}"
#: Folder of reports to track instead of the recorded launches.
REPORTS_VARIABLE: Final = "BENCH_LIB_NCU_REPORTS"
_CLOCK: Final = "ncu"


def gpu_slug(name: str | None) -> str:
    """Slug of a GPU by the name that its report gives."""
    known = find(name) if name else None
    return known.slug if known is not None else slugify(name or "") or "unknown-gpu"


def _details(analysis: LaunchAnalysis, *, source: str) -> dict[str, str | int | float | bool | None]:
    classification = analysis.classification
    return {
        "label": classification.verdict.label,
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
        measurements.append(Measurement("kernel_duration", (analysis.values.duration_s,), clock=_CLOCK))
    if analysis.share_of_roof:
        measurements.append(Measurement("time_over_roof", (1 / analysis.share_of_roof,), clock=_CLOCK))
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


def folder_run(label: str, *, root: Path) -> Run:
    """Record of the time that a folder of reports spends in one class.

    The folder is the one that :data:`REPORTS_VARIABLE` names; without it the run is skipped.
    """
    folder = os.environ.get(REPORTS_VARIABLE)
    environment = capture(detect(), root=root)
    blank = Run(
        benchmark="roofline.ReportFolder",
        version=VERSION,
        params={"label": label},
        hardware="unknown-gpu",
        environment=environment,
        status="skipped",
        reason=f"no-reports: set {REPORTS_VARIABLE} to a folder of .ncu-rep files.",
        origin="imported",
    )
    if not folder:
        return blank
    in_class_s = total_s = 0.0
    num_launches = num_unknown = 0
    try:
        sources, empty = find_sources((Path(folder),))
        if empty:
            return replace(blank, status="failed", reason=f"no report in the folder of {REPORTS_VARIABLE}.")
        for path in sources:
            for analysis in analyse_file(path):
                duration_s = analysis.values.duration_s
                num_launches += 1
                num_unknown += duration_s is None
                total_s += duration_s or 0.0
                if analysis.classification.verdict.label == label:
                    in_class_s += duration_s or 0.0
    except DamagedFileError as error:
        return replace(blank, status="failed", reason=f"{error.path.name} could not be read.")
    return replace(
        blank,
        status="ok",
        reason="",
        measurements=(Measurement("time_in_class", (in_class_s,), clock=_CLOCK),),
        details={
            "share_of_time": in_class_s / total_s if total_s else None,
            "num_launches": num_launches,
            "num_launches_without_duration": num_unknown,
        },
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
