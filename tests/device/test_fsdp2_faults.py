"""A rank that crashes, hangs or is killed: the group ends, nothing is left, the record says why."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from bench_lib.fsdp2 import group, progress
from bench_lib.fsdp2.config import Rendezvous, RunConfig
from bench_lib.fsdp2.group import Outcome
from bench_lib.fsdp2.measure import measure
from bench_lib.results import records

pytest.importorskip("torch", reason="torch is not installed: pip install 'bench-lib[fsdp2]'")

HERE = Path(__file__).parent


def descendants_with(marker: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("BENCH_LIB_TEST") == marker:
                found.append(process)
        except (psutil.AccessDenied, psutil.NoSuchProcess, psutil.ZombieProcess):
            continue
    return [p for p in found if p.pid != os.getpid()]


@pytest.fixture(autouse=True)
def nothing_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Every process of the run carries a mark in its environment; none may outlive the test."""
    monkeypatch.setenv("BENCH_LIB_TEST", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield
    left = descendants_with(str(tmp_path))
    _, alive = psutil.wait_procs(left, timeout=5)
    assert not alive, f"left behind: {alive}"
    assert not list(tmp_path.glob("bench-lib-*")), "a folder was left behind"
    assert not list(tmp_path.glob("pymp-*")), "Python's fork server left its folder"


def config(preset: str, *, num_ranks: int = 2, stall_timeout_s: float = 30.0) -> RunConfig:
    return RunConfig(
        preset, num_ranks, num_steps=200, num_warmup=1, stall_timeout_s=stall_timeout_s, measure_memory=False
    )


def run_and(act: Callable[[progress.Progress], None], *, rank: int, tmp_path: Path, stall: float) -> Outcome:
    """Run the tiny preset; once ``rank`` is well into its steps, ``act`` on it."""
    acted = threading.Event()

    def watch(line: str) -> None:
        for directory in tmp_path.glob("bench-lib-*"):
            at = progress.read(directory).get(rank)
            if at is not None and at.step >= 3 and not acted.is_set():
                acted.set()
                act(at)

    outcome = group.run(config("tiny", num_ranks=2, stall_timeout_s=stall), report=watch)
    assert acted.is_set()
    return outcome


def test_an_exception_is_reported_with_its_rank_and_traceback() -> None:
    outcome = group.run(config("faulty_presets:RAISES"))
    assert outcome.status == "failed"
    assert outcome.failed_rank == 1
    assert "rank 1 failed at step 2: ArithmeticError: planted" in outcome.reason
    assert "go_wrong" in outcome.traceback
    assert 'File "faulty_presets.py"' in outcome.traceback
    assert str(Path.home()) not in outcome.reason + outcome.traceback


def test_a_direct_exit_is_reported_with_its_code() -> None:
    outcome = group.run(config("faulty_presets:EXITS"))
    assert (outcome.status, outcome.failed_rank) == ("failed", 1)
    assert "exit code 7 at step 2" in outcome.reason


def test_a_crash_in_native_code_is_reported_with_its_stack() -> None:
    outcome = group.run(config("faulty_presets:CRASHES"))
    assert (outcome.status, outcome.failed_rank) == ("failed", 1)
    assert "SIGSEGV" in outcome.reason
    assert "go_wrong" in outcome.traceback


def test_a_hang_is_told_from_the_ranks_that_wait_for_it() -> None:
    outcome = group.run(config("faulty_presets:HANGS", stall_timeout_s=5))
    assert (outcome.status, outcome.failed_rank) == ("timed_out", 1)
    assert "rank 1 hung at step 2" in outcome.reason
    assert "go_wrong" in outcome.traceback


@pytest.mark.parametrize("rank", [0, 1])
def test_a_killed_rank_is_named(rank: int, tmp_path: Path) -> None:
    outcome = run_and(lambda at: os.kill(at.pid, signal.SIGKILL), rank=rank, tmp_path=tmp_path, stall=30)
    assert (outcome.status, outcome.failed_rank) == ("failed", rank)
    assert f"rank {rank} was killed by SIGKILL at step" in outcome.reason


@pytest.mark.parametrize("rank", [0, 1])
def test_a_rank_that_is_told_to_end_is_named(rank: int, tmp_path: Path) -> None:
    """As a batch system does it; the launcher's own SIGTERM to the others comes later."""
    outcome = run_and(lambda at: os.kill(at.pid, signal.SIGTERM), rank=rank, tmp_path=tmp_path, stall=30)
    assert (outcome.status, outcome.failed_rank) == ("failed", rank)
    assert f"rank {rank} was killed by SIGTERM at step" in outcome.reason


def test_a_stopped_rank_is_named(tmp_path: Path) -> None:
    outcome = run_and(lambda at: os.kill(at.pid, signal.SIGSTOP), rank=1, tmp_path=tmp_path, stall=5)
    assert (outcome.status, outcome.failed_rank) == ("timed_out", 1)
    assert "rank 1 was stopped" in outcome.reason


def test_a_stopped_launcher_is_told_from_stopped_ranks(tmp_path: Path) -> None:
    def stop_launcher(at: progress.Progress) -> None:
        os.kill(os.getpgid(at.pid), signal.SIGSTOP)
        # With it gone, nobody sees that this rank is gone, and its peer waits for it.
        os.kill(at.pid, signal.SIGSTOP)

    outcome = run_and(stop_launcher, rank=1, tmp_path=tmp_path, stall=5)
    assert (outcome.status, outcome.failed_rank) == ("timed_out", None)
    assert "the launcher was stopped (by a signal)" in outcome.reason


def test_a_rank_that_dies_unseen_is_found_without_the_stall_timeout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The launcher is stopped, so that its agent misses the death; the stall timeout is far away."""
    monkeypatch.setattr(group, "VANISHED_TIMEOUT_S", 1.0)

    def kill_unseen(at: progress.Progress) -> None:
        os.kill(os.getpgid(at.pid), signal.SIGSTOP)
        os.kill(at.pid, signal.SIGKILL)

    outcome = run_and(kill_unseen, rank=1, tmp_path=tmp_path, stall=600)
    assert (outcome.status, outcome.failed_rank) == ("failed", 1)
    assert "rank 1 ended at step" in outcome.reason


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_launcher_that_is_told_to_end_is_named(number: signal.Signals, tmp_path: Path) -> None:
    """Its agent then ends the ranks, which are none of the cause."""
    outcome = run_and(lambda at: os.kill(os.getpgid(at.pid), number), rank=1, tmp_path=tmp_path, stall=30)
    assert (outcome.status, outcome.failed_rank) == ("failed", None)
    assert outcome.reason == f"the launcher was ended by {number.name}"


def test_an_interrupted_rank_is_named(tmp_path: Path) -> None:
    outcome = run_and(lambda at: os.kill(at.pid, signal.SIGINT), rank=1, tmp_path=tmp_path, stall=30)
    assert (outcome.status, outcome.failed_rank) == ("failed", 1)
    assert "rank 1 was killed by SIGINT at step" in outcome.reason


def test_what_ranks_import_is_imported_once() -> None:
    outcome = group.run(dataclasses.replace(config("faulty_presets:made_of_imports"), num_steps=1))
    assert outcome.status == "ok", outcome.reason


def test_a_chattering_preset_is_no_obstacle() -> None:
    outcome = group.run(dataclasses.replace(config("faulty_presets:chatters"), num_steps=1))
    assert outcome.status == "ok", outcome.reason


def test_a_long_temporary_folder_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setenv("TMPDIR", str(deep))
    monkeypatch.setattr("tempfile.tempdir", None)
    one = RunConfig("tiny", 1, num_steps=1, num_warmup=0, measure_memory=False, device="cpu")
    assert group.run(one).status == "ok"


@pytest.mark.parametrize("name", ["..:x", ".:x", "os:path", "pathlib:Path", "faulty_presets:NO_SUCH"])
def test_what_names_no_preset_is_bad_use(name: str) -> None:
    outcome = group.run(config(name))
    assert (outcome.status, outcome.code) == ("skipped", "usage"), outcome.reason


def test_a_factory_gives_a_preset() -> None:
    one = RunConfig("faulty_presets:make", 1, num_steps=1, num_warmup=0, measure_memory=False, device="cpu")
    assert group.run(one).status == "ok"


def test_a_killed_launcher_leaves_no_rank(tmp_path: Path) -> None:
    def kill_launcher(at: progress.Progress) -> None:
        launcher = psutil.Process(os.getpgid(at.pid))
        launcher.kill()

    outcome = run_and(kill_launcher, rank=0, tmp_path=tmp_path, stall=30)
    assert (outcome.status, outcome.failed_rank) == ("failed", None)
    assert outcome.reason == "the launcher was killed by SIGKILL"


def test_a_loss_that_is_no_number_is_a_failure(tmp_path: Path) -> None:
    run = measure(config("faulty_presets:DIVERGES"))
    assert run.status == "failed"
    assert run.reason == "the loss is not finite at step 2"
    assert records.read(records.write(run, tmp_path)) == run


def test_the_working_directory_stands_in_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "random.py").write_text("raise ImportError('planted')")
    (tmp_path / "bench_lib").mkdir()
    (tmp_path / "bench_lib" / "__init__.py").write_text("raise ImportError('planted')")
    monkeypatch.chdir(tmp_path)
    one = RunConfig("tiny", 1, num_steps=1, num_warmup=0, measure_memory=False, device="cpu")
    assert group.run(one).status == "ok"


@pytest.fixture
def hangup_ends() -> Iterator[None]:
    """Under nohup, processes inherit that SIGHUP is ignored."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    ("number", "exit_code"),
    [(signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGINT, 1), (signal.SIGHUP, -1)],
)
def test_an_ended_caller_leaves_nothing(
    number: signal.Signals, exit_code: int, tmp_path: Path, hangup_ends: None
) -> None:
    """SIGKILL is what asv sends at a timeout: the process that asked can clean up nothing."""
    command = [
        sys.executable,
        "-m",
        "bench_lib.cli",
        "fsdp2",
        "run",
        "--preset=tiny",
        "--ranks=2",
        "--steps=900",
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as caller:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            states = [progress.read(d) for d in tmp_path.glob("bench-lib-*")]
            if any(p.step >= 2 for state in states for p in state.values()):
                break
            time.sleep(0.1)
        else:
            pytest.fail("the ranks never reached their second step")
        assert len(descendants_with(str(tmp_path))) >= 4
        caller.send_signal(number)
        assert caller.wait(timeout=30) == exit_code
    # The fixture checks that processes and folder go.


def test_nodes_that_do_not_meet_are_told_so() -> None:
    meeting = Rendezvous(
        nnodes=2,
        rdzv_endpoint="127.0.0.1:0",
        rdzv_id="alone",
        rdzv_conf={"join_timeout": "1"},
        local_addr="127.0.0.1",
    )
    outcome = group.run(RunConfig("tiny", 2, device="cpu", rendezvous=meeting))
    assert outcome.status == "failed"
    assert "2 node(s) did not meet at <address>: RendezvousTimeoutError" in outcome.reason


def test_a_taken_port_is_named() -> None:
    """torch's own message only points to an inner exception."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        meeting = Rendezvous(
            nnodes=2,
            rdzv_endpoint=f"127.0.0.1:{taken.getsockname()[1]}",
            rdzv_id="taken",
            rdzv_conf={"join_timeout": "1", "is_host": "1", "read_timeout": "2"},
            local_addr="127.0.0.1",
        )
        outcome = group.run(RunConfig("tiny", 2, device="cpu", rendezvous=meeting))
    assert outcome.status == "failed"
    assert "address already in use" in outcome.reason


def test_what_is_no_preset_is_refused() -> None:
    outcome = group.run(config("faulty_presets:NOT_A_PRESET"))
    assert (outcome.status, outcome.code) == ("skipped", "usage")


def test_a_killed_rank_through_the_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench_lib.cli", "fsdp2", "run", "--preset=faulty_presets:EXITS"]
    done = subprocess.run([*command, "--ranks=2", "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert document["status"] == "failed"
    assert document["failed_rank"] == 1
    assert document["step_time_s"] is None
