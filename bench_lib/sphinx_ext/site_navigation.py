"""Entries for the pages made from results in the theme's own navigation: no table of contents has them."""

from __future__ import annotations

import html
from typing import Any, Final

from sphinx.application import Sphinx

from bench_lib.errors import UsageError
from bench_lib.sphinx_ext.generated_pages import PAGE_SOURCES, makes_pages
from bench_lib.sphinx_ext.site_config import page_sources, site_data

#: Page source → (name of its first page, title), in the order of the navigation.
ENTRIES: Final = {
    "benchmark-list": ("bench/benchmarks", "Benchmarks"),
    "changes": ("bench/changes", "Changes"),
    "hardware": ("bench/hardware", "Hardware"),
    "compare": ("bench/compare", "Compare devices"),
    "inventory": ("bench/inventory", "Inventory"),
    "downloads": ("bench/downloads", "Downloads"),
}


def _add_entries(app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    # furo's name for its navigation; other themes ignore it, and show the links on the pages themselves.
    if "furo_navigation_tree" not in context or not makes_pages(app):
        return
    try:
        wanted = page_sources(app.config)
    except UsageError:
        return
    names = [entry for source, entry in ENTRIES.items() if source in wanted and source in PAGE_SOURCES]
    if not names or not site_data(app.env).seems_to_have_results:
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
