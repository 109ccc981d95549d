"""What publishing costs: both builds run on one project, and what they wrote is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench_lib import site_cost
from bench_lib.errors import BenchLibError


def test_costs_of_a_small_project(tmp_path: Path) -> None:
    site_cost.write_published_store(tmp_path, num_commits=8, num_benchmarks=3)
    costs = site_cost.measure(tmp_path)
    assert sorted(costs) == ["asv", "cold", "unchanged"]
    assert costs["cold"].num_bytes == costs["unchanged"].num_bytes > 100_000
    # A graph for each of three benchmarks on three machines, a summary for each benchmark.
    assert costs["asv"].num_files >= 12, "asv drew nothing: it did not know the commits"
    assert all(cost.cpu_time_s > 0 and cost.peak_rss_bytes > 10_000_000 for cost in costs.values())


def test_a_build_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(BenchLibError, match="expected a folder with results"):
        site_cost.measure(tmp_path)
