"""Slugs, look-ups of devices, and what a machine without a GPU tool says."""

from __future__ import annotations

import importlib
import subprocess
from pathlib import Path

import pytest

from bench_lib.errors import DamagedFileError
from bench_lib.hardware import Cpu, all_hardware, detect, find, load_device
from bench_lib.hardware.detect import cpu_slug
from bench_lib.hardware.environment import capture, project_commit, tuning

# The package's function of the same name hides the module.
detect_module = importlib.import_module("bench_lib.hardware.detect")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("AMD EPYC 7763 64-Core Processor", "amd-epyc-7763-2cpu"),
        ("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", "intel-xeon-platinum-8481c-2cpu"),
        ("Apple M2 Pro", "apple-m2-pro-2cpu"),
        ("12th Gen Intel(R) Core(TM) i7-1260P", "12th-gen-intel-core-i7-1260p-2cpu"),
        ("", "unknown-cpu-2cpu"),
        ("../../etc/passwd", "etc-passwd-2cpu"),
    ],
)
def test_cpu_slug(name: str, slug: str) -> None:
    assert cpu_slug(Cpu(name, 2, 1)) == slug


def test_a_hidden_model_is_told_by_family_and_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"

    def name_of(text: str) -> str:
        info.write_text(text, encoding="utf-8")
        monkeypatch.setattr(detect_module, "CPU_INFO", info)
        monkeypatch.setattr("platform.system", lambda: "Linux")
        return detect_module.detect_cpu().name

    hidden = "processor : 0\ncpu family : 26\nmodel : 2\nmodel name : AMD EPYC\n\nprocessor : 1\nmodel : 3\n"
    assert name_of(hidden) == "AMD EPYC family 26 model 2"
    assert name_of(hidden.replace("AMD EPYC", "AMD EPYC 7763")) == "AMD EPYC 7763"
    assert name_of("Hardware : BCM2835\n") == "BCM2835"


def test_devices_are_found_by_whole_names_only() -> None:
    assert (found := find("NVIDIA H100 80GB HBM3")) is not None
    assert found.slug == "nvidia-h100-sxm"
    assert find("nvidia-h100-sxm") == found
    for part in ("H100", "NVIDIA H100", "NVIDIA H100 80GB", "NVIDIA H100 80GB HBM3e", ""):
        assert find(part) is None, part


def test_no_two_devices_share_a_name() -> None:
    seen: dict[str, str] = {}
    for hardware in all_hardware():
        for name in {hardware.slug, hardware.name.casefold(), *(a.casefold() for a in hardware.aliases)}:
            assert seen.setdefault(name, hardware.slug) == hardware.slug


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("name = ", "Invalid value"),
        ('name = "A"\nkind = "gpu"\nspeed = 3', r"unknown keys \['speed'\]"),
        ('name = "A"\nkind = "toaster"', "Invalid enum value"),
        ('name = "A"\nkind = "gpu"\nslug = "other"', "slug 'other'"),
        ('kind = "gpu"', "missing required field"),
    ],
)
def test_a_damaged_device_file_is_named(content: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "a-device.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DamagedFileError, match=found):
        load_device(path)


def test_an_unknown_gpu_keeps_its_name_and_no_peaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 'NVIDIA Strange 9000, 1024, 999.1'\necho 'NVIDIA L4, 23034, 999.1'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    machine = detect()
    assert [gpu.slug for gpu in machine.gpus] == ["nvidia-strange-9000", "nvidia-l4"]
    assert machine.hardware.slug == "nvidia-strange-9000"
    assert not machine.gpus[0].peak_flop_per_s
    assert machine.gpus[0].memory_bytes == 2**30
    assert machine.driver == "999.1"


def test_a_failing_gpu_tool_means_no_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 'NVIDIA-SMI has failed'\nexit 9\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    machine = detect()
    assert machine.gpus == ()
    assert machine.hardware.kind == "cpu"


def test_commit_of_a_checkout_and_of_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASV_COMMIT", raising=False)
    assert project_commit(tmp_path) == (None, None)

    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        command = ["git", "-C", str(tmp_path), *identity, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    git("init", "-q")
    (tmp_path / "bench_lib").mkdir()
    source = tmp_path / "bench_lib" / "a.py"
    source.write_text("1")
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    head = git("rev-parse", "HEAD")
    assert project_commit(tmp_path) == (head, False)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "new.json").write_text("{}")
    assert project_commit(tmp_path) == (head, False)
    source.write_text("2")
    assert project_commit(tmp_path) == (head, True)
    monkeypatch.setenv("ASV_COMMIT", "b" * 40)
    assert project_commit(tmp_path) == ("b" * 40, False)


def test_tuning_variables_are_recorded_without_paths() -> None:
    environ = {
        "ATEN_CPU_CAPABILITY": "default",
        "OMP_NUM_THREADS": "2",
        "LD_PRELOAD": "/home/somebody/lib.so",
        "HOME": "/home/somebody",
        "TORCHELASTIC_RUN_ID": "x",
    }
    expected = {"ATEN_CPU_CAPABILITY": "default", "LD_PRELOAD": "(set)", "OMP_NUM_THREADS": "2"}
    assert tuning(environ) == expected


def test_without_a_checkout_the_commit_is_unknown() -> None:
    found = capture(detect(), root=None)
    assert (found.commit, found.dirty, found.commit_time) == (None, None, None)
