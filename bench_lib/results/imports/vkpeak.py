"""vkpeak: the peaks that it prints, a line each. 0.00 is what it prints for what a device cannot do."""

from __future__ import annotations

import re
from typing import Final

from bench_lib.results.imports.reading import UNITS, Reading, Source, clean, measured, scaled

BENCHMARK: Final = "vkpeak"
_DEVICE = re.compile(r"^\s*device\s*=\s*(?P<name>\S.*?)\s*$", re.MULTILINE)
_ROW = re.compile(
    r"^\s*(?P<test>[a-z0-9]+-[a-z0-9]+)\s*=\s*(?P<value>\S*)[ \t]*(?P<unit>\w*)\s*$", re.MULTILINE
)


def is_text(source: Source) -> bool:
    """Whether it names a device and has a peak."""
    return _DEVICE.search(source.text) is not None and _ROW.search(source.text) is not None


def read_text(source: Source) -> list[Reading]:
    """Every peak, of every device where several runs are in one file."""
    readings = []
    devices = list(_DEVICE.finditer(source.text))
    for index, device in enumerate(devices):
        end = devices[index + 1].start() if index + 1 < len(devices) else len(source.text)
        for row in _ROW.finditer(source.text, device.end(), end):
            readings.append(_reading(source, row, device=clean(device["name"])))
    return readings


def _reading(source: Source, row: re.Match[str], *, device: str) -> Reading:
    params = {"test": clean(row["test"])}
    value = source.number(row["value"], what=row["test"])
    unit = UNITS.get(row["unit"].lower())
    if unit is None:
        raise source.damaged(found=f"{row['test']} in {row['unit']!r}", expected="GFLOPS, GIOPS or GBPS")
    if value == 0:
        return Reading(BENCHMARK, params, status="skipped", reason="not-supported", device=device)
    return Reading(
        BENCHMARK, params, (measured(unit[0], [scaled(value, unit[1])], clock="vkpeak"),), device=device
    )
