"""Edge kernels, roofs and transfers on this machine's Vulkan or Metal device."""

from __future__ import annotations

from pathlib import Path

from bench_lib import asv_bridge
from bench_lib.asv_bridge import checkout_root, once, once_of, require, track
from bench_lib.edge.measure import VERSION
from bench_lib.edge.tracked import ROOFS, TRANSFERS, kernel_names, kernel_run, roof_runs, transfer_runs
from bench_lib.model import Run


class _Edge:
    """One cache for all classes: only runs of one session are placed under each other's roofs."""

    timeout = 1800

    def setup_cache(self) -> str:
        return str(Path.cwd())


class Kernel(_Edge):
    """Each kernel, verified and then timed at its first shape."""

    params = (kernel_names(),)
    param_names = ("kernel",)

    def _run(self, cache: str, kernel: str) -> Run:
        return once(
            cache,
            {"kernel": kernel},
            lambda: kernel_run(kernel, root=checkout_root()),
            benchmark="edge_kernels.Kernel",
        )

    def setup(self, cache: str, kernel: str) -> None:
        require(self._run(cache, kernel))

    def track_dispatch_time(self, cache: str, kernel: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, kernel), "dispatch_time")

    def track_dispatch_time_cold(self, cache: str, kernel: str) -> asv_bridge.AsvSamples | float:
        return asv_bridge.track_known(self._run(cache, kernel), "dispatch_time_cold")

    def track_submit_to_start(self, cache: str, kernel: str) -> asv_bridge.AsvSamples | float:
        return asv_bridge.track_known(self._run(cache, kernel), "submit_to_start")

    def track_round_trip(self, cache: str, kernel: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, kernel), "round_trip")

    def track_pipeline_creation(self, cache: str, kernel: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, kernel), "pipeline_creation")


class Roof(_Edge):
    """What a copy and a matrix product reach on the device."""

    params = (list(ROOFS),)
    param_names = ("roof",)

    def _run(self, cache: str, roof: str) -> Run:
        return once_of(
            cache,
            {"roof": roof},
            lambda: roof_runs(root=checkout_root()),
            benchmark="edge_kernels.Roof",
        )

    def setup(self, cache: str, roof: str) -> None:
        require(self._run(cache, roof))

    def track_time_per_giga(self, cache: str, roof: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, roof), "time_per_giga")


class Transfer(_Edge):
    """What it costs to bring bytes from the host to the device, by memory mode and size."""

    params = tuple(map(list, TRANSFERS))
    param_names = ("mode", "num_bytes")

    def _run(self, cache: str, mode: str, num_bytes: int) -> Run:
        params: dict[str, str | int] = {"mode": mode, "num_bytes": num_bytes}
        return once_of(
            cache, params, lambda: transfer_runs(root=checkout_root()), benchmark="edge_kernels.Transfer"
        )

    def setup(self, cache: str, mode: str, num_bytes: int) -> None:
        require(self._run(cache, mode, num_bytes))

    def track_transfer_time(self, cache: str, mode: str, num_bytes: int) -> asv_bridge.AsvSamples:
        return track(self._run(cache, mode, num_bytes), "transfer_time")


asv_bridge.describe_metrics(Kernel, Roof, Transfer, version=VERSION)
