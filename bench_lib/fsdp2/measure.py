"""One measurement: a configuration in, a :class:`~bench_lib.model.Run` out."""

from __future__ import annotations

import math
import statistics
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from bench_lib.errors import UsageError
from bench_lib.fsdp2 import group, variants
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.variants import BASELINE, Variant
from bench_lib.hardware import detect
from bench_lib.hardware.environment import capture, own_checkout
from bench_lib.model import Measurement, Run

BENCHMARK: Final = "fsdp2.TrainStep"
#: Where a variant is named, plain FSDP2 included: its launches are series of their own.
VARIANT_BENCHMARK: Final = "fsdp2_variants.VariantStep"

#: Changes when what is measured changes; asv and our records then begin a new series.
VERSION: Final = "1"

#: Run details that are facts of the launch, the same on every rank.
_FACTS: Final = (
    "backend",
    "device",
    "num_parameters",
    "batch_per_rank",
    "sequence_length",
    "tokens_per_step",
    "flop_per_step_and_rank",
)


def measure(
    config: RunConfig,
    *,
    root: Path | None = None,
    names_variant: bool = False,
    report: Callable[[str], None] = lambda line: None,
) -> Run:
    """Launch the group and return its record, whatever came of it.

    Parameters and errors are those of ``measure_ranks``, which also returns what single ranks said.
    """
    return measure_ranks(config, root=root, names_variant=names_variant, report=report)[0]


def measure_ranks(
    config: RunConfig,
    *,
    root: Path | None = None,
    names_variant: bool = False,
    report: Callable[[str], None] = lambda line: None,
) -> tuple[Run, list[dict[str, Any]]]:
    """Launch the group; its record, whatever came of it, and what each rank answered.

    Parameters
    ----------
    config
        What to run.
    root
        Checkout whose commit the record names; by default the one that this package runs from, if any.
    names_variant
        File the run among variants even if it is plain FSDP2.
    report
        Given a line of progress now and then.

    Raises
    ------
    UsageError
        The configuration names something that does not exist. Anything that happens later is a
        record with its status and reason.
    """
    variant = variants.find(config.variant)
    machine = detect()
    environment = capture(machine, root=root or own_checkout())
    outcome = group.run(config, report=report)
    if outcome.code == "usage":
        raise UsageError(outcome.reason)
    ranks = sorted(outcome.ranks, key=lambda r: int(r["rank"]))
    steps = [i for r in ranks for i, loss in enumerate(r["loss"]) if not math.isfinite(loss)]
    bad = min(steps, default=None)
    if bad is not None:
        outcome = group.Outcome("failed", f"the loss is not finite at step {bad}", "loss-not-finite")
        ranks = []
    on_gpu = bool(ranks) and ranks[0]["facts"]["device"] == "cuda"
    hardware = machine.hardware if on_gpu or not machine.gpus else machine.processor
    details: dict[str, str | int | float | bool | None] = {
        "param_dtype": config.param_dtype,
        "reduce_dtype": "float32",
        "reshard_after_forward": _reshard_text(variant),
        "threads_per_rank": config.threads_per_rank,
        "num_nodes": config.rendezvous.nnodes,
        "seed": config.seed,
    }
    if ranks:
        details.update({name: ranks[0]["facts"][name] for name in _FACTS})
    if outcome.code and outcome.status == "skipped":
        details["reason_code"] = outcome.code
    if ranks:
        joules = [r["facts"]["energy_per_step_j"] for r in ranks]
        # Of all ranks together, and only where every GPU told.
        details["energy_per_step_j"] = None if None in joules else sum(joules)
        details["energy_reason"] = ranks[0]["facts"]["energy_reason"] or None
        details["build_time_s"] = max(float(r["facts"]["build_time_s"]) for r in ranks)
    params: dict[str, str | int] = {"preset": config.preset, "num_ranks": config.num_ranks}
    if names_variant or config.variant != BASELINE:
        params["variant"] = config.variant
    for name in ("batch_per_rank", "sequence_length"):
        if getattr(config, name) is not None:
            params[name] = getattr(config, name)
    run = Run(
        benchmark=VARIANT_BENCHMARK if "variant" in params else BENCHMARK,
        version=VERSION,
        params=params,
        hardware=hardware.slug,
        environment=environment,
        status=outcome.status,
        reason=outcome.reason,
        measurements=tuple(_measurements(ranks, config=config)),
        details=details,
        failed_rank=outcome.failed_rank,
        traceback=outcome.traceback,
        session=uuid.uuid4().hex[:12],
    )
    return run, ranks


def _reshard_text(variant: Variant) -> str:
    if variant.parallelism != "fsdp":
        return "nothing is sharded"
    reshard = variant.reshard_after_forward
    blocks = {True: "yes", False: "no"}[reshard] if isinstance(reshard, bool) else f"to {reshard} ranks"
    return f"blocks {blocks}, root no"


def _measurements(ranks: list[dict[str, Any]], *, config: RunConfig) -> list[Measurement]:
    if not ranks:
        return []
    found: list[Measurement] = []

    def add(
        metric: str, samples: list[float], *, clock: str, rank: int | None = None, number: int = 1
    ) -> None:
        found.append(
            Measurement(
                metric,
                tuple(samples),
                number=number,
                warmup=config.num_warmup,
                clock=clock,
                rank=rank,
            )
        )

    first = ranks[0]
    by_step = zip(*(r["step_time_s"] for r in ranks), strict=True)
    add("step_time", [max(step) for step in by_step], clock=first["clock"])
    losses = [statistics.fmean(step) for step in zip(*(r["loss"] for r in ranks), strict=True)]
    # Of every step from the first, warm-up included.
    found.append(Measurement("loss", tuple(losses)))
    peaks = (
        ("peak_allocated", "peak_allocated_bytes", "allocator"),
        ("peak_reserved", "peak_reserved_bytes", "allocator"),
        ("peak_rss", "peak_rss_bytes", "rss_source"),
    )
    for metric, key, source in peaks:
        if first[key] is not None:
            add(metric, [float(max(r[key] for r in ranks))], clock=first[source])
            for r in ranks:
                add(metric, [float(r[key])], clock=r[source], rank=r["rank"])
    for r in ranks:
        add("step_time", r["step_time_s"], clock=r["clock"], rank=r["rank"])
        add("cpu_time", [r["cpu_time_s"]], clock="process", rank=r["rank"], number=config.num_steps)
    return found
