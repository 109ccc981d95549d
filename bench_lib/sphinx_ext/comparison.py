"""Devices against each other: the first comparison as a table, and the values of each device for the script.

``static/bench-compare.js`` compares whatever devices a reader chooses, by the rules of
:mod:`bench_lib.results.compare`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from bench_lib.model import status_words
from bench_lib.results.compare import Side, compare, hardware_kind
from bench_lib.results.frames import Results
from bench_lib.results.output import ratio_interval_text, ratio_text, readable
from bench_lib.sphinx_ext.figures import records_of
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.site_links import Links
from bench_lib.sphinx_ext.site_table import Column, SiteTable, TableCell, TextCell, number_cell

VERDICT_MARKS: Final = {"better": "bench-better", "worse": "bench-worse", "not compared": "bench-quiet"}
_TEXTS: Final = (
    "benchmark",
    "parameters",
    "metric",
    "unit",
    "version",
    "status",
    "reason",
    "origin",
    "commit",
    "environment",
)
_NUMBERS: Final = ("value", "low", "high", "num_samples")


def first_sides(results: Results) -> tuple[str, ...]:
    """The two machines with most benchmarks in common to begin with; fewer where there are not two.

    A software device is not set against a GPU, where there is another choice.
    """
    frame = results.frame
    has_value = frame[(frame["status"] == "ok").to_numpy()]
    sets = {
        str(m): set(rows)
        for m, rows in has_value.groupby("machine", observed=True)["benchmark"].unique().items()
    }
    names = sorted(sets, key=lambda m: (-len(sets[m]), m))
    if len(names) < 2:
        return tuple(names)
    kinds = {name: hardware_kind(results, name) for name in names}

    def fit(name: str) -> tuple[bool, int, str]:
        is_unlike = {kinds[names[0]], kinds[name]} == {"software", "gpu"}
        return is_unlike, -len(sets[names[0]] & sets[name]), name

    return names[0], min(names[1:], key=fit)


def device_values(newest: pd.DataFrame, results: Results, page_names: Mapping[str, str]) -> dict[str, Any]:
    """The newest rows of one machine, as the script takes them: texts once, numbers in full.

    In the order in which :func:`bench_lib.results.compare.compare` prefers rows.
    """
    rows = newest.sort_values("date", ascending=False, kind="stable")
    of: dict[str, list[Any]] = {}
    at: dict[str, list[int]] = {}
    for column in _TEXTS:
        codes, texts = pd.factorize(rows[column].astype(object))
        of[column], at[column] = [str(text) for text in texts], codes.tolist()
    of["benchmark"] = [
        [clean(name), results.benchmarks[name].better, page_names.get(name, "")] for name in of["benchmark"]
    ]
    for column in _TEXTS[1:]:
        of[column] = [clean(text) for text in of[column]]
    return {"of": of, "at": at, "numbers": {c: [_number(v) for v in rows[c].tolist()] for c in _NUMBERS}}


def _number(value: float) -> Any:
    # JSON has no infinity, and an interval without a bound is not one that is unknown.
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def comparison_table(results: Results, sides: Sequence[str], links: Links) -> SiteTable:
    """The second of ``sides`` against the first, as ``bench-lib compare`` prints it."""
    one, two = sides
    compared = compare(results, [Side("machine", one), Side("machine", two)])
    rows: list[list[TableCell]] = []
    for row in records_of(compared.rows):
        has_ratio = not math.isnan(row["ratio"])
        rows.append(
            [
                TextCell(row["benchmark"], href=links.benchmark(row)),
                row["parameters"],
                row["family"],
                row["metric"],
                _value(row, "baseline_"),
                _value(row, ""),
                number_cell(ratio_text(row["ratio"]), row["ratio"]),
                ratio_interval_text(row["ratio"], row["ratio_low"], row["ratio_high"]),
                TextCell(row["verdict"], hover=row["note"], mark=VERDICT_MARKS.get(row["verdict"], "")),
                _yes(row["is_significant"]) if has_ratio else "",
                _yes(row["is_relevant"]) if has_ratio else "",
                row["note"],
            ]
        )
    columns = (
        Column("benchmark", "Benchmark", is_long=True),
        Column("parameters", "Parameters", is_long=True),
        Column("family", "Family", filter="values"),
        Column("metric", "Metric", filter="values"),
        Column("baseline", one, "number"),
        Column("value", two, "number"),
        Column("ratio", "Ratio", "number"),
        Column("interval", "99 % interval"),
        Column("verdict", "Verdict", filter="values"),
        Column("significant", "Significant"),
        Column("relevant", "Relevant"),
        Column("note", "Note", is_long=True),
    )
    return SiteTable("compare", f"{two} against {one}", columns, rows, "bench-late")


def _value(row: Mapping[str, Any], prefix: str) -> TextCell:
    value = row[f"{prefix}value"]
    status = row[f"{prefix}status"]
    if not isinstance(status, str):
        return number_cell("missing", None, mark="bench-quiet")
    if status != "ok":
        return number_cell(status_words(status), None, hover=row[f"{prefix}reason"], mark="bench-bad")
    return number_cell(readable(float(value), row[f"{prefix}unit"]), value)


def _yes(value: Any) -> str:
    return "unknown" if value is pd.NA or value is None else "yes" if value else "no"


def means_table(results: Results, sides: Sequence[str]) -> SiteTable:
    """Geometric means of the ratios by family."""
    one, two = sides
    means = compare(results, [Side("machine", one), Side("machine", two)]).means
    rows: list[list[TableCell]] = [
        [
            row["family"],
            row["metric"],
            row["candidate"],
            number_cell(ratio_text(row["geometric_mean"]) or "none", row["geometric_mean"]),
            number_cell(str(row["num_rows"]), row["num_rows"]),
            number_cell(str(row["num_left_out"]), row["num_left_out"]),
        ]
        for row in records_of(means)
    ]
    columns = (
        Column("family", "Family"),
        Column("metric", "Metric"),
        Column("against", "Against"),
        Column("mean", "Geometric mean", "number"),
        Column("rows", "Rows", "number"),
        Column("left_out", "Left out", "number"),
    )
    return SiteTable("means", "Geometric means of the ratios, by family", columns, rows, "bench-late")
