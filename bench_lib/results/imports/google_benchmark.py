"""Google Benchmark's JSON, which iree-benchmark-module and uVkCompute print too.

Repetitions of one benchmark are samples of it. Where a file holds aggregates only, the median stands in,
else the mean.

**Source**: ``docs/user_guide.md`` and ``src/json_reporter.cc`` of google/benchmark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bench_lib.results.imports.reading import (
    UNITS,
    Reading,
    Source,
    Value,
    base_name,
    clean,
    measured,
    plain,
)

_CLOCK: Final = "google-benchmark"
_REQUIRED: Final = ("name", "real_time", "time_unit")
_KNOWN: Final = frozenset(
    {
        *("name", "run_name", "run_type", "family_index", "per_family_instance_index", "repetitions"),
        *("repetition_index", "threads", "iterations", "real_time", "cpu_time", "time_unit", "label"),
        *("aggregate_name", "aggregate_unit", "error_occurred", "error_message", "skipped", "skip_message"),
        *("cpu_coefficient", "real_coefficient", "big_o", "rms", "allocs_per_iter", "max_bytes_used"),
    }
)
#: Counters that are rates. uVkCompute counts ``FLOps``; the library itself names the other two.
_RATES: Final = {
    "FLOps": "flop_per_s",
    "FLOPS": "flop_per_s",
    "FLOP/s": "flop_per_s",
    "Ops": "op_per_s",
    "Bytes": "bytes_per_s",
    "bytes_per_second": "bytes_per_s",
    "items_per_second": "items_per_s",
}


def is_json(source: Source) -> bool:
    """Whether it holds the two members that the library writes."""
    return '"benchmarks"' in source.text and '"context"' in source.text and '"num_cpus"' in source.text


def read_json(source: Source) -> list[Reading]:
    """Every benchmark of the file, with its repetitions as samples."""
    start = source.text.find("{")
    try:
        document, _ = json.JSONDecoder().raw_decode(source.text, max(start, 0))
    except (ValueError, RecursionError) as error:
        raise source.damaged(
            found=f"no whole JSON ({error})", expected="Google Benchmark's output", hint="Was it cut short?"
        ) from error
    context, entries = document.get("context"), document.get("benchmarks")
    if not isinstance(context, dict) or not isinstance(entries, list):
        raise source.damaged(found="no context and benchmarks", expected="Google Benchmark's output")
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict):
            raise source.damaged(found=f"benchmark {number} is {type(entry).__name__}", expected="an object")
        source.require(entry, ("name",), what=f"benchmark {number}")
        by_name.setdefault(str(entry.get("run_name") or _stem(entry)), []).append(entry)
    tool = _tool(context, list(by_name))
    started = clean(context.get("date", ""))
    kept = (
        "num_cpus",
        "mhz_per_cpu",
        "cpu_scaling_enabled",
        "library_build_type",
        "library_version",
        "executable",
    )
    details = {key: plain(context[key]) for key in kept if key in context}
    if "executable" in details:
        details["executable"] = base_name(context["executable"])
    return [
        _reading(source, name, group, tool=tool, started=started, details=details)
        for name, group in by_name.items()
    ]


def _stem(entry: Mapping[str, Any]) -> str:
    name, aggregate = str(entry["name"]), str(entry.get("aggregate_name") or "")
    return name.removesuffix(f"_{aggregate}") if aggregate else name


def _tool(context: Mapping[str, Any], names: Sequence[str]) -> str:
    executable = base_name(context.get("executable", ""))
    if "iree-benchmark" in executable or any(n.endswith("/process_time/real_time") for n in names):
        return "iree_benchmark_module"
    if names and all(_gpu_of(name) for name in names):
        return "uvkcompute"
    return "google_benchmark"


def _gpu_of(name: str) -> str:
    """The device that uVkCompute puts before each name, which no other program does."""
    first, slash, rest = name.partition("/")
    return first if slash and " " in first and rest else ""


def _reading(
    source: Source,
    name: str,
    group: Sequence[Mapping[str, Any]],
    *,
    tool: str,
    started: str,
    details: Mapping[str, Value],
) -> Reading:
    device = _gpu_of(name) if tool == "uvkcompute" else ""
    case = name.removeprefix(f"{device}/") if device else name
    threads = group[0].get("threads", 1)
    params: dict[str, Value] = {"case": clean(case)}
    if threads != 1:
        params["threads"] = plain(threads)
    base = Reading(tool, params, device=clean(device), started=started, details=details)
    runs = [e for e in group if e.get("run_type", "iteration") == "iteration"]
    for entry in runs or group:
        if entry.get("error_occurred"):
            return replace(base, status="failed", reason=clean(entry.get("error_message") or "error"))
        if entry.get("skipped"):
            return replace(base, status="skipped", reason=clean(entry.get("skip_message") or "skipped"))
    chosen: Sequence[Mapping[str, Any]] = runs
    if not runs:
        by_kind = {str(e.get("aggregate_name")): e for e in group}
        best = by_kind.get("median") or by_kind.get("mean")
        if best is None:
            raise source.damaged(found=f"neither repetitions nor a median of {name!r}", expected="either")
        chosen = [best]
    for entry in chosen:
        source.require(entry, _REQUIRED, what=f"benchmark {name!r}")
    extra: dict[str, Value] = {**details, "has_samples": bool(runs)}
    if chosen[0].get("label"):
        extra["label"] = clean(chosen[0]["label"])
    return replace(base, measurements=_measurements(source, name, chosen, extra), details=extra)


def _measurements(
    source: Source, name: str, entries: Sequence[Mapping[str, Any]], extra: dict[str, Value]
) -> tuple[Any, ...]:
    factors = []
    for entry in entries:
        unit = str(entry["time_unit"])
        if UNITS.get(unit, ("", 0.0))[0] != "run_time":
            raise source.damaged(found=f"time_unit {unit!r} of {name!r}", expected="ns, us, ms or s")
        factors.append(UNITS[unit][1])
    number = int(source.number(entries[0].get("iterations", 1), what=f"iterations of {name!r}"))

    def times(key: str) -> list[float]:
        return [
            source.number(e[key], what=f"{key} of {name!r}") * f
            for e, f in zip(entries, factors, strict=True)
        ]

    found = [measured("run_time", times("real_time"), clock=_CLOCK, number=max(number, 1))]
    if all("cpu_time" in e for e in entries):
        found.append(measured("run_cpu_time", times("cpu_time"), clock=_CLOCK, number=max(number, 1)))
    for key in entries[0]:
        if key in _KNOWN or not all(isinstance(e.get(key), (int, float)) for e in entries):
            continue
        rate = _RATES.get(key)
        values = [source.number(e[key], what=f"{key} of {name!r}") for e in entries]
        if rate is not None and all(v > 0 for v in values):
            found.append(measured(rate, values, clock=_CLOCK, number=max(number, 1)))
        else:
            extra[re.sub(r"\W+", "_", clean(key))[:60]] = values[0]
    return tuple(found)
