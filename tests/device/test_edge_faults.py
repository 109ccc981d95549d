"""A device that is lost, hangs, has no memory or takes its process along: a reason each, and no hang."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from vulkan_here import require_compiler, require_device

from bench_lib.edge.isolated import ask
from bench_lib.edge.jobs import Answer, DevicesJob, KernelJob, TransferJob
from bench_lib.edge.measure import measure_kernel
from bench_lib.edge.timing import TimingPlan

HERE = Path(__file__).parent
QUICK = TimingPlan(num_samples=3, sample_s=0.0, series_s=0.5)


def compile_shared(source: Path, target: Path) -> None:
    subprocess.run([require_compiler(), "-shared", "-fPIC", "-O1", "-o", target, source], check=True)


def install_bad_driver(folder: Path) -> Path:
    """The manifest of a driver that never answers, or crashes, as ``BENCH_DRIVER`` says."""
    compile_shared(HERE / "vulkan_hanging_driver.c", folder / "libdriver.so")
    icd = {"file_format_version": "1.0.0", "ICD": {"library_path": "./libdriver.so", "api_version": "1.3.0"}}
    manifest = folder / "driver.json"
    manifest.write_text(json.dumps(icd))
    return manifest


@pytest.fixture(scope="session")
def fault_layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("layer")
    compile_shared(HERE / "vulkan_fault_layer.c", folder / "libfault.so")
    manifest = {
        "file_format_version": "1.0.0",
        "layer": {
            "name": "VK_LAYER_BENCH_fault",
            "type": "GLOBAL",
            "library_path": "./libfault.so",
            "api_version": "1.3.0",
            "implementation_version": "1",
            "description": "fails on demand",
            "functions": {
                "vkGetInstanceProcAddr": "fault_instance_proc",
                "vkGetDeviceProcAddr": "fault_device_proc",
            },
        },
    }
    (folder / "fault.json").write_text(json.dumps(manifest))
    return folder


def ask_with_fault(layer: Path, fault: str, *, after: int, timeout_s: float = 120) -> Answer:
    job = KernelJob(device=require_device(), kernel="saxpy", sizes={"n": 1000}, plan=QUICK, creation=False)
    environ = {
        "VK_LAYER_PATH": str(layer),
        "VK_INSTANCE_LAYERS": "VK_LAYER_BENCH_fault",
        "BENCH_FAULT": fault,
        "BENCH_FAULT_AFTER": str(after),
    }
    return ask(job, timeout_s=timeout_s, environ=environ)


def test_the_layer_alone_changes_nothing(fault_layer: Path) -> None:
    assert ask_with_fault(fault_layer, "none", after=0).status == "ok"


@pytest.mark.parametrize("after", [0, 6])
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("lost-submit", "device-lost"),
        ("lost-wait", "device-lost"),
        ("hang-wait", "device-hung"),
        ("kill", "process-killed"),
        ("crash", "driver-crashed"),
    ],
)
def test_a_device_that_fails_at_once_or_while_it_is_timed(
    fault_layer: Path, fault: str, code: str, after: int
) -> None:
    found = ask_with_fault(fault_layer, fault, after=after)
    assert (found.status, found.code) == ("failed", code)
    assert found.reason and not found.parts


@pytest.mark.parametrize(
    ("fault", "code"), [("oom-device", "out-of-device-memory"), ("oom-host", "out-of-host-memory")]
)
@pytest.mark.parametrize("after", [0, 3])
def test_memory_that_runs_out(fault_layer: Path, fault: str, code: str, after: int) -> None:
    found = ask_with_fault(fault_layer, fault, after=after)
    assert (found.status, found.code) == ("failed", code)
    assert "allocating" in found.reason


def test_a_driver_that_never_returns_is_ended(fault_layer: Path) -> None:
    found = ask_with_fault(fault_layer, "stall", after=2, timeout_s=5)
    assert (found.status, found.code) == ("timed_out", "timed-out")
    assert not [
        c for c in psutil.Process().children(recursive=True) if "edge.worker" in " ".join(c.cmdline())
    ]


@pytest.mark.parametrize(("how", "status"), [("hang", "timed_out"), ("crash", "failed")])
def test_a_driver_that_hangs_or_crashes_when_it_is_loaded(tmp_path: Path, how: str, status: str) -> None:
    require_device()
    driver = install_bad_driver(tmp_path)
    environ = {"VK_DRIVER_FILES": str(driver), "BENCH_DRIVER": how}
    found = ask(DevicesJob(), timeout_s=5, environ=environ)
    assert found.status == status


def test_a_driver_that_hangs_when_it_is_loaded_has_no_longer_than_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_device()
    driver = install_bad_driver(tmp_path)
    monkeypatch.setenv("VK_DRIVER_FILES", str(driver))
    monkeypatch.delenv("VK_ADD_DRIVER_FILES", raising=False)
    monkeypatch.setenv("BENCH_DRIVER", "hang")
    run = measure_kernel(KernelJob(device=None, kernel="saxpy"), timeout_s=2)
    assert (run.status, run.details["reason_code"]) == ("skipped", "driver-hung")
    assert run.reason == "no answer from the drivers in 2 s."


def test_no_driver_is_a_skip_that_says_how_to_mend_it(monkeypatch: pytest.MonkeyPatch) -> None:
    require_device()
    monkeypatch.setenv("VK_DRIVER_FILES", "/nonexistent.json")
    monkeypatch.delenv("VK_ADD_DRIVER_FILES", raising=False)
    run = measure_kernel(KernelJob(device=None, kernel="saxpy"))
    assert (run.status, run.details["reason_code"]) == ("skipped", "incompatible-driver")
    assert "apt-get" in str(run.details["remedy"])


def test_no_loader_is_a_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    run = measure_kernel(KernelJob(device=None, kernel="saxpy"))
    assert (run.status, run.details["reason_code"]) == ("skipped", "no-loader")


def test_a_measuring_process_dies_with_the_one_that_asked(fault_layer: Path) -> None:
    device = require_device()
    code = (
        "from bench_lib.edge.isolated import ask; from bench_lib.edge.jobs import KernelJob;"
        f"ask(KernelJob(device={device!r}, kernel='saxpy', sizes={{'n': 1000}}), timeout_s=600)"
    )
    environ = {
        **os.environ,
        "VK_LAYER_PATH": str(fault_layer),
        "VK_INSTANCE_LAYERS": "VK_LAYER_BENCH_fault",
        "BENCH_FAULT": "stall",
    }
    asking = subprocess.Popen([sys.executable, "-c", code], env=environ)
    parent = psutil.Process(asking.pid)
    workers: list[psutil.Process] = []
    while not workers and asking.poll() is None:
        workers = [c for c in parent.children() if "bench_lib.edge.worker" in c.cmdline()]
        psutil.wait_procs([parent], timeout=0.05)
    asking.kill()
    asking.wait()
    assert workers
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert not alive


def test_a_transfer_that_gets_no_memory_leaves_the_others(fault_layer: Path) -> None:
    job = TransferJob(device=require_device(), num_bytes=(4096, 8192), plan=QUICK)
    environ = {
        "VK_LAYER_PATH": str(fault_layer),
        "VK_INSTANCE_LAYERS": "VK_LAYER_BENCH_fault",
        "BENCH_FAULT": "oom-device",
        "BENCH_FAULT_AFTER": "5",
    }
    found = ask(job, timeout_s=120, environ=environ)
    assert found.status == "ok"
    states = [part.status for part in found.parts]
    assert states[0] == "ok" and states[-1] == "failed"
    assert {p.code for p in found.parts if p.status == "failed"} == {"out-of-device-memory"}
