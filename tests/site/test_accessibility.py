"""Documents of the site, as axe-core and a person without a mouse find them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from screenshot import CHROMIUM, browser

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no browser at {CHROMIUM}")

PAGES = (
    "index",
    "results/fsdp2",
    "results/hardware",
    "results/roofline",
    "results/runs",
    "how-to/look-up-results",
)


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    with browser(width=1400, height=900) as context:
        yield context.pages[0]


def faults(page: Any) -> dict[str, list[str]]:
    """Serious and critical ones, with the elements that have them."""
    # Style sheets of a page from disk cannot be asked for again.
    found = axe.Axe().run(page, options={"preload": False}).response["violations"]
    bad = [v for v in found if v["impact"] in ("serious", "critical")]
    return {v["id"]: [n["html"][:200] for n in v["nodes"][:3]] for v in bad}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_no_serious_fault(page: Any, site: Path, name: str, scheme: str) -> None:
    page.goto((site / f"{name}.html").as_uri())
    page.evaluate("scheme => { document.body.dataset.theme = scheme }", scheme)
    assert faults(page) == {}


def test_the_engine_finds_faults(page: Any) -> None:
    page.set_content(
        '<html lang="en"><title>T</title><main><h1>T</h1><img src="data:,"><button></button></main>'
    )
    assert set(faults(page)) >= {"image-alt", "button-name"}
