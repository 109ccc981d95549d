"""Records of the edge family as JSON documents and as lines for a person."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import msgspec

from bench_lib.edge.break_even import break_even_bytes, medians
from bench_lib.edge.device_roofs import DeviceRoofs, placement
from bench_lib.edge.runtime import DeviceFacts
from bench_lib.metrics import METRICS
from bench_lib.model import Measurement, Run
from bench_lib.stats import summarize
from bench_lib.units import format_value

SCHEMA = 1


def _measurement(found: Measurement) -> dict[str, Any]:
    summary = summarize(found.samples)
    return {
        "median_s": summary.median,
        "samples_s": list(found.samples),
        "number": found.number,
        "warmup": found.warmup,
        "clock": found.clock,
        "discarded": found.discarded,
    }


def run_document(run: Run) -> dict[str, Any]:
    """One record: seconds, bytes, FLOP; a measurement that was not made is not there."""
    return {
        "params": dict(run.params),
        "status": run.status,
        "reason": run.reason or None,
        "reason_code": run.details.get("reason_code"),
        "hardware": run.hardware,
        "measurements": {m.metric: _measurement(m) for m in run.measurements},
        "details": dict(run.details),
        "version": run.version,
        "origin": run.origin,
    }


def kernel_document(run: Run, roofs: DeviceRoofs | None) -> dict[str, Any]:
    """What ``edge run --json`` prints. Rates are derived from the medians; ``null`` where unknown."""
    derived: dict[str, Any] = {}
    for metric in ("dispatch_time", "dispatch_time_cold"):
        found, placed = run.measurement(metric), placement(run, roofs, metric=metric)
        if found is None:
            continue
        median_s = summarize(found.samples).median
        num_bytes, flop = run.details.get("bytes_moved"), run.details.get("flop")
        derived[metric] = {
            "bytes_per_s": float(num_bytes) / median_s if isinstance(num_bytes, int) else None,
            "flop_per_s": float(flop) / median_s if isinstance(flop, int) else None,
            "share_of_roof": placed.share_of_roof if placed else None,
            "side": placed.side if placed else None,
        }
    return {
        "schema": SCHEMA,
        **run_document(run),
        "derived": derived,
        "roofs": None if roofs is None else dataclasses.asdict(roofs),
        "environment": dataclasses.asdict(run.environment),
    }


def runs_document(runs: Sequence[Run]) -> dict[str, Any]:
    """What ``edge memory --json`` and ``edge roofs --json`` print."""
    environment = dataclasses.asdict(runs[0].environment) if runs else None
    return {"schema": SCHEMA, "runs": [run_document(r) for r in runs], "environment": environment}


def devices_document(found: Sequence[DeviceFacts]) -> dict[str, Any]:
    """What ``edge devices --json`` prints."""
    return {"schema": SCHEMA, "devices": msgspec.to_builtins(list(found), order="sorted")}


def device_lines(found: Sequence[DeviceFacts]) -> list[str]:
    """Each device with what kernels may need of it."""
    lines: list[str] = []
    for facts in found:
        kind = "software, never ranked beside a GPU" if facts.kind == "software" else "GPU"
        lines.append(f"{facts.selector}")
        lines.append(f"  {facts.name}; {facts.api} {facts.api_version}; {facts.driver}; {kind}")
        memory = "unified" if facts.unified_memory else "of its own"
        lines.append(
            f"  memory {format_value(facts.memory_bytes, 'B')}, {memory}; subgroup {facts.subgroup_size}"
        )
        shapes = ", ".join(
            f"{m.m}×{m.n}×{m.k} {m.a}→{m.result}" for m in facts.cooperative_matrices if m.scope == "subgroup"
        )
        lines.append(f"  cooperative matrix: {shapes or 'no-coopmat-property'}")
        lacking = [f"feature-missing:{n}" for n in ("shaderFloat16", "shaderInt8") if n not in facts.features]
        if facts.timestamp_period_s is None:
            lacking.append("no-timestamps")
        if lacking:
            lines.append(f"  lacks: {', '.join(lacking)}")
        names = {n for n in facts.aliases if n}
        if names:
            lines.append(f"  also called: {', '.join(sorted(names))}")
    return lines


def kernel_lines(run: Run, roofs: DeviceRoofs | None) -> list[str]:
    """A few lines for a person."""
    p = run.params
    head = f"{p['op']} {p['dtype']} {p['sizes']} on {run.hardware}"
    if run.details.get("device_kind") == "software":
        head += " (software device)"
    if run.status != "ok":
        return [f"{head}: {run.status}: {run.details.get('reason_code') or ''}: {run.reason}"]
    lines = [f"{head}, variant {run.details.get('variant')}"]
    for measured in run.measurements:
        summary = summarize(measured.samples)
        title = METRICS[measured.metric].title.lower()
        text = f"  {title:<24} {format_value(summary.median, 's')}"
        if summary.num_samples > 1:
            low, high = format_value(summary.low, "s"), format_value(summary.high, "s")
            text += (
                f"  (median of {summary.num_samples}; 99 % interval {low} to {high}; clock {measured.clock})"
            )
        placed = placement(run, roofs, metric=measured.metric) if "dispatch_time" in measured.metric else None
        if placed is not None:
            text += f"; {placed.share_of_roof:.0%} of the {placed.side} roof"
        lines.append(text)
    for name, title in (("drifts", "warm"), ("cold_drifts", "cold")):
        change = run.details.get(name.replace("drifts", "drift"))
        if run.details.get(name) and isinstance(change, float):
            lines.append(
                f"  drift: the {title} samples moved by {change:+.0%} over the series; try --cool-down"
            )
    cold = run.details.get("cold")
    if isinstance(cold, str):
        lines.append(f"  no cold figure: {cold}")
    return lines


def transfer_lines(runs: Sequence[Run]) -> list[str]:
    """The table of transfers, and from which size importing pays."""
    by_mode, with_read = medians(runs), medians(runs, metric="transfer_and_read_time")
    modes = [m for m in ("mapped", "imported", "staged") if m in by_mode]
    lines = [f"transfers to {runs[0].hardware}" if runs else "no transfers"]
    header = "".join(f"{m:>14}{'+ read':>14}" for m in modes)
    lines.append(f"  {'bytes':>10}{header}")
    for size in sorted({s for times in by_mode.values() for s in times}):
        cells = "".join(
            f"{format_value(by_mode[m].get(size), 's', digits=3):>14}"
            f"{format_value(with_read.get(m, {}).get(size), 's', digits=3):>14}"
            for m in modes
        )
        lines.append(f"  {format_value(size, 'B'):>10}{cells}")
    for mode in modes:
        if mode == "mapped" or "mapped" not in by_mode:
            continue
        at = break_even_bytes(by_mode[mode], by_mode["mapped"])
        text = f"from {format_value(at, 'B')} up" if at is not None else "at no size measured"
        lines.append(f"  {mode} costs less than a mapped write {text}")
    lines += [
        f"  {r.params.get('mode')} {r.params.get('num_bytes')}: {r.status}: {r.reason}"
        for r in runs
        if r.status != "ok"
    ]
    return lines


def roof_lines(runs: Sequence[Run], roofs: DeviceRoofs | None) -> list[str]:
    """The roofs, and how each was reached."""
    lines = [f"roofs of {runs[0].hardware}" if runs else "no roofs"]
    for run in runs:
        name = str(run.params.get("roof"))
        if run.status != "ok" or roofs is None:
            lines.append(f"  {name:<14} {run.status}: {run.details.get('reason_code') or ''}: {run.reason}")
            continue
        rate = (
            format_value(roofs.bytes_per_s, "B/s")
            if name == "copy"
            else format_value(roofs.flop_per_s.get(name.removeprefix("matrix-")), "FLOP/s")
        )
        lines.append(f"  {name:<14} {rate}  ({run.details.get('way')})")
    return lines
