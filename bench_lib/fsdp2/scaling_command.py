"""``bench-lib fsdp2 scaling``: strong or weak scaling with MFU, HFU, tokens per second and energy."""

from __future__ import annotations

import dataclasses
import json
import math
import signal
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from bench_lib.errors import EXIT_USAGE, EXIT_VERDICT, UsageError
from bench_lib.files import write_whole
from bench_lib.fsdp2 import charts, variants
from bench_lib.fsdp2.commands import progress_line
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.measure import measure
from bench_lib.fsdp2.memory_command import rank_counts
from bench_lib.fsdp2.tracked_memory import Question, ask_facts, ask_flop
from bench_lib.hardware import find
from bench_lib.model import Run
from bench_lib.results import records
from bench_lib.stats import Summary, ratio_interval, summarize
from bench_lib.units import format_value

MODES = ("weak", "strong")


@dataclass(frozen=True)
class Row:
    """One number of ranks. Ratios are 3-tuples: value, low, high; ``None`` is unknown.

    ``mfu`` counts the model's FLOP, ``hfu`` also those of recomputation, both over the peak of all ranks'
    devices for the time of a step.
    """

    num_ranks: int
    batch_per_rank: int
    step_time: Summary
    tokens_per_s: tuple[float, float, float]
    efficiency: tuple[float, float, float]
    mfu: tuple[float, float, float] | None
    hfu: tuple[float, float, float] | None
    energy_per_step_j: float | None
    energy_reason: str


def efficiency(
    base: Summary, here: Summary, *, base_ranks: int, num_ranks: int, mode: str
) -> tuple[float, float, float]:
    """Speed-up over that of the smallest number of ranks, over what perfect scaling would give.

    Weak: step time there over step time here. Strong: the same, times the ratio of ranks. The interval takes
    opposite ends of both medians' intervals.
    """
    value, low, high = ratio_interval(base, here)
    factor = base_ranks / num_ranks if mode == "strong" else 1.0
    return value * factor, low * factor, high * factor


def _over(work: float, summary: Summary) -> tuple[float, float, float]:
    low = work / summary.high if math.isfinite(summary.high) else 0.0
    return work / summary.median, low, work / summary.low if summary.low > 0 else math.inf


def rows(
    runs: list[Run], *, mode: str, flop: tuple[float, float], base_batch: int, peak: float | None
) -> list[Row]:
    """Rows of one session, the smallest number of ranks first.

    ``flop`` is (model, with recomputation) of one rank at ``base_batch``; it grows with the batch.
    """
    made: list[Row] = []
    summaries = [summarize(_step_times(run)) for run in runs]
    for run, summary in zip(runs, summaries, strict=True):
        num_ranks = int(run.params["num_ranks"])
        batch = int(run.details["batch_per_rank"] or 0)
        model, hardware = (f * batch / base_batch for f in flop)
        energy = run.details.get("energy_per_step_j")
        first = runs[0]
        made.append(
            Row(
                num_ranks=num_ranks,
                batch_per_rank=batch,
                step_time=summary,
                tokens_per_s=_over(float(run.details["tokens_per_step"] or 0), summary),
                efficiency=(1.0, 1.0, 1.0)
                if run is first
                else efficiency(
                    summaries[0],
                    summary,
                    base_ranks=int(first.params["num_ranks"]),
                    num_ranks=num_ranks,
                    mode=mode,
                ),
                mfu=None if peak is None else _over(model / peak, summary),
                hfu=None if peak is None else _over(hardware / peak, summary),
                energy_per_step_j=float(energy) if isinstance(energy, int | float) else None,
                energy_reason=str(run.details.get("energy_reason") or ""),
            )
        )
    return made


def _step_times(run: Run) -> tuple[float, ...]:
    found = run.measurement("step_time")
    assert found is not None  # the caller passes runs that are ok
    return found.samples


def batches(mode: str, *, counts: list[int], batch_per_rank: int) -> list[int]:
    """Batch a rank at each number of ranks; strong scaling keeps that of the whole group.

    Raises
    ------
    UsageError
        The batch of the smallest group does not divide.
    """
    if mode == "weak":
        return [batch_per_rank] * len(counts)
    whole = batch_per_rank * counts[0]
    for n in counts:
        if whole % n:
            raise UsageError.of(
                "--ranks",
                found=n,
                expected=f"a divisor of the batch of all ranks, {whole}",
                hint="Pass a larger --batch: it is that of a rank at the smallest number of ranks.",
            )
    return [whole // n for n in counts]


@click.command("scaling")
@click.option("--preset", required=True, metavar="P", help="A preset, or module:attribute.")
@click.option("--ranks", required=True, metavar="N,N…", help="World sizes, such as 1,2,4.")
@click.option("--mode", type=click.Choice(MODES), default="weak", show_default=True)
@click.option("--variant", default=variants.BASELINE, show_default=True, help="As of `fsdp2 run`.")
@click.option("--batch", type=int, metavar="B", help="Sequences a rank at the smallest number of ranks.")
@click.option("--seq", type=int, metavar="S", help="Tokens a sequence; the preset's if left out.")
@click.option("--steps", type=int, default=20, show_default=True, help="Timed steps a launch.")
@click.option("--dtype", default="bfloat16", show_default=True, help="bfloat16 or float32.")
@click.option("--device", default="auto", show_default=True, help="cuda, cpu or auto.")
@click.option(
    "--peak-flop-per-s", type=float, metavar="F", help="Of one rank's device; the catalogue's if left out."
)
@click.option("--chart", type=click.Path(path_type=Path, dir_okay=False), help="SVG: efficiency by ranks.")
@click.option("--results", type=click.Path(path_type=Path), help="Also store the records in this directory.")
@click.option("--json", "json_", is_flag=True, help="Print one JSON document on standard output.")
def scaling_command(
    *,
    preset: str,
    ranks: str,
    mode: str,
    variant: str,
    batch: int | None,
    seq: int | None,
    steps: int,
    dtype: str,
    device: str,
    peak_flop_per_s: float | None,
    chart: Path | None,
    results: Path | None,
    json_: bool,
) -> None:
    """Measure the step at several numbers of ranks: same work a rank (weak) or in all (strong).

    Exit code 0: measured. 1: a launch failed. 2: bad use, or more than this machine can do.
    """
    counts = sorted(rank_counts(ranks))
    for n in counts:
        variants.require_ranks(variant, num_ranks=n)
    if peak_flop_per_s is not None and not 0 < peak_flop_per_s < 1e18:
        raise UsageError.of("--peak-flop-per-s", found=peak_flop_per_s, expected="FLOP/s above 0")
    facts = ask_facts(preset, batch_per_rank=batch, sequence_length=seq)
    each = batches(mode, counts=counts, batch_per_rank=facts["batch_per_rank"])
    configs = [
        RunConfig(
            preset,
            n,
            num_steps=steps,
            param_dtype=dtype,
            device=device,
            measure_memory=False,
            variant=variant,
            batch_per_rank=b,
            sequence_length=seq,
        )
        for n, b in zip(counts, each, strict=True)
    ]
    charts.require_chart(chart)
    question = Question(preset, counts[0], variant, facts["batch_per_rank"], seq)
    flop = ask_flop(question)
    if results is not None:
        records.require_writable(results)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    session = uuid.uuid4().hex[:12]
    runs: list[Run] = []
    for config in configs:
        with progress_line() as progress:
            run = dataclasses.replace(measure(config, names_variant=True, report=progress), session=session)
        if results is not None:
            click.echo(f"record: {records.write(run, results)}", err=True)
        if run.status != "ok":
            reason = run.details.get("reason_code", run.status)
            click.echo(f"bench-lib: {config.num_ranks} ranks: {reason}: {run.reason}", err=True)
            sys.exit(EXIT_USAGE if run.status == "skipped" else EXIT_VERDICT)
        runs.append(run)
    peak, peak_source = _peak(peak_flop_per_s, hardware=runs[0].hardware, dtype=dtype)
    made = rows(runs, mode=mode, flop=flop, base_batch=facts["batch_per_rank"], peak=peak)
    if chart is not None:
        _draw(chart, made, title=f"{preset}, {variant}: {mode} scaling on {runs[0].hardware}")
    if json_:
        document = {
            "schema": 1,
            "preset": preset,
            "variant": variant,
            "mode": mode,
            "hardware": runs[0].hardware,
            "origin": "measured",
            "model_flop_per_step_and_rank": flop[0],
            "hardware_flop_per_step_and_rank": flop[1],
            "peak_flop_per_s": peak,
            "peak_source": peak_source,
            "rows": [_row_json(row) for row in made],
        }
        click.echo(json.dumps(document, indent=1))
        return
    click.echo(f"{preset}, {variant}, {mode} scaling, {runs[0].hardware}; peak: {peak_source}")
    for row in made:
        click.echo(_row_text(row))


def _peak(given: float | None, *, hardware: str, dtype: str) -> tuple[float | None, str]:
    if given is not None:
        return given, "given"
    known = find(hardware)
    found = known.peak_flop_per_s.get(dtype) if known is not None else None
    if found is None:
        return None, f"unknown: {hardware} has no {dtype} peak on file, so MFU and HFU are unknown"
    return found, f"{hardware}'s data sheet, {dtype}, dense"


def _finite(value: tuple[float, float, float] | None) -> list[float | None] | None:
    """JSON has no infinity: an unknown bound is null."""
    return None if value is None else [v if math.isfinite(v) else None for v in value]


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "num_ranks": row.num_ranks,
        "batch_per_rank": row.batch_per_rank,
        "step_time_s": row.step_time.median,
        "step_time_interval_s": _finite((row.step_time.median, row.step_time.low, row.step_time.high)),
        "tokens_per_s": _finite(row.tokens_per_s),
        "efficiency": _finite(row.efficiency),
        "mfu": _finite(row.mfu),
        "hfu": _finite(row.hfu),
        "energy_per_step_j": row.energy_per_step_j,
        "energy_reason": row.energy_reason or None,
    }


def _row_text(row: Row) -> str:
    value, low, high = row.efficiency
    text = (
        f"  {row.num_ranks:>5} ranks, batch {row.batch_per_rank}: {format_value(row.step_time.median, 's')}, "
        f"{format_value(row.tokens_per_s[0], 'token/s', digits=3)}, efficiency {value:.1%} "
        f"(99 % interval {low:.1%} to {high:.1%})"
    )
    if row.mfu is not None and row.hfu is not None:
        text += f", MFU {row.mfu[0]:.1%}, HFU {row.hfu[0]:.1%}"
    if row.energy_per_step_j is not None:
        text += f", {row.energy_per_step_j:.3g} J a step"
    elif row.energy_reason:
        text += f"; energy unknown: {row.energy_reason}"
    return text


def _draw(path: Path, made: list[Row], *, title: str) -> None:
    readings = [charts.Reading(r.num_ranks, *r.efficiency) for r in made]
    ideal = [(r.num_ranks, 1.0) for r in made]
    write_whole(path, charts.by_ranks(readings, title=title, label="scaling efficiency", ideal=ideal))
    click.echo(f"chart: {path}", err=True)
