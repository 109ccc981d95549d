"""Results files that are read column by column, and row by row: the same cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench_lib.errors import DamagedFileError
from bench_lib.results import asv_files
from bench_lib.results.asv_cells import FAILED, OK, SKIPPED, Cells, Tables
from bench_lib.results.asv_files import parse

COLUMNS = ["result", "params", "version", "stats_ci_99_a", "stats_ci_99_b", "stats_repeat", "samples"]


def _content(rows: dict[str, list[Any]]) -> bytes:
    return json.dumps(
        {"commit_hash": "a" * 40, "version": 2, "result_columns": COLUMNS, "results": rows}
    ).encode()


def _both(rows: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch) -> tuple[Cells, Cells]:
    path = Path("box", "a.json")
    tables = Tables()
    twice = [parse(path, _content(rows), tables=tables).cells for _ in range(2)][1]
    with monkeypatch.context() as patch:
        patch.setattr(asv_files, "cells_like_before", lambda *_: None)
        plain = parse(path, _content(rows), tables=tables).cells
    return twice, plain


def _assert_same(found: Cells, expected: Cells) -> None:
    for name, column in vars(expected).items():
        np.testing.assert_array_equal(vars(found)[name], column, err_msg=name)
        assert vars(found)[name].dtype == column.dtype, name


def test_whole_rows_give_the_cells_of_their_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: dict[str, list[Any]] = {
        "a.time_x": [[1.5], [], "v1", [1.0], [2.0], [10]],
        "a.time_y": [
            [2.0, None, float("nan")],
            [["1", "2", "3"]],
            None,
            [1, None, 1],
            [3, None, 1],
            [5, 0, 2],
        ],
    }
    found, plain = _both(rows, monkeypatch)
    assert found.value[:2].tolist() == [1.5, 2.0]
    assert found.status.tolist() == [OK, OK, FAILED, SKIPPED]
    assert found.num_samples.tolist() == [10, 5, 0, 2]
    _assert_same(found, plain)


@pytest.mark.parametrize(
    "row",
    [
        [[1.5], [], "v1"],
        [None, [], "v1", None, None, None],
        [[1.5], [], "v1", [1.0], [2.0], [10], [[1.0, 2.0]]],
        [[1.5], [], 1, [1.0], [2.0], [10]],
        [[1.5], None, "v1", [1.0], [2.0], [10]],
    ],
)
def test_other_rows_give_what_they_gave(row: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [[2.5], [], "v1", [2.0], [3.0], [10]]
    _assert_same(*_both({"a.time_x": row, "a.time_y": whole}, monkeypatch))


def test_files_that_differ_in_a_version_or_a_parameter_do_not_share_it() -> None:
    tables = Tables()
    path = Path("box", "a.json")
    for version, axis in (("v1", "1"), ("v2", "1"), ("v2", "2"), ("v1", "1")):
        row = [[1.5], [[axis]], version, [1.0], [2.0], [10]]
        cells = parse(path, _content({"a.time_x": row}), tables=tables).cells
        assert tables.version.texts()[cells.version[0]] == version
        assert json.loads(tables.combination.texts()[cells.combination[0]]) == ["a.time_x", axis]


@pytest.mark.parametrize(
    "row", [[[1.5, 2.5], [["1"]], "v1", [1, 1], [2, 2], [1, 1]], [[[1.5]], [], "v1", [1.0], [2.0], [1]]]
)
def test_rows_that_do_not_fit_are_named_damaged(row: list[Any]) -> None:
    with pytest.raises(DamagedFileError):
        parse(Path("box", "a.json"), _content({"a.time_x": row}), tables=Tables())


def test_parameters_that_are_equal_and_not_the_same_stay_apart() -> None:
    tables = Tables()
    codes = []
    for axis in (1, True, 1.0, "1"):
        content = _content({"a.time_x": [[1.5], [[axis]], "v1", [1.0], [2.0], [10]]})
        codes.append(int(parse(Path("box", "a.json"), content, tables=tables).cells.combination[0]))
    texts = [json.loads(tables.combination.texts()[code])[1] for code in codes]
    assert texts == ["1", "True", "1.0", "1"]
