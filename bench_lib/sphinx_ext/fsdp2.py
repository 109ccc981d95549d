"""Directives that show FSDP2 records: tables, charts, and both under headings of their own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives

from bench_lib.sphinx_ext import scaling
from bench_lib.sphinx_ext.loading import BenchDirective, Records, nothing_yet, rejected_note
from bench_lib.sphinx_ext.nodes import clean, literal, note, paragraph
from bench_lib.sphinx_ext.scaling import Series
from bench_lib.sphinx_ext.series_charts import CHART_METRICS, chart_grid
from bench_lib.sphinx_ext.series_table import hardware_title, notes, provenance, series_table, spread, work

#: Measures what the pages show, and builds them.
COMMAND = "make report"


def _metric_list(argument: str) -> list[str]:
    chosen = argument.replace(",", " ").split()
    unknown = [m for m in chosen if m not in CHART_METRICS]
    if unknown or not chosen:
        raise ValueError(f"unknown metric {' '.join(unknown)!r}; known: {', '.join(CHART_METRICS)}")
    return chosen


class _FsdpDirective(BenchDirective):
    option_spec: ClassVar[Any] = {"preset": directives.unchanged_required, "metric": _metric_list}

    def chosen(self, loaded: Records) -> list[Series]:
        """Series of the preset that the directive names, or of all."""
        wanted = self.options.get("preset")
        return [s for s in scaling.group(loaded.runs) if wanted in (None, s.preset)]

    def newest(self, series: Sequence[Series]) -> list[Series]:
        """The newest series of each hardware, preset and origin."""
        key = lambda s: (s.hardware, s.preset, s.origin)  # noqa: E731
        return [next(members) for _, members in groupby(series, key=key)]

    def empty(self) -> list[nodes.Node]:
        preset = self.options.get("preset")
        what = f"FSDP2 records of the {preset} preset" if preset else "FSDP2 records"
        return self.placed(nothing_yet(what, COMMAND))


def _label(series: Series) -> nodes.paragraph:
    text = f"{clean(series.preset)} on {hardware_title(series.hardware)}"
    return paragraph(nodes.strong("", text), classes=["bench-label"])


class FsdpTable(_FsdpDirective):
    """``bench-fsdp2-table``: the newest figures by rank count, a table a hardware and preset."""

    def run(self) -> list[nodes.Node]:
        loaded = self.records()
        made = rejected_note(loaded)
        for series in self.newest(self.chosen(loaded)):
            made += [_label(series), series_table(series), provenance(series), *notes(series)]
        return self.placed(*made) if made else self.empty()


class FsdpChart(_FsdpDirective):
    """``bench-fsdp2-chart``: the newest figures drawn over the rank count."""

    def run(self) -> list[nodes.Node]:
        made: list[nodes.Node] = []
        for series in self.newest(self.chosen(self.records())):
            grid = chart_grid(series, self.options.get("metric", CHART_METRICS))
            if grid:
                made += [_label(series), *grid, provenance(series), *notes(series)]
        return self.placed(*made) if made else self.empty()


class FsdpResults(_FsdpDirective):
    """``bench-fsdp2-results``: a section a hardware, in it one a preset: table, charts, older series."""

    def run(self) -> list[nodes.Node]:
        loaded = self.records()
        made = rejected_note(loaded)
        for slug, members in groupby(self.chosen(loaded), key=lambda s: s.hardware):
            outer = self.section(hardware_title(slug))
            if hardware_title(slug) != clean(slug):
                outer += paragraph("Hardware ", literal(slug), classes=["bench-provenance"])
            for preset, parts in groupby(members, key=lambda s: s.preset):
                inner = self.section(f"{clean(preset)} preset")
                for _, same_origin in groupby(parts, key=lambda s: s.origin):
                    newest, *older = same_origin
                    inner.extend(self._newest(newest))
                    if older:
                        inner.extend(spread([newest, *older]))
                        inner += self._older(older)
                outer += inner
            made.append(outer)
        return self.placed(*made) if made else self.empty()

    def _newest(self, series: Series) -> list[nodes.Node]:
        metrics = self.options.get("metric", CHART_METRICS)
        return [
            *work(series),
            series_table(series),
            provenance(series),
            *notes(series),
            *chart_grid(series, metrics),
        ]

    def _older(self, older: Sequence[Series]) -> nodes.Node:
        inside: list[nodes.Node] = []
        for series in older:
            inside += [provenance(series), series_table(series), *notes(series)]
        made = note(*inside, title=f"Earlier series ({len(older)})", kind="bench-earlier")
        made["collapsible"] = "closed"
        return made
