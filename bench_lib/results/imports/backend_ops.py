"""``test-backend-ops perf`` of ggml: its text on a terminal, and ``--output csv`` where that holds times.

Its ``GB/s`` count 1024³ bytes and its ``kB`` 1024, as its source divides; they are converted here.

**Source**: ``tests/test-backend-ops.cpp`` of llama.cpp, ``print_perf_console``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bench_lib.results.imports.reading import UNITS, Reading, Source, Value, clean, measured, scaled
from bench_lib.units import GIB

BENCHMARK: Final = "test_backend_ops"
_CLOCK: Final = "test-backend-ops"

_ROW = re.compile(
    r"^\s*(?P<op>[A-Z][A-Z0-9_]*)\((?P<params>[^\n]*?)\):\s*"
    r"(?:(?P<runs>\d+) runs -\s*(?P<us>[\d.]+) us/run"
    r"(?:\s*-\s*[\d.]+ [kMGT]?(?:FLOP|B)/run)?"
    r"(?:\s*-\s*(?P<rate>[\d.]+|inf|nan) (?P<unit>[kMGT]?(?:FLOPS|B/s)))?"
    r"|(?P<refused>not supported[^\n]*))\s*$",
    re.MULTILINE,
)
_BACKEND = re.compile(r"^\s*Backend \d+/\d+:?\s*\(?(?P<name>[^)\n]+?)\)?\s*$", re.MULTILINE)
_DESCRIPTION = re.compile(r"^\s*Device description:\s*(?P<name>\S.*?)\s*$", re.MULTILINE)
_OLD_NAME = re.compile(r"^\s*Backend name:\s*(?P<name>\S.*?)\s*$", re.MULTILINE)

_REQUIRED: Final = ("backend_name", "op_name", "op_params")


def is_console(source: Source) -> bool:
    """Whether a line of it is a result, or it begins as the program does."""
    begins = re.search(r"^Testing \d+ (?:devices|backends)", source.text, re.MULTILINE) is not None
    return _ROW.search(source.text) is not None or (begins and _BACKEND.search(source.text) is not None)


def read_console(source: Source) -> list[Reading]:
    """Results by back end, as printed on a terminal."""
    readings = []
    marks = sorted(
        [
            *((m.start(), "backend", m["name"]) for m in _BACKEND.finditer(source.text)),
            *((m.start(), "backend", m["name"]) for m in _OLD_NAME.finditer(source.text)),
            *((m.start(), "device", m["name"]) for m in _DESCRIPTION.finditer(source.text)),
        ]
    )
    for match in _ROW.finditer(source.text):
        context = {"backend": "", "device": ""}
        for position, kind, name in marks:
            if position < match.start():
                # Another back end is another device, until it says which.
                context = {"backend": name, "device": ""} if kind == "backend" else {**context, kind: name}
        readings.append(
            _console_row(source, match, backend=clean(context["backend"]), device=clean(context["device"]))
        )
    _refuse_cut_line(source)
    return readings


def _refuse_cut_line(source: Source) -> None:
    last = source.text.rstrip().splitlines()[-1]
    if re.match(r"\s*[A-Z][A-Z0-9_]*\([^)]*\):?\s*(?:\d+ (?:runs)?.*)?$", last) and not _ROW.match(last):
        raise source.damaged(
            found=f"a last line that ends early: {last.strip()!r}",
            expected="a result",
            hint="Was it cut short?",
        )


def _console_row(source: Source, match: re.Match[str], *, backend: str, device: str) -> Reading:
    params = _params(match["op"], match["params"], backend=backend)
    if match["refused"]:
        return Reading(BENCHMARK, params, status="skipped", reason="not-supported", device=device)
    seconds = scaled(source.number(match["us"], what="us/run"), 1e-6)
    found = [measured("run_time", [seconds], clock=_CLOCK, number=int(match["runs"]))]
    if match["rate"] and match["rate"] not in ("inf", "nan"):
        value = source.number(match["rate"], what=match["unit"])
        name, factor = UNITS[match["unit"].lower()]
        if name == "bytes_per_s":
            factor = {"k": 1024.0, "m": 1024.0**2, "g": GIB, "t": 1024.0**4}.get(
                match["unit"][0].lower(), 1.0
            )
        found.append(measured(name, [scaled(value, factor)], clock=_CLOCK, number=int(match["runs"])))
    return Reading(BENCHMARK, params, tuple(found), device=device)


def _params(op: str, params: str, *, backend: str) -> dict[str, Value]:
    # CUDA0 and Vulkan1 name a place in this machine.
    return {"op": clean(op), "params": clean(params), "backend": re.sub(r"\d+$", "", backend)}


def is_csv(source: Source) -> bool:
    """Whether a line of it is the heading of ``--output csv``."""
    return _start(source.text) is not None


def _start(text: str) -> int | None:
    match = re.search(r'^(?=.*\bop_name\b)(?=.*\bop_params\b)"?\w+"?(?:,"?\w+"?)+\s*$', text, re.MULTILINE)
    return match.start() if match else None


def read_csv(source: Source) -> list[Reading]:
    """Rows of ``--output csv``; a build whose columns have no times is refused with their names."""
    start = _start(source.text) or 0
    reader = csv.reader(io.StringIO(source.text[start:]))
    heading = next(reader)
    first = source.text[:start].count("\n") + 1
    if "time_us" not in heading:
        raise source.damaged(
            found=f"columns without times: {', '.join(heading)}",
            expected="a column time_us",
            hint="This build of test-backend-ops writes no times as CSV; import its text instead.",
        )
    readings = []
    for cells in reader:
        line = first + reader.line_num - 1
        if not cells:
            continue
        if len(cells) != len(heading):
            raise source.damaged(found=f"{len(cells)} cells on line {line}", expected=f"{len(heading)}")
        row = dict(zip(heading, cells, strict=True))
        source.require(row, _REQUIRED, what=f"line {line}")
        readings.append(_csv_row(source, row, what=f"line {line}"))
    return readings


def _csv_row(source: Source, row: Mapping[str, Any], *, what: str) -> Reading:
    params = _params(row["op_name"], row["op_params"], backend=clean(row["backend_name"]))
    device = clean(row.get("device_description", ""))
    started = clean(row.get("test_time", ""))
    known = {*_REQUIRED, "time_us", "flops", "bandwidth_gb_s", "device_description", "test_time"}
    details: dict[str, Value] = {clean(k): clean(v) for k, v in row.items() if k not in known and v != ""}
    base = Reading(BENCHMARK, params, device=device, started=started, details=details)
    if str(row.get("supported", "1")).lower() in ("0", "false"):
        return replace(base, status="skipped", reason="not-supported")
    if row.get("error_message"):
        return replace(base, status="failed", reason=clean(row["error_message"]))
    seconds = scaled(source.number(row["time_us"], what=f"time_us of {what}"), 1e-6)
    number = int(source.number(row.get("n_runs") or 1, what=f"n_runs of {what}"))
    found = [measured("run_time", [seconds], clock=_CLOCK, number=max(number, 1))]
    rates = (("flops", "flop_per_s", 1.0), ("bandwidth_gb_s", "bytes_per_s", float(GIB)))
    for column, name, factor in rates:
        value = source.number(row.get(column) or 0, what=f"{column} of {what}")
        if value > 0:
            found.append(measured(name, [scaled(value, factor)], clock=_CLOCK, number=max(number, 1)))
    return replace(base, measurements=tuple(found))
