"""llama-bench of llama.cpp: ``-o json``, ``jsonl`` and ``csv``, and the Markdown table that people paste.

**Source**: ``tools/llama-bench/README.md`` and outputs of builds 1000 to 9000. Columns came and went over
the years: what
every build has is required, the rest is kept where it is there.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from bench_lib.results.imports.reading import Reading, Source, Value, base_name, clean, measured, plain

BENCHMARK: Final = "llama_bench"
_CLOCK: Final = "llama-bench"

#: Without these a row says nothing.
_REQUIRED: Final = ("model_type", "n_prompt", "n_gen", "avg_ts")
#: What was asked for. Others describe the build, the device, the time, or what came out.
_PARAMETERS: Final = (
    "n_depth",
    "n_batch",
    "n_ubatch",
    "n_threads",
    "n_gpu_layers",
    "type_k",
    "type_v",
    "flash_attn",
)
_RESULTS: Final = ("avg_ns", "stddev_ns", "avg_ts", "samples_ns", "samples_ts", "test_time")
_DEVICES: Final = ("cpu_info", "gpu_info")

_HEADINGS: Final = {"ngl": "n_gpu_layers", "threads": "n_threads", "fa": "flash_attn"}
_RATE = re.compile(r"(?P<mean>\d+(?:\.\d+)?)(?:\s*(?:±|\+/?-|Â±)\s*(?P<spread>\d+(?:\.\d+)?|-?nan|inf))?")
_TEST = re.compile(
    r"(?:pp\s*(?P<prompt>\d+))?(?:\s*\+\s*)?(?:tg\s*(?P<gen>\d+))?(?:\s*@\s*d\s*(?P<depth>\d+))?",
    re.IGNORECASE,
)
_BUILD = re.compile(r"^build:\s*(?P<commit>[0-9a-f]{6,40})\s*\((?P<number>\d+)\)", re.MULTILINE)
_DEVICE_LINES: Final = (
    re.compile(r"^ggml_metal\w*:\s*GPU name:\s*(?P<name>\S.*?)\s*$", re.MULTILINE),
    re.compile(r"^ggml_vulkan:\s*\d+ = (?P<name>.+?)(?:\s*\([^()]*\))?\s*\|", re.MULTILINE),
    re.compile(r"^\s*Device \d+: (?P<name>.+?), (?:compute capability|gfx\w*|VMM)", re.MULTILINE),
)


def _is_row(value: Any) -> bool:
    return isinstance(value, dict) and "model_type" in value and "avg_ts" in value


def is_json(source: Source) -> bool:
    """Whether it looks like ``-o json`` or ``jsonl``, log lines before it included."""
    return bool(re.search(r"^\s*[\[{]", source.text, re.MULTILINE)) and all(
        f'"{name}"' in source.text for name in ("model_type", "n_prompt", "avg_ts")
    )


def read_json(source: Source) -> list[Reading]:
    """Rows of ``-o json`` (one array) or ``-o jsonl`` (an object a line)."""
    start = re.search(r"^\[\s*(?:\{|$)", source.text, re.MULTILINE)
    if start is not None:
        rows = _array(source, start.start())
    else:
        rows = [_object(source, line, number) for number, line in _objects(source.text)]
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise source.damaged(
                found=f"entry {number} is {type(row).__name__}", expected="objects of llama-bench"
            )
    return [_row(source, row, what=f"entry {number}") for number, row in enumerate(rows, 1)]


def _array(source: Source, start: int) -> list[Any]:
    try:
        found, _ = json.JSONDecoder().raw_decode(source.text, start)
    except (ValueError, RecursionError) as error:
        raise source.damaged(
            found=f"no whole JSON ({error})",
            expected="the array of llama-bench -o json",
            hint="Was it cut short?",
        ) from error
    return list(found)


def _objects(text: str) -> Iterable[tuple[int, str]]:
    return ((n, line) for n, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith("{"))


def _object(source: Source, line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise source.damaged(
            found=f"no JSON on line {number} ({error})", expected="an object a line", hint="Was it cut short?"
        ) from error


def is_csv(source: Source) -> bool:
    """Whether a line of it is the heading of ``-o csv``."""
    return _csv_start(source.text) is not None


def _csv_start(text: str) -> int | None:
    match = re.search(r'^"?build_commit"?,.*\bavg_ts\b.*$', text, re.MULTILINE)
    return match.start() if match else None


def read_csv(source: Source) -> list[Reading]:
    """Rows of ``-o csv``."""
    start = _csv_start(source.text) or 0
    first = source.text[:start].count("\n") + 1
    reader = csv.reader(io.StringIO(source.text[start:]))
    heading = next(reader)
    readings = []
    for cells in reader:
        line = first + reader.line_num - 1
        if not cells:
            continue
        if len(cells) != len(heading):
            raise source.damaged(
                found=f"{len(cells)} cells on line {line}", expected=f"{len(heading)}, as the heading has"
            )
        row: dict[str, Any] = dict(zip(heading, cells, strict=True))
        readings.append(_row(source, row, what=f"line {line}"))
    return readings


def _row(source: Source, row: Mapping[str, Any], *, what: str) -> Reading:
    source.require(row, _REQUIRED, what=what)
    counts = {
        name: int(source.number(row.get(name, 0), what=f"{name} of {what}"))
        for name in ("n_prompt", "n_gen", "n_depth")
    }
    # Before 2024 there was a flag for each back end and no column with its name.
    backend = row.get("backends") or _old_backend(row)
    given = row.get("samples_ts") or [row["avg_ts"]]
    if not isinstance(given, list):
        raise source.damaged(found=f"samples_ts of {what} {given!r}", expected="a list of numbers")
    samples = [source.number(value, what=f"samples_ts of {what}") for value in given]
    known = {*_PARAMETERS, *_RESULTS, *_DEVICES, "model_type", "backends", "n_prompt", "n_gen", "n_depth"}
    details = {
        clean(k): plain(v) for k, v in row.items() if k not in known and not isinstance(v, (list, dict))
    }
    if "model_filename" in details:
        details["model_filename"] = base_name(row["model_filename"])
    details["has_samples"] = "samples_ts" in row
    params = {name: _number_or_text(row[name]) for name in _PARAMETERS if name in row and name != "n_depth"}
    return _reading(
        model=clean(row["model_type"]),
        backend=clean(backend),
        params=params,
        samples=samples,
        device=clean(_device(row, str(backend))),
        started=clean(row.get("test_time", "")),
        details=details,
        **counts,
    )


def _old_backend(row: Mapping[str, Any]) -> str:
    names = {
        "cuda": "CUDA",
        "vulkan": "Vulkan",
        "metal": "Metal",
        "opencl": "OpenCL",
        "sycl": "SYCL",
        "kompute": "Kompute",
    }
    on = [title for name, title in names.items() if str(row.get(name, "")).lower() in ("1", "true")]
    return ",".join(on) or "CPU"


def _device(row: Mapping[str, Any], backend: str) -> str:
    cpu, gpu = str(row.get("cpu_info") or ""), str(row.get("gpu_info") or "")
    on_cpu = backend.upper() in ("CPU", "BLAS") or str(row.get("devices", "")).lower() == "none"
    return cpu if on_cpu or not gpu else gpu


def _number_or_text(value: Any) -> Value:
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,18}", value):
        return int(value)
    return plain(value)


def _reading(
    *,
    model: str,
    backend: str,
    n_prompt: int,
    n_gen: int,
    n_depth: int,
    params: Mapping[str, Value],
    samples: list[float],
    device: str,
    started: str,
    details: Mapping[str, Value],
) -> Reading:
    both = n_prompt > 0 and n_gen > 0
    name = "mixed_tokens_per_s" if both else "decode_tokens_per_s" if n_gen > 0 else "prefill_tokens_per_s"
    return Reading(
        benchmark=BENCHMARK,
        params={
            "model": model,
            "backend": backend,
            "n_prompt": n_prompt,
            "n_gen": n_gen,
            "n_depth": n_depth,
            **params,
        },
        measurements=(measured(name, samples, clock=_CLOCK),),
        device=device,
        started=started,
        details=details,
    )


def is_markdown(source: Source) -> bool:
    """Whether a line of it is the heading of the table."""
    return any(_heading(line) for line in source.text.splitlines())


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _heading(line: str) -> list[str] | None:
    if not line.lstrip().startswith("|"):
        return None
    cells = [cell.lower() for cell in _cells(line)]
    return cells if {"model", "backend", "test", "t/s"} <= set(cells) else None


def read_markdown(source: Source) -> list[Reading]:
    """Rows of every table in a text; the device and the build where the text around them says so."""
    build = _BUILD.search(source.text)
    details: dict[str, Value] = {}
    if build is not None:
        details = {"build_commit": build["commit"], "build_number": int(build["number"])}
    devices = {match["name"] for pattern in _DEVICE_LINES for match in pattern.finditer(source.text)}
    device = clean(devices.pop()) if len(devices) == 1 else ""
    readings = []
    heading: list[str] | None = None
    for number, line in enumerate(source.text.splitlines(), 1):
        new = _heading(line)
        if new is not None:
            heading = new
        elif not line.lstrip().startswith("|"):
            heading = None
        elif heading is not None and not re.fullmatch(r"[\s|:-]+", line):
            cells = _cells(line)
            if len(cells) != len(heading):
                raise source.damaged(
                    found=f"{len(cells)} cells on line {number}",
                    expected=f"{len(heading)}, as the heading has",
                )
            row = dict(zip(heading, cells, strict=True))
            readings.append(_table_row(source, row, number=number, device=device, details=details))
    return readings


def _table_row(
    source: Source, row: Mapping[str, str], *, number: int, device: str, details: Mapping[str, Value]
) -> Reading:
    rate = _RATE.fullmatch(row["t/s"])
    test = _TEST.fullmatch(row["test"].strip())
    if rate is None:
        raise source.damaged(found=f"t/s {row['t/s']!r} on line {number}", expected="such as 120.60 ± 0.59")
    if test is None or not (test["prompt"] or test["gen"]):
        raise source.damaged(
            found=f"test {row['test']!r} on line {number}", expected="such as pp512 or tg128 @ d512"
        )
    rest = {
        _HEADINGS.get(name, name): _number_or_text(value)
        for name, value in row.items()
        if name not in ("model", "backend", "test", "t/s", "size", "params")
    }
    found = {name: value for name, value in rest.items() if name in _PARAMETERS}
    more = {clean(name): value for name, value in rest.items() if name not in _PARAMETERS}
    spread = {"stddev_ts": float(rate["spread"])} if rate["spread"] and rate["spread"][0].isdigit() else {}
    sizes = {name: clean(row[name]) for name in ("size", "params") if name in row}
    return _reading(
        model=clean(row["model"]),
        backend=clean(row["backend"]),
        n_prompt=int(test["prompt"] or 0),
        n_gen=int(test["gen"] or 0),
        n_depth=int(test["depth"] or 0),
        params=found,
        samples=[float(rate["mean"])],
        device=device,
        started="",
        details={**details, **more, **spread, **sizes, "has_samples": False},
    )
