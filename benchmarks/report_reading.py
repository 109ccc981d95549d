"""Reading profiler reports: speed beside ``ncu_report`` in one run, and memory of a long report.

For speed, each side reads every metric value of every launch of the same reports in a process of its own,
since ``ncu_report`` keeps what it loads; they take turns, so that a slow spell of the machine favours
neither. The long report is written here, from the launches that the project ships.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench_lib.roofline import ncu_schema as schema
from bench_lib.roofline.launch import Launch, MetricValue
from bench_lib.roofline.recorded import recorded_launches
from bench_lib.roofline.report_folder import REPORTS_VARIABLE

NUM_PAIRS = 5
LONG_LAUNCHES = (100, 1_000, 10_000)

THEIRS = """
import json, sys, time
import ncu_report
start = time.perf_counter()
num_values, total = 0, 0.0
for path in sys.argv[1:]:
    for gpu in ncu_report.load_report(path):
        for action in gpu:
            for name in action.metric_names():
                value = action.metric_by_name(name).value()
                num_values += 1
                is_number = isinstance(value, (int, float))
                total += len(value or "") if not is_number else value if value == value else -1
print(json.dumps([time.perf_counter() - start, num_values, total]))
"""
OURS = """
import json, sys, time
from pathlib import Path
from bench_lib.roofline.ncu_report_file import NcuReport
start = time.perf_counter()
num_values, total = 0, 0.0
for path in sys.argv[1:]:
    for launch in NcuReport(Path(path)):
        for value in launch.metrics.values():
            num_values += 1
            is_number = isinstance(value, (int, float))
            total += len(value or "") if not is_number else value if value == value else -1
print(json.dumps([time.perf_counter() - start, num_values, total]))
"""
#: Growth of the resident set over what the first launch took: lookup tables and buffers are made once.
#: Not ``ru_maxrss``: on Linux a child starts with the peak of the process that started it.
MEMORY = """
import json, sys
from pathlib import Path
import psutil
from bench_lib.roofline.analysis import analyse_file
process = psutil.Process()
labels, before, peak = {}, 0, 0
for number, analysis in enumerate(analyse_file(Path(sys.argv[1]))):
    label = analysis.classification.verdict.label
    labels[label] = labels.get(label, 0) + len(analysis.kernel)
    if number % 20 == 0:
        peak = max(peak, process.memory_info().rss)
        before = before or peak
print(json.dumps([peak - before, labels]))
"""


def _sized(message: Any) -> bytes:
    data: bytes = message.SerializeToString()
    return len(data).to_bytes(4, "little") + data


def _set(value: Any, given: MetricValue) -> None:
    if isinstance(given, str):
        value.text = given.encode()
    elif isinstance(given, int):
        value.uint64 = given
    elif given is not None:
        value.float64 = given


def _block(launch: Launch, names: dict[str, int]) -> bytes:
    result = schema.RESULT()
    result.function = result.demangled = launch.function.encode()
    for name, given in launch.metrics.items():
        metric = result.metrics.add()
        metric.name = names.setdefault(name, len(names))
        _set(metric.value, given)
    payload = _sized(result)
    header = schema.BLOCK_HEADER()
    header.num_sources, header.num_results, header.payload_size = 0, 1, len(payload)
    return _sized(header) + payload


def write_report(path: Path, num_launches: int) -> None:
    """Write a report of ``num_launches`` launches: the shipped ones, in turn, a block each."""
    names: dict[str, int] = {}
    blocks = [_block(entry.launch, names) for entry in recorded_launches()]
    file_header = schema.FILE_HEADER()
    file_header.version = 7
    last = schema.BLOCK_HEADER()
    last.num_sources = last.num_results = last.payload_size = 0
    last.strings.items.extend(name.encode() for name in names)
    version = last.session.versions.add()
    version.name, version.value = b"Nsight Compute Target", b"2024.3.0.0"
    with path.open("wb") as stream:
        stream.write(b"NVR\0" + _sized(file_header))
        stream.writelines(blocks[number % len(blocks)] for number in range(num_launches))
        stream.write(_sized(last))


def child(code: str, *reports: Path) -> Any:
    """What ``code`` prints about ``reports``, in a process of its own."""
    command = [sys.executable, "-c", code, *map(str, reports)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def real_reports() -> list[Path]:
    """Reports that ncu wrote: of the folder that is tracked, else of the test data, else none."""
    folder = os.environ.get(REPORTS_VARIABLE)
    data = os.environ.get("BENCH_LIB_TEST_DATA")
    root = Path(folder) if folder else Path(data) / "ncu" if data else None
    return sorted(root.rglob("*.ncu-rep")) if root else []


def reading_ratios(reports: Sequence[Path], *, num_pairs: int = NUM_PAIRS) -> list[float]:
    """Our time over that of ``ncu_report`` for the same values, a ratio a pair.

    Raises
    ------
    ValueError
        The two did not read the same values.
    """
    ratios = []
    for pair in range(num_pairs):
        seconds: dict[str, float] = {}
        seen: dict[str, list[float]] = {}
        for code in (OURS, THEIRS)[:: 1 if pair % 2 else -1]:
            seconds[code], *seen[code] = child(code, *reports)
        (our_number, our_sum), (their_number, their_sum) = seen[OURS], seen[THEIRS]
        if not our_number:
            raise ValueError("no value was read")
        if our_number != their_number or not math.isclose(our_sum, their_sum, rel_tol=1e-12):
            raise ValueError(f"the readers differ: (number, sum of values) {seen[OURS]} and {seen[THEIRS]}")
        ratios.append(seconds[OURS] / seconds[THEIRS])
    return ratios


class ReadingSpeed:
    """Time to read every value, over that of ``ncu_report``: below 1 is faster than NVIDIA's reader."""

    timeout = 600

    def setup(self) -> None:
        if importlib.util.find_spec("ncu_report") is None:
            raise NotImplementedError("no-ncu-report: pip install 'bench-lib[ncu]' to compare with it.")
        if not real_reports():
            raise NotImplementedError(f"no-reports: set {REPORTS_VARIABLE} to a folder of .ncu-rep files.")

    def track_time_over_ncu_report(self) -> dict[str, object]:
        return {"samples": reading_ratios(real_reports()), "number": 1}

    track_time_over_ncu_report.unit = "ratio"  # type: ignore[attr-defined]
    track_time_over_ncu_report.version = "report-reading-1"  # type: ignore[attr-defined]


class ReadingMemory:
    """Growth of the resident set while names and verdicts are read; it should not depend on length."""

    params = LONG_LAUNCHES
    param_names = ("num_launches",)
    timeout = 600

    def track_peak_rss_growth(self, num_launches: int) -> float:
        report = Path(f"long-{num_launches}.ncu-rep")
        write_report(report, num_launches)
        try:
            growth, labels = child(MEMORY, report)
        finally:
            report.unlink()
        if not labels:
            raise ValueError("no verdict was read")
        return float(growth)

    track_peak_rss_growth.unit = "bytes"  # type: ignore[attr-defined]
    track_peak_rss_growth.version = "report-memory-1"  # type: ignore[attr-defined]
