"""Reports made up for tests, written in the container that the reader describes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench_lib.roofline import ncu_schema as schema

SM = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
MEMORY = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
ISSUE = "sm__issue_active.avg.pct_of_peak_sustained_elapsed"
DRAM = "dram__cycles_active.avg.pct_of_peak_sustained_elapsed"
DRAM_BOUND: dict[str, float | str | int] = {
    SM: 20.0,
    MEMORY: 90.0,
    ISSUE: 20.0,
    DRAM: 90.0,
    f"breakdown:{SM}": ISSUE,
    f"breakdown:{MEMORY}": DRAM,
    "gpu__time_duration.sum": 50_000.0,
    "launch__waves_per_multiprocessor": 4.0,
    "device__attribute_display_name": "NVIDIA Test",
    "device__attribute_compute_capability_major": 9,
    "device__attribute_compute_capability_minor": 0,
}


def _sized(message: Any) -> bytes:
    data: bytes = message.SerializeToString()
    return len(data).to_bytes(4, "little") + data


def _header(num_results: int, payload: bytes) -> Any:
    header = schema.BLOCK_HEADER()
    header.num_sources, header.num_results, header.payload_size = 0, num_results, len(payload)
    return header


def write_report(
    path: Path,
    launches: int = 1,
    *,
    metrics: Mapping[str, float | str | int] = DRAM_BOUND,
    rule: str = "High Throughput",
    kernel: str = "void ns::k<float>(float*)",
    clock: tuple[int, int] | None = (1, 1),
    command_line: str = "/opt/ncu --set full -o out /home/someone/secret.py",
) -> Path:
    """Write a report of ``launches`` equal launches, one block each."""
    result = schema.RESULT()
    result.function, result.demangled = b"k", kernel.encode()
    for index, value in enumerate(metrics.values()):
        metric = result.metrics.add()
        metric.name = index
        if isinstance(value, str):
            metric.value.text = value.encode()
        elif isinstance(value, int):
            metric.value.uint64 = value
        else:
            metric.value.float64 = value
    if rule:
        stored = result.rules.add()
        stored.id = b"SOLBottleneck"
        stored.body.items.add().message.title = rule.encode()
    if clock is not None:
        result.clock.control, result.clock.locked = clock
    payload = _sized(result)
    file_header = schema.FILE_HEADER()
    file_header.version = 7
    with path.open("wb") as stream:
        stream.write(b"NVR\0" + _sized(file_header))
        block = _sized(_header(1, payload)) + payload
        for _ in range(launches):
            stream.write(block)
        # As ncu does: the session, and names that results before it use, may come last.
        last = _header(0, b"")
        last.strings.items.extend(name.encode() for name in metrics)
        last.session.command_line = command_line.encode()
        version = last.session.versions.add()
        version.name, version.value = b"Nsight Compute Target", b"2024.3.2.0 (build 1)"
        stream.write(_sized(last))
    return path
