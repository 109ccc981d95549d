"""Whether a framework is installed, and how many threads it may use."""

from __future__ import annotations

import importlib.util
import os
from typing import Final

from bench_lib.errors import UnavailableError

#: Environment variable of a model's process with the number of threads.
THREADS_VARIABLE: Final = "BENCH_LIB_MODEL_THREADS"


def allowed_threads() -> int:
    """Threads that a framework may use in this process: 1 unless it was told."""
    return int(os.environ.get(THREADS_VARIABLE, "1"))


def require_package(module: str, *, extra: str) -> None:
    """Check that ``module`` can be found, without importing it.

    Raises
    ------
    UnavailableError
        ``not-installed``, with the command that installs it.
    """
    try:
        found = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        # Of a name with dots, the parent is imported first.
        found = False
    if not found:
        raise UnavailableError(
            "not-installed",
            f"the Python package {module} is not installed.",
            remedy=f"Install with: pip install 'bench-lib[{extra}]'",
        )
