"""Reading results directories: asv's own reader as the oracle, damage named, records joined."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bench_lib import results
from bench_lib.errors import UsageError
from bench_lib.model import Environment, Measurement, Run
from bench_lib.results import records, synthetic
from bench_lib.results.asv_index import describe
from bench_lib.results.frames import COLUMNS, NO_REASON

DATA = (
    Path(os.environ.get("BENCH_LIB_TEST_DATA") or Path(__file__).parents[2].parent / "shared" / "data")
    / "asv"
)
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no public results at {DATA}")

V2: dict[str, Any] = {
    "commit_hash": "c" * 40,
    "env_name": "virtualenv-py3.11",
    "date": 1_600_000_000_000,
    "params": {"machine": "box"},
    "python": "3.11",
    "requirements": {},
    "env_vars": {},
    "result_columns": synthetic.RESULT_COLUMNS,
    "durations": {},
    "version": 2,
}
INDEX = {
    "m.S.time_a": {"unit": "seconds", "type": "time", "version": "v2", "param_names": ["n", "kind"]},
    "version": 2,
}


def write(root: Path, name: str, rows: dict[str, Any], **changes: Any) -> Path:
    path = root / "box" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**V2, "results": rows, **changes}))
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "machine.json").write_text('{"machine": "box", "cpu": "A", "version": 1}')
    (tmp_path / "benchmarks.json").write_text(json.dumps(INDEX))
    return tmp_path


def test_every_column_of_a_parametrized_benchmark(root: Path) -> None:
    params = [["1", "2"], ["'x'"]]
    row = [[0.5, math.nan], params, "v2", 1, 1.0, [0.4, None], [0.6, None], None, None, [3, None], [5, None]]
    write(root, "a.json", {"m.S.time_a": [*row, [[0.4, 0.5, 0.6], None]]})
    frame = results.load(root)
    assert tuple(frame.columns) == COLUMNS
    first, second = frame.to_dict("records")
    assert first.pop("samples").tolist() == [0.4, 0.5, 0.6]
    assert first == {
        "benchmark": "m.S.time_a",
        "parameters": "n=1, kind='x'",
        "metric": "time",
        "commit": "c" * 40,
        "date": pd.Timestamp("2020-09-13 12:26:40", tz="UTC"),
        "machine": "box",
        "environment": "virtualenv-py3.11",
        "value": 0.5,
        "low": 0.4,
        "high": 0.6,
        "num_samples": 5,
        "unit": "s",
        "version": "v2",
        "status": "ok",
        "reason": "",
        "origin": "measured",
    }
    assert (second["status"], second["reason"], second["samples"]) == ("skipped", NO_REASON, None)
    assert math.isnan(second["value"])


def test_null_is_a_failure_and_nan_a_skip(root: Path) -> None:
    write(root, "a.json", {"m.S.time_b": [None, [["1", "2"]]], "m.S.time_c": [[math.nan], []]})
    frame = results.load(root)
    assert frame.groupby("benchmark", observed=True)["status"].agg(list).to_dict() == {
        "m.S.time_b": ["failed", "failed"],
        "m.S.time_c": ["skipped"],
    }


def test_format_1_in_all_its_forms(root: Path) -> None:
    stats = {"ci_99": [1, 3], "q_25": 1, "q_75": 3, "repeat": 4, "number": 2}
    rows = {
        "m.time_bare": 2.0,
        "m.time_null": None,
        "m.time_one": {"result": 2.0, "stats": stats, "samples": [1.0, 2.0, 3.0]},
        "m.time_two": {"result": [2.0, 4.0], "stats": [stats, None], "params": [["1", "2"]]},
        "m.time_lost": {"result": [None], "params": [["1", "2"]]},
    }
    write(root, "a.json", rows, version=1, benchmark_version={"m.time_one": "old"}, result_columns=None)
    frame = results.load(root).set_index("benchmark")
    assert frame.loc["m.time_bare", "value"] == 2.0
    assert frame.loc["m.time_null", "status"] == "failed"
    one = frame.loc["m.time_one"]
    assert (one["low"], one["high"], one["num_samples"], one["version"]) == (1, 3, 4, "old")
    assert one["samples"].tolist() == [1.0, 2.0, 3.0]
    assert frame.loc["m.time_two", "parameters"].tolist() == ["param1=1", "param1=2"]
    assert frame.loc["m.time_lost", "status"].tolist() == ["failed", "failed"]


def test_environments_of_before_asv_0_2_are_told_by_the_name_of_the_file(root: Path) -> None:
    old = {"version": 1, "result_columns": None, "env_name": None, "python": "2.7"}
    for number, name in enumerate(["0badc0de-py2.7-Cython-numpy1.8", "0badc0de-py2.7-Cython-numpy1.9"]):
        write(root, f"{name}.json", {"benchmarks.mem_unit": 728 + number}, **old)
    requirements = {"numpy": "1.8", "Cython": None}
    write(root, "renamed.json", {"time_it": 0.1}, **old, requirements=requirements)
    frame = results.load(root)
    assert dict(zip(frame["environment"], frame["value"], strict=True)) == {
        "py2.7-Cython-numpy1.8": 0.1,
        "py2.7-Cython-numpy1.9": 729.0,
    }
    assert frame["value"].tolist() == [728.0, 729.0, 0.1]


def test_functions_of_the_package_are_one_family(root: Path) -> None:
    write(root, "a.json", {"time_one": [[1.0], []], "time_two": [[1.0], []], "m.time_three": [[1.0], []]})
    found = results.read(root, cache=False).benchmarks
    assert {name: about.family for name, about in found.items()} == {
        "time_one": "benchmarks",
        "time_two": "benchmarks",
        "m.time_three": "m",
    }


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('{"results": {"m.time', "JSON|Unterminated|truncated|Expecting"),
        ("", "JSON|Expecting|truncated"),
        ("[]", "no results in it"),
        (json.dumps({**V2, "results": {}, "version": 9}), "format 9"),
        (json.dumps({**V2, "results": {"a": [[1, 2, 3], [["1", "2"]]]}}), "3 values for 2"),
        (json.dumps({k: v for k, v in {**V2, "results": {}}.items() if k != "commit_hash"}), "commit_hash"),
        ("[" * 100_000, "JSON|recursion|depth"),
        *((json.dumps({**V2, "results": {}, "date": d}), "date of the commit") for d in (10**18, -(10**18))),
        (json.dumps({**V2, "results": {}, "date": float("nan")}), "NaN"),
        (json.dumps({**V2, "results": {"a": [[[1.0]], []]}}), "lists within the values"),
        (json.dumps({**V2, "results": {"a": [[1.0], [], "v", 0, 0, [[1.0]]]}}), "lists within stats_ci_99_a"),
        # As many combinations as no memory holds.
        (json.dumps({**V2, "results": {"a": [None, [["1"] * 1000] * 4]}}), "1000000000000 parameter comb"),
    ],
)
def test_damaged_file_is_named_and_others_are_read(root: Path, content: str, found: str) -> None:
    write(root, "good.json", {"m.time_a": [[1.0], []]})
    (root / "box" / "bad.json").write_text(content)
    with pytest.warns(results.ResultsWarning, match=rf"bad\.json: found .*({found})"):
        frame = results.load(root)
    assert frame["value"].tolist() == [1.0]


def test_what_is_called_like_a_file_and_is_none_is_named(root: Path) -> None:
    write(root, "good.json", {"m.time_a": [[1.0], []]})
    box = root / "box"
    (box / "folder.json").mkdir()
    (box / "loop.json").symlink_to("loop.json")
    (box / "nowhere.json").symlink_to("gone.json")
    os.mkfifo(box / "pipe.json")
    found = results.read(root, cache=False)
    assert found.frame["value"].tolist() == [1.0]
    names = ["folder.json", "loop.json", "nowhere.json", "pipe.json"]
    assert sorted(error.path.name for error in found.damaged) == names


def test_an_unreadable_folder_is_named_and_others_are_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "a.json", {"m.time_b": [[1.0], [], "1"]})
    closed = shutil.copytree(root / "box", root / "closed")
    # Permissions do not hold for root, who may run this.
    real_stat, real_scandir = os.stat, os.scandir

    def stat(path: Any, **options: Any) -> os.stat_result:
        if str(path).startswith(f"{closed}/"):
            raise PermissionError(13, "Permission denied", str(path))
        return real_stat(path, **options)

    def scandir(path: Any) -> Any:
        if str(path) == str(closed):
            raise PermissionError(13, "Permission denied", str(path))
        return real_scandir(path)

    monkeypatch.setattr(os, "stat", stat)
    monkeypatch.setattr(os, "scandir", scandir)
    found = results.read(root)
    assert [error.path for error in found.damaged] == [closed]
    assert "Permission denied" in str(found.damaged[0])
    assert found.frame["machine"].tolist() == ["box"]


@pytest.mark.parametrize("returned", ["v1.2", {"a": 1}, 10**400, True])
def test_a_result_that_is_no_number_takes_no_other_away(root: Path, returned: Any) -> None:
    write(root, "a.json", {"m.track_a": [[returned], [], "1"], "m.time_b": [[2.0], [], "1"]})
    found = results.read(root)
    rows = {row["benchmark"]: row for row in found.frame.to_dict("records")}
    assert not found.damaged and rows["m.time_b"]["value"] == 2.0
    if returned is True:
        assert rows["m.track_a"]["value"] == 1.0
        return
    assert math.isnan(rows["m.track_a"]["value"])
    assert (rows["m.track_a"]["status"], rows["m.track_a"]["reason"]) == ("failed", "the value is no number")


def test_a_machine_may_be_called_as_our_records(root: Path) -> None:
    write(root, "a.json", {"m.time_b": [[1.0], [], "1"]})
    shutil.copytree(root / "box", root / "records")
    (root / "records" / "machine.json").write_text('{"machine": "records", "version": 1}')
    for path in (root / "records").glob("a.json"):
        path.write_text(path.read_text().replace('"box"', '"records"'))
    found = results.read(root)
    assert sorted(found.machines) == ["box", "records"]
    assert sorted(found.frame["machine"]) == ["box", "records"]


def test_half_characters_do_not_stop_a_cache(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench_lib.results.store.SMALLEST_CACHED_BYTES", 0)
    monkeypatch.setenv("BENCH_LIB_CACHE", str(root.parent / "cache"))
    write(root, "a.json", {"m.\ud800time": [[1.0], []]}, env_name="\ud83d\ude00")
    for _ in range(2):
        frame = results.load(root)
        assert frame["benchmark"].tolist() == ["m.\ufffdtime"]
        assert frame["environment"].tolist() == ["\U0001f600"]


def test_versions_and_counts_of_any_kind(root: Path) -> None:
    lots = [None] * 7
    write(root, "a.json", {"m.S.time_a": [[1.0], [], 3, *lots, [1e99]], "m.time_b": [[1.0], [], "x"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        frame = results.load(root).set_index("benchmark")
    assert frame["version"].tolist() == ["3", "x"]
    assert frame.loc["m.S.time_a", "num_samples"] == 2**31 - 1


def test_damaged_index_and_missing_machine_are_said(root: Path) -> None:
    write(root, "a.json", {"m.peakmem_a": [[1.0], []]}, params={"machine": "ghost"})
    (root / "benchmarks.json").write_text("{")
    found = results.read(root)
    assert [e.path.name for e in found.damaged] == ["benchmarks.json"]
    assert "'ghost'" in found.notes[0]
    # The name still tells what asv measures.
    assert found.frame[["metric", "unit"]].to_numpy().tolist() == [["peak_memory", "B"]]


def test_unlike_versions_stay_apart(root: Path) -> None:
    write(root, "a.json", {"m.time_a": [[1.0], [], "v1"]})
    write(root, "b.json", {"m.time_a": [[2.0], [], "v2"]}, commit_hash="d" * 40)
    assert results.load(root)["version"].tolist() == ["v1", "v2"]


def test_not_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a folder"):
        results.load(tmp_path / "absent")


def test_empty_folder_is_an_empty_frame(tmp_path: Path) -> None:
    frame = results.load(tmp_path)
    assert len(frame) == 0
    assert tuple(frame.columns) == COLUMNS


def test_a_project_folder_leads_to_its_results(root: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    write(root, "a.json", {"m.time_a": [[1.0], []]})
    (project / "results").symlink_to(root)
    assert len(results.load(project)) == 1


def asvs_reading(path: Path, scratch: Path) -> Any:
    """What asv reads; it asks for format 1 to be rewritten first, which is done on a copy."""
    from asv.results import Results

    copied = Path(shutil.copy(path, scratch))
    Results.update(str(copied))
    return Results.load(str(copied))


@needs_data
@pytest.mark.parametrize("name", ["kedro", "sunpy", "empymod"])
def test_agrees_with_asvs_own_reader(name: str, tmp_path: Path) -> None:
    from asv.results import iter_results_paths

    results_dir = DATA / name / "results"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = results.load(DATA / name, cache=False)
    ours = frame.set_index([frame["commit"].astype(str), frame["environment"].astype(str)])
    paths = [Path(folder, file) for folder, file, _ in iter_results_paths(str(results_dir))]
    assert len({*zip(frame["commit"], frame["environment"], frame["machine"], strict=True)}) == len(paths)
    for path in sorted(paths)[::101]:
        theirs = asvs_reading(path, tmp_path)
        mine = ours.loc[[(theirs.commit_hash, theirs.env_name)]]
        mine = mine[mine["machine"] == theirs.params["machine"]]
        for key in theirs.get_all_result_keys():
            params = theirs.get_result_params(key)
            rows = mine[mine["benchmark"] == key]
            values = theirs.get_result_value(key, params)
            np.testing.assert_array_equal(rows["value"], np.array(values, dtype=float))
            stats = [s or {} for s in theirs.get_result_stats(key, params)]
            # asv rounds intervals to five digits when it reads format 1.
            lows = np.array([s.get("ci_99_a") for s in stats], dtype=float)
            np.testing.assert_allclose(rows["low"], lows, rtol=1e-4)
            assert rows["version"].tolist() == [theirs.benchmark_version.get(key) or ""] * len(rows)


def run(**changes: Any) -> Run:
    fields: dict[str, Any] = {
        "benchmark": "f.Step",
        "version": "1",
        "params": {"preset": "tiny", "ranks": 2},
        "hardware": "box",
        "environment": Environment(
            commit="c" * 40, dirty=False, python="3.11.7", os="L", started="2026-01-02T00:00:00+00:00"
        ),
        "status": "ok",
        "measurements": (
            Measurement("step_time", (1.0, 2.0, 3.0)),
            Measurement("peak_rss", (5.0,)),
            Measurement("peak_rss", (4.0,), rank=0),
        ),
    }
    return Run(**{**fields, **changes})


ASV_ROW = [[2.0, math.nan], [["'tiny'"], ["2", "4"]], "step_time-1"]


def test_record_explains_asvs_skip_and_adds_what_asv_lacks(root: Path) -> None:
    describe_step(root)
    write(root, "a.json", {"f.Step.track_step_time": ASV_ROW})
    records.write(run(origin="simulated"), root)
    records.write(
        run(params={"ranks": 4, "preset": "tiny"}, status="skipped", reason="needs 4 GPUs", measurements=()),
        root,
    )
    frame = results.load(root).set_index(["benchmark", "parameters"])
    assert len(frame) == 3
    step = frame.loc[("f.Step.track_step_time", "preset='tiny', ranks=2")]
    assert (step["value"], step["status"], step["origin"], step["metric"]) == (
        2,
        "ok",
        "simulated",
        "step_time",
    )
    skip = frame.loc[("f.Step.track_step_time", "preset='tiny', ranks=4")]
    assert (skip["status"], skip["reason"]) == ("skipped", "needs 4 GPUs")
    extra = frame.loc[("f.Step.track_peak_rss", "preset='tiny', ranks=2")]
    assert (extra["value"], extra["unit"], extra["version"]) == (5.0, "B", "peak_rss-1")
    # The same series as asv's rows: same environment, and the date of the commit.
    assert extra["environment"] == "virtualenv-py3.11"
    assert extra["date"] == step["date"]


def test_launch_that_failed_later_takes_no_value_away(root: Path) -> None:
    write(root, "a.json", {"f.Step.track_step_time": ASV_ROW})
    later = dataclasses.replace(run().environment, started="2026-01-03T00:00:00+00:00")
    failed = run(environment=later, session="2", status="failed", reason="lost rank 1", measurements=())
    records.write(failed, root)
    frame = results.load(root)
    assert frame["status"].tolist() == ["ok", "skipped", "failed"]
    assert frame["reason"].tolist() == ["", NO_REASON, "lost rank 1"]


def describe_step(root: Path, name: str = "f.Step.track_step_time", params: str = "preset ranks") -> None:
    described = {name: {"unit": "seconds", "param_names": params.split()}}
    (root / "benchmarks.json").write_text(json.dumps(described))


def test_parameters_that_nobody_asked_for_are_no_skip(root: Path) -> None:
    describe_step(root)
    write(root, "a.json", {"f.Step.track_step_time": ASV_ROW})
    write(root, "b.json", {"f.Step.track_step_time": ASV_ROW}, env_name="x-py3.12")
    records.write(run(details={"asv_machine": "box"}), root)
    frame = results.load(root)
    frame = frame[frame["metric"] == "step_time"]
    # The other interpreter's run kept no record: there, nobody can tell.
    rows = frame[["environment", "parameters", "status"]].astype(str).to_numpy().tolist()
    assert sorted(rows) == [
        ["virtualenv-py3.11", "preset='tiny', ranks=2", "ok"],
        ["x-py3.12", "preset='tiny', ranks=2", "ok"],
        ["x-py3.12", "preset='tiny', ranks=4", "skipped"],
    ]


def test_record_of_a_device_takes_asvs_row_to_that_device(root: Path) -> None:
    describe_step(root, "k.Kernel.track_step_time", "kernel")
    write(root, "a.json", {"k.Kernel.track_step_time": [[2.0, math.nan], [["'a fp32'", "'b fp32'"]], "1"]})
    filed = {"asv_benchmark": "k.Kernel", "asv_params": '{"kernel": "a fp32"}', "asv_machine": "box"}
    kernel = run(params={"op": "a", "dtype": "fp32", "sizes": "n=1"}, hardware="gpu-one", details=filed)
    records.write(kernel, root)
    frame = results.load(root)
    assert set(frame["machine"]) == {"gpu-one"}
    assert frame["benchmark"].tolist() == ["k.Kernel.track_step_time", "k.Kernel.track_peak_rss"]
    assert set(frame["parameters"].str.rpartition("=")[2]) == {"'a fp32'"}


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"kernel": {"a": 1}}', "null"])
def test_unusable_names_of_asv_are_as_if_not_there(root: Path, text: str) -> None:
    records.write(run(details={"asv_benchmark": "", "asv_params": text, "asv_machine": 5}), root)
    frame = results.load(root)
    assert set(frame["parameters"]) == {"preset='tiny', ranks=2"} and set(frame["machine"]) == {"box"}
    assert set(frame["benchmark"]) == {"f.Step.track_step_time", "f.Step.track_peak_rss"}


def test_record_of_a_commit_that_asv_lacks_has_the_commits_date(root: Path) -> None:
    environment = dataclasses.replace(run().environment, commit_time="2025-12-31T00:00:00+00:00")
    records.write(run(environment=environment), root)
    assert set(results.load(root)["date"]) == {pd.Timestamp("2025-12-31", tz="UTC")}


def test_record_alone_becomes_rows(root: Path) -> None:
    records.write(run(), root)
    frame = results.load(root).set_index("benchmark")
    assert frame.loc["f.Step.track_step_time", "value"] == 2.0
    assert frame.loc["f.Step.track_step_time", "samples"].tolist() == [1.0, 2.0, 3.0]
    assert frame.loc["f.Step.track_step_time", "environment"] == "py3.11"
    assert "samples" not in results.load(root, samples=False)


def test_record_of_changed_files_is_no_point_of_the_commit(root: Path) -> None:
    environment = Environment(commit="c" * 40, dirty=True, python="3.11.7", os="L", started="2026-01-02")
    write(root, "a.json", {"f.Step.track_step_time": ASV_ROW})
    records.write(run(environment=environment), root)
    assert set(results.load(root)["commit"]) == {"c" * 40, "c" * 40 + "+changes"}


def test_record_of_another_torch_is_not_joined(root: Path) -> None:
    environment = Environment(
        commit="c" * 40, dirty=False, python="3.11.7", os="L", started="2026-01-02", torch="2.13.0+cpu"
    )
    write(root, "a.json", {"f.Step.track_step_time": ASV_ROW}, env_name="x-py3.11-torch2.12.0")
    records.write(run(environment=environment, status="failed", reason="no", measurements=()), root)
    frame = results.load(root)
    assert frame["environment"].tolist() == ["x-py3.11-torch2.12.0"] * 2 + ["py3.11-torch2.13.0"]
    assert frame["reason"].tolist() == ["", NO_REASON, "no"]


def test_damaged_record_is_named(root: Path) -> None:
    path = records.write(run(), root)
    path.write_text(path.read_text()[:50])
    with pytest.warns(results.ResultsWarning, match=r"\.record: found"):
        assert len(results.load(root)) == 0


def test_parameters_of_one_name_are_told_apart() -> None:
    about = describe("a.time_it", {"param_names": ["n", "n", "n (2)", "m"]})
    assert about.parameters(["1", "2", "3", "4"]) == (
        ("n", "1"),
        ("n (2)", "2"),
        ("n (2) (2)", "3"),
        ("m", "4"),
    )
    assert about.parameters(["1", "2", "3", "4", "5"])[-1] == ("param5", "5")
