"""Links between the pages that are made from results: no table of contents names them."""

from __future__ import annotations

from html import escape
from typing import Final

from bench_lib.sphinx_ext.generated_pages import page_href

#: Name of a page → its title, in the order in which they are shown.
PAGES: Final = {
    "bench/benchmarks": "Benchmarks",
    "bench/changes": "Changes",
    "bench/hardware": "Hardware",
    "bench/compare": "Compare",
    "bench/inventory": "Inventory",
    "bench/downloads": "Downloads",
}


def nav_html(current: str) -> str:
    """Links to all of :data:`PAGES`; the one that is shown says so."""
    links = "".join(
        f'<li><a href="{page_href(name)}"{_CURRENT if name == current else ""}>{escape(title)}</a></li>'
        for name, title in PAGES.items()
    )
    return f'<nav class="bench-nav" aria-label="Results"><ul>{links}</ul></nav>\n'


_CURRENT: Final = ' aria-current="page"'
