"""Directives made from results: which documents are read again when results change."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench_lib.results import synthetic

#: A directive that shows the newest value of one benchmark; it stands for all of its kind.
CONF = """
from docutils.parsers.rst import directives
from bench_lib import sphinx_ext
from bench_lib.errors import UsageError
from bench_lib.sphinx_ext.fragments import Fragment, FragmentDirective

def make(data, options, content):
    rows = data.newest[data.newest["benchmark"] == options["arguments"][0]]
    if rows.empty:
        raise UsageError("no such benchmark <b>")
    value = f"{rows['value'].iloc[0]:.9g}"
    return Fragment(f"<p id=value>{value}</p>", text=f"value {value}", assets=("bench.css",))

class Newest(FragmentDirective):
    required_arguments = 1
    make = staticmethod(make)

sphinx_ext.DIRECTIVES["newest"] = Newest
extensions = ["bench_lib.sphinx_ext"]
"""


def build(root: Path, *options: str, form: str = "html", code: int = 0) -> str:
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "-b",
        form,
        *options,
        str(root / "src"),
        str(root / form),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def root(tmp_path: Path) -> Path:
    synthetic.write_store(tmp_path / "results", num_machines=1, num_commits=8, num_benchmarks=2)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "conf.py").write_text(CONF)
    pages = [f".. newest:: bench_0.Suite.time_case_{i}\n" for i in range(2)]
    titles = ["Title\n=====\n\n.. toctree::\n\n   one\n\n", ":orphan:\n\nTitle\n=====\n\n"]
    for name, title, page in zip(("index", "one"), titles, pages, strict=True):
        (tmp_path / "src" / f"{name}.rst").write_text(title + page)
    return tmp_path


def test_only_documents_that_would_change_are_read_again(root: Path) -> None:
    build(root)
    assert "0 changed" in build(root)
    newest = max(
        (root / "results").rglob("*-virtualenv*.json"), key=lambda p: json.loads(p.read_text())["date"]
    )
    content = json.loads(newest.read_text())
    content["results"]["bench_0.Suite.time_case_1"][0] = [0.123456789]
    newest.write_text(json.dumps(content))
    assert "1 changed" in build(root)
    assert "<p id=value>0.123456789</p>" in (root / "html" / "one.html").read_text()
    assert "bench.css" in (root / "html" / "one.html").read_text()


def test_other_formats_get_the_words(root: Path) -> None:
    build(root, form="text")
    assert "\nvalue " in (root / "text" / "one.txt").read_text()


def test_what_results_lack_is_a_warning_that_can_be_suppressed(root: Path) -> None:
    page = root / "src" / "one.rst"
    page.write_text(page.read_text().replace("time_case_1", "nonesuch"))
    assert "one.rst:6: WARNING: no such benchmark <b> [bench_lib.unknown-result]" in build(root, code=1)
    build(root, "-D", "suppress_warnings=bench_lib.unknown-result")
    assert "<b>" not in (root / "html" / "one.html").read_text()


def test_documents_read_in_parallel_are_found_again(root: Path) -> None:
    for i in range(8):
        (root / "src" / f"more{i}.rst").write_text(
            ":orphan:\n\nTitle\n=====\n\n.. newest:: bench_0.Suite.time_case_0\n"
        )
    build(root, "-j", "2")
    assert "0 changed" in build(root, "-j", "2")
    (next((root / "results").glob("machine-0"))).rename(root / "results" / "renamed")
    for path in (root / "results" / "renamed").glob("*-virtualenv*.json"):
        path.write_text(path.read_text().replace("[0.", "[0.9"))
    assert "10 changed" in build(root, "-j", "2")
