"""The table of changes: every step with its size, interval, confidence and range of commits."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final

import pandas as pd

from bench_lib.results.options import short
from bench_lib.results.output import change_interval_text, change_text, readable
from bench_lib.sphinx_ext.figures import day_cell, records_of
from bench_lib.sphinx_ext.site_links import Links
from bench_lib.sphinx_ext.site_table import Column, SiteTable, TableCell, TextCell, number_cell

#: Words and marks for the direction of a change: a word, so that colour is not needed to tell.
EFFECT_MARKS: Final = {"regression": "bench-worse", "improvement": "bench-better", "change": ""}

COLUMNS: Final = (
    Column("benchmark", "Benchmark", is_long=True),
    # Beside the name: a phone shows no more than two columns at a time.
    Column(
        "change",
        "Change",
        "number",
        filter="size",
        scale=100,
        help="Level after over level before, in percent",
    ),
    Column("parameters", "Parameters", is_long=True),
    Column("date", "Date", filter="date", help="Of the first commit after the change"),
    Column("effect", "Effect", filter="values", help="By the direction in which the metric is better"),
    Column("interval", "99 % interval"),
    Column("kind", "Certainty", filter="values", help="Possible: worth a look, not an alert"),
    Column("confidence", "Confidence", "number", help="One minus the chance that noise alone shows it"),
    Column("commits", "Commits", help="Last measured before, and first after"),
    Column("machine", "Hardware", filter="values"),
    Column("before", "Before", "number"),
    Column("after", "After", "number"),
    Column("environment", "Environment", filter="values"),
)


def confidence_text(confidence: float) -> str:
    """A confidence without rounding it up to certainty."""
    return "> 99.99 %" if confidence > 0.9999 else f"{100 * confidence:.2f} %"


def commits_text(row: Mapping[str, Any]) -> str:
    """The range of commits that holds a step, as people write it."""
    return f"{short(row['last_before'])}..{short(row['first_after'])}"


def changes_table(changes: pd.DataFrame, links: Links, *, id: str = "changes") -> SiteTable:
    """Rows of :func:`bench_lib.results.series_changes.find_changes`, the newest first."""
    rows: list[list[TableCell]] = []
    for row in records_of(changes):
        effect = str(row["effect"])
        place = {**row, "commit": row["first_after"]}
        rows.append(
            [
                TextCell(row["benchmark"], href=links.benchmark(place)),
                number_cell(change_text(row["ratio"]), row["ratio"] - 1),
                row["parameters"],
                day_cell(row["date"]),
                TextCell(effect, mark=EFFECT_MARKS.get(effect, "")),
                change_interval_text(row["ratio"], row["ratio_low"], row["ratio_high"]),
                TextCell(row["kind"], mark="" if row["kind"] == "confirmed" else "bench-quiet"),
                number_cell(confidence_text(row["confidence"]), row["confidence"]),
                TextCell(
                    commits_text(row),
                    href=links.commits(row["last_before"], row["first_after"]),
                    hover=f"between {short(row['earliest'])} and {short(row['latest'])} with 99 % confidence",
                    mark="bench-code",
                ),
                TextCell(row["machine"], href=links.machine(row["machine"])),
                number_cell(readable(row["before"], row["unit"]), row["before"]),
                number_cell(readable(row["after"], row["unit"]), row["after"]),
                row["environment"],
            ]
        )
    return SiteTable(id, "Changes, the newest first", COLUMNS, rows, "bench-changes")


def summary_html(changes: pd.DataFrame) -> str:
    """How many of each effect, confirmed and possible."""
    if not len(changes):
        return '<p class="bench-provenance">No series has a step.</p>\n'
    counts = changes.groupby(["effect", "kind"], observed=True).size().to_dict()
    parts = []
    for effect in ("regression", "improvement", "change"):
        confirmed, possible = (int(counts.get((effect, kind), 0)) for kind in ("confirmed", "possible"))
        if confirmed or possible:
            parts.append(
                f'<li class="bench-tile {EFFECT_MARKS[effect]}"><strong>{confirmed}</strong> '
                f"confirmed {escape(effect)}{'' if confirmed == 1 else 's'}"
                f'<span class="bench-detail">{possible} more possible</span></li>'
            )
    return f'<ul class="bench-tiles">{"".join(parts)}</ul>\n'
