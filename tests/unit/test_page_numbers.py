"""Numbers that pages carry: a level that fell a hundred thousandfold is still there, to three digits."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from bench_lib.sphinx_ext import benchmark_data
from bench_lib.sphinx_ext.benchmark_data import SeriesData, Tables, iter_benchmarks, packed
from bench_lib.sphinx_ext.number_text import number_text
from bench_lib.sphinx_ext.site_data import SiteData


def series(values: list[float], *, reach: float) -> SeriesData:
    value = np.array(values)
    n = len(values)
    return SeriesData(
        parameters=(),
        machine="m",
        environment="e",
        places=np.arange(n),
        values=value,
        low=value * (1 - reach),
        high=value * (1 + reach),
        versions=["1"] * n,
        origins=["measured"] * n,
        num_samples=np.zeros(n, dtype=np.int64),
        samples=[None] * n,
        gaps=(),
    )


@pytest.mark.parametrize("after", [0.9, 0.011, 1.4e-5, 1e-7, 1e-12, 1e-300, 5e-324, -1.4e-5, 1e15])
def test_values_far_from_the_median_keep_three_digits(after: float) -> None:
    quantum, _ = quantum_and_reach([1.0] * 20 + [after, after * 1.234, 0.0], reach=0.02)
    if quantum is None:
        # Then values are written as they are, with six digits.
        assert not 1e-7 <= abs(after) <= 1e5
        return
    assert quantum <= abs(after) * 1e-3 * (1 + 1e-9)
    # Whole numbers of this size are exact in JavaScript.
    assert max(1.0, abs(after)) / quantum < 2**50


def test_an_interval_grows_by_no_hundredth_of_a_value() -> None:
    _, reach = quantum_and_reach([1.0] * 20 + [2e-5], reach=0.02)
    assert reach is not None and reach <= 2e-5 * 1e-2 * (1 + 1e-9)


def test_near_values_have_five_digits_as_before() -> None:
    # 10**(floor(log10 of the median 1.0) - 4) and, of the median reach 0.02, 10**(-2 - 1).
    assert quantum_and_reach([1.0, 1.01, 0.99], reach=0.02) == (1e-4, 1e-3)


@pytest.mark.parametrize("scale", [1.0, 3e-7, 12_345.0])
def test_an_interval_is_rounded_outwards(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark_data, "number_text", lambda numbers: np.asarray(numbers).tolist())
    random = np.random.default_rng(3)
    given = series((scale * random.lognormal(0, 0.2, 500)).tolist(), reach=0.01)
    made = packed(given, Tables(), {})
    values = (np.array(made["v"]) + made["b"]) * made["q"]
    reach = np.array(made["l"]) * made["r"]
    # As far up as down was measured, which is said once.
    assert "h" not in made
    slack = 1e-5 * made["r"]
    assert (values - reach <= given.low + slack).all() and (values + reach >= given.high - slack).all()
    assert (reach <= given.high - given.values + made["q"] + made["r"]).all()


def test_numbers_too_large_for_a_page_stay_numbers_of_python() -> None:
    assert json.dumps(number_text(np.array([2**52, 1]))) == f"[{2**52}, 1]"


def quantum_and_reach(values: list[float], *, reach: float) -> tuple[float | None, float | None]:
    made = packed(series(values, reach=reach), Tables(), {})
    assert made["q"] is None or math.isfinite(made["q"])
    return made["q"], made["r"]


def test_an_infinite_value_is_said_to_be_one(tmp_path: Path) -> None:
    content = {
        "commit_hash": "c" * 40,
        "env_name": "e",
        "date": 1_600_000_000_000,
        "params": {"machine": "m"},
        "result_columns": ["result", "params", "version"],
        "results": {"m.time_a": [[math.inf], [], "1"]},
        "version": 2,
    }
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "cccccccc-e.json").write_text(json.dumps(content))
    (benchmark,) = iter_benchmarks(SiteData(tmp_path))
    assert benchmark.series[0].gaps == [(0, "failed", "the value is infinite")]
