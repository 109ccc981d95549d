"""Run ``ncu`` on a command, and say plainly why it did not work where it did not.

**Source**: options as in NVIDIA's Nsight Compute CLI documentation; ``%q{NAME}`` in an output name
stands for an environment variable. Tested with a scripted ``ncu``; never yet with a real one.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from bench_lib.errors import UnavailableError, UsageError

ClockControl = Literal["base", "none"]
MetricSet = Literal["full", "verdict"]

#: From here on the full set has FP16, tensor, L1 and L2 rooflines; before, they are asked for by name.
_ROOFLINES_SINCE: Final = (2025, 1)
_SM: Final = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
_MEMORY: Final = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
#: What the taxonomy needs, and no more: few passes.
_VERDICT_METRICS: Final = (
    _SM,
    _MEMORY,
    f"breakdown:{_SM}",
    f"breakdown:{_MEMORY}",
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "gpu__time_duration.sum",
    "launch__waves_per_multiprocessor",
    "sm__maximum_warps_per_active_cycle_pct",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__cycles_elapsed.avg.per_second",
    "smsp__cycles_elapsed.avg.per_second",
    "dram__bytes.sum.per_second",
    "dram__bytes.sum.peak_sustained",
    "dram__cycles_elapsed.avg.per_second",
)
_HALF_METRICS: Final = tuple(
    f"smsp__sass_thread_inst_executed_op_h{op}_pred_on.sum.per_cycle_elapsed" for op in ("add", "mul", "fma")
)
_VERSION: Final = re.compile(r"Version (\d+)\.(\d+)")


@dataclass(frozen=True)
class Request:
    """What to profile.

    Parameters
    ----------
    command
        The program and its arguments.
    output
        Report to write, without the ending.
    metric_set
        ``full`` for all sections, ``verdict`` for the few metrics that the taxonomy needs.
    clock_control
        ``base`` holds the clocks at base (steady, but slower than in use); ``none`` leaves them.
        Always passed on and so recorded in the report.
    kernel
        Regular expression that kernel names must match.
    nvtx_range
        NVTX range outside which nothing is profiled, to leave out initialisation.
    launch_count, launch_skip
        Launches to profile, and to pass over before them.
    num_ranks
        Above 1: the command is a Python script, started on that many ranks, one report a rank.
    overwrite
        Replace reports that exist.
    """

    command: tuple[str, ...]
    output: Path
    metric_set: MetricSet = "full"
    clock_control: ClockControl = "base"
    kernel: str | None = None
    nvtx_range: str | None = None
    launch_count: int | None = None
    launch_skip: int | None = None
    num_ranks: int = 1
    overwrite: bool = False

    def __post_init__(self) -> None:
        if not self.command:
            raise UsageError.of("command", found="nothing", expected="a program to profile after --")
        if self.num_ranks < 1:
            raise UsageError.of("ranks", found=self.num_ranks, expected="a whole number from 1 up")

    def reports(self) -> list[Path]:
        """The report of each rank."""
        if self.num_ranks == 1:
            return [self.output.with_name(f"{self.output.name}.ncu-rep")]
        return [
            self.output.with_name(f"{self.output.name}_rank{rank}.ncu-rep") for rank in range(self.num_ranks)
        ]


def find_ncu() -> Path:
    """The ``ncu`` on the search path.

    Raises
    ------
    UnavailableError
        There is none.
    """
    found = shutil.which("ncu")
    if found is None:
        raise UnavailableError(
            "ncu-missing",
            "no `ncu` is on the search path.",
            remedy="Install Nsight Compute, or import a report made elsewhere: bench-lib classify FILE.",
        )
    return Path(found)


def ncu_version(ncu: Path) -> tuple[int, int] | None:
    """Year and release of ``ncu``; ``None`` where its answer is not understood."""
    try:
        done = subprocess.run(
            [str(ncu), "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise UnavailableError("ncu-broken", f"{ncu.name} --version: {error}.") from error
    match = _VERSION.search(done.stdout)
    return (int(match[1]), int(match[2])) if match else None


def command_line(request: Request, *, ncu: Path, version: tuple[int, int] | None) -> list[str]:
    """The whole command, as a list that needs no shell."""
    # ncu replaces %p, %h and the like in the name; a doubled % stands for itself.
    name = str(request.output).replace("%", "%%") + ("_rank%q{RANK}" if request.num_ranks > 1 else "")
    options = [str(ncu), "--target-processes", "all", "--clock-control", request.clock_control]
    options += ["--export", name]
    if request.overwrite:
        options.append("--force-overwrite")
    if request.metric_set == "full":
        options += ["--set", "full"]
        if version is None or version < _ROOFLINES_SINCE:
            options += ["--metrics", ",".join(_HALF_METRICS)]
    else:
        options += ["--metrics", ",".join(_VERDICT_METRICS)]
    if request.kernel is not None:
        options += ["--kernel-name", f"regex:{request.kernel}"]
    elif request.num_ranks > 1:
        # Replaying a collective on one rank alone would wait for the others for ever.
        options += ["--kernel-name", "regex:^(?!nccl)"]
    if request.nvtx_range is not None:
        options += ["--nvtx", "--nvtx-include", f"{request.nvtx_range}/"]
    if request.launch_skip is not None:
        options += ["--launch-skip", str(request.launch_skip)]
    if request.launch_count is not None:
        options += ["--launch-count", str(request.launch_count)]
    if request.num_ranks == 1:
        return [*options, *request.command]
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--no-python"]
    return [*launcher, "--nproc-per-node", str(request.num_ranks), *options, *request.command]


#: Text in ncu's output → reason code, what it means, what to do. First match wins.
_FAILURES: Final = (
    (
        "ERR_NVGPUCTRPERM",
        "counters-not-permitted",
        "the driver gives performance counters to administrators only.",
        "Ask for NVreg_RestrictProfilingToAdminUsers=0 on the host, or import a report made elsewhere.",
    ),
    (
        "Profiling is not supported on",
        "gpu-not-supported",
        "this ncu does not know this GPU.",
        "Install an ncu as new as the GPU's driver (`ncu --list-chips` lists what it knows).",
    ),
    (
        "not supported on this device",
        "gpu-not-supported",
        "this ncu does not know this GPU.",
        "Install an ncu as new as the GPU's driver (`ncu --list-chips` lists what it knows).",
    ),
    (
        "No kernels were profiled",
        "no-kernel-profiled",
        "the program ran, but launched no kernel that the filters let through.",
        "Check --kernel, --nvtx and --launch-skip, and that the program uses the GPU.",
    ),
    (
        "already exists",
        "report-exists",
        "a report of that name exists.",
        "Choose another --output or pass --overwrite.",
    ),
)


def explain(output: str, *, returncode: int) -> UnavailableError | None:
    """The reason that ncu's output gives for a failure; ``None`` where it gives none and exited with 0."""
    # Only ncu's own lines count: the program may print anything.
    said_by_ncu = "\n".join(line for line in output.splitlines() if line.startswith("=="))
    for mark, code, detail, remedy in _FAILURES:
        if mark in said_by_ncu:
            return UnavailableError(code, detail, remedy=remedy)
    if returncode == 0:
        return None
    errors = [line for line in output.splitlines() if line.startswith("==ERROR==")]
    if errors:
        said = errors[-1].removeprefix("==ERROR==").strip().rstrip(".")
        return UnavailableError("ncu-failed", f"ncu said: {said[:300]}.")
    ended = f"was ended by signal {-returncode}" if returncode < 0 else f"ended with exit code {returncode}"
    return UnavailableError("ncu-failed", f"ncu {ended} and gave no reason.")


def _written(report: Path) -> tuple[int, int, int] | None:
    """What changes when a report is written again; ``None`` where there is none."""
    try:
        found = report.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def collect(request: Request, *, timeout_s: float | None = None) -> list[Path]:
    """Profile, and return the reports.

    Raises
    ------
    UnavailableError
        There is no ncu, it may not read counters, does not know the GPU, profiled nothing or failed.
    """
    ncu = find_ncu()
    command = command_line(request, ncu=ncu, version=ncu_version(ncu))
    try:
        request.output.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError.of(
            "output", found=str(error.strerror), expected="a folder that can be made and written"
        ) from error
    before = {report: _written(report) for report in request.reports()}
    existing = [report.name for report, written in before.items() if written is not None]
    if existing and not request.overwrite:
        raise UnavailableError(
            "report-exists",
            f"{', '.join(existing)} is there already.",
            remedy="Choose another --output or pass --overwrite.",
        )
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
    except OSError as error:
        raise UnavailableError("ncu-broken", f"{ncu.name}: {error}.") from error
    except subprocess.TimeoutExpired as error:
        raise UnavailableError("timed-out", f"profiling took more than {timeout_s:g} s.") from error
    failure = explain(done.stdout, returncode=done.returncode)
    if failure is not None:
        raise failure
    # A report of an earlier run must not pass for the one just asked for.
    missing = [r.name for r, earlier in before.items() if _written(r) in {None, earlier}]
    if missing:
        raise UnavailableError(
            "report-missing", f"ncu ended without an error, but {', '.join(missing)} was not written."
        )
    return request.reports()
