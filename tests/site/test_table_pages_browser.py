"""The pages of tables in a real browser: the figures of the command, permalinks, phones, and axe-core."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sample_asv import HOSTILE
from screenshot import CHROMIUM, browser
from test_table_pages import command

from bench_lib import results
from bench_lib.results.compare import Side, compare
from bench_lib.results.output import ratio_interval_text, ratio_text, readable
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.page_names import file_names

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no browser at {CHROMIUM}")

MACHINES = ("alpha", "beta", "software", "nofacts", HOSTILE)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser(width=1400, height=900) as context:
        yield context


@pytest.fixture
def visit(chromium: Any, html: Path) -> Iterator[Any]:
    """Opens a page; at the end nothing may have gone wrong, and nothing may have been asked of a network."""
    page, problems = chromium.new_page(), []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    page.on("requestfailed", lambda request: problems.append(request.url))
    page.on(
        "request",
        lambda r: None if r.url.startswith(("file:", "data:", "about:")) else problems.append(r.url),
    )

    def go(name: str, fragment: str = "") -> Any:
        page.goto("about:blank")
        page.goto((html / f"{name}.html").as_uri() + fragment)
        return page

    yield go
    assert problems == []
    page.close()


def shown_table(page: Any, id: str) -> list[dict[str, str]]:
    """Every row of a table, also those that are not in sight."""
    rows: list[dict[str, str]] = page.evaluate(
        """id => {
            const table = [...benchTable.tables.values()].find(t => t.id === id && t.element.isConnected);
            const record = entry => table.cells(entry).map((cell, i) => [table.names[i], cell.text]);
            return table.shown.map(entry => Object.fromEntries(record(entry)));
        }""",
        id,
    )
    return rows


def wait_for_comparison(page: Any) -> None:
    page.wait_for_function("/rows/.test(document.querySelector('.bench-compare-status')?.textContent)")


def chooser(page: Any, label: str) -> Any:
    return page.locator("label.bench-tool", has_text=label).locator("select").first


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("newest", ["lookup"]),
        ("changes", ["changes", "--possible"]),
        ("hardware", ["hardware"]),
    ],
)
def test_downloads_are_what_the_commands_print(
    visit: Any, asv_root: Path, name: str, arguments: list[str]
) -> None:
    page = visit("bench/downloads")
    found = {}
    for form in ("csv", "json"):
        with page.expect_download() as waiting:
            page.locator(f"[data-download-table={name}][data-download-form={form}]").click()
        assert waiting.value.suggested_filename == f"{name}.{form}"
        found[form] = Path(waiting.value.path()).read_bytes().decode()
    assert found["csv"] == command(asv_root, *arguments, "--format", "csv")
    assert json.loads(found["json"]) == json.loads(command(asv_root, *arguments, "--json"))


@pytest.mark.parametrize("baseline", MACHINES, ids=lambda m: str(m)[:8])
def test_comparisons_have_the_figures_of_the_command(visit: Any, asv_root: Path, baseline: str) -> None:
    found = results.read(asv_root / "results", samples=False)
    files = file_names(MACHINES)
    for candidate in MACHINES:
        if candidate == baseline:
            continue
        page = visit("bench/compare", f"#base={files[baseline]}&with={files[candidate]}")
        wait_for_comparison(page)
        expected = compare(found, [Side("machine", baseline), Side("machine", candidate)])
        shown = shown_table(page, "compare")
        assert len(shown) == len(expected.rows) > 0
        for row, one in zip(expected.rows.to_dict("records"), shown, strict=True):
            assert one["benchmark"] == clean(row["benchmark"]) and one["parameters"] == clean(
                row["parameters"]
            )
            assert one["ratio"] == ratio_text(row["ratio"])
            assert one["interval"] == ratio_interval_text(row["ratio"], row["ratio_low"], row["ratio_high"])
            assert one["verdict"] == row["verdict"]
            assert one["note"] == clean(row["note"])
            if not math.isnan(row["ratio"]):
                significant = row["is_significant"]
                assert one["significant"] == (
                    "unknown" if significant is pd.NA else "yes" if significant else "no"
                )
                assert one["relevant"] == ("yes" if row["is_relevant"] else "no")
                assert one["value"] == readable(row["value"], row["unit"])
                assert one["baseline"] == readable(row["baseline_value"], row["unit"])
        means = shown_table(page, "means")
        # Also a single row, or rows that none is compared in, are there to see.
        assert page.locator("table#means tbody th").count() == len(means) > 0
        assert [(m["family"], m["metric"], m["mean"], m["rows"], m["left_out"]) for m in means] == [
            (
                clean(m["family"]),
                m["metric"],
                ratio_text(m["geometric_mean"]) or "none",
                str(m["num_rows"]),
                str(m["num_left_out"]),
            )
            for m in expected.means.to_dict("records")
        ]


def test_software_and_gpu_are_never_ranked(visit: Any) -> None:
    page = visit("bench/compare", "#base=beta&with=software")
    wait_for_comparison(page)
    rows = shown_table(page, "compare")
    assert {r["ratio"] for r in rows} == {""} and {r["verdict"] for r in rows} == {"not compared"}
    assert any("emulated on a CPU against a GPU" in r["note"] for r in rows)


def test_devices_are_chosen_and_the_address_brings_them_back(visit: Any) -> None:
    page = visit("bench/compare")
    wait_for_comparison(page)
    chooser(page, "Baseline").select_option("alpha")
    chooser(page, "Against").select_option("software")
    page.wait_for_function("location.hash.includes('software')")
    chooser(page, "Against").select_option("beta")
    page.wait_for_function("document.querySelectorAll('.bench-picks li').length === 3")
    titles = page.locator("table#compare thead th").all_inner_texts()
    assert sum("Ratio" in t for t in titles) == 3
    address = page.evaluate("location.hash")
    page.locator("table#compare thead th button", has_text="Ratio").nth(1).click()
    sorted_address = page.evaluate("location.hash")
    assert "compare.sort=ratio-2" in sorted_address
    page.go_back()
    page.wait_for_function("!document.querySelector('table#compare [aria-sort]')")
    assert page.evaluate("location.hash") == address
    page.goto("about:blank")
    again = visit("bench/compare", sorted_address)
    wait_for_comparison(again)
    playwright.expect(again.locator("table#compare thead th[aria-sort=ascending]")).to_have_count(1)
    again.get_by_role("button", name="Leave out beta").click()
    again.wait_for_function("document.querySelectorAll('.bench-picks li').length === 2")


def test_relevance_is_the_readers(visit: Any, asv_root: Path) -> None:
    (file,) = [f for m, f in file_names(MACHINES).items() if m == HOSTILE]
    page = visit("bench/compare", f"#base=alpha&with={file}&relevant=50")
    wait_for_comparison(page)
    found = results.read(asv_root / "results", samples=False)
    sides = [Side("machine", "alpha"), Side("machine", HOSTILE)]
    expected = list(compare(found, sides, relevant_change=0.5).rows["verdict"])
    assert "same" in expected
    assert [r["verdict"] for r in shown_table(page, "compare")] == expected


def test_a_share_that_is_none_is_the_default(visit: Any) -> None:
    page = visit("bench/compare", "#base=alpha&with=beta")
    wait_for_comparison(page)
    expected = shown_table(page, "compare")
    assert "better" in {r["verdict"] for r in expected}
    share = page.get_by_label("Relevant from %")
    for text in ("abc", "1e999", "-5", "NaN", "%20", "-Infinity"):
        page = visit("bench/compare", f"#base=alpha&with=beta&relevant={text}")
        wait_for_comparison(page)
        assert shown_table(page, "compare") == expected and share.input_value() == "5"
    share.fill("-1")
    share.press("Enter")
    assert share.input_value() == "5" and "relevant" not in page.url
    share.fill("0")
    share.press("Enter")
    page.wait_for_function("location.hash.includes('relevant=0')")
    wait_for_comparison(page)
    assert share.input_value() == "0" and "same" not in {r["verdict"] for r in shown_table(page, "compare")}


VALUES = [
    0.0,
    1.0,
    12345.0,
    12355.0,
    1.0005,
    999.95,
    999.9996e-3,
    9.9995e-7,
    1e-12,
    3.25e-10,
    1024.0,
    1023.96,
]
VALUES += [
    1048576.0,
    5e15,
    1e300,
    1e-300,
    0.1,
    2.5,
    123456789.0,
    99999.5,
    1234500.0,
    -3.5e-5,
    1e9,
    999950000.0,
]
VALUES += [(7919 * i % 10007) * 10.0 ** (i % 30 - 15) for i in range(1, 300)]


def test_numbers_read_as_the_command_prints_them(visit: Any) -> None:
    page = visit("bench/compare")
    for unit in ("s", "B", "B/s", "FLOP/s", "token/s", "1", "items", ""):
        shown = page.evaluate("([v, u]) => v.map(x => benchFormat.readable(x, u))", [VALUES, unit])
        assert shown == [readable(v, unit) for v in VALUES], unit
    ratios = [0.0625, 0.9995, 1.0005, 2.0015, 0.0005, 12.3456, *(abs(v) for v in VALUES if abs(v) < 1e6)]
    shown = page.evaluate("v => v.map(x => benchFormat.fixed(x, 3))", ratios)
    assert shown == [f"{r:.3f}" for r in ratios]


PAGES = (
    "bench/benchmarks",
    "benchmarks/suite.time_grid",
    "bench/changes",
    "bench/compare",
    "bench/downloads",
    "bench/hardware",
    "bench/inventory",
    "devices/nofacts",
    "devices/nvidia-h100-sxm",
    "devices/software",
)


@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_a_phone(visit: Any, name: str) -> None:
    page = visit(name)
    page.set_viewport_size({"width": 360, "height": 740})
    if name == "bench/compare":
        wait_for_comparison(page)
    page.wait_for_timeout(0)
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0
    cut = page.evaluate(
        "[...document.querySelectorAll('.bench-frame')].map(f => [f.querySelector('table').offsetWidth"
        " > f.querySelector('.bench-box').clientWidth + 1, !f.querySelector('.bench-scroll-hint').hidden])"
    )
    assert all(is_wide == has_hint for is_wide, has_hint in cut)
    page.set_viewport_size({"width": 1400, "height": 900})


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_no_serious_fault_that_axe_knows(visit: Any, name: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    page = visit(name)
    page.evaluate("scheme => { document.body.dataset.theme = scheme }", scheme)
    if name == "bench/compare":
        wait_for_comparison(page)
    found = axe.Axe().run(page, options={"preload": False}).response["violations"]
    bad = {
        v["id"]: [n["html"][:200] for n in v["nodes"][:3]]
        for v in found
        if v["impact"] in ("serious", "critical")
    }
    assert bad == {}


def test_without_scripts_the_tables_are_there(chromium: Any, html: Path) -> None:
    page = chromium.new_page()
    page.route("**/*.js*", lambda route: route.abort())
    for name, id in (
        ("bench/changes", "changes"),
        ("bench/compare", "compare"),
        ("devices/nofacts", "figures"),
    ):
        page.goto((html / f"{name}.html").as_uri())
        assert page.locator(f"table#{id} tbody tr").count() > 3
        playwright.expect(page.locator("thead button")).to_have_count(0)
    page.close()


def test_hostile_names_are_shown_and_do_nothing(visit: Any) -> None:
    page = visit("bench/changes", "#changes.q=onerror")
    assert page.locator("table#changes tbody tr").count() > 0
    assert "<img src=x onerror=alert(1)>" in page.locator("table#changes tbody th").first.inner_text()
    playwright.expect(page.locator("article img")).to_have_count(0)
    page = visit("bench/changes", "#changes.q=%3Cimg+src%3Dx%3E&changes.sort=__proto__&changes.effect=%22%3E")
    playwright.expect(page.locator("article img")).to_have_count(0)
