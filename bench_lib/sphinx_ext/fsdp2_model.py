"""Directives that show the step model: how far it is off on published rows, and what it predicts."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec
from docutils import nodes
from docutils.parsers.rst import directives

from bench_lib.drawing import in_page_font
from bench_lib.errors import BenchLibError
from bench_lib.fsdp2 import step_model
from bench_lib.fsdp2.step_model import charts, constants
from bench_lib.fsdp2.step_model.charts import Ink, Pair
from bench_lib.fsdp2.step_model.compute import CONSTANT_NAMES
from bench_lib.fsdp2.step_model.prediction import LEVEL, Prediction, network_of, predict
from bench_lib.fsdp2.step_model.setup import TrainingSetup
from bench_lib.fsdp2.step_model.shapes import find_shape
from bench_lib.fsdp2.step_model.validation import JudgedRow, Report
from bench_lib.hardware import find
from bench_lib.sphinx_ext.chart_node import svg_node
from bench_lib.sphinx_ext.charts import DARK, LIGHT
from bench_lib.sphinx_ext.loading import BenchDirective
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, paragraph, table
from bench_lib.units import format_value

REPORT: Final = Path(step_model.__file__).parent / "validation.json"
_INKS: Final = tuple((palette, Ink(text=palette.text, grid=palette.faint)) for palette in (LIGHT, DARK))
_SIZE_IN: Final = (7.2, 4.0)
_WIDE_IN: Final = (7.2, 3.2)


@functools.cache
def report() -> Report:
    """The judgement that ships with this project."""
    return msgspec.json.decode(REPORT.read_bytes(), type=Report)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:+.1%}"


class ModelScores(BenchDirective):
    """``bench-fsdp2-model-scores``: mean and largest error of each kind of judgement, beside its goal."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(REPORT))
        rows: list[list[Cell]] = []
        for score in report().scores:
            goal = "" if score.goal is None else f"{score.goal:.1%}"
            met = "" if score.goal is None else ("met" if score.mean <= score.goal else "missed")
            rows.append(
                [score.name, str(score.num_rows), f"{score.mean:.2%}", f"{score.largest:.1%}", goal, met]
            )
        head = ("Judged", "Rows", "Mean absolute error", "Largest", "Goal", "")
        text = f"Intervals of {LEVEL:.0%} hold {report().coverage:.0%} of the rows, each left out of its fit."
        return self.placed(table(head, rows), paragraph(text))


class ModelConstants(BenchDirective):
    """``bench-fsdp2-model-constants``: the fitted constants of each device type, with their uncertainty."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(constants.PATH))
        known = constants.built_in()
        rows: list[list[Cell]] = []
        for slug, device in sorted(known.devices.items()):
            values = [
                f"{getattr(device.constants, name):.3f} ± {device.covariance[i][i] ** 0.5:.0%}"
                for i, name in enumerate(CONSTANT_NAMES)
            ]
            rows.append([[literal(slug)], *values, f"{device.residual_sd:.1%}", str(device.num_rows)])
        head = (
            "Device",
            *(name.replace("_", " ") for name in CONSTANT_NAMES),
            "spread of rows",
            "rows",
        )
        overhead = known.reserved_memory
        text = (
            "Reserved memory = state + gradients + gathered parameters + "
            f"{overhead.passing_slope:.3f} × what passes, ± {overhead.relative_sd:.1%}."
        )
        return self.placed(table(head, rows), paragraph(text))


class ModelRows(BenchDirective):
    """``bench-fsdp2-model-rows``: every published row, and the errors of each judgement."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(REPORT))
        judged = [row for row in report().rows if not row.left_out]
        made: list[nodes.Node] = []
        for source in sorted({row.source for row in judged}):
            members = sorted(
                (row for row in judged if row.source == source),
                key=lambda r: (r.hardware, r.model, r.sequence_length, int(r.num_ranks)),
            )
            made += [
                paragraph(nodes.strong("", clean(source)), classes=["bench-label"]),
                _rows_table(members),
            ]
        return self.placed(*made)


def _rows_table(rows: Sequence[JudgedRow]) -> nodes.table:
    head = (
        "Model, device",
        "Ranks",
        "Sequence",
        "Training",
        "Published tokens/s/GPU",
        "Predicted (simulated)",
        "Error, row left out",
        "Error, document left out",
        "Error, fitted on ≤ 64 ranks",
        "Reserved memory, error",
    )
    body: list[list[Cell]] = []
    for row in rows:
        interval = (
            f"{row.low:,.0f} to {row.high:,.0f}" if row.low is not None and row.high is not None else ""
        )
        body.append(
            [
                [paragraph(clean(row.model)), paragraph(literal(row.hardware), classes=["bench-detail"])],
                clean(row.num_ranks),
                f"{row.sequence_length:,}",
                f"{clean(row.stack)}, {clean(row.description)}",
                f"{row.tokens_per_s_per_rank:,.0f}",
                [
                    paragraph("" if row.predicted is None else f"{row.predicted:,.0f}"),
                    paragraph(interval, classes=["bench-detail"]),
                ],
                _percent(row.error_row),
                _percent(row.error_source),
                _percent(row.error_small),
                _percent(row.error_reserved),
            ]
        )
    return table(head, body)


class ModelLeftOut(BenchDirective):
    """``bench-fsdp2-model-left-out``: published rows that are neither fitted nor judged, and why."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(REPORT))
        body: list[list[Cell]] = [
            [
                clean(row.model),
                clean(row.hardware),
                clean(row.num_ranks),
                clean(row.description),
                clean(row.left_out),
                clean(row.source),
            ]
            for row in report().rows
            if row.left_out
        ]
        head = ("Model", "Device", "Ranks", "Training", "Why", "Source")
        return self.placed(table(head, body))


class ModelChart(BenchDirective):
    """``bench-fsdp2-model-chart``: predicted against published, each row left out of its own fit."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(REPORT))
        pairs = [
            Pair(
                f"{row.stack}, {row.hardware.removeprefix('nvidia-')}",
                row.tokens_per_s_per_rank,
                row.predicted,
            )
            for row in report().rows
            if row.predicted is not None
        ]
        alt = (
            f"Predicted (simulated) against published tokens per second and GPU, {len(pairs)} rows, "
            "each predicted with constants fitted without it. The figures are in the table of all rows."
        )
        variants = [
            (
                palette.name,
                in_page_font(
                    charts.draw_pairs(pairs, quantity="tokens/s/GPU", ink=ink, size_in=_SIZE_IN, clear=True)
                ),
            )
            for palette, ink in _INKS
        ]
        return self.placed(svg_node(variants, alt=alt, size_px=tuple(round(96 * s) for s in _SIZE_IN)))  # type: ignore[arg-type]


def _counts(argument: str) -> list[int]:
    counts = [directives.positive_int(part) for part in argument.replace(",", " ").split()]
    if not counts:
        raise ValueError("expected rank counts")
    return counts


class ModelScaling(BenchDirective):
    """``bench-fsdp2-model-scaling``: step time and efficiency by ranks, predicted, with intervals."""

    option_spec: ClassVar[Any] = {
        "preset": directives.unchanged_required,
        "hardware": directives.unchanged_required,
        "ranks": _counts,
        "batch": directives.positive_int,
        "seq": directives.positive_int,
        "checkpointing": directives.unchanged_required,
        "compile": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        try:
            made = self._predictions()
        except (BenchLibError, KeyError) as error:
            raise self.error(f"bench-fsdp2-model-scaling: {error}") from error
        self.env.note_dependency(str(constants.PATH))
        title = f"{self.options['preset']} on {self.options['hardware']}"
        spell = "; ".join(
            f"{p.num_ranks} ranks: {format_value(p.step_time_s.value, 's')} "
            f"({format_value(p.step_time_s.low, 's', digits=3)} "
            f"to {format_value(p.step_time_s.high, 's', digits=3)}), "
            f"{e.value:.0%}"
            for p, e in zip(made, charts.efficiency(made), strict=True)
        )
        alt = f"Step time with {LEVEL:.0%} interval, and efficiency, simulated, {title}: {spell}."
        variants = [
            (
                palette.name,
                in_page_font(charts.draw_by_ranks(made, title=title, ink=ink, size_in=_WIDE_IN, clear=True)),
            )
            for palette, ink in _INKS
        ]
        return self.placed(svg_node(variants, alt=alt, size_px=tuple(round(96 * s) for s in _WIDE_IN)))  # type: ignore[arg-type]

    def _predictions(self) -> list[Prediction]:
        shape = find_shape(self.options["preset"])
        hardware = find(self.options["hardware"])
        if hardware is None:
            raise KeyError(self.options["hardware"])
        known = constants.built_in()
        setup = TrainingSetup(
            shape,
            self.options.get("batch", shape.batch_per_rank),
            self.options.get("seq", shape.sequence_length),
            activation_checkpointing=self.options.get("checkpointing", "none"),
            is_compiled="compile" in self.options,
        )
        return [
            predict(
                setup,
                num_ranks=count,
                hardware=hardware,
                network=network_of(hardware),
                calibration=constants.of_device(hardware.slug, calibration=known),
                overhead=known.reserved_memory,
            )
            for count in self.options["ranks"]
        ]
