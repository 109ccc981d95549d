"""A node for a value that a table sorts by a number, or that says more on hover."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


class bench_value(nodes.Inline, nodes.TextElement):
    """Text with ``key`` (a number as text; empty where unknown; ``None`` for none) and ``hover``."""


def value_node(text: str, *, key: str | None, hover: str) -> bench_value:
    """A value; ``text`` and ``hover`` are shown as they are, never as markup."""
    return bench_value(text, text, key=key, hover=hover)


def _visit_html(self: Any, node: bench_value) -> None:
    attributes = {}
    if node["key"] is not None:
        attributes["data-key"] = node["key"]
    if node["hover"]:
        attributes["title"] = node["hover"]
    self.body.append(self.starttag(node, "span", "", **attributes))


def _depart_html(self: Any, _node: bench_value) -> None:
    self.body.append("</span>")


def _pass(_self: Any, _node: bench_value) -> None:
    """Other formats show the text."""


def setup_node(app: Sphinx) -> None:
    """Register the node for every format."""
    other = (_pass, _pass)
    app.add_node(
        bench_value, html=(_visit_html, _depart_html), latex=other, text=other, man=other, texinfo=other
    )
