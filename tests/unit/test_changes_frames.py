"""Steps of whole stores: planted ones found, with commits, direction and version."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from bench_lib import results
from bench_lib.cli import cli
from bench_lib.results import series_changes, synthetic
from bench_lib.results.frames import SERIES
from bench_lib.results.series_changes import find_changes


def write(
    root: Path, values: list[float], *, versions: list[str] | None = None, name: str = "m.time_a"
) -> None:
    (root / "box").mkdir(parents=True, exist_ok=True)
    (root / "box" / "machine.json").write_text('{"machine": "box"}')
    for i, value in enumerate(values):
        row: list[Any] = [[value], [], versions[i] if versions else "1"]
        content = {
            "commit_hash": synthetic.commit_name(i),
            "env_name": "e",
            # File names are in no order; dates are.
            "date": 1_600_000_000_000 + i * 86_400_000,
            "params": {"machine": "box"},
            "result_columns": synthetic.RESULT_COLUMNS,
            "results": {name: row},
            "version": 2,
        }
        (root / "box" / f"{synthetic.commit_name(i)[:8]}-e.json").write_text(json.dumps(content))


def found_in(root: Path) -> pd.DataFrame:
    read = results.read(root)
    return find_changes(read.frame, read.benchmarks)


STEP = [1.0 + 0.001 * (i % 3) for i in range(20)] + [1.2 + 0.001 * (i % 3) for i in range(20)]


def test_commits_size_and_effect(tmp_path: Path) -> None:
    write(tmp_path, STEP)
    (row,) = found_in(tmp_path).to_dict("records")
    assert (row["last_before"], row["first_after"]) == (synthetic.commit_name(19), synthetic.commit_name(20))
    assert (row["earliest"], row["latest"]) == (row["last_before"], row["first_after"])
    assert (row["kind"], row["effect"]) == ("confirmed", "regression")
    assert row["ratio"] == pytest.approx(1.2, abs=0.001)
    assert row["date"] == pd.Timestamp(1_600_000_000_000 + 20 * 86_400_000, unit="ms", tz="UTC")


def test_finding_nothing_says_in_how_many_series(tmp_path: Path) -> None:
    write(tmp_path / "long", [1.0 + 0.001 * (i % 3) for i in range(40)])
    # A version that was measured at one commit less than a step needs, and one that never had a value.
    short = series_changes.SHORTEST - 1
    write(tmp_path / "both", [1.0, 1.001] * 10 + [5.0] * short, versions=["1"] * 20 + ["2"] * short)
    write(tmp_path / "none", [float("nan")] * 9)
    said = {
        name: CliRunner().invoke(cli, ["changes", "--results", str(tmp_path / name)]).stderr
        for name in ("long", "both", "none")
    }
    assert said["long"] == "bench-lib: nothing found in 1 series.\n"
    assert said["both"] == (
        f"bench-lib: nothing found in 1 series; 1 more with values at fewer than {short + 1} commits.\n"
    )
    assert said["none"] == "bench-lib: nothing found in 0 series.\n"


def test_what_is_only_hidden_is_not_said_to_be_absent(tmp_path: Path) -> None:
    # One step for the better, and one too near the end to be confirmed.
    write(tmp_path / "better", STEP[::-1])
    write(tmp_path / "late", [1.0 + 0.001 * (i % 3) for i in range(40)] + [1.2, 1.201, 1.2, 1.202])

    def changes(name: str, *options: str) -> tuple[int, str]:
        done = CliRunner().invoke(
            cli, ["changes", "--results", str(tmp_path / name), "--format", "csv", *options]
        )
        return len(done.stdout.splitlines()) - 1, done.stderr

    assert changes("better") == (1, "")
    assert changes("better", "--regressions") == (0, "bench-lib: no regression found in 1 series.\n")
    assert changes("late", "--possible") == (1, "")
    hidden = " confirmed in 1 series, 1 possible (see --possible).\n"
    assert changes("late") == (0, f"bench-lib: nothing{hidden}")
    assert changes("late", "--regressions") == (0, f"bench-lib: no regression{hidden}")


def test_gap_widens_the_range_of_commits(tmp_path: Path) -> None:
    write(tmp_path, [*STEP[:18], *[float("nan")] * 4, *STEP[22:]])
    (row,) = found_in(tmp_path).to_dict("records")
    assert (row["last_before"], row["first_after"]) == (synthetic.commit_name(17), synthetic.commit_name(22))


def test_step_between_versions_is_none(tmp_path: Path) -> None:
    write(tmp_path, STEP, versions=["1"] * 20 + ["2"] * 20)
    assert len(found_in(tmp_path)) == 0


@pytest.mark.parametrize(
    ("name", "effect"), [("m.track_tokens_per_s", "improvement"), ("m.track_loss", "change")]
)
def test_direction_is_that_of_the_metric(tmp_path: Path, name: str, effect: str) -> None:
    write(tmp_path, STEP, name=name)
    assert found_in(tmp_path)["effect"].tolist() == [effect]


def test_small_steps_are_left_out_on_request(tmp_path: Path) -> None:
    write(tmp_path, STEP)
    read = results.read(tmp_path)
    assert len(find_changes(read.frame, read.benchmarks, min_change=0.19)) == 1
    assert len(find_changes(read.frame, read.benchmarks, min_change=0.21)) == 0


def repeated(frame: pd.DataFrame, factors: list[float]) -> pd.DataFrame:
    """``frame`` with as many more rows for each of its own, their values multiplied."""
    more = [frame.assign(value=frame["value"] * factor) for factor in factors]
    return pd.concat([*more, frame], ignore_index=True)


def test_launches_at_one_commit_count_by_their_median(tmp_path: Path) -> None:
    # The last of each commit's values is level; the median of all has the step.
    write(tmp_path, [1.0 + 0.001 * (i % 3) for i in range(40)])
    read = results.read(tmp_path)
    assert len(find_changes(read.frame, read.benchmarks)) == 0
    places = np.array([synthetic_index(c) for c in read.frame["commit"]])
    step = np.where(places >= 20, 1.2, 1.0)
    launches = repeated(read.frame, [1.0, 1.0])
    launches["value"] *= np.concatenate([step, step, np.ones(40)])
    (row,) = find_changes(launches, read.benchmarks).to_dict("records")
    assert (row["last_before"], row["first_after"]) == (synthetic.commit_name(19), synthetic.commit_name(20))
    assert row["ratio"] == pytest.approx(1.2, abs=0.002)


def synthetic_index(commit: str) -> int:
    return [synthetic.commit_name(i) for i in range(40)].index(commit)


def test_one_odd_launch_of_three_is_no_step(tmp_path: Path) -> None:
    write(tmp_path, [1.0 + 0.001 * (i % 3) for i in range(40)])
    read = results.read(tmp_path)
    launches = repeated(read.frame, [1.0, 3.0])
    assert len(find_changes(launches, read.benchmarks)) == 0


def test_measured_and_simulated_values_are_two_series(tmp_path: Path) -> None:
    write(tmp_path, STEP)
    read = results.read(tmp_path)
    late = [synthetic_index(c) >= 20 for c in read.frame["commit"]]
    frame = read.frame.assign(origin=pd.Categorical(np.where(late, "simulated", "measured")))
    assert len(find_changes(frame, read.benchmarks)) == 0
    assert find_changes(read.frame, read.benchmarks)["origin"].tolist() == ["measured"]


def test_values_of_commits_without_a_date_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, STEP)
    read = results.read(tmp_path)
    late = [synthetic_index(c) >= 20 for c in read.frame["commit"]]
    frame = read.frame.copy()
    frame.loc[late, "date"] = pd.NaT
    assert len(find_changes(frame, read.benchmarks)) == 0
    frame["date"] = read.frame["date"]
    frame.loc[:, "date"] = pd.NaT
    assert len(find_changes(frame, read.benchmarks)) == 0


@pytest.mark.parametrize("limit", [1, 2**62])
def test_names_without_number_do_not_mix_series(
    tmp_path: Path, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series_changes, "_MAX_KEY", limit)
    planted = synthetic.write_store(
        tmp_path, num_machines=2, num_commits=40, num_benchmarks=4, num_parameter_sets=2, noise=0.001
    )
    read = results.read(tmp_path)
    found = find_changes(read.frame, read.benchmarks)
    names = [(row["benchmark"], row["machine"], row["parameters"]) for row in found.to_dict("records")]
    assert sorted(names) == sorted((s.benchmark, s.machine, s.parameters) for s in planted)


def test_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    write(tmp_path, STEP)
    read = results.read(tmp_path)
    shuffled = read.frame.sample(frac=1, random_state=1, ignore_index=True)
    pd.testing.assert_frame_equal(
        find_changes(shuffled, read.benchmarks), find_changes(read.frame, read.benchmarks)
    )


def test_planted_steps_of_a_store(tmp_path: Path) -> None:
    planted = synthetic.write_store(
        tmp_path, num_machines=3, num_commits=120, num_benchmarks=40, noise=0.01, seed=5
    )
    read = results.read(tmp_path)
    found = find_changes(read.frame, read.benchmarks)
    found = found[found["kind"] == "confirmed"]
    places: dict[Any, int] = {synthetic.commit_name(i): i for i in range(120)}
    near = 0
    for row in found.itertuples():
        true = [s for s in planted if s.benchmark == row.benchmark and s.machine == row.machine]
        near += any(abs(places[row.first_after] - s.index) <= 5 for s in true)
    assert len(planted) == 60
    assert near >= 0.95 * len(found)
    assert near >= 50
    assert np.all(np.diff(found["date"].dt.tz_localize(None).to_numpy().astype("int64")) <= 0)


DATA = (
    Path(os.environ.get("BENCH_LIB_TEST_DATA") or Path(__file__).parents[2].parent / "shared" / "data")
    / "asv"
)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no public results at {DATA}")
@pytest.mark.parametrize(("name", "most"), [("kedro", 1.0), ("empymod", 1.5), ("sunpy", 3.5)])
def test_public_results_do_not_flood(name: str, most: float) -> None:
    read = results.read(DATA / name, cache=False)
    found = find_changes(read.frame, read.benchmarks, min_change=0.01)
    values = read.frame[np.isfinite(read.frame["value"])]
    lengths = values.groupby([*SERIES, "version"], observed=True).size()
    assert len(found[found["kind"] == "confirmed"]) <= most * (lengths >= 6).sum()


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no public results at {DATA}")
def test_plain_steps_of_public_results_are_found() -> None:
    read = results.read(DATA / "sunpy", cache=False)
    found = find_changes(read.frame, read.benchmarks)
    memory = found[found["benchmark"].str.contains("peakmem") & (found["kind"] == "confirmed")]
    # Seen by eye in all three series: a fall by a seventh, and a rise by a quarter.
    for _, series in memory.groupby("benchmark"):
        assert series["ratio"].between(0.85, 0.88).any()
        assert series["ratio"].between(1.2, 1.3).any()
    assert memory["benchmark"].nunique() == 3
