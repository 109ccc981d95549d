"""Statistics of samples. Pure, and the same as asv's, so that both show one interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from asv_runner.statistics import compute_stats

from bench_lib.errors import UsageError


@dataclass(frozen=True)
class Summary:
    """What samples say about the median.

    ``low`` and ``high`` bound the median with 99 % confidence; either is infinite where there
    are too few samples to bound it. No bound is below zero where no sample is. An interval from one launch
    says nothing about how much another launch would differ.
    """

    num_samples: int
    median: float
    low: float
    high: float
    quartile_1: float
    quartile_3: float


def summarize(samples: Sequence[float]) -> Summary:
    """Median, 99 % interval and quartiles of ``samples``.

    Raises
    ------
    UsageError
        There is no sample, or one is not a finite number.

    **Source**: ``asv_runner.statistics.compute_stats``: order statistics where the number of samples
    allows, else the posterior of a Laplace distribution.
    """
    if not samples:
        raise UsageError.of("samples", found="none", expected="at least one")
    if not all(math.isfinite(s) for s in samples):
        raise UsageError.of("samples", found=list(samples), expected="finite numbers")
    median, stats = compute_stats(list(samples), 1)
    low = float(stats["ci_99_a"])
    if math.isfinite(low) and min(samples) >= 0:
        low = max(low, 0.0)
    return Summary(
        num_samples=len(samples),
        median=float(median),
        low=low,
        high=float(stats["ci_99_b"]),
        quartile_1=float(stats["q_25"]),
        quartile_3=float(stats["q_75"]),
    )


def ratio_interval(numerator: Summary, denominator: Summary) -> tuple[float, float, float]:
    """Ratio of two medians, and the widest interval that their two intervals allow.

    It is conservative: both medians would have to sit at opposite ends of their intervals.
    """
    bounded = math.isfinite(numerator.low) and math.isfinite(denominator.high)
    low = numerator.low / denominator.high if bounded else 0.0
    high = numerator.high / denominator.low if denominator.low > 0 else math.inf
    return numerator.median / denominator.median, low, high
