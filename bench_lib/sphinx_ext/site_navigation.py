"""Links to the pages made from results, on themselves and in the theme's navigation: no contents has them."""

from __future__ import annotations

import html
from typing import Any, Final

from sphinx.application import Sphinx

from bench_lib.sphinx_ext.generated_pages import makes_pages, page_href
from bench_lib.sphinx_ext.site_config import site_data
from bench_lib.sphinx_ext.site_data import SiteData

#: Page source → (name of its first page, title), in the order of the navigation.
ENTRIES: Final = {
    "benchmark-list": ("bench/benchmarks", "Benchmarks"),
    "changes": ("bench/changes", "Changes"),
    "hardware": ("bench/hardware", "Hardware"),
    "compare": ("bench/compare", "Compare devices"),
    "inventory": ("bench/inventory", "Inventory"),
    "downloads": ("bench/downloads", "Downloads"),
}


def _made_by(data: SiteData) -> list[tuple[str, str]]:
    return [entry for source, entry in ENTRIES.items() if data.makes(source)]


def nav_html(current: str, data: SiteData) -> str:
    """Links to the pages that this build makes; the one that is shown says so."""
    links = "".join(
        f'<li><a href="{page_href(name)}"{_CURRENT if name == current else ""}>{html.escape(title)}</a></li>'
        for name, title in _made_by(data)
    )
    return f'<nav class="bench-nav" aria-label="Results"><ul>{links}</ul></nav>\n'


_CURRENT: Final = ' aria-current="page"'


def _add_entries(app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    # furo's name for its navigation; other themes ignore it, and show the links on the pages themselves.
    if "furo_navigation_tree" not in context or not makes_pages(app):
        return
    data = site_data(app.env)
    names = _made_by(data)
    if not names or not data.seems_to_have_results:
        return
    pathto = context["pathto"]
    items = "".join(
        f'<li class="toctree-l1{" current current-page" if name == pagename else ""}">'
        f'<a class="reference internal" href="{html.escape(pathto(name))}">{html.escape(title)}</a></li>'
        for name, title in names
    )
    title = html.escape(str(app.config.bench_lib_pages_title))
    context["furo_navigation_tree"] += (
        f'<p class="caption" role="heading" aria-level="2"><span class="caption-text">{title}</span></p>'
        f"<ul>{items}</ul>"
    )


def setup_navigation(app: Sphinx) -> None:
    """Add the entries after the theme has made its own."""
    app.add_config_value("bench_lib_pages_title", "Results", "html", types=frozenset({str}))
    app.connect("html-page-context", _add_entries, priority=900)
