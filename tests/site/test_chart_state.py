"""What a chart's address and its files keep: zoom, commits, parameters whatever their names, and scale."""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from chart_visit import NEEDS_CHARTS, Visit, page_of  # noqa: E402
from click.testing import CliRunner  # noqa: E402
from screenshot import browser  # noqa: E402

from bench_lib.cli import cli  # noqa: E402
from bench_lib.sphinx_ext.site_table import page as page_address  # noqa: E402

pytestmark = NEEDS_CHARTS

#: More than a hundred: a margin of one percent is then more than a commit.
NUM_COMMITS = 300
LONG = "s.Suite.time_long"
NAMES = "s.Suite.time_names"
SIZES = "s.Suite.track_sizes"
SIGNED = "s.Suite.track_signed"
#: Parameters that are called as columns are, as such a column would then be called, or the same twice.
PARAMETERS = ("unit", "n", "value", "machine", "unit (parameter)", "n")
VALUES = (["'D'"], ["-5", "7"], ["", "@x"], ["=1+1"], ["+"], ["1", "2"])
#: Commits of the second store, in the order of their dates: no hashes, and hashes with the same first digits.
TWINS = ("ab" * 6 + "1" * 28, "ab" * 6 + "2" * 28)
ODD_COMMITS = ("nightly-2026-01-01", "nightly-2026-01-02", "nightly-2026", *TWINS, "c" * 40)
ODD_COMMITS += ("experiment-one", "c" * 40 + "+changes")


def write_results(root: Path, commits: list[str], benchmarks: dict[str, Any]) -> None:
    """One machine; ``benchmarks``: name → (names of parameters, their values, results at a commit)."""
    index = {
        name: {"name": name, "code": "", "param_names": names, "params": values, "version": "1"}
        for name, (names, values, _) in benchmarks.items()
    }
    (root / "m").mkdir(parents=True)
    (root / "benchmarks.json").write_text(json.dumps({"version": 2, **index}))
    (root / "m" / "machine.json").write_text(json.dumps({"machine": "m", "version": 1}))
    for i, commit in enumerate(commits):
        content = {
            "commit_hash": commit,
            "env_name": "py3",
            "date": 1_577_836_800_000 + i * 86_400_000,
            "params": {"machine": "m"},
            "result_columns": ["result", "params", "version"],
            "results": {
                name: [measured(i), values, "1"] for name, (_, values, measured) in benchmarks.items()
            },
            "version": 2,
        }
        (root / "m" / f"{i:04}-py3.json").write_text(json.dumps(content))


#: The same with a name of its own each.
UNIQUE = ("unit", "n", "value", "machine", "unit (parameter)", "n (2)")


def commit_of(number: int) -> str:
    return hashlib.sha1(b"%d" % number).hexdigest()


def build(root: Path) -> Path:
    arguments = ["site", "--results-only", "--results", str(root / "results"), "--output", str(root / "html")]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    return root / "html"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("state")
    benchmarks = {
        LONG: ([], [], lambda i: [0.01 + 0.0001 * (i * 5 % 7)]),
        NAMES: (list(PARAMETERS), list(VALUES), lambda i: [0.01 * (1 + k) for k in range(8)]),
        SIZES: (["n"], [["10", "20", "30", "40"]], lambda i: [1.0, 2.0, 3.0, 4.0]),
        SIGNED: (["sign"], [["1", "-1"]], lambda i: [1.0 + i, -1.0]),
    }
    write_results(root / "results", [commit_of(i) for i in range(NUM_COMMITS)], benchmarks)
    return build(root)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("odd")
    write_results(root / "results", list(ODD_COMMITS), {LONG: ([], [], lambda i: [0.01 * (1 + i // 4)])})
    return build(root)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser(width=1280, height=900) as context:
        yield context


Open = Callable[..., Visit]


@pytest.fixture
def visit(chromium: Any, built: Path) -> Iterator[Open]:
    """Opens the page of a benchmark; at the end nothing may have gone wrong on it."""
    opened: list[Visit] = []

    def go(name: str, fragment: str = "", *, site: Path = built, width: int = 1280) -> Visit:
        opened.append(Visit(chromium, (site / page_of(site, name)).as_uri() + fragment, width=width))
        opened[-1].facts()
        return opened[-1]

    yield go
    for one in opened:
        one.close()


def choose_all(page: Any) -> None:
    for button in page.locator(".bench-facet legend button", has_text="all").all():
        button.click()


def download(page: Any, form: str) -> str:
    with page.expect_download() as waiting:
        page.locator(".bench-chart-tools").get_by_role("button", name=form).click()
    return Path(waiting.value.path()).read_bytes().decode()


def test_zoom_of_an_address_stays_as_it_is(visit: Open) -> None:
    commits = [commit_of(i)[:10] for i in (20, 250)]
    ends = f"from={commits[0]}&to={commits[1]}"
    fragment = "#" + ends
    for _ in range(3):
        opened = visit(LONG, fragment)
        assert opened.chart("chart.range()") == [20, 250]
        opened.page.locator(".bench-plot").focus()
        opened.page.keyboard.press("End")
        opened.page.keyboard.press("Enter")
        fragment = "#" + opened.fragment().removeprefix("#")
        assert ends in fragment
    view = opened.chart("chart.view")
    for axis in ("Dates", "Commits"):
        opened.page.get_by_text(axis, exact=True).click()
        assert opened.chart("chart.range()") == [20, 250] and ends in opened.fragment()
    assert opened.chart("chart.view") == view
    assert ends in visit(LONG, opened.fragment() + "&axis=date").fragment()


def test_a_part_that_was_dragged_over_stays_as_it_is(visit: Open) -> None:
    opened = visit(LONG)
    (x1, y), (x2, _) = opened.point_at(0, 40), opened.point_at(0, 280)
    opened.page.mouse.move(x1, y)
    opened.page.mouse.down()
    opened.page.mouse.move(x2, y, steps=4)
    opened.page.mouse.up()
    ends = opened.chart("chart.range()")
    assert 38 <= ends[0] <= 42 and 278 <= ends[1] <= 282
    for axis in ("Dates", "Commits", "Dates"):
        opened.page.get_by_text(axis, exact=True).click()
        assert opened.chart("chart.range()") == ends
    again = visit(LONG, "#" + opened.page.url.partition("#")[2])
    assert again.chart("chart.range()") == ends and again.page.url == opened.page.url
    again.page.get_by_text("Show all commits").click()
    assert again.chart("chart.range()") is None and "from" not in again.fragment()


def test_files_have_a_column_for_each_parameter(visit: Open) -> None:
    page = visit(NAMES).page
    choose_all(page)
    rows = list(csv.DictReader(io.StringIO(download(page, "CSV"), newline="")))
    assert json.loads(json.dumps(rows[0])).keys() == json.loads(download(page, "JSON"))[0].keys()
    assert {(r["unit"], r["machine"], r["benchmark"]) for r in rows} == {("s", "m", NAMES)}
    assert {float(r["value"]) for r in rows} == {round(0.01 * (1 + k), 2) for k in range(8)}
    columns = ["unit (parameter) (parameter)", "n", "value (parameter)", "machine (parameter)"]
    columns += ["unit (parameter)", "n (2)"]
    assert list(rows[0])[3:9] == columns
    assert len({tuple(r[c] for c in columns) for r in rows}) == 8


def test_texts_in_files_are_as_they_are(visit: Open, built: Path) -> None:
    page = visit(NAMES).page
    choose_all(page)
    rows = list(csv.DictReader(io.StringIO(download(page, "CSV"), newline="")))
    columns = list(rows[0])[3:9]
    # None of "-5", "@x", "=1+1" and "+" got a sign before it.
    assert {tuple(r[c] for c in columns) for r in rows} == set(itertools.product(*VALUES))
    found = CliRunner().invoke(cli, ["lookup", "--results", str(built.parent / "results"), "--format", "csv"])
    texts = {", ".join(f"{n}={r[c]}" for n, c in zip(UNIQUE, columns, strict=True)) for r in rows}
    printed = csv.DictReader(io.StringIO(found.stdout, newline=""))
    assert texts == {row["parameters"] for row in printed if row["benchmark"] == NAMES}


def test_controls_say_which_scale_is_drawn(visit: Open) -> None:
    opened = visit(SIGNED, "#log=true&p.sign=1&p.sign=-1")
    log, linear = (opened.page.get_by_role("radio", name=n, exact=True) for n in ("Log", "Linear"))
    seen = lambda: (opened.facts()["log"], log.is_checked(), linear.is_checked(), log.is_disabled())  # noqa: E731
    assert seen() == ("false", False, True, True)
    # What is hidden is not drawn: the rest can have the scale that was asked for.
    boxes = opened.page.locator(".bench-series tbody input")
    boxes.nth(0).click()
    assert seen() == ("true", True, False, False)
    boxes.nth(0).click()
    assert seen() == ("false", False, True, True)
    # A choice among the series, too.
    opened.page.locator(".bench-facet input").nth(0).uncheck()
    assert seen() == ("true", True, False, False)
    opened.page.get_by_text("Linear", exact=True).click()
    assert seen() == ("false", False, True, False) and "log" not in opened.fragment()


@pytest.mark.parametrize("number", range(len(ODD_COMMITS)))
def test_every_commit_can_be_linked(visit: Open, odd: Path, number: int) -> None:
    name = ODD_COMMITS[number]
    opened = visit(LONG, site=odd)
    opened.page.locator(".bench-plot").focus()
    opened.page.keyboard.press("Home")
    for _ in range(number):
        opened.page.keyboard.press("ArrowRight")
    opened.page.keyboard.press("Enter")
    address = opened.page.url.partition("#")[2]
    assert name.startswith(parse_qs(address)["at"][0])
    whole = quote(name)
    for fragment in (address, f"at={whole}&from={whole}&to={whole}"):
        again = visit(LONG, "#" + fragment, site=odd)
        assert again.chart("chart.isPinned && chart.point.index") == number
    assert again.chart("chart.range()") == [number, number]


def test_signs_that_several_commits_begin_with_name_none(visit: Open, odd: Path) -> None:
    opened = visit(LONG, f"#at={TWINS[0][:10]}&from={TWINS[0][:10]}&to={TWINS[1]}", site=odd)
    assert not opened.chart("chart.isPinned") and opened.chart("chart.range()") is None
    assert "is not in these results" in opened.page.locator(".bench-note").first.inner_text()
    # Addresses of old end where the name goes on.
    assert visit(LONG, "#at=experiment…", site=odd).chart("chart.point.index") == 6


def test_links_to_odd_commits_lead_to_them(chromium: Any, odd: Path) -> None:
    page = chromium.new_page()
    page.goto((odd / "index.html").as_uri())
    page.locator("a[href*='at=']").first.click()
    page.wait_for_selector(".bench-chart-host[data-drawn]")
    block = "document.querySelector('.bench-block').benchBlock"
    # The step is at the second of two commits with the same first signs.
    assert page.evaluate(f"{block}.chart.isPinned && {block}.chart.point.index") == 4
    page.close()


def test_an_empty_value_can_be_chosen_and_linked(visit: Open) -> None:
    opened = visit(NAMES)
    facet = opened.page.locator(".bench-facet").nth(1)
    empty, other = (facet.get_by_label(name, exact=True) for name in ("(empty)", "@x"))
    choose_all(opened.page)
    assert opened.facts()["series"] == "8"
    for is_empty, is_other, count in ((True, False, 4), (False, True, 4), (False, False, 0)):
        empty.set_checked(is_empty)
        other.set_checked(is_other)
        again = visit(NAMES, "#" + opened.page.url.partition("#")[2])
        assert again.facts()["series"] == str(count)
        again.page.get_by_text("Dates", exact=True).click()
        assert again.page.url == opened.page.url + "&axis=date"
        assert "is not in these results" not in again.page.locator(".bench-note").first.inner_text()


def test_two_parameters_of_one_name_are_two_axes(visit: Open) -> None:
    opened = visit(NAMES)
    choose_all(opened.page)
    assert len(set(opened.page.evaluate("document.querySelector('.bench-block').benchBlock.labels"))) == 8
    facets = opened.page.locator(".bench-facet legend").all_inner_texts()
    assert [f.removesuffix("allnone").strip() for f in facets] == ["n", "value", "n (2)"]


def test_links_keep_an_empty_value() -> None:
    assert page_address("x", **{"p.value": "", "machine": "", "at": "1"}) == "page:x#p.value=&at=1"


def test_a_fragment_that_is_no_encoded_text_harms_nothing(visit: Open) -> None:
    for fragment in ("#%", "#%E0%A4%A", "#a=%", "#%=1&axis=date"):
        opened = visit(LONG, fragment)
        for changed in ("%", "%E0%A4%A&x=%", "axis=date"):
            opened.page.evaluate("text => { location.hash = text }", changed)
            opened.page.evaluate("() => new Promise(done => setTimeout(done))")
        assert opened.chart("chart.state.axis") == "date"


def test_what_is_told_of_a_point_does_not_cover_it_on_a_phone(visit: Open) -> None:
    opened = visit(LONG, width=360)
    for index in (5, 150, 153, 295):
        opened.page.evaluate(
            """index => { const { chart } = document.querySelector('.bench-block').benchBlock;
            chart.pin({ series: 0, index }) }""",
            index,
        )
        x, y = opened.point_at(0, index)
        box = opened.page.locator(".bench-tip").bounding_box()
        is_over = box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"]
        assert not is_over
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360


def test_zoom_over_a_parameter_names_the_same_values_among_fewer(visit: Open) -> None:
    opened = visit(SIZES, "#axis=p.n&from=20&to=40")
    boxes = opened.page.locator(".bench-facet input")
    boxes.nth(0).uncheck()
    assert "from=20&to=40" in opened.fragment()
    boxes.nth(0).check()
    assert "from=20&to=40" in opened.fragment()
    # What is no longer there is no end.
    boxes.nth(3).uncheck()
    assert "from=20&to=30" in opened.fragment()
