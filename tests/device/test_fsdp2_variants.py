"""Every variant trains the same model: its losses are the single-process reference's."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'bench-lib[fsdp2]'")

from bench_lib.fsdp2 import training, workloads  # noqa: E402
from bench_lib.fsdp2.config import RunConfig  # noqa: E402
from bench_lib.fsdp2.measure import measure  # noqa: E402
from bench_lib.fsdp2.variants import VARIANTS  # noqa: E402

NUM_STEPS = 4

#: Largest relative difference of a step's loss from the reference's, in float32: sums in another order.
TOLERANCE = 1e-6
#: In bfloat16, where DDP and single compute under autocast: other operators round, and gradients too.
AUTOCAST_TOLERANCE = 2e-4


def losses(preset: str, variant: str, *, num_ranks: int, dtype: str = "float32") -> list[float]:
    run = measure(
        RunConfig(
            preset,
            num_ranks,
            num_steps=NUM_STEPS,
            num_warmup=0,
            param_dtype=dtype,
            seed=5,
            device="cpu",
            measure_memory=False,
            variant=variant,
        )
    )
    assert run.status == "ok", run.reason + run.traceback
    loss = run.measurement("loss")
    assert loss is not None
    return list(loss.samples)


def reference(preset: str, *, num_ranks: int, dtype: str = "float32") -> list[float]:
    torch.set_num_threads(1)
    return training.reference_losses(
        workloads.find(preset),
        num_ranks=num_ranks,
        num_steps=NUM_STEPS,
        param_dtype=getattr(torch, dtype),
        seed=5,
    )


CASES: list[Any] = [
    (1, "single"),
    (1, "checkpoint-selective+accumulate-2-no-sync"),
    (2, "ddp+accumulate-2-no-sync"),
    (2, "no-reshard+checkpoint-full"),
    (2, "async+prefetch-1+accumulate-2"),
    (2, "materialised-init+no-prefetch"),
    pytest.param(1, "compile", marks=pytest.mark.slow),
    (4, "hsdp+prefetch-2"),
    (4, "reshard-2+accumulate-2-no-sync+checkpoint-selective"),
    (4, "hsdp+accumulate-2-no-sync"),
]


@pytest.mark.parametrize(("num_ranks", "variant"), CASES)
def test_losses_equal_the_reference(num_ranks: int, variant: str) -> None:
    expected = reference("tiny", num_ranks=num_ranks)
    assert losses("tiny", variant, num_ranks=num_ranks) == pytest.approx(expected, rel=TOLERANCE)
    assert max(expected) - min(expected) > 20 * TOLERANCE * expected[0]


def test_every_variant_that_a_cpu_can_run_is_among_the_cases() -> None:
    variants = [str(getattr(case, "values", case)[1]) for case in CASES]
    tried = {part for variant in variants for part in variant.split("+")}
    assert set(VARIANTS) - tried == {"fsdp", "cpu-offload", "fp8-all-gather"}


@pytest.mark.parametrize(("num_ranks", "variant"), [(1, "single"), (2, "ddp")])
def test_autocast_stays_near_the_reference(num_ranks: int, variant: str) -> None:
    expected = reference("tiny", num_ranks=num_ranks, dtype="bfloat16")
    made = losses("tiny", variant, num_ranks=num_ranks, dtype="bfloat16")
    assert made == pytest.approx(expected, rel=AUTOCAST_TOLERANCE)


@pytest.mark.parametrize("preset", ["llama3-tiny", "encoder-tiny", "moe-tiny"])
def test_other_workloads_equal_their_reference(preset: str) -> None:
    expected = reference(preset, num_ranks=2)
    assert losses(preset, "fsdp", num_ranks=2) == pytest.approx(expected, rel=TOLERANCE)


@pytest.mark.parametrize(("variant", "code"), [("cpu-offload", "needs-gpu"), ("fp8-all-gather", "needs-fp8")])
def test_what_this_machine_cannot_do_is_skipped_with_a_reason(variant: str, code: str) -> None:
    run = measure(RunConfig("tiny", 1, num_steps=1, device="cpu", variant=variant))
    assert run.status == "skipped"
    assert run.details["reason_code"] == code


@pytest.mark.parametrize(
    ("preset", "num_parameters"),
    [
        # Meta's model cards and Hugging Face's safetensors indices.
        ("llama3-8b", 8_030_261_248),
        ("llama3-70b", 70_553_706_496),
        ("mixtral-8x7b", 46_702_792_704),
    ],
)
def test_published_parameter_counts(preset: str, num_parameters: int) -> None:
    with torch.device("meta"):
        model = workloads.find(preset).build()
    assert sum(p.numel() for p in model.parameters()) == num_parameters


@pytest.mark.parametrize("preset", ["tiny", "llama3-tiny", "encoder-tiny"])
def test_flop_are_those_that_pytorch_counts(preset: str) -> None:
    from torch.utils.flop_counter import FlopCounterMode

    found = workloads.find(preset)
    tokens = torch.zeros(found.batch_per_rank, found.sequence_length, dtype=torch.int64, device="meta")
    with torch.device("meta"):
        model = found.build()
    with FlopCounterMode(display=False) as counter:
        found.loss(model, (tokens, tokens)).backward()
    assert counter.get_total_flops() == found.flop_per_step()
