"""Published results of others as rows to fit and judge on: which count, and why others do not.

Two files: a table of one row a run (``published.csv``) and a list of more runs with their memory
(``published_curated.json``). Neither is part of this project; what is derived from them is.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from bench_lib.errors import BenchLibError, DamagedFileError
from bench_lib.fsdp2.step_model.calibration import Observation
from bench_lib.fsdp2.step_model.prediction import network_of
from bench_lib.fsdp2.step_model.setup import Checkpointing, TrainingSetup
from bench_lib.fsdp2.step_model.shapes import find_shape
from bench_lib.hardware import find

#: Names of devices in the files → slugs. ``H100`` alone does not say which part it is: the data sheet's,
#: unless the source says otherwise in another way.
_DEVICES: Final = {
    "a100_40gb": "nvidia-a100-sxm-40gb",
    "a100_80gb": "nvidia-a100-sxm-80gb",
    "h100_80gb": "nvidia-h100-sxm",
    "h100_96gb_500w": "nvidia-h100-sxm-96gb-500w",
    "h200": "nvidia-h200-sxm",
    "a100-80gb": "nvidia-a100-sxm-80gb",
    "h100": "nvidia-h100-sxm",
    "h100-80gb": "nvidia-h100-sxm",
    "h100-sxm-96gb-hbm2e-500w": "nvidia-h100-sxm-96gb-500w",
    "h100-95gb-hbm2e": "nvidia-h100-sxm-96gb-500w",
}

_CHECKPOINTING: Final[dict[str, Checkpointing]] = {
    "true": "full",
    "false": "none",
    "none": "none",
    "full": "full",
    "selective": "selective",
    "selective_op": "selective",
    "selective_layer2": "alternate",
}

#: The logs in torchao's pages print 30.91 GiB as 32.53 % of the device: it has 95 GiB, so it is the 96 GB
#: part. **Source**: pytorch/ao docs/source/eager_tutorials/pretraining.rst (2025-06).
_LARGE_H100_SOURCE: Final = "pytorch/ao "
_LARGE_H100: Final = "nvidia-h100-sxm-96gb-500w"

#: One-dimensional sharding under the names that the sources use.
_FSDP1: Final = ("FSDP1", "HSDP")
_FSDP2: Final = ("FSDP2", "FSDP8 CP1")

#: torchtitan compiles the loss with the model since April 2025 (pytorch/torchtitan#1033); these report later
#: runs.
_LOSS_COMPILED: Final = ("whitefiber", "pytorch/ao docs/source/workflows")

#: Its model returned ``output(h).float()`` and its loop held that through the backward pass.
#: **Source**: torchtrain/models/llama/model.py and train.py of pytorch/torchtitan @479f7b38 (2024-03).
_LOGITS_KEPT: Final = "pytorch/torchtitan PR #165"

_COLUMNS: Final = frozenset(
    (
        "source",
        "stack",
        "model",
        "gpu",
        "num_ranks",
        "seq_len",
        "micro_batch",
        "grad_accum",
        "precision",
        "sharding",
        "activation_checkpointing",
        "compile",
        "float8",
        "tokens_per_s_per_gpu",
        "peak_memory_gib",
    )
)

_MEMORY_KINDS: Final = ("max_reserved", "reserved", "peak reserved")


@dataclass(frozen=True)
class PublishedRow:
    """One published run.

    Parameters
    ----------
    stack
        ``FSDP2`` or ``FSDP1``.
    observation
        What the model is given; ``None`` where it cannot be.
    left_out
        Why the row is neither fitted nor judged; empty where it is.
    reserved_bytes
        Peak that the allocator held, where the source says that it is that.
    """

    source: str
    stack: str
    model: str
    hardware: str
    num_ranks: str
    sequence_length: int
    description: str
    tokens_per_s_per_rank: float
    observation: Observation | None = None
    left_out: str = ""
    reserved_bytes: float | None = None


def _observe(
    *,
    device: str,
    model: str,
    ranks: object,
    tokens_per_s: float,
    inter_bytes_per_s: float | None,
    setup: Mapping[str, Any],
) -> Observation:
    hardware = find(device)
    assert hardware is not None
    return Observation(
        TrainingSetup(shape=find_shape(model), **setup),
        hardware,
        int(str(ranks)),
        network_of(hardware, inter_bytes_per_s=inter_bytes_per_s),
        tokens_per_s,
    )


def read_table(path: Path) -> list[PublishedRow]:
    """Rows of ``published.csv``.

    Raises
    ------
    DamagedFileError
        A column is missing, or a value is not what it should be.
    """
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            table = csv.DictReader(stream)
            missing = _COLUMNS - set(table.fieldnames or ())
            if missing:
                raise KeyError(*sorted(missing))
            return [_table_row(row) for row in table]
    except (OSError, ValueError, KeyError, csv.Error, BenchLibError) as error:
        raise DamagedFileError(path, found=repr(error), expected="the columns of published.csv") from error


def _table_row(row: dict[str, str]) -> PublishedRow:
    model = row["model"].replace("llama3.1", "llama3")
    device = _DEVICES[row["gpu"].lower()]
    is_fsdp2 = row["stack"].startswith("FSDP2")
    is_compiled = row["compile"] == "True"
    setup = {
        "batch_per_rank": int(row["micro_batch"]),
        "sequence_length": int(row["seq_len"]),
        "num_accumulation": int(row["grad_accum"]),
        "activation_checkpointing": _CHECKPOINTING[row["activation_checkpointing"].lower()],
        "is_compiled": is_compiled,
        "is_loss_compiled": is_compiled and any(mark in row["source"] for mark in _LOSS_COMPILED),
        "is_float8": row["float8"] == "True" or row["precision"] == "amp_fp8",
        "reduce_dtype": "float32" if is_fsdp2 else "bfloat16",
        "reshards_after_forward": row["sharding"] == "FULL_SHARD",
    }
    tokens = float(row["tokens_per_s_per_gpu"])
    memory = row["peak_memory_gib"]
    return PublishedRow(
        row["source"],
        "FSDP2" if is_fsdp2 else "FSDP1",
        model,
        device,
        row["num_ranks"],
        int(row["seq_len"]),
        _describe(setup),
        tokens,
        _observe(
            device=device,
            model=model,
            ranks=row["num_ranks"],
            tokens_per_s=tokens,
            inter_bytes_per_s=None,
            setup=setup,
        ),
        reserved_bytes=float(memory) * 2**30 if memory else None,
    )


def _describe(setup: Mapping[str, Any]) -> str:
    parts = [f"batch {setup['batch_per_rank']}"]
    if setup["num_accumulation"] > 1:
        parts.append(f"× {setup['num_accumulation']}")
    parts.append(f"checkpointing {setup['activation_checkpointing']}")
    parts += [word for word, key in (("compiled", "is_compiled"), ("float8", "is_float8")) if setup[key]]
    return ", ".join(parts).replace(", ×", " ×")


def read_list(path: Path) -> list[PublishedRow]:
    """Rows of ``published_curated.json``; those that the model cannot be given say why.

    Raises
    ------
    DamagedFileError
        It is not the list expected.
    """
    try:
        return [_list_row(entry) for entry in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, BenchLibError) as error:
        raise DamagedFileError(
            path, found=repr(error), expected="the fields of published_curated.json"
        ) from error


def _unusable(entry: dict[str, Any]) -> str:
    """Why the model cannot be given this entry; empty where it can."""
    if entry["gpu"].lower() not in _DEVICES:
        return "no constants: the only figures of this device"
    if entry["parallel"] not in (*_FSDP1, *_FSDP2):
        return "another parallelism beside FSDP"
    if entry["mbs"] is None or not str(entry["ranks"]).isdigit():
        return "batch size or ranks not stated"
    if entry["ac"] not in _CHECKPOINTING:
        return "checkpointing not stated"
    return ""


def _list_row(entry: dict[str, Any]) -> PublishedRow:
    model = entry["model"].replace("_", "-")
    mode, parallel = cast(str, entry["mode"]), cast(str, entry["parallel"])
    why = _unusable(entry)
    if not why and entry.get("mbs_note"):
        why = "batch size assumed, not stated"
    stack = "FSDP1" if parallel in _FSDP1 else "FSDP2"
    device = _DEVICES.get(entry["gpu"].lower(), entry["gpu"])
    if entry["gpu"] == "H100" and entry["source"].startswith(_LARGE_H100_SOURCE):
        device = _LARGE_H100
    observation, reserved = None, None
    description = f"{mode}, checkpointing {entry['ac']}"
    if not _unusable(entry):
        is_compiled = "compile" in mode and "nocompile" not in mode
        setup = {
            "batch_per_rank": int(entry["mbs"]),
            "sequence_length": int(entry["seq"]),
            "num_accumulation": 1,
            "activation_checkpointing": _CHECKPOINTING[entry["ac"]],
            "is_compiled": is_compiled,
            "is_loss_compiled": is_compiled and any(mark in entry["source"] for mark in _LOSS_COMPILED),
            "is_float8": "float8" in mode,
            "reduce_dtype": "float32" if stack == "FSDP2" else "bfloat16",
            "keeps_float32_logits": entry["source"].startswith(_LOGITS_KEPT),
            "num_replicas": int(entry["ranks"]) // entry["gpus_per_node"] if parallel == "HSDP" else 1,
        }
        description = _describe(setup)
        inter = entry.get("inter_GBps_per_gpu")
        observation = _observe(
            device=device,
            model=model,
            ranks=entry["ranks"],
            tokens_per_s=float(entry["tps_gpu"]),
            inter_bytes_per_s=inter * 1e9 if inter else None,
            setup=setup,
        )
        memory = entry.get("reserved_GiB")
        if memory is None and entry.get("mem_kind") in _MEMORY_KINDS:
            memory = entry["mem_GiB"]
        reserved = memory * 2**30 if memory else None
    return PublishedRow(
        entry["source"],
        stack,
        model,
        device,
        str(entry["ranks"]),
        int(entry["seq"]),
        description if parallel in ("FSDP1", "FSDP2", "HSDP") else f"{parallel}, {description}",
        float(entry["tps_gpu"]),
        observation,
        why,
        reserved,
    )


def read_all(directory: Path) -> list[PublishedRow]:
    """Rows of both files, each run once."""
    found: dict[object, PublishedRow] = {}
    for row in (*read_table(directory / "published.csv"), *read_list(directory / "published_curated.json")):
        identity: object = (
            row
            if row.observation is None
            else (
                row.observation.setup,
                row.hardware,
                row.num_ranks,
                row.tokens_per_s_per_rank,
            )
        )
        found.setdefault(identity, row)
    return list(found.values())
