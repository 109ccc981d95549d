"""``bench-lib lookup``, ``compare``, ``changes`` and ``hardware``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from bench_lib.model import status_words
from bench_lib.results.options import short, with_output, with_query, with_results

if TYPE_CHECKING:
    import pandas as pd

    from bench_lib.results.frames import Results

_VERDICT_EXIT: Final = 1
Row = Mapping[str, Any]


def _name(row: Row) -> str:
    return f"{row['benchmark']}({row['parameters']})" if row["parameters"] else str(row["benchmark"])


def _day(row: Row) -> str:
    return f"{row['date']:%Y-%m-%d}" if row["date"] == row["date"] else "unknown"


@click.command()
@click.argument("pattern", default="")
@with_results
@with_query
@click.option("--hardware", multiple=True, help="Machine or device; * for any characters. May be repeated.")
@click.option("--commit", default="", help="Beginning of a commit's hash.")
@click.option("--commits", default="", metavar="FIRST..LAST", help="All commits dated from one to the other.")
@click.option("--all", "everything", is_flag=True, help="Every row, not only the newest of each series.")
@with_output
def lookup(
    found: Results,
    *,
    pattern: str,
    query: dict[str, Any],
    hardware: tuple[str, ...],
    commit: str,
    commits: str,
    everything: bool,
    form: str,
    output: Path | None,
) -> None:
    """Look up values: the newest of each benchmark that matches PATTERN, a regular expression.

    A value that could not be measured is shown with the reason.
    """
    from bench_lib.results import lookup as lookups
    from bench_lib.results.output import interval_text, readable

    first, _, last = commits.partition("..")
    asked = lookups.Query(
        **{**query, "benchmark": query["benchmark"] or pattern},
        hardware=hardware,
        commit=commit,
        first_commit=first,
        last_commit=last,
        newest=not everything and not commits,
    )
    rows = lookups.lookup(found, asked)
    readings = {
        "benchmark": _name,
        "machine": lambda r: r["machine"],
        "environment": lambda r: r["environment"],
        "commit": lambda r: short(r["commit"]),
        "date": _day,
        "value": lambda r: readable(r["value"], r["unit"]) if r["status"] == "ok" else r["status"],
        "99 % interval": lambda r: interval_text(r["low"], r["high"], r["unit"]),
        "samples": lambda r: str(r["num_samples"]) if r["num_samples"] else "",
        "origin": lambda r: r["origin"],
        # Last, because a reason can be long: before another column it would push that off the screen.
        "note": lambda r: "" if r["status"] == "ok" else r["reason"],
    }
    _print(rows, form=form, output=output, readings=readings)


@click.command()
@click.argument("sides", nargs=-1, metavar="A B ...")
@with_results
@with_query
@click.option("--hardware", multiple=True, help="Only these machines. May be repeated.")
@click.option(
    "--relevant",
    type=click.FloatRange(min=0),
    default=5.0,
    show_default=True,
    help="Percent by which a value must change to matter.",
)
@click.option("--check", is_flag=True, help="Exit with code 1 where something is worse.")
@with_output
def compare(
    found: Results,
    *,
    sides: tuple[str, ...],
    query: dict[str, Any],
    hardware: tuple[str, ...],
    relevant: float,
    check: bool,
    form: str,
    output: Path | None,
) -> None:
    """Compare machines, commits or environments: A is the baseline, the others are set against it.

    Names may be given as machine:NAME, commit:HASH or environment:NAME. The forms for programs have
    the rows; tables also have the geometric means.
    """
    from bench_lib.results import compare as comparing
    from bench_lib.results import lookup as lookups
    from bench_lib.results.output import ratio_interval_text, ratio_text, readable

    frame = lookups.lookup(found, lookups.Query(**query, hardware=hardware, newest=False))
    compared = comparing.compare(
        found, comparing.sides_of(found, sides), frame=frame, relevant_change=relevant / 100
    )
    is_commit = compared.kind == "commit"
    label = short if is_commit else str
    readings = {
        "benchmark": _name,
        **({"machine": lambda r: r["machine"]} if compared.kind != "machine" else {}),
        **({"environment": lambda r: r["environment"]} if is_commit else {}),
        **({"against": lambda r: label(r["candidate"])} if len(sides) > 2 else {}),
        label(compared.rows["baseline"].iloc[0] if len(compared.rows) else "A"): lambda r: _value(
            r, "baseline_value", readable
        ),
        "candidate"
        if len(sides) > 2
        else label(compared.rows["candidate"].iloc[0] if len(compared.rows) else "B"): lambda r: _value(
            r, "value", readable
        ),
        "ratio": lambda r: ratio_text(r["ratio"]),
        "99 % interval": lambda r: ratio_interval_text(r["ratio"], r["ratio_low"], r["ratio_high"]),
        "verdict": lambda r: r["verdict"],
        "note": lambda r: r["note"],
    }
    mean_readings = {
        "family": lambda r: r["family"],
        "metric": lambda r: r["metric"],
        "against": lambda r: label(r["candidate"]),
        "geometric mean": lambda r: ratio_text(r["geometric_mean"]),
        "rows": lambda r: str(r["num_rows"]),
        "left out": lambda r: str(r["num_left_out"]),
    }
    after = (compared.means, mean_readings)
    _print(compared.rows, form=form, output=output, readings=readings, after=after)
    if check and (compared.rows["verdict"] == "worse").any():
        raise click.exceptions.Exit(_VERDICT_EXIT)


def _value(row: Row, column: str, readable: Callable[[float, str], str]) -> str:
    prefix = column.removesuffix("value")
    status = row[f"{prefix}status"]
    if not isinstance(status, str):
        return "missing"
    # Why, the note says.
    if status != "ok":
        return status_words(status)
    return readable(float(row[column]), str(row[f"{prefix}unit"]))


@click.command()
@click.argument("pattern", default="")
@with_results
@with_query
@click.option("--hardware", multiple=True, help="Machine or device; * for any characters. May be repeated.")
@click.option("--possible", is_flag=True, help="Also steps that are possible, not only those confirmed.")
@click.option("--regressions", is_flag=True, help="Only steps for the worse.")
@click.option(
    "--min-change",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    help="Percent by which a level must change.",
)
@click.option("--check", is_flag=True, help="Exit with code 1 where a confirmed regression is listed.")
@with_output
def changes(
    found: Results,
    *,
    pattern: str,
    query: dict[str, Any],
    hardware: tuple[str, ...],
    possible: bool,
    regressions: bool,
    min_change: float,
    check: bool,
    form: str,
    output: Path | None,
) -> None:
    """List steps in the series of benchmarks that match PATTERN, the newest first.

    Every step is a range of commits, a size with its interval, and a confidence. JSON has all of them,
    possible ones included.
    """
    from bench_lib.results import lookup as lookups
    from bench_lib.results.output import change_interval_text, change_text, readable
    from bench_lib.results.series_changes import find_changes

    asked = lookups.Query(
        **{**query, "benchmark": query["benchmark"] or pattern}, hardware=hardware, newest=False
    )
    values = lookups.lookup(found, asked)
    rows = find_changes(values, found.benchmarks, min_change=min_change / 100)
    rows = found.rules.applied(rows, frame=found.frame, parameters=found.parameters)
    if regressions:
        rows = rows[rows["effect"] == "regression"].reset_index(drop=True)
    num_possible = int((rows["kind"] == "possible").sum())
    if not possible and form != "json":
        rows = rows[rows["kind"] == "confirmed"].reset_index(drop=True)
    readings = {
        "date": _day,
        "benchmark": _name,
        "machine": lambda r: r["machine"],
        "environment": lambda r: r["environment"],
        "commits": lambda r: f"{short(r['last_before'])}..{short(r['first_after'])}",
        "before": lambda r: readable(r["before"], r["unit"]),
        "after": lambda r: readable(r["after"], r["unit"]),
        "change": lambda r: change_text(r["ratio"]),
        "99 % interval": lambda r: change_interval_text(r["ratio"], r["ratio_low"], r["ratio_high"]),
        "effect": lambda r: r["effect"],
        "kind": lambda r: r["kind"],
    }

    def nothing() -> str:
        what = "no regression" if regressions else "nothing"
        return _no_change(values, what=what, num_possible=num_possible)

    _print(rows, form=form, output=output, readings=readings, nothing=nothing)
    if check and ((rows["kind"] == "confirmed") & (rows["effect"] == "regression")).any():
        raise click.exceptions.Exit(_VERDICT_EXIT)


def _no_change(values: pd.DataFrame, *, what: str, num_possible: int) -> str:
    """That nothing was listed, and in how much: of no series, that says nothing."""
    from bench_lib.results.series_changes import SHORTEST, count_series

    searched, short_ones = count_series(values)
    said = f"{what} {'confirmed' if num_possible else 'found'} in {searched} series"
    if num_possible:
        said += f", {num_possible} possible (see --possible)"
    return f"{said}; {short_ones} more with values at fewer than {SHORTEST} commits" if short_ones else said


@click.command()
@click.argument("name", default="")
@with_results
@with_output
def hardware(found: Results, *, name: str, form: str, output: Path | None) -> None:
    """List devices: what each is, its peaks with their source, and what has been measured on it.

    With NAME, only the device or machine called so.
    """
    from bench_lib.results.hardware_table import hardware_table, peaks_text
    from bench_lib.units import format_value

    rows = hardware_table(found, name=name)
    readings = {
        "device": lambda r: r["slug"],
        "name": lambda r: r["name"],
        "kind": lambda r: r["kind"],
        "memory": lambda r: format_value(r["memory_bytes"], "B"),
        "bandwidth": lambda r: format_value(r["memory_bandwidth_bytes_per_s"], "B/s"),
        "benchmarks": lambda r: str(r["num_benchmarks"]),
        "newest": lambda r: f"{r['newest']:%Y-%m-%d}" if r["newest"] == r["newest"] else "",
        "peaks (dense)": peaks_text,
        "source": lambda r: r["source"],
    }
    _print(rows, form=form, output=output, readings=readings)


def _print(
    rows: pd.DataFrame,
    *,
    form: str,
    output: Path | None,
    readings: Mapping[str, Any],
    after: tuple[pd.DataFrame, Mapping[str, Any]] | None = None,
    nothing: Callable[[], str] = lambda: "nothing found",
) -> None:
    from bench_lib.results.output import emit, render

    content = render(rows, form=form, readings=readings)
    if after is not None and isinstance(content, str) and form in ("table", "markdown"):
        second = render(after[0], form=form, readings=after[1])
        content += "\n" + str(second)
    emit(content, output)
    if not len(rows):
        click.echo(f"bench-lib: {nothing()}.", err=True)
