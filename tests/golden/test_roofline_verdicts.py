"""Verdicts on public reports and exports, looked at one by one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bench_lib.roofline.analysis import analyse_file

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_data import ncu_data

#: File (its beginning) → label of each launch.
LABELS = {
    "ESMM-Research__profile__": [
        *["l1_bound"] * 4,
        *["launch_limited"] * 2,
        "l1_bound",
        "launch_limited",
        "l1_bound",
        *["compute_bound"] * 2,
    ],
    "ESMM-Research__profile_output": ["l1_bound", *["launch_limited"] * 3],
    "IndexSpaces": ["dram_bound", *["latency_bound"] * 3, "dram_bound"],
    "KernelBench": ["l1_bound"],
    "applied-ai": ["launch_limited"] * 8,
    "cutlass": ["launch_limited"] * 3,
    "llm.c": ["dram_bound"] * 4,
    "sglang": ["issue_bound", "launch_limited", "issue_bound", "issue_bound", "unknown"],
    "csv/GPU-Roofline-Profiler__results_sample_run_ncu_gemm": ["unknown"],
    "csv/GPU-Roofline-Profiler__results_sample_run_ncu_saxpy": ["unknown"],
    "csv/llm-perf-opt__kernel_0002": ["latency_bound"],
    "csv/llm-perf-opt__kernel_0009": ["latency_bound"],
    "csv/llm-perf-opt__kernel_0010": ["l2_bound"],
}


@pytest.mark.parametrize("start", LABELS)
def test_labels(start: str) -> None:
    (path,) = ncu_data().glob(f"{start}*")
    assert [a.classification.verdict.label for a in analyse_file(path)] == LABELS[start]


def test_nvidia_rule_agrees_on_every_launch() -> None:
    num_compared = 0
    for entry in json.loads((ncu_data() / "manifest.json").read_text())["reports"]:
        for analysis in analyse_file(ncu_data() / entry["file"]):
            stored = entry["launches"][analysis.index]["nvidia"]
            assert analysis.classification.nvidia_rule == (None if stored == "ERR" else stored)
            assert analysis.classification.nvidia_agrees is (None if stored == "ERR" else True)
            num_compared += stored != "ERR"
    assert num_compared == 40


def test_flop_of_a_matrix_product_is_what_its_size_says() -> None:
    (path,) = ncu_data().glob("KernelBench*")
    (analysis,) = analyse_file(path)
    assert analysis.work.flop_by_precision["fp32"] == 2 * 4096**3
    (path,) = ncu_data().glob("ESMM-Research__profile_output*")
    for analysis in analyse_file(path):
        assert analysis.work.flop_by_precision["fp32"] == pytest.approx(2 * 1024**3, rel=0.01)


def test_bandwidth_peak_matches_the_device_attributes() -> None:
    (path,) = ncu_data().glob("applied-ai*")
    analysis = next(analyse_file(path))
    ratio = analysis.roofs.bytes_per_s["dram"] / analysis.boost.bytes_per_s["dram"]
    assert ratio == pytest.approx(1.0, abs=0.02)
