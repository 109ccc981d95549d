"""Look-ups and comparisons, from Python and from the command line."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from bench_lib import results
from bench_lib.cli import cli
from bench_lib.errors import BenchLibError, UsageError
from bench_lib.results import compare, lookup
from bench_lib.results.hardware_table import hardware_table
from bench_lib.results.output import escaped_markdown, printable

A, B = "a" * 40, "b" * 40
COLUMNS = ["result", "params", "version", "stats_ci_99_a", "stats_ci_99_b", "stats_repeat"]
DATES = {A: 1_600_000_000_000, B: 1_600_086_400_000}


def write(
    root: Path, machine: str, commit: str, rows: dict[str, Any], *, env: str = "e", **facts: str
) -> None:
    folder = root / machine
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "machine.json").write_text(json.dumps({"machine": machine, "cpu": "C", **facts}))
    content = {
        "commit_hash": commit,
        "env_name": env,
        "date": DATES[commit],
        "params": {"machine": machine},
        "result_columns": COLUMNS,
        "results": rows,
        "version": 2,
    }
    (folder / f"{commit[:8]}-{env}.json").write_text(json.dumps(content))


def row(value: float | None, *, spread: float = 0.01, version: str = "1") -> list[Any]:
    if value is None or math.isnan(value):
        return [[value], [], version]
    return [[value], [], version, [value * (1 - spread)], [value * (1 + spread)], [10]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    index = {
        "f.time_p": {"unit": "seconds", "param_names": ["n", "kind"], "type": "time"},
        "g.track_x": {"unit": "widgets", "type": "track"},
    }
    (tmp_path / "benchmarks.json").write_text(json.dumps(index))
    params = [["1", "2"], ["'x'"]]
    grid = [[3.0, 4.0], params, "1", [2.9, 3.9], [3.1, 4.1], [10, 10]]
    write(tmp_path, "one", A, {"f.time_a": row(1.0), "f.time_b": row(2.0), "f.time_p": grid})
    write(tmp_path, "one", B, {"f.time_a": row(1.5), "f.time_b": row(None), "f.time_p": grid})
    write(tmp_path, "two", B, {"f.time_a": row(3.0), "g.track_x": row(7.0)}, gpu="NVIDIA H100 80GB HBM3")
    return tmp_path


def found(root: Path, **query: Any) -> list[tuple[str, str, float]]:
    frame = lookup.lookup(results.read(root), lookup.Query(**query))
    return list(frame[["benchmark", "machine", "value"]].itertuples(index=False, name=None))


def test_newest_is_the_default(root: Path) -> None:
    assert found(root, benchmark="time_a") == [("f.time_a", "one", 1.5), ("f.time_a", "two", 3.0)]
    assert len(found(root, benchmark="time_a", newest=False)) == 3


def test_newest_failure_hides_no_older_success(root: Path) -> None:
    (only,) = found(root, benchmark="time_b")
    assert math.isnan(only[2])


def test_by_hardware_name_alias_and_pattern(root: Path) -> None:
    assert {m for _, m, _ in found(root, hardware=["ONE"])} == {"one"}
    assert {m for _, m, _ in found(root, hardware=["nvidia-h100-sxm"])} == {"two"}
    assert {m for _, m, _ in found(root, hardware=["t*"])} == {"two"}


def test_by_parameters_with_and_without_quotes(root: Path) -> None:
    assert [v for *_, v in found(root, parameters={"n": "2", "kind": "x"})] == [4.0]
    assert [v for *_, v in found(root, parameters={"kind": "'x'"})] == [3.0, 4.0]


def test_by_commit_range_and_dates(root: Path) -> None:
    assert [v for *_, v in found(root, benchmark="time_a", commit="aa")] == [1.0]
    both = {"benchmark": "time_a", "hardware": ["one"], "newest": False}
    assert [v for *_, v in found(root, **both, first_commit="a", last_commit="b")] == [1.5, 1.0]
    assert [v for *_, v in found(root, **both, since="2020-09-14")] == [1.5]
    assert [v for *_, v in found(root, **both, until="2020-09-13")] == [1.0]


def test_by_metric(root: Path) -> None:
    assert [b for b, *_ in found(root, metric="track")] == ["g.track_x"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"benchmark": "("}, "regular expression"),
        ({"benchmark": "nothing_like_it"}, "one in the results: f.time_a"),
        ({"hardware": ["tw"]}, "one in the results: one, two"),
        ({"commit": "c"}, "None begins with it"),
        ({"since": "soon"}, "a date such as"),
        ({"parameters": {"n": "9"}}, "n=9"),
    ],
)
def test_what_is_not_there_is_said(root: Path, query: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        found(root, **query)


def compared(root: Path, *sides: str, **options: Any) -> dict[str, dict[str, Any]]:
    read = results.read(root)
    made = compare.compare(read, compare.sides_of(read, sides), **options)
    return {f"{r['benchmark']}|{r['parameters']}": r for r in made.rows.to_dict("records")}


def test_commits_compared_by_hand(root: Path) -> None:
    frame = results.read(root).frame
    rows = compared(root, "aaaa", "bbbb", frame=frame[frame["machine"] == "one"])
    slower = rows["f.time_a|"]
    assert slower["ratio"] == pytest.approx(1.5)
    assert slower["ratio_low"] == pytest.approx(1.485 / 1.01)
    assert slower["ratio_high"] == pytest.approx(1.515 / 0.99)
    assert (slower["is_significant"], slower["is_relevant"], slower["verdict"]) == (True, True, "worse")
    same = rows["f.time_p|n=1, kind='x'"]
    assert (same["is_significant"], same["is_relevant"], same["verdict"]) == (False, False, "same")
    failed = rows["f.time_b|"]
    assert math.isnan(failed["ratio"])
    assert failed["note"].startswith("failed in the candidate: ")


def test_missing_rows_are_kept(root: Path) -> None:
    rows = compared(root, "one", "two")
    assert rows["f.time_p|n=2, kind='x'"]["note"] == "missing in the candidate"
    assert rows["g.track_x|"]["note"] == "missing in the baseline"
    assert rows["g.track_x|"]["verdict"] == "not compared"


def test_skipped_is_not_missing_and_comes_last(tmp_path: Path) -> None:
    nan, none = [[math.nan], [], "1"], [[None], [], "1"]
    write(tmp_path, "x", A, {"f.time_a": nan, "f.time_b": nan, "f.time_c": nan, "f.time_z": row(1.0)})
    write(tmp_path, "y", A, {"f.time_a": row(1.0), "f.time_b": none, "f.time_z": row(1.0)})
    rows = compared(tmp_path, "x", "y")
    assert list(rows) == ["f.time_z|", "f.time_a|", "f.time_b|", "f.time_c|"]
    assert rows["f.time_a|"]["note"].startswith("skipped in the baseline: ")
    first, second = rows["f.time_b|"]["note"].split("; ")
    assert first.startswith("skipped in the baseline: ") and second.startswith("failed in the candidate: ")
    first, second = rows["f.time_c|"]["note"].split("; ")
    assert first.startswith("skipped in the baseline: ") and second == "missing in the candidate"
    lines = invoke(tmp_path, "compare", "x", "y").stdout.splitlines()
    words = [line.split()[:3] for line in lines[2:6]]
    assert [w[0] for w in words] == ["f.time_z", "f.time_a", "f.time_b", "f.time_c"]
    assert [w[1:] for w in words[1:]] == [["skipped", "1"], ["skipped", "failed"], ["skipped", "missing"]]


def test_significant_is_not_relevant(root: Path, tmp_path: Path) -> None:
    write(tmp_path, "s", A, {"f.time_a": row(1.0, spread=1e-4), "f.time_b": row(1.0, spread=0.5)})
    write(tmp_path, "s", B, {"f.time_a": row(1.01, spread=1e-4), "f.time_b": row(1.3, spread=0.5)})
    frame = results.read(tmp_path).frame
    rows = compared(tmp_path, "commit:aa", "commit:bb", frame=frame[frame["machine"] == "s"])
    precise, vague = rows["f.time_a|"], rows["f.time_b|"]
    assert (precise["is_significant"], precise["is_relevant"], precise["verdict"]) == (True, False, "same")
    assert (vague["is_significant"], vague["is_relevant"], vague["verdict"]) == (False, True, "undecided")


def test_unlike_versions_and_software_are_refused(root: Path, tmp_path: Path) -> None:
    write(tmp_path, "soft", B, {"f.time_a": row(1.0)}, gpu="llvmpipe (LLVM 17)")
    write(tmp_path, "old", B, {"f.time_a": row(1.0, version="0")})
    assert (
        compared(tmp_path, "soft", "two")["f.time_a|"]["note"] == "a device emulated on a CPU against a GPU"
    )
    assert compared(tmp_path, "one", "old")["f.time_a|"]["note"] == "unlike versions of the benchmark"
    assert math.isnan(compared(tmp_path, "one", "old")["f.time_a|"]["ratio"])


def test_environments_compared(tmp_path: Path) -> None:
    write(tmp_path, "one", A, {"f.time_a": row(1.0)}, env="e1")
    write(tmp_path, "one", A, {"f.time_a": row(0.5)}, env="e2")
    made = compared(tmp_path, "e1", "e2")["f.time_a|"]
    assert (made["ratio"], made["verdict"]) == (0.5, "better")


def test_geometric_mean_by_family(root: Path, tmp_path: Path) -> None:
    write(tmp_path, "x", A, {"f.time_a": row(1.0), "f.time_b": row(1.0), "f.time_c": row(1.0)})
    write(tmp_path, "y", A, {"f.time_a": row(2.0), "f.time_b": row(8.0)})
    read = results.read(tmp_path)
    means = compare.compare(read, compare.sides_of(read, ["x", "y"])).means
    (mean,) = means.to_dict("records")
    assert mean["geometric_mean"] == pytest.approx(4.0)
    assert (mean["family"], mean["metric"], mean["num_rows"], mean["num_left_out"]) == ("f", "time", 2, 1)


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        (("one",), "two names or more"),
        (("one", "bbbb"), "things of one kind"),
        (("one", "one"), "different things"),
        (("one", "three"), "a machine of: one, two.$"),
        (("nvidia-l4", "one"), "The device is known; these results have none of it"),
    ],
)
def test_sides_that_make_no_sense(root: Path, sides: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compared(root, *sides)


def test_hardware_has_peaks_and_what_was_measured(root: Path) -> None:
    table = hardware_table(results.read(root)).set_index("slug")
    h100 = table.loc["nvidia-h100-sxm"]
    assert (h100["machines"], h100["num_benchmarks"]) == ("two", 2)
    assert h100["peak_bfloat16_flop_per_s"] == 989.4e12
    assert "NVIDIA" in h100["source"]
    assert table.loc["one", "kind"] == "cpu"
    assert math.isnan(table.loc["one", "memory_bytes"])
    (only,) = hardware_table(results.read(root), name="one")["slug"]
    assert only == "one"


def invoke(root: Path, *arguments: str) -> Result:
    command, *rest = arguments
    return CliRunner().invoke(cli, [command, "--results", str(root), *rest], catch_exceptions=False)


def test_every_form_of_a_lookup(root: Path) -> None:
    table = invoke(root, "lookup", "time_a").stdout
    assert "1.5 s" in table
    assert "1.485 s to 1.515 s" in table
    assert "| f.time\\_a" in invoke(root, "lookup", "time_a", "--format", "markdown").stdout
    csv = pd.read_csv(io.StringIO(invoke(root, "lookup", "time_a", "--format", "csv").stdout))
    assert csv["value"].tolist() == [1.5, 3.0]
    rows = json.loads(invoke(root, "lookup", "--json").stdout)
    assert [r["value"] for r in rows if r["benchmark"] == "f.time_b"] == [None]
    pytest.importorskip("pyarrow")
    output = root / "out.parquet"
    invoke(root, "lookup", "time_a", "--format", "parquet", "--output", str(output))
    assert pd.read_parquet(output)["value"].tolist() == [1.5, 3.0]


def test_reason_stands_where_there_is_no_value(root: Path) -> None:
    stdout = invoke(root, "lookup", "time_b").stdout
    heading, _, *rows = stdout.splitlines()
    assert heading.split()[-1] == "note"
    failed = [line for line in rows if "asv keeps no reason" in line]
    assert failed
    assert all("  failed  " in line for line in failed)
    # The reason pads no other line: what has a value ends where its figures end.
    assert all(line == line.rstrip() for line in stdout.splitlines())


def test_compare_prints_and_checks(root: Path) -> None:
    done = invoke(root, "compare", "aaaa", "bbbb", "--check")
    assert done.exit_code == 1
    assert "worse" in done.stdout
    assert "geometric mean" in done.stdout
    assert invoke(root, "compare", "aaaa", "bbbb", "--check", "--relevant", "60").exit_code == 0
    for share in ("nan", "inf"):
        with pytest.raises(UsageError, match="expected a finite number"):
            invoke(root, "compare", "aaaa", "bbbb", "--check", "--relevant", share)


def test_changes_command_on_few_values(root: Path) -> None:
    done = invoke(root, "changes", "--json")
    assert (done.exit_code, json.loads(done.stdout)) == (0, [])
    assert "nothing found" in done.stderr


def test_hardware_command(root: Path) -> None:
    assert "bfloat16 989.4 TFLOP/s" in invoke(root, "hardware", "nvidia-h100-sxm").stdout


def test_damage_is_said_beside_the_answer(root: Path) -> None:
    (root / "one" / "half.json").write_text('{"results"')
    done = invoke(root, "lookup", "time_a")
    assert "half.json" in done.stderr
    assert "1.5 s" in done.stdout


def test_bad_parameter_option(root: Path) -> None:
    with pytest.raises(BenchLibError, match="NAME=VALUE"):
        invoke(root, "lookup", "--param", "n")


def test_names_cannot_steer_a_terminal_or_a_table(root: Path) -> None:
    name = "f.time_\x1b[31m|<b>"
    write(root, "one", B, {name: row(1.0)})
    assert "\x1b" not in invoke(root, "lookup", "31m").stdout
    assert printable("a\x1b\nb") == "a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b"
    assert escaped_markdown("a|<b>") == "a\\|\\<b\\>"


def test_rows_that_are_not_compared_are_null_in_json(root: Path) -> None:
    write(root, "inf-a", A, {"g.track_x": [[math.inf], [], "1"], "f.time_a": row(1.0)})
    write(root, "inf-b", A, {"g.track_x": [[0.0], [], "1"], "f.time_a": row(1.0), "f.time_b": row(1.0)})
    done = invoke(root, "compare", "inf-a", "inf-b", "--json")
    assert done.exit_code == 0
    found = {r["benchmark"]: r for r in json.loads(done.stdout)}
    assert found["g.track_x"]["is_significant"] is None and found["g.track_x"]["ratio"] is None
    assert found["f.time_b"]["is_significant"] is None
    assert found["f.time_a"]["ratio"] == 1.0
