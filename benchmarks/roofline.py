"""Kernels from profiler reports, or profiled now: duration, distance from the roof, time by class."""

from __future__ import annotations

from pathlib import Path

from bench_lib import asv_bridge
from bench_lib.model import Run
from bench_lib.roofline.classify import LABELS
from bench_lib.roofline.live import live_run
from bench_lib.roofline.live_kernels import OPERATIONS
from bench_lib.roofline.recorded import recorded_launches
from bench_lib.roofline.report_folder import (
    VERSION,
    folder_run,
    kernel_params,
    kernel_run,
    read_summary,
    write_summary,
)
from bench_lib.roofline.tracking import names_with_roof, recorded_run


class _Recorded:
    """Launches of public reports that the project ships; their figures are imported, not measured."""

    param_names = ("kernel",)
    timeout = 120

    def setup_cache(self) -> str:
        return str(Path.cwd())

    def _run(self, cache: str, kernel: str) -> Run:
        return asv_bridge.once(
            cache, {"kernel": kernel}, lambda: recorded_run(kernel, root=asv_bridge.checkout_root())
        )

    def setup(self, cache: str, kernel: str) -> None:
        asv_bridge.require(self._run(cache, kernel))


class RecordedKernel(_Recorded):
    """Duration of each recorded launch."""

    params = ([entry.name for entry in recorded_launches()],)

    def track_duration(self, cache: str, kernel: str) -> asv_bridge.AsvSamples:
        return asv_bridge.track(self._run(cache, kernel), "kernel_duration")

    track_duration.unit = asv_bridge.unit("kernel_duration")  # type: ignore[attr-defined]
    track_duration.version = f"kernel_duration-{VERSION}"  # type: ignore[attr-defined]


class RecordedRoof(_Recorded):
    """Distance from the roof, for the launches whose reports have bytes, FLOP and peaks."""

    params = (list(names_with_roof()),)

    def track_time_over_roof(self, cache: str, kernel: str) -> asv_bridge.AsvSamples:
        return asv_bridge.track(self._run(cache, kernel), "time_over_roof")

    track_time_over_roof.unit = asv_bridge.unit("time_over_roof")  # type: ignore[attr-defined]
    track_time_over_roof.version = f"time_over_roof-{VERSION}"  # type: ignore[attr-defined]


class _Reports:
    """The folder that BENCH_LIB_NCU_REPORTS names, analysed once for all benchmarks below."""

    timeout = 1800

    def setup_cache(self) -> str:
        write_summary(Path.cwd())
        return str(Path.cwd())


class ReportKernel(_Reports):
    """Each kernel of the folder. It is input: other kernels are other series, and take nothing from these."""

    params = (kernel_params(),)
    param_names = ("kernel",)

    def _run(self, cache: str, kernel: str) -> Run:
        return asv_bridge.once(
            cache,
            {"kernel": kernel},
            lambda: kernel_run(kernel, read_summary(Path(cache)), root=asv_bridge.checkout_root()),
        )

    def setup(self, cache: str, kernel: str) -> None:
        asv_bridge.require(self._run(cache, kernel))

    def track_duration(self, cache: str, kernel: str) -> asv_bridge.AsvSamples:
        return asv_bridge.track(self._run(cache, kernel), "kernel_duration")

    def track_time_over_roof(self, cache: str, kernel: str) -> asv_bridge.AsvSamples | float:
        return asv_bridge.track_known(self._run(cache, kernel), "time_over_roof")

    track_duration.unit = asv_bridge.unit("kernel_duration")  # type: ignore[attr-defined]
    track_duration.version = f"kernel_duration-{VERSION}"  # type: ignore[attr-defined]
    track_time_over_roof.unit = asv_bridge.unit("time_over_roof")  # type: ignore[attr-defined]
    track_time_over_roof.version = f"time_over_roof-{VERSION}"  # type: ignore[attr-defined]


class ReportFolder(_Reports):
    """Time of the folder's launches by class, and its share of all their time."""

    params = (list(LABELS),)
    param_names = ("label",)

    def _run(self, cache: str, label: str) -> Run:
        return asv_bridge.once(
            cache,
            {"label": label},
            lambda: folder_run(label, read_summary(Path(cache)), root=asv_bridge.checkout_root()),
        )

    def setup(self, cache: str, label: str) -> None:
        asv_bridge.require(self._run(cache, label))

    def track_time_in_class(self, cache: str, label: str) -> asv_bridge.AsvSamples:
        return asv_bridge.track(self._run(cache, label), "time_in_class")

    def track_share_of_time(self, cache: str, label: str) -> asv_bridge.AsvSamples | float:
        return asv_bridge.track_known(self._run(cache, label), "share_of_time")

    track_time_in_class.unit = asv_bridge.unit("time_in_class")  # type: ignore[attr-defined]
    track_time_in_class.version = f"time_in_class-{VERSION}"  # type: ignore[attr-defined]
    # Neither direction is better: asv.conf.json tells asv to look for no regressions here.
    track_share_of_time.unit = "ratio"  # type: ignore[attr-defined]
    track_share_of_time.version = f"share_of_time-{VERSION}"  # type: ignore[attr-defined]


class LiveKernel:
    """Kernels of torch on this machine's GPU, profiled with ncu now; skipped where that cannot be."""

    params = (list(OPERATIONS),)
    param_names = ("operation",)
    timeout = 1800

    def setup_cache(self) -> str:
        return str(Path.cwd())

    def _run(self, cache: str, operation: str) -> Run:
        return asv_bridge.once(
            cache, {"operation": operation}, lambda: live_run(operation, root=asv_bridge.checkout_root())
        )

    def setup(self, cache: str, operation: str) -> None:
        asv_bridge.require(self._run(cache, operation))

    def track_duration(self, cache: str, operation: str) -> asv_bridge.AsvSamples:
        return asv_bridge.track(self._run(cache, operation), "kernel_duration")

    def track_time_over_roof(self, cache: str, operation: str) -> asv_bridge.AsvSamples | float:
        return asv_bridge.track_known(self._run(cache, operation), "time_over_roof")

    track_duration.unit = asv_bridge.unit("kernel_duration")  # type: ignore[attr-defined]
    track_duration.version = f"kernel_duration-{VERSION}"  # type: ignore[attr-defined]
    track_time_over_roof.unit = asv_bridge.unit("time_over_roof")  # type: ignore[attr-defined]
    track_time_over_roof.version = f"time_over_roof-{VERSION}"  # type: ignore[attr-defined]
