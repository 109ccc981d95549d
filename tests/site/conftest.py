"""Sites built from sample records."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sample_asv import build_tables, write_results
from sample_records import build_site, sample_runs

from bench_lib.model import Run
from bench_lib.results import records


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results directory with :func:`sample_runs`."""
    root = tmp_path_factory.mktemp("records") / "results"
    for run in sample_runs():
        records.write(run, root)
    return root


@pytest.fixture(scope="session")
def site(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of :func:`results`, built with warnings as errors."""
    output = tmp_path_factory.mktemp("site") / "html"
    done = build_site(results, output)
    assert done.returncode == 0, done.stderr
    return output


@pytest.fixture
def pages(tmp_path: Path) -> Callable[..., Path]:
    """Build a project of one page from given text and runs; returns the HTML folder."""

    def make(text: str, runs: list[Run], *options: str) -> Path:
        (tmp_path / "src").mkdir()
        (tmp_path / "src" / "conf.py").write_text(
            'extensions = ["myst_parser", "bench_lib.sphinx_ext"]\nbench_lib_results = "../results"\n'
            'smartquotes = False\nhtml_theme = "furo"\n',
            encoding="utf-8",
        )
        (tmp_path / "src" / "index.md").write_text(text, encoding="utf-8")
        for run in runs:
            records.write(run, tmp_path / "results")
        command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", *options]
        command += [str(tmp_path / "src"), str(tmp_path / "html")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return tmp_path / "html"

    return make


@pytest.fixture(scope="session")
def asv_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``results`` as asv leaves them after years."""
    root = tmp_path_factory.mktemp("tables")
    write_results(root / "results")
    return root


@pytest.fixture(scope="session")
def html(asv_root: Path) -> Path:
    """The site of :func:`asv_root`."""
    return build_tables(asv_root)
