"""Statistics by hand, and that they are asv's."""

from __future__ import annotations

import math

import pytest

from bench_lib.errors import UsageError
from bench_lib.stats import Summary, ratio_interval, summarize


def summary(median: float, low: float, high: float) -> Summary:
    return Summary(9, median, low, high, median, median)


def test_median_and_quartiles_of_five() -> None:
    found = summarize([5.0, 1.0, 4.0, 2.0, 3.0])
    assert (found.num_samples, found.median, found.quartile_1, found.quartile_3) == (5, 3.0, 2.0, 4.0)
    assert found.low < 3.0 < found.high


def test_order_statistics_bound_the_median_of_twenty() -> None:
    # P(4 or more of 20 on either side) leaves less than 0.5 % in each tail: the 4th and 17th values.
    found = summarize([float(i) for i in range(1, 21)])
    assert (found.median, found.low, found.high) == (10.5, 4.0, 17.0)


def test_one_sample_has_no_bounds() -> None:
    found = summarize([2.0])
    assert (found.median, found.low, found.high) == (2.0, -math.inf, math.inf)


def test_no_bound_is_below_zero_where_no_sample_is() -> None:
    assert summarize([0.1, 0.2, 0.9]).low >= 0
    assert summarize([-0.1, 0.2, 0.9]).low < 0


@pytest.mark.parametrize("samples", [[], [1.0, math.nan], [math.inf]])
def test_what_is_no_sample_is_refused(samples: list[float]) -> None:
    with pytest.raises(UsageError, match="samples"):
        summarize(samples)


def test_the_ratio_takes_opposite_ends() -> None:
    assert ratio_interval(summary(2.0, 1.0, 4.0), summary(1.0, 0.5, 2.0)) == (2.0, 0.5, 8.0)


def test_a_ratio_over_an_unbounded_summary_is_unbounded() -> None:
    unbounded = summary(1.0, -math.inf, math.inf)
    assert ratio_interval(summary(2.0, 1.0, 4.0), unbounded) == (2.0, 0.0, math.inf)
    assert ratio_interval(unbounded, summary(2.0, 1.0, 4.0))[1:] == (0.0, math.inf)
