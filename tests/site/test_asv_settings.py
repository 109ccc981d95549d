"""What asv's own site shows of its index and honours of asv.conf.json, ours does, too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

from bench_lib.results import synthetic
from bench_lib.results_site import build_results_site

NAME = "bench_0.Suite.time_case_0"


def write_project(root: Path, *, index: dict[str, Any] | None = None, **settings: Any) -> None:
    synthetic.write_store(root / "results", num_machines=1, num_commits=40, num_benchmarks=2)
    path = root / "results" / "benchmarks.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content[NAME] |= index or {}
    path.write_text(json.dumps(content), encoding="utf-8")
    (root / "asv.conf.json").write_text(json.dumps(settings), encoding="utf-8")


def pages(root: Path) -> dict[str, BeautifulSoup]:
    html = root / "html"
    build_results_site(root / "results", output=html)
    return {
        path.relative_to(html).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in html.rglob("*.html")
    }


def test_source_and_pretty_name_are_shown_as_text(tmp_path: Path) -> None:
    code = "def time_it(self):\n\tfor i in range(3):\n        x = '</pre><script>alert(1)</script>\u202e'\n"
    write_project(tmp_path, index={"code": code, "pretty_name": "Sum of <b>rows</b>"})
    found = pages(tmp_path)
    page = found[f"benchmarks/{NAME.lower()}.html"]
    (shown,) = page.select("#source pre")
    assert shown.get_text() == (
        "def time_it(self):\n    for i in range(3):\n        x = '</pre><script>alert(1)</script>\ufffd'"
    )
    assert not shown.find_all(True)
    for name in ("index.html", "bench/benchmarks.html"):
        links = [a.get_text() for a in found[name].select("tbody a[href*='time_case_0']")]
        assert links and set(links) == {"Sum of <b>rows</b>"}, name


def test_the_project_is_linked_to(tmp_path: Path) -> None:
    write_project(tmp_path, project_url="https://example.org/?a=1&b=2")
    index = pages(tmp_path)["index.html"]
    assert index.select_one('.bench-counts a[href="https://example.org/?a=1&b=2"]') is not None
