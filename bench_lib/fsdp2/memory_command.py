"""``bench-lib fsdp2 memory``: where a rank's memory goes, at world sizes that nobody here has."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import uuid
from pathlib import Path
from typing import Any

import click

from bench_lib.errors import EXIT_VERDICT, UsageError
from bench_lib.files import write_whole
from bench_lib.fsdp2 import charts
from bench_lib.fsdp2 import fit as fitting
from bench_lib.fsdp2.commands import progress_line
from bench_lib.fsdp2.owners import OWNERS
from bench_lib.fsdp2.tracked_memory import Question, TrackedMemory, track
from bench_lib.fsdp2.variants import BASELINE
from bench_lib.hardware import detect, find
from bench_lib.hardware.environment import capture, own_checkout
from bench_lib.model import Hardware, Measurement, Run
from bench_lib.results import records
from bench_lib.units import format_value

BENCHMARK = "fsdp2_memory.Tracked"
VERSION = "1"
#: What simulated figures are filed under: they are of no device.
NO_HARDWARE = "no-hardware"


def rank_counts(text: str) -> list[int]:
    """Whole numbers from ``1,2,4``.

    Raises
    ------
    UsageError
        It is something else.
    """
    try:
        counts = [int(part) for part in text.split(",")]
    except ValueError:
        raise UsageError.of("--ranks", found=text, expected="whole numbers, such as 8 or 1,8,64") from None
    if len(set(counts)) != len(counts):
        raise UsageError.of("--ranks", found=text, expected="each number once")
    return counts


def device_capacity(slug: str) -> tuple[Hardware, float]:
    """A device of the catalogue and its memory.

    Raises
    ------
    UsageError
        It has no file, or its file says no memory.
    """
    from bench_lib.hardware import all_hardware

    hardware = find(slug)
    if hardware is None or hardware.memory_bytes is None:
        known = ", ".join(h.slug for h in all_hardware() if h.memory_bytes is not None)
        raise UsageError.of("--fit", found=slug, expected=f"one of {known}")
    return hardware, hardware.memory_bytes


def as_json(tracked: TrackedMemory, found: fitting.Fit | None) -> dict[str, Any]:
    """The document that ``--json`` prints. Sizes in bytes."""
    question = tracked.question
    document: dict[str, Any] = {
        "schema": 1,
        "preset": question.preset,
        "variant": question.variant,
        "num_ranks": question.num_ranks,
        "batch_per_rank": tracked.batch_per_rank,
        "sequence_length": tracked.sequence_length,
        "param_dtype": question.param_dtype,
        "optimizer": "AdamW, foreach" if question.foreach else "AdamW, one parameter at a time",
        "num_parameters": tracked.num_parameters,
        "num_layers": tracked.num_layers,
        "origin": "simulated",
        "method": tracked.method,
        "peak_allocated_bytes": tracked.peak_bytes,
        "peak_at": tracked.moment,
        "peak_allocated_by_owner_bytes": dict(tracked.by_owner),
    }
    if found is not None:
        document["fit"] = {
            **dataclasses.asdict(found),
            "reserved_model": fitting.model_document(),
        }
    return document


def as_text(tracked: TrackedMemory, found: fitting.Fit | None) -> str:
    """A few lines for a person."""
    q = tracked.question
    plural = "s" if q.num_ranks != 1 else ""
    lines = [
        f"{q.preset}, {q.variant}, on {q.num_ranks} rank{plural}, batch ({tracked.batch_per_rank}, "
        f"{tracked.sequence_length}) a rank, simulated",
        f"  {'peak allocated':<36} {format_value(tracked.peak_bytes, 'B')}  ({tracked.moment})",
    ]
    for owner, title in OWNERS.items():
        if tracked.by_owner[owner]:
            lines.append(f"    {title.lower():<34} {format_value(tracked.by_owner[owner], 'B')}")
    lines.append(f"  {tracked.method}")
    if found is not None:
        bounds = (
            f"{format_value(found.reserved_low_bytes, 'B')} to {format_value(found.reserved_high_bytes, 'B')}"
        )
        lines += [
            f"  {'peak reserved, modelled':<36} {format_value(found.reserved_bytes, 'B')}  ({bounds})",
            f"  fits into {found.hardware} ({format_value(found.capacity_bytes, 'B')}): {found.fits}",
            f"  largest batch a rank: {found.largest_batch} by that estimate, {found.largest_batch_sure} by "
            "its upper bound",
        ]
    return "\n".join(lines)


def as_run(tracked: TrackedMemory, *, session: str) -> Run:
    """A record, marked as simulated."""
    q = tracked.question
    measurements = [Measurement("peak_allocated", (float(tracked.peak_bytes),), clock=tracked.method)]
    measurements += [
        Measurement(f"peak_{owner}", (float(num_bytes),), clock=tracked.method)
        for owner, num_bytes in tracked.by_owner.items()
    ]
    return Run(
        benchmark=BENCHMARK,
        version=VERSION,
        params={
            "preset": q.preset,
            "num_ranks": q.num_ranks,
            "variant": q.variant,
            "batch_per_rank": tracked.batch_per_rank,
            "sequence_length": tracked.sequence_length,
        },
        hardware=NO_HARDWARE,
        environment=capture(detect(), root=own_checkout()),
        status="ok",
        measurements=tuple(measurements),
        origin="simulated",
        details={
            "param_dtype": q.param_dtype,
            "optimizer_foreach": q.foreach,
            "num_parameters": tracked.num_parameters,
            "peak_at": tracked.moment,
        },
        session=session,
    )


@click.command("memory")
@click.option("--preset", required=True, metavar="P", help="A preset, or module:attribute.")
@click.option("--ranks", required=True, metavar="N[,N…]", help="World sizes, from 1 to 65536.")
@click.option("--variant", default=BASELINE, show_default=True, metavar="V", help="As of `fsdp2 run`.")
@click.option("--batch", type=int, metavar="B", help="Sequences a rank; the preset's if left out.")
@click.option("--seq", type=int, metavar="S", help="Tokens a sequence; the preset's if left out.")
@click.option("--dtype", type=click.Choice(["bfloat16", "float32"]), default="bfloat16", show_default=True)
@click.option(
    "--foreach/--no-foreach",
    default=True,
    show_default=True,
    help="Step all parameters at once, as AdamW does on CUDA, or one by one, as on a CPU.",
)
@click.option(
    "--fit", "fit_slug", metavar="SLUG", help="Does it fit on this device, and what is the largest batch?"
)
@click.option("--exact", is_flag=True, help="Track every layer of a deep model.")
@click.option("--no-cache", is_flag=True, help="Track again what is known.")
@click.option(
    "--chart", type=click.Path(path_type=Path, dir_okay=False), help="Draw an SVG: owners by ranks."
)
@click.option("--results", type=click.Path(path_type=Path), help="Also store records in this directory.")
@click.option("--json", "json_", is_flag=True, help="Print JSON on standard output; a list for several N.")
def memory_command(
    *,
    preset: str,
    ranks: str,
    variant: str,
    batch: int | None,
    seq: int | None,
    dtype: str,
    foreach: bool,
    fit_slug: str | None,
    exact: bool,
    no_cache: bool,
    chart: Path | None,
    results: Path | None,
    json_: bool,
) -> None:
    """Track a rank's peak memory by owner with fake tensors: any world size, no GPU, nothing allocated.

    The figures are of allocated memory, and simulated. Deep models are tracked at a few layers and continued
    in a line; the answer says so.

    Exit code 0: answered. 1: with --fit, it does not fit for sure. 2: bad use, or a variant that cannot be
    tracked.
    """
    questions = [
        Question(preset, n, variant, batch, seq, param_dtype=dtype, foreach=foreach)
        for n in rank_counts(ranks)
    ]
    device = device_capacity(fit_slug) if fit_slug is not None else None
    charts.require_chart(chart)
    if results is not None:
        records.require_writable(results)
    answers: list[tuple[TrackedMemory, fitting.Fit | None]] = []
    with contextlib.ExitStack() as stack:
        progress = stack.enter_context(progress_line())

        def ask(question: Question) -> TrackedMemory:
            return track(question, exact=exact, cache=not no_cache, report=progress)

        for question in questions:
            tracked = ask(question)
            found = None
            if device is not None:
                found = fitting.fit(tracked, hardware=device[0], capacity=device[1], track=ask)
            answers.append((tracked, found))
    session = uuid.uuid4().hex[:12]
    if results is not None:
        for tracked, _ in answers:
            click.echo(f"record: {records.write(as_run(tracked, session=session), results)}", err=True)
    if chart is not None:
        bars = [charts.Bar(str(t.question.num_ranks), t.by_owner) for t, _ in answers]
        first = answers[0][0]
        title = (
            f"{preset}, {variant}, batch ({first.batch_per_rank}, {first.sequence_length}) a rank: simulated"
        )
        write_whole(chart, charts.stacked_memory(bars, title=title))
        click.echo(f"chart: {chart}", err=True)
    if json_:
        documents = [as_json(*answer) for answer in answers]
        click.echo(json.dumps(documents[0] if len(documents) == 1 else documents, indent=1))
    else:
        click.echo("\n\n".join(as_text(*answer) for answer in answers))
    if any(found is not None and found.fits == "no" for _, found in answers):
        raise SystemExit(EXIT_VERDICT)
