"""What publishing costs: both builds run on one project, and what they wrote is counted."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from bench_lib import site_cost
from bench_lib.errors import BenchLibError
from bench_lib.results import synthetic
from bench_lib.results_site import build_results_site


def test_costs_of_a_small_project(tmp_path: Path) -> None:
    site_cost.write_published_store(tmp_path, num_commits=8, num_benchmarks=3)
    costs = site_cost.measure(tmp_path)
    assert sorted(costs) == ["asv", "cold", "unchanged"]
    assert costs["cold"].num_bytes == costs["unchanged"].num_bytes > 100_000
    # A graph for each of three benchmarks on three machines, a summary for each benchmark.
    assert costs["asv"].num_files >= 12, "asv drew nothing: it did not know the commits"
    assert all(cost.cpu_time_s > 0 and cost.peak_rss_bytes > 10_000_000 for cost in costs.values())


def test_published_results_are_drawn_by_asv_too(tmp_path: Path) -> None:
    published = tmp_path / "published"
    synthetic.write_store(published, num_machines=1, num_commits=3, num_benchmarks=2)
    project = tmp_path / "project"
    site_cost.copy_published_store(published, directory=project)
    (folder,) = (p for p in (project / "results").iterdir() if p.is_dir())
    commits = {json.loads(p.read_bytes())["commit_hash"] for p in folder.glob("*-*.json")}
    listed = ["git", "-C", str(project / "repository"), "rev-list", "main"]
    assert commits == set(subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split())
    # Each file is called after its commit, as asv expects.
    assert {p.name.partition("-")[0] for p in folder.glob("*-*.json")} == {c[:8] for c in commits}


def test_pages_load_all_that_the_site_holds_and_hold_all_that_they_load(tmp_path: Path) -> None:
    synthetic.write_store(tmp_path / "results", num_machines=1, num_commits=3, num_benchmarks=2)
    index, _ = build_results_site(tmp_path / "results", output=tmp_path / "html")
    loaded = set()
    for page in index.parent.rglob("*.html"):
        for address in re.findall(r'(?:src|href)="([^"#?:]+)', page.read_text(encoding="utf-8")):
            # Of the web, or one that a script completes.
            if not re.search("^https?$|PAGE0|FILE0", address):
                loaded.add((page.parent / address).resolve())
    missing = {path for path in loaded if not path.exists()}
    assert not missing
    sheets = {p for p in (index.parent / "_static").rglob("*.css") if p.is_file()}
    assert sheets <= loaded
    icons = index.read_text(encoding="utf-8")
    assert set(re.findall('href="#(svg-[a-z-]+)"', icons)) <= set(re.findall('id="(svg-[a-z-]+)"', icons))


def test_a_build_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(BenchLibError, match="expected a folder with results"):
        site_cost.measure(tmp_path)


def test_a_site_ships_what_its_pages_load_and_nothing_else(tmp_path: Path) -> None:
    synthetic.write_store(tmp_path / "results", num_commits=30, num_benchmarks=3)
    output = tmp_path / "html"
    build_results_site(tmp_path / "results", output=output)
    loaded = set()
    for page in output.rglob("*.html"):
        for address in re.findall(
            r'(?:src|href|data-download-from)="([^"#?]*)', page.read_text(encoding="utf-8")
        ):
            if address and not address.startswith(("http:", "https:")):
                loaded.add((page.parent / address).resolve())
    shipped = {path.resolve() for path in output.rglob("*") if path.is_file()}
    assert {path.name for path in loaded - shipped} == set()
    unused = {path for path in shipped - loaded if path.suffix != ".html" and not path.name.startswith(".")}
    # Figures of a device are loaded once it is chosen.
    assert {path.parent.name for path in unused} <= {"compare"}
    assert {path.name for path in (output / "_static").iterdir()} == {
        "bench-chart.css",
        "bench-chart.js",
        "bench-compare.js",
        "bench-list.js",
        "bench-table.js",
        "icon.svg",
        "search.js",
        "site.css",
        "site.js",
    }
    total = sum(path.stat().st_size for path in (output / "_static").iterdir())
    assert total < 245_000, "theme, search, charts and tables of every site"


def test_a_site_built_again_elsewhere_has_the_same_bytes(tmp_path: Path) -> None:
    synthetic.write_store(tmp_path / "results", num_commits=60, num_benchmarks=3)
    for name in ("one", "two"):
        build_results_site(tmp_path / "results", output=tmp_path / name, title="T")
    one, two = (
        {
            p.relative_to(tmp_path / n).as_posix(): p.read_bytes()
            for p in (tmp_path / n).rglob("*")
            if p.is_file()
        }
        for n in ("one", "two")
    )
    assert one == two
