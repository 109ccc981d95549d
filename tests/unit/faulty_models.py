"""Adapters that go wrong in every way a framework can, and a process that knows them."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench_lib.edge import frameworks
from bench_lib.edge.frameworks import Case, Floats, Observed
from bench_lib.edge.models import decoder, protocol
from bench_lib.errors import DamagedFileError, UnavailableError

#: The pipe to the parent, in the model's process.
PIPE = -1
FAULTS = (
    "none",
    "noisy",
    "missing",
    "damaged",
    "wrong",
    "nan",
    "late nan",
    "garbled",
    "fallback",
    "segfault",
    "exit",
    "raise",
    "hang",
    "emulated",
    "orphan",
)


class Reference:
    """The reference as a framework, with a fault."""

    distribution = "numpy"
    exports_with: tuple[str, ...] = ()
    extra = "edge"

    def __init__(self, fault: str) -> None:
        self.fault = fault

    def cases(self) -> tuple[Case, ...]:
        return (Case(self.fault, "cpu", "f32"), Case(self.fault, "cpu", "f32", "block"))

    def require(self, case: Case) -> None:
        if self.fault == "missing":
            raise UnavailableError("not-installed", "it is not installed.", remedy="pip install it")

    def export(self, case: Case, folder: Path) -> Path:
        (folder / "left over").write_text("of exporting")
        (folder / "model").write_text("weights")
        return folder / "model"

    def load(self, case: Case, artefact: Path) -> ReferenceSession:
        if self.fault == "damaged" or artefact.read_text() != "weights":
            raise DamagedFileError(artefact.name, found="other bytes", expected="weights")
        if self.fault == "segfault":
            print("about to fall at /home/somebody/models/file")
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.fault == "orphan":
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
            print(f"child {child.pid}", flush=True)
            os._exit(3)
        if self.fault == "garbled":
            os.write(PIPE, struct.pack("!i", 2) + b"{]")
            time.sleep(1000)
        if self.fault == "exit":
            os._exit(3)
        if self.fault == "raise":
            raise RuntimeError("first line of /home/somebody/file\nsecond line")
        return ReferenceSession(self.fault)


class ReferenceSession:
    def __init__(self, fault: str) -> None:
        self._fault = fault
        self._tokens: list[int] = []

    @property
    def observed(self) -> Observed:
        if self._fault == "emulated":
            return Observed("vulkan", "llvmpipe", is_software=True)
        return Observed("vulkan" if self._fault == "fallback" else "cpu", "CPU", facts={"threads": 1})

    def prefill(self, tokens: Sequence[int]) -> Floats:
        self._tokens = list(tokens)
        return self._logits()

    def decode(self, token: int) -> Floats:
        self._tokens.append(token)
        return self._logits()

    def _logits(self) -> Floats:
        if self._fault == "noisy":
            print("chatter on standard output", flush=True)
        if self._fault == "hang":
            time.sleep(1000)
        found = decoder.logits_reference(tuple(self._tokens))[-1].astype(np.float32)
        if self._fault == "wrong":
            found += 1
        if self._fault == "nan" or (self._fault == "late nan" and len(self._tokens) > decoder.PROMPT_LENGTH):
            found[0] = np.nan
        return found

    def forward(self, x: Floats) -> Floats:
        return decoder.block_reference(x, decoder.layer_weights(0)).astype(np.float32)


ADAPTERS = {fault: Reference(fault) for fault in FAULTS}


def register() -> None:
    """Name the adapters beside the real ones."""
    for fault in FAULTS:
        frameworks.FRAMEWORKS[fault] = f"faulty_models:{fault}"


def __getattr__(name: str) -> Reference:
    try:
        return ADAPTERS[name]
    except KeyError:
        raise AttributeError(name) from None


if __name__ == "__main__":
    PIPE = int(os.environ[protocol.DESCRIPTOR_VARIABLE])
    from bench_lib.edge.models import worker

    sys.modules["faulty_models"] = sys.modules["__main__"]
    register()
    worker.main()
