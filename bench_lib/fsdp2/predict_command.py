"""``bench-lib fsdp2 predict`` and ``calibrate``: the step model from the command line. Loads no torch."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from bench_lib.errors import UsageError
from bench_lib.files import require_writable_file, write_whole
from bench_lib.fsdp2 import charts
from bench_lib.fsdp2.step_model import constants as calibrations
from bench_lib.fsdp2.step_model.prediction import (
    LEVEL,
    Anchor,
    Interval,
    Network,
    Prediction,
    network_of,
    predict,
)
from bench_lib.fsdp2.step_model.schedule import CollectiveTotal
from bench_lib.fsdp2.step_model.setup import TrainingSetup
from bench_lib.fsdp2.step_model.shapes import find_shape
from bench_lib.hardware import all_hardware, find
from bench_lib.model import Hardware
from bench_lib.units import format_value

_BANDWIDTH = re.compile(
    r"\s*([0-9.]+(?:e[0-9]+)?)\s*(GB/s|MB/s|B/s|Gbit/s|Mbit/s|Gbit|Mbit|)\s*", re.IGNORECASE
)
_PER_S = {
    "gb/s": 1e9,
    "mb/s": 1e6,
    "b/s": 1.0,
    "gbit/s": 1.25e8,
    "mbit/s": 1.25e5,
    "gbit": 1.25e8,
    "mbit": 1.25e5,
    "": 1.0,
}
_TIME = re.compile(r"\s*([0-9.]+(?:e-?[0-9]+)?)\s*(s|ms|us|µs)\s*")
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def parse_bandwidth(text: str, *, flag: str) -> float:
    """Bytes/s from ``450GB/s``, ``1Gbit`` or a plain number of bytes/s.

    Raises
    ------
    UsageError
        It is none of these, or not above 0.
    """
    match = _BANDWIDTH.fullmatch(text)
    value = _number(match[1]) if match else None
    if match is None or value is None or value <= 0:
        raise UsageError.of(flag, found=text, expected="a rate such as 450GB/s, 400Gbit/s or 1Mbit")
    return value * _PER_S[match[2].lower()]


def parse_time(text: str, *, flag: str) -> float:
    """Seconds from ``1ms``, ``14us`` or ``0s``.

    Raises
    ------
    UsageError
        It is none of these.
    """
    match = _TIME.fullmatch(text)
    value = _number(match[1]) if match else None
    if match is None or value is None:
        raise UsageError.of(flag, found=text, expected="a time with its unit, such as 14us or 1ms")
    return value * _SECONDS[match[2]]


def parse_ranks(texts: Sequence[str]) -> list[int]:
    """Rank counts from repeated options, each of which may hold several with commas between.

    Raises
    ------
    UsageError
        One is not a whole number above 0.
    """
    counts = []
    for part in ",".join(texts).split(","):
        if not re.fullmatch(r"[0-9]{1,9}", part.strip()) or int(part) < 1:
            raise UsageError.of("--ranks", found=part, expected="whole numbers above 0, such as 8,64,512")
        counts.append(int(part))
    return sorted(set(counts))


def parse_anchor(text: str) -> Anchor:
    """``RANKS:TOKENS_PER_S`` of a run of the same training that was measured.

    Raises
    ------
    UsageError
        It is not that.
    """
    ranks, _, rate = text.partition(":")
    value = _number(rate)
    if not re.fullmatch(r"[0-9]{1,9}", ranks) or int(ranks) < 1 or value is None or value <= 0:
        raise UsageError.of(
            "--anchor", found=text, expected="RANKS:TOKENS_PER_S, tokens a second of one rank, such as 8:5762"
        )
    return Anchor(int(ranks), value)


def _range_text(interval: Interval) -> str:
    low, high = (format_value(v, "s", digits=3) for v in (interval.low, interval.high))
    return f"{low} to {high}"


def _interval(interval: Interval) -> list[float]:
    return [interval.low, interval.high]


def _collective(total: CollectiveTotal) -> dict[str, Any]:
    """Keys are those of a measured one in ``fsdp2 communication --json``."""
    return {
        "kind": total.kind,
        "number": total.number,
        "group_size": total.group_size,
        "num_bytes": total.num_bytes,
        "duration_s": total.duration_s,
        "overlapped_s": total.duration_s - total.exposed_s,
        "exposed_s": total.exposed_s,
        "exposed_share": total.exposed_s / total.duration_s,
        "bus_bytes_per_s": total.bus_bytes / total.duration_s,
    }


def as_json(
    made: Prediction, *, setup: TrainingSetup, hardware: Hardware, network: Network
) -> dict[str, Any]:
    """One prediction as ``--json`` prints it. Times in seconds, sizes in bytes."""
    memory = dataclasses.asdict(made.memory)
    inputs = dataclasses.asdict(setup)
    inputs["shape"] = setup.shape.name
    fits = None
    if hardware.memory_bytes is not None:
        fits = made.peak_reserved_bytes.value <= hardware.memory_bytes
    return {
        "schema": 1,
        "origin": made.origin,
        "preset": setup.shape.name,
        "hardware": hardware.slug,
        "num_ranks": made.num_ranks,
        "step_time_s": made.step_time_s.value,
        "step_time_interval_s": _interval(made.step_time_s),
        "interval_level": LEVEL,
        "tokens_per_s_per_rank": made.tokens_per_s_per_rank.value,
        "tokens_per_s_per_rank_interval": _interval(made.tokens_per_s_per_rank),
        "communication_s": made.timeline.communication_s,
        "exposed_communication_s": made.timeline.exposed_communication_s,
        "collectives": [_collective(total) for total in made.timeline.collectives()],
        "peak_allocated_bytes": made.memory.allocated,
        "peak_allocated_by_owner_bytes": memory,
        "peak_reserved_bytes": made.peak_reserved_bytes.value,
        "peak_reserved_interval_bytes": _interval(made.peak_reserved_bytes),
        "fits_in_memory": fits,
        "setup": inputs,
        "network": dataclasses.asdict(network),
        "notes": list(made.notes),
    }


def as_text(made: Sequence[Prediction], *, setup: TrainingSetup, hardware: Hardware) -> str:
    """A table for a person."""
    from tabulate import tabulate

    parts = [
        f"batch {setup.batch_per_rank}",
        f"sequence {setup.sequence_length}",
        f"checkpointing {setup.activation_checkpointing}",
    ]
    lines = [
        f"{setup.shape.name} on {hardware.name}, {', '.join(parts)}: simulated, nothing here was measured",
        tabulate(
            [
                [
                    f"{p.num_ranks:,}",
                    format_value(p.step_time_s.value, "s"),
                    _range_text(p.step_time_s),
                    f"{p.tokens_per_s_per_rank.value:,.0f}",
                    format_value(p.timeline.exposed_communication_s, "s", digits=3),
                    format_value(p.memory.allocated, "B", digits=3),
                    format_value(p.peak_reserved_bytes.value, "B", digits=3),
                ]
                for p in made
            ],
            headers=[
                "ranks",
                "step time",
                f"{LEVEL:.0%} interval",
                "tokens/s/rank",
                "exposed",
                "allocated",
                "reserved",
            ],
            disable_numparse=True,
            stralign="right",
        ),
    ]
    if hardware.memory_bytes is not None:
        over = [p for p in made if p.peak_reserved_bytes.value > hardware.memory_bytes]
        if over:
            ranks = ", ".join(str(p.num_ranks) for p in over)
            noun = "rank" if ranks == "1" else "ranks"
            lines.append(f"does not fit in {format_value(hardware.memory_bytes, 'B')} at {ranks} {noun}")
    lines += sorted({note for p in made for note in p.notes})
    return "\n".join(lines)


def find_hardware(name: str) -> Hardware:
    """The device of this slug or alias.

    Raises
    ------
    UsageError
        There is none: nothing is guessed from a name that looks like another.
    """
    hardware = find(name)
    if hardware is None:
        known = ", ".join(h.slug for h in all_hardware())
        raise UsageError.of("--hardware", found=name, expected=f"one of {known}")
    return hardware


@click.command("predict")
@click.option("--preset", required=True, metavar="P", help="A model's shape, such as llama3-8b or minillm.")
@click.option(
    "--hardware", "hardware_name", required=True, metavar="H", help="Slug of a device: bench-lib hardware."
)
@click.option("--ranks", required=True, multiple=True, metavar="N[,N…]", help="World sizes, 1 to 16,384.")
@click.option("--batch", type=int, metavar="B", help="Sequences a rank and pass; the preset's if left out.")
@click.option("--seq", type=int, metavar="S", help="Tokens a sequence; the preset's if left out.")
@click.option("--accumulate", type=int, default=1, show_default=True, help="Passes a step.")
@click.option(
    "--checkpointing",
    default="none",
    show_default=True,
    help="none, selective, alternate (every second block) or full.",
)
@click.option("--compile", "is_compiled", is_flag=True, help="Blocks under torch.compile.")
@click.option("--compile-loss", is_flag=True, help="The loss too.")
@click.option("--float8", is_flag=True, help="Matrix products of blocks in float8.")
@click.option("--dtype", default="bfloat16", show_default=True, help="Of computation and all-gathers.")
@click.option("--reduce-dtype", default="float32", show_default=True, help="Of reduce-scatters.")
@click.option(
    "--reshard/--no-reshard", default=True, show_default=True, help="reshard_after_forward of the blocks."
)
@click.option("--replicas", type=int, default=1, show_default=True, help="Copies of the model (HSDP).")
@click.option("--ranks-per-node", type=int, default=8, show_default=True)
@click.option(
    "--intra-bandwidth",
    metavar="RATE",
    help="A rank's, inside a node, one direction; the device's if left out.",
)
@click.option(
    "--inter-bandwidth",
    metavar="RATE",
    help="A rank's share between nodes; that of the vendor's node if left out.",
)
@click.option("--intra-latency", metavar="TIME", help="A hop inside a node.")
@click.option("--inter-latency", metavar="TIME", help="A hop between nodes.")
@click.option(
    "--anchor", metavar="RANKS:TOKENS_PER_S", help="A measured run of the same training to start from."
)
@click.option(
    "--calibration", type=click.Path(path_type=Path), help="Constants of your own: bench-lib fsdp2 calibrate."
)
@click.option("--chart", type=click.Path(path_type=Path), metavar="FILE.svg", help="Draw figures by ranks.")
@click.option(
    "--json",
    "json_",
    is_flag=True,
    help="Print JSON: one object for one rank count, else a list in `predictions`.",
)
def predict_command(
    *,
    preset: str,
    hardware_name: str,
    ranks: tuple[str, ...],
    batch: int | None,
    seq: int | None,
    accumulate: int,
    checkpointing: str,
    is_compiled: bool,
    compile_loss: bool,
    float8: bool,
    dtype: str,
    reduce_dtype: str,
    reshard: bool,
    replicas: int,
    ranks_per_node: int,
    intra_bandwidth: str | None,
    inter_bandwidth: str | None,
    intra_latency: str | None,
    inter_latency: str | None,
    anchor: str | None,
    calibration: Path | None,
    chart: Path | None,
    json_: bool,
) -> None:
    """Predict a step's time and memory on hardware and rank counts that are not at hand.

    Everything printed is simulated. How far the model is off, row by row: the page "FSDP2 model" of the site.
    """
    shape = find_shape(preset)
    hardware = find_hardware(hardware_name)
    setup = TrainingSetup(
        shape,
        shape.batch_per_rank if batch is None else batch,
        shape.sequence_length if seq is None else seq,
        accumulate,
        checkpointing,  # type: ignore[arg-type]
        is_compiled,
        compile_loss,
        float8,
        dtype,  # type: ignore[arg-type]
        reduce_dtype,  # type: ignore[arg-type]
        reshard,
        replicas,
    )
    known = calibrations.built_in() if calibration is None else calibrations.load(calibration)
    constants = calibrations.of_device(hardware.slug, calibration=known)

    def rate(text: str | None, flag: str) -> float | None:
        return None if text is None else parse_bandwidth(text, flag=flag)

    def delay(text: str | None, flag: str) -> float | None:
        return None if text is None else parse_time(text, flag=flag)

    network = network_of(
        hardware,
        ranks_per_node=ranks_per_node,
        intra_bytes_per_s=rate(intra_bandwidth, "--intra-bandwidth"),
        inter_bytes_per_s=rate(inter_bandwidth, "--inter-bandwidth"),
        intra_latency_s=delay(intra_latency, "--intra-latency"),
        inter_latency_s=delay(inter_latency, "--inter-latency"),
    )
    charts.require_chart(chart)
    made = [
        predict(
            setup,
            num_ranks=count,
            hardware=hardware,
            network=network,
            calibration=constants,
            overhead=known.reserved_memory,
            anchor=None if anchor is None else parse_anchor(anchor),
        )
        for count in parse_ranks(ranks)
    ]
    if chart is not None:
        from bench_lib.fsdp2.step_model.charts import draw_by_ranks

        write_whole(chart, draw_by_ranks(made, title=f"{shape.name} on {hardware.name}"))
        click.echo(f"chart: {chart}", err=True)
    if json_:
        documents = [as_json(p, setup=setup, hardware=hardware, network=network) for p in made]
        shown = documents[0] if len(documents) == 1 else {"origin": "simulated", "predictions": documents}
        click.echo(json.dumps(shown, indent=1))
    else:
        click.echo(as_text(made, setup=setup, hardware=hardware))


@click.command("calibrate")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE.toml",
    help="Where the constants go.",
)
@click.option(
    "--report", type=click.Path(path_type=Path), metavar="FILE.json", help="Also every row and its error."
)
def calibrate_command(*, directory: Path, output: Path, report: Path | None) -> None:
    """Fit the model's constants to the runs in DIRECTORY, and judge them.

    It holds published.csv and published_curated.json.

    Takes minutes: each row is left out once. Needs scipy.
    """
    from bench_lib.fsdp2.step_model.published import read_all
    from bench_lib.fsdp2.step_model.validation import validate

    require_writable_file(output, flag="--output")
    if report is not None:
        require_writable_file(report, flag="--report")
    made, fitted = validate(read_all(directory), report=lambda line: click.echo(line, err=True))
    write_whole(output, calibrations.to_toml(fitted))
    if report is not None:
        text = msgspec.json.format(msgspec.json.encode(made), indent=1).decode() + "\n"
        write_whole(report, text)
    for score in made.scores:
        goal = f", goal {score.goal:.1%}" if score.goal is not None else ""
        click.echo(
            f"{score.name}: {score.mean:.1%} over {score.num_rows} rows, largest {score.largest:.1%}{goal}"
        )
    click.echo(f"{LEVEL:.0%} intervals hold {made.coverage:.0%} of the rows that were left out")
