"""Directives that anybody may put into a page: a chart, a table, a comparison."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from sample_records import make_run
from sample_store import HOSTILE_NAME, STEP, write_store

from bench_lib.results import records

PAGE = f"""\
# Results

```{{bench-chart}} {STEP}
:hardware: machine-1
:axis: date
:log:
```

```{{bench-table}} time_case
:limit: 3
```

```{{bench-comparison}} machine-0 machine-1
:benchmark: time_case_0
```

```{{bench-overview}}
```
"""


def build(root: Path, *options: str, code: int = 0) -> str:
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html"]
    command += ["-D", "suppress_warnings=bench_lib.damaged-result", *options]
    done = subprocess.run(
        [*command, str(root / "src"), str(root / "html")], capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    write_store(folder / "results")
    (folder / "src").mkdir()
    (folder / "src" / "conf.py").write_text(
        'extensions = ["myst_parser", "bench_lib.sphinx_ext"]\nhtml_theme = "furo"\nbench_lib_pages = False\n'
    )
    (folder / "src" / "index.md").write_text(PAGE)
    build(folder)
    return folder


@pytest.fixture
def own(root: Path, tmp_path: Path) -> Path:
    """A copy, for a test that changes it."""
    return shutil.copytree(root, tmp_path / "own")


def test_chart_has_the_series_that_were_asked_for(root: Path) -> None:
    page = BeautifulSoup((root / "html" / "index.html").read_text(), "html.parser")
    (block,) = page.select("[data-bench-chart]")
    data = json.loads(page.find(id=block["data-bench-chart"]).string)
    assert data["machines"] == ["machine-1"] and data["first"] == [0]
    assert data["view"] == {"axis": "date", "log": True}
    assert (root / "html" / "benchmarks" / "commits.js").is_file(), "a chart without pages lacks its commits"
    assert len(page.select('script[src*="bench-chart.js"]')) == 1


def test_table_and_comparison_show_figures(root: Path) -> None:
    page = BeautifulSoup((root / "html" / "index.html").read_text(), "html.parser")
    newest, compared = page.select(".bench-embedded > .bench-scroll table")[:2]
    assert len(newest.select("tbody tr")) == 3
    cells = [c.get_text() for c in compared.select("tbody tr")[0].find_all(["th", "td"])]
    # machine-1 takes twice as long; machine-0 is 1.3 times slower since its step: 2 / 1.3 = 1.538.
    assert page.select('a[href*="benchmarks/"]') == [], "links to pages that this build does not make"
    assert cells[0] == STEP and cells[4].startswith("1.5")


def test_hostile_names_stay_text(root: Path) -> None:
    page = BeautifulSoup((root / "html" / "index.html").read_text(), "html.parser")
    assert page.select('article img[src="x"]') == []
    assert "onerror" in page.get_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```{bench-chart} bench_0.Suite.time_cas\n```\n", "such as bench_0.Suite.time_case_"),
        (f"```{{bench-chart}} {STEP}\n:axis: n\n```\n", "axis: found 'n', expected commits, date."),
        (f"```{{bench-chart}} {HOSTILE_NAME}\n:axis: n\n```\n", "values or more: param1, param2."),
        ("```{bench-table}\n:parameters: n\n```\n", "name=value"),
        ("```{bench-table}\n:parameters: n=1 'x\n```\n", "name=value"),
        ("```{bench-comparison} machine-0\n```\n", "two names or more"),
    ],
)
def test_what_is_not_there_is_a_warning_with_its_place(own: Path, text: str, message: str) -> None:
    (own / "src" / "index.md").write_text(f"# Results\n\n{text}")
    errors = build(own, code=1)
    assert message in errors
    assert "index.md:3" in errors and "[bench_lib.unknown-result]" in errors


def test_hostile_name_can_be_charted(own: Path) -> None:
    (own / "src" / "index.md").write_text(f"# Results\n\n```{{bench-chart}} {HOSTILE_NAME}\n```\n")
    build(own)
    text = (own / "html" / "index.html").read_text()
    assert "<img src=x" not in text and "data-bench-chart" in text


def test_the_script_of_tables_is_loaded_once(root: Path) -> None:
    page = BeautifulSoup((root / "html" / "index.html").read_text(), "html.parser")
    assert len(page.select('script[src*="bench-table.js"]')) == 1


@pytest.mark.parametrize("form", ["singlehtml", "epub", "latex", "text", "man", "texinfo", "json"])
def test_formats_without_pages_show_values_and_load_no_figures(root: Path, tmp_path: Path, form: str) -> None:
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-j", "2", "-b", form]
    command += ["-D", "suppress_warnings=bench_lib.damaged-result,epub"]
    if form == "epub":
        command += ["-D", "version=1", "-D", "copyright=nobody"]
    done = subprocess.run(
        [*command, str(root / "src"), str(tmp_path / form)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    if form not in ("singlehtml", "epub"):
        return
    (path,) = (tmp_path / form).glob("index.*html")
    page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    article = page.select_one("[role=main], article, .body")
    assert article is not None and STEP in article.get_text() and " ms" in article.get_text()
    assert not article.select("script, [src]") and not page.select('script[src*="benchmarks/"]')
    if form == "epub":
        ElementTree.parse(path)


def test_a_reason_keeps_its_underscores(own: Path) -> None:
    reason = "no_device: torch_dtype_x"
    records.write(replace(make_run(1), status="skipped", reason=reason, measurements=()), own / "results")
    records.write(replace(make_run(2), status="timed_out", reason=reason, measurements=()), own / "results")
    (own / "src" / "index.md").write_text("# Results\n\n```{bench-table} fsdp2.TrainStep\n```\n")
    build(own)
    text = BeautifulSoup((own / "html" / "index.html").read_text(), "html.parser").get_text()
    assert "skipped: no_device: torch_dtype_x" in text and "timed out: no_device: torch_dtype_x" in text
