"""The directive that shows steps on nodes of one machine, measured and predicted."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from docutils import nodes

from bench_lib.drawing import in_page_font
from bench_lib.fsdp2.nodes_command import BENCHMARK
from bench_lib.fsdp2.step_model import charts
from bench_lib.fsdp2.step_model.charts import Ink, Pair
from bench_lib.model import Run
from bench_lib.sphinx_ext.chart_node import svg_node
from bench_lib.sphinx_ext.charts import DARK, LIGHT
from bench_lib.sphinx_ext.loading import BenchDirective, nothing_yet
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, paragraph, table, two_lines
from bench_lib.sphinx_ext.scaling import summary_of
from bench_lib.sphinx_ext.series_table import hardware_title
from bench_lib.stats import Summary
from bench_lib.units import format_value

COMMAND: Final = "bench-lib fsdp2 nodes --bandwidth 1Gbit --latency 1ms --results results"
_WAYS: Final = ("sweep", "shape")
_SIZE_IN: Final = (7.2, 3.6)


@dataclass(frozen=True)
class Row:
    """One link of one session: the measured step, and the two predictions of it that are there."""

    run: Run
    bandwidth: float
    latency: float
    measured: Summary
    predicted: dict[str, tuple[float, ...]]

    def value(self, way: str) -> float:
        """Median of a prediction's rounds."""
        return statistics.median(self.predicted[way])

    def error(self, way: str) -> float:
        """Predicted over measured, minus 1: each round with itself where the samples tell the rounds."""
        made = self.predicted[way]
        found = self.run.measurement("step_time")
        samples = found.samples if found is not None else ()
        size, rest = divmod(len(samples), len(made))
        if rest or not size:
            return self.value(way) / self.measured.median - 1
        rounds = [statistics.median(samples[i * size : (i + 1) * size]) for i in range(len(made))]
        return statistics.median(m / r - 1 for m, r in zip(made, rounds, strict=True))


def _number(run: Run, name: str) -> float | None:
    value = run.params.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Compared before it is converted: JSON has whole numbers that no float can hold.
    return float(value) if 0 <= value < 1e15 else None


def _key(run: Run) -> tuple[object, ...]:
    """What a prediction shares with the run that it predicts."""
    params = {k: v for k, v in run.params.items() if k != "predicted_from"}
    return (run.hardware, run.session, tuple(sorted((k, repr(v)) for k, v in params.items())))


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """Rows of every run that has usable figures; a record that lacks them is left out."""
    predictions: dict[tuple[object, ...], dict[str, tuple[float, ...]]] = {}
    measured: list[tuple[Run, Summary]] = []
    for run in runs:
        step_time = run.measurement("step_time")
        summary = summary_of(step_time)
        if step_time is None or summary is None or not all(0 < v < 1e9 for v in step_time.samples):
            continue
        way = run.params.get("predicted_from")
        if run.origin == "simulated" and way in _WAYS:
            predictions.setdefault(_key(run), {})[str(way)] = step_time.samples
        elif run.origin == "measured" and run.status == "ok":
            measured.append((run, summary))
    made = []
    for run, summary in measured:
        bandwidth, latency = _number(run, "bandwidth_bytes_per_s"), _number(run, "latency_s")
        if bandwidth is not None and latency is not None:
            made.append(Row(run, bandwidth, latency, summary, predictions.get(_key(run), {})))
    return made


def _link(row: Row) -> str:
    rate = "unlimited" if row.bandwidth == 0 else f"{row.bandwidth * 8 / 1e6:,.0f} Mbit/s"
    return f"{rate}, {format_value(row.latency, 's', digits=3)}" if row.latency else f"{rate}, no delay"


def _predicted(row: Row, way: str) -> Cell:
    if way not in row.predicted:
        return ""
    is_reference = row.bandwidth == 0 and row.latency == 0
    error = "the reference" if is_reference else f"{row.error(way):+.0%}"
    return two_lines(format_value(row.value(way), "s", digits=3), error)


class NodesResults(BenchDirective):
    """``bench-fsdp2-nodes``: the newest session of each hardware and preset, as table and chart."""

    def run(self) -> list[nodes.Node]:
        rows = rows_of([run for run in self.records().runs if run.benchmark == BENCHMARK])

        def group(row: Row) -> tuple[str, str, int, int]:
            nodes_, ranks = _number(row.run, "num_nodes") or 0, _number(row.run, "num_ranks") or 0
            return row.run.hardware, str(row.run.params.get("preset")), int(nodes_), int(ranks)

        made: list[nodes.Node] = []
        for (slug, preset, num_nodes, ranks), members in groupby(sorted(rows, key=group), key=group):
            made += self._show(list(members), slug=slug, preset=preset, num_nodes=num_nodes, ranks=ranks)
        return self.placed(*made) if made else self.placed(nothing_yet("steps on several nodes", COMMAND))

    def _show(
        self, rows: list[Row], *, slug: str, preset: str, num_nodes: int, ranks: int
    ) -> list[nodes.Node]:
        newest = max(rows, key=lambda r: r.run.environment.started).run
        rows = sorted(
            (r for r in rows if r.run.session == newest.session), key=lambda r: (r.bandwidth, r.latency)
        )
        label = f"{clean(preset)}, {num_nodes} nodes, {ranks} ranks, on {hardware_title(slug)}"
        body: list[list[Cell]] = [
            [
                _link(row),
                two_lines(
                    format_value(row.measured.median, "s", digits=3),
                    f"{format_value(row.measured.low, 's', digits=3)} "
                    f"to {format_value(row.measured.high, 's', digits=3)}",
                ),
                _predicted(row, "sweep"),
                _predicted(row, "shape"),
            ]
            for row in rows
        ]
        head = ("Link", "Measured step", "From sweep (simulated)", "From shape (simulated)")
        e = newest.environment
        load = "" if e.load_average is None else f" Load average {e.load_average:g} on {e.num_cpus} CPUs."
        delays = clean(newest.details.get("delays"))
        made: list[nodes.Node] = [
            paragraph(nodes.strong("", label), classes=["bench-label"]),
            table(head, body),
            paragraph(
                f"Median and 99 % interval. Packets delayed by {delays}. Commit ",
                literal(clean(e.commit or "unknown")[:8]),
                f", {clean(e.started)[:10]}.{load}",
                classes=["bench-provenance"],
            ),
        ]
        pairs = [
            Pair(f"from {way}", 1e3 * row.measured.median, 1e3 * row.value(way))
            for row in rows
            for way in _WAYS
            if way in row.predicted and (row.bandwidth or row.latency)
        ]
        if pairs:
            alt = f"Predicted (simulated) against measured step time, {label}. The figures are in the table."
            inks = ((p, Ink(text=p.text, grid=p.faint)) for p in (LIGHT, DARK))
            variants = [
                (
                    palette.name,
                    in_page_font(
                        charts.draw_pairs(
                            pairs, quantity="step time (ms)", ink=ink, size_in=_SIZE_IN, clear=True
                        )
                    ),
                )
                for palette, ink in inks
            ]
            size = (round(96 * _SIZE_IN[0]), round(96 * _SIZE_IN[1]))
            made.append(svg_node(variants, alt=alt, size_px=size))
        return made
