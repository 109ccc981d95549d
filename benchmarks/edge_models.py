"""The same small model through each framework: times, error and bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench_lib import asv_bridge
from bench_lib.asv_bridge import checkout_root, once, require, track
from bench_lib.edge.models.measure import VERSION
from bench_lib.edge.models.tracked import case_names, case_run
from bench_lib.model import Run


class _Model:
    workload = ""
    param_names = ("case",)
    timeout = 1800
    # asv reads it of each class; this one has no benchmark.
    params: Any = ([],)

    def setup_cache(self) -> str:
        return str(Path.cwd())

    def _run(self, cache: str, case: str) -> Run:
        # Both workloads have cases of the same names.
        folder = Path(cache) / self.workload
        folder.mkdir(exist_ok=True)
        return once(str(folder), {"case": case}, lambda: case_run(self.workload, case, root=checkout_root()))

    def setup(self, cache: str, case: str) -> None:
        require(self._run(cache, case))

    def track_model_load_time(self, cache: str, case: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, case), "model_load_time")

    def track_first_inference_time(self, cache: str, case: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, case), "first_inference_time")

    def track_peak_rss(self, cache: str, case: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, case), "peak_rss")

    def track_artefact_size(self, cache: str, case: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, case), "artefact_size")

    def track_output_error(self, cache: str, case: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, case), "output_error")


class Decoder(_Model):
    """A prompt of 32 tokens and 8 after it."""

    workload = "decoder"
    params = (case_names("decoder"),)

    def track_prefill_time(self, cache: str, case: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, case), "prefill_time")

    def track_time_to_first_token(self, cache: str, case: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, case), "time_to_first_token")

    def track_decode_time(self, cache: str, case: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, case), "decode_time")


class Block(_Model):
    """One transformer block over 32 tokens."""

    workload = "block"
    params = (case_names("block"),)

    def track_inference_latency(self, cache: str, case: str) -> asv_bridge.AsvSamples:
        return track(self._run(cache, case), "inference_latency")


asv_bridge.describe_metrics(_Model, Decoder, Block, version=VERSION)
