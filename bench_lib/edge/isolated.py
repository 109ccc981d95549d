"""Asks a process of its own, so that whatever a driver does to it is an answer with a reason."""

from __future__ import annotations

import ctypes.util
import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from bench_lib.edge.jobs import KINDS, Answer, Job
from bench_lib.errors import UnavailableError, UsageError

_MODULE: Final = "bench_lib.edge.worker"

#: Keep drivers from finding what they compiled in an earlier process: creation is then cold.
_NO_SHADER_CACHE: Final = {
    "MESA_SHADER_CACHE_DISABLE": "true",
    "__GL_SHADER_DISK_CACHE": "0",
    "AMD_VK_PIPELINE_CACHE_PATH": "/dev/null",
}
#: Signals that a broken driver ends its process with.
_CRASHES: Final = frozenset({signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE})


def require_loader() -> None:
    """Refuse a machine that cannot have a device, before a process is started for it.

    Raises
    ------
    UnavailableError
        ``no-loader``.
    """
    if platform.system() != "Darwin" and ctypes.util.find_library("vulkan") is None:
        raise UnavailableError(
            "no-loader",
            "no Vulkan loader (libvulkan) was found.",
            remedy="Install one: apt-get install libvulkan1 mesa-vulkan-drivers",
        )


def ask(job: Job, *, timeout_s: float, environ: Mapping[str, str] | None = None) -> Answer:
    """Do ``job`` in a fresh process.

    Parameters
    ----------
    timeout_s
        The process is killed after that long; the answer is then ``timed_out``.
    environ
        Further environment variables of that process.

    Raises
    ------
    UsageError
        The job asks for something impossible.
    """
    kind = next(name for name, type_ in KINDS.items() if isinstance(job, type_))
    with tempfile.TemporaryDirectory(prefix="bench-lib-edge-") as folder:
        path, said = Path(folder, "answer"), Path(folder, "said")
        with said.open("wb") as stream:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", _MODULE, kind, str(path), str(os.getpid())],
                stdin=subprocess.PIPE,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env={**os.environ, **_NO_SHADER_CACHE, **(environ or {})},
                start_new_session=True,
            )
            hung = False
            try:
                process.communicate(msgspec.json.encode(job), timeout=timeout_s)
            except subprocess.TimeoutExpired:
                hung = True
            finally:
                _end(process)
        last = _last_line(said)
        if path.is_file():
            found = msgspec.json.decode(path.read_bytes(), type=Answer)
        elif hung:
            found = Answer("timed_out", "timed-out", f"no answer within {timeout_s:g} s{last}")
        else:
            found = _of_exit(process.returncode, last)
    if found.status == "usage":
        raise UsageError(found.reason)
    return found


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill it and what it started, where anything is left."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _of_exit(code: int, last: str) -> Answer:
    if code >= 0:
        return Answer("failed", "process-failed", f"the measuring process ended with exit code {code}{last}")
    number = -code
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    if number in _CRASHES:
        return Answer("failed", "driver-crashed", f"the measuring process ended by {name}{last}")
    hint = "; Linux does that where memory runs out" if number == signal.SIGKILL else ""
    return Answer("failed", "process-killed", f"the measuring process was ended by {name}{hint}{last}")


def _last_line(said: Path) -> str:
    """The last thing it printed, to show a driver's own message."""
    lines = said.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return f" ({lines[-1].strip()[:300]})" if lines else ""
