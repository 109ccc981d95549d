"""The site in a real browser, from disk, without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from screenshot import CHROMIUM, browser  # noqa: E402

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no browser at {CHROMIUM}")

PAGES = [
    "index",
    "tutorial/start",
    "results/fsdp2",
    "results/hardware",
    "results/roofline",
    "results/runs",
    "explanation/method",
    "glossary",
    "limits",
    "how-to/add-a-device",
    "how-to/publish-results",
    "reference/cli",
    "reference/python",
    "reference/records",
    "genindex",
]


class Visit:
    """A page that notes what it asked for and what went wrong."""

    def __init__(self, context: playwright.BrowserContext) -> None:
        self.page = context.new_page()
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("requestfailed", lambda request: self.problems.append(f"failed: {request.url}"))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _console(self, message: playwright.ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)


@pytest.fixture(scope="module")
def chromium() -> Iterator[playwright.BrowserContext]:
    with browser(width=1440, height=900) as context:
        yield context


@pytest.mark.parametrize("name", PAGES)
def test_page_on_a_phone(chromium: playwright.BrowserContext, site: Path, name: str) -> None:
    visit = Visit(chromium)
    visit.page.set_viewport_size({"width": 360, "height": 740})
    visit.page.goto((site / f"{name}.html").as_uri())
    visit.page.evaluate("document.querySelectorAll('img').forEach(i => { i.loading = 'eager' })")
    visit.page.wait_for_function("[...document.images].every(i => i.complete)")
    assert visit.problems == []
    assert [url for url in visit.requests if not url.startswith(("file:", "data:"))] == []
    wider = visit.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0
    # A table may be wider than the screen, if what holds it scrolls.
    assert visit.page.evaluate(
        """[...document.querySelectorAll('article table.docutils')].every(t => {
            const box = t.closest('.table-wrapper')
            const fits = t.offsetWidth <= box.clientWidth + 1
            return box && (fits || getComputedStyle(box).overflowX === 'auto')
                && box.getBoundingClientRect().right <= document.documentElement.clientWidth + 1
        })"""
    )
    assert visit.page.evaluate(
        "[...document.images].every(i => i.naturalWidth > 0 || getComputedStyle(i).display === 'none')"
    )
    visit.page.close()


def test_dark_mode_swaps_charts_and_colours(chromium: playwright.BrowserContext, site: Path) -> None:
    visit = Visit(chromium)
    visit.page.goto((site / "results" / "fsdp2.html").as_uri())
    shown = "getComputedStyle(document.querySelector('.bench-chart img.only-{}')).display"
    background = "getComputedStyle(document.body).backgroundColor"
    seen = {}
    for _ in range(3):
        visit.page.locator(".theme-toggle-content .theme-toggle").click()
        theme = visit.page.evaluate("document.body.dataset.theme")
        seen[theme] = [
            visit.page.evaluate(x) for x in (shown.format("light"), shown.format("dark"), background)
        ]
    assert seen["dark"][0] == "none" and seen["dark"][1] != "none"
    assert seen["light"][0] != "none" and seen["light"][1] == "none"
    assert seen["light"][2] != seen["dark"][2]
    assert visit.problems == []
    visit.page.close()


def test_search_works_from_disk(chromium: playwright.BrowserContext, site: Path) -> None:
    visit = Visit(chromium)
    visit.page.goto((site / "search.html").as_uri() + "?q=efficiency")
    visit.page.wait_for_selector("#search-results li a", timeout=20_000)
    assert visit.page.locator("#search-results li").count() >= 2
    assert [url for url in visit.requests if not url.startswith(("file:", "data:"))] == []
    visit.page.close()


def test_without_javascript_figures_are_there(chromium: playwright.BrowserContext, site: Path) -> None:
    page = chromium.new_page()
    page.route("**/*.js*", lambda route: route.abort())
    page.goto((site / "results" / "fsdp2.html").as_uri())
    assert page.locator("table.bench-figures").count() >= 4
    assert page.locator(".bench-chart img:visible").count() >= 4
    page.close()
