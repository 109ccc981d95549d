"""``bench-lib ncu``: profile with Nsight Compute."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

import click

from bench_lib.roofline.collect import ClockControl, MetricSet, Request, collect
from bench_lib.roofline.commands import classify


@click.group()
def ncu() -> None:
    """Profile a program with Nsight Compute (needs an NVIDIA GPU and ncu)."""


@ncu.command("run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=Path("ncu-report"),
    show_default=True,
    help="Report to write, without its ending; with ranks, `_rankN` is added.",
)
@click.option(
    "--set", "metric_set", type=click.Choice(["full", "verdict"]), default="full", show_default=True
)
@click.option(
    "--clock-control",
    type=click.Choice(["base", "none"]),
    default="base",
    show_default=True,
    help="Hold the clocks at base, or leave them; recorded in the report.",
)
@click.option("--kernel", help="Regular expression for kernel names.")
@click.option("--nvtx", "nvtx_range", help="Profile inside this NVTX range only.")
@click.option("--launch-count", type=click.IntRange(min=1), help="Launches to profile.")
@click.option("--launch-skip", type=click.IntRange(min=0), help="Launches to pass over first.")
@click.option("--ranks", type=click.IntRange(min=1), default=1, help="Start the script on so many ranks.")
@click.option("--overwrite", is_flag=True, help="Replace a report that exists.")
@click.pass_context
def run(  # noqa: PLR0917 (click passes its options by name)
    context: click.Context,
    command: tuple[str, ...],
    output: Path,
    metric_set: str,
    clock_control: str,
    kernel: str | None,
    nvtx_range: str | None,
    launch_count: int | None,
    launch_skip: int | None,
    ranks: int,
    overwrite: bool,
) -> None:
    """Profile COMMAND and say what bounds its kernels: bench-lib ncu run -- python script.py"""
    words = (sys.executable, *command[1:]) if command[0] == "python" else command
    request = Request(
        command=words,
        output=output,
        metric_set=cast(MetricSet, metric_set),
        clock_control=cast(ClockControl, clock_control),
        kernel=kernel,
        nvtx_range=nvtx_range,
        launch_count=launch_count,
        launch_skip=launch_skip,
        num_ranks=ranks,
        overwrite=overwrite,
    )
    reports = collect(request)
    click.echo(f"clock control: {clock_control}", err=True)
    context.invoke(
        classify, paths=tuple(reports), output="table", as_json=False, include=(), chart=None, against=None
    )
