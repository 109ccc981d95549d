"""The asv family: a folder of reports, a live run with a scripted ncu, and classes across commits."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from bench_lib import asv_bridge
from bench_lib.errors import RunFailedError
from bench_lib.hardware.detect import detect
from bench_lib.measured_content import digest
from bench_lib.model import Environment, Measurement, Run
from bench_lib.results import records
from bench_lib.roofline.class_history import histories
from bench_lib.roofline.history_command import kernels
from bench_lib.roofline.report_folder import NO_KERNEL, REPORTS_VARIABLE, kernel_id, summarise

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_data import ncu_data
from roofline_synthetic import DRAM, DRAM_BOUND, ISSUE, MEMORY, SM, write_report

ROOT = Path(__file__).parents[2]
LATENCY = {**DRAM_BOUND, SM: 20.0, MEMORY: 30.0, DRAM: 30.0, ISSUE: 20.0, "gpu__time_duration.sum": 10_000.0}
ROOFED = {
    **DRAM_BOUND,
    **{
        f"smsp__sass_thread_inst_executed_op_{t}{op}_pred_on.sum": 0.0
        for t in "fdh"
        for op in ("add", "mul", "fma")
    },
    "sm__inst_executed_pipe_tensor.sum": 0.0,
    # 1 kB a cycle at 1 GHz: 10 MB take 10 µs of the 50 µs.
    "dram__bytes.sum": 1e7,
    "dram__bytes.sum.peak_sustained": 1000.0,
    "dram__cycles_elapsed.avg.per_second": 1e9,
}


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The benchmark module as asv would import it, with what the environment says now."""
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.setenv("ASV_CONF_DIR", str(ROOT))
    monkeypatch.setenv(asv_bridge.RESULTS_VARIABLE, str(tmp_path / "results"))
    return importlib.import_module("benchmarks.roofline")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "reports"
    made.mkdir()
    write_report(made / "a.ncu-rep", 3, metrics=ROOFED, kernel="void gemm<float>(float*)")
    write_report(made / "b.ncu-rep", 1, metrics=LATENCY, rule="", kernel="void <script>(int)")
    monkeypatch.setenv(REPORTS_VARIABLE, str(made))
    return made


def in_cache(cache: Path, bench: object, monkeypatch: pytest.MonkeyPatch) -> str:
    cache.mkdir(exist_ok=True)
    monkeypatch.chdir(cache)
    path: str = bench.setup_cache()  # type: ignore[attr-defined]
    return path


def test_kernels_of_a_folder(
    suite: ModuleType, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gemm = kernel_id("void gemm<float>(float*)", "NVIDIA Test")
    names = set(importlib.reload(suite).ReportKernel.params[0])
    (hostile,) = names - {gemm}
    assert gemm in names
    assert all(c.isalnum() or c in "-_" for c in gemm + hostile)
    bench = suite.ReportKernel()
    cache = in_cache(tmp_path / "cache", bench, monkeypatch)
    bench.setup(cache, gemm)
    assert bench.track_duration(cache, gemm)["samples"] == [pytest.approx(50e-6)] * 3
    # 10 MB at 1 TB/s need 10 µs.
    assert bench.track_time_over_roof(cache, gemm)["samples"] == [pytest.approx(5.0)] * 3
    # No bytes: no distance from the roof, which asv takes for a skip.
    assert bench.track_time_over_roof(cache, hostile) != bench.track_time_over_roof(cache, hostile)
    (kept,) = [r for r in records.load(tmp_path / "results").runs if r.params == {"kernel": gemm}]
    assert kept.origin == "imported" and kept.hardware == "nvidia-test"
    assert kept.details["labels"] == "dram_bound" and kept.environment.ncu == "2024.3.2"
    assert str(tmp_path) not in records.to_json(kept)


def test_time_and_share_by_class(
    suite: ModuleType, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = suite.ReportFolder()
    cache = in_cache(tmp_path / "cache", bench, monkeypatch)
    assert bench.track_time_in_class(cache, "dram_bound")["samples"] == [pytest.approx(150e-6)]
    assert bench.track_share_of_time(cache, "dram_bound")["samples"] == [pytest.approx(150 / 160)]
    assert bench.track_share_of_time(cache, "latency_bound")["samples"] == [pytest.approx(10 / 160)]
    assert bench.track_time_in_class(cache, "l1_bound")["samples"] == [0.0]


def test_without_reports_it_skips_and_a_damaged_one_fails(
    suite: ModuleType, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "c.ncu-rep").write_bytes(b"NVR\0")
    bench = importlib.reload(suite).ReportKernel()
    assert bench.params == ([NO_KERNEL],)
    cache = in_cache(tmp_path / "cache", bench, monkeypatch)
    with pytest.raises(RunFailedError, match=r"c\.ncu-rep could not be read"):
        bench.track_duration(cache, NO_KERNEL)
    monkeypatch.delenv(REPORTS_VARIABLE)
    bench = importlib.reload(suite).ReportKernel()
    assert bench.params == ([NO_KERNEL],)
    cache = in_cache(tmp_path / "other", bench, monkeypatch)
    with pytest.raises(NotImplementedError, match=REPORTS_VARIABLE):
        bench.setup(cache, NO_KERNEL)
    monkeypatch.setenv(REPORTS_VARIABLE, str(tmp_path / "other"))
    assert summarise().status == "failed" and "no report" in summarise().reason


def test_other_reports_are_other_content(folder: Path) -> None:
    def content() -> str:
        environ = {REPORTS_VARIABLE: str(folder)}
        return digest(ROOT, machine=detect(), selection=(), environ=environ)

    before = content()
    assert content() == before
    write_report(folder / "a.ncu-rep", 2, metrics=ROOFED)
    assert content() != before


def script(path: Path, text: str) -> None:
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scripted nvidia-smi and an ncu that hands over a public report, or says what ``said`` holds."""
    (source,) = ncu_data().glob("llm.c__adamw*")
    binaries = tmp_path / "bin"
    binaries.mkdir()
    script(binaries / "nvidia-smi", "print('NVIDIA H100 80GB HBM3, 81559, 550.54')\n")
    script(
        binaries / "ncu",
        "import json, pathlib, shutil, sys\n"
        "if sys.argv[1:] == ['--version']:\n"
        "    print('Version 2025.2.0.0'); sys.exit(0)\n"
        f"json.dump(sys.argv[1:], open({str(tmp_path / 'seen.json')!r}, 'w'))\n"
        f"said = pathlib.Path({str(tmp_path / 'said')!r})\n"
        "if said.is_file():\n"
        "    print(said.read_text()); sys.exit(1)\n"
        f"shutil.copy({str(source)!r}, sys.argv[sys.argv.index('--export') + 1] + '.ncu-rep')\n",
    )
    monkeypatch.setenv("PATH", f"{binaries}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def test_live_kernels_are_profiled(suite: ModuleType, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra `fsdp2` is not installed")
    bench = suite.LiveKernel()
    cache = in_cache(machine / "cache", bench, monkeypatch)
    bench.setup(cache, "copy")
    durations = bench.track_duration(cache, "copy")["samples"]
    assert len(durations) == 4 and all(50e-6 < d < 100e-6 for d in durations)
    assert all(1.0 < r < 1.2 for r in bench.track_time_over_roof(cache, "copy")["samples"])
    seen = json.loads((machine / "seen.json").read_text())
    assert seen[-4:] == [sys.executable, "-m", "bench_lib.roofline.live_kernels", "copy"]
    assert seen[seen.index("--nvtx-include") + 1] == "measured/"
    (run,) = records.load(machine / "results").runs
    assert (run.origin, run.status, run.details["label"]) == ("measured", "ok", "dram_bound")
    assert run.environment.ncu == "2024.3.0" and run.environment.clocks_locked is True


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("==ERROR== ERR_NVGPUCTRPERM", "counters-not-permitted"),
        ("==ERROR== Profiling is not supported on device 0", "gpu-not-supported"),
    ],
)
def test_what_the_machine_cannot_do_is_skipped_in_setup(
    suite: ModuleType, machine: Path, monkeypatch: pytest.MonkeyPatch, said: str, reason: str
) -> None:
    pytest.importorskip("torch", reason="the extra `fsdp2` is not installed")
    (machine / "said").write_text(said)
    bench = suite.LiveKernel()
    cache = in_cache(machine / "cache", bench, monkeypatch)
    with pytest.raises(NotImplementedError, match=reason):
        bench.setup(cache, "add")


def test_a_failed_profile_is_a_failure(
    suite: ModuleType, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="the extra `fsdp2` is not installed")
    (machine / "said").write_text("==ERROR== The application returned an error code (1).")
    bench = suite.LiveKernel()
    cache = in_cache(machine / "cache", bench, monkeypatch)
    bench.setup(cache, "add")
    with pytest.raises(RunFailedError, match="ncu-failed"):
        bench.track_duration(cache, "add")


@pytest.mark.parametrize(("present", "reason"), [((), "no-gpu"), (("nvidia-smi",), "ncu-missing")])
def test_without_gpu_or_ncu_setup_skips(
    suite: ModuleType,
    machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    present: tuple[str, ...],
    reason: str,
) -> None:
    only = machine / "only"
    only.mkdir()
    for name in present:
        shutil.copy(machine / "bin" / name, only / name)
    monkeypatch.setenv("PATH", str(only))
    bench = suite.LiveKernel()
    cache = in_cache(machine / "cache", bench, monkeypatch)
    with pytest.raises(NotImplementedError, match=reason):
        bench.setup(cache, "gelu")


def test_parameters_do_not_depend_on_the_machine(suite: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REPORTS_VARIABLE, raising=False)
    suite = importlib.reload(suite)
    assert set(suite.RecordedRoof.params[0]) < set(suite.RecordedKernel.params[0])
    assert len(suite.ReportFolder.params[0]) == 9 and len(suite.LiveKernel.params[0]) == 8
    assert suite.ReportKernel.params == ([NO_KERNEL],)


def kernel(commit: str, labels: str, *, day: int, duration_s: float = 1e-5, version: str = "1") -> Run:
    environment = Environment(
        commit=commit * 40,
        dirty=False,
        python="3.11.9",
        os="Linux x86_64",
        started="2026-11-30T10:15:00+00:00",
        commit_time=f"2026-11-{day:02}T00:00:00+00:00",
    )
    return Run(
        benchmark="roofline.ReportKernel",
        version=version,
        params={"kernel": "gemm-1"},
        hardware="nvidia-test",
        environment=environment,
        status="ok",
        measurements=(Measurement("kernel_duration", (duration_s,)),),
        origin="imported",
        details={"kernel": "void gemm(\x1b[31m)", "labels": labels, "label": labels},
    )


def test_changed_classes_are_found_between_commits_in_their_order() -> None:
    runs = [
        kernel("c", "l1_bound", day=3),
        kernel("a", "dram_bound", day=1),
        kernel("b", "dram_bound", day=2),
    ]
    (history,) = histories([*runs, kernel("d", "unknown", day=4, version="2")][:3])
    assert [r.environment.commit[:1] for r in history.runs if r.environment.commit] == ["a", "b", "c"]
    ((before, after),) = history.changes
    assert (before, after) == (runs[2], runs[0])
    # Other rules are another series: nothing of the kernel changed.
    assert [len(h.changes) for h in histories([runs[1], kernel("d", "unknown", day=4, version="2")])] == [
        0,
        0,
    ]


def test_command_names_changed_kernels(tmp_path: Path) -> None:
    for run in (kernel("a", "dram_bound", day=1), kernel("b", "l1_bound, balanced", day=2)):
        records.write(run, tmp_path)
    done = CliRunner().invoke(kernels, ["--results", str(tmp_path)])
    assert done.exit_code == 1
    assert "dram_bound → l1_bound, balanced (aaaaaaaaaa → bbbbbbbbbb)" in done.stdout
    assert "\x1b" not in done.stdout
    document = json.loads(CliRunner().invoke(kernels, ["--results", str(tmp_path), "--json"]).stdout)
    (entry,) = document["kernels"]
    assert entry["changes"] == [
        {
            "before": "a" * 40,
            "after": "b" * 40,
            "labels_before": ["dram_bound"],
            "labels_after": ["l1_bound", "balanced"],
        }
    ]
    assert entry["commits"][0]["duration_s"] == 1e-5 and entry["commits"][0]["time_over_roof"] is None
    # A class that changed earlier is told, and is no news of the newest commit.
    records.write(replace(kernel("c", "l1_bound, balanced", day=3)), tmp_path)
    done = CliRunner().invoke(kernels, ["--results", str(tmp_path)])
    assert done.exit_code == 0 and "changed class" in done.stdout
