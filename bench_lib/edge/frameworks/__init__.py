"""Adapters: one file a framework, each behind the protocols here. To add one, write it and name it below.

An adapter's module imports its framework only when it is called, and is used in a process of its own:
native libraries crash, keep threads and hold devices.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from bench_lib.errors import DamagedFileError, UsageError

Workload = Literal["decoder", "block"]
Device = Literal["cpu", "vulkan", "cuda", "mps", "metal", "coreml"]
Floats = npt.NDArray[np.float32]
Detail = str | int | float | bool | None

#: File in the folder of an artefact that tells what an export counted: delegates, dispatches.
FACTS: Final = "facts.json"

WORKLOADS: Final[tuple[Workload, ...]] = ("decoder", "block")
#: Framework → module and its adapter.
FRAMEWORKS: Final[dict[str, str]] = {
    "torch": "bench_lib.edge.frameworks.torch_eager:ADAPTER",
    "mlx": "bench_lib.edge.frameworks.mlx_graph:ADAPTER",
    "llama.cpp": "bench_lib.edge.frameworks.llama_cpp:ADAPTER",
    "executorch": "bench_lib.edge.frameworks.executorch_program:XNNPACK",
    "executorch-portable": "bench_lib.edge.frameworks.executorch_program:PORTABLE",
    "iree": "bench_lib.edge.frameworks.iree_module:ADAPTER",
    "ncnn": "bench_lib.edge.frameworks.ncnn_net:ADAPTER",
}


@dataclass(frozen=True)
class Case:
    """One thing to run: a workload on a framework, device and precision.

    ``precision`` is the framework's own name in lower case (``f32``, ``q4_k_m``, ``int8``).
    """

    framework: str
    device: Device
    precision: str
    workload: Workload = "decoder"

    @property
    def name(self) -> str:
        """``<framework> <device> <precision>``: asv's parameter, the same on every machine."""
        return f"{self.framework} {self.device} {self.precision}"


@dataclass(frozen=True)
class Observed:
    """Where a session really runs, as the framework tells after loading.

    Parameters
    ----------
    device
        The kind of device.
    name
        The device's own name.
    is_software
        Whether a CPU emulates it.
    facts
        What else decides speed: threads, delegates, dispatches, versions.
    """

    device: Device
    name: str
    is_software: bool = False
    facts: Mapping[str, Detail] = field(default_factory=dict)


class Session(Protocol):
    """A loaded model. Every call returns only when its result is in host memory."""

    @property
    def observed(self) -> Observed:
        """Where it runs."""
        ...

    def prefill(self, tokens: Sequence[int]) -> Floats:
        """Forget all tokens, take ``tokens``, and return the logits (vocabulary,) after the last."""
        ...

    def decode(self, token: int) -> Floats:
        """Take one more token and return the logits (vocabulary,) after it."""
        ...

    def forward(self, x: Floats) -> Floats:
        """The transformer block: (tokens, dim) to (tokens, dim)."""
        ...


class Adapter(Protocol):
    """A framework."""

    #: Distribution whose version is recorded.
    distribution: str
    #: Other distributions that decide what an export writes.
    exports_with: tuple[str, ...]
    #: Extra that installs it.
    extra: str

    def cases(self) -> tuple[Case, ...]:
        """Every case that the framework has, whatever this machine can run."""
        ...

    def require(self, case: Case) -> None:
        """Check that this machine can run ``case``.

        Raises
        ------
        UnavailableError
            With a reason code, and what would mend it.
        """
        ...

    def export(self, case: Case, folder: Path) -> Path:
        """Write what the framework loads (a file, or a folder of files) into ``folder`` and return it."""
        ...

    def load(self, case: Case, artefact: Path) -> Session:
        """Load what :meth:`export` wrote.

        Raises
        ------
        DamagedFileError
            The framework refuses the artefact.
        """
        ...


def cases_of(
    framework: str,
    *,
    devices: Sequence[Device],
    precisions: Sequence[str],
    workloads: Sequence[Workload] = WORKLOADS,
) -> tuple[Case, ...]:
    """Every combination, by device, then precision, then workload."""
    return tuple(
        Case(framework, device, precision, workload)
        for device in devices
        for precision in precisions
        for workload in workloads
    )


def adapter(framework: str) -> Adapter:
    """The adapter of ``framework``; importing it does not import the framework.

    Raises
    ------
    UsageError
        There is none of that name.
    """
    target = FRAMEWORKS.get(framework)
    if target is None:
        raise UsageError.of("framework", found=framework, expected=f"one of {', '.join(FRAMEWORKS)}")
    module, _, attribute = target.partition(":")
    made: Adapter = getattr(importlib.import_module(module), attribute)
    return made


def facts_of(artefact: Path) -> dict[str, Detail]:
    """What the export counted, where it wrote :data:`FACTS` beside the model.

    Raises
    ------
    DamagedFileError
        They are no object of plain values.
    """
    path = artefact / FACTS
    if not path.is_file():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Detail])
    except (OSError, ValueError) as error:
        raise DamagedFileError(FACTS, found=str(error), expected="an object of plain values") from error


def all_cases() -> tuple[Case, ...]:
    """Every case of every framework."""
    return tuple(case for name in FRAMEWORKS for case in adapter(name).cases())
