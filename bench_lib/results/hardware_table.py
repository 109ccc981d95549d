"""What each device is, and what has been measured on it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from bench_lib.hardware import catalog
from bench_lib.model import Hardware
from bench_lib.results.compare import hardware_kind
from bench_lib.results.frames import Results
from bench_lib.results.lookup import machines_of
from bench_lib.units import format_value

_PEAK = "peak_{}_flop_per_s"


def hardware_table(results: Results, *, name: str = "") -> pd.DataFrame:
    """One row a device with a file, and one a machine that was measured and has none.

    Peaks are columns ``peak_<data type>_flop_per_s``, dense. What is not known is missing, never zero.

    Parameters
    ----------
    name
        Only this device or machine: slug, name or alias, compared whole.

    Raises
    ------
    UsageError
        No device and no machine is called ``name``.
    """
    machines = list(results.frame["machine"].cat.categories)
    wanted = catalog.find(name) if name else None
    if name and wanted is None:
        chosen = machines_of(results, name)
        machines = [m for m in machines if m in chosen]
    devices = list(catalog.all_hardware()) if not name else [wanted] if wanted else []
    measured_on: dict[str, list[str]] = {device.slug: [] for device in devices}
    rows = []
    for machine in machines:
        facts = results.machines.get(machine, {})
        device = catalog.find(machine) or (catalog.find(facts["gpu"]) if facts.get("gpu") else None)
        if device is not None and device.slug in measured_on:
            measured_on[device.slug].append(machine)
        elif not (name and wanted):
            rows.append(_row(machine, facts=facts, kind=hardware_kind(results, machine)))
            rows[-1] |= _measured(results, [machine])
    for device in devices:
        rows.append(_device_row(device) | _measured(results, measured_on[device.slug]))
    table = pd.DataFrame(rows)
    peaks = sorted(c for c in table.columns if c.startswith("peak_"))
    first = ["slug", "name", "kind", "memory_bytes", "memory_bandwidth_bytes_per_s", *peaks, "source", "date"]
    table = table[[*first, *(c for c in table.columns if c not in first)]]
    order = table.sort_values(["num_benchmarks", "slug"], ascending=[False, True], kind="stable")
    return order.reset_index(drop=True)


def _row(machine: str, *, facts: Mapping[str, str], kind: str) -> dict[str, Any]:
    return {
        "slug": machine,
        "name": facts.get("gpu") or facts.get("cpu") or "",
        "kind": kind,
        "memory_bytes": math.nan,
        "memory_bandwidth_bytes_per_s": math.nan,
        "source": "",
        "date": "",
    }


def _device_row(device: Hardware) -> dict[str, Any]:
    return {
        "slug": device.slug,
        "name": device.name,
        "kind": device.kind,
        "memory_bytes": _or_nan(device.memory_bytes),
        "memory_bandwidth_bytes_per_s": _or_nan(device.memory_bandwidth_bytes_per_s),
        "source": device.source,
        "date": device.date,
        **{_PEAK.format(dtype): peak for dtype, peak in device.peak_flop_per_s.items()},
    }


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _measured(results: Results, machines: list[str]) -> dict[str, Any]:
    frame = results.frame
    mine = frame[(frame["machine"].isin(machines) & (frame["status"] == "ok")).to_numpy()]
    return {
        "machines": ", ".join(machines),
        "num_benchmarks": int(mine["benchmark"].nunique()),
        "num_values": len(mine),
        "newest": mine["date"].max() if len(mine) else pd.NaT,
        "environments": ", ".join(sorted(mine["environment"].unique())),
    }


def peaks_text(row: Mapping[str, Any]) -> str:
    """Peaks of one row for a reader; ``unknown`` where there are none."""
    names = [c for c in row if c.startswith("peak_") and not math.isnan(row[c])]
    texts = [
        f"{c.removeprefix('peak_').removesuffix('_flop_per_s')} {format_value(row[c], 'FLOP/s')}"
        for c in names
    ]
    return "; ".join(texts) or "unknown"
