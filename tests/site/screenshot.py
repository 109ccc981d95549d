"""Take the picture of the site that the README shows.

    python tests/site/screenshot.py docs/_build/html docs/_static/site.png [results/hardware.html]

Needs playwright and Debian's chromium; uses no network.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import BrowserContext, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def browser(
    *, width: int, height: int, scheme: Literal["light", "dark"] = "light", scale: float = 1
) -> Iterator[BrowserContext]:
    """A browser without a network, with a fresh profile."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=CHROMIUM,
            args=FLAGS,
            offline=True,
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            device_scale_factor=scale,
        )
        try:
            yield context
        finally:
            context.close()


def shoot(
    page_file: Path,
    image: Path,
    *,
    width: int,
    height: int,
    scheme: Literal["light", "dark"] = "light",
    anchor: str = "",
    whole: bool = False,
) -> None:
    """Save a picture of one page, from the top or from an element."""
    with browser(width=width, height=height, scheme=scheme) as context:
        page = context.pages[0]
        page.goto(page_file.resolve().as_uri() + anchor)
        # Charts below the fold load lazily; a picture of the whole page has them all.
        page.evaluate("document.querySelectorAll('img').forEach(i => { i.loading = 'eager' })")
        page.wait_for_function("[...document.images].every(i => i.complete)")
        image.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=image, full_page=whole)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    shoot(
        Path(sys.argv[1]) / (sys.argv[3] if len(sys.argv) == 4 else "results/fsdp2.html"),
        Path(sys.argv[2]),
        width=1440,
        height=1000,
    )
