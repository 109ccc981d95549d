"""What a device offers to whoever measures it, the same on Vulkan and on Metal.

A :class:`Device` makes buffers and pipelines, and records :class:`Command` objects into a
:class:`Batch`. Running a batch submits it once, waits for its end and says three times: on the device,
from submission to start, and the round trip that the host sees. Nothing here imports a driver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Literal, Protocol, Self

from bench_lib.model import HardwareKind

Api = Literal["vulkan", "metal"]

#: How the host reaches a buffer. ``mapped``: memory that host and device both address. ``staged``: the
#: device's own memory, filled by a copy on the device. ``imported``: the host's own pages, given to it.
MemoryMode = Literal["mapped", "staged", "imported"]
MEMORY_MODES: Final[tuple[MemoryMode, ...]] = ("mapped", "staged", "imported")

#: Seconds that the host waits for one submission before it calls the device hung.
WAIT_TIMEOUT_S: Final = 60.0


@dataclass(frozen=True)
class CooperativeMatrix:
    """One matrix shape that a device multiplies as a unit: an M×K by K×N product added to M×N.

    ``a``, ``b``, ``c`` and ``result`` are component types such as ``f16``, ``f32``, ``s8``, ``s32``.
    ``scope`` is who computes it together: ``subgroup`` or ``workgroup``.
    """

    m: int
    n: int
    k: int
    a: str
    b: str
    c: str
    result: str
    scope: str
    saturating: bool = False


@dataclass(frozen=True)
class DeviceFacts:
    """What a driver says of its device.

    Parameters
    ----------
    slug
        Identifies the hardware, as in :mod:`bench_lib.hardware`; two alike have one slug.
    selector
        Chooses this device among those of the machine: the slug, with ``:N`` where several share it.
    kind
        ``software`` for an implementation on the CPU; it is never ranked beside a GPU.
    driver
        Name and version as the driver gives them.
    unified_memory
        Whether all device-local memory is addressed by the host too.
    features
        Names that a kernel may require, as the API names them (``shaderFloat16``, ``subgroup-arithmetic``).
    subgroup_size
        Invocations that run together by default.
    max_workgroup_size, max_workgroup_invocations, max_groups
        Limits of one workgroup by axis, of all its axes together, and of a dispatch by axis.
    timestamp_period_s
        Seconds a tick of the device's clock; ``None`` where it has no timestamps.
    start_is_known
        Whether the device's clock can be related to the host's.
    import_alignment_bytes
        Alignment of host memory that can be imported; ``None`` where none can.
    memory
        For each mode, how the API names the memory that it gets.
    """

    api: Api
    slug: str
    selector: str
    name: str
    kind: HardwareKind
    driver: str
    api_version: str
    unified_memory: bool
    features: frozenset[str]
    subgroup_size: int
    max_workgroup_size: tuple[int, int, int]
    max_workgroup_invocations: int
    max_groups: tuple[int, int, int]
    shared_memory_bytes: int
    max_buffer_bytes: int
    memory_bytes: int
    max_push_constant_bytes: int
    timestamp_period_s: float | None
    start_is_known: bool
    import_alignment_bytes: int | None
    cooperative_matrices: tuple[CooperativeMatrix, ...] = ()
    memory: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class BatchTiming:
    """Times of one submission.

    Parameters
    ----------
    round_trip_s
        From just before the submission until the host knows that it ended (the host's clock).
    device_s
        From the first command's start to the last one's end (the device's clock); ``None`` where the
        device has no timestamps or they contradict themselves.
    submit_to_start_s
        From just before the submission to the first command's start; ``None`` where the two clocks
        cannot be related.
    cpu_s
        Processor time of this process over the round trip, all threads: on a software device, the work.
    """

    round_trip_s: float
    device_s: float | None
    submit_to_start_s: float | None
    cpu_s: float


class Buffer(Protocol):
    """Memory that a kernel reads or writes."""

    @property
    def num_bytes(self) -> int: ...

    @property
    def mode(self) -> MemoryMode: ...

    def write(self, data: Any) -> None:
        """Copy ``data`` (anything with a buffer) to its start; the device sees it in later batches."""
        ...

    def read(self) -> bytes:
        """What it holds now, after the batches that have ended."""
        ...

    def close(self) -> None: ...


class Pipeline(Protocol):
    """A kernel made ready for a device."""

    @property
    def creation_s(self) -> float:
        """Seconds that making it took, from code to ready, with no cache of ours."""
        ...

    @property
    def workgroup(self) -> tuple[int, int, int]: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Dispatch:
    """One launch of a pipeline: buffers in the order of their bindings, and the number of workgroups."""

    pipeline: Pipeline
    buffers: Sequence[Buffer]
    groups: tuple[int, int, int]
    push_constants: bytes = b""


@dataclass(frozen=True)
class Copy:
    """A copy between two buffers by the device (``vkCmdCopyBuffer``, a blit encoder)."""

    source: Buffer
    target: Buffer
    num_bytes: int


Command = Dispatch | Copy


class Batch(Protocol):
    """Commands recorded once, to be submitted as often as wanted."""

    @property
    def count(self) -> int:
        """Commands in it."""
        ...

    def run(self, *, timeout_s: float = WAIT_TIMEOUT_S) -> BatchTiming:
        """Submit, wait, and tell the times.

        Raises
        ------
        DeviceError
            ``device-lost``, ``device-hung`` (no end within ``timeout_s``), or another of the driver's.
        """
        ...

    def close(self) -> None: ...


class Device(Protocol):
    """A device opened with the features that its kernels need."""

    @property
    def facts(self) -> DeviceFacts: ...

    def buffer(self, num_bytes: int, *, mode: MemoryMode = "mapped") -> Buffer:
        """A buffer of ``num_bytes``, in memory of ``mode``; its first content is undefined.

        Raises
        ------
        UnavailableError
            The device has no memory of that mode.
        DeviceError
            ``out-of-device-memory`` or ``out-of-host-memory``.
        """
        ...

    def import_buffer(self, memory: Any) -> Buffer:
        """The host's own pages as a buffer, without a copy; the device was opened to import.

        ``memory`` is writable, and starts and ends on a multiple of ``facts.import_alignment_bytes``
        (an :class:`mmap.mmap` does). It must outlive the buffer.
        """
        ...

    def pipeline(
        self,
        code: bytes,
        *,
        entry_point: str,
        num_buffers: int,
        push_constant_bytes: int = 0,
        specialization: Mapping[int, bytes] | None = None,
        workgroup: tuple[int, int, int] | None = None,
    ) -> Pipeline:
        """Make a kernel ready.

        Parameters
        ----------
        code
            SPIR-V, or MSL in UTF-8.
        num_buffers
            Bindings 0 to ``num_buffers - 1`` of set 0, or buffer indices; on Metal the push constants
            are the buffer after them.
        specialization
            Four bytes, little-endian, by constant id.
        workgroup
            Threads of a group; SPIR-V states its own, MSL does not.

        Raises
        ------
        UnavailableError
            ``feature-missing:<name>``.
        """
        ...

    def batch(self, commands: Sequence[Command], *, count: int | None = None) -> Batch:
        """Record ``count`` commands, going round ``commands``, each after the one before has ended.

        Two timestamps bracket all of them: one around each would slow short ones several times over.
        """
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
