"""Records that look like real ones, and the build of a site from them."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from bench_lib.model import Environment, Measurement, Run

REPOSITORY = Path(__file__).parents[2]

ENVIRONMENT = Environment(
    commit="3f1c9a7e5b2d4f6081a3c5e7092b4d6f8a1c3e50",
    dirty=False,
    python="3.11.9",
    os="Linux x86_64",
    started="2026-11-30T10:15:00+00:00",
    torch="2.13.0",
    num_cpus=2,
    load_average=0.3,
)

#: Stored with every run, whatever comes of it.
SETTINGS: dict[str, str | int] = {
    "param_dtype": "bfloat16",
    "reduce_dtype": "float32",
    "threads_per_rank": 1,
    "num_nodes": 1,
}

#: What a record, a reason or a name may try: markup of every language between it and the page.
HOSTILE = (
    '</script><script>alert("x")</script><img src=http://e.example/x onerror=alert(1)>'
    " {{ 7*7 }} {% raw %} |pipe| `code` ``x`` **bold** [a](javascript:alert(1)) :ref:`index` "
    "```{raw} html\n<b>no</b>\n``` .. raw:: html\n\n   <i>no</i> \x1b[31m \x00 \u202e $x^2$ &amp; © %(x)s %s"
)


def make_run(
    num_ranks: int,
    *,
    preset: str = "small",
    median_s: float = 0.25,
    num_samples: int = 20,
    hardware: str = "example-cpu-2cpu",
    seed: int = 0,
) -> Run:
    """A run with made-up samples around ``median_s``; for tests only, never shown as measured."""
    rng = random.Random(f"{seed}-{preset}-{num_ranks}")
    per_rank = [
        tuple(median_s * rng.lognormvariate(0, 0.04) for _ in range(num_samples)) for _ in range(num_ranks)
    ]
    slowest = tuple(max(step) for step in zip(*per_rank, strict=True))
    allocated = [66e6 / num_ranks + 41e6 + rng.uniform(0, 1e6) for _ in range(num_ranks)]
    resident = [420e6 + rng.uniform(0, 25e6) for _ in range(num_ranks)]
    loss = tuple(7.861 - 0.02 * i for i in range(num_samples))
    measurements = [
        Measurement("step_time", slowest, warmup=2, clock="host"),
        Measurement("loss", loss, clock="model"),
        Measurement("peak_allocated", (max(allocated),), clock="torch-profiler"),
        Measurement("peak_rss", (max(resident),), clock="procfs"),
    ]
    for rank in range(num_ranks):
        measurements += [
            Measurement("step_time", per_rank[rank], warmup=2, clock="host", rank=rank),
            Measurement("cpu_time", per_rank[rank], warmup=2, clock="process", rank=rank),
            Measurement("peak_allocated", (allocated[rank],), clock="torch-profiler", rank=rank),
            Measurement("peak_rss", (resident[rank],), clock="procfs", rank=rank),
        ]
    return Run(
        benchmark="fsdp2.TrainStep",
        version="1",
        params={"preset": preset, "num_ranks": num_ranks},
        hardware=hardware,
        environment=ENVIRONMENT,
        status="ok",
        measurements=tuple(measurements),
        details={
            "backend": "gloo",
            "device": "cpu",
            "tokens_per_step": 512 * num_ranks,
            "batch_per_rank": 4,
            "sequence_length": 128,
            "num_parameters": 4_200_000,
            **SETTINGS,
        },
    )


def sample_runs() -> list[Run]:
    """Two presets and two commits on one CPU, a skip, a failure, and a simulated GPU series."""
    runs = [make_run(n, median_s=t) for n, t in ((1, 0.237), (2, 0.384), (4, 0.755), (8, 1.522))]
    runs += [make_run(n, preset="tiny", median_s=t) for n, t in ((1, 0.021), (2, 0.034), (4, 0.071))]
    runs.append(
        replace(
            make_run(8, preset="tiny"),
            status="failed",
            reason="rank 3 was killed by SIGKILL",
            failed_rank=3,
            measurements=(),
            details=SETTINGS,
        )
    )
    for n in (1, 2, 4, 8):
        runs.append(
            replace(
                make_run(n, preset="minillm"),
                status="skipped",
                reason="not-enough-memory: 11.0 GiB needed for parameters and optimizer, 7.6 GiB available",
                measurements=(),
                details=SETTINGS,
            )
        )
    earlier = replace(
        ENVIRONMENT, commit="a" * 40, dirty=True, started="2026-11-02T08:00:00+00:00", torch="2.12.1"
    )
    runs += [
        replace(make_run(n, median_s=t, num_samples=2, seed=1), environment=earlier)
        for n, t in ((1, 0.26), (2, 0.41))
    ]
    for n in (1, 8):
        simulated = make_run(n, median_s=0.011 + n / 4000, hardware="nvidia-h100-sxm")
        details = {**simulated.details, "device": "cuda", "backend": "nccl"}
        runs.append(replace(simulated, origin="simulated", details=details))
    return runs


def build_site(results: Path, output: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Build the site in a child, as ``bench-lib site`` does, without leaving anything in the sources."""
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html"]
    command += ["-d", str(output.with_name(output.name + "-doctrees"))]
    command += ["-D", f"bench_lib_results={results}", *options, str(REPOSITORY / "docs"), str(output)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
