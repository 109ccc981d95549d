"""The parent's end of a model's process: start it, ask it, and end it, whatever it does."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from multiprocessing import Pipe
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, TypeVar

import msgspec

from bench_lib.edge.frameworks.availability import THREADS_VARIABLE
from bench_lib.edge.models import protocol
from bench_lib.ended import scrub, signal_name
from bench_lib.model import Status

#: Variables that give each library one thread.
_THREADS: Final = (
    *("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "LP_NUM_THREADS"),
    THREADS_VARIABLE,
)
#: Where drivers keep compiled shaders: a folder that is empty at the start, so that cold means cold.
_SHADER_CACHES: Final = ("MESA_SHADER_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH")

ReplyT = TypeVar("ReplyT", protocol.Exported, protocol.Prepared, protocol.Sampled, protocol.Ended)


class Failure(Exception):
    """A model's process did not do what it was asked; what it said is scrubbed of paths and names."""

    def __init__(self, status: Status, code: str, reason: str) -> None:
        self.status, self.code, self.reason = status, code, scrub(reason)
        super().__init__(self.reason)


class ModelProcess:
    """A process of its own for one case. To be used as a context: afterwards nothing of it is left."""

    def __init__(
        self, folder: Path, *, threads: int, environ: Mapping[str, str] = os.environ, worker: str = ""
    ) -> None:
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        ours, theirs = Pipe()
        self._channel = ours
        self._closed = False
        variables = dict(environ)
        variables |= dict.fromkeys(_THREADS, str(threads))
        for name in _SHADER_CACHES:
            (folder / "shaders").mkdir(exist_ok=True)
            variables[name] = str(folder / "shaders")
        variables[protocol.DESCRIPTOR_VARIABLE] = str(theirs.fileno())
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", worker or "bench_lib.edge.models.worker"],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env=variables,
            pass_fds=[theirs.fileno()],
            cwd=folder,
            start_new_session=True,
        )
        theirs.close()

    def ask(self, request: protocol.Request, reply: type[ReplyT], *, doing: str, timeout_s: float) -> ReplyT:
        """Send ``request`` and wait for its reply.

        Raises
        ------
        Failure
            The process refused, raised, crashed, or was silent for ``timeout_s``.
        """
        try:
            self._channel.send_bytes(msgspec.json.encode(request))
            if not self._channel.poll(timeout_s):
                self.close()
                raise Failure("timed_out", "timed-out", f"no answer in {timeout_s:g} s while {doing}.")
            answer: Any = msgspec.json.decode(self._channel.recv_bytes(), type=protocol.Reply)
        except (EOFError, OSError) as error:
            raise Failure("failed", "crashed", self._how_it_ended(doing)) from error
        except msgspec.DecodeError as error:
            raise Failure(
                "failed", "confused", f"its answer while {doing} cannot be read: {error}."
            ) from error
        if isinstance(answer, protocol.Refused):
            raise Failure(answer.status, answer.code, answer.reason)
        if not isinstance(answer, reply):
            raise Failure("failed", "confused", f"answered {type(answer).__name__} while {doing}.")
        return answer

    def _how_it_ended(self, doing: str) -> str:
        try:
            code = self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            return f"the framework's process closed its pipe while {doing}, and went on."
        how = f"ended by {signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
        self._log.seek(0)
        lines = [line for line in self._log.read().decode(errors="replace").splitlines() if line.strip()]
        said = f" Its last line: {lines[-1].strip()[:200]}" if lines else ""
        return f"the framework's process {how} while {doing}.{said}"

    def close(self) -> None:
        """End the process and what it started."""
        if self._closed:
            return
        self._closed = True
        # What it started lives on where it crashed: the group is ended even so.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._channel.close()
        self._log.close()

    def __enter__(self) -> ModelProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
