"""What a measuring process is asked, and what it answers; both travel as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from bench_lib.edge.runtime import WAIT_TIMEOUT_S, DeviceFacts, MemoryMode
from bench_lib.edge.timing import TimingPlan
from bench_lib.model import Measurement, Status

Detail = str | int | float | bool | None

#: Sizes of the table of transfers, 4 KiB to 256 MiB.
TRANSFER_BYTES: Final = tuple(4096 * 4**n for n in range(9))


@dataclass(frozen=True, kw_only=True)
class DevicesJob:
    """List the devices."""


@dataclass(frozen=True, kw_only=True)
class KernelJob:
    """Time one kernel on one device.

    Parameters
    ----------
    device
        As :func:`bench_lib.edge.choosing.choose` takes it.
    kernel
        Name of an op, or a folder.
    dtype
        Data type; the first that the op has where it is empty.
    variant
        Name of a variant; the one that suits the device where it is empty.
    sizes
        The op's sizes; empty for the first of its shapes.
    cold, creation
        Whether to measure cold caches, and the creation of pipelines on fresh devices.
    validation
        Run with the validation layer; figures of such a run are of the layer too.
    """

    device: str | None
    kernel: str
    dtype: str = ""
    algorithm: str | None = None
    variant: str = ""
    sizes: Mapping[str, int] = field(default_factory=dict)
    plan: TimingPlan = field(default_factory=TimingPlan)
    memory_mode: MemoryMode = "staged"
    cold: bool = True
    creation: bool = True
    seed: int = 0
    validation: bool = False
    wait_timeout_s: float = WAIT_TIMEOUT_S


@dataclass(frozen=True, kw_only=True)
class TransferJob:
    """Time what it takes to bring bytes from the host to a device, in every memory mode."""

    device: str | None
    num_bytes: tuple[int, ...] = TRANSFER_BYTES
    plan: TimingPlan = field(default_factory=TimingPlan)
    validation: bool = False
    wait_timeout_s: float = WAIT_TIMEOUT_S


@dataclass(frozen=True, kw_only=True)
class RoofJob:
    """Measure a device's copy bandwidth and matrix peak with kernels of this project.

    ``dtypes`` are those to find a matrix peak for.
    """

    device: str | None
    dtypes: tuple[str, ...] = ("fp32", "fp16")
    plan: TimingPlan = field(default_factory=TimingPlan)
    validation: bool = False
    wait_timeout_s: float = WAIT_TIMEOUT_S


Job = DevicesJob | KernelJob | TransferJob | RoofJob

#: By the name that the measuring process is called with.
KINDS: Final[dict[str, type[Job]]] = {
    "devices": DevicesJob,
    "kernel": KernelJob,
    "transfer": TransferJob,
    "roof": RoofJob,
}


@dataclass(frozen=True)
class Part:
    """One result of a job.

    ``params`` tell it from the other parts; ``status``, ``code`` and ``reason`` are those of a record.
    """

    params: Mapping[str, str | int | float | bool]
    status: Status = "ok"
    code: str = ""
    reason: str = ""
    measurements: tuple[Measurement, ...] = ()
    details: Mapping[str, Detail] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What came of a job.

    Parameters
    ----------
    status
        ``usage`` for a job that asks for something impossible.
    devices
        Those listed.
    messages
        What the validation layer said.
    """

    status: Status | Literal["usage"]
    code: str = ""
    reason: str = ""
    remedy: str = ""
    devices: tuple[DeviceFacts, ...] = ()
    parts: tuple[Part, ...] = ()
    messages: tuple[str, ...] = ()
