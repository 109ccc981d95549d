"""Profile an operation with ncu, now, on this machine's GPU, and record its kernel."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

from bench_lib.errors import DamagedFileError, UnavailableError
from bench_lib.hardware.detect import Machine, detect
from bench_lib.hardware.environment import capture
from bench_lib.model import Run
from bench_lib.roofline.analysis import analyse, open_source
from bench_lib.roofline.collect import Request, collect, find_ncu
from bench_lib.roofline.live_kernels import RANGE
from bench_lib.roofline.report_folder import VERSION, collect_kernels

#: What the machine cannot do, as opposed to what went wrong.
_SKIPS: Final = frozenset(
    {"no-gpu", "torch-missing", "ncu-missing", "counters-not-permitted", "gpu-not-supported"}
)


def _require(machine: Machine) -> None:
    if not machine.gpus:
        raise UnavailableError("no-gpu", "nvidia-smi lists no GPU.", remedy="Import a report made elsewhere.")
    find_ncu()
    if importlib.util.find_spec("torch") is None:
        raise UnavailableError("torch-missing", "the profiled operations need torch.")


def live_run(operation: str, *, root: Path, timeout_s: float = 1200.0) -> Run:
    """Profile one of :data:`~bench_lib.roofline.live_kernels.OPERATIONS` and record its longest kernel.

    Clocks are held at base, for steadiness across commits; the record says so. A machine without a GPU,
    ncu or the right to read counters gives a skipped run with the reason.
    """
    machine = detect()
    blank = Run(
        benchmark="roofline.LiveKernel",
        version=VERSION,
        params={"operation": operation},
        hardware=machine.hardware.slug,
        environment=capture(machine, root=root),
        status="failed",
        reason="not yet run",
    )
    try:
        _require(machine)
        with tempfile.TemporaryDirectory() as folder:
            request = Request(
                command=(sys.executable, "-m", "bench_lib.roofline.live_kernels", operation),
                output=Path(folder) / "report",
                nvtx_range=RANGE,
            )
            (report,) = collect(request, timeout_s=timeout_s)
            return _record(report, blank)
    except UnavailableError as error:
        if error.code == "timed-out":
            return replace(blank, status="timed_out", reason=str(error))
        return replace(blank, status="skipped" if error.code in _SKIPS else "failed", reason=str(error))
    except DamagedFileError as error:
        reason = str(error).replace(f"{error.path}: ", "ncu's report: ")
        return replace(blank, status="failed", reason=reason)


def _record(report: Path, blank: Run) -> Run:
    source = open_source(report)
    facts = source.facts
    kernels = collect_kernels((analyse(launch), facts.gpu) for launch in source)
    # An operation can launch small kernels beside the one that does the work.
    longest = max(kernels.values(), key=lambda k: sum(k.durations_s))
    environment = replace(blank.environment, ncu=facts.ncu_version, clocks_locked=facts.clocks_locked)
    return replace(
        blank,
        status="ok",
        reason="",
        environment=environment,
        measurements=longest.measurements(),
        details=longest.details(),
    )
