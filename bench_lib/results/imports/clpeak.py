"""clpeak's text, of version 1 (OpenCL only) to 3 (many back ends).

A device's tests follow its heading; a test's readings follow its title, which holds the unit in version 1,
while
version 3 prints one behind each value. A reading that clpeak left out keeps its reason.

**Source**: ``src/`` and ``results/`` of clpeak.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Final

from slugify import slugify

from bench_lib.results.imports.reading import UNITS, Reading, Source, Value, clean, measured, scaled

BENCHMARK: Final = "clpeak"
#: Latencies of a launch have a metric of their own; other times do not.
_LAUNCH: Final = "launch"

_PLATFORM = re.compile(r"^\s*(?P<kind>Platform|Backend)\s*:\s*(?P<name>\S.*?)\s*$")
_DEVICE = re.compile(r"^\s*Device(?: \d+)?\s*:\s*(?P<name>\S.*?)\s*$")
_PROPERTY = re.compile(
    r"^\s*(?P<name>Driver version|Compute units|Clock frequency)\s*:\s*(?P<value>\S.*?)\s*$"
)
_TITLE = re.compile(
    r"^\s*(?P<title>\S.*?)\s*\((?P<unit>GBPS|G?FLOPS|GIOPS|GOPS|TFLOPS|TOPS|us)\)\s*$", re.IGNORECASE
)
_VALUE = re.compile(
    r"^\s*(?P<label>[^:]+?)\s*:\s*(?P<value>-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf|nan))\s*(?P<unit>[A-Za-zµμ/]+)?\s*$"
)
_SKIPPED = re.compile(r"^\s*No (?P<what>.+?) support!?\s*Skipped\s*$", re.IGNORECASE)
_FAILED = re.compile(r"^\s*(?:(?P<label>[^:]+?)\s*:\s*)?(?P<call>cl[A-Z]\w*)\s*\((?P<code>-?\d+)\)\s*$")
_OTHER = re.compile(r"^\s*(?P<label>[^:]+?)\s*:\s*(?P<text>\S.*?)\s*$")
_VERSION = re.compile(r"clpeak version:?\s*(?P<version>\S+)", re.IGNORECASE)


def is_text(source: Source) -> bool:
    """Whether it has a device below a platform, and a test of clpeak's."""
    lines = source.text.splitlines()
    return (
        any(_PLATFORM.match(x) or _DEVICE.match(x) for x in lines)
        and any(
            word in source.text
            for word in ("bandwidth", "Kernel launch latency", "compute (G", " FLOPS", "TFLOPS", "GFLOPS")
        )
        and any(_VALUE.match(x) for x in lines)
    )


@dataclass
class _State:
    platform: str = ""
    device: str = ""
    title: str = ""
    unit: str = ""
    details: dict[str, Value] = field(default_factory=dict)


def read_text(source: Source) -> list[Reading]:
    """Every reading of every device."""
    readings: list[Reading] = []
    version = _VERSION.search(source.text)
    base: dict[str, Value] = {"clpeak_version": clean(version["version"])} if version else {}
    state = _State(details=dict(base))
    for number, line in enumerate(source.text.splitlines(), 1):
        if (match := _PLATFORM.match(line)) is not None:
            state = _State(platform=clean(match["name"]), details=dict(base))
        elif (match := _DEVICE.match(line)) is not None:
            state = _State(platform=state.platform, device=clean(match["name"]), details=dict(base))
        elif (match := _PROPERTY.match(line)) is not None:
            state.details[slugify(match["name"], separator="_")] = clean(match["value"])
        else:
            readings += _line(source, line, state, number=number)
    return readings


def _line(source: Source, line: str, state: _State, *, number: int) -> list[Reading]:
    if not line.strip():
        return []
    if (match := _SKIPPED.match(line)) is not None:
        state.title = ""
        return [
            _refused(state, f"{match['what'].lower()} compute", "", status="skipped", reason="not-supported")
        ]
    if (match := _TITLE.match(line)) is not None:
        state.title, state.unit = clean(match["title"]), match["unit"]
        return []
    return _reading(source, line, state, number=number) if state.device else []


def _reading(source: Source, line: str, state: _State, *, number: int) -> list[Reading]:
    """What a line of a device says: a value, why there is none, a property, or a title of version 3."""
    if (match := _FAILED.match(line)) is not None:
        reason = clean(f"{match['call']} ({match['code']})")
        return [_refused(state, state.title, clean(match["label"] or ""), status="failed", reason=reason)]
    if (match := _VALUE.match(line)) is not None:
        return [_value(source, match, state, number=number)]
    if line.rstrip().endswith(":"):
        raise source.damaged(
            found=f"no value on line {number}: {line.strip()!r}", expected="one", hint="Was it cut short?"
        )
    match = _OTHER.match(line)
    if match is None:
        if line.strip() != "Tests skipped":
            state.title, state.unit = clean(line), ""
    elif not state.title:
        state.details[slugify(match["label"], separator="_")] = clean(match["text"])
    elif match["label"].upper() not in ("NOTE", "WARNING"):
        return [
            _refused(state, state.title, clean(match["label"]), status="skipped", reason=clean(match["text"]))
        ]
    return []


def _value(source: Source, match: re.Match[str], state: _State, *, number: int) -> Reading:
    label, unit, title = clean(match["label"]), match["unit"] or state.unit, state.title
    if label.lower() == "kernel launch latency":
        title, label = label, ""
    if not unit or unit.lower() not in UNITS:
        raise source.damaged(found=f"{label!r} in {unit!r} on line {number}", expected="a unit of clpeak")
    return _measured(state, title, label, match["value"], unit)


def reading_of(
    *,
    backend: str,
    test: str,
    label: str,
    value: float,
    unit: str,
    device: str,
    started: str = "",
    details: dict[str, Value],
) -> Reading:
    """One value in ``unit`` as a reading; 0 is what clpeak prints where a call did nothing."""
    params = params_of(backend=backend, test=test, label=label)
    if value == 0:
        return Reading(
            BENCHMARK,
            params,
            status="skipped",
            reason="not-measured",
            device=device,
            started=started,
            details=details,
        )
    name, factor = UNITS[unit.lower()]
    if name == "run_time" and _LAUNCH in str(params["test"]):
        name = "launch_latency"
    found = measured(name, [scaled(value, factor)], clock="clpeak")
    return Reading(BENCHMARK, params, (found,), device=device, started=started, details=details)


def params_of(*, backend: str, test: str, label: str) -> dict[str, Value]:
    """Parameters of a reading; titles and the identifiers of other versions become one form."""
    name = slugify(re.sub(r"\(.*?\)", " ", test), separator="_")
    known = {
        "single_precision_compute": "single_precision_compute",
        "integer_compute_fast_24bit": "integer_compute_fast",
        "half_precision_support": "half_precision_compute",
    }
    return {
        "backend": clean(backend),
        "test": known.get(name, name),
        "reading": slugify(label, separator="_"),
    }


def _measured(state: _State, title: str, label: str, text: str, unit: str) -> Reading:
    value = float(text)
    # "inf" stands where nothing was copied at all.
    value = value if math.isfinite(value) else 0.0
    return reading_of(
        backend=_backend(state.platform),
        test=title,
        label=label,
        value=value,
        unit=unit,
        device=state.device,
        details={**state.details, "platform": state.platform},
    )


def _refused(state: _State, test: str, label: str, *, status: str, reason: str) -> Reading:
    return Reading(
        BENCHMARK,
        params_of(backend=_backend(state.platform), test=test, label=label),
        status="skipped" if status == "skipped" else "failed",
        reason=reason,
        device=state.device,
        details={**state.details, "platform": state.platform},
    )


def _backend(platform: str) -> str:
    """Version 1 knows OpenCL only and prints whose; later ones print the back end itself."""
    known = ("CUDA", "ROCm", "Metal", "oneAPI", "Vulkan", "OpenCL", "CPU", "CoreML", "ONNX", "LiteRT")
    return platform if platform in known else "OpenCL"
