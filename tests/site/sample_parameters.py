"""A results directory of benchmarks with parameters: numbers, texts, and what is hard to draw."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from sample_asv import HOSTILE, write_file, write_machine

SORT, TEXT, SPARSE, PLAIN = "sort.time_sort", "read.time_read", "sparse.time_it", "plain.time_it"
SIZES = ["1", "10", "100", "1000", "np.int64(10000)"]
KINDS = ["'merge'", "'quick'"]
#: By natural order, which is that of the axis.
TEXTS = ["'4x4'", "'16x16'", "None", HOSTILE]
SPARSE_SIZES = [str(i) for i in range(-3, 57)]
#: Numbers that no tick may be counted between, one after another; by their benchmark.
EXTREME = {
    "extreme.time_near": ["1", "1.0000000000000002", "1.0"],
    "extreme.time_far": ["1e-320", "1", "1e299"],
    "extreme.time_both": ["-1.7e308", "0", "1.7e308"],
    "extreme.time_words": ["nan", "inf", "", "0x10", "1_000", "True"],
}
NUM_COMMITS = 6


def sort_time(machine: int, number: int, kind: int, size: int) -> float:
    return (1 + machine) * (1 + 0.01 * number) * (1 + kind) * 1.234e-6 * 10**size


def cells(values: list[float | None], params: list[list[str]]) -> list[Any]:
    known = [v is not None and not math.isnan(v) for v in values]
    low, high = (
        [v * f if k and v else None for v, k in zip(values, known, strict=True)] for f in (0.98, 1.03)
    )
    return [values, params, "1", low, high, [10 if k else None for k in known]]


def write_store(root: Path) -> None:
    """Two machines and six commits.

    ``SORT``: two parameters; at the newest commit, the largest size has no value. ``TEXT``: values that are
    no numbers, one of them hostile. ``SPARSE``: no commit has values of all sizes, one is never measured, and
    the version differs. ``PLAIN`` has no parameter that varies; ``EXTREME`` are hard to find ticks for.
    """
    entry = {"type": "time", "unit": "seconds", "version": "1", "code": ""}
    index = {
        SORT: {"param_names": ["kind", "n"], "params": [KINDS, SIZES]},
        TEXT: {"param_names": [HOSTILE], "params": [TEXTS]},
        SPARSE: {"param_names": ["n"], "params": [SPARSE_SIZES]},
        PLAIN: {"param_names": ["n"], "params": [["1"]]},
        **{name: {"param_names": ["n"], "params": [texts]} for name, texts in EXTREME.items()},
    }
    root.mkdir(parents=True)
    about = {name: entry | {"name": name} | more for name, more in index.items()}
    (root / "benchmarks.json").write_text(json.dumps(about | {"version": 2}), encoding="utf-8")
    for machine in (0, 1):
        write_machine(root, f"machine-{machine}")
        for number in range(NUM_COMMITS):
            sort: list[float | None] = [
                sort_time(machine, number, kind, size) for kind in range(2) for size in range(5)
            ]
            if number == NUM_COMMITS - 1:
                sort[4] = sort[9] = None
            sparse: list[float | None] = [
                None if i == 2 or i % NUM_COMMITS != number else 1e-3 * (1 + i) for i in range(60)
            ]
            write_file(
                root,
                f"machine-{machine}",
                number,
                {
                    SORT: cells(sort, [KINDS, SIZES]),
                    TEXT: cells([1e-3 * (i + 1) for i in range(4)], [TEXTS]),
                    SPARSE: [*cells(sparse, [SPARSE_SIZES])[:2], "2" if number > 3 else "1"],
                    PLAIN: cells([1e-3], [["1"]]),
                    **{name: cells([1e-3] * len(texts), [texts]) for name, texts in EXTREME.items()},
                },
            )
