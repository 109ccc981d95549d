"""Where the public reports are that tests read; they are never part of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def ncu_data() -> Path:
    """Folder of the public reports; skips the test where it is absent."""
    base = os.environ.get("BENCH_LIB_TEST_DATA")
    folder = (Path(base) if base else ROOT.parent / "shared" / "data") / "ncu"
    if not (folder / "manifest.json").is_file():
        pytest.skip(f"no test data: {folder}/manifest.json is absent")
    return folder
