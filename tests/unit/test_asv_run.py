"""``bench-lib run`` and the current environment, on real asv runs in a scratch repository."""

from __future__ import annotations

import json
import os
import platform
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from bench_lib.asv_run import Request, check_range, environment_of, find_checkout, run, shell_line
from bench_lib.errors import UnavailableError, UsageError
from bench_lib.hardware import detect
from bench_lib.results import records

SUITE = """
import os
import time
from pathlib import Path

from bench_lib.hardware import detect
from bench_lib.hardware.environment import capture
from bench_lib.model import Run
from bench_lib.results import records
from scratch import VALUE


class Steps:
    params = [1, 2]

    def track_value(self, n):
        machine = detect()
        root = Path(os.environ["ASV_CONF_DIR"])
        results = os.environ["BENCH_LIB_RESULTS"]
        environment = capture(machine, root=root)
        record = Run(
            benchmark="suite.Steps.track_value",
            version="1",
            params={"n": n},
            hardware=machine.hardware.slug,
            environment=environment,
            status="failed",
            reason="only written to be found",
        )
        if results:
            records.write(record, Path(results))
        return VALUE * n


def track_fails():
    raise ValueError("no")


def track_waits():
    Path(os.environ["SCRATCH_WAITS"]).write_text(str(os.getpid()))
    time.sleep(1000)
    return 1


track_waits.timeout = 1000
"""
CONF = {
    "version": 1,
    "project": "scratch",
    "repo": ".",
    "dvcs": "git",
    "branches": ["HEAD"],
    "environment_type": "bench_lib_current",
    "plugins": [".bench_lib.asv_plugin"],
    "env_dir": ".asv/env",
}
USER = "some-unlikely-user"


@dataclass(frozen=True)
class Scratch:
    root: Path
    home: Path

    @property
    def results(self) -> Path:
        return self.root / "results"

    def call(self, *command: str, folder: str = ".") -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "HOME": str(self.home), "USER": USER, "LOGNAME": USER}
        environ["ASV_PYTHONPATH"] = str(self.root)
        return subprocess.run(
            command,
            cwd=self.root / folder,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def bench_lib(self, *arguments: str, folder: str = ".") -> subprocess.CompletedProcess[str]:
        return self.call(sys.executable, "-m", "bench_lib.cli", "run", *arguments, folder=folder)

    def commit(self, message: str) -> str:
        assert self.call("git", "add", "-A").returncode == 0
        name = ("-c", "user.name=n", "-c", "user.email=e@example.org")
        assert self.call("git", *name, "commit", "-qm", message).returncode == 0
        return self.call("git", "rev-parse", "HEAD").stdout.strip()

    def asv_files(self) -> list[Path]:
        return sorted(p for p in self.results.glob("*/*.json") if p.name != "machine.json")


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scratch]:
    made = Scratch(tmp_path_factory.mktemp("run") / "checkout", tmp_path_factory.mktemp("home"))
    (made.root / "benchmarks").mkdir(parents=True)
    (made.root / "benchmarks" / "__init__.py").touch()
    (made.root / "benchmarks" / "suite.py").write_text(SUITE)
    (made.root / "scratch").mkdir()
    (made.root / "scratch" / "__init__.py").write_text("VALUE = 2\n")
    (made.root / "asv.conf.json").write_text(json.dumps(CONF))
    (made.root / ".gitignore").write_text("results/\n.asv/\n__pycache__/\n")
    (made.home / ".asv-machine.json").write_text('{"mine": {"machine": "mine"}, "version": 1}')
    made.call("git", "init", "-q")
    made.commit("one")
    yield made


@pytest.fixture(scope="module")
def first_run(scratch: Scratch) -> subprocess.CompletedProcess[str]:
    return scratch.bench_lib("--bench=track_value", "--reuse", folder="benchmarks")


def test_run_saves_head_under_the_hardware_slug(
    scratch: Scratch, first_run: subprocess.CompletedProcess[str]
) -> None:
    assert first_run.returncode == 0, first_run.stdout + first_run.stderr
    head = scratch.call("git", "rev-list", "--max-parents=0", "HEAD").stdout.strip()
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    (path,) = scratch.asv_files()
    assert path.relative_to(scratch.results).as_posix() == (
        f"{detect().hardware.slug}/{head[:8]}-bench_lib_current-py{python}.json"
    )
    data = json.loads(path.read_text())
    assert data["commit_hash"] == head
    assert data["results"]["suite.Steps.track_value"][0] == [2, 4]
    assert set(data["params"]) >= {"machine", "os", "arch", "cpu", "num_cpu", "ram", "python"}


def test_records_go_to_the_results_directory(
    scratch: Scratch, first_run: subprocess.CompletedProcess[str]
) -> None:
    found = records.load(scratch.results)
    assert found.damaged == ()
    assert sorted(str(r.params["n"]) for r in found.runs) == ["1", "2"]
    assert {r.environment.dirty for r in found.runs} == {False}


def test_no_host_user_or_path_in_results(
    scratch: Scratch, first_run: subprocess.CompletedProcess[str]
) -> None:
    assert first_run.returncode == 0
    private = [
        platform.node(),
        USER,
        str(scratch.home),
        str(scratch.root),
        sys.executable,
        platform.release(),
    ]
    files = [p for p in scratch.results.rglob("*") if p.is_file()]
    assert len(files) >= 4
    for path in files:
        text = str(path.relative_to(scratch.results)) + path.read_text(encoding="utf-8")
        assert [word for word in private if word and word in text] == [], path


def test_a_users_machine_file_is_untouched(
    scratch: Scratch, first_run: subprocess.CompletedProcess[str]
) -> None:
    assert first_run.returncode == 0
    assert (scratch.home / ".asv-machine.json").read_text() == '{"mine": {"machine": "mine"}, "version": 1}'


def test_reuse_knows_the_content_at_a_later_commit(
    scratch: Scratch, first_run: subprocess.CompletedProcess[str]
) -> None:
    (scratch.root / "notes.md").write_text("only words\n")
    scratch.commit("words")
    before = scratch.asv_files()
    again = scratch.bench_lib("--bench=track_value", "--reuse")
    assert again.returncode == 0
    assert again.stdout.startswith("bench-lib: not run: the same content was measured here at commit")
    assert len(again.stdout.splitlines()) == 1
    assert scratch.asv_files() == before

    with (scratch.root / "benchmarks" / "suite.py").open("a") as suite:
        suite.write("# another byte\n")
    changed = scratch.bench_lib("--bench=track_value", "--reuse")
    assert "not run" not in changed.stdout
    assert len(scratch.asv_files()) == len(before) + 1


def test_a_failure_is_a_verdict(scratch: Scratch) -> None:
    assert scratch.bench_lib("--bench=track_fails").returncode == 1


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("in_background", [False, True])
def test_the_benchmark_ends_with_the_command(
    scratch: Scratch, tmp_path: Path, ending: signal.Signals, in_background: bool
) -> None:
    started = tmp_path / "pid"
    environ = {**os.environ, "SCRATCH_WAITS": str(started), "ASV_PYTHONPATH": str(scratch.root)}
    command = [sys.executable, "-m", "bench_lib.cli", "run", "--quick", "--bench=track_waits"]
    process = subprocess.Popen(
        command,
        cwd=scratch.root,
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # What a shell does for a job started with &.
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if in_background else None,  # noqa: PLW1509
    )
    deadline = time.monotonic() + 60
    while not (started.exists() and started.read_text()):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    benchmark = psutil.Process(int(started.read_text()))
    process.send_signal(ending)
    _, alive = psutil.wait_procs([benchmark], timeout=60)
    for left in alive:
        left.kill()
    assert alive == []
    assert process.wait(timeout=60) != 0


def test_no_such_benchmark_is_bad_use(scratch: Scratch) -> None:
    assert scratch.bench_lib("--bench=there-is-none").returncode == 2


def test_a_range_is_refused_before_anything_is_measured(scratch: Scratch) -> None:
    before = scratch.asv_files()
    ours = scratch.bench_lib("HEAD~1..HEAD", "--env=current")
    assert ours.returncode == 2
    assert "RANGE with --env current" in ours.stderr
    asv = scratch.call(sys.executable, "-m", "asv", "run", "HEAD~1..HEAD")
    assert asv.returncode == 1
    assert "takes no range of commits" in asv.stdout + asv.stderr
    assert scratch.asv_files() == before


def test_another_commit_is_refused(scratch: Scratch) -> None:
    conf = scratch.root / "other.conf.json"
    conf.write_text(json.dumps({**CONF, "branches": ["HEAD~1"]}))
    try:
        done = scratch.call(sys.executable, "-m", "asv", "run", f"--config={conf}")
    finally:
        conf.unlink()
    assert done.returncode == 1
    assert "asked to measure" in done.stdout + done.stderr


def test_code_from_elsewhere_is_refused(scratch: Scratch, tmp_path: Path) -> None:
    other = tmp_path / "scratch"
    other.mkdir()
    (other / "__init__.py").write_text("VALUE = 9\n")
    command = ("env", f"ASV_PYTHONPATH={tmp_path}", sys.executable, "-m", "asv", "run", "--dry-run")
    done = scratch.call(*command)
    assert done.returncode == 1
    assert f"has scratch from {other}" in done.stdout + done.stderr


def test_uncommitted_code_is_measured_and_not_saved(scratch: Scratch) -> None:
    source = scratch.root / "scratch" / "__init__.py"
    before = {path: path.read_bytes() for path in scratch.asv_files()}
    source.write_text("VALUE = 5\n")
    try:
        done = scratch.bench_lib("--bench=track_value")
    finally:
        source.write_text("VALUE = 2\n")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "in no commit (scratch/__init__.py)" in done.stdout
    assert "10" in done.stdout
    assert {path: path.read_bytes() for path in scratch.asv_files()} == before


def test_quick_saves_nothing(scratch: Scratch) -> None:
    files = {p: p.stat().st_mtime_ns for p in scratch.results.glob("*/*/*.record")}
    before = {path: path.read_bytes() for path in scratch.asv_files()}
    assert scratch.bench_lib("--quick", "--bench=track_value").returncode == 0
    assert {path: path.read_bytes() for path in scratch.asv_files()} == before
    assert {p: p.stat().st_mtime_ns for p in scratch.results.glob("*/*/*.record")} == files


def test_asv_itself_uses_the_slug(scratch: Scratch, first_run: subprocess.CompletedProcess[str]) -> None:
    done = scratch.call(sys.executable, "-m", "asv", "run", "--dry-run", "--bench=track_value")
    assert done.returncode == 0, done.stdout + done.stderr
    machines = sorted(p.parent.name for p in scratch.results.glob("*/machine.json"))
    assert machines == [detect().hardware.slug]


def test_dry_run_prints_the_command_and_runs_nothing(scratch: Scratch) -> None:
    done = scratch.bench_lib("--dry-run", "--bench=a b", "HEAD~1..HEAD", folder="scratch")
    assert done.returncode == 0
    assert f"BENCH_LIB_RESULTS={scratch.results}" in done.stdout
    assert "--environment=bench_lib_uv" in done.stdout
    assert done.stdout.rstrip().endswith("'--bench=a b' -- 'HEAD~1..HEAD'")


def test_a_pattern_that_is_none_is_refused(scratch: Scratch) -> None:
    done = scratch.bench_lib("--bench=(")
    assert done.returncode == 2
    assert done.stderr.startswith("bench-lib: --bench: found '(', expected a regular expression")
    assert len(done.stderr.splitlines()) == 1


def test_without_git(scratch: Scratch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UnavailableError, match="no-git: git was not found"):
        find_checkout(scratch.root)


def test_in_a_folder_that_was_removed(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    command = f"rmdir {shlex.quote(str(folder))}; exec {shlex.quote(sys.executable)} -P -m bench_lib.cli run"
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr == "bench-lib: The current directory was removed; change to one that exists.\n"


def test_outside_a_checkout(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a checkout of the project"):
        find_checkout(tmp_path)
    (tmp_path / "asv.conf.json").write_text(json.dumps(CONF))
    with pytest.raises(UsageError, match="results are filed under commits"):
        find_checkout(tmp_path)


@pytest.mark.parametrize(
    ("commits", "chosen", "torch_matrix", "expected"),
    [
        (None, None, False, "bench_lib_current"),
        ("HEAD~3..HEAD", None, False, "bench_lib_uv"),
        (None, None, True, "bench_lib_uv"),
        (None, "build", False, "bench_lib_uv"),
    ],
)
def test_environment_of(commits: str | None, chosen: str | None, torch_matrix: bool, expected: str) -> None:
    assert environment_of(commits, chosen=chosen, torch_matrix=torch_matrix) == expected


def test_torch_matrix_needs_built_environments() -> None:
    with pytest.raises(UsageError, match="found 'current', expected build"):
        environment_of(None, chosen="current", torch_matrix=True)


def test_values_cannot_become_options(tmp_path: Path) -> None:
    request = Request(
        range="--help",
        environment="bench_lib_uv",
        config="asv.conf.json",
        bench=("--quick",),
        quick=False,
        skip_existing=False,
        show_stderr=False,
    )
    command = request.command(tmp_path, slug="a-cpu")
    assert command[-2:] == ["--", "--help"]
    assert "--bench=--quick" in command
    assert "--quick" not in command


@pytest.mark.parametrize("arguments", [["--reuse", "HEAD~1..HEAD"], ["--reuse", "--quick"]])
def test_reuse_is_for_whole_runs_here(arguments: list[str]) -> None:
    done = CliRunner().invoke(run, arguments)
    assert isinstance(done.exception, UsageError)
    assert "--reuse" in str(done.exception)


def test_a_range_is_checked_before_asv_sees_it(scratch: Scratch) -> None:
    head = scratch.call("git", "rev-parse", "HEAD").stdout.strip()
    assert check_range(scratch.root, "HEAD") == f"{head}^!"
    assert check_range(scratch.root, "HEAD^!") == "HEAD^!"
    assert check_range(scratch.root, "NEW") == "NEW"
    for wrong in ("nosuch", "nosuch..HEAD", "--all", "HEAD..HEAD", ""):
        with pytest.raises(UsageError, match="RANGE: found"):
            check_range(scratch.root, wrong)


def test_a_dry_run_prints_what_a_shell_can_run() -> None:
    show = ["python3", "-c", "import os, sys; print(os.environ['BENCH_LIB_RESULTS'], sys.argv[1:])", "a b"]
    line = shell_line(Path("/new place/results"), show)
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout == "/new place/results ['a b']\n"
