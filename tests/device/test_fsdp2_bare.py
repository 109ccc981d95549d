"""The harness against plain PyTorch: a script that shares no code with it trains the same model."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'bench-lib[fsdp2]'")

from bench_lib.fsdp2.config import RunConfig  # noqa: E402
from bench_lib.fsdp2.measure import measure, measure_ranks  # noqa: E402
from bench_lib.fsdp2.tracked_memory import Question, track  # noqa: E402
from bench_lib.fsdp2.variants import VARIANTS  # noqa: E402

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "bare_fsdp2_memory.py"
SEED, NUM_STEPS = 5, 4

#: Of the issue. What is seen is below 0.5 %.
MEMORY = 0.03
#: In float32: sums of gradients in another order.
LOSS = 1e-6

#: Names in the script → ours.
NAMES = {
    "plain": "fsdp",
    "no-reshard": "no-reshard",
    "full": "checkpoint-full",
    "selective": "checkpoint-selective",
    "ddp": "ddp",
}

#: All of them take the better part of an hour on two cores; one of each kind is always run.
IS_EXHAUSTIVE = bool(os.environ.get("BENCH_LIB_EXHAUSTIVE"))
exhaustive = pytest.mark.skipif(
    not IS_EXHAUSTIVE, reason="one of many that take long together; all of them: BENCH_LIB_EXHAUSTIVE=1"
)
PEAKS = [("plain", 1), ("plain", 2), ("selective", 2), ("ddp", 2)]
LOSSES = ["no-reshard", "hsdp", "checkpoint-full"]

#: What a CPU cannot do, and the code that a skip carries.
IMPOSSIBLE = {"cpu-offload": "needs-gpu", "fp8-all-gather": "needs-fp8"}


@functools.cache
def bare(num_ranks: int, dtype: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={num_ranks}"]
    done = subprocess.run(
        [*command, str(SCRIPT), dtype], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize(
    ("name", "num_ranks"),
    [
        pytest.param(name, n, marks=() if (name, n) in PEAKS else exhaustive)
        for name in NAMES
        for n in (1, 2, 4)
    ],
)
def test_peaks_are_those_of_plain_pytorch(
    name: str, num_ranks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCH_LIB_CACHE", str(tmp_path))
    # Ranks are alike; where a collective of the step before ends late, one's peak is higher by chance.
    expected = min(bare(num_ranks, "bfloat16")[name]["peak_bytes"])
    tracked = track(Question("tiny", num_ranks, NAMES[name], foreach=False))
    assert tracked.peak_bytes == pytest.approx(expected, rel=MEMORY)
    config = RunConfig("tiny", num_ranks, num_steps=1, num_warmup=1, device="cpu", variant=NAMES[name])
    run, ranks = measure_ranks(config)
    assert run.status == "ok", run.reason + run.traceback
    assert min(r["peak_allocated_bytes"] for r in ranks) == pytest.approx(expected, rel=MEMORY)


def test_the_script_sees_what_each_variant_saves() -> None:
    """The comparison above would hold if every variant were plain FSDP2: here they differ as they must."""
    peaks = {name: min(bare(2, "bfloat16")[name]["peak_bytes"]) for name in NAMES}
    assert peaks["full"] < peaks["selective"] < peaks["plain"] < peaks["no-reshard"] < peaks["ddp"]


def losses(variant: str, *, num_ranks: int) -> tuple[str, list[float]]:
    run = measure(
        RunConfig(
            "tiny",
            num_ranks,
            num_steps=NUM_STEPS,
            num_warmup=0,
            param_dtype="float32",
            seed=SEED,
            device="cpu",
            measure_memory=False,
            variant=variant,
        )
    )
    if run.status == "skipped":
        return run.details["reason_code"], []
    assert run.status == "ok", run.reason + run.traceback
    loss = run.measurement("loss")
    assert loss is not None
    return "", list(loss.samples)


@pytest.mark.parametrize(
    "variant",
    [pytest.param(name, marks=() if name in LOSSES else exhaustive) for name in VARIANTS],
)
def test_losses_are_those_of_plain_pytorch(variant: str) -> None:
    num_ranks = 1 if variant == "single" else 2
    why, found = losses(variant, num_ranks=num_ranks)
    if why:
        assert IMPOSSIBLE.get(variant, "compiler-missing") == why
        return
    expected = bare(num_ranks, "float32")["plain"]["loss"]
    assert found == pytest.approx(expected, rel=LOSS)
    # The steps differ from each other by far more than that, so a step that trains nothing would show.
    assert max(expected) - min(expected) > 1000 * LOSS * expected[0]


@exhaustive
@pytest.mark.parametrize("preset", ["tiny", "llama3-tiny", "encoder-tiny", "moe-tiny"])
def test_every_variant_of_every_workload_runs_or_says_why_not(preset: str) -> None:
    for variant in VARIANTS:
        num_ranks = 1 if variant == "single" else 2
        run = measure(
            RunConfig(
                preset,
                num_ranks,
                num_steps=1,
                num_warmup=0,
                device="cpu",
                measure_memory=False,
                variant=variant,
            )
        )
        if variant in IMPOSSIBLE:
            assert (run.status, run.details["reason_code"]) == ("skipped", IMPOSSIBLE[variant])
            assert run.reason
        elif variant == "compile" and run.status == "skipped":
            assert run.details["reason_code"] == "compiler-missing"
        else:
            assert run.status == "ok", f"{variant}: {run.reason}{run.traceback}"
