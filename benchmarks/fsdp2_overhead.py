"""What bench_lib's harness adds to a training step: the same step under bare ``torchrun``, in turn."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from bench_lib.errors import RunFailedError
from bench_lib.fsdp2.config import RunConfig
from bench_lib.fsdp2.measure import measure

NUM_WARMUP, NUM_STEPS, NUM_PAIRS = 5, 60, 5


def bare_median_s(num_ranks: int) -> float:
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={num_ranks}"]
    command += [str(Path(__file__).with_name("bare_fsdp2.py")), str(NUM_WARMUP), str(NUM_STEPS)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    times: list[float] = json.loads(done.stdout)
    return statistics.median(times)


def harness_median_s(num_ranks: int) -> float:
    config = RunConfig(
        "tiny", num_ranks, num_steps=NUM_STEPS, num_warmup=NUM_WARMUP, device="cpu", measure_memory=False
    )
    run = measure(config)
    step_time = run.measurement("step_time")
    if step_time is None:
        raise RunFailedError(run)
    return statistics.median(step_time.samples)


class HarnessOverhead:
    """Median step of the harness over that of the bare loop, by launch; 1 is no overhead."""

    params = (1, 2)
    param_names = ("num_ranks",)
    timeout = 900

    def track_step_ratio(self, num_ranks: int) -> dict[str, object]:
        ratios = []
        for pair in range(NUM_PAIRS):
            # Which goes first takes turns, so that a slow spell of the machine favours neither.
            first, second = (bare_median_s, harness_median_s)[:: 1 if pair % 2 else -1]
            times = {first: first(num_ranks), second: second(num_ranks)}
            ratios.append(times[harness_median_s] / times[bare_median_s])
        return {"samples": ratios, "number": 1}

    track_step_ratio.unit = "ratio"  # type: ignore[attr-defined]
    track_step_ratio.version = "harness-overhead-1"  # type: ignore[attr-defined]
