"""The directive that shows kernels across commits: their newest figures, and those that changed class."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Final

from docutils import nodes

from bench_lib.model import Run
from bench_lib.roofline.class_history import KernelHistory, histories, labels_of
from bench_lib.roofline.classify import LABELS
from bench_lib.roofline.kernel_names import printable, short_kernel_name
from bench_lib.roofline.launch_table import TABLE_CLASS
from bench_lib.sphinx_ext.loading import BenchDirective, nothing_yet
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, note, paragraph, table
from bench_lib.sphinx_ext.series_table import commit_text, hardware_title
from bench_lib.sphinx_ext.value_node import value_node
from bench_lib.table_script import FILTERED
from bench_lib.units import format_value

COMMAND: Final = "bench-lib run --bench roofline"
_FOLDER: Final = "roofline.ReportFolder"
_HEADER: Final = ("kernel", "class", "duration", "time over roof", "hardware", "commit", "commits", "origin")


class TrackedKernels(BenchDirective):
    """``bench-roofline-tracked``: kernels with records, changes of class, and share of time by commit."""

    def run(self) -> list[nodes.Node]:
        runs = self.records().runs
        found = histories(runs)
        if not found:
            return self.placed(nothing_yet("kernel records", COMMAND))
        return self.placed(*_changes(found), _kernels(found), *_shares(runs))


def _labels(run: Run) -> list[nodes.Node]:
    made: list[nodes.Node] = []
    for label in labels_of(run).split(", "):
        made += [nodes.Text(", ")] if made else []
        made.append(literal(label))
    return made


def _changes(found: Sequence[KernelHistory]) -> list[nodes.Node]:
    entries = []
    for history in found:
        for before, after in history.changes:
            name = value_node(short_kernel_name(history.kernel), key=None, hover=printable(history.kernel))
            commits = [literal(commit_text(r.environment.commit)) for r in (before, after)]
            text = paragraph(
                name, f" on {hardware_title(after.hardware)}: ", *_labels(before), " → ", *_labels(after)
            )
            text += [nodes.Text(" between "), commits[0], nodes.Text(" and "), commits[1]]
            entries.append(nodes.list_item("", text))
    if not entries:
        return [paragraph("No kernel changed class between the commits that have records.")]
    return [note(nodes.bullet_list("", *entries), title=f"Changed class ({len(entries)})", kind="warning")]


def _number(value: float | None, text: str) -> Cell:
    key = "" if value is None or not math.isfinite(value) else repr(value)
    return [paragraph(value_node(text, key=key, hover=""), classes=["bench-number"])]


def _median(run: Run, metric: str) -> float | None:
    found = run.measurement(metric)
    return statistics.median(found.samples) if found is not None and found.samples else None


def _kernels(found: Sequence[KernelHistory]) -> nodes.table:
    rows: list[list[Cell]] = []
    for history in found:
        run = history.newest
        duration_s, over = _median(run, "kernel_duration"), _median(run, "time_over_roof")
        origin: Cell = "measured"
        if run.origin != "measured":
            origin = [nodes.inline("", run.origin, classes=["bench-origin"])]
        hover = printable(f"{history.kernel} {run.details.get('source') or ''}".strip())
        rows.append(
            [
                [paragraph(value_node(short_kernel_name(history.kernel), key=None, hover=hover))],
                _labels(run),
                _number(duration_s, format_value(duration_s, "s")),
                _number(over, format_value(over, "1")),
                clean(hardware_title(run.hardware)),
                [literal(commit_text(run.environment.commit))],
                _number(len(history.runs), str(len(history.runs))),
                origin,
            ]
        )
    return table(_HEADER, rows, classes=[FILTERED, TABLE_CLASS])


def _shares(runs: Sequence[Run]) -> list[nodes.Node]:
    """Share of time by class, a row a commit: the last of each commit's records counts."""
    by_commit: dict[tuple[str, str, str | None], dict[str, float]] = {}
    for run in sorted(runs, key=lambda r: r.environment.commit_time or r.environment.started):
        share = _median(run, "share_of_time") if run.benchmark == _FOLDER else None
        if share is not None:
            key = (run.hardware, run.version, run.environment.commit)
            by_commit.setdefault(key, {})[str(run.params.get("label"))] = share
    if not by_commit:
        return []
    shown = [n for n in LABELS if any(shares.get(n) for shares in by_commit.values())]
    rows: list[list[Cell]] = [
        [
            [literal(commit_text(commit))],
            clean(hardware_title(hardware)),
            *(f"{100 * shares[n]:.1f} %" if n in shares else "unknown" for n in shown),
        ]
        for (hardware, _, commit), shares in by_commit.items()
    ]
    title = paragraph(
        nodes.strong("", "Share of time by class"),
        " of the tracked reports, ",
        nodes.inline("", "imported", classes=["bench-origin"]),
        classes=["bench-label"],
    )
    return [title, table(["commit", "hardware", *shown], rows, classes=["bench-figures"])]
