"""Charts: escaped, the same every time, and complete."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from bench_lib.errors import UsageError
from bench_lib.roofline.commands import classify

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_synthetic import DRAM_BOUND, write_report

pytest.importorskip("matplotlib", reason="the extra `charts` is not installed")

SASS = "smsp__sass_thread_inst_executed_op_"
PLACED = {
    **DRAM_BOUND,
    **{f"{SASS}{t}{op}_pred_on.sum": 1e6 for t in "fdh" for op in ("add", "mul", "fma")},
    "sm__inst_executed_pipe_tensor.sum": 0.0,
    "dram__bytes.sum": 1e6,
    "sm__cycles_elapsed.avg.per_second": 1e9,
    "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained": 10_000.0,
    "dram__bytes.sum.peak_sustained": 1000.0,
    "dram__cycles_elapsed.avg.per_second": 1e9,
}
HOSTILE = "void k<'\"><script>alert(1)</script>&$x$>(int)"


def draw(path: Path, report: Path) -> str:
    done = CliRunner().invoke(classify, ["--chart", str(path), str(report)], catch_exceptions=False)
    assert done.exit_code == 0
    return path.read_text(encoding="utf-8")


def test_svg_has_every_launch_with_its_whole_name(tmp_path: Path) -> None:
    report = write_report(tmp_path / "r.ncu-rep", 2, metrics=PLACED, kernel=HOSTILE)
    svg = draw(tmp_path / "c.svg", report)
    root = ElementTree.fromstring(svg)
    titles = [t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}title")]
    # Each launch is in the roofline and in SM against memory.
    assert len(titles) == 4 and all(t.startswith(HOSTILE) for t in titles)
    assert "<script" not in svg
    text = "".join(root.itertext())
    for heading in ("arithmetic intensity", "SM against memory", "share of time by class", "fp32", "DRAM"):
        assert heading in text


def test_the_same_report_gives_the_same_bytes(tmp_path: Path) -> None:
    report = write_report(tmp_path / "r.ncu-rep", metrics=PLACED)
    assert draw(tmp_path / "a.svg", report) == draw(tmp_path / "b.svg", report)


def test_page_loads_nothing_and_escapes(tmp_path: Path) -> None:
    report = write_report(tmp_path / "r.ncu-rep", metrics=PLACED, kernel=HOSTILE)
    text = draw(tmp_path / "c.html", report)
    assert "alert(1)" not in re.sub(r"&lt;script&gt;alert\(1\)", "", text)
    assert text.count("<script") == 1 and "src=" not in text and 'href="http' not in text
    assert "dram_bound" in text


def test_launches_that_cannot_be_placed_are_counted(tmp_path: Path) -> None:
    text = draw(tmp_path / "c.svg", write_report(tmp_path / "r.ncu-rep", 3))
    assert "3 of 3 launches have no known FLOP and bytes" in text


def test_other_endings_are_refused(tmp_path: Path) -> None:
    report = write_report(tmp_path / "r.ncu-rep")
    with pytest.raises(UsageError, match=r"\.svg or \.html"):
        CliRunner().invoke(classify, ["--chart", "c.png", str(report)], catch_exceptions=False)
