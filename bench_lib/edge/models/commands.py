"""``bench-lib edge models``: the same small model on each framework."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from bench_lib.edge.frameworks import FRAMEWORKS, Case, all_cases
from bench_lib.errors import EXIT_USAGE, EXIT_VERDICT, UsageError
from bench_lib.results import records

_LONGEST_TIMEOUT_S: Final = 86_400.0


def choose_cases(
    *, frameworks: tuple[str, ...], devices: tuple[str, ...], precisions: tuple[str, ...], workload: str
) -> list[Case]:
    """Every case that matches all that is given; an empty tuple matches everything.

    Raises
    ------
    UsageError
        Nothing matches.
    """
    for name in frameworks:
        if name not in FRAMEWORKS:
            raise UsageError.of("--framework", found=name, expected=f"one of {', '.join(FRAMEWORKS)}")
    every = all_cases()
    for option, wanted, known in (
        ("--device", devices, {c.device for c in every}),
        ("--precision", precisions, {c.precision for c in every}),
    ):
        for name in wanted:
            if name not in known:
                raise UsageError.of(option, found=name, expected=f"one of {', '.join(sorted(known))}")
    found = [
        case
        for case in every
        if (not frameworks or case.framework in frameworks)
        and (not devices or case.device in devices)
        and (not precisions or case.precision in precisions)
        and workload in ("all", case.workload)
    ]
    if not found:
        raise UsageError(
            "Found no case with these options together, expected at least one. "
            "Leave one of --framework, --device, --precision and --workload out."
        )
    return found


@click.command("models")
@click.option("--framework", "frameworks", multiple=True, metavar="F", help="Repeatable.  [default: all]")
@click.option("--device", "devices", multiple=True, metavar="D", help="Repeatable.  [default: all]")
@click.option("--precision", "precisions", multiple=True, metavar="P", help="Repeatable.  [default: all]")
@click.option(
    "--workload", type=click.Choice(["decoder", "block", "all"]), default="decoder", show_default=True
)
@click.option("--rounds", type=click.IntRange(1, 1000), default=5, show_default=True)
@click.option("--samples", type=click.IntRange(1, 1000), default=6, show_default=True, help="Of each round.")
@click.option("--threads", type=click.IntRange(1, 1024), default=1, show_default=True)
@click.option("--timeout", type=click.FloatRange(min=1), default=300.0, show_default=True, help="Seconds.")
@click.option(
    "--results", type=click.Path(path_type=Path, file_okay=False), help="Also store the records here."
)
@click.option("--json", "json_", is_flag=True, help="Print one JSON document on standard output.")
def models_command(
    *,
    frameworks: tuple[str, ...],
    devices: tuple[str, ...],
    precisions: tuple[str, ...],
    workload: str,
    rounds: int,
    samples: int,
    threads: int,
    timeout: float,
    results: Path | None,
    json_: bool,
) -> None:
    """Run one small model through the frameworks that are here, on each device that they reach.

    Each runs in a process of its own, its output is compared with a float64 reference first, and samples
    are taken in turns. Exit code 0: every one that this machine can run was right. 1: one was wrong, crashed,
    or ran on another device than asked for. 2: bad use, or nothing could run.
    """
    from bench_lib.edge.models import measure, present

    # Neither "nan" nor "inf" is a patience.
    if not timeout <= _LONGEST_TIMEOUT_S:
        raise UsageError.of("--timeout", found=timeout, expected=f"1 to {_LONGEST_TIMEOUT_S:g} seconds")
    cases = choose_cases(frameworks=frameworks, devices=devices, precisions=precisions, workload=workload)
    if results is not None:
        records.require_writable(results)
    runs = measure.measure(
        cases,
        plan=measure.Plan(num_rounds=rounds, samples_a_round=samples, threads=threads, timeout_s=timeout),
        report=_progress(),
    )
    if results is not None:
        for run in runs:
            records.write(run, results)
        click.echo(f"records: {len(runs)} in {results}", err=True)
    if json_:
        document = {"schema": 1, "models": [present.as_json(run, runs) for run in runs]}
        click.echo(json.dumps(document, indent=1, allow_nan=False))
    else:
        click.echo(present.as_text(runs))
    if all(run.status == "skipped" for run in runs):
        click.echo(f"bench-lib: nothing could run; the first: {runs[0].reason}", err=True)
        sys.exit(EXIT_USAGE)
    if any(run.status not in ("ok", "skipped") for run in runs):
        sys.exit(EXIT_VERDICT)


def _progress() -> Callable[[str], None]:
    if not sys.stderr.isatty():
        return lambda line: None
    return lambda line: click.echo(f"\r\033[K{line}", nl=False, err=True)
