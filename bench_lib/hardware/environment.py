"""The state of software and machine that a record keeps."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Final

from bench_lib.hardware.detect import Machine, usable_cpus
from bench_lib.model import Environment

#: Environment variables with these prefixes steer the libraries that are measured.
TUNING_PREFIXES: Final = (
    *("ATEN_", "CUDA_", "DNNL_", "GLOO_", "GOMP_", "KMP_", "LD_PRELOAD", "MALLOC_", "MKL_", "MTL_"),
    *("NCCL_", "OMP_", "ONEDNN_", "OPENBLAS_", "PYTORCH_", "TORCH", "VK_"),
)
#: Set by launchers for their own use; they change nothing that is measured.
_OF_LAUNCHERS: Final = frozenset({"TORCHELASTIC_ERROR_FILE", "TORCHELASTIC_RUN_ID"})
_PLAIN = re.compile(r"[\w.,:;=+-]{0,80}")
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


def git(root: Path, *args: str) -> str | None:
    """What git says in ``root``, without its last line's end; ``None`` where it fails or is not there."""
    if shutil.which("git") is None:
        return None
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *args], capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.rstrip()


def project_commit(root: Path) -> tuple[str | None, bool | None]:
    """Commit checked out at ``root``, and whether the project's code differs from it.

    Both are ``None`` where ``root`` is not a git checkout. Inside an environment that asv built,
    the commit is the one asv installed, which is not the checkout's.
    """
    from_asv = os.environ.get("ASV_COMMIT", "")
    if _COMMIT.fullmatch(from_asv):
        return from_asv, False
    head = git(root, "rev-parse", "HEAD") or ""
    if not _COMMIT.fullmatch(head):
        return None, None
    # Results are written while benchmarks run, and pages change nothing that is measured.
    status = git(root, "status", "--porcelain", "--", "bench_lib", "benchmarks", "pyproject.toml")
    return head, None if status is None else bool(status)


def distribution_version(name: str) -> str | None:
    """Version of an installed distribution, without importing it."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _in_utc(time: str) -> str | None:
    try:
        return datetime.fromisoformat(time).astimezone(UTC).isoformat(timespec="seconds")
    except ValueError:
        return None


def own_checkout() -> Path | None:
    """The git checkout that this package runs from; ``None`` where it is installed elsewhere."""
    root = Path(__file__).resolve().parents[2]
    return root if (root / ".git").exists() else None


def tuning(environ: Mapping[str, str]) -> dict[str, str]:
    """Variables that steer the libraries measured, by name. A value that could be a path is left out."""
    return {
        key: value if _PLAIN.fullmatch(value) else "(set)"
        for key, value in sorted(environ.items())
        if key.startswith(TUNING_PREFIXES) and key not in _OF_LAUNCHERS
    }


def capture(machine: Machine, *, root: Path | None) -> Environment:
    """Describe the software and the machine's state now; without a checkout the commit is unknown."""
    commit, dirty = project_commit(root) if root else (None, None)
    time = git(root, "show", "-s", "--format=%cI", commit) if root and commit else None
    return Environment(
        commit=commit,
        dirty=dirty,
        python=platform.python_version(),
        os=f"{platform.system()} {platform.machine()}",
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        torch=distribution_version("torch"),
        driver=machine.driver,
        num_cpus=usable_cpus(),
        load_average=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        commit_time=_in_utc(time or ""),
        tuning=tuning(os.environ),
    )
