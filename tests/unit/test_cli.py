"""The command line: every command loads, bad use is one line and exit code 2."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench_lib import doctor
from bench_lib.cli import COMMANDS, cli
from bench_lib.edge import vulkan_devices
from bench_lib.errors import EXIT_USAGE, EXIT_VERDICT, UnavailableError
from bench_lib.fsdp2 import group
from bench_lib.fsdp2.group import Outcome
from bench_lib.hardware import detect


def bench_lib(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    import os

    command = [sys.executable, "-m", "bench_lib.cli", *arguments]
    environment = {**os.environ, **environ}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help(command: str) -> None:
    result = CliRunner().invoke(cli, [command, "--help"])
    assert result.exit_code == 0, result.output
    assert "Usage:" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ranks=0"], "--ranks: found 0, expected a whole number from 1 up"),
        (["--ranks=-1"], "--ranks: found -1, expected a whole number from 1 up"),
        (["--ranks=70000"], "--ranks: found 70000, expected at most 65536"),
        (["--ranks=1", "--steps=0"], "--steps: found 0"),
        (["--ranks=1", "--warmup=-1"], "--warmup: found -1"),
        (["--ranks=1", "--threads=0"], "--threads: found 0"),
        (["--ranks=1", "--seed=70000"], "--seed: found 70000, expected from 0 to 32767"),
        (
            ["--ranks=2", "--nnodes=2", "--rdzv-endpoint=a:1", "--rdzv-id=x", "--rdzv-conf=join_timeout=x"],
            "--rdzv-conf join_timeout: found 'x'",
        ),
        (["--ranks=1", "--dtype=int8"], "--dtype: found 'int8', expected one of bfloat16, float32"),
        (["--ranks=1", "--device=tpu"], "--device: found 'tpu'"),
        (["--ranks=1", "--stall-timeout=nan"], "--stall-timeout: found nan"),
        (["--ranks=3", "--nnodes=2", "--rdzv-endpoint=a:1", "--rdzv-id=x"], "a multiple of --nnodes"),
        (["--ranks=2", "--nnodes=2"], "needs a meeting point"),
        (["--ranks=2", "--nnodes=0"], "--nnodes: found 0"),
        (["--ranks=1", "--rdzv-conf=timeout"], "--rdzv-conf: found 'timeout'"),
    ],
)
def test_bad_use_of_fsdp2_run(arguments: list[str], message: str) -> None:
    done = bench_lib("fsdp2", "run", "--preset=tiny", "--json", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("bench-lib: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_results_that_cannot_be_written_are_refused_before_measuring(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    done = bench_lib("fsdp2", "run", "--preset=tiny", "--ranks=1", f"--results={tmp_path / 'file'}")
    assert done.returncode == 2
    assert "results directory: found" in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("arguments", [["nope"], ["fsdp2", "run", "--ranks=x"], ["doctor", "--nope"]])
def test_unknown_words_are_refused(arguments: list[str]) -> None:
    done = bench_lib(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("outcome", "exit_code"),
    [
        (Outcome("failed", "rank 1 failed", "rank-failed", 1, "traceback"), 1),
        (Outcome("timed_out", "rank 1 hung", "stalled", 1), 1),
        (Outcome("skipped", "needs 52 GiB", "not-enough-memory"), 2),
    ],
)
def test_a_run_without_a_result_is_still_one_document(
    outcome: Outcome, exit_code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group, "run", lambda config, report: outcome)
    arguments = ["fsdp2", "run", "--preset=tiny", "--ranks=2", "--json"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == exit_code
    document = json.loads(result.stdout)
    assert document["status"] == outcome.status
    assert document["reason"] == outcome.reason
    assert document["failed_rank"] == outcome.failed_rank
    for measured in ("step_time_s", "loss", "peak_allocated_bytes"):
        assert document[measured] is None
    assert (EXIT_VERDICT, EXIT_USAGE) == (1, 2)


def test_doctor_says_what_would_mend_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_loader() -> tuple[vulkan_devices.VulkanDevice, ...]:
        raise UnavailableError("no-loader", "no Vulkan loader.", remedy="apt-get install it")

    monkeypatch.setattr(vulkan_devices, "list_devices", no_loader)
    monkeypatch.setattr(doctor, "distribution_version", lambda name: None)
    # A shell would take the space and the quote apart, and sub() the backslash for a group.
    monkeypatch.setattr(sys, "executable", r"/my env's/\1/python")
    result = CliRunner().invoke(cli, ["doctor", "--json"])
    assert result.exit_code == 0
    checks = {c["name"]: c for c in json.loads(result.stdout)["checks"]}
    assert checks["kernels on Vulkan"]["code"] == "no-loader"
    assert checks["kernels on Vulkan"]["remedy"] == "apt-get install it"
    torch = checks["training on CPU ranks"]
    assert torch["status"] == "missing"
    pip = [r"/my env's/\1/python", "-m", "pip", "install"]
    assert shlex.split(torch["remedy"]) == [*pip, "bench-lib[fsdp2]"]
    assert shlex.split(checks["the site"]["remedy"]) == [*pip, "bench-lib[docs]"]
    text = CliRunner().invoke(cli, ["doctor"]).output
    assert "to mend: apt-get install it" in text


@pytest.mark.parametrize("words", ["", "Install it with: "])
@pytest.mark.parametrize("pip", ["pip install", "python -m pip install"])
def test_doctor_names_the_pip_of_this_environment(
    words: str, pip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_binding() -> tuple[vulkan_devices.VulkanDevice, ...]:
        raise UnavailableError("no-binding", "it is missing.", remedy=f"{words}{pip} 'bench-lib[edge]'")

    monkeypatch.setattr(vulkan_devices, "list_devices", no_binding)
    checks = json.loads(CliRunner().invoke(cli, ["doctor", "--json"]).stdout)["checks"]
    (remedy,) = (c["remedy"] for c in checks if c["name"] == "kernels on Vulkan")
    assert remedy == f"{words}{shlex.quote(sys.executable)} -m pip install 'bench-lib[edge]'"


@pytest.mark.parametrize("ncu", ["#!/bin/sh\nexit 3\n", "no program"])
def test_doctor_survives_broken_tools(ncu: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = {"ncu": ncu, "nvidia-smi": "#!/bin/sh\nprintf 'NVIDIA \\377 L4, 23034, 999.1\\n'\n"}
    for name, text in tools.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    result = CliRunner().invoke(cli, ["doctor", "--json"])
    assert result.exit_code == 0, result.output
    checks = {c["name"]: c for c in json.loads(result.stdout)["checks"]}
    assert checks["collecting reports"]["code"] == "ncu-broken"


def test_doctor_tells_no_driver_from_no_loader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("vulkan", reason="the package vulkan is not installed", exc_type=OSError)
    monkeypatch.setenv("VK_DRIVER_FILES", str(tmp_path / "none.json"))
    monkeypatch.setenv("VK_ICD_FILENAMES", str(tmp_path / "none.json"))
    with pytest.raises(UnavailableError) as caught:
        vulkan_devices.list_devices()
    assert caught.value.code in {"incompatible-driver", "no-loader"}
    assert "apt-get install" in caught.value.remedy


def test_software_devices_are_marked() -> None:
    try:
        devices = vulkan_devices.list_devices()
    except UnavailableError as error:
        pytest.skip(f"no Vulkan here: {error}")
    for device in devices:
        assert device.kind == ("software" if "llvmpipe" in device.name else device.kind)


def test_detect_never_names_the_host() -> None:
    import socket

    host = socket.gethostname()
    if host in {"localhost", ""}:
        pytest.skip("this host is called localhost")
    assert host not in repr(detect())
