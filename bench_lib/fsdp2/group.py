"""Start a group of ranks, watch it, and end it: the side that imports no torch.

However a group ends, this process waits for it no longer than the stated times, and afterwards
nothing that it started is left: agent, ranks and helpers share one process group, which is killed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench_lib.ended import signal_name
from bench_lib.fsdp2 import diagnosis, launcher, progress, variants, workdir
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.diagnosis import Cause
from bench_lib.model import Status

#: A launcher that has not begun to start ranks by then is given up (importing torch takes 2 to 5 s).
START_TIMEOUT_S = 120.0
#: Least patience with ranks that make no progress.
LEAST_STALL_TIMEOUT_S = 120.0
#: More where the first step compiles; for each rank that shares a core (seen: 20 s for a block, alone).
COMPILE_TIMEOUT_S = 300.0
#: How long the launcher may take to say that a rank is gone: its agent gives the others 5 s to leave.
VANISHED_TIMEOUT_S = 15.0
#: Slower than any processor that can hold the model: an upper bound of a step's time.
SLOWEST_FLOP_PER_S = {"cpu": 1e9, "cuda": 1e12}

#: Each look reads a file a rank, on the cores that are measured: rarely enough not to count.
_POLL_S = 0.2
#: Share of a core that looks may take; 64 ranks are 4 ms of reading.
_LOOKING_SHARE = 0.01
#: A longer time between two looks is one in which this process did not run, and perhaps the ranks neither.
_LONGEST_LOOK_S = 5.0

Report = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """How a launch ended. ``ranks`` holds each rank's result where it ended well.

    ``ranks`` is also empty on the nodes that do not hold rank 0.
    """

    status: Status
    reason: str = ""
    code: str = ""
    failed_rank: int | None = None
    traceback: str = ""
    ranks: list[dict[str, Any]] = field(default_factory=list)


def run(config: RunConfig, *, report: Report = lambda line: None) -> Outcome:
    """Run one group of ranks to its end, good or bad.

    Parameters
    ----------
    config
        What to run.
    report
        Given a line whenever the group gets further; for a progress display.

    Returns
    -------
    Outcome
        Never raises for what ranks do: a failure is an outcome with its cause.
    """
    with contextlib.ExitStack() as stack:
        try:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-lib-")))
            config.save(directory / workdir.CONFIG)
        except OSError as error:
            reason = (
                f"nothing can be written to a temporary folder ({error.strerror or error}). {_OTHER_TMPDIR}"
            )
            return Outcome("skipped", reason, "no-temporary-folder")
        if lacking := diagnosis.lacking_space(directory, num_ranks=config.ranks_per_node):
            return Outcome("skipped", f"{lacking}. {_OTHER_TMPDIR}", "no-temporary-folder")
        with _launcher(directory) as process:
            cause = _supervise(process, directory, config=config, report=report)
        return _outcome(directory, config=config, exit_code=process.returncode, cause=cause)


_OTHER_TMPDIR = "Name another one in TMPDIR."

#: Longest path of a UNIX socket on Linux (108 bytes with the end) less what Python puts below its folder.
_LONGEST_TMPDIR = 108 - len("/pymp-xxxxxxxx/listener-xxxxxxxx") - 1


def _temporary(directory: Path) -> dict[str, str]:
    """Where launcher and ranks put what they would leave behind if they are killed.

    In the launch's own folder, which goes with it. Python's fork server listens on a socket there, whose
    path the kernel bounds: below a long ``TMPDIR``, sockets and compiled code lie in ``/tmp`` as before.
    """
    folder = directory / "tmp"
    if len(os.fsencode(folder)) > _LONGEST_TMPDIR:
        return {"TMPDIR": "/tmp"} if Path("/tmp").is_dir() else {}
    folder.mkdir()
    return {"TMPDIR": str(folder)}


@contextlib.contextmanager
def _launcher(directory: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, **_temporary(directory)}
    # Ranks that share a machine must not each start a thread a core; torch's own launcher does the same.
    environment.setdefault("OMP_NUM_THREADS", "1")
    with (directory / workdir.LOG).open("wb") as log:
        process = subprocess.Popen(
            # -P: a file or folder of the working directory must not stand in for an installed module.
            [sys.executable, "-P", "-m", "bench_lib.fsdp2.launcher", str(directory)],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        # The whole group, even where the launcher itself is gone: its children may not be.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdin is not None:
            process.stdin.close()


def _stall_timeout_s(config: RunConfig, plan: dict[str, Any]) -> float:
    if config.stall_timeout_s is not None:
        return config.stall_timeout_s
    share = max(1.0, config.ranks_per_node * config.threads_per_rank / (os.cpu_count() or 1))
    slowest = plan["flop_per_step_and_rank"] / SLOWEST_FLOP_PER_S[plan["device"]] * share
    compiling = COMPILE_TIMEOUT_S * share if variants.find(config.variant).compile else 0.0
    return float(max(LEAST_STALL_TIMEOUT_S, slowest) + compiling)


def _start_timeout_s(config: RunConfig) -> float:
    """Patience until the first rank starts: on several nodes, that of their rendezvous comes on top."""
    meeting = config.rendezvous
    if meeting.nnodes == 1:
        return START_TIMEOUT_S
    return START_TIMEOUT_S + meeting.join_timeout_s


class _Awake:
    """Time in which this process ran, in s.

    A batch system that suspends a job, or a frozen container, stops the ranks as well: what they did not do
    meanwhile is no stall.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self._last = time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait, then count the time since the last call, as far as this process ran in it."""
        time.sleep(seconds)
        real = time.monotonic()
        self.now += min(real - self._last, seconds + _LONGEST_LOOK_S)
        self._last = real


def _supervise(
    process: subprocess.Popen[bytes], directory: Path, *, config: RunConfig, report: Report
) -> Cause | None:
    """Wait until the launcher ends; returns a cause only where this side ended the group."""
    seen: dict[int, progress.Progress] = {}
    awake = _Awake()
    since = awake.now
    pause = _POLL_S
    patience = _start_timeout_s(config)
    plan: dict[str, Any] | None = None
    gone_since: float | None = None
    while process.poll() is None:
        awake.sleep(pause)
        looking = time.process_time()
        if plan is None and (directory / workdir.PLAN).is_file():
            plan = json.loads((directory / workdir.PLAN).read_text(encoding="utf-8"))
            if "refusal" not in plan:
                patience = max(_start_timeout_s(config), _stall_timeout_s(config, plan))
                since = awake.now
        now = progress.read(directory)
        if now != seen:
            seen, since = now, awake.now
            if plan is not None and any(p.step >= 0 for p in now.values()):
                patience = _stall_timeout_s(config, plan)
            behind = min(now.values(), key=lambda p: p.step)
            report(f"rank {behind.rank} of {config.num_ranks}: {behind.describe()}")
        if awake.now - since > patience:
            return diagnosis.of_stall(directory, after_s=patience, launcher_pid=process.pid)
        gone = diagnosis.vanished(directory)
        # torch's agent sees the end of a rank within a second; where it does not, nobody else would.
        gone_since = (gone_since or awake.now) if gone else None
        if gone_since is not None and awake.now - gone_since > VANISHED_TIMEOUT_S:
            return diagnosis.of_vanished(gone, directory=directory)
        pause = max(_POLL_S, (time.process_time() - looking) / _LOOKING_SHARE)
    return None


def _outcome(directory: Path, *, config: RunConfig, exit_code: int, cause: Cause | None) -> Outcome:
    if cause is not None:
        if not cause.stalled:
            return Outcome("failed", cause.reason, "rank-failed", cause.rank, cause.traceback)
        return Outcome("timed_out", cause.reason, "stalled", cause.rank, cause.traceback)
    plan_file = directory / workdir.PLAN
    plan = json.loads(plan_file.read_text(encoding="utf-8")) if plan_file.is_file() else {}
    refusal = plan.get("refusal")
    if refusal is not None:
        return Outcome("skipped", refusal["message"], refusal["kind"])
    result = directory / workdir.RESULT
    if exit_code == launcher.EXIT_OK:
        ranks = json.loads(result.read_text(encoding="utf-8")) if result.is_file() else []
        return Outcome("ok", ranks=ranks)
    if exit_code < 0:
        name = signal_name(-exit_code)
        return Outcome("failed", f"the launcher was killed by {name}", "launcher-killed")
    cause = diagnosis.of_failure(directory, launcher_exit=exit_code)
    if lacking := diagnosis.lacking_space(directory, num_ranks=config.ranks_per_node):
        # Then what failed may not have been able to say so.
        cause = dataclasses.replace(cause, reason=f"{cause.reason}; {lacking}")
    return Outcome("failed", cause.reason, "rank-failed", cause.rank, cause.traceback)
