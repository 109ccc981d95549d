"""What asv does without saying so, held against the installed release.

One scratch repository with two commits is measured once; each test reads what came of it.
A test that fails here after an upgrade of asv names the assumption that no longer holds.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from asv import util
from asv.plugin_manager import PluginManager
from asv_runner.statistics import compute_stats

from bench_lib.hardware import detect

SUITE = """
import os
import subprocess
import sys

from . import helper

IMPORTED_IN = os.getpid()


def track_samples():
    return {"samples": [1.0, 2.0, 3.0, 4.0, 100.0], "number": 1}
track_samples.unit = "seconds"


def track_rate():
    return helper.rate()
track_rate.unit = "items/s"


def track_versioned():
    return helper.rate()
track_versioned.version = "1"


def track_imported_elsewhere():
    return int(os.getpid() != IMPORTED_IN)


def track_pythonpath_in_use():
    return int(os.environ["MARKED_PATH"] in sys.path)


class SkippedInSetup:
    params = [1, 2]

    def setup(self, n):
        if n == 2:
            raise NotImplementedError("the reason of the skip")

    def track_it(self, n):
        return n


class RaisedElsewhere:
    def track_it(self):
        raise NotImplementedError("the reason of the failure")


class DependsOnMachine:
    params = [[int(n) for n in os.environ["TRAP_PARAMS"].split(",")]]

    def track_it(self, n):
        return n


class OtherProcess:
    def peakmem_child(self):
        code = "b = bytearray(400_000_000); b[::4096] = b'x' * len(b[::4096])"
        subprocess.run([sys.executable, "-c", code], check=True)
"""

CONF = {
    "version": 1,
    "project": "scratch",
    "repo": ".",
    "dvcs": "git",
    "branches": ["HEAD"],
    "environment_type": "bench_lib_current",
    "plugins": [".bench_lib.asv_plugin"],
    "benchmark_dir": "benchmarks",
    "results_dir": "results",
    "html_dir": "html",
    "env_dir": "env",
}
MACHINE = {"machine": "with-driver", "os": "x", "arch": "x", "cpu": "x", "num_cpu": "1", "ram": "x"}


@dataclass(frozen=True)
class Scratch:
    root: Path
    home: Path

    def run(self, *command: str, **variables: str) -> str:
        environ = {**os.environ, "TRAP_PARAMS": "1,2", "MARKED_PATH": "/marked", **variables}
        environ["HOME"] = str(self.home)
        done = subprocess.run(
            command, cwd=self.root, env=environ, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode in {0, 2}, done.stdout + done.stderr
        return done.stdout + done.stderr

    def asv(self, *arguments: str, **variables: str) -> str:
        return self.run(sys.executable, "-m", "asv", *arguments, **variables)

    def commit(self, message: str) -> str:
        self.run("git", "add", "-A")
        self.run("git", "-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-qm", message)
        return self.run("git", "rev-parse", "HEAD").strip()


@dataclass(frozen=True)
class Measured:
    """The scratch repository after all runs, and what they printed."""

    scratch: Scratch
    first: str
    second: str
    compared: str
    published: str
    shown: str

    @property
    def results(self) -> Path:
        return self.scratch.root / "results"

    def file(self, commit: str, kind: str = "bench_lib_current", machine: str | None = None) -> Path:
        folder = self.results / (machine or detect().hardware.slug)
        (found,) = folder.glob(f"{commit[:8]}-{kind}*.json")
        return found

    def columns(self, name: str, commit: str | None = None, **where: str) -> dict[str, Any]:
        data = json.loads(self.file(commit or self.first, **where).read_text())
        return dict(zip(data["result_columns"], data["results"][name], strict=False))


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    scratch = Scratch(tmp_path_factory.mktemp("traps") / "checkout", tmp_path_factory.mktemp("home"))
    benchmarks = scratch.root / "benchmarks"
    benchmarks.mkdir(parents=True)
    (benchmarks / "__init__.py").touch()
    (benchmarks / "suite.py").write_text(SUITE)
    (benchmarks / "helper.py").write_text("def rate():\n    return 100.0\n")
    (scratch.root / "asv.conf.json").write_text(json.dumps(CONF))
    (scratch.root / ".gitignore").write_text("html/\nresults/\n__pycache__/\n")
    (scratch.home / ".asv-machine.json").write_text(
        json.dumps({"with-driver": {**MACHINE, "driver": "550"}, "version": 1})
    )
    scratch.run("git", "init", "-q")
    first = scratch.commit("one")
    scratch.asv("run", "--record-samples", PYTHONPATH="/marked")
    existing = ("--environment=existing:same", "--launch-method=forkserver", "--machine=with-driver")
    scratch.asv("run", *existing, "--bench=imported_elsewhere", f"--set-commit-hash={first}")
    (benchmarks / "helper.py").write_text("def rate():\n    return 200.0\n")
    second = scratch.commit("two")
    scratch.asv("run", "--quick", "--bench=rate|versioned|Depends", TRAP_PARAMS="1,3")
    record = scratch.root / "results" / "records" / detect().hardware.slug / "a.record"
    record.parent.mkdir(parents=True)
    record.write_text("{}")
    slug = detect().hardware.slug
    compared = scratch.asv("compare", "--split", f"--machine={slug}", first, second)
    return Measured(scratch, first, second, compared, scratch.asv("publish"), scratch.asv("show", first))


def test_returned_samples_get_asvs_median_interval_and_quartiles(measured: Measured) -> None:
    column = measured.columns("suite.track_samples")
    assert column["result"] == [3.0]
    assert (column["stats_q_25"], column["stats_q_75"]) == ([2.0], [4.0])
    assert column["samples"] == [[1.0, 2.0, 3.0, 4.0, 100.0]]
    _, expected = compute_stats([1.0, 2.0, 3.0, 4.0, 100.0], 1)
    low, high = column["stats_ci_99_a"][0], column["stats_ci_99_b"][0]
    assert (low, high) == pytest.approx((expected["ci_99_a"], expected["ci_99_b"]), rel=1e-3)


def test_default_version_does_not_see_a_helper_change(measured: Measured) -> None:
    before = measured.columns("suite.track_rate")
    after = measured.columns("suite.track_rate", measured.second)
    assert (before["result"], after["result"]) == ([100.0], [200.0])
    assert before["version"] == after["version"]
    assert len(before["version"]) == 64


def test_explicit_version_is_kept_as_written(measured: Measured) -> None:
    assert measured.columns("suite.track_versioned")["version"] == "1"


def test_a_higher_rate_is_called_worse(measured: Measured) -> None:
    worse = measured.compared.partition("got worse")[2]
    assert re.search(r"\|\s*\+\s*\|\s*100\S*\s*\|\s*200\S*\s*\|\s*2\S*\s*\|\s*suite\.track_rate", worse)


def test_skip_is_nan_and_its_reason_is_lost(measured: Measured) -> None:
    text = measured.file(measured.first).read_text()
    result = measured.columns("suite.SkippedInSetup.track_it")["result"]
    assert result[0] == 1
    assert result[1] != result[1]  # NaN
    assert "the reason of the skip" not in text


def test_failure_is_null_and_its_reason_is_lost(measured: Measured) -> None:
    assert measured.columns("suite.RaisedElsewhere.track_it")["result"] is None
    assert "the reason of the failure" not in measured.file(measured.first).read_text()


def test_only_setup_can_skip(measured: Measured) -> None:
    # The same exception out of the benchmark itself is a failure.
    skipped = measured.columns("suite.SkippedInSetup.track_it")["result"]
    assert skipped is not None
    assert measured.columns("suite.RaisedElsewhere.track_it")["result"] is None


def test_files_hold_nan_which_is_no_json(measured: Measured) -> None:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    with pytest.raises(ValueError, match="NaN"):
        json.loads(measured.file(measured.first).read_text(), parse_constant=refuse)


def test_peakmem_does_not_see_other_processes(measured: Measured) -> None:
    (peak_bytes,) = measured.columns("suite.OtherProcess.peakmem_child")["result"]
    assert peak_bytes < 400_000_000


def test_bytes_are_scaled_by_1000() -> None:
    assert util.human_value(2_000_000_000, "bytes") == "2G"
    assert util.human_value(1024**3, "bytes") == "1.07G"


def test_each_key_of_machine_json_selects_series(measured: Measured) -> None:
    params = json.loads((measured.scratch.root / "html" / "index.json").read_text())["params"]
    assert set(params["driver"]) == {"550", None}


def test_existing_same_writes_the_interpreter_path_into_file_names(measured: Measured) -> None:
    mangled = sys.executable.replace(os.path.sep, "_")
    path = measured.file(measured.first, kind="existing", machine="with-driver")
    assert mangled in json.loads(path.read_text())["env_name"]


def test_our_environment_does_not(measured: Measured) -> None:
    path = measured.file(measured.first)
    assert re.fullmatch(r"[0-9a-f]{8}-bench_lib_current-py3\.\d+\.json", path.name)


def test_machine_defaults_to_the_host_name(tmp_path: Path) -> None:
    # In a process of its own: loading the plugin changes it.
    code = "from asv.machine import Machine; print(Machine.get_unique_machine_name())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip() == platform.node()


def test_params_that_depend_on_the_machine_lose_old_values(measured: Measured) -> None:
    # 2 was measured at the first commit; the last discovery had 1 and 3, and only those are drawn.
    assert measured.columns("suite.DependsOnMachine.track_it")["result"] == [1, 2]
    graphs = (measured.scratch.root / "html" / "graphs").rglob("suite.DependsOnMachine.track_it.json")
    (drawn,) = [json.loads(path.read_text()) for path in graphs if "summary" not in path.parts]
    assert [values for _, values in drawn] == [[1, None], [1, 3]]


def test_forkserver_imports_once_for_all_and_spawn_does_not(measured: Measured) -> None:
    name = "suite.track_imported_elsewhere"
    assert measured.columns(name, kind="existing", machine="with-driver")["result"] == [1]
    assert measured.columns(name)["result"] == [0]


def test_pythonpath_is_taken_from_benchmarks(measured: Measured) -> None:
    assert measured.columns("suite.track_pythonpath_in_use")["result"] == [0]


def test_quick_results_are_saved_although_help_denies_it(measured: Measured) -> None:
    assert measured.file(measured.second).is_file()


def test_records_do_not_disturb_publish_and_show(measured: Measured) -> None:
    assert (measured.results / "records").is_dir()
    for printed in (measured.published, measured.shown):
        assert "Skipping results" not in printed
        assert ".record" not in printed


def test_a_json_file_there_would_disturb_them(measured: Measured) -> None:
    stray = measured.results / "records" / detect().hardware.slug / "a.json"
    stray.write_text("{}")
    try:
        assert "Skipping results" in measured.scratch.asv("publish")
    finally:
        stray.unlink()


def test_plugin_without_a_leading_dot_is_ignored() -> None:
    manager = PluginManager()
    manager.import_plugin("bench_lib.asv_plugin")
    assert manager._plugins == []
