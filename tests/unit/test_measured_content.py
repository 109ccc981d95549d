"""Content digests and the stamps of earlier runs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from bench_lib import measured_content
from bench_lib.hardware import Cpu, Machine
from bench_lib.model import Hardware

HARDWARE = Hardware(slug="a-cpu", name="A CPU", kind="cpu")
MACHINE = Machine(cpu=Cpu("A CPU", 2, 1), gpus=(), processor=HARDWARE, driver="1")
OTHER_DRIVER = Machine(cpu=MACHINE.cpu, gpus=(), processor=HARDWARE, driver="2")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "bench_lib").mkdir()
    (tmp_path / "bench_lib" / "a.py").write_text("1")
    (tmp_path / ".gitignore").write_text("*.pyc\n")
    subprocess.run(["git", "-C", str(tmp_path), "init", "-q"], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "add", "-A"], check=True)
    return tmp_path


def digest(
    root: Path,
    machine: Machine = MACHINE,
    selection: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> str:
    return measured_content.digest(root, machine=machine, selection=selection, environ=environ or {})


def test_what_is_not_measured_does_not_count(root: Path) -> None:
    before = digest(root)
    (root / "README.md").write_text("words")
    (root / "bench_lib" / "a.pyc").write_text("ignored by git")
    assert digest(root) == before
    assert digest(root, environ={"LANG": "C", "BENCH_LIB_RESULTS": "/x"}) == before
    assert digest(root, selection=["b", "a"]) == digest(root, selection=["a", "b", "a"])


def test_what_can_change_a_result_counts(root: Path) -> None:
    digests = {
        digest(root),
        digest(root, machine=OTHER_DRIVER),
        digest(root, selection=["a"]),
        digest(root, environ={"OMP_NUM_THREADS": "1"}),
    }
    (root / "bench_lib" / "new.py").write_text("not tracked yet")
    digests.add(digest(root))
    (root / "bench_lib" / "a.py").write_text("2")
    digests.add(digest(root))
    assert len(digests) == 6


def test_a_stamp_holds_while_its_results_do(root: Path) -> None:
    results = root / "results"
    path = results / "a-cpu" / "c-env.json"
    record = results / "records" / "a-cpu" / "r.record"
    for file in (path, record):
        file.parent.mkdir(parents=True)
    path.write_text(json.dumps({"results": {"one": [[1.0]], "two": [[float("nan")]]}}))
    record.write_text("{}")

    assert measured_content.find(root, "key", results=results) is None
    changed = measured_content.asv_results(results, "a-cpu")
    assert measured_content.make(root, "key", results=results, commit="c0ffee", changed=changed)
    stamp = measured_content.find(root, "key", results=results)
    assert stamp is not None
    assert stamp.benchmarks == {"a-cpu/c-env.json": ["one", "two"]}

    path.write_text(json.dumps({"results": {"one": [[1.0]]}}))
    assert measured_content.find(root, "key", results=results) is None


def test_a_stamp_needs_its_records(root: Path) -> None:
    results = root / "results"
    path = results / "a-cpu" / "c-env.json"
    record = results / "records" / "a-cpu" / "r.record"
    for file in (path, record):
        file.parent.mkdir(parents=True)
    path.write_text(json.dumps({"results": {"one": [[1.0]]}}))
    record.write_text("{}")
    changed = measured_content.asv_results(results, "a-cpu")
    measured_content.make(root, "key", results=results, commit="c", changed=changed)
    record.unlink()
    assert measured_content.find(root, "key", results=results) is None


def test_a_run_that_saved_nothing_leaves_no_stamp(root: Path) -> None:
    assert not measured_content.make(root, "key", results=root / "results", commit="c", changed=[])
    assert not (root / ".asv").exists()
