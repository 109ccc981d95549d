"""clpeak's files: XML of version 1 and 2, JSON of version 3.

**Source**: ``src/common/logger`` and ``results/`` of clpeak.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from xml.etree import ElementTree

from bench_lib.results.imports.clpeak import BENCHMARK, params_of, reading_of
from bench_lib.results.imports.reading import UNITS, Reading, Source, Value, clean

#: JSON names a quantity and SI units.
_JSON_UNITS: Final = {"FLOPS": "flops", "OPS": "ops", "B/s": "b/s", "s": "s", "Texel/s": "texel/s"}


def is_xml(source: Source) -> bool:
    """Whether its root is ``<clpeak>``."""
    return re.search(r"<clpeak[\s>]", source.text[:2000]) is not None


def read_xml(source: Source) -> list[Reading]:
    """Every reading of every device."""
    # A definition of entities is in no file of clpeak, and can make a small file expand without end.
    if re.search(r"<!(?:DOCTYPE|ENTITY)", source.text, re.IGNORECASE):
        raise source.damaged(found="a document type definition", expected="clpeak's XML, which has none")
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", source.text)
    try:
        root = ElementTree.fromstring(text[max(text.find("<clpeak"), 0) :])
    except ElementTree.ParseError as error:
        raise source.damaged(
            found=f"no whole XML ({error})", expected="clpeak's XML", hint="Was it cut short?"
        ) from error
    base: dict[str, Value] = {"os": clean(root.get("os", ""))}
    if root.get("clpeak_version"):
        base["clpeak_version"] = clean(root.get("clpeak_version"))
    return [*_version_2(source, root, base), *_version_1(source, root, base)]


def _version_2(source: Source, root: ElementTree.Element, base: dict[str, Value]) -> Iterator[Reading]:
    for run in root.iter("run"):
        device = clean(run.get("device", ""))
        backend = clean(run.get("backend", ""))
        details = {**base, "driver": clean(run.get("driver", "")), "platform": clean(run.get("platform", ""))}
        for test in run.iter("test"):
            for entry in test.iter("metric"):
                yield _entry(
                    source,
                    entry,
                    backend=backend,
                    test=test.get("name", ""),
                    label=entry.get("name", ""),
                    unit=test.get("unit", ""),
                    device=device,
                    details=details,
                )


def _version_1(source: Source, root: ElementTree.Element, base: dict[str, Value]) -> Iterator[Reading]:
    for platform in root.iter("platform"):
        for device in platform.iter("device"):
            details = {
                **base,
                "driver": clean(device.get("driver_version", "")),
                "platform": clean(platform.get("name", "")),
            }
            for test in device:
                entries = list(test) or [test]
                for entry in entries:
                    yield _entry(
                        source,
                        entry,
                        backend=clean(device.get("api", "OpenCL")),
                        test=test.tag,
                        label="" if entry is test else entry.tag,
                        unit=test.get("unit", ""),
                        device=clean(device.get("name", "")),
                        details=details,
                    )


def _entry(
    source: Source,
    entry: ElementTree.Element,
    *,
    backend: str,
    test: str,
    label: str,
    unit: str,
    device: str,
    details: dict[str, Value],
) -> Reading:
    if entry.get("status"):
        return Reading(
            BENCHMARK,
            params_of(backend=backend, test=test, label=label),
            status="skipped" if entry.get("status") in ("unsupported", "skipped") else "failed",
            reason=clean(entry.get("reason") or entry.get("status")),
            device=device,
            details=details,
        )
    value = source.number((entry.text or "").strip(), what=f"{test} {label}")
    if unit.lower() not in UNITS:
        raise source.damaged(found=f"{test} in {unit!r}", expected="a unit of clpeak")
    return reading_of(
        backend=backend, test=test, label=label, value=value, unit=unit, device=device, details=details
    )


def is_json(source: Source) -> bool:
    """Whether it says that it is a run of clpeak."""
    return re.search(r'"schema"\s*:\s*"clpeak/run"', source.text[:4000]) is not None


def read_json(source: Source) -> list[Reading]:
    """Every reading of every device; command lines and host names stay behind."""
    try:
        document = json.loads(source.text)
    except (ValueError, RecursionError) as error:
        raise source.damaged(
            found=f"no whole JSON ({error})", expected="clpeak's JSON", hint="Was it cut short?"
        ) from error
    source.require(document, ("format_version", "devices"), what="the file")
    host = document.get("host") if isinstance(document.get("host"), dict) else {}
    base: dict[str, Value] = {
        "clpeak_version": clean(document.get("clpeak_version", "")),
        "os": clean(f"{host.get('os', '')} {host.get('os_version', '')}"),
    }
    started = clean(document.get("generated_at", ""))
    return [
        reading
        for device in _list(source, document, "devices", what="the file")
        for test in _list(source, device, "tests", what=f"device {device.get('name')!r}")
        for reading in _json_test(source, device, test, base=base, started=started)
    ]


def _list(source: Source, owner: Any, name: str, *, what: str) -> list[dict[str, Any]]:
    found = owner.get(name, [])
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise source.damaged(found=f"{name} of {what} is no list of objects", expected="clpeak's JSON")
    return found


def _json_test(
    source: Source, device: dict[str, Any], test: dict[str, Any], *, base: dict[str, Value], started: str
) -> Iterator[Reading]:
    name = clean(test.get("id", ""))
    backend, on = clean(device.get("backend", "")), clean(device.get("name", ""))
    details = {
        **base,
        "driver": clean(device.get("driver", "")),
        "platform": clean(device.get("platform", "")),
    }
    unit = _JSON_UNITS.get(str(test.get("unit")), str(test.get("unit", "")).lower())
    for entry in _list(source, test, "metrics", what=f"test {name!r}"):
        label = clean(entry.get("id", ""))
        state = str(entry.get("status", "ok"))
        if state == "ok" and unit in UNITS:
            source.require(entry, ("value",), what=f"{name} {label}")
            yield reading_of(
                backend=backend,
                test=name,
                label=label,
                value=source.number(entry["value"], what=f"{name} {label}"),
                unit=unit,
                device=on,
                started=started,
                details=details,
            )
            continue
        # A unit of a newer version has no metric here: the value would be misread.
        reason = entry.get("reason") or state if state != "ok" else f"unknown unit {test.get('unit')}"
        yield Reading(
            BENCHMARK,
            params_of(backend=backend, test=name, label=label),
            status="skipped" if state in ("ok", "unsupported", "skipped") else "failed",
            reason=clean(reason),
            device=on,
            started=started,
            details=details,
        )
