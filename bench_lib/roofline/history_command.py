"""``bench-lib kernels``: tracked kernels, and those whose class changed between commits."""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path

import click

from bench_lib.errors import EXIT_USAGE, EXIT_VERDICT
from bench_lib.model import Run
from bench_lib.results import records
from bench_lib.roofline.class_history import KernelHistory, histories, labels_of
from bench_lib.roofline.kernel_names import printable, short_kernel_name
from bench_lib.units import format_value


def value_of(run: Run, metric: str) -> float | None:
    """Median of a metric's samples; ``None`` where the record has none."""
    found = run.measurement(metric)
    return statistics.median(found.samples) if found is not None and found.samples else None


def _commit(run: Run) -> str:
    return printable((run.environment.commit or "unknown commit")[:10])


def _json(history: KernelHistory) -> dict[str, object]:
    return {
        "kernel": history.kernel,
        "benchmark": history.newest.benchmark,
        "hardware": history.newest.hardware,
        "origin": history.newest.origin,
        "commits": [
            {
                "commit": run.environment.commit,
                "duration_s": value_of(run, "kernel_duration"),
                "time_over_roof": value_of(run, "time_over_roof"),
                "labels": labels_of(run).split(", "),
            }
            for run in history.runs
        ],
        "changes": [
            {
                "before": a.environment.commit,
                "after": b.environment.commit,
                "labels_before": labels_of(a).split(", "),
                "labels_after": labels_of(b).split(", "),
            }
            for a, b in history.changes
        ],
    }


@click.command()
@click.option(
    "--results",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    default=Path("results"),
    show_default=True,
    help="Directory with records.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def kernels(results: Path, as_json: bool) -> None:
    """List tracked kernels and name those whose class changed between commits.

    The exit code is 1 where a class changed at the newest commit of a kernel, 2 where a record is damaged.
    """
    loaded = records.load(results)
    found = histories(loaded.runs)
    if as_json:
        document = {"schema": 1, "kernels": [_json(h) for h in found]}
        click.echo(json.dumps(document, allow_nan=False))
    else:
        for history in found:
            newest = history.newest
            over = value_of(newest, "time_over_roof")
            click.echo(
                f"{short_kernel_name(history.kernel):44}  {printable(newest.hardware)}  {_commit(newest)}  "
                f"{format_value(value_of(newest, 'kernel_duration'), 's'):>10}  "
                f"{'unknown' if over is None else f'{over:.3g}×'} of its roof's time  "
                f"{printable(labels_of(newest))}  ({newest.origin}, {len(history.runs)} commits)"
            )
        for history in found:
            for before, after in history.changes:
                click.echo(
                    f"changed class: {printable(history.kernel)} on {printable(after.hardware)}: "
                    f"{printable(labels_of(before))} → {printable(labels_of(after))} "
                    f"({_commit(before)} → {_commit(after)})"
                )
    for error in loaded.damaged:
        click.echo(f"bench-lib: {error}", err=True)
    if loaded.damaged:
        sys.exit(EXIT_USAGE)
    if any(h.changes and h.changes[-1][1] is h.newest for h in found):
        sys.exit(EXIT_VERDICT)
