"""Charts over a parameter instead of commits, in a real browser: what is drawn is what the results say."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from chart_visit import NEEDS_CHARTS, Visit, page_of, serve  # noqa: E402
from sample_asv import commit  # noqa: E402
from sample_parameters import (  # noqa: E402
    EXTREME,
    KINDS,
    NUM_COMMITS,
    PLAIN,
    SIZES,
    SORT,
    SPARSE,
    SPARSE_SIZES,
    TEXT,
    sort_time,
    write_store,
)
from screenshot import browser  # noqa: E402

from bench_lib.results_site import build_results_site  # noqa: E402

pytestmark = NEEDS_CHARTS


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("store")
    write_store(root / "results")
    build_results_site(root / "results", output=root / "html")
    return root / "html"


@pytest.fixture(scope="module")
def chromium() -> Iterator[playwright.BrowserContext]:
    with browser(width=1280, height=900) as context:
        yield context


@pytest.fixture
def sort(chromium: playwright.BrowserContext, built: Path) -> Iterator[Visit]:
    visit = Visit(chromium, (built / page_of(built, SORT)).as_uri())
    visit.facts()
    # Shown first are all sizes of one kind.
    visit.page.get_by_role("group", name="kind").get_by_role("button", name="all").click()
    yield visit
    visit.close()


def axis(visit: Visit, name: str) -> None:
    visit.facts()
    visit.page.get_by_role("radio", name=name, exact=True).check(force=True)


def drawn(visit: Visit) -> list[tuple[str, dict[str, float]]]:
    """Each line's label and its values by the parameter's text, from what uPlot was given."""
    found: list[tuple[str, list[tuple[str, float]]]] = visit.chart(
        """chart.state.shown.map((s, i) => [chart.state.labels[i], chart.places
          .map((p, row) => [chart.state.parameter.texts[p], chart.data[i + 1][row]])
          .filter(([, v]) => v !== null && v !== undefined)
          .map(([text, v]) => [text, v * chart.factor])])"""
    )
    return [(label, dict(points)) for label, points in found]


def stored(built: Path, machine: int, number: int, name: str) -> list[float | None]:
    """The values in a results file."""
    path = built.parent / "results" / f"machine-{machine}" / f"{commit(number)[:8]}-py3.11.json"
    values: list[float | None] = json.loads(path.read_text())["results"][name][0]
    return values


def note(visit: Visit) -> str:
    return visit.page.locator(".bench-note").first.inner_text()


def test_a_line_over_a_number_has_the_values_of_the_results(sort: Visit, built: Path) -> None:
    axis(sort, "n")
    newest = stored(built, 0, NUM_COMMITS - 2, SORT)
    lines = dict(drawn(sort))
    assert list(lines) == [f"kind={kind}" for kind in KINDS]
    for number, kind in enumerate(KINDS):
        values = lines[f"kind={kind}"]
        assert list(values) == SIZES
        for value, expected in zip(values.values(), newest[5 * number :], strict=False):
            assert expected is not None and math.isclose(value, expected, rel_tol=5.01e-4)
    # The newest commit lacks the largest size: the one before has all.
    assert set(sort.chart("chart.state.shown.flatMap(s => s.commits)")) == {NUM_COMMITS - 2}
    assert f"Values at commit {commit(NUM_COMMITS - 2)[:10]} of 2020-09-17." in note(sort)
    assert "none there of n=np.int64(10000)" in note(sort) and commit(NUM_COMMITS - 1)[:10] in note(sort)
    # Powers of ten lie evenly on a logarithmic axis.
    assert sort.chart("chart.data[0]") == [0, 1, 2, 3, 4]
    assert sort.chart("chart.plot.axes[0].values()") == ["1", "10", "100", "1000", "10000"]


def test_a_value_that_is_left_out_lets_the_line_be_newer(
    sort: Visit, built: Path, chromium: playwright.BrowserContext
) -> None:
    axis(sort, "n")
    sort.page.get_by_label(SIZES[4], exact=True).uncheck()
    assert set(sort.chart("chart.state.shown.flatMap(s => s.commits)")) == {NUM_COMMITS - 1}
    assert [list(values) for _, values in drawn(sort)] == [SIZES[:4]] * 2
    assert "without=np.int64(10000)" in sort.fragment()
    again = Visit(chromium, sort.page.url)
    again.facts()
    assert drawn(again) == drawn(sort) and again.page.url == sort.page.url
    again.page.get_by_text("Back to the first selection").click()
    assert [list(values) for _, values in drawn(again)] == [SIZES]
    again.close()


def test_hover_table_and_files_say_what_a_point_is(sort: Visit) -> None:
    axis(sort, "n")
    sort.page.mouse.move(*sort.point_at(1, 2))
    text = sort.page.locator(".bench-tip").inner_text()
    # 1.04 * 2 * 1.234e-4 s, from 0.98 to 1.03 of it, rounded.
    assert "kind='quick'" in text and "n = 100" in text and "256.67 µs" in text
    assert "99 % [251.5, 264.5]" in text and "10 samples" in text
    assert f"{commit(NUM_COMMITS - 2)[:10]} 2020-09-17" in text and "to the value before" not in text
    row = sort.page.locator(".bench-series tbody tr").first.inner_text()
    assert "kind='merge'" in row and "1.2834 µs" in row and "12.834 ms" in row and "2020-09-17" in row
    sort.page.get_by_text("All values as a table").click()
    # The table is made once the browser tells that it was opened.
    playwright.expect(sort.page.locator(".bench-values tbody tr")).to_have_count(5)
    head = sort.page.locator(".bench-values thead th").all_inner_texts()
    assert head == ["n", "kind='merge'", "kind='quick'"]
    with sort.page.expect_download() as waiting:
        sort.page.get_by_role("button", name="JSON").click()
    rows = json.loads(Path(waiting.value.path()).read_text())
    assert [(r["kind"], r["n"]) for r in rows] == [(k, n) for k in KINDS for n in SIZES]
    assert {r["commit"] for r in rows} == {commit(NUM_COMMITS - 2)[:10]}
    assert rows[2]["value"] == pytest.approx(1.04 * 1.234e-4, rel=5e-4)


def test_address_keeps_axis_zoom_and_point(sort: Visit, chromium: playwright.BrowserContext) -> None:
    axis(sort, "n")
    (x1, y), (x2, _) = sort.point_at(0, 1), sort.point_at(0, 3)
    sort.page.mouse.move(x1 - 5, y)
    sort.page.mouse.down()
    sort.page.mouse.move((x1 + x2) / 2, y)
    sort.page.mouse.move(x2 + 5, y)
    sort.page.mouse.up()
    sort.page.mouse.click(*sort.point_at(1, 2))
    for part in ("axis=p.n", "from=10&to=1000", "at=100", "of=kind='quick'"):
        assert part in sort.fragment()
    again = Visit(chromium, sort.page.url)
    again.facts()
    assert again.page.url == sort.page.url and drawn(again) == drawn(sort)
    assert again.chart("chart.range()") == sort.chart("chart.range()") == [1, 3]
    assert "n = 100" in again.page.locator(".bench-tip").inner_text()
    # The address of another page, and back.
    url = again.page.url
    again.page.goto("about:blank")
    again.page.go_back()
    again.facts()
    assert again.page.url == url and again.chart("chart.state.parameter.name") == "n"
    # An address that differs in its last part only, and back.
    again.page.evaluate("location.hash = '#axis=p.kind'")
    again.page.wait_for_function(
        "document.querySelector('.bench-block').benchBlock.chart.state.parameter.name === 'kind'"
    )
    assert again.chart("chart.view") is None and again.page.locator(".bench-tip").is_hidden()
    again.page.go_back()
    again.page.wait_for_function(
        "document.querySelector('.bench-block').benchBlock.chart.state.parameter.name === 'n'"
    )
    assert again.chart("chart.range()") == [1, 3]
    again.page.get_by_text("Show all values").click()
    again.page.get_by_role("radio", name="Commits").check(force=True)
    assert "axis" not in again.fragment() and again.chart("chart.state.parameter") is None
    assert again.facts()["points"] == str(sum(again.chart("chart.state.shown.map(s => s.x.length)")))
    again.close()


def test_keys_choose_an_axis_and_move_along_it(sort: Visit) -> None:
    sort.facts()
    sort.page.get_by_role("radio", name="Commits").focus()
    sort.page.keyboard.press("ArrowLeft")
    assert sort.chart("chart.state.parameter.name") == "n", "the last of the choices"
    plot = sort.page.locator(".bench-plot")
    assert plot.get_attribute("aria-label") == f"Chart of {SORT} over n. Arrow keys move over its values."
    plot.focus()
    sort.page.keyboard.press("Home")
    sort.page.keyboard.press("ArrowRight")
    live = sort.page.locator("[aria-live=polite]")
    assert live.inner_text().startswith("kind='merge': n = 10, 12.834 µs") and "2 of 5" in live.inner_text()
    sort.page.keyboard.press("ArrowDown")
    assert live.inner_text().startswith("kind='quick': n = 10, 25.667 µs")
    sort.page.keyboard.press("+")
    assert sort.chart("chart.range()") is not None
    sort.page.keyboard.press("0")
    assert sort.chart("chart.range()") is None


def test_other_machines_are_lines_of_their_own(sort: Visit, built: Path) -> None:
    axis(sort, "kind")
    assert [label for label, _ in drawn(sort)] == [f"n={n}" for n in ("1", "10", "100", "1000", SIZES[4])]
    sort.page.locator(".bench-facet").first.get_by_role("button", name="all").click()
    lines = drawn(sort)
    assert len(lines) == 10 and {label.split(" · ")[1] for label, _ in lines} == {"machine-0", "machine-1"}
    values = dict(lines)["n=100 · machine-1"]
    newest = stored(built, 1, NUM_COMMITS - 1, SORT)
    assert list(values.values()) == pytest.approx([newest[2], newest[7]], rel=5e-4)
    assert "Each line is at the newest commit with all its values" in note(sort)


def test_hostile_texts_are_categories_and_text(chromium: playwright.BrowserContext, built: Path) -> None:
    visit = Visit(chromium, (built / page_of(built, TEXT)).as_uri())
    visit.facts()
    visit.page.locator("fieldset.bench-segmented input").nth(2).check(force=True)
    ((_, values),) = drawn(visit)
    assert len(values) == 4
    texts = visit.chart("chart.state.parameter.texts")
    assert texts[1:] == ["'16x16'", *texts[2:]] or texts.index("'4x4'") < texts.index("'16x16'")
    hostile = next(t for t in texts if "onerror" in t)
    assert values[hostile] == pytest.approx(4e-3, rel=5e-4) and values["'16x16'"] == pytest.approx(2e-3)
    # Evenly spaced, whatever they say.
    assert visit.chart("chart.data[0]") == [0, 1, 2, 3]
    place = texts.index(hostile)
    visit.page.mouse.move(*visit.point_at(0, place))
    assert "onerror=alert(1)" in visit.page.locator(".bench-tip").inner_text()
    visit.page.mouse.click(*visit.point_at(0, place))
    visit.page.get_by_text("All values as a table").click()
    playwright.expect(visit.page.locator("article img, article b, article i")).to_have_count(0)
    again = Visit(chromium, visit.page.url)
    again.facts()
    assert drawn(again) == drawn(visit) and again.page.url == visit.page.url
    assert "onerror=alert(1)" in again.page.locator(".bench-tip").inner_text()
    again.close()
    visit.close()


def test_points_of_different_commits_are_said_to_be(chromium: playwright.BrowserContext, built: Path) -> None:
    visit = Visit(chromium, (built / page_of(built, SPARSE)).as_uri() + "#axis=p.n")
    assert visit.facts()["points"] == "59"
    ((_, values),) = drawn(visit)
    assert values == pytest.approx({n: 1e-3 * (1 + i) for i, n in enumerate(SPARSE_SIZES) if i != 2})
    # Numbers of both signs: no logarithm, and in the order of numbers.
    assert visit.chart("chart.data[0]") == list(range(-3, 57))
    assert visit.chart("chart.state.shown[0].commits.slice(0, 6)") == [0, 1, 3, 4, 5, 0]
    assert "Points of one line are of different commits" in note(visit) and commit(0)[:10] in note(visit)
    assert "no commit has all" in note(visit) and "where the version of the benchmark differs" in note(visit)
    # What was never measured says why, and a line does not join versions.
    assert visit.chart("chart.state.shown[0].gaps.map(g => [g.x, g.status])") == [[2, "failed"]]
    assert visit.chart("chart.state.shown[0].versionStarts").index(3) >= 0
    visit.close()


def test_only_parameters_that_vary_are_offered(chromium: playwright.BrowserContext, built: Path) -> None:
    visit = Visit(chromium, (built / page_of(built, PLAIN)).as_uri() + "#axis=p.gone")
    visit.facts()
    assert visit.page.locator("fieldset.bench-segmented").first.locator("input").count() == 2
    assert "The axis gone is not in these results." in note(visit)
    visit.close()


@pytest.mark.parametrize("name", EXTREME)
def test_no_number_keeps_a_page_from_drawing(
    chromium: playwright.BrowserContext, built: Path, name: str
) -> None:
    visit = Visit(chromium, (built / page_of(built, name)).as_uri() + "#axis=p.n")
    assert visit.facts()["points"] == str(len(EXTREME[name]))
    is_numeric = name in ("extreme.time_near", "extreme.time_far")
    assert visit.chart("chart.state.parameter.isNumeric") is is_numeric
    visit.page.locator(".bench-plot").focus()
    visit.page.keyboard.press("Home")
    for key, times in (("+", 60), ("-", 130), ("0", 1)):
        for _ in range(times):
            visit.page.keyboard.press(key)
        assert visit.chart("chart.plot.axes[0].values().length") <= 20
    assert visit.facts()["points"] == str(len(EXTREME[name]))
    visit.close()


@pytest.mark.parametrize("name", [SORT, TEXT, SPARSE])
def test_a_phone_has_room_for_it(chromium: playwright.BrowserContext, built: Path, name: str) -> None:
    visit = Visit(chromium, (built / page_of(built, name)).as_uri(), width=360)
    visit.facts()
    visit.page.locator("fieldset.bench-segmented").first.locator("input").last.check(force=True)
    assert visit.chart("chart.state.parameter.which.length") >= 4
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert visit.page.evaluate(wider) <= 0
    visit.close()


def test_dark_mode_redraws(sort: Visit) -> None:
    axis(sort, "n")
    light = sort.chart("[chart.palette[0], chart.ground]")
    sort.page.evaluate("document.body.dataset.theme = 'dark'")
    sort.page.wait_for_function(
        f"document.querySelector('.bench-block').benchBlock.chart.palette[0] !== {json.dumps(light[0])}"
    )
    assert sort.chart("chart.state.parameter.name") == "n"


def test_values_that_are_not_in_the_page_are_loaded(
    chromium: playwright.BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench_lib.sphinx_ext.benchmark_pages.INLINE_BYTES", 0)
    write_store(tmp_path / "results")
    build_results_site(tmp_path / "results", output=tmp_path / "html")
    with serve(tmp_path, chromium) as base:
        visit = Visit(chromium, f"{base}html/{page_of(tmp_path / 'html', SPARSE)}")
        before = len(visit.requests)
        axis(visit, "n")
        visit.page.wait_for_function(
            "document.querySelector('.bench-block').benchBlock.chart.state.parameter"
        )
        assert visit.facts()["points"] == "59"
        assert len(visit.requests) > before
        assert all(url.startswith(base) for url in visit.requests)
        visit.close()


def test_directive_draws_over_a_parameter(tmp_path: Path, chromium: playwright.BrowserContext) -> None:
    write_store(tmp_path / "results")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "conf.py").write_text(
        'extensions = ["myst_parser", "bench_lib.sphinx_ext"]\nhtml_theme = "furo"\nbench_lib_pages = False\n'
    )
    options = f""":axis: n\n:hardware: machine-1\n:parameters: "kind={KINDS[1]}"\n"""
    (tmp_path / "src" / "index.md").write_text(f"# P\n\n```{{bench-chart}} {SORT}\n{options}```\n")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, str(tmp_path / "src"), str(tmp_path / "html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    visit = Visit(chromium, (tmp_path / "html" / "index.html").as_uri())
    visit.facts()
    ((_, values),) = drawn(visit)
    expected = [sort_time(1, NUM_COMMITS - 2, 1, size) for size in range(5)]
    assert list(values) == SIZES and list(values.values()) == pytest.approx(expected, rel=5e-4)
    assert visit.fragment() == ""
    visit.close()
