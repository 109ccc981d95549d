"""Variants by name: what combines, and what is refused before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench_lib.errors import UsageError
from bench_lib.fsdp2 import variants, workloads
from bench_lib.fsdp2.config import Rendezvous, RunConfig


def test_names_join_into_one_variant() -> None:
    found = variants.find("hsdp+accumulate-2-no-sync")
    assert found.changes == {"replicate": 2, "num_micro_batches": 2, "sync_each_micro_batch": False}
    assert variants.find("fsdp").changes == {}


def test_every_name_changes_something_else() -> None:
    made = [variants.find(name) for name in variants.VARIANTS]
    assert len(set(made)) == len(made)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fdsp", "variant: found 'fdsp', expected one of fsdp, no-reshard"),
        ("", "variant: found ''"),
        ("hsdp+", "variant: found ''"),
        ("no-reshard+reshard-2", "no-reshard sets reshard_after_forward to False, reshard-2 to 2"),
        ("ddp+single", "ddp sets parallelism"),
        ("ddp+hsdp", "ddp shards nothing, so hsdp has no meaning"),
        ("single+cpu-offload", "single shards nothing, so cpu-offload"),
    ],
)
def test_what_contradicts_itself_is_refused(name: str, message: str) -> None:
    with pytest.raises(UsageError, match="variant") as caught:
        variants.find(name)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "num_ranks", "message"),
    [
        ("single", 2, "found 2, expected 1"),
        ("hsdp", 3, "ranks: found 3, expected a multiple of 2"),
        ("hsdp", 1, "ranks: found 1, expected a multiple of 2"),
        ("reshard-2", 3, "found 3, expected a multiple of 2"),
        ("hsdp+reshard-2", 2, "ranks that share one copy of the model: found 1, expected a multiple of 2"),
    ],
)
def test_a_world_size_that_does_not_divide_is_refused(name: str, num_ranks: int, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        variants.require_ranks(name, num_ranks=num_ranks)
    assert message in str(caught.value)
    variants.require_ranks(name, num_ranks=1 if name == "single" else 4)


def test_a_batch_that_does_not_divide_is_refused() -> None:
    variants.require_batch("accumulate-2", batch_per_rank=4)
    with pytest.raises(UsageError, match="found 3, expected a multiple of 2"):
        variants.require_batch("accumulate-2", batch_per_rank=3)


def test_bad_settings_of_a_launch_are_refused() -> None:
    with pytest.raises(UsageError, match="--threads: found 100000, expected at most"):
        RunConfig("tiny", 1, threads_per_rank=100_000)
    with pytest.raises(UsageError, match="--rdzv-backend: found 'nope', expected one of c10d, static"):
        Rendezvous(rdzv_backend="nope")
    with pytest.raises(UsageError, match="--node-rank: found 2"):
        Rendezvous(nnodes=2, node_rank=2, rdzv_endpoint="a:1", rdzv_id="x")
    with pytest.raises(UsageError, match="--batch: found 0"):
        RunConfig("tiny", 1, batch_per_rank=0)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no_such_module:preset", "Name the folder of the module in PYTHONPATH"),
        ("own_preset:missing", "AttributeError: module 'own_preset' has no attribute 'missing'"),
        ("own_preset:raises", "RuntimeError: first line)"),
        ("own_preset:needs", "TypeError: "),
        ("own_preset:number", "an object with the methods of Preset"),
        ("raises_on_import:preset", "KeyError: 'x'"),
        (".relative:preset", "TypeError: "),
    ],
)
def test_a_preset_of_ones_own_that_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    (tmp_path / "own_preset.py").write_text(
        "def raises():\n    raise RuntimeError('first line\\nsecond line')\n"
        "def needs(size):\n    pass\ndef number():\n    return 5\n"
    )
    (tmp_path / "raises_on_import.py").write_text("raise KeyError('x')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError) as caught:
        workloads.find(name)
    assert said in str(caught.value) and "second line" not in str(caught.value)
