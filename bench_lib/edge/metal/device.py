"""A Metal device opened for measurement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from bench_lib.edge.metal import devices, memory, pipelines
from bench_lib.edge.metal.binding import Binding, load
from bench_lib.edge.metal.memory import MetalBuffer
from bench_lib.edge.metal.pipelines import MetalPipeline
from bench_lib.edge.metal.submission import Submitter
from bench_lib.edge.runtime import (
    MEMORY_MODES,
    WAIT_TIMEOUT_S,
    BatchTiming,
    Command,
    Copy,
    DeviceFacts,
    Dispatch,
    MemoryMode,
)
from bench_lib.errors import UsageError


def open_device(selector: str) -> MetalDevice:
    """Open the device that ``selector`` names: its slug, its name, or either with ``:N`` where several
    share it.

    Raises
    ------
    UnavailableError
        ``not-macos``, ``no-binding`` or ``no-device``.
    UsageError
        No device of this machine has that name, or several have it.
    """
    binding = load()
    found = devices.physical_devices(binding)
    facts = devices.all_facts(found, binding=binding)
    wanted = selector.strip().casefold()
    matching = [
        index
        for index, f in enumerate(facts)
        if wanted in {n.casefold() for n in (f.selector, f.slug, f.name, *f.aliases)}
    ]
    if len(matching) != 1:
        names = ", ".join(f.selector for f in facts)
        raise UsageError.of(
            "device", found=selector, expected=f"one of {names}" if not matching else f"only one of {names}"
        )
    return MetalDevice(found[matching[0]], facts=facts[matching[0]], binding=binding)


class MetalDevice:
    """:class:`bench_lib.edge.runtime.Device` on one ``MTLDevice``."""

    def __init__(self, handle: Any, *, facts: DeviceFacts, binding: Binding) -> None:
        self._handle = handle
        self._facts = facts
        self._binding = binding
        self._submitter = Submitter(handle, binding=binding)

    @property
    def facts(self) -> DeviceFacts:
        return self._facts

    def thermal_state(self) -> str:
        """``nominal``, ``fair``, ``serious`` or ``critical``, now."""
        return devices.thermal_state(self._binding)

    def buffer(self, num_bytes: int, *, mode: MemoryMode = "mapped") -> MetalBuffer:
        """As :meth:`bench_lib.edge.runtime.Device.buffer`."""
        if mode not in MEMORY_MODES or mode == "imported":
            raise UsageError.of(
                "memory mode", found=mode, expected="mapped or staged; import_buffer takes host memory"
            )
        managed = mode == "mapped" and not self._facts.unified_memory
        storage = "Private" if mode == "staged" else "Managed" if managed else "Shared"
        handle = memory.allocate(
            self._handle,
            num_bytes=num_bytes,
            options=self._storage(storage),
            what=f"buffer in MTLStorageMode{storage}",
        )
        return MetalBuffer(
            handle,
            num_bytes=num_bytes,
            mode=mode,
            managed=managed,
            binding=self._binding,
            blit=self._blit,
            staging=self._staging if mode == "staged" else None,
        )

    def import_buffer(self, memory_: Any) -> MetalBuffer:
        """As :meth:`bench_lib.edge.runtime.Device.import_buffer`."""
        handle, length = memory.wrap(self._handle, memory_, options=self._storage("Shared"))
        return MetalBuffer(
            handle,
            num_bytes=length,
            mode="imported",
            managed=False,
            binding=self._binding,
            blit=self._blit,
            owner=memory_,
        )

    def pipeline(
        self,
        code: bytes,
        *,
        entry_point: str,
        num_buffers: int,
        push_constant_bytes: int = 0,
        specialization: Mapping[int, bytes] | None = None,
        workgroup: tuple[int, int, int] | None = None,
    ) -> MetalPipeline:
        """As :meth:`bench_lib.edge.runtime.Device.pipeline`; errors as
        :func:`bench_lib.edge.metal.pipelines.create`."""
        with self._binding.objc.autorelease_pool():
            return pipelines.create(
                self._handle,
                code,
                entry_point=entry_point,
                num_buffers=num_buffers,
                push_constant_bytes=push_constant_bytes,
                specialization=specialization,
                workgroup=workgroup,
                simd_width=self._facts.subgroup_size,
            )

    def batch(self, commands: Sequence[Command], *, count: int | None = None) -> MetalBatch:
        """As :meth:`bench_lib.edge.runtime.Device.batch`."""
        return MetalBatch(commands, count=count, submitter=self._submitter, binding=self._binding)

    def close(self) -> None:
        """Let the device go."""
        self._submitter.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _storage(self, name: str) -> int:
        return int(getattr(self._binding.metal, f"MTLResourceStorageMode{name}"))

    def _staging(self, num_bytes: int) -> Any:
        return memory.allocate(
            self._handle, num_bytes=num_bytes, options=self._storage("Shared"), what="staging buffer"
        )

    def _blit(self, use: Callable[[Any], object]) -> None:
        def encode(commands: Any) -> None:
            encoder = commands.blitCommandEncoder()
            use(encoder)
            encoder.endEncoding()

        self._submitter.run(encode, timeout_s=WAIT_TIMEOUT_S)


class MetalBatch:
    """Commands checked once and encoded anew for each run: Metal's command buffers cannot be committed twice.

    Encoding lies before the submission, so it is in none of the times. A compute encoder is serial: each
    dispatch begins
    after the one before has ended and sees what it wrote.
    """

    def __init__(
        self, commands: Sequence[Command], *, count: int | None, submitter: Submitter, binding: Binding
    ) -> None:
        if not commands:
            raise UsageError.of("batch", found="no command", expected="at least one")
        total = len(commands) if count is None else count
        if total < 1:
            raise UsageError.of("commands of a batch", found=total, expected="at least one")
        for command in commands:
            _require_fit(command)
        self._commands = tuple(commands)
        self._count = total
        self._submitter = submitter
        self._binding = binding

    @property
    def count(self) -> int:
        return self._count

    def run(self, *, timeout_s: float = WAIT_TIMEOUT_S) -> BatchTiming:
        """As :meth:`bench_lib.edge.runtime.Batch.run`."""
        return self._submitter.run(self._encode, timeout_s=timeout_s)

    def close(self) -> None:
        """Nothing is kept between runs."""

    def _encode(self, buffer: Any) -> None:
        encoder: Any = None
        computes = False
        last: Dispatch | None = None
        for number in range(self._count):
            command = self._commands[number % len(self._commands)]
            if encoder is None or computes != isinstance(command, Dispatch):
                if encoder is not None:
                    encoder.endEncoding()
                computes = isinstance(command, Dispatch)
                encoder = buffer.computeCommandEncoder() if computes else buffer.blitCommandEncoder()
                last = None
            if isinstance(command, Dispatch):
                # What an encoder was told holds until it is told otherwise.
                if command is not last:
                    self._bind(encoder, command)
                    last = command
                assert isinstance(command.pipeline, MetalPipeline)
                encoder.dispatchThreadgroups_threadsPerThreadgroup_(
                    self._binding.metal.MTLSizeMake(*command.groups),
                    self._binding.metal.MTLSizeMake(*command.pipeline.workgroup),
                )
            else:
                _copy(encoder, command)
        encoder.endEncoding()

    @staticmethod
    def _bind(encoder: Any, command: Dispatch) -> None:
        pipeline = command.pipeline
        assert isinstance(pipeline, MetalPipeline)
        encoder.setComputePipelineState_(pipeline.state)
        for slot, buffer in zip(pipeline.buffer_slots, command.buffers, strict=True):
            assert isinstance(buffer, MetalBuffer)
            encoder.setBuffer_offset_atIndex_(buffer.handle, 0, slot)
        if pipeline.push_constant_slot is not None:
            content = command.push_constants
            encoder.setBytes_length_atIndex_(content, len(content), pipeline.push_constant_slot)


def _copy(encoder: Any, command: Copy) -> None:
    assert isinstance(command.source, MetalBuffer) and isinstance(command.target, MetalBuffer)
    encoder.copyFromBuffer_sourceOffset_toBuffer_destinationOffset_size_(
        command.source.handle, 0, command.target.handle, 0, memory.rounded(command.num_bytes)
    )


def _require_fit(command: Command) -> None:
    if isinstance(command, Copy):
        if not 0 < command.num_bytes <= min(command.source.num_bytes, command.target.num_bytes):
            raise UsageError.of(
                "copy",
                found=f"{command.num_bytes} bytes",
                expected="no more than either buffer has, and some",
            )
        return
    pipeline = command.pipeline
    if not isinstance(pipeline, MetalPipeline):
        raise UsageError.of("pipeline", found=type(pipeline).__name__, expected="one of this device")
    if len(command.buffers) != len(pipeline.buffer_slots):
        raise UsageError.of(
            f"buffers of {pipeline.entry.name}",
            found=len(command.buffers),
            expected=str(len(pipeline.buffer_slots)),
        )
    if min(command.groups) < 1 or max(command.groups) > devices.MAX_GROUPS:
        raise UsageError.of(
            "workgroups", found=command.groups, expected=f"1 to {devices.MAX_GROUPS} along each axis"
        )
    if (pipeline.push_constant_slot is None) != (not command.push_constants):
        raise UsageError.of(
            f"push constants of {pipeline.entry.name}",
            found=f"{len(command.push_constants)} bytes",
            expected="none" if pipeline.push_constant_slot is None else "its block of parameters",
        )
