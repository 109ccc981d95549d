"""Which rank was the first cause, and where it was: from what a group left behind.

When one rank goes, its peers fail a moment later with communication errors. Those are echoes.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from bench_lib.ended import MAX_TRACEBACK, scrub, signal_name
from bench_lib.fsdp2 import progress, workdir
from bench_lib.units import format_value

#: Time for a rank to write where it is, once asked.
_ANSWER_S = 1.0


#: A trace of a step of the smallest preset is 3 MB, and each rank writes one.
SPACE_BYTES_A_RANK = 4 * 1024**2


@dataclass(frozen=True)
class Cause:
    """The first cause; ``rank`` is ``None`` where it cannot be told, ``stalled`` where nothing had ended."""

    rank: int | None
    reason: str
    traceback: str = ""
    stalled: bool = False


def _evidence(directory: Path) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for path in directory.glob("rank-*.error"):
        rank = int(path.name.removeprefix("rank-").removesuffix(".error"))
        found[rank] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip() if path.is_file() else ""


def _died(rank: int, *, exit_code: int | None, directory: Path) -> Cause:
    at = progress.read(directory).get(rank)
    where = f" at {at.describe()}" if at else ""
    stack = _read(directory / f"rank-{rank}.stack")
    if exit_code is not None and exit_code < 0:
        name = signal_name(-exit_code)
        hint = " (the kernel does this when memory runs out)" if name == "SIGKILL" else ""
        reason = f"rank {rank} was killed by {name}{where}{hint}"
    elif exit_code is not None:
        reason = f"rank {rank} ended with exit code {exit_code}{where}, without a Python error"
    else:
        reason = f"rank {rank} ended{where}, without a Python error"
    return Cause(rank, reason, scrub(stack))


def lacking_space(directory: Path, *, num_ranks: int) -> str:
    """That the launch's folder has no room for what its ranks write; empty where it has."""
    free, needed = shutil.disk_usage(directory).free, num_ranks * SPACE_BYTES_A_RANK
    if free >= needed:
        return ""
    left, wanted = (format_value(size, "B", digits=3) for size in (free, needed))
    return f"the temporary folder has {left} left, and {num_ranks} rank(s) want {wanted} there"


def of_failure(directory: Path, *, launcher_exit: int) -> Cause:
    """The first cause of a group that ended by itself.

    In this order: a signal to the launcher, which then ends the ranks; an exception that is no communication
    error, the earliest; a rank that died without an exception; a rank that was told to end before any other
    failed; the earliest communication error; the launcher.
    """
    if name := _read(directory / workdir.SIGNALLED):
        return Cause(None, f"the launcher was ended by {name}")
    return _among_ranks(directory) or _of_launcher(directory, exit_code=launcher_exit)


def _among_ranks(directory: Path) -> Cause | None:
    evidence = sorted(_evidence(directory).items(), key=lambda item: float(item[1]["time"]))
    for rank, error in evidence:
        if not error["is_communication"]:
            return _raised(rank, error, directory)
    failure_file = directory / workdir.FAILURE
    exits: dict[int, int] = {}
    if failure_file.is_file():
        for failure in json.loads(failure_file.read_text(encoding="utf-8")):
            exits[failure["rank"]] = failure["exitcode"]
    started = progress.read(directory)
    raised = {rank for rank, _ in evidence}
    for rank, at in sorted(started.items()):
        if rank not in raised and _sigterm(directory, rank) is None and at.phase != "done":
            return _died(rank, exit_code=exits.get(rank), directory=directory)
    rank_told = _told_to_end(directory, set(started) - raised, exits=exits, evidence=evidence)
    if rank_told is not None:
        return _died(rank_told, exit_code=-signal.SIGTERM, directory=directory)
    if evidence:
        return _raised(*evidence[0], directory)
    for rank, exit_code in exits.items():
        return _died(rank, exit_code=exit_code, directory=directory)
    return None


def _of_launcher(directory: Path, *, exit_code: int) -> Cause:
    log = scrub(_read(directory / workdir.LOG))
    if message := _read(directory / workdir.ERROR):
        return Cause(None, scrub(message), log)
    last = log.splitlines()[-1] if log else "it left no message"
    return Cause(None, f"the launcher ended with exit code {exit_code}: {last}", log)


def _told_to_end(
    directory: Path, ranks: set[int], *, exits: dict[int, int], evidence: list[tuple[int, dict[str, Any]]]
) -> int | None:
    """The rank that somebody else ended: the launcher's own SIGTERM comes after the first failure."""
    files = {rank: file for rank in ranks if (file := _sigterm(directory, rank))}
    first = float(evidence[0][1]["time"]) if evidence else 0.0
    for rank, file in sorted(files.items(), key=lambda item: item[1].stat().st_mtime):
        if file.stat().st_mtime <= first or exits.get(rank) == -signal.SIGTERM:
            return rank
    return None


def _sigterm(directory: Path, rank: int) -> Path | None:
    """What a rank wrote as SIGTERM reached it; ``None`` where none did."""
    file = directory / f"rank-{rank}.sigterm"
    return file if file.is_file() and file.stat().st_size else None


def _raised(rank: int, error: dict[str, Any], directory: Path) -> Cause:
    at = progress.read(directory).get(rank)
    where = f" at {at.describe()}" if at else ""
    first_line = scrub(str(error["message"])).splitlines()[0][:500]
    return Cause(rank, f"rank {rank} failed{where}: {first_line}", scrub(str(error["traceback"])))


def has_ended(pid: int) -> bool:
    """Whether a process is gone, or waits to be collected by its parent."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def vanished(directory: Path) -> list[int]:
    """Ranks that ended before they were done."""
    return [rank for rank, at in progress.read(directory).items() if at.phase != "done" and has_ended(at.pid)]


def of_vanished(ranks: list[int], *, directory: Path) -> Cause:
    """The cause where ranks are gone and torch's agent has not seen it.

    Peers of the first soon fail with communication errors and are gone as well: those are echoes.
    """
    evidence = _evidence(directory)
    raised = sorted((r for r in ranks if r in evidence), key=lambda r: float(evidence[r]["time"]))
    for rank in raised:
        if not evidence[rank]["is_communication"]:
            return _raised(rank, evidence[rank], directory)
    for rank in sorted(set(ranks) - set(raised)):
        return _died(rank, exit_code=None, directory=directory)
    return _raised(raised[0], evidence[raised[0]], directory)


def of_stall(directory: Path, *, after_s: float, launcher_pid: int) -> Cause:
    """The cause of a group that makes no progress; asks every rank where it is.

    The culprit is a stopped process, or one that is not waiting in a collective. A rank answers by a
    signal handler in C, so it answers even where Python is stuck.
    """
    with contextlib.suppress(psutil.NoSuchProcess):
        if psutil.Process(launcher_pid).status() == psutil.STATUS_STOPPED:
            reason = f"the launcher was stopped (by a signal); ended after {after_s:.0f} s without progress"
            return Cause(None, reason, stalled=True)
    ranks = progress.read(directory)
    if not ranks:
        log = scrub(_read(directory / workdir.LOG))
        return Cause(None, f"no rank had started after {after_s:.0f} s", log, stalled=True)
    stopped: list[int] = []
    asked: list[int] = []
    for rank, at in sorted(ranks.items()):
        try:
            process = psutil.Process(at.pid)
            if process.status() == psutil.STATUS_STOPPED:
                stopped.append(rank)
            else:
                os.kill(at.pid, signal.SIGUSR1)
                asked.append(rank)
        except (psutil.NoSuchProcess, ProcessLookupError):
            return _died(rank, exit_code=None, directory=directory)
    if asked:
        time.sleep(_ANSWER_S)
    stacks = {rank: _read(directory / f"rank-{rank}.stack") for rank in ranks}
    free = [rank for rank in asked if not _waits_for_peers(stacks[rank])]
    culprits = stopped or free
    everything = "\n\n".join(f"rank {r}:\n{scrub(stacks[r]) or '(no answer)'}" for r in sorted(ranks))
    where = ranks[culprits[0]].describe() if culprits else next(iter(ranks.values())).describe()
    if stopped:
        reason = f"rank {stopped[0]} was stopped (by a signal) at {where}"
    elif culprits:
        names = ", ".join(str(r) for r in culprits)
        reason = f"rank {names} hung at {where} while its peers waited for it"
        if len(culprits) == len(ranks):
            reason = f"rank {names} made no progress at {where}"
    else:
        reason = f"every rank waits for its peers at {where}"
    return Cause(
        culprits[0] if len(culprits) == 1 else None,
        f"{reason}; ended after {after_s:.0f} s without progress",
        everything[-MAX_TRACEBACK:],
        stalled=True,
    )


def _waits_for_peers(stack: str) -> bool:
    """Whether a rank's main thread is inside torch's communication code.

    The most recent frames decide; FSDP's own frames further up are there all through a step.
    """
    frames = re.findall(r'File "([^"]*)", line \d+ in (\S+)', stack)[:3]
    return any(
        "torch/distributed/distributed_c10d.py" in path or "torch/distributed/c10d_logger.py" in path
        for path, _ in frames
    ) or any(
        "torch/distributed/fsdp" in path and ("wait" in name or "all_gather" in name or "reduce" in name)
        for path, name in frames
    )
