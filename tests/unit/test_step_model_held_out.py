"""Published runs that are in neither file that the model is fitted on: the page shows its predictions."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bench_lib.fsdp2.step_model import constants
from bench_lib.fsdp2.step_model.prediction import Prediction, network_of, predict
from bench_lib.fsdp2.step_model.setup import TrainingSetup
from bench_lib.fsdp2.step_model.shapes import DecoderShape, find_shape
from bench_lib.hardware import find
from bench_lib.units import GIB

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "step-model.md"
KNOWN = constants.built_in()

H100 = "nvidia-h100-sxm"
#: Meta's part: the logs print 95 GiB.
H100_96 = "nvidia-h100-sxm-96gb-500w"

LLAMA3 = find_shape("llama3-8b")
LLAMA2 = find_shape("llama2-7b")
#: OLMo-core's Llama-2 7B with the tokenizer of Dolma, padded.
OLMO = replace(LLAMA2, vocabulary_size=100_352)


@dataclass(frozen=True)
class Row:
    """``reserved_gib`` and ``tokens_per_s`` as published; ``None`` where they are not."""

    source: str
    what: str
    hardware: str
    ranks: int
    shape: DecoderShape
    batch: int
    sequence: int
    tokens_per_s: float | None
    reserved_gib: float | None
    more: dict[str, Any]

    def predicted(self) -> Prediction:
        hardware = find(self.hardware)
        assert hardware is not None
        return predict(
            TrainingSetup(self.shape, self.batch, self.sequence, **self.more),
            num_ranks=self.ranks,
            hardware=hardware,
            network=network_of(hardware),
            calibration=constants.of_device(self.hardware, calibration=KNOWN),
            overhead=KNOWN.reserved_memory,
        )


SELECTIVE = {"activation_checkpointing": "selective"}
FULL = {"activation_checkpointing": "full"}
COMPILED = {"is_compiled": True}
FLOAT8 = {"is_compiled": True, "is_float8": True}
#: Both #135 and #165 are of the trainer of March 2024.
HELD = {"keeps_float32_logits": True}
OLMO_RUN = {"num_accumulation": 8}

AWS = "AWS, torchtitan on SageMaker"
OLMO_CORE = "OLMo-core 1.5 on PyPI"

ROWS = (
    Row(AWS, "Llama-3 8B, eager", H100, 32, LLAMA3, 1, 8192, 6475, None, SELECTIVE),
    Row(AWS, "Llama-3 8B, compiled", H100, 32, LLAMA3, 1, 8192, 7166, None, SELECTIVE | COMPILED),
    Row(AWS, "Llama-3 8B, float8", H100, 32, LLAMA3, 1, 8192, 8624, None, SELECTIVE | FLOAT8),
    Row(
        "torchtitan #929",
        "Llama-3 8B, compiled",
        H100_96,
        8,
        LLAMA3,
        1,
        8192,
        6500,
        47.65,
        SELECTIVE | COMPILED,
    ),
    Row(
        "torchtitan #382",
        "Llama-3 8B, compiled",
        H100_96,
        8,
        LLAMA3,
        2,
        8192,
        6446,
        69.04,
        SELECTIVE | COMPILED,
    ),
    Row("torchtitan #135", "Llama-2 7B, eager", H100_96, 8, LLAMA2, 8, 2048, 6200, 31.02, FULL | HELD),
    Row(OLMO_CORE, "Llama-2 7B, compiled", H100, 64, OLMO, 2, 4096, 10000, None, OLMO_RUN | COMPILED),
    Row(OLMO_CORE, "Llama-2 7B, float8", H100, 64, OLMO, 2, 4096, 13000, None, OLMO_RUN | FLOAT8),
)


def _cell(published: float | None, predicted: float, *, digits: int) -> str:
    if published is None:
        return ""
    return f"{published:,.{digits}f} → {predicted:,.{digits}f} ({predicted / published - 1:+.1%})"


def line(row: Row) -> str:
    """The row as the page has it."""
    made = row.predicted()
    speed = _cell(row.tokens_per_s, made.tokens_per_s_per_rank.value, digits=0)
    memory = _cell(row.reserved_gib, made.peak_reserved_bytes.value / GIB, digits=1)
    return (
        f"| {row.source} | {row.what} | {row.ranks} | {row.batch} × {row.sequence:,} | {speed} | {memory} |"
    )


def speed_error(row: Row) -> float:
    assert row.tokens_per_s is not None
    return abs(row.predicted().tokens_per_s_per_rank.value / row.tokens_per_s - 1)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.source}, {row.what}")
def test_the_page_shows_what_the_model_says_now(row: Row) -> None:
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", PAGE.read_text(encoding="utf-8"))
    assert line(row) in text


def test_intervals_hold_most_of_them() -> None:
    inside = 0
    for row in ROWS:
        interval = row.predicted().tokens_per_s_per_rank
        assert row.tokens_per_s is not None
        inside += interval.low <= row.tokens_per_s <= interval.high
    assert inside / len(ROWS) >= 0.85


def test_their_mean_error_is_what_the_page_says() -> None:
    mean = sum(map(speed_error, ROWS)) / len(ROWS)
    assert f"mean absolute error of tokens/s {mean:.1%} over {len(ROWS)} rows" in re.sub(
        r"\s+", " ", PAGE.read_text(encoding="utf-8")
    )
