"""Where each rank is: one small file a rank, written by the rank, read by who supervises it.

A rank overwrites a fixed number of bytes in place (a few microseconds, once a step); a reader
sees the old line or the new one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_WIDTH = 64


@dataclass(frozen=True)
class Progress:
    """A rank's last word: its process id, what it is doing, and the step it is at."""

    rank: int
    pid: int
    phase: str
    step: int

    def describe(self) -> str:
        """``step 3``, ``building the model``: for messages."""
        return f"{self.phase} {self.step}" if self.step >= 0 else self.phase


class ProgressWriter:
    """A rank's end of its progress file."""

    def __init__(self, directory: Path, *, rank: int) -> None:
        self._descriptor = os.open(path_of(directory, rank), os.O_WRONLY | os.O_CREAT, 0o644)
        self._pid = os.getpid()

    def __call__(self, phase: str, step: int = -1) -> None:
        line = f"{self._pid} {step} {phase}".encode()[: _WIDTH - 1]
        os.pwrite(self._descriptor, line.ljust(_WIDTH - 1) + b"\n", 0)


def path_of(directory: Path, rank: int) -> Path:
    """The progress file of ``rank``."""
    return directory / f"rank-{rank}.progress"


def read(directory: Path) -> dict[int, Progress]:
    """Progress of every rank that has started on this node."""
    found: dict[int, Progress] = {}
    for path in directory.glob("rank-*.progress"):
        fields = path.read_text(encoding="utf-8").split(maxsplit=2)
        if len(fields) == 3:
            rank = int(path.name.removeprefix("rank-").removesuffix(".progress"))
            found[rank] = Progress(rank, int(fields[0]), fields[2].strip(), int(fields[1]))
    return found
