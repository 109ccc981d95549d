"""Links to pages of benchmarks, where the build makes them."""

from __future__ import annotations

import html
from collections.abc import Mapping
from urllib.parse import urlencode

from bench_lib.sphinx_ext.generated_pages import page_href
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.page_html import breakable
from bench_lib.sphinx_ext.site_data import SiteData


def benchmark_link(
    data: SiteData, name: str, *, text: str = "", state: Mapping[str, str] | None = None
) -> str:
    """HTML of the name of a benchmark (or ``text``), linked to its page in ``state``; plain without pages."""
    shown = breakable(text or clean(name))
    if not data.makes("benchmarks"):
        return shown
    fragment = "#" + html.escape(urlencode(state)) if state else ""
    return f'<a href="{page_href(data.page_names[name])}{fragment}">{shown}</a>'
