"""Cost of publishing results, beside ``asv publish`` on the same ones."""

from __future__ import annotations

from pathlib import Path

from bench_lib import site_cost


class Publish:
    """3 machines x 1,000 commits x 200 benchmarks: from nothing, built again unchanged, and by asv."""

    params = (["cold", "unchanged", "asv"],)
    param_names = ("build",)
    timeout = 1800

    def setup_cache(self) -> dict[str, site_cost.SiteCost]:
        site_cost.write_published_store(Path("project"), num_commits=1000)
        return site_cost.measure("project")

    setup_cache.timeout = 1800  # type: ignore[attr-defined]

    def track_cpu_time(self, costs: dict[str, site_cost.SiteCost], build: str) -> float:
        return costs[build].cpu_time_s

    def track_peak_rss(self, costs: dict[str, site_cost.SiteCost], build: str) -> float:
        return costs[build].peak_rss_bytes

    def track_bytes(self, costs: dict[str, site_cost.SiteCost], build: str) -> float:
        return costs[build].num_bytes

    def track_files(self, costs: dict[str, site_cost.SiteCost], build: str) -> float:
        return costs[build].num_files

    track_cpu_time.unit = "seconds"  # type: ignore[attr-defined]
    track_peak_rss.unit = track_bytes.unit = "bytes"  # type: ignore[attr-defined]
    track_cpu_time.version = track_peak_rss.version = "1"  # type: ignore[attr-defined]
    track_bytes.version = track_files.version = "1"  # type: ignore[attr-defined]
