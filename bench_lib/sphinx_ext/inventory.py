"""What the results hold, and what they lack: machines, environments, commits, versions, and every gap."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from bench_lib.model import status_words
from bench_lib.results.frames import Results
from bench_lib.results.lookup import newest
from bench_lib.sphinx_ext.device_names import slugs_of
from bench_lib.sphinx_ext.figures import STATUS_MARKS, commit_cell, day_cell, records_of
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.site_links import Links
from bench_lib.sphinx_ext.site_table import Column, SiteTable, TableCell, TextCell, number_cell

_DATES = (Column("first", "First commit"), Column("last", "Last commit"))


def _count(value: Any) -> TextCell:
    return number_cell(f"{int(value)}", value)


def _groups(frame: pd.DataFrame, by: str | list[str], **more: tuple[str, Any]) -> pd.DataFrame:
    """Numbers of values, failures, benchmarks and commits of each group, and the dates it spans."""
    plain = frame.assign(has_value=(frame["status"] == "ok").to_numpy())
    return (
        plain.groupby(by, observed=True, sort=True)
        .agg(
            values=("has_value", "sum"),
            rows=("has_value", "size"),
            benchmarks=("benchmark", "nunique"),
            commits=("commit", "nunique"),
            first=("date", "min"),
            last=("date", "max"),
            **more,
        )
        .reset_index()
    )


def machines_table(results: Results, links: Links) -> SiteTable:
    """One row a machine that has results."""
    slugs = slugs_of(results)
    rows: list[list[TableCell]] = []
    for group in records_of(_groups(results.frame, "machine")):
        name = group["machine"]
        facts = results.machines.get(name)
        parts = [facts[f] for f in ("gpu", "cpu", "ram", "os") if facts.get(f)] if facts else []
        rows.append(
            [
                TextCell(name, href=links.machine(name)),
                slugs[name] if slugs[name] != name else "",
                ", ".join(parts) if facts is not None else "no machine.json",
                _count(group["benchmarks"]),
                _count(group["commits"]),
                _count(group["values"]),
                _count(group["rows"] - group["values"]),
                day_cell(group["first"]),
                day_cell(group["last"]),
            ]
        )
    columns = (
        Column("machine", "Machine"),
        Column("device", "Device file", is_long=True),
        Column("parts", "Parts", is_long=True),
        *_counts(),
        *_DATES,
    )
    return SiteTable("machines", "Machines", columns, rows)


def _counts() -> tuple[Column, ...]:
    return (
        Column("benchmarks", "Benchmarks", "number"),
        Column("commits", "Commits", "number"),
        Column("values", "Values", "number"),
        Column("without_value", "Without value", "number"),
    )


def environments_table(results: Results) -> SiteTable:
    """One row an environment."""
    rows: list[list[TableCell]] = [
        [
            group["environment"] or "(none)",
            _count(group["machines"]),
            _count(group["benchmarks"]),
            _count(group["commits"]),
            _count(group["values"]),
            _count(group["rows"] - group["values"]),
            day_cell(group["first"]),
            day_cell(group["last"]),
        ]
        for group in records_of(_groups(results.frame, "environment", machines=("machine", "nunique")))
    ]
    columns = (
        Column("environment", "Environment"),
        Column("machines", "Machines", "number"),
        *_counts(),
        *_DATES,
    )
    return SiteTable("environments", "Environments", columns, rows)


def commits_table(results: Results, links: Links) -> SiteTable:
    """One row a commit, the newest first."""
    groups = _groups(results.frame, "commit", machines=("machine", "nunique"))
    groups = groups.sort_values(["first", "commit"], ascending=[False, True], kind="stable")
    rows: list[list[TableCell]] = [
        [
            commit_cell(group["commit"], links),
            day_cell(group["first"]),
            _count(group["machines"]),
            _count(group["benchmarks"]),
            _count(group["values"]),
            _count(group["rows"] - group["values"]),
        ]
        for group in records_of(groups)
    ]
    columns = (
        Column("commit", "Commit"),
        Column("date", "Date", filter="date"),
        Column("machines", "Machines", "number"),
        *(c for c in _counts() if c.name != "commits"),
    )
    return SiteTable("commits", "Commits, the newest first", columns, rows)


def versions_table(results: Results, links: Links) -> SiteTable:
    """Benchmarks that were measured in more than one version: their values are series of their own."""
    groups = _groups(results.frame, ["benchmark", "version"])
    several = groups["benchmark"].map(groups["benchmark"].value_counts()).astype(int) > 1
    groups = groups[several.to_numpy()].sort_values(
        ["benchmark", "last"], ascending=[True, False], kind="stable"
    )
    rows: list[list[TableCell]] = [
        [
            TextCell(group["benchmark"], href=links.benchmark(group)),
            TextCell(group["version"][:12] or "unknown", hover=group["version"], mark="bench-code"),
            "in the index" if results.benchmarks[group["benchmark"]].version == group["version"] else "",
            _count(group["commits"]),
            _count(group["values"]),
            day_cell(group["first"]),
            day_cell(group["last"]),
        ]
        for group in records_of(groups)
    ]
    columns = (
        Column("benchmark", "Benchmark", filter="values", is_long=True),
        Column("version", "Version"),
        Column("current", "Current", filter="values"),
        Column("commits", "Commits", "number"),
        Column("values", "Values", "number"),
        *_DATES,
    )
    return SiteTable("versions", "Benchmarks with several versions", columns, rows)


def gaps(results: Results) -> pd.DataFrame:
    """Every series with rows without a value: how many, of which status, why, when, and whether still."""
    frame = results.frame
    keys = ["benchmark", "parameters", "machine", "environment", "status", "reason"]
    missing = frame[(frame["status"] != "ok").to_numpy()]
    found = _groups(missing, keys).drop(columns=["values", "benchmarks"])
    last = newest(frame)
    last = last[(last["status"] != "ok").to_numpy()]
    now = set(last[keys].astype(object).itertuples(index=False, name=None))
    found["still"] = [row in now for row in found[keys].astype(object).itertuples(index=False, name=None)]
    return found.sort_values(["last", *keys], ascending=[False, *([True] * len(keys))], ignore_index=True)


def gaps_table(results: Results, links: Links) -> SiteTable:
    """The rows of :func:`gaps`."""
    rows: list[list[TableCell]] = []
    for group in records_of(gaps(results)):
        status = str(group["status"])
        rows.append(
            [
                TextCell(group["benchmark"], href=links.benchmark(group)),
                group["parameters"],
                TextCell(status_words(status), mark=STATUS_MARKS.get(status, "")),
                group["reason"],
                "yes" if group["still"] else "no",
                _count(group["rows"]),
                day_cell(group["first"]),
                day_cell(group["last"]),
                TextCell(group["machine"], href=links.machine(group["machine"])),
                group["environment"],
            ]
        )
    columns = (
        Column("benchmark", "Benchmark", is_long=True),
        Column("parameters", "Parameters", is_long=True),
        Column("status", "Status", filter="values"),
        Column("reason", "Reason", filter="values", is_long=True),
        Column(
            "still", "Still", filter="values", help="Whether the newest row of the series is one of these"
        ),
        Column("rows", "Times", "number"),
        *_DATES,
        Column("machine", "Machine", filter="values"),
        Column("environment", "Environment", filter="values"),
    )
    return SiteTable("gaps", "Runs without a value, and why", columns, rows)


def unmeasured_table(results: Results) -> SiteTable:
    """Benchmarks that asv's index names and that have no row."""
    rows: list[list[TableCell]] = [[name] for name in results.unmeasured]
    return SiteTable(
        "unmeasured", "Benchmarks without results", (Column("benchmark", "Benchmark", is_long=True),), rows
    )


def damage_table(results: Results, directory: Path) -> SiteTable:
    """Files that could not be read, by their path within the results, and other notes of the reader."""
    rows: list[list[TableCell]] = []
    for error in results.damaged:
        name = error.path
        if name.is_relative_to(directory):
            name = name.relative_to(directory)
        # Pages are published: they carry no path of the machine that built them.
        cause = str(error).replace(f"{error.path}: ", "").replace(str(directory), "results")
        rows.append([TextCell(str(name), mark="bench-code"), clean(cause)])
    rows += [
        ["note", clean(note.replace(str(directory), "results"))]
        for note in results.notes
        if "cache" not in note
    ]
    columns = (Column("file", "File", is_long=True), Column("cause", "What is wrong with it", is_long=True))
    return SiteTable("damage", "Files that could not be used", columns, rows)
