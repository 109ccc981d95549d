"""Kernels of a folder of reports across commits: duration, distance from the roof, time by class.

The folder is input, as a benchmark's source is: what it holds decides which kernels there are. It is
analysed once a run of asv, and the summary serves every benchmark.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import msgspec
from slugify import slugify

from bench_lib.errors import DamagedFileError, UnavailableError, UsageError
from bench_lib.files import write_whole
from bench_lib.hardware.catalog import find
from bench_lib.hardware.detect import detect
from bench_lib.hardware.environment import capture
from bench_lib.model import Measurement, Run
from bench_lib.roofline.analysis import LaunchAnalysis, analyse, find_sources, open_source
from bench_lib.roofline.classify import RULE_VERSION
from bench_lib.roofline.kernel_names import printable, short_kernel_name
from bench_lib.roofline.launch import SourceFacts

#: Changes when what is measured changes.
VERSION: Final = f"1-rule-{RULE_VERSION}"
#: Folder of reports to track.
REPORTS_VARIABLE: Final = "BENCH_LIB_NCU_REPORTS"
#: What stands for a kernel where there is no folder to take any from.
NO_KERNEL: Final = "none"
CLOCK: Final = "ncu"
_SUMMARY: Final = "report-folder.json"


@dataclass(frozen=True)
class KernelTimes:
    """All launches of one kernel on one GPU.

    Parameters
    ----------
    durations_s, times_over_roof
        One of each launch that has it.
    seconds_by_label
        Time by class; a kernel can have launches of several.
    """

    kernel: str
    gpu: str | None
    num_launches: int
    durations_s: tuple[float, ...]
    times_over_roof: tuple[float, ...]
    seconds_by_label: Mapping[str, float]

    def details(self) -> dict[str, str | int | float | bool | None]:
        """What a record keeps beside the measurements."""
        labels = sorted(self.seconds_by_label)
        return {
            "kernel": printable(self.kernel),
            "label": max(labels, key=lambda n: self.seconds_by_label[n]),
            "labels": ", ".join(labels),
            "rule_version": RULE_VERSION,
        }

    def measurements(self) -> tuple[Measurement, ...]:
        """Samples for a record."""
        samples = {"kernel_duration": self.durations_s, "time_over_roof": self.times_over_roof}
        return tuple(Measurement(name, values, clock=CLOCK) for name, values in samples.items() if values)


@dataclass(frozen=True)
class FolderSummary:
    """What a folder of reports holds.

    Parameters
    ----------
    status, reason
        Other than ``ok`` where the folder could not be summarised: all or nothing.
    kernels
        By name for asv: short, stable, and of plain characters.
    """

    status: str
    reason: str = ""
    seconds_by_label: Mapping[str, float] = field(default_factory=dict)
    kernels: Mapping[str, KernelTimes] = field(default_factory=dict)
    ncu_version: str | None = None
    clocks_locked: bool | None = None


def gpu_slug(name: str | None) -> str:
    """Slug of a GPU by the name that its report gives."""
    known = find(name) if name else None
    return known.slug if known is not None else slugify(name or "") or "unknown-gpu"


def kernel_id(kernel: str, gpu: str | None) -> str:
    """Name of a kernel on a GPU as a parameter of asv; nothing in it needs escaping anywhere."""
    digest = hashlib.sha256(f"{kernel}\0{gpu or ''}".encode()).hexdigest()[:8]
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", short_kernel_name(kernel)).strip("-")
    return f"{plain or 'kernel'}-{digest}"


def collect_kernels(
    launches: Iterable[tuple[LaunchAnalysis, str | None]],
) -> dict[str, KernelTimes]:
    """Group (launch, GPU) by kernel and GPU."""
    groups: dict[tuple[str, str | None], _Group] = {}
    for analysis, gpu in launches:
        group = groups.setdefault((analysis.kernel, gpu), _Group())
        duration_s, label = analysis.values.duration_s, analysis.classification.verdict.label
        group.num_launches += 1
        group.seconds[label] = group.seconds.get(label, 0.0) + (duration_s or 0.0)
        if duration_s is not None:
            group.durations_s.append(duration_s)
        if analysis.share_of_roof:
            group.times_over_roof.append(1 / analysis.share_of_roof)
    return {
        kernel_id(kernel, gpu): KernelTimes(
            kernel, gpu, g.num_launches, tuple(g.durations_s), tuple(g.times_over_roof), g.seconds
        )
        for (kernel, gpu), g in groups.items()
    }


@dataclass
class _Group:
    num_launches: int = 0
    durations_s: list[float] = field(default_factory=list)
    times_over_roof: list[float] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


def _sources() -> list[Path]:
    folder = os.environ.get(REPORTS_VARIABLE)
    if not folder:
        raise UnavailableError("no-reports", f"set {REPORTS_VARIABLE} to a folder of .ncu-rep files.")
    sources, empty = find_sources((Path(folder),))
    if empty:
        raise UsageError(f"no report in the folder of {REPORTS_VARIABLE}.")
    return sources


def summarise() -> FolderSummary:
    """Analyse the folder that :data:`REPORTS_VARIABLE` names, keeping figures by kernel only."""
    facts: list[SourceFacts] = []

    def launches() -> Iterator[tuple[LaunchAnalysis, str | None]]:
        for path in _sources():
            source = open_source(path)
            facts.append(source.facts)
            for launch in source:
                yield analyse(launch), source.facts.gpu

    try:
        kernels = collect_kernels(launches())
    except UnavailableError as error:
        return FolderSummary("skipped", str(error))
    except UsageError as error:
        return FolderSummary("failed", str(error))
    except DamagedFileError as error:
        return FolderSummary("failed", f"{printable(error.path.name)} could not be read.")
    seconds: dict[str, float] = {}
    for kernel in kernels.values():
        for label, in_class_s in kernel.seconds_by_label.items():
            seconds[label] = seconds.get(label, 0.0) + in_class_s
    versions, locks = {f.ncu_version for f in facts}, {f.clocks_locked for f in facts}
    return FolderSummary(
        "ok",
        seconds_by_label=seconds,
        kernels=kernels,
        ncu_version=versions.pop() if len(versions) == 1 else None,
        clocks_locked=locks.pop() if len(locks) == 1 else None,
    )


def kernel_params() -> list[str]:
    """Kernels of the folder, as parameters of asv; :data:`NO_KERNEL` where there are none to be read."""
    found: set[str] = set()
    try:
        for path in _sources():
            source = open_source(path)
            gpu = source.facts.gpu
            found.update(kernel_id(launch.kernel, gpu) for launch in source)
    except (UnavailableError, UsageError, DamagedFileError):
        # Importing a benchmark must not fail: its run says why there is nothing.
        return [NO_KERNEL]
    return sorted(found) or [NO_KERNEL]


def write_summary(cache: Path) -> None:
    """Summarise the folder, for every benchmark of one run of asv."""
    write_whole(cache / _SUMMARY, msgspec.json.encode(summarise()).decode())


def read_summary(cache: Path) -> FolderSummary:
    """What :func:`write_summary` stored in ``cache``."""
    return msgspec.json.decode((cache / _SUMMARY).read_bytes(), type=FolderSummary)


def _blank(summary: FolderSummary, benchmark: str, params: Mapping[str, str], *, root: Path) -> Run:
    environment = replace(
        capture(detect(), root=root), ncu=summary.ncu_version, clocks_locked=summary.clocks_locked
    )
    gpus = {k.gpu for k in summary.kernels.values()}
    return Run(
        benchmark=benchmark,
        version=VERSION,
        params=params,
        hardware=gpu_slug(gpus.pop()) if len(gpus) == 1 else "several-gpus" if gpus else "unknown-gpu",
        environment=environment,
        status="skipped" if summary.status == "skipped" else "failed",
        reason=summary.reason or "no such kernel in the folder of reports.",
        origin="imported",
    )


def folder_run(label: str, summary: FolderSummary, *, root: Path) -> Run:
    """Record of the time that the folder's launches spend in one class."""
    blank = _blank(summary, "roofline.ReportFolder", {"label": label}, root=root)
    if summary.status != "ok":
        return blank
    in_class_s, total_s = summary.seconds_by_label.get(label, 0.0), sum(summary.seconds_by_label.values())
    measurements = [Measurement("time_in_class", (in_class_s,), clock=CLOCK)]
    if total_s:
        measurements.append(Measurement("share_of_time", (in_class_s / total_s,), clock=CLOCK))
    return replace(
        blank,
        status="ok",
        reason="",
        measurements=tuple(measurements),
        details={
            "num_launches": sum(k.num_launches for k in summary.kernels.values()),
            "num_launches_without_duration": sum(
                k.num_launches - len(k.durations_s) for k in summary.kernels.values()
            ),
        },
    )


def kernel_run(name: str, summary: FolderSummary, *, root: Path) -> Run:
    """Record of one of the folder's kernels."""
    blank = _blank(summary, "roofline.ReportKernel", {"kernel": name}, root=root)
    kernel = summary.kernels.get(name)
    if kernel is None:
        return blank
    return replace(
        blank,
        status="ok",
        reason="",
        hardware=gpu_slug(kernel.gpu),
        measurements=kernel.measurements(),
        details=kernel.details(),
    )
