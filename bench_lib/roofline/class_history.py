"""Kernels whose class changed from one commit to the next, from records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bench_lib.model import Run

#: Benchmarks whose records are of one kernel each.
KERNEL_BENCHMARKS: Final = ("roofline.LiveKernel", "roofline.ReportKernel", "roofline.RecordedKernel")


@dataclass(frozen=True)
class KernelHistory:
    """Records of one kernel on one GPU by one version of the rules, one a commit, the oldest first.

    Rules are part of the identity: a class that changed because rules did is not the kernel's change.
    """

    runs: tuple[Run, ...]

    @property
    def newest(self) -> Run:
        return self.runs[-1]

    @property
    def kernel(self) -> str:
        """The kernel's whole name; the benchmark's parameter where the record has none."""
        newest = self.newest
        return str(newest.details.get("kernel") or next(iter(newest.params.values()), ""))

    @property
    def changes(self) -> tuple[tuple[Run, Run], ...]:
        """(before, after) of each two neighbouring commits between which the class changed."""
        pairs = zip(self.runs, self.runs[1:], strict=False)
        return tuple((a, b) for a, b in pairs if labels_of(a) != labels_of(b))


def labels_of(run: Run) -> str:
    """Labels of the kernel's launches, in a stable order."""
    return str(run.details.get("labels") or run.details.get("label") or "unknown")


def _when(run: Run) -> tuple[str, str]:
    environment = run.environment
    return (environment.commit_time or environment.started, environment.started)


def histories(runs: Iterable[Run]) -> tuple[KernelHistory, ...]:
    """Histories of the kernels that ``runs`` have figures of, in the order of their names.

    Commits are in the order of their dates; of several runs at one commit, the last counts.
    """
    groups: dict[tuple[str, ...], dict[str | None, Run]] = {}
    for run in sorted(runs, key=_when):
        if run.benchmark not in KERNEL_BENCHMARKS or run.status != "ok":
            continue
        identity = (run.benchmark, repr(sorted(run.params.items())), run.hardware, run.version, run.origin)
        groups.setdefault(identity, {})[run.environment.commit] = run
    return tuple(
        KernelHistory(tuple(sorted(by_commit.values(), key=_when))) for _, by_commit in sorted(groups.items())
    )
