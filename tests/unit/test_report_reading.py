"""The benchmark that reads reports beside ``ncu_report``, and memory of a long one."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bench_lib.roofline.ncu_report_file import NcuReport
from bench_lib.roofline.recorded import recorded_launches
from bench_lib.roofline.report_folder import REPORTS_VARIABLE

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_data import ncu_data

ROOT = Path(__file__).parents[2]


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.report_reading")


def test_the_long_report_holds_the_shipped_launches(suite: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "r.ncu-rep"
    entries = recorded_launches()
    suite.write_report(path, len(entries) + 1)
    launches = list(NcuReport(path))
    assert len(launches) == len(entries) + 1
    for launch, entry in zip(launches, [*entries, entries[0]], strict=True):
        assert launch.function == entry.launch.function
        assert dict(launch.metrics) == dict(entry.launch.metrics)


def test_both_readers_read_the_same_values(suite: ModuleType) -> None:
    if importlib.util.find_spec("ncu_report") is None:
        pytest.skip("the extra `ncu` is not installed")
    (report,) = ncu_data().glob("llm.c__adamw*")
    ratios = suite.reading_ratios([report], num_pairs=1)
    assert len(ratios) == 1 and ratios[0] > 0


def test_nothing_read_is_no_speed(suite: ModuleType) -> None:
    if importlib.util.find_spec("ncu_report") is None:
        pytest.skip("the extra `ncu` is not installed")
    with pytest.raises(ValueError, match="no value"):
        suite.reading_ratios([], num_pairs=1)


def test_it_says_why_it_skips(suite: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REPORTS_VARIABLE, str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    with pytest.raises(NotImplementedError, match="no-reports"):
        suite.ReadingSpeed().setup()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NotImplementedError, match="no-ncu-report"):
        suite.ReadingSpeed().setup()


def test_memory_is_that_of_a_child_which_read_verdicts(
    suite: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert suite.ReadingMemory().track_peak_rss_growth(20) >= 0
    assert not list(tmp_path.iterdir())
