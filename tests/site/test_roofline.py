"""Kernel launches on the site: what the page says, and its table in a real browser."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from sample_records import ENVIRONMENT, HOSTILE, make_run
from screenshot import CHROMIUM, browser

from bench_lib.model import Measurement, Run
from bench_lib.roofline.recorded import recorded_launches
from bench_lib.sphinx_ext.roofline_launches import from_folder

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_synthetic import DRAM, DRAM_BOUND, MEMORY, SM, write_report

SVG = "{http://www.w3.org/2000/svg}"
KERNEL = f"void gemm<{HOSTILE}>(float*)".replace("\x00", "")
#: No FLOP, no DRAM bytes and no level of memory, and a name that sorts first.
UNCLEAR = {SM: 10.0, MEMORY: 90.0, "gpu__time_duration.sum": 2_000.0}
SASS = "smsp__sass_thread_inst_executed_op_"
PLACED = {
    **DRAM_BOUND,
    **{f"{SASS}{t}{op}_pred_on.sum": 1e6 for t in "fdh" for op in ("add", "mul", "fma")},
    "sm__inst_executed_pipe_tensor.sum": 0.0,
    "dram__bytes.sum": 1e6,
    "sm__cycles_elapsed.avg.per_second": 1e9,
    "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained": 10_000.0,
    "dram__bytes.sum.peak_sustained": 1000.0,
    "dram__cycles_elapsed.avg.per_second": 1e9,
    "device__attribute_display_name": f"GPU {HOSTILE}".replace("\x00", ""),
}
PAGE = "# Page\n\n```{bench-roofline} reports\n```\n\n## Shipped\n\n```{bench-roofline} recorded\n```\n"


def build(root: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    (root / "src").mkdir(exist_ok=True)
    (root / "src" / "conf.py").write_text(
        'extensions = ["myst_parser", "bench_lib.sphinx_ext"]\nbench_lib_reports = "../reports"\n'
        'smartquotes = False\nhtml_theme = "furo"\n',
        encoding="utf-8",
    )
    (root / "src" / "index.md").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", *options]
    command += [str(root / "src"), str(root / "out")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("launches")
    reports = root / "reports"
    (reports / "inner").mkdir(parents=True)
    write_report(reports / "inner" / "placed<b>.ncu-rep", 2, metrics=PLACED, kernel=KERNEL)
    write_report(reports / "unclear.ncu-rep", metrics=UNCLEAR, kernel="void aaa(int)", rule="")
    short = {**DRAM_BOUND, "gpu__time_duration.sum": 900.0, DRAM: 90.0}
    write_report(reports / "z.ncu-rep", metrics=short, kernel="void bbb(int)")
    (reports / "broken<i>.ncu-rep").write_bytes(b"NVR\0")
    done = build(root, PAGE, "-D", "suppress_warnings=bench_lib.damaged-report")
    assert done.returncode == 0, done.stderr
    return root / "out"


def test_launches_are_shown_as_text(built: Path) -> None:
    text = (built / "index.html").read_text(encoding="utf-8")
    page = BeautifulSoup(text, "html.parser")
    body = page.select_one("article")
    assert body is not None
    assert not body.find_all(["script", "b", "i", "iframe"])
    assert not page.select("img[onerror], [href^='javascript:'], [src^='http'], [data^='http']")
    assert not {"\x1b", "\x00", "\u202e", str(built.parent)} & set(text) and str(built.parent) not in text
    table = body.select("table.bench-launches")[0]
    rows = table.select("tbody tr")
    # The longest first; the damaged file has none, and is named.
    assert [r.select_one("th").get_text() for r in rows][2:] == ["aaa", "bbb"]
    whole = rows[0].select_one("th span")["title"]
    assert "<script>alert(" in whole and whole.startswith("void gemm<")
    assert "broken<i>.ncu-rep" in body.get_text() and "placed<b>.ncu-rep" in body.get_text()
    assert [m["data-key"] for m in rows[2].select("[data-key]")][-1] == ""  # no roof is known


def test_charts_have_every_roof_and_whole_names(built: Path) -> None:
    page = BeautifulSoup((built / "index.html").read_text(encoding="utf-8"), "html.parser")
    (roofline, *_), captions = page.select("object.only-light"), page.select("figcaption")
    root = ElementTree.parse(built / roofline["data"]).getroot()
    texts = "".join(root.itertext())
    assert "FLOP/byte" in texts and "DRAM 1 TB/s" in texts and "fp32 20 TFLOP/s" in texts
    titles = [t.text or "" for t in root.iter(f"{SVG}title")]
    assert len(titles) == 2 and all("<script>alert(" in t for t in titles)
    assert "FLOP/byte and" in roofline["aria-label"]
    assert all("imported" in c.get_text() for c in captions)
    assert len(page.select("object.only-light")) == len(page.select("object.only-dark")) >= 6


def test_recorded_launches_name_their_sources(built: Path) -> None:
    page = BeautifulSoup((built / "index.html").read_text(encoding="utf-8"), "html.parser")
    shipped = page.select("section")[-1]
    assert "imported" in shipped.get_text()
    assert len(shipped.select("tbody tr")) == len(recorded_launches())
    for entry in recorded_launches():
        assert entry.source in shipped.get_text()
        assert shipped.select(f'[title="imported from {entry.source}"]')


def test_only_the_longest_are_shown_and_all_are_counted(tmp_path: Path) -> None:
    for number, name in enumerate("ab"):
        metrics = {**DRAM_BOUND, "gpu__time_duration.sum": 1000.0 * (number + 1)}
        write_report(tmp_path / f"{name}.ncu-rep", 3, metrics=metrics)
    launches, files = from_folder(tmp_path, limit=4)
    assert [(p.file, p.analysis.index) for p in launches.points] == [
        ("b.ncu-rep", 0),
        ("b.ncu-rep", 1),
        ("b.ncu-rep", 2),
        ("a.ncu-rep", 0),
    ]
    assert launches.num_launches == 6 and launches.seconds == {"dram_bound": pytest.approx(9e-6)}
    assert [f.name for f in files] == ["a.ncu-rep", "b.ncu-rep"]


def test_damaged_reports_and_wrong_words_stop_the_build(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "broken.ncu-rep").write_bytes(b"NVR\0")
    done = build(tmp_path, f"{PAGE}\n```{{bench-roofline}} mine\n```\n", "-b", "text")
    assert done.returncode != 0
    assert "damaged report broken.ncu-rep" in done.stderr and "bench_lib.damaged-report" in done.stderr
    assert "'recorded' or 'reports', not 'mine'" in done.stderr
    # Other formats show the figures and the charts' descriptions.
    shown = " ".join((tmp_path / "out" / "index.txt").read_text(encoding="utf-8").split())
    assert "adamw_kernel2" in shown and "Roofline of NVIDIA H100 PCIe, imported" in shown


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"no browser at {CHROMIUM}")
    with browser(width=360, height=740) as context:
        yield context


@pytest.fixture
def visit(chromium: Any, built: Path) -> Iterator[tuple[Any, list[str]]]:
    page, problems = chromium.new_page(), []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    page.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else problems.append(r.url))
    page.goto((built / "index.html").as_uri())
    yield page, problems
    page.close()


def column(page: Any, number: int) -> list[str]:
    shown = "[...document.querySelector('table.bench-launches').tBodies[0].rows].filter(r => !r.hidden)"
    texts: list[str] = page.evaluate(f"{shown}.map(r => r.cells[{number}].textContent.trim())")
    return texts


def test_the_table_sorts(visit: tuple[Any, list[str]]) -> None:
    page, problems = visit
    heads = page.locator("table.bench-launches").first.locator("thead button")
    assert heads.count() == 13
    heads.nth(2).click()
    assert [t.split()[1] for t in column(page, 2)] == ["ns", "µs", "µs", "µs"]
    head = page.locator("table.bench-launches").first.locator("thead th").nth(2)
    assert head.get_attribute("aria-sort") == "ascending"
    heads.nth(2).click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column(page, 2)[-1] == "900 ns"
    # What is unknown comes last, whichever way.
    for _ in range(2):
        heads.nth(6).click()
        assert [t == "unknown" for t in column(page, 6)] == [False, False, True, True]
    heads.nth(0).click()
    assert column(page, 0)[:2] == ["aaa", "bbb"]
    assert problems == []


def test_the_table_filters(visit: tuple[Any, list[str]]) -> None:
    page, problems = visit
    field, count = page.locator(".bench-tools input").first, page.locator("output").first
    assert count.inner_text() == "4 rows"
    field.fill("BBB dram_bound")
    assert column(page, 0) == ["bbb"] and count.inner_text() == "1 of 4 rows"
    # By the whole name, which only shows on hover, with markup in it.
    field.fill("onerror=alert(1)")
    assert count.inner_text() == "2 of 4 rows"
    field.fill("nothing like it")
    assert column(page, 0) == ["No row matches."]
    field.fill("")
    assert len(column(page, 0)) == 4
    assert problems == []


def test_the_page_fits_a_phone_and_charts_load(visit: tuple[Any, list[str]]) -> None:
    page, problems = visit
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0
    page.wait_for_function(
        "[...document.querySelectorAll('object.only-light')].every(o => o.contentDocument !== undefined)"
    )
    boxes = page.evaluate(
        "[...document.querySelectorAll('object.only-light')].map(o => o.getBoundingClientRect())"
        ".map(b => [b.width, b.height])"
    )
    assert all(250 < w <= 360 and 150 < h < 400 for w, h in boxes)
    assert problems == []


def test_without_javascript_the_table_is_there(chromium: Any, built: Path) -> None:
    page = chromium.new_page()
    page.route("**/*.js*", lambda route: route.abort())
    page.goto((built / "index.html").as_uri())
    assert len(column(page, 0)) == 4
    assert page.locator(".bench-tools").count() == 0
    page.close()


def tracked(commit: str, labels: str, *, day: int) -> Run:
    return replace(
        make_run(1),
        benchmark="roofline.ReportKernel",
        params={"kernel": "gemm-1"},
        hardware="nvidia-h100-sxm",
        environment=replace(ENVIRONMENT, commit=commit * 40, commit_time=f"2026-11-{day:02}T00:00:00+00:00"),
        origin="imported",
        measurements=(Measurement("kernel_duration", (2e-5,)), Measurement("time_over_roof", (1.25,))),
        details={"kernel": KERNEL, "label": labels, "labels": labels},
    )


def test_kernels_across_commits_and_what_changed(pages: Callable[..., Path]) -> None:
    runs = [tracked("b", "l1_bound", day=2), tracked("a", HOSTILE, day=1)]
    share = replace(
        runs[0],
        benchmark="roofline.ReportFolder",
        params={"label": "l1_bound"},
        measurements=(Measurement("share_of_time", (0.75,)),),
    )
    html = pages("# Page\n\n```{bench-roofline-tracked}\n```\n", [*runs, share])
    body = BeautifulSoup((html / "index.html").read_text(encoding="utf-8"), "html.parser").select_one(
        "article"
    )
    assert body is not None and not body.find_all(["script", "b", "i"])
    change = body.select_one(".admonition li")
    assert change is not None
    text = " ".join(change.get_text().split())
    assert "NVIDIA H100 SXM" in text or "nvidia-h100-sxm" in text
    assert text.endswith("→ l1_bound between aaaaaaaaaa and bbbbbbbbbb") and "{{ 7*7 }}" in text
    cells = [c.get_text() for c in body.select("table.bench-launches tbody tr td")]
    assert cells[:3] == ["l1_bound", "20 µs", "1.25"] and cells[-2:] == ["2", "imported"]
    assert "75.0 %" in body.get_text()


def test_kernels_that_kept_their_class(pages: Callable[..., Path]) -> None:
    text = "# Page\n\n```{bench-roofline-tracked}\n```\n"
    runs = [tracked("a", "l1_bound", day=1), tracked("b", "l1_bound", day=2)]
    assert "No kernel changed class" in (pages(text, runs) / "index.html").read_text(encoding="utf-8")
