"""``bench-lib classify`` and what it lets out."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bench_lib.roofline.analysis import analyse_file
from bench_lib.roofline.classify import LABELS
from bench_lib.roofline.commands import classify
from bench_lib.roofline.ncu_report_file import NcuReport

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_synthetic import DRAM, DRAM_BOUND, MEMORY, SM, write_report

LAUNCH_FIELDS = {
    "index",
    "kernel",
    "duration_s",
    "sm_pct",
    "memory_pct",
    "dram_pct",
    "l2_pct",
    "l1_pct",
    "waves_per_sm",
    "flop_by_precision",
    "arithmetic_intensity_flop_per_byte",
    "label",
    "strength",
    "evidence",
    "spec_label",
    "nvidia_rule",
    "remedies",
}


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(classify, [str(a) for a in args], catch_exceptions=False)


def as_json(*args: str | Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(run("--json", *args).stdout)
    return document


def test_json_is_the_documented_schema(tmp_path: Path) -> None:
    document = as_json(write_report(tmp_path / "one.ncu-rep", 2))
    assert document.keys() == {"schema", "reports"} and document["schema"] == 1
    (report,) = document["reports"]
    assert report.keys() == {
        "file",
        "gpu",
        "compute_capability",
        "ncu_version",
        "clocks_locked",
        "launches",
    }
    assert (report["file"], report["gpu"], report["compute_capability"]) == (
        "one.ncu-rep",
        "NVIDIA Test",
        "9.0",
    )
    assert (report["ncu_version"], report["clocks_locked"]) == ("2024.3.2", True)
    first, second = report["launches"]
    assert first.keys() == LAUNCH_FIELDS
    assert (first["index"], second["index"]) == (0, 1)
    assert (first["label"], first["strength"], first["spec_label"]) == (
        "dram_bound",
        "strong",
        "memory_bound",
    )
    assert first["duration_s"] == pytest.approx(5e-5)
    assert first["l2_pct"] is None and first["arithmetic_intensity_flop_per_byte"] is None
    assert first["nvidia_rule"] == "High Throughput"
    assert first["evidence"]["rule_version"] == "1"
    assert first["remedies"][0]["code"] == "fuse"
    # DRAM gone, issue at 20 % would be the limit: at most 5 times faster.
    assert first["remedies"][0]["speedup_at_most"] == pytest.approx(5.0)
    assert first["remedies"][0]["time_s"] == pytest.approx(1e-5)


def test_nothing_private_gets_out_unless_asked_for(tmp_path: Path) -> None:
    path = write_report(tmp_path / "one.ncu-rep")
    for output in ("table", "json", "csv", "markdown"):
        text = run("--format", output, path).output
        assert "someone" not in text and "secret" not in text and str(tmp_path) not in text
    asked = as_json("--include", "command-line", "--include", "path", path)["reports"][0]
    assert "secret.py" in asked["command_line"] and asked["file"] == str(path)


def test_a_damaged_file_is_named_after_the_others_are_done(tmp_path: Path) -> None:
    good = write_report(tmp_path / "good.ncu-rep")
    bad = tmp_path / "bad.ncu-rep"
    bad.write_bytes(good.read_bytes()[:-30])
    late = write_report(tmp_path / "late.ncu-rep")
    done = run("--json", bad, late, tmp_path / "absent.ncu-rep", good)
    assert done.exit_code == 2
    assert [r["file"] for r in json.loads(done.stdout)["reports"]] == ["late.ncu-rep", "good.ncu-rep"]
    assert "bad.ncu-rep" in done.stderr and "absent.ncu-rep" in done.stderr and "good" not in done.stderr


def test_a_file_damaged_inside_leaves_no_verdict(tmp_path: Path) -> None:
    path = write_report(tmp_path / "one.ncu-rep", 3)
    data = bytearray(path.read_bytes())
    # The last launch's kernel name: its length byte now runs past the message.
    position = data.rfind(b"void ns::k") - 1
    data[position] = 0xFF
    path.write_bytes(data)
    done = run("--json", path)
    assert done.exit_code == 2 and json.loads(done.stdout)["reports"] == []


def test_folders_hold_reports_and_ncu_exports_only(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    write_report(inner / "one.ncu-rep")
    (tmp_path / "a" / "losses.csv").write_text("step,loss\n1,2\n")
    done = run("--json", tmp_path / "a")
    assert done.exit_code == 0 and len(json.loads(done.stdout)["reports"]) == 1


@pytest.mark.parametrize("output", ["table", "csv", "markdown"])
def test_hostile_names_are_harmless(tmp_path: Path, output: str) -> None:
    path = write_report(
        tmp_path / "one.ncu-rep", kernel="=cmd|' /C calc'!A0\x1b[31m<script>alert(1)</script>"
    )
    text = run("--format", output, path).stdout
    assert "\x1b" not in text
    if output == "csv":
        (row,) = csv.DictReader(io.StringIO(text))
        assert row["kernel"].startswith("'=") and row["label"] == "dram_bound"
    if output == "markdown":
        assert "<script" not in text.replace("\\<", "")


def test_unknown_stays_null_in_every_format(tmp_path: Path) -> None:
    metrics = {k: math.nan if isinstance(v, float) else v for k, v in DRAM_BOUND.items()}
    path = write_report(tmp_path / "nan.ncu-rep", metrics=metrics, rule="")
    launch = as_json(path)["reports"][0]["launches"][0]
    assert launch["label"] == "unknown" and launch["spec_label"] == "unknown"
    assert all(launch[k] is None for k in ("sm_pct", "memory_pct", "duration_s", "nvidia_rule", "strength"))
    (row,) = csv.DictReader(io.StringIO(run("--format", "csv", path).stdout))
    assert row["sm_pct"] == "" and row["label"] == "unknown"


def test_contradictions_warn(tmp_path: Path) -> None:
    path = write_report(tmp_path / "odd.ncu-rep", metrics={**DRAM_BOUND, DRAM: 95.0})
    done = run("--json", path)
    assert done.exit_code == 0 and "contradict" in done.stderr
    assert json.loads(done.stdout)["reports"][0]["launches"][0]["label"] == "unknown"


@pytest.mark.parametrize(
    ("command_line", "clock", "locked"),
    [
        ("ncu python a.py", (1, 1), True),
        ("ncu python a.py", (0, 0), False),
        ("ncu python a.py", None, None),
        ("ncu --clock-control none python a.py", (1, 1), False),
        ("ncu --clock-control=none python a.py", None, False),
    ],
)
def test_clock_lock(
    tmp_path: Path, command_line: str, clock: tuple[int, int] | None, locked: bool | None
) -> None:
    path = write_report(tmp_path / "one.ncu-rep", clock=clock, command_line=command_line)
    assert NcuReport(path).facts.clocks_locked is locked


def test_a_metric_given_twice_is_taken_last_and_decides_nothing(tmp_path: Path) -> None:
    path = write_report(tmp_path / "one.ncu-rep")
    report = NcuReport(path)
    names = report._strings
    names[names.index(DRAM)] = MEMORY
    names[names.index("launch__waves_per_multiprocessor")] = SM
    (launch,) = report
    assert launch.metrics[SM] == 4.0 and launch.number(SM) is None
    assert launch.number(MEMORY) == 90.0


def test_memory_does_not_grow_with_launches(tmp_path: Path) -> None:
    peaks = []
    for count in (300, 1500):
        path = write_report(tmp_path / f"{count}.ncu-rep", count)
        labels = set()
        tracemalloc.start()
        for analysis in analyse_file(path):
            labels.add(analysis.classification.verdict.label)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert labels == {"dram_bound"} <= set(LABELS)
    # 1,200 launches more; kept, each would take some kilobytes.
    assert peaks[1] < peaks[0] + 300_000


def test_an_empty_folder_is_named_and_the_rest_is_done(tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    report = write_report(tmp_path / "one.ncu-rep")
    done = run("--json", tmp_path / "nothing", report)
    assert done.exit_code == 2 and "nothing" in done.stderr
    assert len(json.loads(done.stdout)["reports"]) == 1


def test_absurd_figures_are_still_json(tmp_path: Path) -> None:
    tiny = {SM: 5e-324, MEMORY: 5e-324, DRAM: 5e-324}
    metrics = {**DRAM_BOUND, **tiny, "gpu__time_duration.sum": 1e308, "dram__bytes.sum": 1e308}
    metrics = {name: value for name, value in metrics.items() if not name.startswith("breakdown")}
    path = write_report(tmp_path / "one.ncu-rep", metrics=metrics, rule="")
    launch = as_json(path)["reports"][0]["launches"][0]
    assert launch["label"] == "latency_bound"
    # 100 over 5e-324 is no finite number.
    assert launch["remedies"][-1]["code"] == "reach-ceiling"
    assert launch["remedies"][-1]["speedup_at_most"] is None
