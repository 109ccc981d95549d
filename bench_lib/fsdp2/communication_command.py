"""``bench-lib fsdp2 communication``: what collectives cost in one step, and how much of it is hidden."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from bench_lib.errors import EXIT_USAGE, EXIT_VERDICT
from bench_lib.files import write_whole
from bench_lib.fsdp2 import charts, profile_record, variants
from bench_lib.fsdp2.commands import progress_line
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.links import Ceiling, ceilings_of
from bench_lib.fsdp2.measure import measure_ranks
from bench_lib.fsdp2.owners import OWNERS
from bench_lib.fsdp2.profile_record import Profile, Total
from bench_lib.fsdp2.trace import StepTrace
from bench_lib.results import records
from bench_lib.units import format_value


def as_json(profile: Profile, memory: list[dict[str, int]], ceilings: dict[str, Ceiling]) -> dict[str, Any]:
    """The document that ``--json`` prints."""
    return {
        "schema": 1,
        "preset": profile.preset,
        "variant": profile.variant,
        "num_ranks": profile.num_ranks,
        "hardware": profile.hardware,
        "backend": profile.backend,
        "origin": "measured",
        "profiled_step_time_s": [rank.duration_s for rank in profile.ranks],
        "exposed_share_of_step": [profile_record.exposed_share_of_step(r) for r in profile.ranks],
        "by_kind": [
            {
                **msgspec.to_builtins(total),
                "overlapped_s": total.duration_s - total.exposed_s,
                "exposed_share": total.exposed_share,
                "ceiling_bus_bytes_per_s": _ceiling(total, ceilings),
            }
            for total in profile_record.totals(profile)
        ],
        "collectives_by_rank": [
            [
                {
                    **msgspec.to_builtins(c),
                    "overlapped_s": c.overlapped_s,
                    "bus_bytes_per_s": c.bus_bytes_per_s,
                }
                for c in rank.collectives
            ]
            for rank in profile.ranks
        ],
        "peak_allocated_by_owner_bytes": memory,
    }


def _ceiling(total: Total, ceilings: dict[str, Ceiling]) -> float | None:
    found = ceilings.get(total.kind)
    return None if found is None else found.bus_bytes_per_s(total.num_bytes / total.number)


def as_text(profile: Profile, memory: list[dict[str, int]], ceilings: dict[str, Ceiling]) -> str:
    """A few lines for a person."""
    shares = sorted(profile_record.exposed_share_of_step(r) for r in profile.ranks)
    lines = [
        f"{profile.preset}, {profile.variant}, on {profile.num_ranks} ranks, {profile.hardware}, "
        f"{profile.backend}",
        f"  one profiled step: communication exposed for {shares[0]:.0%} to {shares[-1]:.0%} of it, by rank",
    ]
    for total in profile_record.totals(profile):
        ceiling = _ceiling(total, ceilings)
        text = (
            f"  {total.number} x {total.kind}: {format_value(total.num_bytes, 'B')} in "
            f"{format_value(total.duration_s, 's')}, {total.exposed_share:.0%} exposed; bus "
            f"{format_value(total.bus_bytes_per_s, 'B/s', digits=3)}"
        )
        if ceiling is not None:
            text += f", {total.bus_bytes_per_s / ceiling:.0%} of what this size reaches alone"
        lines.append(text)
    if not profile_record.totals(profile):
        lines.append("  no collective: a single rank gathers nothing")
    largest = max(memory, key=lambda of_rank: of_rank["total"])
    lines.append(f"  peak allocated {format_value(largest['total'], 'B')}, by owner:")
    lines += [
        f"    {title.lower():<34} {format_value(largest[owner], 'B')}"
        for owner, title in OWNERS.items()
        if largest[owner]
    ]
    return "\n".join(lines)


@click.command("communication")
@click.option("--preset", required=True, metavar="P", help="A preset, or module:attribute.")
@click.option("--ranks", type=int, required=True, metavar="N", help="World size.")
@click.option("--variant", default=variants.BASELINE, show_default=True, help="As of `fsdp2 run`.")
@click.option("--batch", type=int, metavar="B", help="Sequences a rank; the preset's if left out.")
@click.option("--seq", type=int, metavar="S", help="Tokens a sequence; the preset's if left out.")
@click.option("--dtype", default="bfloat16", show_default=True, help="bfloat16 or float32.")
@click.option("--device", default="auto", show_default=True, help="cuda, cpu or auto.")
@click.option("--threads", type=int, default=1, show_default=True, help="CPU threads of each rank.")
@click.option(
    "--links", "links_file", type=click.Path(path_type=Path), help="What `fsdp2 links --json` printed."
)
@click.option("--chart", type=click.Path(path_type=Path, dir_okay=False), help="SVG: timeline of rank 0.")
@click.option("--results", type=click.Path(path_type=Path), help="Also store the profile in this directory.")
@click.option("--json", "json_", is_flag=True, help="Print one JSON document on standard output.")
def communication_command(
    *,
    preset: str,
    ranks: int,
    variant: str,
    batch: int | None,
    seq: int | None,
    dtype: str,
    device: str,
    threads: int,
    links_file: Path | None,
    chart: Path | None,
    results: Path | None,
    json_: bool,
) -> None:
    """Profile one step on N ranks: every collective's bytes, time, overlapped and exposed share.

    Also a rank's peak of allocated memory by owner. The profiled step is none of the timed ones.

    Exit code 0: measured. 1: the ranks failed. 2: bad use, or more than this machine can do.
    """
    config = RunConfig(
        preset,
        ranks,
        num_steps=1,
        num_warmup=2,
        param_dtype=dtype,
        device=device,
        threads_per_rank=threads,
        measure_memory=False,
        profile=True,
        variant=variant,
        batch_per_rank=batch,
        sequence_length=seq,
    )
    variants.require_ranks(variant, num_ranks=ranks)
    charts.require_chart(chart)
    if results is not None:
        records.require_writable(results)
    ceilings = ceilings_of(links_file) if links_file is not None else {}
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with progress_line() as progress:
        run, found = measure_ranks(config, names_variant=True, report=progress)
    if run.status != "ok":
        click.echo(f"bench-lib: {run.details.get('reason_code', run.status)}: {run.reason}", err=True)
        sys.exit(EXIT_USAGE if run.status == "skipped" else EXIT_VERDICT)
    profile = Profile(
        preset=preset,
        variant=variant,
        num_ranks=ranks,
        hardware=run.hardware,
        backend=str(run.details.get("backend")),
        started=run.environment.started,
        ranks=tuple(msgspec.convert(_without_memory(r["profile"]), StepTrace) for r in found),
    )
    memory = [dict(r["profile"]["memory_by_owner"]) for r in found]
    if chart is not None:
        title = f"{preset}, {variant}: rank 0 of {ranks}, one profiled step"
        write_whole(chart, charts.timeline(profile_record.lanes(profile.ranks[0]), title=title))
        click.echo(f"chart: {chart}", err=True)
    if results is not None:
        path = profile_record.path_of(profile, results)
        profile_record.write(profile, path)
        click.echo(f"profile: {path}", err=True)
    if json_:
        click.echo(json.dumps(as_json(profile, memory, ceilings), indent=1))
    else:
        click.echo(as_text(profile, memory, ceilings))


def _without_memory(profile: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in profile.items() if name != "memory_by_owner"}
