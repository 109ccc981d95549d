"""What asv's own site shows of its index and honours of asv.conf.json, ours does, too."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner

from bench_lib import chart_library
from bench_lib.cli import cli
from bench_lib.results import synthetic
from bench_lib.results_site import build_results_site
from bench_lib.site_cost import write_published_store
from bench_lib.sphinx_ext.site_data import SiteData

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
        row = found[name].select_one("tbody tr[data-words*='sum of']")
        assert row is not None and "bench_0" in row["data-words"], name


def test_the_project_is_linked_to(tmp_path: Path) -> None:
    write_project(tmp_path, project_url="https://example.org/?a=1&b=2")
    index = pages(tmp_path)["index.html"]
    assert index.select_one('.bench-counts a[href="https://example.org/?a=1&b=2"]') is not None


@pytest.fixture
def stepped(tmp_path: Path) -> Path:
    """Of two parameter sets, one level doubles at commit 20 of 40."""
    write_project(tmp_path)
    for path in (tmp_path / "results").glob("*/*-*.json"):
        content = json.loads(path.read_bytes())
        index = int((content["date"] - synthetic_start(tmp_path)) / DAY_MS)
        noise = 1 + 0.003 * (index * 5 % 7 - 3)
        values = [noise, noise * (2 if index >= 20 else 1)]
        content["results"][NAME] = [
            values,
            [["1", "2"]],
            "1",
            None,
            None,
            values,
            values,
            None,
            None,
            None,
            None,
        ]
        path.write_text(json.dumps(content), encoding="utf-8")
    return tmp_path


DAY_MS = 86_400_000


def synthetic_start(root: Path) -> int:
    dates = [json.loads(p.read_bytes())["date"] for p in (root / "results").glob("*/*-*.json")]
    return int(min(dates))


def steps(root: Path, **settings: Any) -> tuple[list[str], str]:
    """Parameters of the series of ``NAME`` that have a step, by the command, and what it complains about."""
    (root / "asv.conf.json").write_text(json.dumps(settings), encoding="utf-8")
    done = CliRunner().invoke(cli, ["changes", NAME, "--results", str(root / "results"), "--json"])
    assert done.exit_code == 0, done.output
    found = [row["parameters"] for row in json.loads(done.stdout)]
    data = SiteData(root / "results")
    assert found == data.changes[data.changes["benchmark"] == NAME]["parameters"].tolist()
    return found, done.stderr.replace("bench-lib: nothing found in 2 series.\n", "")


def test_rules_for_regressions_are_those_of_asv(stepped: Path) -> None:
    commits = [synthetic.commit_name(i) for i in range(40)]
    every = {".*": commits[19]}
    assert steps(stepped) == (["param1=2"], "")
    # The name of an entry ends with its parameter values.
    assert steps(stepped, regressions_first_commits={r"bench_0\..*\(2\)": None}) == ([], "")
    assert steps(stepped, regressions_first_commits={r"bench_0\..*\(1\)": None}) == (["param1=2"], "")
    assert steps(stepped, regressions_first_commits=every) == (["param1=2"], "")
    assert steps(stepped, regressions_first_commits={".*": commits[20][:8]}) == ([], "")
    assert steps(stepped, regressions_thresholds={"bench_0": 0.9, ".*": 0.1}) == (["param1=2"], "")
    assert steps(stepped, regressions_thresholds={"bench_0": 1.1, ".*": 0.1}) == ([], "")
    assert steps(stepped, regressions_thresholds={"time": 1.1}) == (["param1=2"], "")


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"regressions_first_commits": {".*": "v1.0"}}, "'v1.0', expected the hash of a commit with results"),
        ({"regressions_first_commits": {".*": "f" * 40}}, "expected the hash of a commit with results"),
        ({"regressions_first_commits": {"(": None}}, "'(', expected a regular expression"),
        ({"regressions_first_commits": ["x"]}, "regressions_first_commits: found list"),
        ({"regressions_thresholds": {".*": "much"}}, "'much', expected a part of a level"),
        ({"regressions_thresholds": {".*": float("nan")}}, "'nan', expected a part of a level"),
        ({"regressions_thresholds": {".*": True}}, "'True', expected a part of a level"),
    ],
)
def test_a_rule_that_is_not_understood_is_told(
    stepped: Path, settings: dict[str, Any], complaint: str
) -> None:
    found, said = steps(stepped, **settings)
    assert found == ["param1=2"] and complaint in said


def test_changed_rules_build_the_site_again(stepped: Path) -> None:
    pages(stepped)
    (stepped / "asv.conf.json").write_text('{"regressions_thresholds": {".*": 9}}')
    _, is_new = build_results_site(stepped / "results", output=stepped / "html")
    assert is_new


def tagged_project(root: Path) -> list[str]:
    """A project with a repository; its commits, the oldest first."""
    write_published_store(root, num_commits=40, num_benchmarks=1)
    git = ["git", "-C", str(root / "repository")]
    listed = subprocess.run(
        [*git, "rev-list", "--reverse", "main"], capture_output=True, text=True, check=True
    )
    commits = listed.stdout.split()
    subprocess.run([*git, "tag", "v1.0", commits[10]], check=True)
    environment = {**os.environ, "GIT_COMMITTER_NAME": "N", "GIT_COMMITTER_EMAIL": "n@example.org"}
    subprocess.run([*git, "tag", "-a", "-m", "x", "v1.1<b>", commits[20]], check=True, env=environment)
    for path in (root / "results").glob(f"*/{commits[20][:8]}-*.json"):
        path.unlink()
    return commits


def test_tags_of_a_repository_that_lies_here(tmp_path: Path) -> None:
    commits = tagged_project(tmp_path)
    assert [(t.name, t.commit) for t in SiteData(tmp_path / "results").tags] == [
        ("v1.0", commits[10]),
        ("v1.1<b>", commits[20]),
    ]
    build_results_site(tmp_path / "results", output=tmp_path / "html")
    text = (tmp_path / "html" / "benchmarks" / "commits.js").read_text(encoding="utf-8")
    listed = json.loads(text.partition("]=")[2].rstrip(";\n"))
    # Commit 20 was not measured: its tag stands at the next that was, which is number 20 of those.
    assert listed["t"] == [[10, "v1.0", True], [20, "v1.1<b>", False]]
    assert str(tmp_path) not in text
    _, is_new = build_results_site(tmp_path / "results", output=tmp_path / "html")
    assert not is_new
    subprocess.run(["git", "-C", str(tmp_path / "repository"), "tag", "v2", commits[30]], check=True)
    _, is_new = build_results_site(tmp_path / "results", output=tmp_path / "html")
    assert is_new


@pytest.mark.parametrize(
    "repo", ["https://example.org/x.git", "--upload-pack=touch x", "", "gone", "\0", 7, "html"]
)
def test_without_a_repository_there_are_no_tags(tmp_path: Path, repo: object) -> None:
    write_project(tmp_path, repo=repo, project=repo)
    assert SiteData(tmp_path / "results").tags == ()


def test_a_chart_draws_tags_and_names_them(tmp_path: Path) -> None:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    from screenshot import CHROMIUM, browser

    if not CHROMIUM.exists() or not chart_library.is_present():
        pytest.skip("no browser, or no library that draws charts")
    tagged_project(tmp_path)
    build_results_site(tmp_path / "results", output=tmp_path / "html")
    with browser(width=1280, height=900) as context:
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto((tmp_path / "html" / "benchmarks" / f"{NAME.lower()}.html").as_uri())
        page.wait_for_selector(".bench-chart-host[data-tags='2']")
        chart = "document.querySelector('.bench-block').benchBlock.chart"
        for index, said in ((10, "v1.0"), (20, "after v1.1<b>")):
            page.evaluate(f"{chart}.show({{series: 0, index: {index}}}, true)")
            assert said in page.inner_text(".bench-tip").splitlines()
        page.evaluate("location.hash = 'axis=date'")
        page.wait_for_selector(".bench-chart-host[data-tags='2']")
        assert problems == []


def test_a_name_without_a_break_does_not_widen_the_overview(tmp_path: Path) -> None:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    from screenshot import CHROMIUM, browser

    if not CHROMIUM.exists():
        pytest.skip("no browser")
    write_project(tmp_path)
    for path in (tmp_path / "results").glob("*/*-*.json"):
        content = json.loads(path.read_bytes())
        value = 2.0 if content["date"] > synthetic_start(tmp_path) + 20 * DAY_MS else 1.0
        content["results"] = {"x" * 300: [[value], [], "1"]}
        path.write_text(json.dumps(content), encoding="utf-8")
    index, _ = build_results_site(tmp_path / "results", output=tmp_path / "html")
    assert "confirmed" in index.read_text(encoding="utf-8")
    with browser(width=1200, height=900) as context:
        page = context.new_page()
        for width in (1200, 360):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(index.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width
