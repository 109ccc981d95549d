"""Every error that bench_lib raises on purpose.

::

    BenchLibError               anything below; ``str(error)`` is fit to show a user
    ├── UsageError              the caller asked for something impossible      (exit code 2)
    ├── DamagedFileError        a file is not what it claims to be             (exit code 2)
    ├── UnavailableError        this machine cannot do it; carries a reason code, and how to mend it
    ├── DeviceError             a device or its driver failed; carries a reason code
    └── RunFailedError          a run started and did not finish; carries its record

Each message says what was found, what was expected and what to do next.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bench_lib.model import Run


#: Exit codes of every command: a verdict (a run failed, something got worse), and bad use or bad input.
EXIT_VERDICT: Final = 1
EXIT_USAGE: Final = 2


class BenchLibError(Exception):
    """Base of all errors raised on purpose."""


class UsageError(BenchLibError, ValueError):
    """A value from the caller is outside what is accepted."""

    @classmethod
    def of(cls, what: str, *, found: object, expected: str, hint: str = "") -> UsageError:
        """Build the message from its parts: what was found, what was expected, what to do."""
        text = f"{what}: found {found!r}, expected {expected}."
        return cls(f"{text} {hint}".rstrip())


class DamagedFileError(BenchLibError):
    """A file could not be read as what it claims to be."""

    def __init__(self, path: Path | str, *, found: str, expected: str, hint: str = "") -> None:
        self.path = Path(path)
        text = f"{path}: found {found}, expected {expected}."
        super().__init__(f"{text} {hint}".rstrip())


class UnavailableError(BenchLibError):
    """This machine lacks something that the measurement needs.

    Parameters
    ----------
    code
        A stable short reason, such as ``not-enough-memory``; stored in records.
    detail
        What was found and what is needed.
    remedy
        The command or change that would mend it; empty where nothing would.
    """

    def __init__(self, code: str, detail: str, *, remedy: str = "") -> None:
        self.code = code
        self.detail = detail
        self.remedy = remedy
        super().__init__(f"{code}: {detail}" + (f" {remedy}" if remedy else ""))


class DeviceError(BenchLibError):
    """A device or its driver failed at something that it should be able to do.

    Parameters
    ----------
    code
        A stable short reason, such as ``device-lost``; stored in records.
    detail
        What failed, and what it said.
    """

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail
        super().__init__(f"{code}: {detail}")


class RunFailedError(BenchLibError):
    """A run ended without a result; :attr:`run` is its record."""

    def __init__(self, run: Run) -> None:
        self.run = run
        super().__init__(f"{run.benchmark}: {run.status}: {run.reason}")
