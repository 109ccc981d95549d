"""Real ranks: the loss of an unsharded reference, and figures that hang together."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'bench-lib[fsdp2]'")

from bench_lib.fsdp2 import estimate, training, workloads  # noqa: E402
from bench_lib.fsdp2.config import RunConfig  # noqa: E402
from bench_lib.fsdp2.measure import measure  # noqa: E402
from bench_lib.model import Run  # noqa: E402
from bench_lib.results import records  # noqa: E402

NUM_STEPS = 6

#: Largest relative difference of a step's loss from the reference's. float32: the order of sums over
#: ranks. bfloat16: each rank rounds its own gradients. Seen here: 5e-8 and 1e-5.
TOLERANCE = {"float32": 1e-6, "bfloat16": 1e-4}


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("num_ranks", [1, 2, 3, 4])
def test_loss_equals_the_single_process_reference(num_ranks: int, dtype: str) -> None:
    preset = workloads.find("tiny")
    torch.set_num_threads(1)
    expected = training.reference_losses(
        preset, num_ranks=num_ranks, num_steps=NUM_STEPS, param_dtype=getattr(torch, dtype), seed=3
    )
    run = measure(
        RunConfig(
            "tiny",
            num_ranks,
            num_steps=NUM_STEPS,
            num_warmup=0,
            param_dtype=dtype,
            seed=3,
            device="cpu",
            measure_memory=False,
        )
    )
    assert run.status == "ok", run.reason
    loss = run.measurement("loss")
    assert loss is not None
    assert loss.samples == pytest.approx(expected, rel=TOLERANCE[dtype])
    # The test can fail: ranks that trained apart, or another seed, differ by far more.
    assert max(expected) - min(expected) > 20 * TOLERANCE[dtype] * expected[0]


@pytest.fixture(scope="module")
def run_of_two() -> Run:
    run = measure(RunConfig("tiny", 2, num_steps=5, num_warmup=1, device="cpu"))
    assert run.status == "ok", run.reason
    return run


def test_the_slowest_rank_counts(run_of_two: Run) -> None:
    group = run_of_two.measurement("step_time")
    ranks = [run_of_two.measurement("step_time", rank=r) for r in range(2)]
    assert group is not None
    assert len(group.samples) == 5
    expected = [max(step) for step in zip(*(r.samples for r in ranks if r is not None), strict=True)]
    assert list(group.samples) == expected


def test_allocator_peak_lies_between_what_must_be_there_and_the_resident_set(run_of_two: Run) -> None:
    peak = run_of_two.measurement("peak_allocated")
    rss = run_of_two.measurement("peak_rss")
    assert peak is not None
    assert rss is not None
    # Sharded parameters, gradients and two moments in float32: 16 bytes a parameter over 2 ranks.
    least = 16 * int(run_of_two.details["num_parameters"] or 0) / 2
    assert least < peak.samples[0] < rss.samples[0]


def test_estimate_is_near_the_measured_peak(run_of_two: Run) -> None:
    peak = run_of_two.measurement("peak_allocated")
    assert peak is not None
    estimated = estimate.peak_bytes(workloads.find("tiny"), num_ranks=2, param_dtype="bfloat16")
    assert estimated == pytest.approx(peak.samples[0], rel=0.25)


def test_a_record_of_a_real_run_survives_storage(run_of_two: Run, tmp_path: Path) -> None:
    assert records.read(records.write(run_of_two, tmp_path)) == run_of_two


def test_minillm_is_as_specified() -> None:
    preset = workloads.find("minillm")
    with torch.device("meta"):
        model = preset.build()
    shapes = {name: tuple(p.shape) for name, p in model.named_parameters()}
    assert shapes["embedding.weight"] == shapes["head.weight"] == (32000, 2048)
    assert shapes["layers.11.feed_forward.0.weight"] == (8192, 2048)
    assert "head.bias" not in shapes
    assert not any("feed_forward" in name and name.endswith("bias") for name in shapes)
    assert len(preset.blocks(model)) == 12
    assert (preset.batch_per_rank, preset.sequence_length) == (8, 1024)
    attention = preset.blocks(model)[0].attention
    assert isinstance(attention, torch.nn.MultiheadAttention)
    assert attention.num_heads == 16
    # By hand: 2 · 32000 · 2048 + 12 · (12 · 2048² + 4 · 2048 biases + 2 · 2048 norms) + 2048.
    assert sum(p.numel() for p in model.parameters()) == 735_201_280


def test_two_nodes_on_one_machine_meet() -> None:
    """Two launchers with torchrun's arguments make one group of two ranks."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        *(sys.executable, "-m", "bench_lib.cli", "fsdp2", "run", "--preset=tiny", "--ranks=2", "--steps=3"),
        *("--nnodes=2", f"--rdzv-endpoint=127.0.0.1:{port}", "--rdzv-id=test", "--local-addr=127.0.0.1"),
        *("--device=cpu", "--json", "--no-memory"),
    ]
    nodes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    outputs = [node.communicate(timeout=180) for node in nodes]
    assert [node.returncode for node in nodes] == [0, 0], outputs
    documents = [json.loads(out) for out, _ in outputs if out.strip()]
    assert len(documents) == 1
    assert documents[0]["num_ranks"] == 2
    assert documents[0]["details"]["num_nodes"] == 2
    assert len(documents[0]["step_time_s_by_rank"]) == 2
