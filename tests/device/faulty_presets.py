"""Presets that go wrong on purpose, named as ``faulty_presets:RAISES`` and so on."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from bench_lib.fsdp2.workloads import find
from bench_lib.fsdp2.workloads.minillm import MiniLLM

TINY = find("tiny")
assert isinstance(TINY, MiniLLM)


@dataclass(frozen=True)
class Faulty(MiniLLM):
    """Behaves like ``tiny`` until rank ``bad_rank`` calls its loss for the third time."""

    fault: str = ""
    bad_rank: int = 1

    def loss(self, model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        calls = getattr(model, "calls", 0)
        model.calls = calls + 1  # type: ignore[assignment]
        if calls == 2 and os.environ.get("RANK") == str(self.bad_rank):
            self.go_wrong()
            if self.fault == "diverge":
                return super().loss(model, batch) * float("nan")
        return super().loss(model, batch)

    def go_wrong(self) -> None:
        match self.fault:
            case "raise":
                raise ArithmeticError(f"planted in {Path.home()}/secret on rank 1")
            case "hang":
                time.sleep(3600)
            case "exit":
                os._exit(7)
            case "segv":
                os.kill(os.getpid(), signal.SIGSEGV)


def faulty(fault: str) -> Faulty:
    return Faulty(**{**TINY.__dict__, "name": fault}, fault=fault)


RAISES = faulty("raise")
HANGS = faulty("hang")
EXITS = faulty("exit")
CRASHES = faulty("segv")
DIVERGES = faulty("diverge")
NOT_A_PRESET = object()
