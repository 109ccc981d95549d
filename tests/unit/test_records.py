"""Records survive storage; what is no record is named and loses nothing else."""

from __future__ import annotations

import dataclasses
import json
import stat
from pathlib import Path

import pytest

from bench_lib import asv_bridge
from bench_lib.errors import DamagedFileError, RunFailedError, UsageError
from bench_lib.files import write_whole
from bench_lib.model import Environment, Measurement, Run
from bench_lib.results import records

ENVIRONMENT = Environment(
    commit="a" * 40, dirty=False, python="3.11.7", os="Linux x86_64", started="2026-12-02T06:00:00+00:00"
)
RUN = Run(
    benchmark="fsdp2.TrainStep",
    version="1",
    params={"preset": "tiny", "num_ranks": 2},
    hardware="a-cpu-2cpu",
    environment=ENVIRONMENT,
    status="ok",
    measurements=(
        Measurement("step_time", (0.1, 0.2, 0.3), warmup=3, clock="host"),
        Measurement("step_time", (0.1, 0.1, 0.1), warmup=3, clock="host", rank=1),
    ),
    details={"backend": "gloo"},
)


def failed(status: str, reason: str = "why") -> Run:
    return dataclasses.replace(RUN, status=status, reason=reason, measurements=())  # type: ignore[arg-type]


@pytest.mark.parametrize("run", [RUN, failed("failed"), failed("skipped"), failed("timed_out")])
def test_a_record_survives_storage(run: Run, tmp_path: Path) -> None:
    assert records.read(records.write(run, tmp_path)) == run


def test_the_same_identity_replaces_and_another_does_not(tmp_path: Path) -> None:
    records.write(RUN, tmp_path)
    records.write(failed("failed"), tmp_path)
    assert [r.status for r in records.load(tmp_path).runs] == ["failed"]
    dirty = dataclasses.replace(RUN, environment=dataclasses.replace(ENVIRONMENT, dirty=True))
    records.write(dirty, tmp_path)
    assert len(records.load(tmp_path).runs) == 2


def test_launches_of_different_sessions_accumulate(tmp_path: Path) -> None:
    for session in ("a", "b", "b"):
        records.write(dataclasses.replace(RUN, session=session), tmp_path)
    assert sorted(r.session for r in records.load(tmp_path).runs) == ["a", "b"]


def test_a_run_without_a_result_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="a run that is failed needs a reason"):
        failed("failed", reason="")


@pytest.mark.parametrize("name", ["../../escape", "a/b", "..", "", "x" * 500, "<script>", "\0"])
def test_no_name_leaves_the_directory(name: str, tmp_path: Path) -> None:
    results = tmp_path / "results"
    hostile = dataclasses.replace(
        RUN, benchmark=name, hardware=name, environment=dataclasses.replace(ENVIRONMENT, commit=name)
    )
    path = records.write(hostile, results)
    assert path.resolve().is_relative_to(results.resolve() / "records")
    assert records.read(path) == hostile


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"{}",
        b"[1, 2]",
        b'{"benchmark": 3}',
        records.to_json(RUN).encode()[:-40],
        records.to_json(RUN).replace('"ok"', '"fine"').encode(),
        records.to_json(RUN).replace('"schema": 1', '"schema": 99').encode(),
        records.to_json(RUN).replace("0.2,", '"0.2",').encode(),
    ],
)
def test_what_is_no_record_is_named_and_the_rest_is_read(content: bytes, tmp_path: Path) -> None:
    good = records.write(RUN, tmp_path)
    bad = good.with_name("bad.record")
    bad.write_bytes(content)
    with pytest.raises(DamagedFileError, match=r"bad\.record: found .*, expected "):
        records.read(bad)
    loaded = records.load(tmp_path)
    assert loaded.runs == (RUN,)
    assert [error.path for error in loaded.damaged] == [bad]


def test_schema_1_still_loads() -> None:
    """As version 0.1.0 wrote it; fields added later take their defaults."""
    text = (Path(__file__).parents[1] / "golden" / "record-schema-1.record").read_text(encoding="utf-8")
    document = json.loads(text)
    assert document["schema"] == 1
    path = Path(__file__).parents[1] / "golden" / "record-schema-1.record"
    assert records.read(path) == RUN


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_whole(path, "old")

    def no_rename(*arguments: object) -> None:
        raise OSError("planted")

    monkeypatch.setattr(Path, "replace", no_rename)
    with pytest.raises(OSError, match="planted"):
        write_whole(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_unchanged_file_is_not_touched_and_others_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert write_whole(path, "same")
    assert not write_whole(path, "same")
    assert path.stat().st_mode & stat.S_IRUSR


def test_asv_gets_samples_of_what_it_may_judge() -> None:
    assert asv_bridge.track(RUN, "step_time") == {"samples": [0.1, 0.2, 0.3], "number": 1}
    assert (asv_bridge.unit("step_time"), asv_bridge.unit("peak_allocated")) == ("seconds", "bytes")
    with pytest.raises(UsageError, match="Derive the others when presenting"):
        asv_bridge.unit("tokens_per_s")
    with pytest.raises(RunFailedError, match="failed: why"):
        asv_bridge.track(failed("failed"), "step_time")
    with pytest.raises(NotImplementedError, match="why"):
        asv_bridge.require(failed("skipped"))
    asv_bridge.require(failed("failed"))


def test_one_launch_serves_every_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(asv_bridge.RESULTS_VARIABLE, str(tmp_path / "results"))
    launches: list[int] = []

    def measure() -> Run:
        launches.append(1)
        return RUN

    def once(cache: str, num_ranks: int) -> Run:
        (tmp_path / cache).mkdir(exist_ok=True)
        params: dict[str, str | int] = {"preset": "tiny", "num_ranks": num_ranks}
        return asv_bridge.once(str(tmp_path / cache), params, measure)

    first = [once("one", 2) for _ in range(3)]
    other = once("one", 4)
    assert len(launches) == 2
    assert first[0] == first[1] == first[2] == dataclasses.replace(RUN, session=other.session)
    assert other.session
    # Another run of asv is another session: its launches do not replace these.
    assert once("two", 2).session != other.session
    assert len(records.load(tmp_path / "results").runs) == 2
