"""Rows of the frame as cells of a page's table: the same texts as ``bench-lib lookup`` prints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from bench_lib.model import Hardware, status_words
from bench_lib.results.frames import Results
from bench_lib.results.options import short
from bench_lib.results.output import interval_text, readable
from bench_lib.sphinx_ext.device_names import device_of
from bench_lib.sphinx_ext.site_links import Links
from bench_lib.sphinx_ext.site_table import Column, SiteTable, TableCell, TextCell, number_cell

Row = Mapping[str, Any]

#: Classes of cells: a mark beside a text never is by colour alone.
STATUS_MARKS: Final = {"ok": "", "skipped": "bench-quiet", "failed": "bench-bad", "timed_out": "bench-bad"}


def day_text(date: Any) -> str:
    """The day of a commit; ``unknown`` where the results do not say."""
    return f"{date:%Y-%m-%d}" if pd.notna(date) else "unknown"


def day_cell(date: Any) -> TextCell:
    """A date, which sorts by its time."""
    known = pd.notna(date)
    return TextCell(
        day_text(date),
        date.isoformat() if known else None,
        hover=f"{date:%Y-%m-%d %H:%M} UTC" if known else "",
    )


def commit_cell(commit: str, links: Links) -> TextCell:
    """A commit as people write it, with a link to it."""
    return TextCell(short(commit) or "unknown", href=links.commit(commit), hover=commit, mark="bench-code")


def value_cell(row: Row) -> TextCell:
    """A value; where there is none, its status."""
    if row["status"] == "ok":
        return number_cell(readable(row["value"], row["unit"]), row["value"])
    status = str(row["status"])
    return number_cell(
        status_words(status), None, hover=str(row["reason"]), mark=STATUS_MARKS.get(status, "bench-bad")
    )


def origin_cell(origin: str) -> TextCell:
    """Where a figure comes from, marked where it was not measured."""
    return TextCell(origin, mark="" if origin == "measured" else "bench-other-origin")


def share_of_peak(
    row: Row, device: Hardware | None, parameters: Sequence[tuple[str, str]]
) -> tuple[float, str]:
    """Part of the device's peak that a value is, and of which peak; NaN where the metric allows none.

    A rate of bytes is set against the memory bandwidth, a rate of work against the dense peak of the data
    type that a parameter names, and a time over its roof against the roof.
    """
    value = row["value"]
    if not value > 0 or row["status"] != "ok":
        return math.nan, ""
    if row["metric"] == "time_over_roof":
        return 1 / value, "of the roof at the profiled clocks"
    if device is None:
        return math.nan, ""
    if row["unit"] == "B/s" and device.memory_bandwidth_bytes_per_s:
        return value / device.memory_bandwidth_bytes_per_s, f"of the memory bandwidth of {device.name}"
    if row["unit"] == "FLOP/s":
        for _, text in parameters:
            dtype = text.strip("'\"").removeprefix("torch.")
            if dtype in device.peak_flop_per_s:
                return value / device.peak_flop_per_s[dtype], f"of the dense {dtype} peak of {device.name}"
    return math.nan, ""


FIGURE_COLUMNS: Final = (
    Column("benchmark", "Benchmark", is_long=True),
    Column("parameters", "Parameters", is_long=True),
    Column("metric", "Metric", filter="values"),
    Column("machine", "Machine", filter="values"),
    Column("value", "Value", "number", help="Median where asv or we kept samples"),
    Column("interval", "99 % interval"),
    Column("num_samples", "Samples", "number"),
    Column("share_of_peak", "% of peak", "number", help="Only where the metric and the device file allow it"),
    Column("status", "Status", filter="values"),
    Column("reason", "Reason", is_long=True),
    Column("environment", "Environment", filter="values"),
    Column("commit", "Commit"),
    Column("date", "Date", filter="date", help="Of the commit"),
    Column("origin", "Origin", filter="values", help="Measured here, simulated, or imported"),
)


def figures_table(rows: pd.DataFrame, results: Results, links: Links, *, id: str, caption: str) -> SiteTable:
    """A table of rows as :func:`bench_lib.results.lookup.lookup` gives them.

    Columns that say the same in every row, or nothing in any, are left out.
    """
    devices = {m: device_of(results, m) for m in rows["machine"].astype(str).unique()}
    made: list[list[TableCell]] = []
    for row in records_of(rows):
        share, of_what = share_of_peak(row, devices[row["machine"]], results.parameters[row["parameters"]])
        status = str(row["status"])
        made.append(
            [
                TextCell(row["benchmark"], href=links.benchmark(row)),
                row["parameters"],
                row["metric"],
                TextCell(row["machine"], href=links.machine(row["machine"])),
                value_cell(row),
                interval_text(row["low"], row["high"], row["unit"]),
                number_cell(
                    str(row["num_samples"]) if row["num_samples"] else "", row["num_samples"] or None
                ),
                number_cell("" if math.isnan(share) else f"{100 * share:.1f} %", share, hover=of_what),
                TextCell(status_words(status), mark=STATUS_MARKS.get(status, "")),
                row["reason"],
                row["environment"],
                commit_cell(row["commit"], links),
                day_cell(row["date"]),
                origin_cell(row["origin"]),
            ]
        )
    columns = list(FIGURE_COLUMNS)
    always = {"benchmark", "value", "commit", "date"}
    keep = [
        place
        for place, column in enumerate(columns)
        if column.name in always or _says_something(column.name, [_text(cells[place]) for cells in made])
    ]
    return SiteTable(
        id,
        caption,
        [columns[i] for i in keep],
        [[cells[i] for i in keep] for cells in made],
        "bench-figure-rows",
    )


def _text(cell: TableCell) -> str:
    return cell.text if isinstance(cell, TextCell) else cell


def _says_something(name: str, texts: Sequence[str]) -> bool:
    different = set(texts)
    if name in ("status", "origin"):
        return bool(different - {"ok", "measured"})
    if name in ("machine", "environment"):
        return len(different) > 1
    return bool(different - {""})


def records_of(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as dictionaries, categorical columns as plain text."""
    columns = {
        c: rows[c].astype(object).tolist() if rows[c].dtype == "category" else rows[c].tolist() for c in rows
    }
    names = [str(name) for name in columns]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def by_machine(newest: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The newest rows of each machine: series belong to one machine, so its newest are among all newest."""
    return {str(name): rows for name, rows in newest.groupby("machine", observed=True, sort=True)}
