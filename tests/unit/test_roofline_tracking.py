"""Recorded launches, records for asv, and kernels that changed class."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench_lib.errors import DamagedFileError, UsageError
from bench_lib.roofline import tracking
from bench_lib.roofline.analysis import analyse
from bench_lib.roofline.commands import classify
from bench_lib.roofline.recorded import RECORDED, recorded, recorded_launches

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_synthetic import write_report

ROOT = Path(__file__).parents[2]


def test_recorded_launches_cover_the_taxonomy_and_name_their_source() -> None:
    labels = {e.name: analyse(e.launch).classification.verdict.label for e in recorded_launches()}
    assert labels == {
        "adamw": "dram_bound",
        "matmul-naive": "l1_bound",
        "sgemm-coalesced": "l1_bound",
        "sgemm-cublas": "compute_bound",
        "sgemm-warptiled": "launch_limited",
        "radio-frb": "dram_bound",
        "random-uniform": "issue_bound",
        "stochastic-round": "launch_limited",
        "elementwise": "l2_bound",
    }
    for entry in recorded_launches():
        assert re.search(r" at [0-9a-f]{40} \((MIT|BSD-3-Clause|Apache-2.0)\)$", entry.source)
        found = analyse(entry.launch).classification
        assert found.nvidia_agrees is True


def test_recorded_file_names_no_machine() -> None:
    text = RECORDED.read_text(encoding="utf-8")
    assert not re.search(r"/home|/root|/usr|127\.0|\d+\.\d+\.\d+\.\d+|host", text, re.IGNORECASE)


def test_unknown_names_and_broken_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="adamw"):
        recorded("nothing")
    path = tmp_path / "recorded.json"
    path.write_text('{"launches": [{}]}')
    with pytest.raises(DamagedFileError):
        recorded_launches(path)


def test_recorded_run_is_imported() -> None:
    run = tracking.recorded_run("adamw", root=ROOT)
    assert run.origin == "imported" and run.status == "ok" and run.environment.ncu == "2024.3.0"
    duration, roof = run.measurement("kernel_duration"), run.measurement("time_over_roof")
    assert duration is not None and duration.samples == (pytest.approx(72.64e-6),)
    # DRAM at 92 % of its peak, and FLOP far below theirs.
    assert roof is not None and roof.samples[0] == pytest.approx(1 / 0.922, rel=1e-3)
    assert run.details["label"] == "dram_bound" and "llm.c" in str(run.details["source"])
    assert "elementwise" not in tracking.names_with_roof() and "adamw" in tracking.names_with_roof()


def test_class_changes() -> None:
    before = [("a", "dram_bound"), ("b", "l1_bound"), ("gone", "unknown")]
    after = [("a", "dram_bound"), ("b", "l1_bound"), ("b", "balanced"), ("new", "unknown")]
    (change,) = tracking.class_changes(before, after)
    assert (change.kernel, change.before, change.after) == ("b", ("l1_bound",), ("balanced", "l1_bound"))


def test_command_reports_a_changed_class(tmp_path: Path) -> None:
    report = write_report(tmp_path / "r.ncu-rep")
    earlier = tmp_path / "earlier.json"
    same = CliRunner().invoke(classify, ["--json", str(report)]).stdout
    earlier.write_text(same, encoding="utf-8")
    assert CliRunner().invoke(classify, ["--against", str(earlier), str(report)]).exit_code == 0
    earlier.write_text(same.replace('"dram_bound"', '"l1_bound"'), encoding="utf-8")
    done = CliRunner().invoke(classify, ["--against", str(earlier), str(report)])
    assert done.exit_code == 1 and "l1_bound → dram_bound" in done.stderr
    earlier.write_text(json.dumps({"schema": 2}))
    with pytest.raises(DamagedFileError, match="schema 2"):
        CliRunner().invoke(classify, ["--against", str(earlier), str(report)], catch_exceptions=False)
