"""The cache gives what parsing gives, and parses only what changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd
import pytest

from bench_lib import results
from bench_lib.results import store, synthetic

pytest.importorskip("pyarrow")


@pytest.fixture(params=[1 << 18, 7], ids=["one batch", "many batches"])
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    monkeypatch.setenv(store.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(store, "_BATCH", request.param)
    monkeypatch.setattr(store, "SMALLEST_CACHED_BYTES", 0)
    synthetic.write_store(
        tmp_path / "r", num_machines=2, num_commits=5, num_benchmarks=4, num_parameter_sets=2
    )
    for path in (tmp_path / "r").rglob("*.json"):
        os.utime(path, (1e9, 1e9))
    return tmp_path / "r"


def cold(root: Path) -> pd.DataFrame:
    return results.read(root, cache=False).frame


def check(root: Path, *, num_parsed: int) -> None:
    found = results.read(root)
    assert found.num_parsed == num_parsed
    assert found.notes == ()
    pd.testing.assert_frame_equal(found.frame, cold(root))


def files(root: Path) -> list[Path]:
    return sorted(root.glob("machine-*/*-virtualenv-py3.11.json"))


def test_second_load_parses_nothing(root: Path) -> None:
    check(root, num_parsed=10)
    check(root, num_parsed=0)


def test_changed_file_is_parsed_alone(root: Path) -> None:
    check(root, num_parsed=10)
    path = files(root)[3]
    path.write_bytes(path.read_bytes().replace(b'"virtualenv-py3.11"', b'"virtualenv-py3.12"'))
    check(root, num_parsed=1)
    check(root, num_parsed=0)


def test_new_and_deleted_files(root: Path) -> None:
    check(root, num_parsed=10)
    files(root)[0].unlink()
    new = root / "machine-1" / "0000-new.json"
    new.write_bytes(files(root)[0].read_bytes().replace(b"time_case_1", b"time_case_new"))
    check(root, num_parsed=1)
    check(root, num_parsed=0)
    assert "bench_0.Suite.time_case_new" in set(results.load(root)["benchmark"])


def test_content_counts_and_not_the_clock(root: Path) -> None:
    check(root, num_parsed=10)
    path = files(root)[0]
    os.utime(path, (1.1e9, 1.1e9))
    check(root, num_parsed=0)
    # As long as before and with its old time, but changed just now as far as anybody can tell.
    content = path.read_bytes()
    path.write_bytes(content.replace(b"bench_0", b"bench_X"))
    check(root, num_parsed=1)


def test_file_that_became_damaged_leaves_the_frame(root: Path) -> None:
    check(root, num_parsed=10)
    path = files(root)[0]
    path.write_bytes(path.read_bytes()[:100])
    found = results.read(root)
    assert [e.path for e in found.damaged] == [path]
    assert len(found.frame) == 72


@pytest.mark.parametrize("content", [b"", b"ARROW1 and then nonsense"])
def test_damaged_cache_is_made_anew_and_said(root: Path, tmp_path: Path, content: bytes) -> None:
    check(root, num_parsed=10)
    (cache,) = (tmp_path / "cache").rglob("*.arrow")
    cache.write_bytes(content)
    found = results.read(root)
    assert found.num_parsed == 10
    assert "damaged" in found.notes[0]
    check(root, num_parsed=0)


def test_cache_of_another_layout_is_not_used(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(root, num_parsed=10)
    monkeypatch.setattr(store, "CACHE_FORMAT", b"another")
    check(root, num_parsed=10)


@pytest.mark.parametrize("num_cells", [7, 9])
def test_cache_whose_files_and_cells_differ_is_made_anew(
    root: Path, monkeypatch: pytest.MonkeyPatch, num_cells: int
) -> None:
    # Each file has 8 cells.
    source_file = store._source_file

    def miscounted(*arguments: Any) -> store.SourceFile:
        return msgspec.structs.replace(source_file(*arguments), num_cells=num_cells)

    with monkeypatch.context() as patch:
        patch.setattr(store, "_source_file", miscounted)
        store.read_store(root, cache=True)
    found = results.read(root)
    assert found.num_parsed == 10
    assert "damaged" in found.notes[0]
    pd.testing.assert_frame_equal(found.frame, cold(root))


def test_without_pyarrow_it_reads_and_says_how_to_install_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_has_pyarrow", lambda: False)
    found = results.read(root)
    assert len(found.frame) == 80
    assert "pip install 'bench-lib[results]'" in found.notes[0]


def test_small_store_makes_no_cache(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SMALLEST_CACHED_BYTES", 4_000_000)
    check(root, num_parsed=10)
    assert not (tmp_path / "cache").exists()


def test_samples_survive_the_cache(root: Path) -> None:
    path = files(root)[0]
    text = path.read_text().replace("[10,10]]", "[10,10],[[1.5,2.5],null]]")
    path.write_text(text)
    os.utime(path, (1e9, 1e9))
    check(root, num_parsed=10)
    found = results.read(root)
    assert found.num_parsed == 0
    kept = found.frame["samples"].dropna()
    assert [s.tolist() for s in kept] == [[1.5, 2.5]] * 4
