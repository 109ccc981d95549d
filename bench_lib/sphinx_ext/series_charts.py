"""The charts of a scaling series, each with its figures in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from docutils import nodes

from bench_lib.metrics import METRICS
from bench_lib.model import Run
from bench_lib.sphinx_ext import charts, scaling
from bench_lib.sphinx_ext.chart_node import chart_node
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.scaling import Row, Series
from bench_lib.sphinx_ext.series_table import hardware_title, interval_text, percent
from bench_lib.units import format_value

CHART_METRICS = ("step_time", "tokens_per_s", "scaling_efficiency", "memory")


def _rank_values(run: Run, metric: str) -> tuple[float, ...]:
    found = [s for m in run.measurements if m.metric == metric and m.rank is not None for s in m.samples]
    return tuple(s for s in found if math.isfinite(s))


def _ranks_text(num_ranks: int) -> str:
    return "1 rank" if num_ranks == 1 else f"{num_ranks} ranks"


def _spell(chart: charts.Chart) -> list[str]:
    spelled = []
    for line in chart.lines:
        for p in line.points:
            shown = percent(p.value) if chart.percent else format_value(p.value, chart.unit)
            bounds = ""
            if line.label == "median":
                text = interval_text(p.value, p.low, p.high, "1" if chart.percent else chart.unit)
                bounds = f", 99 % {text}" if p.bounded and p.samples else ""
            what = f"{line.label} " if len(chart.lines) > 1 else ""
            spelled.append(f"{_ranks_text(p.num_ranks)}, {what}{shown}{bounds}")
    return spelled


def make_chart(series: Series, metric: str) -> charts.Chart | None:
    """The chart of ``metric`` for one series; ``None`` where it has no figure."""
    rows = [row for row in series.rows if row.step_time is not None]
    if metric == "memory":
        lines = []
        for name, label in (("peak_allocated", "allocated"), ("peak_rss", "resident set")):
            points = [
                charts.Point(r.num_ranks, value, _rank_values(r.run, name))
                for r in rows
                if (value := getattr(r, name)) is not None
            ]
            if points:
                lines.append(charts.Line(label, tuple(points)))
        return charts.Chart("Peak memory a rank", "B", tuple(lines)) if lines else None
    points = [p for r in rows if (p := _point(r, metric, rows)) is not None]
    if not points:
        return None
    base = next((r for r in rows if r.baseline), None)
    first = next((p for p in points if base is not None and p.num_ranks == 1), None)
    ranks = [p.num_ranks for p in points]
    reference: tuple[tuple[int, float], ...] = ()
    if first is not None and len(ranks) > 1:
        grows = metric == "tokens_per_s"
        reference = tuple((n, first.value * (n if grows else 1)) for n in ranks)
    return charts.Chart(
        METRICS[metric].title,
        METRICS[metric].unit,
        (charts.Line("median", tuple(points)),),
        reference=reference,
        reference_label="perfect weak scaling",
        percent=metric == "scaling_efficiency",
    )


def _point(row: Row, metric: str, rows: Sequence[Row]) -> charts.Point | None:
    step_time, measured = row.step_time, row.run.measurement("step_time")
    if step_time is None or measured is None:
        return None
    if metric == "step_time":
        return charts.Point(row.num_ranks, step_time.median, measured.samples, step_time.low, step_time.high)
    ratio = row.tokens_per_s if metric == "tokens_per_s" else row.efficiency
    if ratio is None:
        return None
    if metric == "tokens_per_s":
        work = scaling.tokens_of(row.run) or math.nan
    else:
        base = next(r.step_time for r in rows if r.baseline)
        work = base.median if base else math.nan
    samples = tuple(work / s for s in measured.samples)
    low = ratio.low if ratio.low > 0 else -math.inf
    return charts.Point(row.num_ranks, ratio.value, samples, low, ratio.high)


_CAPTIONS = {
    "step_time": "Slowest rank of each step. Dots: every step. Bar: 99 % interval of the median.",
    "tokens_per_s": "All ranks together. Dots: every step.",
    "scaling_efficiency": "Median step at 1 rank over the step time here. Dots: every step.",
    "memory": "Dots: each rank. Large mark: the largest.",
}


def chart_grid(series: Series, metrics: Sequence[str]) -> list[nodes.Node]:
    """Charts of one series side by side; nothing where it has no figures."""
    grid = nodes.container(classes=["bench-charts"])
    for metric in metrics:
        chart = make_chart(series, metric)
        if chart is not None and not charts.drawable(chart):
            continue
        if chart is None:
            continue
        subject = f"{clean(series.preset)} preset on {hardware_title(series.hardware)}"
        if series.origin != "measured":
            subject += f" ({series.origin}, not measured)"
        alt = charts.describe(chart, subject=subject, spell=_spell(chart))
        caption = nodes.caption("", "", nodes.strong("", chart.title), nodes.Text(". " + _CAPTIONS[metric]))
        grid += nodes.figure("", chart_node(chart, alt=alt), caption, classes=["bench-chart"])
    return [grid] if len(grid) else []
