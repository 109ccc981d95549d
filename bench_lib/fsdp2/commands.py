"""``bench-lib fsdp2``: one measurement without asv, on this machine or as one node of a cluster."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
import signal
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from bench_lib.errors import EXIT_USAGE, EXIT_VERDICT, UsageError
from bench_lib.fsdp2 import variants
from bench_lib.fsdp2.config import Rendezvous, RunConfig
from bench_lib.fsdp2.nodes_command import nodes_command
from bench_lib.fsdp2.predict_command import calibrate_command, predict_command
from bench_lib.fsdp2.variants import BASELINE, VARIANTS
from bench_lib.metrics import METRICS
from bench_lib.model import Run
from bench_lib.results import records
from bench_lib.stats import summarize
from bench_lib.units import format_value

#: Command → where it is; loaded when it is called.
_COMMANDS: Final = {
    "communication": "bench_lib.fsdp2.communication_command:communication_command",
    "links": "bench_lib.fsdp2.links_command:links_command",
    "scaling": "bench_lib.fsdp2.scaling_command:scaling_command",
    "memory": "bench_lib.fsdp2.memory_command:memory_command",
}


class _Commands(click.Group):
    """Commands of this module, and those of modules of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = _COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
def fsdp2() -> None:
    """Training steps of fully_shard models on real ranks."""


def as_json(run: Run) -> dict[str, Any]:
    """The document that ``--json`` prints. Times in seconds, sizes in bytes, ``null`` where unknown.

    ``step_time_s`` holds the slowest rank of each timed step; ``loss`` one value a timed step, averaged
    over ranks; the peaks one value a rank.
    """
    warmup = 0

    def group(metric: str) -> list[float] | None:
        found = run.measurement(metric)
        return None if found is None else list(found.samples)

    def by_rank(metric: str) -> list[list[float]]:
        found = [m for m in run.measurements if m.metric == metric and m.rank is not None]
        return [list(m.samples) for m in sorted(found, key=lambda m: m.rank or 0)]

    def one_a_rank(metric: str) -> list[float] | None:
        return [samples[0] for samples in by_rank(metric)] or None

    def source(metric: str) -> str | None:
        found = run.measurement(metric)
        return None if found is None else found.clock

    step_time = run.measurement("step_time")
    if step_time is not None:
        warmup = step_time.warmup
    losses = group("loss")
    return {
        "schema": 1,
        "preset": run.params["preset"],
        "num_ranks": run.params["num_ranks"],
        "variant": run.params.get("variant", BASELINE),
        "backend": run.details.get("backend"),
        "device": run.details.get("device"),
        "status": run.status,
        "reason": run.reason or None,
        "failed_rank": run.failed_rank,
        "traceback": run.traceback or None,
        "step_time_s": group("step_time"),
        "step_time_s_by_rank": by_rank("step_time") or None,
        "loss": None if losses is None else losses[warmup:],
        "warmup_loss": None if losses is None else losses[:warmup],
        "cpu_time_s": one_a_rank("cpu_time"),
        "peak_allocated_bytes": one_a_rank("peak_allocated"),
        "peak_allocated_source": source("peak_allocated"),
        "peak_reserved_bytes": one_a_rank("peak_reserved"),
        "peak_rss_bytes": one_a_rank("peak_rss"),
        "peak_rss_source": source("peak_rss"),
        "hardware": run.hardware,
        "clock": source("step_time"),
        "details": dict(run.details),
        "environment": dataclasses.asdict(run.environment),
        "version": run.version,
        "origin": run.origin,
    }


def as_text(run: Run) -> str:
    """A few lines for a person."""
    ranks = run.params["num_ranks"]
    variant = f", {run.params['variant']}" if "variant" in run.params else ""
    head = f"{run.params['preset']}{variant} on {ranks} rank{'s' if ranks != 1 else ''}, {run.hardware}"
    if run.status != "ok":
        return "\n".join([f"{head}: {run.status}: {run.reason}", *([run.traceback] if run.traceback else [])])
    lines = [f"{head}, {run.details.get('backend')} on {run.details.get('device')}"]
    for name in ("step_time", "peak_allocated", "peak_reserved", "peak_rss"):
        found = run.measurement(name)
        if found is None:
            continue
        unit = METRICS[name].unit
        text = f"  {METRICS[name].title.lower():<18} {format_value(summarize(found.samples).median, unit)}"
        if len(found.samples) > 1:
            summary = summarize(found.samples)
            low, high = format_value(summary.low, unit), format_value(summary.high, unit)
            text += f"  (median of {summary.num_samples}; 99 % interval {low} to {high})"
        else:
            text += f"  (largest rank; {found.clock})"
        lines.append(text)
    loss = run.measurement("loss")
    if loss is not None:
        lines.append(
            f"  {'loss':<18} {loss.samples[0]:.4f} at the first step, {loss.samples[-1]:.4f} at the last"
        )
    return "\n".join(lines)


def _rdzv_conf(text: str) -> dict[str, str] | None:
    if not text:
        return None
    pairs = [item.partition("=") for item in text.split(",")]
    if not all(key and equals for key, equals, _ in pairs):
        raise UsageError.of("--rdzv-conf", found=text, expected="KEY=VALUE[,KEY=VALUE…]")
    return {key.strip(): value.strip() for key, _, value in pairs}


@fsdp2.command("run")
@click.option("--preset", required=True, metavar="P", help="tiny, small, minillm, or module:attribute.")
@click.option(
    "--ranks", type=int, required=True, metavar="N", help="World size: ranks of all nodes together."
)
@click.option(
    "--variant",
    "variant_list",
    metavar="V[,V…]",
    help=f"One after another: {', '.join(VARIANTS)}. Join several into one with +.",
)
@click.option("--batch", type=int, metavar="B", help="Sequences a rank and step; the preset's if left out.")
@click.option("--seq", type=int, metavar="S", help="Tokens a sequence; the preset's if left out.")
@click.option("--steps", type=int, default=20, show_default=True, metavar="K", help="Timed steps.")
@click.option("--warmup", type=int, default=3, show_default=True, help="Steps before them.")
@click.option("--dtype", default="bfloat16", show_default=True, help="Of computation: bfloat16 or float32.")
@click.option("--device", default="auto", show_default=True, help="cuda, cpu or auto.")
@click.option("--threads", type=int, default=1, show_default=True, help="CPU threads of each rank.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of parameters and data.")
@click.option(
    "--stall-timeout", type=float, metavar="S", help="End the group after S seconds without progress."
)
@click.option("--memory/--no-memory", default=True, help="Run the untimed steps that find the CPU peak.")
@click.option("--nnodes", type=int, default=1, show_default=True, help="As torchrun's, as are those below.")
@click.option("--node-rank", type=int, help="This node's place; for the static rendezvous.")
@click.option("--rdzv-backend", default="c10d", show_default=True, help="c10d or static.")
@click.option("--rdzv-endpoint", default="", metavar="HOST:PORT", help="Where the nodes meet.")
@click.option("--rdzv-id", default="", help="Name of the job, the same on every node.")
@click.option("--rdzv-conf", default="", metavar="K=V,…", help="Further rendezvous settings.")
@click.option("--local-addr", help="Address of this node; found by its host name if left out.")
@click.option("--results", type=click.Path(path_type=Path), help="Also store the record in this directory.")
@click.option("--json", "json_", is_flag=True, help="Print one JSON document on standard output.")
def run_command(
    *,
    preset: str,
    ranks: int,
    variant_list: str | None,
    batch: int | None,
    seq: int | None,
    steps: int,
    warmup: int,
    dtype: str,
    device: str,
    threads: int,
    seed: int,
    stall_timeout: float | None,
    memory: bool,
    nnodes: int,
    node_rank: int | None,
    rdzv_backend: str,
    rdzv_endpoint: str,
    rdzv_id: str,
    rdzv_conf: str,
    local_addr: str | None,
    results: Path | None,
    json_: bool,
) -> None:
    """Time training steps of a preset on N ranks.

    NCCL and CUDA where there are GPUs, one for each rank of a node; gloo and CPU otherwise. On several
    nodes, run the same command on each; the node of rank 0 prints the result.

    Exit code 0: measured. 1: the ranks failed or hung; the record says which and why. 2: bad use, or more
    than this machine can hold.
    """
    from bench_lib.fsdp2.measure import measure

    config = RunConfig(
        preset=preset,
        num_ranks=ranks,
        num_steps=steps,
        num_warmup=warmup,
        param_dtype=dtype,
        device=device,
        threads_per_rank=threads,
        seed=seed,
        stall_timeout_s=stall_timeout,
        measure_memory=memory,
        batch_per_rank=batch,
        sequence_length=seq,
        rendezvous=Rendezvous(
            nnodes=nnodes,
            node_rank=node_rank,
            rdzv_backend=rdzv_backend,
            rdzv_endpoint=rdzv_endpoint,
            rdzv_id=rdzv_id,
            rdzv_conf=_rdzv_conf(rdzv_conf),
            local_addr=local_addr,
        ),
    )
    names = [BASELINE] if variant_list is None else [n.strip() for n in variant_list.split(",")]
    # All of them before the first is run: a slip in the last name must not cost the others.
    configs = [dataclasses.replace(config, variant=name) for name in names]
    for each in configs:
        variants.require_ranks(each.variant, num_ranks=ranks)
    if results is not None:
        records.require_writable(results)
    # As for Ctrl-C: the ranks are ended and the folder is removed on the way out.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    session = uuid.uuid4().hex[:12]
    documents, codes = [], []
    for each in configs:
        with progress_line() as progress:
            run = measure(each, report=progress, names_variant=variant_list is not None)
        codes.append(_shown(dataclasses.replace(run, session=session), results=results, quiet=json_))
        if run.status != "ok" or run.measurements:
            documents.append(as_json(run))
    if json_ and documents:
        click.echo(json.dumps(documents[0] if len(configs) == 1 else documents, indent=1))
    if any(codes):
        # One that failed says more than one that this machine cannot run.
        sys.exit(EXIT_VERDICT if EXIT_VERDICT in codes else EXIT_USAGE)


@contextlib.contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """A line on the terminal that each report overwrites; nothing where standard error is none."""
    show = sys.stderr.isatty()

    def progress(line: str) -> None:
        if show:
            click.echo(f"\r\033[K{line}", nl=False, err=True)

    yield progress
    if show:
        click.echo("\r\033[K", nl=False, err=True)


def _shown(run: Run, *, results: Path | None, quiet: bool) -> int:
    """Store and print one run; its exit code."""
    if run.status == "ok" and not run.measurements:
        click.echo("this node's ranks finished; the node of rank 0 has the result", err=True)
        return 0
    if results is not None:
        click.echo(f"record: {records.write(run, results)}", err=True)
    if run.status == "skipped":
        click.echo(f"bench-lib: {run.details.get('reason_code')}: {run.reason}", err=True)
        return EXIT_USAGE
    if not quiet:
        click.echo(as_text(run))
    return 0 if run.status == "ok" else EXIT_VERDICT


# Declared beside what they run; the model loads no torch.
fsdp2.add_command(predict_command)
fsdp2.add_command(calibrate_command)
fsdp2.add_command(nodes_command)
