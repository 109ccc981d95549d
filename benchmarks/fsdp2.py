"""FSDP2 training steps: step time and peak memory by preset and rank count."""

from __future__ import annotations

from pathlib import Path

from bench_lib import asv_bridge
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.measure import VERSION, measure
from bench_lib.model import Run

NUM_STEPS = {"tiny": 20, "small": 10, "minillm": 20}
#: About ten minutes of two CPU cores; the reference model belongs on GPUs.
MAX_CPU_FLOP = 2e13


class TrainStep:
    """One launch of a rank group serves every metric of a parameter set."""

    params = (list(NUM_STEPS), [1, 2, 4, 8])
    param_names = ("preset", "num_ranks")
    timeout = 3600

    def setup_cache(self) -> str:
        return str(Path.cwd())

    def _run(self, cache: str, preset: str, num_ranks: int) -> Run:
        config = RunConfig(preset, num_ranks, num_steps=NUM_STEPS[preset], max_cpu_flop=MAX_CPU_FLOP)
        params: dict[str, str | int] = {"preset": preset, "num_ranks": num_ranks}
        return asv_bridge.once(cache, params, lambda: measure(config, root=asv_bridge.checkout_root()))

    def setup(self, cache: str, preset: str, num_ranks: int) -> None:
        asv_bridge.require(self._run(cache, preset, num_ranks))

    def track_step_time(self, cache: str, preset: str, num_ranks: int) -> asv_bridge.AsvSamples:
        return asv_bridge.track(self._run(cache, preset, num_ranks), "step_time")

    def track_peak_allocated(self, cache: str, preset: str, num_ranks: int) -> asv_bridge.AsvSamples:
        return asv_bridge.track(self._run(cache, preset, num_ranks), "peak_allocated")

    track_step_time.unit = asv_bridge.unit("step_time")  # type: ignore[attr-defined]
    track_step_time.version = f"step_time-{VERSION}"  # type: ignore[attr-defined]
    track_peak_allocated.unit = asv_bridge.unit("peak_allocated")  # type: ignore[attr-defined]
    track_peak_allocated.version = f"peak_allocated-{VERSION}"  # type: ignore[attr-defined]
