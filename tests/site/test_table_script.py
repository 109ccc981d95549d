"""The script of the tables in a real browser: sort, filter, address, keyboard, phone, print, downloads."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from screenshot import CHROMIUM, browser

from bench_lib.sphinx_ext.assets import BUNDLES, bundle
from bench_lib.sphinx_ext.script_data import data_script
from bench_lib.sphinx_ext.site_table import Column, SiteTable, TextCell, number_cell, table_data, table_html
from bench_lib.table_script import FILTERED, SCRIPT, STATIC, STYLE

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no browser at {CHROMIUM}")

COLUMNS = (
    Column("name", "Name", is_long=True),
    Column("effect", "Effect", filter="values"),
    Column("time", "Time", "number", filter="size", scale=1000),
    Column("date", "Date", filter="date"),
    Column("note", "Note"),
)


def rows(count: int) -> list[list[Any]]:
    made: list[list[Any]] = []
    for i in range(count):
        value = (i * 37 % count) * 1e-6
        text = f"{value * 1e6:g} µs" if value < 1e-3 else f"{value * 1e3:g} ms"
        time = number_cell("unknown", None) if i % 10 == 9 else number_cell(text, value)
        day = f"2026-{1 + i % 12:02}-{1 + i % 28:02}"
        kind = ("regression", "improvement", "")[i % 3]
        made.append(
            [TextCell(f"case {i}", href="https://example.org/x"), kind, time, day, f"n{i}" + " x" * (i % 40)]
        )
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("script")
    (root / STYLE).write_bytes((STATIC / STYLE).read_bytes())
    (root / SCRIPT).write_text(bundle(BUNDLES[SCRIPT]), encoding="utf-8")
    foot = f'<script src="{SCRIPT}"></script></article></body></html>'
    head = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>T</title>'
        f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{STYLE}">'
        "</head><body><article><h1>T</h1>"
    )
    small = SiteTable("cases", "Cases", COLUMNS, rows(40))
    (root / "small.html").write_text(head + table_html(small) + foot, encoding="utf-8")
    signed = [[*row[:4], f"{sign}1"] for row, sign in zip(rows(12), "=+-@" * 3, strict=True)]
    (root / "signs.html").write_text(
        head + table_html(SiteTable("cases", "Cases", COLUMNS, signed)) + foot, encoding="utf-8"
    )
    large = SiteTable("cases", "Cases", COLUMNS, rows(10_000))
    (root / "data.js").write_text(data_script(table_data(large), name="table:cases"), encoding="utf-8")
    body = table_html(large).replace("\ue000p:PAGE0\ue001", "PAGE0.html")
    (root / "large.html").write_text(f'{head}{body}<script src="data.js"></script>{foot}', encoding="utf-8")
    one = data_script(table_data(SiteTable("cases", "Cases", COLUMNS, rows(1))), name="table:cases")
    empty = table_html(SiteTable("cases", "Cases", COLUMNS, []))
    (root / "one.html").write_text(f"{head}{empty}<script>{one}</script>{foot}", encoding="utf-8")
    plain = (
        f'<table class="{FILTERED}"><thead><tr><th>size</th><th>speed</th><th>kind</th></tr></thead><tbody>'
        "<tr><td>1.5 GiB</td><td>900 ns</td><td>a</td></tr><tr><td>20 MiB</td><td>1.2 ms</td><td>b</td></tr>"
        "<tr><td>unknown</td><td>3 µs</td><td>a</td></tr><tr><td>3 KiB</td><td>2 s</td><td>b</td></tr>"
        "</tbody></table>"
    )
    (root / "plain.html").write_text(head + plain + foot, encoding="utf-8")
    spans = (
        '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td colspan="2">x</td></tr>'
        "<tr><td>1</td><td>2</td></tr></tbody></table>"
    )
    (root / "spans.html").write_text(head + spans + foot, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser(width=1280, height=900) as context:
        yield context


@pytest.fixture
def visit(chromium: Any, folder: Path) -> Iterator[Any]:
    page, problems = chromium.new_page(), []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))

    def go(name: str, fragment: str = "") -> Any:
        page.goto("about:blank")
        page.goto((folder / f"{name}.html").as_uri() + fragment)
        return page

    yield go
    assert problems == []
    page.close()


def column(page: Any, number: int) -> list[str]:
    texts: list[str] = page.evaluate(
        "n => [...document.querySelector('table').tBodies[0].rows].map(r => r.cells[n].textContent.trim())",
        number,
    )
    return texts


def head(page: Any, number: int) -> Any:
    return page.locator("thead th").nth(number)


def state(page: Any) -> str:
    return str(page.evaluate("location.hash"))


def test_sorts_by_value_with_the_unknown_last_both_ways(visit: Any) -> None:
    page = visit("small")
    button = head(page, 2).locator("button")
    button.click()
    assert head(page, 2).get_attribute("aria-sort") == "ascending"
    assert column(page, 2)[:2] == ["0 µs", "1 µs"] and column(page, 2)[-4:] == ["unknown"] * 4
    button.click()
    assert head(page, 2).get_attribute("aria-sort") == "descending"
    assert column(page, 2)[0] == "39 µs" and column(page, 2)[-4:] == ["unknown"] * 4
    button.click()
    assert head(page, 2).get_attribute("aria-sort") is None
    assert column(page, 0)[:3] == ["case 0", "case 1", "case 2"] and state(page) == ""
    # Names with numbers in them: 2 before 10.
    head(page, 0).locator("button").click()
    assert column(page, 0)[:3] == ["case 0", "case 1", "case 2"] and column(page, 0)[-1] == "case 39"


def test_reads_units_where_a_table_brings_no_keys(visit: Any) -> None:
    page = visit("plain")
    head(page, 0).locator("button").click()
    assert column(page, 0) == ["3 KiB", "20 MiB", "1.5 GiB", "unknown"]
    head(page, 1).locator("button").click()
    assert column(page, 1) == ["900 ns", "3 µs", "1.2 ms", "2 s"]
    page.locator("select").select_option("b")
    assert column(page, 2) == ["b", "b"]


def test_filters_by_words_values_dates_and_size(visit: Any) -> None:
    page = visit("small")
    page.locator("input[type=search]").fill('"CASE 12"')
    assert column(page, 0) == ["case 12"] and page.locator("output").inner_text() == "1 of 40 rows"
    page.locator("input[type=search]").fill("nothing")
    assert column(page, 0) == ["No row matches."]
    page.locator("input[type=search]").fill("")
    page.locator("select").select_option("regression")
    assert set(column(page, 1)) == {"regression"} and len(column(page, 1)) == 14
    page.locator("input[type=number]").fill("0.03")
    page.locator("input[type=number]").press("Enter")
    assert all(float(t.split()[0]) >= 30 for t in column(page, 2)) and column(page, 2)
    page.locator("button.bench-reset").click()
    assert len(column(page, 0)) == 40 and state(page) == ""
    page.locator("input[type=date]").first.fill("2026-11-01")
    page.locator("input[type=date]").first.dispatch_event("change")
    assert all(day >= "2026-11-01" for day in column(page, 3)) and len(column(page, 3)) == 6
    page.locator("select").select_option("(empty)")
    assert set(column(page, 1)) == {""}


def test_the_address_holds_the_state_and_history_walks_it(visit: Any) -> None:
    page = visit("small", "#cases.q=case&cases.sort=-time&cases.effect=regression&other=kept")
    first = column(page, 0)
    assert head(page, 2).get_attribute("aria-sort") == "descending" and set(column(page, 1)) == {"regression"}
    page.locator("select").select_option("improvement")
    assert "cases.effect=improvement" in state(page) and "other=kept" in state(page)
    head(page, 0).locator("button").click()
    page.go_back()
    assert (
        set(column(page, 1)) == {"improvement"} and head(page, 2).get_attribute("aria-sort") == "descending"
    )
    page.go_back()
    assert column(page, 0) == first
    page.go_forward()
    assert set(column(page, 1)) == {"improvement"}
    page.locator("input[type=search]").fill("case 1")
    page.wait_for_function("location.hash.includes('cases.q=case+1')")
    kept = column(page, 0)
    page.reload()
    assert column(page, 0) == kept and page.locator("input[type=search]").input_value() == "case 1"


def test_ten_thousand_rows_show_a_part_and_all_are_searched(visit: Any) -> None:
    page = visit("large")
    shown = "document.querySelector('table').tBodies[0].rows.length"
    assert page.evaluate(shown) <= 400
    assert page.locator("table").get_attribute("aria-rowcount") == "10001"
    assert page.locator("output").inner_text() == "10000 rows"
    head(page, 2).locator("button").click()
    assert column(page, 2)[0] == "0 µs"
    page.locator("input[type=search]").fill('"case 9998"')
    assert column(page, 0) == ["case 9998"]
    page.locator("input[type=search]").fill("")
    before = page.evaluate(shown)
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function(f"{shown} > {before}")
    # On paper there are all of them.
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(shown) == 10_000


def test_sorting_ten_thousand_rows_takes_no_longer_than_building_a_page_of_them(visit: Any) -> None:
    page = visit("large")
    sort = "(() => {const t = [...benchTable.tables.values()][0]; const a = performance.now();"
    sort += " t.sort = '-time'; t.update(); return performance.now() - a})()"
    whole = "(() => {const t = [...benchTable.tables.values()][0]; const a = performance.now();"
    whole += " t.append(Infinity); return performance.now() - a})()"
    page.evaluate(sort)
    seconds = sorted(page.evaluate(sort) for _ in range(5))[2]
    assert seconds < page.evaluate(whole)


def test_downloads_are_the_rows_shown_with_numbers_in_full(visit: Any) -> None:
    page = visit("small", "#cases.effect=regression&cases.sort=-time")
    with page.expect_download() as got:
        page.get_by_role("button", name="CSV").click()
    text = Path(got.value.path()).read_text(encoding="utf-8")
    table = list(csv.DictReader(io.StringIO(text)))
    assert got.value.suggested_filename == "cases.csv"
    assert list(table[0]) == [c.name for c in COLUMNS]
    assert [r["name"] for r in table] == column(page, 0) and len(table) == 14
    with page.expect_download() as got:
        page.get_by_role("button", name="JSON").click()
    records = json.loads(Path(got.value.path()).read_text(encoding="utf-8"))
    values = [r["time"] for r in records]
    expected = sorted((k for k in (r[2].key for r in rows(40)[::3]) if not math.isnan(k)), reverse=True)
    assert [v for v in values if v is not None] == expected
    assert values[len(expected) :] == [None] * (14 - len(expected))
    assert [float(r["time"]) for r in table if r["time"]] == expected


def test_texts_in_files_are_as_they_are(visit: Any) -> None:
    page = visit("signs")
    with page.expect_download() as got:
        page.get_by_role("button", name="CSV").click()
    table = csv.DictReader(io.StringIO(Path(got.value.path()).read_text(encoding="utf-8")))
    assert [r["note"] for r in table] == ["=1", "+1", "-1", "@1"] * 3


def test_by_keyboard_alone(visit: Any) -> None:
    page = visit("small")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "search":
            break
    page.keyboard.type("n1 case")
    assert len(column(page, 0)) == 11
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('th')?.dataset.column") == "time":
            break
    page.keyboard.press("Enter")
    assert head(page, 2).get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Space")
    assert head(page, 2).get_attribute("aria-sort") == "descending"
    assert page.evaluate("document.activeElement.closest('th').dataset.column") == "time"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_on_a_phone_the_table_scrolls_and_says_so(visit: Any) -> None:
    page = visit("small")
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_function("document.querySelector('.bench-frame').classList.contains('is-cut-right')")
    assert page.locator(".bench-scroll-hint").is_visible()
    box = page.locator(".bench-box")
    assert box.get_attribute("tabindex") == "0" and box.get_attribute("role") == "region"
    assert "Cases" in str(box.get_attribute("aria-label"))
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0
    shade = "getComputedStyle(document.querySelector('.bench-frame'), '::after').opacity"
    assert page.evaluate(shade) == "1"
    page.evaluate("document.querySelector('.bench-box').scrollLeft = 1e6")
    page.wait_for_function("!document.querySelector('.bench-frame').classList.contains('is-cut-right')")
    # The head of each row stays in sight.
    left = page.evaluate("document.querySelector('tbody th').getBoundingClientRect().left")
    assert 0 <= left < 40
    page.set_viewport_size({"width": 1600, "height": 900})
    page.wait_for_function("!document.querySelector('.bench-frame').classList.contains('is-wide')")
    assert not page.locator(".bench-scroll-hint").is_visible() and box.get_attribute("tabindex") is None


def test_the_heading_stays_in_sight(visit: Any) -> None:
    page = visit("large")
    page.evaluate("window.scrollTo(0, 1500)")
    top = page.evaluate("document.querySelector('thead th').getBoundingClientRect().top")
    assert -1 <= top <= 1


def test_a_table_with_spanning_rows_keeps_its_order(visit: Any) -> None:
    page = visit("spans")
    assert page.locator("thead button").count() == 0 and page.locator(".bench-tools").count() == 0
    assert column(page, 0) == ["x", "1"]


def test_addresses_that_run_something_are_no_links(visit: Any) -> None:
    page = visit("large")
    safe = page.evaluate(
        "['javascript:alert(1)', ' \\u0001javascript:1', 'data:text/html,x', 'vbscript:x', 'JaVaScRiPt:1']"
        ".map(a => benchTable.isSafe(a))"
    )
    assert safe == [False] * 5
    assert (
        page.evaluate("['https://e.org/', 'x.html#a=b:c', '../x/y.html'].map(a => benchTable.isSafe(a))")
        == [True] * 3
    )
    address = "[...benchTable.tables.values()][0].address('page:a/b#x=1')"
    assert page.evaluate(address) == "a/b.html#x=1"


def test_a_single_row_from_a_data_file_is_shown(visit: Any) -> None:
    page = visit("one")
    assert column(page, 0) == ["case 0"]
