"""``bench-lib site``."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from click.testing import CliRunner
from sample_records import REPOSITORY

from bench_lib import site as command
from bench_lib.cli import cli
from bench_lib.errors import UnavailableError, UsageError


def test_builds_and_names_the_page_last(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(REPOSITORY / "docs")
    output = tmp_path / "public"
    done = CliRunner().invoke(cli, ["site", "--results", str(results), "--output", str(output)])
    assert done.exit_code == 0, done.output
    last = done.output.splitlines()[-1]
    assert last.startswith("report: ")
    assert Path(last.removeprefix("report: ")).resolve() == output / "index.html"
    assert (output / "index.html").is_file()
    assert not list(output.rglob("*.doctree")) and not list(output.rglob("*.pickle"))


def test_outside_a_checkout_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["site"])
    assert isinstance(done.exception, UsageError)
    assert "expected 'a checkout" in str(done.exception) or "expected a checkout" in str(done.exception)


def test_missing_sphinx_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == "furo" else real(name, *a)
    )
    with pytest.raises(UnavailableError, match=r"no-sphinx: .*furo.*pip install -e '\.\[docs\]'"):
        command.require_sphinx()


def test_a_warning_fails(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "conf.py").write_text('extensions = ["bench_lib.sphinx_ext"]\n')
    (tmp_path / "docs" / "index.rst").write_text("Title\n=====\n\n:doc:`nowhere`\n")
    with pytest.raises(command.SiteBuildError, match="Sphinx ended with code"):
        command.build(tmp_path, results=tmp_path / "none", output=tmp_path / "out")
