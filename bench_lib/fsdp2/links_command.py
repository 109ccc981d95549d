"""``bench-lib fsdp2 links``: the ceiling of this machine's links, by collective and size."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import click

from bench_lib.errors import EXIT_USAGE, EXIT_VERDICT, UsageError
from bench_lib.files import write_whole
from bench_lib.fsdp2 import charts, group, link_chart, links
from bench_lib.fsdp2.commands import progress_line
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.links import Point
from bench_lib.hardware import detect
from bench_lib.stats import summarize
from bench_lib.units import format_value


def joined(ranks: list[dict[str, Any]]) -> list[Point]:
    """Points of the group: a repeat takes as long as its slowest rank."""
    made = []
    for of_point in zip(*(rank["points"] for rank in ranks), strict=True):
        times = tuple(max(repeat) for repeat in zip(*(p["times_s"] for p in of_point), strict=True))
        made.append(Point(of_point[0]["kind"], of_point[0]["num_bytes"], len(ranks), times))
    return made


def capped(points: list[Point]) -> str:
    """Why the sweep ended before its largest size; empty where it did not."""
    largest = max(p.num_bytes for p in points)
    if largest >= links.LARGEST_BYTES:
        return ""
    return (
        f"sizes end at {format_value(largest, 'B')}, not at {format_value(links.LARGEST_BYTES, 'B')}: "
        "the next would take more than half of the free memory"
    )


@click.command("links")
@click.option("--ranks", type=int, required=True, metavar="N", help="World size, from 2 up.")
@click.option("--device", default="auto", show_default=True, help="cuda, cpu or auto.")
@click.option(
    "--chart",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.svg",
    help="Draw bus bandwidth by size.",
)
@click.option("--json", "json_", is_flag=True, help="Print one JSON document on standard output.")
def links_command(*, ranks: int, device: str, chart: Path | None, json_: bool) -> None:
    """Time all-gather and reduce-scatter alone, from 1 KiB to 1 GiB: what a step's collectives could reach.

    Bandwidths are bus bandwidths as nccl-tests defines them. Sizes are those of the whole tensor, and end
    where memory does.
    """
    if ranks < 2:
        raise UsageError.of("--ranks", found=ranks, expected="a whole number from 2 up")
    charts.require_chart(chart)
    config = RunConfig(links.JOB, ranks, num_steps=1, device=device, job="links")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with progress_line() as progress:
        outcome = group.run(config, report=progress)
    if outcome.status != "ok":
        click.echo(f"bench-lib: {outcome.code}: {outcome.reason}", err=True)
        sys.exit(EXIT_USAGE if outcome.status == "skipped" else EXIT_VERDICT)
    points = joined(sorted(outcome.ranks, key=lambda r: int(r["rank"])))
    machine = detect()
    on_gpu = outcome.ranks[0]["device"] == "cuda"
    hardware = machine.hardware if on_gpu else machine.processor
    note = capped(points)
    if chart is not None:
        title = f"{ranks} ranks, {hardware.slug}, {outcome.ranks[0]['backend']}"
        write_whole(chart, link_chart.bandwidth_by_size(points, title=title))
        click.echo(f"chart: {chart}", err=True)
    if json_:
        document = {
            "schema": 1,
            "num_ranks": ranks,
            "backend": outcome.ranks[0]["backend"],
            "hardware": hardware.slug,
            "origin": "measured",
            "note": note or None,
            "points": [_point(p) for p in points],
        }
        click.echo(json.dumps(document, indent=1))
        return
    click.echo(f"{ranks} ranks, {hardware.slug}, {outcome.ranks[0]['backend']}; bus bandwidth")
    for size in sorted({p.num_bytes for p in points}):
        here = {p.kind: p for p in points if p.num_bytes == size}
        text = "  ".join(
            f"{kind} {format_value(here[kind].median_s, 's'):>9} "
            f"{format_value(here[kind].bus_bytes_per_s, 'B/s', digits=3):>10}"
            for kind in links.KINDS
        )
        click.echo(f"  {format_value(size, 'B'):>9}  {text}")
    if note:
        click.echo(f"  {note}")


def _point(point: Point) -> dict[str, Any]:
    summary = summarize(point.times_s)
    return {
        "kind": point.kind,
        "num_bytes": point.num_bytes,
        "times_s": list(point.times_s),
        "number": links.calls_on_end(point.num_bytes),
        "median_s": summary.median,
        "algorithm_bytes_per_s": point.num_bytes / summary.median,
        "bus_bytes_per_s": point.bus_bytes_per_s,
    }
