"""Presets that go wrong on purpose, named as ``faulty_presets:RAISES`` and so on."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.distributed as dist
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


def make() -> MiniLLM:
    """A factory, as a user's own module may have one."""
    return TINY


def made_of_imports() -> MiniLLM:
    """Refuses where a rank has yet to import what building its model takes."""
    if "RANK" in os.environ and "torch._dynamo" not in sys.modules:
        raise ImportError("every rank imports it again")
    return TINY


def chatters() -> MiniLLM:
    """Prints 4 MB wherever it is called, more than any pipe holds."""
    for stream in (sys.stdout, sys.stderr):
        stream.write("\x1b[2J chatter\n" * 2**17)
    return TINY


@dataclass(frozen=True)
class Unsharded(MiniLLM):
    """``tiny`` with its last block left to the root."""

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        return super().blocks(model)[:-1]


@dataclass(frozen=True)
class Gathering(MiniLLM):
    """``tiny`` with an all-gather of 1 MiB more in each step."""

    def loss(self, model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        if dist.is_initialized():
            part = torch.zeros(2**18 // dist.get_world_size())
            dist.all_gather_into_tensor(torch.empty(2**18), part)
        return super().loss(model, batch)


UNSHARDED = Unsharded(**TINY.__dict__)
GATHERING = Gathering(**TINY.__dict__)
