"""Whether a framework is installed."""

from __future__ import annotations

import importlib.util

from bench_lib.errors import UnavailableError


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
