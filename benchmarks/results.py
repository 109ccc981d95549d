"""Cost of loading a results directory, and how well steps are found in series."""

from __future__ import annotations

from pathlib import Path

from bench_lib.results import change_benchmark, change_methods, labelled_series, load_cost, synthetic


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


class FindSteps:
    """Confirmed steps on labelled series: what is missed, what is false, and the time a series takes."""

    params = (list(labelled_series.MAIN_NOISES),)
    param_names = ("noise",)

    def setup(self, noise: str) -> None:
        self.score = change_benchmark.run(
            change_methods.confirmed, list(labelled_series.labelled(noise, seed=change_benchmark.SEED))
        )

    def track_missed_share(self, noise: str) -> float:
        return 1 - self.score.recall

    def track_false_share(self, noise: str) -> float:
        return 1 - self.score.precision

    def track_time_per_series(self, noise: str) -> float:
        return self.score.milliseconds / 1e3

    track_missed_share.version = track_false_share.version = "1"  # type: ignore[attr-defined]
    track_time_per_series.version = "1"  # type: ignore[attr-defined]
    track_time_per_series.unit = "seconds"  # type: ignore[attr-defined]
