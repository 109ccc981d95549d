"""What the supervisor of a group says and counts, without ranks."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench_lib.errors import UsageError
from bench_lib.fsdp2 import diagnosis, group, workdir
from bench_lib.fsdp2.config import Rendezvous, RunConfig

MIB = 1024**2


def leave(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free))


def test_time_in_which_the_supervisor_was_stopped_is_none_of_the_ranks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments = iter([100.0, 100.2, 100.5, 4000.5, 4000.7])
    monkeypatch.setattr(group.time, "monotonic", lambda: next(moments))
    monkeypatch.setattr(group.time, "sleep", lambda seconds: None)
    awake = group._Awake()
    counted = []
    for _ in range(4):
        awake.sleep(0.2)
        counted.append(awake.now)
    # 3900 s between two looks count as 0.2 s and the longest look.
    assert counted == pytest.approx([0.2, 0.5, 5.7, 5.9])


def test_room_for_every_rank(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    leave(monkeypatch, 8 * MIB)
    assert diagnosis.lacking_space(tmp_path, num_ranks=2) == ""
    said = diagnosis.lacking_space(tmp_path, num_ranks=3)
    assert said == "the temporary folder has 8 MiB left, and 3 rank(s) want 12 MiB there"


def test_a_full_disk_is_refused_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    leave(monkeypatch, 100)
    outcome = group.run(RunConfig("tiny", 2))
    assert (outcome.status, outcome.code) == ("skipped", "no-temporary-folder")
    assert outcome.reason.startswith("the temporary folder has 100 B left")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_filled_meanwhile_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ranks could leave no evidence of it."""
    leave(monkeypatch, 0)
    outcome = group._outcome(tmp_path, config=RunConfig("tiny", 2), exit_code=1, cause=None)
    assert outcome.reason.endswith("the temporary folder has 0 B left, and 2 rank(s) want 8 MiB there")


def test_no_temporary_folder_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    outcome = group.run(RunConfig("tiny", 2))
    assert (outcome.status, outcome.code) == ("skipped", "no-temporary-folder")
    assert "No usable temporary directory found" in outcome.reason


def test_who_ended_the_launcher_comes_before_what_its_ranks_left(tmp_path: Path) -> None:
    (tmp_path / workdir.SIGNALLED).write_text("SIGHUP")
    (tmp_path / "rank-0.progress").write_text("1 3 step")
    cause = diagnosis.of_failure(tmp_path, launcher_exit=1)
    assert (cause.rank, cause.reason) == (None, "the launcher was ended by SIGHUP")


@pytest.mark.parametrize(
    "endpoint", ["host", "host:0", "10.0.0.1:29500", "[::1]:29500", "[::1]", "a-b.c_d:1"]
)
def test_endpoints_that_torch_takes(endpoint: str) -> None:
    assert Rendezvous(nnodes=2, rdzv_endpoint=endpoint, rdzv_id="x").rdzv_endpoint == endpoint


@pytest.mark.parametrize(
    "endpoint", ["host:", "host:x", "host:65536", "host:-1", ":1", "::1", "a b:1", "h:1\n", "h:١"]
)
def test_endpoints_that_it_does_not(endpoint: str) -> None:
    with pytest.raises(UsageError, match="--rdzv-endpoint"):
        Rendezvous(nnodes=2, rdzv_endpoint=endpoint, rdzv_id="x")
