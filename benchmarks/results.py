"""Cost of loading a results directory of 3 machines, 1,000 commits and 200 benchmarks."""

from __future__ import annotations

from pathlib import Path

from bench_lib.results import load_cost, synthetic


class LoadStore:
    """Cold: every file parsed. Warm: nothing changed since. Each load has a process of its own."""

    params = ([1, 10],)
    param_names = ("parameter_sets",)
    timeout = 900

    def setup_cache(self) -> dict[int, tuple[load_cost.LoadCost, load_cost.LoadCost]]:
        costs = {}
        for n in self.params[0]:
            synthetic.write_store(Path(f"store-{n}"), num_parameter_sets=n)
            costs[n] = load_cost.measure(f"store-{n}")
        return costs

    setup_cache.timeout = 900  # type: ignore[attr-defined]

    def track_cold_cpu_time(self, costs: dict[int, tuple[load_cost.LoadCost, ...]], n: int) -> float:
        return costs[n][0].cpu_time_s

    def track_warm_cpu_time(self, costs: dict[int, tuple[load_cost.LoadCost, ...]], n: int) -> float:
        return costs[n][1].cpu_time_s

    def track_cold_peak_rss(self, costs: dict[int, tuple[load_cost.LoadCost, ...]], n: int) -> float:
        return costs[n][0].peak_rss_bytes

    track_cold_cpu_time.unit = "seconds"  # type: ignore[attr-defined]
    track_cold_cpu_time.version = "1"  # type: ignore[attr-defined]
    track_warm_cpu_time.unit = "seconds"  # type: ignore[attr-defined]
    track_warm_cpu_time.version = "1"  # type: ignore[attr-defined]
    track_cold_peak_rss.unit = "bytes"  # type: ignore[attr-defined]
    track_cold_peak_rss.version = "1"  # type: ignore[attr-defined]
