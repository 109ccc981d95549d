"""The report reader against NVIDIA's own, on public reports."""

from __future__ import annotations

import importlib.util
import json
import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench_lib.roofline.ncu_report_file import NcuReport

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_data import ncu_data

#: Reads a report with ``ncu_report``, in a process of its own: it leaks what it loads.
CHILD = """
import pickle, sys
import ncu_report

launches = []
for gpu in ncu_report.load_report(sys.argv[1]):
    for action in gpu:
        metrics = {}
        for name in action.metric_names():
            metric = action.metric_by_name(name)
            ids = metric.correlation_ids() if metric.has_correlation_ids() else None
            instances = [
                (None if ids is None else ids.value(i), metric.value(i))
                for i in range(metric.num_instances())
            ]
            metrics[name] = (metric.value() if metric.has_value() else None, instances)
        rules = [
            r["rule_message"]["title"]
            for r in action.rule_results_as_dicts()
            if r["rule_identifier"] == "SOLBottleneck"
        ]
        names = (action.name(action.NameBase_FUNCTION), action.name(action.NameBase_DEMANGLED))
        launches.append((names, metrics, rules))
sys.stdout.buffer.write(pickle.dumps(launches))
"""


def manifest() -> list[dict[str, Any]]:
    reports: list[dict[str, Any]] = json.loads((ncu_data() / "manifest.json").read_text())["reports"]
    return reports


def same(ours: object, theirs: object) -> bool:
    if isinstance(ours, float) and isinstance(theirs, float) and math.isnan(ours):
        return math.isnan(theirs)
    return ours == theirs


@pytest.mark.skipif(importlib.util.find_spec("ncu_report") is None, reason="the extra `ncu` is not installed")
def test_every_value_equals_ncu_report() -> None:
    num_values = num_instances = 0
    for entry in manifest():
        path = ncu_data() / entry["file"]
        done = subprocess.run([sys.executable, "-c", CHILD, str(path)], capture_output=True, check=True)
        expected = pickle.loads(done.stdout)
        launches = list(NcuReport(path))
        assert len(launches) == len(expected)
        for launch, (names, metrics, titles) in zip(launches, expected, strict=True):
            assert (launch.function, launch.demangled) in {names, (names[0], "")}
            assert set(launch.metrics) == set(metrics)
            assert launch.nvidia_rule == next((t for t in titles if t), None)
            for name, (value, instances) in metrics.items():
                assert same(launch.metrics[name], value), (entry["file"], launch.index, name)
                num_values += 1
                found = launch.metrics.instances(name)  # type: ignore[attr-defined]
                assert len(found) == len(instances)
                for (our_id, our_value), (their_id, their_value) in zip(found, instances, strict=True):
                    assert their_id is None or same(our_id, their_id)
                    assert same(our_value, their_value), (entry["file"], launch.index, name)
                    num_instances += 1
    assert num_values > 30_000
    assert num_instances > 200_000


def test_values_equal_the_manifest() -> None:
    columns = {
        "sm": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
        "mem": "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
        "dram": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        "waves": "launch__waves_per_multiprocessor",
    }
    for entry in manifest():
        report = NcuReport(ncu_data() / entry["file"])
        assert report.facts.gpu == entry["gpu"]
        assert (report.facts.compute_capability or "").replace(".", "") == entry["cc"]
        assert report.facts.ncu_version == entry["ncu"]
        assert report.facts.clocks_locked is True
        assert " " in (report.facts.command_line or "")
        launches = list(report)
        assert report.num_launches == len(launches) == len(entry["launches"])
        for launch, row in zip(launches, entry["launches"], strict=True):
            assert launch.function == row["kernel"]
            assert (launch.nvidia_rule or "ERR") == row["nvidia"]
            for column, name in columns.items():
                value = launch.number(name)
                if row[column] is None:
                    assert value is None
                else:
                    assert value is not None and math.isclose(value, row[column], abs_tol=6e-4)
