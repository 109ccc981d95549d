"""A page for every benchmark: its values over commits."""

from __future__ import annotations

import html
from collections.abc import Iterator

from bench_lib.sphinx_ext.generated_pages import File, Page
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.site_data import SiteData


def pages(data: SiteData) -> Iterator[Page | File]:
    """A page for each benchmark that has a row."""
    if not data.has_results:
        return
    for name, page_name in sorted(data.page_names.items()):
        shown = clean(name)
        yield Page(page_name, shown, f"<h1>{html.escape(shown)}</h1>", text=shown.replace(".", " "))
