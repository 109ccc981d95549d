"""The directive that shows kernel launches: charts, and a table that sorts and filters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging

from bench_lib.drawing import in_page_font
from bench_lib.roofline import charts
from bench_lib.roofline.chart_axes import Ink, Point, best_roofs, left_out_note
from bench_lib.roofline.classify import LABELS, RULE_VERSION
from bench_lib.roofline.kernel_names import short_kernel_name
from bench_lib.roofline.launch_table import COLUMNS, TABLE_CLASS, cells
from bench_lib.sphinx_ext.chart_node import bench_chart, svg_node
from bench_lib.sphinx_ext.charts import DARK, LIGHT, Palette
from bench_lib.sphinx_ext.loading import BenchDirective, rejected_list
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, note, paragraph, table
from bench_lib.sphinx_ext.roofline_launches import Launches, from_folder, shipped
from bench_lib.sphinx_ext.value_node import value_node
from bench_lib.table_script import FILTERED
from bench_lib.units import format_value

logger = logging.getLogger(__name__)

COMMAND: Final = "bench-lib site --reports FOLDER"
_MAX_ROWS: Final = 500
#: Launches that a chart's description names; the table below has the others.
_MAX_SPELLED: Final = 12
_SIZE_IN: Final = (4.5, 3.4)
_WIDTHS: Final = (22, 16, 8, 6, 7, 6, 8, 7, 9, 12, 14, 14, 14)
#: Black marks do not show on a dark page.
_INKS: Final = (
    (LIGHT, Ink(text=LIGHT.text, grid=LIGHT.faint, roof=LIGHT.text)),
    (DARK, Ink(text=DARK.text, grid=DARK.faint, roof=DARK.text, instead={"latency_bound": "#ffffff"})),
)


class Roofline(BenchDirective):
    """``bench-roofline``: ``recorded`` launches, or those of the ``reports`` in a folder.

    The folder is the option ``folder``, else ``bench_lib_reports`` of ``conf.py``; both from its directory.
    """

    required_arguments = 1
    option_spec: ClassVar[Any] = {
        "folder": directives.unchanged_required,
        "limit": directives.positive_int,
    }

    def run(self) -> list[nodes.Node]:
        which = self.arguments[0]
        limit = self.options.get("limit", _MAX_ROWS)
        if which == "recorded":
            return self.placed(*show(shipped(limit=limit)))
        if which != "reports":
            raise self.error(f"bench-roofline shows 'recorded' or 'reports', not {clean(which)!r}.")
        folder = self.options.get("folder") or self.config.bench_lib_reports
        if not folder:
            return self.placed(*no_reports())
        # Files come and go without a trace in those that were read before.
        self.env.note_reread()
        launches, files = from_folder(Path(self.env.app.confdir, str(folder)), limit=limit)
        for file in files:
            self.env.note_dependency(str(file))
        for name, cause in launches.rejected:
            logger.warning(
                "damaged report %s: %s",
                name,
                cause,
                type="bench_lib",
                subtype="damaged-report",
                location=self.get_location(),
            )
        return self.placed(*(show(launches) if launches.num_launches or launches.rejected else no_reports()))


def no_reports() -> list[nodes.Node]:
    """Says that there are no reports to show, and how to show some."""
    text = "No reports to show. To build this page with those of a folder: "
    return [note(paragraph(text, literal(COMMAND), "."))]


def show(launches: Launches) -> list[nodes.Node]:
    """Where the figures come from, charts and table."""
    made = rejected_list(launches.rejected, what="reports", title="Damaged reports")
    if not launches.num_launches:
        return made
    made.append(_provenance())
    grid = nodes.container(classes=["bench-charts"])
    for gpu in charts.gpus_shown(launches.points):
        grid += _roofline(gpu, [p for p in launches.points if p.gpu == gpu])
    grid += _sm_against_memory(launches.points)
    grid += _share_of_time(launches)
    made += [grid, _table(launches.points)]
    left_out = launches.num_launches - len(launches.points)
    if left_out:
        text = f"The {len(launches.points)} longest of {launches.num_launches} launches; all of them: "
        made.append(paragraph(text, literal("bench-lib classify --chart kernels.html FOLDER"), "."))
    entries = [nodes.list_item("", paragraph(literal(name), f": {text}")) for name, text in launches.sources]
    made += [nodes.rubric("", "Sources"), nodes.bullet_list("", *entries, classes=["bench-provenance"])]
    return made


def _origin() -> nodes.inline:
    return nodes.inline("", "imported", classes=["bench-origin"])


def _provenance() -> nodes.paragraph:
    text = f", not measured here: figures of profiler reports, classified by rule version {RULE_VERSION}"
    return paragraph(_origin(), text, classes=["bench-provenance"])


def _chart(draw: Any, *, alt: str, title: str, text: str) -> nodes.figure:
    variants: list[tuple[Palette, str]] = [
        (palette, in_page_font(draw(size_in=_SIZE_IN, ink=ink))) for palette, ink in _INKS
    ]
    image: bench_chart = svg_node(
        [(palette.name, svg) for palette, svg in variants],
        alt=alt,
        size_px=(round(96 * _SIZE_IN[0]), round(96 * _SIZE_IN[1])),
        hover=True,
    )
    caption = nodes.caption("", "", nodes.strong("", title), nodes.Text(f". {text} "), _origin())
    return nodes.figure("", image, caption, classes=["bench-chart"])


def _roofline(gpu: str, points: Sequence[Point]) -> nodes.figure:
    title = f"Roofline of {clean(gpu)}"
    placed = [p for p in points if p.place]
    roofs = best_roofs(points)
    told = [f"{name} roof {format_value(rate, 'FLOP/s')}" for name, rate in roofs.flop_per_s.items()]
    told += [f"{level.upper()} roof {format_value(r, 'B/s')}" for level, r in roofs.bytes_per_s.items()]
    told += [
        f"{short_kernel_name(p.analysis.kernel)}, {p.label}, at {p.place[0]:.3g} FLOP/byte and "
        f"{format_value(p.place[1], 'FLOP/s')}"
        for p in placed[:_MAX_SPELLED]
        if p.place
    ]
    alt = f"{title}, imported: " + "; ".join(told + _more(len(placed))) + "."
    text = f"Roofs at the profiled clocks{left_out_note(points)}. Size: time. Names show on hover."
    return _chart(
        lambda **how: charts.draw_roofline(points, **how),
        alt=alt,
        title=title,
        text=text,
    )


def _more(number: int) -> list[str]:
    return [f"and {number - _MAX_SPELLED} more, in the table"] if number > _MAX_SPELLED else []


def _sm_against_memory(points: Sequence[Point]) -> nodes.figure:
    known = [
        (p, sm, memory)
        for p in points
        if (sm := p.analysis.values.sm_pct) is not None
        and (memory := p.analysis.values.memory_pct) is not None
    ]
    told = [
        f"{short_kernel_name(p.analysis.kernel)}, {p.label}, SM {sm:.0f} %, memory {memory:.0f} %"
        for p, sm, memory in known[:_MAX_SPELLED]
    ]
    title = "SM against memory"
    return _chart(
        lambda **how: charts.draw_sm_against_memory(points, **how),
        alt=f"{title}, imported: " + "; ".join(told + _more(len(known))) + ".",
        title=title,
        text="Lines at 60 % (busy) and 80 % (strong). Size: time.",
    )


def _share_of_time(launches: Launches) -> nodes.figure:
    total_s = sum(launches.seconds.values())
    told = [
        f"{label} {100 * launches.seconds[label] / total_s if total_s else 0:.1f} %"
        for label in LABELS
        if label in launches.seconds
    ]
    title = "Share of time by class"
    return _chart(
        lambda **how: charts.draw_share_of_time(launches.seconds, **how),
        alt=f"{title}, imported: {', '.join(told)}.",
        title=title,
        text=f"Of {format_value(total_s, 's')} in {launches.num_launches} launches.",
    )


def _table(points: Sequence[Point]) -> nodes.table:
    rows: list[list[Cell]] = []
    for point in points:
        row: list[Cell] = []
        for cell in cells(point):
            key = None if cell.key is None else "" if math.isnan(cell.key) else repr(cell.key)
            value = value_node(cell.text, key=key, hover=cell.hover)
            row.append([paragraph(value, classes=[] if key is None else ["bench-number"])])
        rows.append(row)
    return table(COLUMNS, rows, classes=[FILTERED, TABLE_CLASS], widths=_WIDTHS)
