"""A node that shows an SVG chart in a light and a dark variant, and its description elsewhere."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Sequence
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
    variants = [(palette.name, draw(chart, palette=palette)) for palette in (LIGHT, DARK)]
    return svg_node(variants, alt=alt, size_px=(WIDTH_PX, HEIGHT_PX))


def svg_node(
    variants: Sequence[tuple[str, str]], *, alt: str, size_px: tuple[int, int], hover: bool = False
) -> bench_chart:
    """Show a drawing.

    Parameters
    ----------
    variants
        (``light`` or ``dark``, SVG text).
    hover
        Whether its marks have titles that a reader should see on hover: an ``img`` shows none.
    """
    made = bench_chart("", nodes.paragraph(alt, alt), alt=alt, hover=hover, size_px=size_px)
    made["variants"] = list(variants)
    return made


def _visit_html(self: Any, node: bench_chart) -> None:
    for variant, svg in node["variants"]:
        name = f"bench-{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
        write_whole(Path(self.builder.outdir) / self.builder.imagedir / name, svg)
        address = posixpath.join(self.builder.imgpath, name)
        width, height = node["size_px"]
        shared: dict[str, Any] = {"classes": [f"only-{variant}"], "width": width, "height": height}
        if node["hover"]:
            spoken = {"role": "img", "aria-label": node["alt"], "data": address}
            self.body.append(
                self.starttag(node, "object", "", type="image/svg+xml", **spoken, **shared) + "</object>\n"
            )
        else:
            self.body.append(
                self.emptytag(node, "img", "\n", src=address, alt=node["alt"], loading="lazy", **shared)
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
