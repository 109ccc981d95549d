"""A site of a project that has measured nothing yet."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench_lib.cli import cli
from bench_lib.errors import UsageError
from bench_lib.results import synthetic
from bench_lib.sphinx_ext.site_data import SiteData


def _arguments(root: Path) -> list[str]:
    return ["site", "--results-only", "--results", str(root / "results"), "--output", str(root / "html")]


def test_no_results_make_a_site_that_says_so_and_then_one_with_them(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    done = CliRunner().invoke(cli, _arguments(tmp_path))
    assert done.exit_code == 0, done.output
    assert "found no results in" in done.stderr
    assert done.stdout.splitlines()[-1].startswith("report: ")
    overview = (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    assert "No results yet." in overview and "asv run" in overview
    # Nothing leads to pages that are not there.
    assert "bench/benchmarks.html" not in overview
    synthetic.write_store(tmp_path / "results", num_machines=1, num_commits=3, num_benchmarks=2)
    done = CliRunner().invoke(cli, _arguments(tmp_path))
    assert done.exit_code == 0 and not done.stderr, done.output
    overview = (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    assert "No results yet." not in overview and "bench/benchmarks.html" in overview


def test_an_index_and_a_machine_are_no_results(tmp_path: Path) -> None:
    synthetic.write_store(tmp_path / "results", num_machines=1, num_commits=0, num_benchmarks=2)
    done = CliRunner().invoke(cli, _arguments(tmp_path))
    assert done.exit_code == 0 and "found no results in" in done.stderr
    assert "No results yet." in (tmp_path / "html" / "index.html").read_text(encoding="utf-8")


def test_files_that_cannot_be_read_are_named_and_not_taken_for_none(tmp_path: Path) -> None:
    (tmp_path / "results" / "box").mkdir(parents=True)
    (tmp_path / "results" / "box" / "abcdef12-py3.json").write_text('{"half')
    done = CliRunner().invoke(cli, _arguments(tmp_path))
    assert done.exit_code == 0 and "found no results in" not in done.stderr
    overview = (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    assert "abcdef12-py3.json" in overview and "asv run" not in overview


def test_a_folder_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, _arguments(tmp_path))
    assert isinstance(done.exception, UsageError)
    assert not (tmp_path / "html").exists()


def test_a_folder_without_results_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "of anybody").write_text("large")
    monkeypatch.setattr(os, "walk", lambda *_: pytest.fail("read a folder that holds no results"))
    assert SiteData(tmp_path).digest == SiteData(tmp_path / "missing").digest
