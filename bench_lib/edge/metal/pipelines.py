"""From Metal source to a pipeline: compiled on this machine when it is first asked for."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bench_lib.edge import msl_source
from bench_lib.edge.metal import faults
from bench_lib.edge.metal.devices import MAX_PUSH_CONSTANT_BYTES
from bench_lib.edge.msl_source import EntryPoint
from bench_lib.errors import UnavailableError, UsageError

_USES_SIMD: Final = re.compile(
    r"\b(?:simd_\w+|simdgroup_\w+|threads_per_simdgroup|thread_index_in_simdgroup)\b"
)


@dataclass
class MetalPipeline:
    """A compiled kernel and where its arguments are bound.

    ``buffer_slots`` are the kernel's buffers in the order of their slots, without the block of push
    constants, which has
    ``push_constant_slot``: whoever wrote the source chose the numbers.
    """

    state: Any
    entry: EntryPoint
    buffer_slots: tuple[int, ...]
    push_constant_slot: int | None
    creation_s: float
    workgroup: tuple[int, int, int]
    simd_width: int

    def close(self) -> None:
        """Let the compiled kernel go."""
        self.state = None


def slots(
    entry: EntryPoint, *, num_buffers: int, push_constant_bytes: int
) -> tuple[tuple[int, ...], int | None]:
    """Slots of ``entry``'s buffers, and the slot of its push constants.

    Raises
    ------
    UsageError
        The source has another number of buffers, or no single block of parameters where there are push
        constants.
    """
    uniforms = entry.uniforms if push_constant_bytes else None
    if push_constant_bytes and uniforms is None:
        raise UsageError.of(
            f"push constants of {entry.name}",
            found="no single argument in constant memory",
            expected="one [[buffer(n)]] in constant memory that holds them",
        )
    if push_constant_bytes > MAX_PUSH_CONSTANT_BYTES:
        raise UsageError.of(
            "push constants", found=push_constant_bytes, expected=f"up to {MAX_PUSH_CONSTANT_BYTES} bytes"
        )
    push_slot = uniforms.index if uniforms is not None else None
    found = tuple(sorted(index for index in entry.buffers if index != push_slot))
    if len(found) != num_buffers:
        raise UsageError.of(
            f"buffers of {entry.name}", found=len(found), expected=f"{num_buffers}, as it is called"
        )
    return found, push_slot


def create(
    device: Any,
    code: bytes,
    *,
    entry_point: str,
    num_buffers: int,
    push_constant_bytes: int,
    specialization: Mapping[int, bytes] | None,
    workgroup: tuple[int, int, int] | None,
    simd_width: int,
) -> MetalPipeline:
    """Compile ``code`` and make its kernel ready; the time from source to pipeline is kept.

    Metal keeps compiled kernels on disk by itself and offers no way to empty that store: the first run of
    a new source is
    cold, a later process may find it warm.

    Raises
    ------
    DeviceError
        ``compile-error`` with the compiler's messages, or another reason of
        :mod:`bench_lib.edge.metal.faults`.
    UnavailableError
        ``feature-missing:<name>``: the kernel needs more threads or threadgroup memory than the device
        gives it.
    UsageError
        The source does not fit the call.
    """
    if workgroup is None or min(workgroup) < 1:
        raise UsageError.of(
            "workgroup", found=workgroup, expected="its threads by axis: Metal source does not state them"
        )
    try:
        source = code.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError.of("Metal source", found=str(error), expected="text in UTF-8") from error
    # Without values too: a function constant that is left open cannot be compiled.
    source = msl_source.specialise(source, specialization or {})
    entry = msl_source.entry_point(source, name=entry_point)
    buffer_slots, push_slot = slots(entry, num_buffers=num_buffers, push_constant_bytes=push_constant_bytes)

    began = time.perf_counter()
    library, refused = device.newLibraryWithSource_options_error_(source, None, None)
    if library is None:
        raise faults.from_error(refused, what=f"compiling {entry_point}", reasons=faults.LIBRARY)
    function = library.newFunctionWithName_(entry_point)
    if function is None:
        raise faults.from_error(None, what=f"finding {entry_point} in its library", reasons=faults.LIBRARY)
    state, refused = device.newComputePipelineStateWithFunction_error_(function, None)
    creation_s = time.perf_counter() - began
    if state is None:
        raise faults.from_error(refused, what=f"making a pipeline of {entry_point}", reasons=faults.LIBRARY)

    _require_room(device, state, workgroup=workgroup, entry_point=entry_point)
    own_width = int(state.threadExecutionWidth())
    if own_width != simd_width and _USES_SIMD.search(source):
        # Intel's driver picks a width for each kernel; one that was chosen for another width would be wrong.
        raise UnavailableError(
            f"feature-missing:subgroup-size-{simd_width}",
            f"{entry_point} was given simdgroups of {own_width} threads on a device that has {simd_width}.",
        )
    return MetalPipeline(
        state=state,
        entry=entry,
        buffer_slots=buffer_slots,
        push_constant_slot=push_slot,
        creation_s=creation_s,
        workgroup=workgroup,
        simd_width=own_width,
    )


def _require_room(device: Any, state: Any, *, workgroup: tuple[int, int, int], entry_point: str) -> None:
    threads, limit = math.prod(workgroup), int(state.maxTotalThreadsPerThreadgroup())
    if threads > limit:
        raise UnavailableError(
            "feature-missing:threads-per-threadgroup",
            f"{entry_point} runs {threads} threads a threadgroup; its registers leave room for {limit}.",
        )
    largest = device.maxThreadsPerThreadgroup()
    for axis, size, most in zip(
        "xyz", workgroup, (largest.width, largest.height, largest.depth), strict=True
    ):
        if size > most:
            raise UnavailableError(
                "feature-missing:threads-per-threadgroup",
                f"{entry_point} runs {size} threads along {axis}; this device allows {most}.",
            )
    memory, room = int(state.staticThreadgroupMemoryLength()), int(device.maxThreadgroupMemoryLength())
    if memory > room:
        raise UnavailableError(
            "feature-missing:threadgroup-memory",
            f"{entry_point} takes {memory} bytes of threadgroup memory; this device has {room}.",
        )
