"""Environments built with uv: commits are told apart, and a second environment costs little.

The disk bound is asserted, for that is why these environments exist; CPU seconds are printed
(``pytest -s``) and not asserted.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from asv.util import load_json

from bench_lib import pip_config
from bench_lib.asv_build import find_uv

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TORCH = load_json(str(ROOT / "asv.conf.json"), js_comments=True)["matrix"]["req"]["torch"][0]
SUITE = """
import os


def track_value():
    import torch
    from scratch import VALUE

    assert torch.__version__.partition("+")[0] == os.environ["EXPECTED_TORCH"]
    return VALUE
"""
PYPROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "scratch"
version = "1"

[tool.setuptools]
packages = ["scratch"]
"""


@dataclass(frozen=True)
class Scratch:
    root: Path

    def call(self, *command: str) -> str:
        environ = {**os.environ, "EXPECTED_TORCH": TORCH, "HOME": os.environ.get("HOME", str(self.root))}
        # Compiled bytecode is part of what an environment takes on a user's disk.
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        done = subprocess.run(
            command, cwd=self.root, env=environ, capture_output=True, text=True, check=False, timeout=900
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def asv(self, command: str, *arguments: str, flag: str) -> float:
        """Run asv with the environment for ``flag``; CPU seconds that it and its children took."""
        conf = {
            "version": 1,
            "project": "scratch",
            "repo": ".",
            "branches": ["HEAD"],
            "environment_type": "bench_lib_uv",
            "plugins": [".bench_lib.asv_plugin"],
            "matrix": {"req": {"torch": [TORCH]}, "env": {"FLAG": [flag]}},
            "env_dir": ".asv/env",
        }
        (self.root / "asv.conf.json").write_text(json.dumps(conf))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.call(sys.executable, "-m", "asv", command, *arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def disk_bytes(self) -> int:
        """What all environments take together, a file with several links counted once."""
        seen: dict[tuple[int, int], int] = {}
        for folder, _, names in os.walk(self.root / ".asv" / "env"):
            for path in (Path(folder), *(Path(folder, name) for name in names)):
                found = path.lstat()
                seen[found.st_dev, found.st_ino] = found.st_blocks * 512
        return sum(seen.values())

    def commit(self, value: int) -> str:
        (self.root / "scratch" / "__init__.py").write_text(f"VALUE = {value}\n")
        self.call("git", "add", "-A")
        author = ("-c", "user.name=n", "-c", "user.email=e@example.org")
        self.call("git", *author, "commit", "-qm", f"value {value}")
        return self.call("git", "rev-parse", "HEAD").strip()


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Scratch]:
    uv = find_uv()
    if uv is None:
        pytest.skip("uv is not installed: python -m pip install 'bench-lib[asv-env]'")
    options = pip_config.uv_options(pip_config.read())
    look = subprocess.run(
        [
            uv,
            "pip",
            "install",
            "--dry-run",
            "--no-deps",
            "--python",
            sys.executable,
            *options,
            f"torch=={TORCH}",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if look.returncode != 0:
        pytest.skip(f"uv finds no torch {TORCH} here: {look.stderr.strip()}")
    for folder in ("benchmarks", "scratch"):
        (tmp_path / folder).mkdir()
    (tmp_path / "benchmarks" / "__init__.py").touch()
    (tmp_path / "benchmarks" / "suite.py").write_text(SUITE)
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / ".gitignore").write_text(".asv/\nresults/\nasv.conf.json\n__pycache__/\n")
    made = Scratch(tmp_path)
    made.call("git", "init", "-q")
    yield made


def test_commits_differ_and_a_second_environment_is_cheap(scratch: Scratch) -> None:
    commits = {scratch.commit(1): 1, scratch.commit(2): 2}
    first_cpu_s = scratch.asv("check", flag="a")
    scratch.asv("run", "HEAD", flag="a")
    one_bytes = scratch.disk_bytes()
    assert one_bytes > 300_000_000, "torch is not in the environment"

    second_cpu_s = scratch.asv("check", flag="b")
    scratch.asv("run", "ALL", flag="b")
    second_bytes = scratch.disk_bytes() - one_bytes
    print(
        f"\nfirst environment: {first_cpu_s:.1f} CPU-s, {one_bytes / 1e6:.0f} MB; "
        f"second: {second_cpu_s:.1f} CPU-s, {second_bytes / 1e6:.1f} MB"
    )
    assert second_bytes <= 50_000_000

    found = {}
    for path in (scratch.root / "results").glob("*/*-bench_lib_uv-*FLAGb.json"):
        data = json.loads(path.read_text())
        found[data["commit_hash"]] = data["results"]["suite.track_value"][0][0]
        assert str(scratch.root) not in path.read_text()
    assert found == commits
