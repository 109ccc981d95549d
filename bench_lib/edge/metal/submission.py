"""Command buffers committed and awaited, with a limit on the wait.

``waitUntilCompleted`` has no limit of its own. It runs on a thread that does nothing else, which also
reads the clock on
both sides: the hand-over between threads is in no figure, and a device that never answers hangs that
thread only.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench_lib.edge.metal import faults
from bench_lib.edge.runtime import BatchTiming
from bench_lib.errors import DeviceError

if TYPE_CHECKING:
    from bench_lib.edge.metal.binding import Binding

_STATUS_COMPLETED = 4
_STATUS_ERROR = 5


@dataclass
class _Job:
    encode: Callable[[Any], object]
    ended: threading.Event = field(default_factory=threading.Event)
    timing: BatchTiming | None = None
    error: BaseException | None = None


class Submitter:
    """One command queue and the thread that waits for it."""

    def __init__(self, device: Any, *, binding: Binding) -> None:
        command_queue = device.newCommandQueue()
        if command_queue is None:
            raise DeviceError("driver-error", "Metal made no command queue.")
        self._queue = command_queue
        self._binding = binding
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lost: DeviceError | None = None
        self._thread = threading.Thread(target=self._work, name="bench-lib-metal", daemon=True)
        self._thread.start()

    def run(self, encode: Callable[[Any], object], *, timeout_s: float) -> BatchTiming:
        """Let ``encode`` fill a command buffer, commit it, wait for its end.

        Raises
        ------
        DeviceError
            The device's reason, or ``device-hung`` after ``timeout_s``; after that it takes no more work.
        """
        if self._lost is not None:
            raise self._lost
        job = _Job(encode)
        self._jobs.put(job)
        if not job.ended.wait(timeout_s):
            self._lost = DeviceError("device-hung", f"a command buffer did not end within {timeout_s:g} s.")
            raise self._lost
        if job.error is not None:
            if isinstance(job.error, DeviceError) and job.error.code == "device-lost":
                self._lost = job.error
            raise job.error
        assert job.timing is not None
        return job.timing

    def close(self) -> None:
        """End the thread, unless the device holds it."""
        self._jobs.put(None)
        if self._lost is None:
            self._thread.join(timeout=5)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                # Command buffers and encoders are autoreleased: without a pool of its own, a thread keeps
                # them all.
                with self._binding.objc.autorelease_pool():
                    job.timing = self._complete(job.encode)
            except BaseException as error:  # noqa: BLE001 - raised again by the thread that asked
                job.error = error
            job.ended.set()

    def _complete(self, encode: Callable[[Any], object]) -> BatchTiming:
        commands = self._queue.commandBuffer()
        if commands is None:
            raise DeviceError("driver-error", "Metal made no command buffer.")
        encode(commands)
        cpu_began, began = time.process_time(), time.perf_counter()
        commands.commit()
        commands.waitUntilCompleted()
        ended, cpu_ended = time.perf_counter(), time.process_time()
        status = int(commands.status())
        if status != _STATUS_COMPLETED:
            what = (
                "running a command buffer"
                if status == _STATUS_ERROR
                else f"a command buffer of status {status}"
            )
            raise faults.from_error(commands.error(), what=what, reasons=faults.COMMAND_BUFFER)
        return timing(
            began=began,
            ended=ended,
            cpu_s=cpu_ended - cpu_began,
            gpu_start=float(commands.GPUStartTime()),
            gpu_end=float(commands.GPUEndTime()),
        )


def timing(*, began: float, ended: float, cpu_s: float, gpu_start: float, gpu_end: float) -> BatchTiming:
    """Times of a submission from the host's clock and the command buffer's.

    Both count seconds of ``mach_absolute_time``, as :func:`time.perf_counter` does on macOS, so they can
    be subtracted. A
    start outside the round trip, or an end before the start, contradicts that: such a value is dropped,
    not bent.

    **Source**: ``MTLCommandBuffer`` ``GPUStartTime`` ("the host time, in seconds"); CPython's ``pytime.c``.
    """
    round_trip = ended - began
    duration = gpu_end - gpu_start
    device_s = duration if gpu_start > 0 and 0 <= duration <= round_trip else None
    wait = gpu_start - began
    return BatchTiming(
        round_trip_s=round_trip,
        device_s=device_s,
        submit_to_start_s=wait if device_s is not None and 0 <= wait <= round_trip else None,
        cpu_s=cpu_s,
    )
