"""Variants of the FSDP2 training step: step time and peak memory of the tiny preset, variant by variant."""

from __future__ import annotations

from pathlib import Path

from bench_lib import asv_bridge
from bench_lib.errors import UsageError
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.measure import VERSION, measure
from bench_lib.fsdp2.variants import VARIANTS, require_ranks
from bench_lib.model import Run

NUM_STEPS = 20


class VariantStep:
    """One launch of a rank group serves every metric of a variant."""

    params = (list(VARIANTS), [1, 4])
    param_names = ("variant", "num_ranks")
    timeout = 3600

    def setup_cache(self) -> str:
        return str(Path.cwd())

    def _run(self, cache: str, variant: str, num_ranks: int) -> Run:
        config = RunConfig("tiny", num_ranks, num_steps=NUM_STEPS, variant=variant)
        params: dict[str, str | int] = {"variant": variant, "num_ranks": num_ranks}
        root = asv_bridge.checkout_root()
        return asv_bridge.once(cache, params, lambda: measure(config, root=root, names_variant=True))

    def setup(self, cache: str, variant: str, num_ranks: int) -> None:
        try:
            require_ranks(variant, num_ranks=num_ranks)
        except UsageError as error:
            # The parameters are a full grid, and not every variant exists at one rank.
            raise NotImplementedError(str(error)) from error
        asv_bridge.require(self._run(cache, variant, num_ranks))

    def track_step_time(self, cache: str, variant: str, num_ranks: int) -> asv_bridge.AsvSamples:
        return asv_bridge.track(self._run(cache, variant, num_ranks), "step_time")

    def track_peak_allocated(self, cache: str, variant: str, num_ranks: int) -> asv_bridge.AsvSamples:
        return asv_bridge.track(self._run(cache, variant, num_ranks), "peak_allocated")

    track_step_time.unit = asv_bridge.unit("step_time")  # type: ignore[attr-defined]
    track_step_time.version = f"variant_step_time-{VERSION}"  # type: ignore[attr-defined]
    track_peak_allocated.unit = asv_bridge.unit("peak_allocated")  # type: ignore[attr-defined]
    track_peak_allocated.version = f"variant_peak_allocated-{VERSION}"  # type: ignore[attr-defined]
