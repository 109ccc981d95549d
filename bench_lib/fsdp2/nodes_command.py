"""``bench-lib fsdp2 nodes``: the step on nodes of this machine, beside the model's prediction of it."""

from __future__ import annotations

import dataclasses
import json
import signal
import sys
import uuid
from pathlib import Path
from typing import Any, Final

import click

from bench_lib.errors import EXIT_USAGE, UnavailableError, UsageError
from bench_lib.fsdp2 import charts
from bench_lib.fsdp2.nodes import namespaces
from bench_lib.fsdp2.nodes.namespaces import LinkShape
from bench_lib.fsdp2.nodes.study import Line, LinkResult, Study, study
from bench_lib.fsdp2.predict_command import parse_bandwidth, parse_time
from bench_lib.hardware import detect
from bench_lib.hardware.environment import capture, own_checkout
from bench_lib.model import Environment, Measurement, Run
from bench_lib.results import records
from bench_lib.units import format_value

BENCHMARK: Final = "fsdp2.Nodes"

#: Changes when what is measured changes.
VERSION: Final = "1"

_UNLIMITED: Final = ("none", "0")


def _link_text(link: LinkShape) -> str:
    rate = link.bandwidth_bytes_per_s
    parts = ["unlimited" if rate is None else f"{rate * 8 / 1e6:,.0f} Mbit/s"]
    parts.append(f"{format_value(link.latency_s, 's', digits=3)} one way" if link.latency_s else "no delay")
    return ", ".join(parts)


def _line(line: Line) -> dict[str, float]:
    return {"alpha_s": line.seconds, "beta_s_per_byte": line.seconds_per_byte, "spread": line.spread}


def _as_json(found: LinkResult) -> dict[str, Any]:
    return {
        "bandwidth_bytes_per_s": found.link.bandwidth_bytes_per_s,
        "latency_s": found.link.latency_s,
        "step_time_s": list(found.step_times),
        "median_step_time_s": found.measured,
        "origin": "measured",
        "all_gather": _line(found.gather),
        "reduce_scatter": _line(found.reduce),
        "sweep": found.sweep,
        "predicted": {
            "origin": "simulated",
            "step_time_from_sweep_s": found.predicted_from_sweep,
            "step_time_from_shape_s": found.predicted_from_shape,
            "error_from_sweep": found.error(found.from_sweep),
            "error_from_shape": found.error(found.from_shape),
        },
    }


def as_json(made: Study, *, preset: str) -> dict[str, Any]:
    """The document that ``--json`` prints. Times in seconds; the first link is the reference."""
    return {
        "schema": 1,
        "preset": preset,
        "num_nodes": made.num_nodes,
        "ranks_per_node": made.ranks_per_node,
        "delays": made.delays,
        "compute_s": made.compute_s,
        "facts": made.facts,
        "links": [_as_json(found) for found in made.links],
    }


def as_text(made: Study, *, preset: str) -> str:
    """A table for a person."""
    from tabulate import tabulate

    rows = [
        [
            _link_text(r.link) + (" (reference)" if index == 0 else ""),
            format_value(r.measured, "s", digits=3),
            format_value(r.predicted_from_sweep, "s", digits=3),
            "" if index == 0 else f"{r.error(r.from_sweep):+.0%}",
            format_value(r.predicted_from_shape, "s", digits=3),
            "" if index == 0 else f"{r.error(r.from_shape):+.0%}",
        ]
        for index, r in enumerate(made.links)
    ]
    head = ["link", "measured step", "from sweep*", "error", "from shape*", "error"]
    return "\n".join(
        [
            f"{preset} on {made.num_nodes} nodes × {made.ranks_per_node} ranks of this machine, gloo",
            tabulate(rows, headers=head, disable_numparse=True),
            "* simulated: collectives timed on the same link, or the reference's and the link's shape alone; "
            "with what the reference leaves for computation",
        ]
    )


def runs_of(made: Study, *, preset: str, hardware: str, environment: Environment, session: str) -> list[Run]:
    """Records: a measured run a link, and a simulated one for each prediction of it."""
    found = []
    for result in made.links:
        params: dict[str, str | int | float | bool] = {
            "preset": preset,
            "num_ranks": made.num_nodes * made.ranks_per_node,
            "num_nodes": made.num_nodes,
            "bandwidth_bytes_per_s": result.link.bandwidth_bytes_per_s or 0,
            "latency_s": result.link.latency_s,
        }
        details: dict[str, str | int | float | bool | None] = {
            "backend": "gloo",
            "delays": made.delays,
            "param_dtype": "float32",
            "all_gather_alpha_s": result.gather.seconds,
            "all_gather_beta_s_per_byte": result.gather.seconds_per_byte,
            "reduce_scatter_alpha_s": result.reduce.seconds,
            "reduce_scatter_beta_s_per_byte": result.reduce.seconds_per_byte,
        }
        measured = Run(
            benchmark=BENCHMARK,
            version=VERSION,
            params=params,
            hardware=hardware,
            environment=environment,
            status="ok",
            measurements=(Measurement("step_time", result.step_times, clock="host"),),
            details=details,
            session=session,
        )
        found.append(measured)
        for way, values in (("sweep", result.from_sweep), ("shape", result.from_shape)):
            found.append(
                dataclasses.replace(
                    measured,
                    params={**params, "predicted_from": way},
                    measurements=(Measurement("step_time", values),),
                    details={"compute_s": made.compute_s},
                    origin="simulated",
                )
            )
    return found


def links_of(bandwidths: tuple[str, ...], latencies: tuple[str, ...]) -> list[LinkShape]:
    """The unlimited link, then every bandwidth and latency asked for, alone and together."""
    rates: list[float | None] = [
        None if text in _UNLIMITED else parse_bandwidth(text, flag="--bandwidth") for text in bandwidths
    ] or [None]
    delays = [parse_time(text, flag="--latency") for text in latencies] or [0.0]
    asked = [LinkShape(rate, delay) for rate in rates for delay in delays]
    return list(dict.fromkeys([LinkShape(), *asked]))


@click.command("nodes")
@click.option("--preset", default="tiny", show_default=True, metavar="P", help="A workload: tiny, small, ….")
@click.option("--nodes", "num_nodes", type=int, default=2, show_default=True, help="Namespaces.")
@click.option("--ranks-per-node", type=int, default=1, show_default=True)
@click.option(
    "--bandwidth",
    multiple=True,
    metavar="RATE",
    help="Of each node, such as 1Gbit; none: unlimited. Repeatable.",
)
@click.option("--latency", multiple=True, metavar="TIME", help="One way, such as 1ms. Repeatable.")
@click.option(
    "--rounds", type=int, default=6, show_default=True, help="Times that all links are gone through."
)
@click.option("--steps", type=int, default=3, show_default=True, help="Timed steps a link and round.")
@click.option("--timeout", type=float, default=600.0, show_default=True, metavar="S", help="For everything.")
@click.option("--results", type=click.Path(path_type=Path), help="Also store records in this directory.")
@click.option(
    "--chart", type=click.Path(path_type=Path), metavar="FILE.svg", help="Predicted against measured."
)
@click.option("--json", "json_", is_flag=True, help="Print one JSON document.")
@click.option("--remove-stale", is_flag=True, help="Only remove namespaces whose maker was killed.")
def nodes_command(
    *,
    preset: str,
    num_nodes: int,
    ranks_per_node: int,
    bandwidth: tuple[str, ...],
    latency: tuple[str, ...],
    rounds: int,
    steps: int,
    timeout: float,
    results: Path | None,
    chart: Path | None,
    json_: bool,
    remove_stale: bool,
) -> None:
    """Time training steps on nodes of this machine, under links of stated bandwidth and latency.

    Nodes are network namespaces, with a rank group over torchrun and gloo. All links are gone through in
    turn, several
    times, and each is also predicted. Needs Linux, root and iproute2.
    """
    links = links_of(bandwidth, latency)
    if not 0 < timeout < 1e6:
        raise UsageError.of("--timeout", found=timeout, expected="seconds above 0")
    charts.require_chart(chart)
    if results is not None:
        records.require_writable(results)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    left = namespaces.stale()
    if remove_stale:
        namespaces.remove(left)
        click.echo(f"removed {', '.join(left)}" if left else "no stale namespace", err=True)
        return
    if left:
        click.echo(
            f"bench-lib: namespaces of a process that was killed: {', '.join(left)}; "
            "remove them: bench-lib fsdp2 nodes --remove-stale",
            err=True,
        )
    show = sys.stderr.isatty()
    try:
        made = study(
            preset,
            links=links,
            num_nodes=num_nodes,
            ranks_per_node=ranks_per_node,
            num_rounds=rounds,
            steps_per_round=steps,
            timeout_s=timeout,
            report=(lambda line: click.echo(line, err=True)) if show else (lambda line: None),
        )
    except UnavailableError as error:
        click.echo(f"bench-lib: {error}", err=True)
        sys.exit(EXIT_USAGE)
    if results is not None:
        machine = detect()
        made_runs = runs_of(
            made,
            preset=preset,
            hardware=machine.processor.slug,
            environment=capture(machine, root=own_checkout()),
            session=uuid.uuid4().hex[:12],
        )
        for run in made_runs:
            records.write(run, results)
        click.echo(f"{len(made_runs)} records: {results}", err=True)
    if chart is not None:
        _draw(made, chart)
    click.echo(json.dumps(as_json(made, preset=preset), indent=1) if json_ else as_text(made, preset=preset))


def _draw(made: Study, path: Path) -> None:
    from bench_lib.files import write_whole
    from bench_lib.fsdp2.step_model.charts import Pair, draw_pairs

    pairs = [
        Pair(f"from {way}", 1e3 * r.measured, 1e3 * value)
        for r in made.links
        for way, value in (("sweep", r.predicted_from_sweep), ("shape", r.predicted_from_shape))
    ]
    write_whole(path, draw_pairs(pairs, quantity="step time (ms)"))
