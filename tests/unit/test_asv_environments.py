"""Parts of the asv environments and the machine entry that need no run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from asv.util import load_json

from bench_lib.asv_build import constraints_without, requirement
from bench_lib.asv_current import benchmark_environ, public_version
from bench_lib.asv_machine import facts
from bench_lib.hardware import Cpu, Machine
from bench_lib.model import Hardware

ROOT = Path(__file__).parents[2]
CPU = Cpu(name="A Processor", num_cpus=8, memory_bytes=33_000_000_000)
CPU_HARDWARE = Hardware(slug="a-processor-8cpu", name="A Processor", kind="cpu")
GPU = Hardware(slug="a-gpu", name="A GPU", kind="gpu")


def test_machine_facts_of_a_processor() -> None:
    found = facts(Machine(cpu=CPU, gpus=(), processor=CPU_HARDWARE, driver=None))
    assert found["machine"] == "a-processor-8cpu"
    assert found["num_cpu"] == "8"
    assert found["ram"] == "31 GiB"  # 33e9 / 2**30 = 30.73
    assert "gpu" not in found


def test_machine_facts_name_the_gpu_and_no_driver() -> None:
    found = facts(Machine(cpu=CPU, gpus=(GPU,), processor=CPU_HARDWARE, driver="550.1"))
    assert (found["machine"], found["gpu"]) == ("a-gpu", "A GPU")
    assert "550" not in json.dumps(found)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("torch", "2.13.0", "torch==2.13.0"),
        ("torch", "", "torch"),
        ("pip+torch", ">=2.6,<3", "torch>=2.6,<3"),
        ("setuptools>=77", "", "setuptools>=77"),
    ],
)
def test_requirement(key: str, value: str, expected: str) -> None:
    assert requirement(key, value) == expected


def test_the_matrix_wins_over_constraints() -> None:
    text = "# why\ntorch==2.13.0\ntorchvision==0.29\nPython_Slugify>=8\n"
    assert constraints_without(text, {"torch", "python-slugify"}) == "# why\ntorchvision==0.29\n"
    assert constraints_without(text, set()) == text


def test_public_version() -> None:
    assert public_version("2.13.0+cpu") == "2.13.0"
    assert public_version("2.13.0") == "2.13.0"


def test_benchmark_environ_follows_asv() -> None:
    assert benchmark_environ({"PYTHONPATH": "/a", "X": "1"}) == {"X": "1"}
    seen = benchmark_environ({"PYTHONPATH": "/a", "ASV_PYTHONPATH": "/b"})
    assert seen["PYTHONPATH"] == "/b"


def test_torch_matrix_differs_in_the_matrix_only() -> None:
    plain = load_json(str(ROOT / "asv.conf.json"), js_comments=True)
    matrix = load_json(str(ROOT / "asv.torch-matrix.conf.json"), js_comments=True)
    versions = matrix.pop("matrix")["req"]["torch"]
    assert len(versions) > 1
    assert set(plain.pop("matrix")["req"]["torch"]) <= set(versions)
    assert plain == matrix


def test_matrix_follows_constraints() -> None:
    pinned = re.search(r"^torch==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert pinned is not None
    plain = load_json(str(ROOT / "asv.conf.json"), js_comments=True)
    assert plain["matrix"]["req"]["torch"] == [pinned[1]]
