"""A node that shows an SVG chart in a light and a dark variant, and its description elsewhere."""

from __future__ import annotations

import hashlib
import posixpath
import re
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx

from bench_lib.files import write_whole
from bench_lib.sphinx_ext.charts import DARK, HEIGHT_PX, LIGHT, WIDTH_PX, Chart, draw

_NAME: Final = re.compile(r"bench-[0-9a-f]{16}\.svg")


class bench_chart(nodes.General, nodes.Element):
    """Holds both variants as SVG text; its only child says the same in words."""


def chart_node(chart: Chart, *, alt: str) -> bench_chart:
    """Draw ``chart`` in both variants."""
    made = bench_chart("", nodes.paragraph(alt, alt), alt=alt)
    made["variants"] = [(palette.name, draw(chart, palette=palette)) for palette in (LIGHT, DARK)]
    return made


def _visit_html(self: Any, node: bench_chart) -> None:
    for variant, svg in node["variants"]:
        name = f"bench-{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
        write_whole(Path(self.builder.outdir) / self.builder.imagedir / name, svg)
        self.body.append(
            self.emptytag(
                node,
                "img",
                "\n",
                classes=[f"only-{variant}"],
                src=posixpath.join(self.builder.imgpath, name),
                alt=node["alt"],
                width=WIDTH_PX,
                height=HEIGHT_PX,
                loading="lazy",
            )
        )
    raise nodes.SkipNode


def prune_charts(app: Sphinx, exception: Exception | None) -> None:
    """Remove charts of earlier builds that no page shows any more: their names tell their content."""
    if exception is not None or app.builder.format != "html":
        return
    shown: set[str] = set()
    for page in Path(app.outdir).rglob("*.html"):
        shown.update(_NAME.findall(page.read_text(encoding="utf-8")))
    for file in Path(app.outdir, app.builder.imagedir).glob("bench-*.svg"):
        if _NAME.fullmatch(file.name) and file.name not in shown:
            file.unlink()


def _pass(self: Any, node: bench_chart) -> None:
    """Other formats show the child: the description."""


def setup_node(app: Sphinx) -> None:
    """Register the node for every format, and what tidies up after it."""
    app.connect("build-finished", prune_charts)
    other = (_pass, _pass)
    app.add_node(bench_chart, html=(_visit_html, None), latex=other, text=other, man=other, texinfo=other)
