"""Sphinx configuration. Pages are Markdown (MyST); figures come from the records in ``../results``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bench_lib import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "bench_lib"
copyright = "bench_lib contributors"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_design",
    "bench_lib.sphinx_ext",
]
exclude_patterns = ["_build", "_generated"]
nitpicky = True
# Names that signatures mention and that no page here documents: the standard library's and other
# packages' (an inventory of theirs would have to be fetched), and type variables.
nitpick_ignore_regex = [
    (
        r"py:.*",
        r"(collections|numpy|pandas|pd|pathlib|time|typing|click|torch|asv_runner|docutils|sphinx)\..*",
    ),
    (
        r"py:.*",
        r"(Path|MarkT|Any|Unit|Kind|Better|Status|Origin|HardwareKind|FrozenInstanceError|ValueError)",
    ),
    (r"py:.*", r".*\.MarkT"),
    (r"py:attr", r"run"),
    (r"py:class", r"nn\.Module|Outcome"),
    (r"py:.*", r"(NotImplementedError|Exception|TypedDict|optional|.*\.Literal.*)"),
]

bench_lib_results = "../results"
# The pages written by hand are called results here.
bench_lib_pages_title = "All benchmarks"

myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
# Text of records is shown as it was written: no curled quotes, no joined dashes.
smartquotes = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# Commands import their family when called; reading their help must not need torch or a GPU library.
autodoc_mock_imports = ["torch", "vulkan", "ncu_report"]
napoleon_google_docstring = False
napoleon_custom_sections = ["Source"]

html_theme = "furo"
html_title = f"bench_lib {__version__}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#2563c9",
        "color-brand-content": "#2563c9",
        "font-stack--monospace": "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
    },
    "dark_css_variables": {
        "color-brand-primary": "#74a9f7",
        "color-brand-content": "#74a9f7",
    },
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "github-dark"


def _source_sections(
    _app: Sphinx, _what: str, _name: str, _obj: object, _opts: object, lines: list[str]
) -> None:
    """Turn the ``**Source**:`` paragraphs of docstrings into sections, where napoleon reads on into them."""
    made: list[str] = []
    for line in lines:
        match = re.fullmatch(r"(\s*)\*\*Source\*\*: (.*)", line)
        made += [match[1] + "Source", match[1] + "------", match[1] + match[2]] if match else [line]
    lines[:] = made


_COLON = "\ue000"


def _hide_colons(_app: Sphinx, what: str, _name: str, _obj: object, _opts: object, lines: list[str]) -> None:
    """Keep napoleon from taking prose before the first colon of an attribute's docstring for its type."""
    if what in ("attribute", "data", "property"):
        lines[:] = [line.replace(":", _COLON) for line in lines]


def _show_colons(_app: Sphinx, _what: str, _name: str, _obj: object, _opts: object, lines: list[str]) -> None:
    lines[:] = [line.replace(_COLON, ":") for line in lines]


def _name_levels(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Give the headings of the navigation the level that Sphinx leaves out, for screen readers."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading">', 'role="heading" aria-level="2">')


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", _name_levels, priority=950)
    # napoleon listens at the default priority, 500.
    app.connect("autodoc-process-docstring", _source_sections, priority=400)
    app.connect("autodoc-process-docstring", _hide_colons, priority=400)
    app.connect("autodoc-process-docstring", _show_colons, priority=600)
