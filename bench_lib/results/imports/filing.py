"""Readings as records, each filed once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bench_lib.errors import UsageError
from bench_lib.model import Environment, Measurement, Run
from bench_lib.results import records
from bench_lib.results.imports.devices import Target, agreement
from bench_lib.results.imports.formats import Format
from bench_lib.results.imports.reading import Reading

#: Changes when the same file would become other records.
VERSION: Final = "1"


@dataclass(frozen=True)
class Imported:
    """What one file became."""

    path: Path
    format: str
    runs: tuple[Run, ...]
    left_out: tuple[str, ...]


def select(
    path: Path, readings: Sequence[Reading], *, where: Target, device: str, keep_mismatch: bool
) -> list[Reading]:
    """Those of ``readings`` that ran on ``where``.

    Raises
    ------
    UsageError
        The file holds several devices and none was chosen, the chosen one is not in it, or its device is
        another.
    """
    names = list(dict.fromkeys(reading.device for reading in readings))
    if device:
        chosen = [name for name in names if name.casefold() == device.casefold()]
        if not chosen:
            raise UsageError.of(f"{path}: --device", found=device, expected=f"one of {_listed(names)}")
    else:
        agreeing = [name for name in names if agreement(name, where) == "same"]
        chosen = agreeing or names
        if len(chosen) > 1:
            raise UsageError.of(
                f"{path}: devices", found=_listed(names), expected="one", hint="Choose with --device NAME."
            )
    if agreement(chosen[0], where) == "contradicts" and not keep_mismatch:
        raise UsageError.of(
            f"{path}: device",
            found=chosen[0],
            expected=f"what --hardware {where.slug} names",
            hint="Name the hardware that it ran on; --keep-mismatch files it all the same, and marks it.",
        )
    return [reading for reading in readings if reading.device in chosen]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)


def runs_of(
    path: Path,
    form: Format,
    readings: Sequence[Reading],
    *,
    where: Target,
    source: str,
    now: datetime,
    details: Mapping[str, str | int | float | bool | None] | None = None,
) -> list[Run]:
    """``readings`` as runs of one session, with ``details`` of the machine.

    Several of one benchmark and its parameters become samples of one run.
    """
    session = "import-" + hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    merged: dict[str, Run] = {}
    for reading in readings:
        run = _run(
            path, form, reading, where=where, source=source, session=session, now=now, more=details or {}
        )
        key = json.dumps([run.benchmark, sorted(run.params.items())])
        merged[key] = _joined(merged[key], run) if key in merged else run
    return list(merged.values())


def _run(
    path: Path,
    form: Format,
    reading: Reading,
    *,
    where: Target,
    source: str,
    session: str,
    now: datetime,
    more: Mapping[str, str | int | float | bool | None],
) -> Run:
    match = agreement(reading.device, where)
    return Run(
        benchmark=reading.benchmark,
        version=VERSION,
        params=dict(reading.params),
        hardware=where.slug,
        environment=Environment(
            commit=None,
            dirty=None,
            python="",
            os=str(more.get("os") or reading.details.get("os", "")),
            started=_utc(reading.started),
        ),
        status=reading.status,
        reason=reading.reason,
        measurements=reading.measurements,
        origin="imported",
        details={
            **reading.details,
            **more,
            "tool": form.name,
            "device": reading.device,
            "device_matches": {"same": True, "unknown": None, "contradicts": False}[match],
            "source": source,
            "file": path.name,
            "imported": now.astimezone(UTC).isoformat(timespec="seconds"),
        },
        session=session,
    )


def _utc(text: str) -> str:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return ""
    return (
        (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC).isoformat(timespec="seconds")
    )


def _joined(first: Run, second: Run) -> Run:
    """Two readings of one thing: the values of both, or the one that has a value."""
    if first.status != "ok" or second.status != "ok":
        return first if first.status == "ok" else second
    by_metric: dict[str, Measurement] = {m.metric: m for m in first.measurements}
    for measurement in second.measurements:
        old = by_metric.get(measurement.metric)
        by_metric[measurement.metric] = (
            replace(old, samples=(*old.samples, *measurement.samples)) if old is not None else measurement
        )
    return replace(first, measurements=tuple(by_metric.values()))


def _identity(run: Run) -> str:
    """What makes two records the same result, whichever file they came from."""
    details = {k: v for k, v in run.details.items() if k not in ("file", "imported", "source")}
    measurements = [(m.metric, m.samples, m.number) for m in run.measurements]
    outcome = [run.environment.started, run.status, run.reason, measurements, sorted(details.items())]
    return json.dumps([run.benchmark, run.version, sorted(run.params.items()), run.hardware, *outcome])


def file_runs(runs: Sequence[Run], results_dir: Path) -> tuple[list[Path], int]:
    """Write those of ``runs`` that are not there yet; their paths, and how many were there.

    Nothing is written before everything could be read: the caller has all runs of all files in hand.
    """
    records.require_writable(results_dir)
    present = {_identity(run) for run in records.load(results_dir).runs if run.origin == "imported"}
    written, known = [], 0
    for run in runs:
        identity = _identity(run)
        if identity in present:
            known += 1
            continue
        present.add(identity)
        written.append(records.write(run, results_dir))
    return written, known
