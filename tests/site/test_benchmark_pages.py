"""Pages of benchmarks, in a real browser: from disk and under a path of a server, without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from chart_visit import NEEDS_CHARTS, Visit, page_of, serve  # noqa: E402
from click.testing import CliRunner  # noqa: E402
from sample_store import HOSTILE_NAME, NUM_COMMITS, ODD, STEP, STEP_AT, write_store  # noqa: E402
from screenshot import browser  # noqa: E402

from bench_lib.cli import cli  # noqa: E402
from bench_lib.results.synthetic import commit_name  # noqa: E402

pytestmark = NEEDS_CHARTS


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("store")
    write_store(root / "results")
    (root / "asv.conf.json").write_text('{"project": "Sample", "show_commit_url": "https://e.example/c/"}')
    arguments = ["site", "--results-only", "--results", str(root / "results"), "--output", str(root / "html")]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    return root / "html"


@pytest.fixture(scope="module")
def chromium() -> Iterator[playwright.BrowserContext]:
    with browser(width=1280, height=900) as context:
        yield context


@pytest.fixture
def step(chromium: playwright.BrowserContext, built: Path) -> Iterator[Visit]:
    visit = Visit(chromium, (built / page_of(built, STEP)).as_uri())
    yield visit
    visit.close()


def test_chart_has_every_value_and_table_has_the_newest(step: Visit) -> None:
    facts = step.facts()
    # machine-1 has one more commit, whose name is no hash.
    assert facts["points"] == str(2 * NUM_COMMITS + 1)
    assert (facts["series"], facts["unit"], facts["log"]) == ("2", "ms", "false")
    rows = step.page.locator(".bench-series tbody tr")
    playwright.expect(rows).to_have_count(2)
    # Commit 79: 0.01 * (1 + 0.003 * (395 % 7 - 3)) * 1.3 s.
    assert "13 ms" in rows.nth(0).inner_text()
    assert "[12.74, 13.26]" in rows.nth(0).inner_text()


def test_planted_step_is_marked_and_listed(step: Visit) -> None:
    step.facts()
    changes = step.chart("chart.state.shown[0].changes")
    assert [c["kind"] for c in changes] == ["confirmed"]
    assert changes[0]["x"] == STEP_AT and changes[0]["effect"] == "regression"
    row = step.page.locator("#changes tbody tr").first
    text = row.inner_text()
    assert "confirmed regression" in text and "machine-0" in text
    assert 28 < float(text.split("+")[1].split("%")[0]) < 32
    links = row.locator("a").evaluate_all("links => links.map(a => a.href)")
    assert links == [f"https://e.example/c/{commit_name(i)}" for i in (STEP_AT - 1, STEP_AT)]


def test_hover_shows_the_point_and_click_keeps_it(step: Visit) -> None:
    step.facts()
    step.page.mouse.move(*step.point_at(0, 10))
    tip = step.page.locator(".bench-tip")
    assert tip.is_visible()
    text = tip.inner_text()
    # Commit 10: 50 % 7 - 3 = -2, so 9.94 ms.
    assert "9.94 ms" in text and "machine-0" in text and "2020-01-11" in text and commit_name(10)[:10] in text
    # 9.741 to 10.139, rounded outwards to the two digits that a page carries of a reach.
    assert "99 % [9.740, 10.140]" in text and "10 samples" in text
    step.page.mouse.click(*step.point_at(0, 10))
    assert f"at={commit_name(10)[:10]}" in step.fragment()
    assert tip.locator("a").get_attribute("href") == f"https://e.example/c/{commit_name(10)[:10]}"
    step.page.mouse.move(*step.point_at(1, 60))
    assert "9.94 ms" in tip.inner_text(), "a kept point gives way to hovering"


def test_zoom_log_and_permalink(step: Visit, chromium: playwright.BrowserContext) -> None:
    step.facts()
    (x1, y), (x2, _) = step.point_at(0, 20), step.point_at(0, 40)
    step.page.mouse.move(x1, y)
    step.page.mouse.down()
    step.page.mouse.move((x1 + x2) / 2, y)
    step.page.mouse.move(x2, y)
    step.page.mouse.up()
    step.page.get_by_text("Log", exact=True).click()
    step.page.get_by_text("Dates", exact=True).click()
    step.page.locator(".bench-series input").nth(1).click()
    assert step.facts() == {"points": "80", "series": "1", "unit": "ms", "log": "true", "drawn": "true"}
    low, high = step.chart("chart.range()")
    assert 19 <= low <= 21 and 39 <= high <= 41
    url = step.page.url
    again = Visit(chromium, url)
    assert again.facts() == step.facts()
    assert again.chart("chart.range()") == [low, high]
    assert again.chart("chart.state.axis") == "date"
    assert again.page.url == url
    again.page.get_by_text("Show all commits").click()
    assert again.chart("chart.range()") is None
    again.close()


def test_keys_move_over_values_and_say_them(step: Visit) -> None:
    step.facts()
    step.page.locator(".bench-plot").focus()
    step.page.keyboard.press("Home")
    live = step.page.locator("[aria-live=polite]")
    # Commit 0: 0 % 7 - 3 = -3.
    assert live.inner_text().startswith("machine-0: 9.91 ms") and "1 of 80" in live.inner_text()
    step.page.keyboard.press("]")
    assert f"{STEP_AT + 1} of 80" in live.inner_text() and "confirmed regression" in live.inner_text()
    step.page.keyboard.press("ArrowDown")
    assert live.inner_text().startswith("machine-1")
    step.page.keyboard.press("+")
    assert step.chart("chart.range()") is not None
    step.page.keyboard.press("0")
    assert step.chart("chart.range()") is None


def test_samples_load_when_asked_for(step: Visit) -> None:
    step.facts()
    assert not [u for u in step.requests if "samples" in u]
    step.page.get_by_label("Samples").check()
    step.page.wait_for_function("document.querySelector('.bench-block').benchBlock.chart.samples")
    assert len(step.chart("chart.samples[0]")) == NUM_COMMITS
    assert "samples=true" in step.fragment()


def test_all_values_as_a_table_and_as_files(step: Visit) -> None:
    step.facts()
    step.page.get_by_text("All values as a table").click()
    playwright.expect(step.page.locator(".bench-values tbody tr")).to_have_count(NUM_COMMITS + 1)
    with step.page.expect_download() as waiting:
        step.page.get_by_role("button", name="CSV").click()
    lines = Path(waiting.value.path()).read_text().splitlines()
    assert len(lines) == 2 * NUM_COMMITS + 2
    assert lines[0].startswith("benchmark,machine,environment,commit,date,value,low,high,unit")
    assert f",{commit_name(0)[:10]},2020-01-01T00:00:00.000Z,0.00991,0.0097" in lines[1]


def test_dark_mode_redraws(step: Visit) -> None:
    step.facts()
    light = step.chart("[chart.palette[0], chart.ground]")
    for _ in range(3):
        step.page.locator(".theme-toggle-content .theme-toggle").click()
        if step.page.evaluate("document.body.dataset.theme") == "dark":
            break
    assert step.chart("[chart.palette[0], chart.ground]") != light


def test_versions_skips_and_failures_are_told_apart(chromium: playwright.BrowserContext, built: Path) -> None:
    visit = Visit(chromium, (built / page_of(built, ODD)).as_uri())
    visit.facts()
    assert visit.chart("chart.state.shown[0].versionStarts") == [40]
    assert visit.chart("chart.state.shown[0].gaps.map(g => [g.x, g.status])") == [
        [60, "skipped"],
        [61, "failed"],
    ]
    assert visit.chart("chart.state.shown[0].x.length") == NUM_COMMITS - 2
    # A line is not drawn over a new version.
    assert len(visit.chart("chart.gaps(chart.plot, 1, [])")) == 1
    text = visit.page.locator("#without-value").inner_text()
    assert "skipped" in text and "failed" in text and "asv keeps no reason" in text
    assert "Versions measured" in visit.page.locator("#about").inner_text()
    visit.close()


def test_hostile_names_are_text(chromium: playwright.BrowserContext, built: Path) -> None:
    visit = Visit(chromium, (built / page_of(built, HOSTILE_NAME)).as_uri())
    assert visit.facts()["series"] == "4"
    visit.page.get_by_text("All values as a table").click()
    visit.page.get_by_role("button", name="JSON").hover()
    playwright.expect(visit.page.locator("article img, article b, article i")).to_have_count(0)
    assert visit.page.locator("h1").inner_text() == "time_it"
    # Choosing the hostile value puts it into the address, and back.
    visit.page.locator(".bench-facet input").nth(2).uncheck()
    url = visit.page.url
    again = Visit(chromium, url)
    assert again.facts() == visit.facts() and again.page.url == url
    again.close()
    visit.close()


def test_choice_that_is_not_there_is_said(chromium: playwright.BrowserContext, built: Path) -> None:
    visit = Visit(chromium, (built / page_of(built, STEP)).as_uri() + "#machine=machine-1&machine=gone")
    assert visit.facts()["series"] == "1"
    assert "Machine gone is not in these results." in visit.page.locator(".bench-note").first.inner_text()
    visit.close()


@pytest.mark.parametrize("width", [360, 768])
def test_narrow_pages_do_not_overflow(chromium: playwright.BrowserContext, built: Path, width: int) -> None:
    for name in ("index.html", "bench/benchmarks.html", page_of(built, HOSTILE_NAME), page_of(built, STEP)):
        visit = Visit(chromium, (built / name).as_uri(), width=width)
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert visit.page.evaluate(wider) <= 0, name
        visit.close()


def test_list_filters_and_overview_links(chromium: playwright.BrowserContext, built: Path) -> None:
    visit = Visit(chromium, (built / "bench" / "benchmarks.html").as_uri())
    rows = visit.page.locator("tr[data-words]:visible")
    playwright.expect(rows).to_have_count(4)
    visit.page.get_by_role("searchbox", name="Find benchmarks").fill("MACHINE-1 case_1")
    playwright.expect(rows).to_have_count(1)
    assert "q=MACHINE-1" in visit.fragment()
    again = Visit(chromium, visit.page.url)
    playwright.expect(again.page.locator("tr[data-words]:visible")).to_have_count(1)
    again.close()
    visit.close()
    start = Visit(chromium, (built / "index.html").as_uri())
    playwright.expect(start.page.locator("svg.bench-spark")).to_have_count(4)
    assert "1 file could not be used" in start.page.locator(".bench-damaged").inner_text()
    assert "half-virtualenv-py3.11.json" in start.page.locator(".bench-damaged").text_content()
    start.page.get_by_role("link", name=STEP).first.click()
    assert start.facts()["series"] == "1"
    assert commit_name(STEP_AT)[:10] in start.page.locator(".bench-tip").inner_text()
    start.close()


def test_search_finds_a_benchmark_from_disk(chromium: playwright.BrowserContext, built: Path) -> None:
    visit = Visit(chromium, (built / "search.html").as_uri() + "?q=time_case_2")
    visit.page.wait_for_selector("#search-results li a", timeout=20_000)
    assert "time_case_2" in visit.page.locator("#search-results li a").first.get_attribute("href")
    visit.page.close()


def test_served_under_a_path(chromium: playwright.BrowserContext, built: Path) -> None:
    with serve(built.parent, chromium) as base:
        visit = Visit(chromium, f"{base}html/{page_of(built, STEP)}")
        assert visit.facts()["points"] == str(2 * NUM_COMMITS + 1)
        assert all(url.startswith(base) for url in visit.requests)
        sizes = visit.page.evaluate(
            "performance.getEntries().map(e => e.decodedBodySize || 0).reduce((a, b) => a + b, 0)"
        )
        assert sizes < 300_000
        visit.close()


def test_without_scripts_the_newest_values_are_there(
    chromium: playwright.BrowserContext, built: Path
) -> None:
    page = chromium.new_page()
    page.route("**/*.js*", lambda route: route.abort())
    page.goto((built / page_of(built, STEP)).as_uri())
    assert "13 ms" in page.locator(".bench-block table").inner_text()
    page.close()


def test_nothing_changed_builds_nothing(built: Path) -> None:
    results = built.parent / "results"
    before = {p: p.stat().st_mtime_ns for p in built.rglob("*")}
    arguments = ["site", "--results-only", "--results", str(results), "--output", str(built)]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0 and "nothing changed" in done.output
    assert {p: p.stat().st_mtime_ns for p in built.rglob("*")} == before


def test_a_site_names_no_path_of_this_machine(built: Path) -> None:
    for path in built.rglob("*"):
        if path.is_file():
            assert str(built.parent).encode() not in path.read_bytes(), path
