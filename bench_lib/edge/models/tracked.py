"""What asv tracks of models: every case, by a name that is the same on each machine."""

from __future__ import annotations

from pathlib import Path

from bench_lib.edge.frameworks import Case, all_cases
from bench_lib.edge.models.measure import measure
from bench_lib.errors import UsageError
from bench_lib.model import Run


def _named(workload: str) -> dict[str, Case]:
    return {case.name: case for case in all_cases() if case.workload == workload}


def case_names(workload: str) -> list[str]:
    """Names of a workload's cases, whatever this machine can run."""
    return list(_named(workload))


def case_run(workload: str, name: str, *, root: Path) -> Run:
    """Measure one case.

    Raises
    ------
    UsageError
        There is none of that name.
    """
    named = _named(workload)
    if name not in named:
        raise UsageError.of("case", found=name, expected=f"one of {', '.join(named)}")
    (run,) = measure([named[name]], root=root)
    return run
