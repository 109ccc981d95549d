"""What it takes to bring bytes from the host to a device: by mapped write, imported pages, staged copy."""

from __future__ import annotations

import mmap
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bench_lib.edge.jobs import Detail, Part, TransferJob
from bench_lib.edge.kernel_job import usable_bytes
from bench_lib.edge.opening import Owned, open_device
from bench_lib.edge.prepared import WrongOutputError
from bench_lib.edge.runtime import MEMORY_MODES, Batch, Buffer, Copy, Device, MemoryMode
from bench_lib.edge.timing import TimingPlan, samples_for
from bench_lib.errors import DeviceError, UnavailableError, UsageError
from bench_lib.model import Measurement

#: Buffers of one transfer at most at once: source, target, and what the staged copy goes by.
_COPIES: Final = 4

#: What each mode's time holds.
MEANING: Final[dict[MemoryMode, str]] = {
    "mapped": "the host writes into memory that the device addresses too",
    "imported": "the host's own pages are given to the device: no byte is copied",
    "staged": "the host writes into a buffer, and the device copies that into memory of its own",
}


@dataclass
class _Transfer:
    """One way, made ready: :attr:`once` does it, :attr:`target` is what the device then reads."""

    once: Callable[[], object]
    target: Callable[[], Buffer]
    close: Callable[[], object]


def _mapped(device: Device, source: Any, num_bytes: int, wait_s: float) -> _Transfer:
    del wait_s
    target = device.buffer(num_bytes)
    return _Transfer(lambda: target.write(source), lambda: target, target.close)


def _staged(device: Device, source: Any, num_bytes: int, wait_s: float) -> _Transfer:
    between, target = device.buffer(num_bytes), device.buffer(num_bytes, mode="staged")
    copy = device.batch([Copy(between, target, num_bytes)])

    def once() -> None:
        between.write(source)
        copy.run(timeout_s=wait_s)

    def close() -> None:
        copy.close()
        between.close()
        target.close()

    return _Transfer(once, lambda: target, close)


def _imported(device: Device, source: Any, num_bytes: int, wait_s: float) -> _Transfer:
    del wait_s
    current: list[Buffer] = []

    def once() -> None:
        # The one before goes first: its pages may be imported once at a time.
        for buffer in current:
            buffer.close()
        current[:] = [device.import_buffer(source)]

    def close() -> None:
        for buffer in current:
            buffer.close()
        current.clear()

    return _Transfer(once, lambda: current[0], close)


_WAYS: Final[dict[MemoryMode, Callable[[Device, Any, int, float], _Transfer]]] = {
    "mapped": _mapped,
    "imported": _imported,
    "staged": _staged,
}


def _check(device: Device, target: Buffer, source: mmap.mmap, num_bytes: int, wait_s: float) -> None:
    """Have the device copy what it got into another buffer, and compare that."""
    seen = device.buffer(num_bytes)
    batch: Batch = device.batch([Copy(target, seen, num_bytes)])
    batch.run(timeout_s=wait_s)
    batch.close()
    content = seen.read()
    seen.close()
    if content != bytes(memoryview(source)[:num_bytes]):
        raise WrongOutputError(f"the device sees other bytes than the host wrote ({num_bytes} bytes).")


def run_transfer_job(job: TransferJob, owned: Owned) -> tuple[Part, ...]:
    """Every mode at every size. A mode that the device lacks is a part that was skipped."""
    for size in job.num_bytes:
        if size < mmap.PAGESIZE or size % mmap.PAGESIZE:
            raise UsageError.of("bytes to transfer", found=size, expected=f"a multiple of {mmap.PAGESIZE}")
    device = _open(job)
    owned.devices.append(device)
    parts = [_part(device, mode, size, job) for mode in MEMORY_MODES for size in job.num_bytes]
    return tuple(parts)


def _open(job: TransferJob) -> Device:
    try:
        return open_device(job.device, imports=True, validation=job.validation)
    except UnavailableError as error:
        if not error.code.startswith("feature-missing"):
            raise
        return open_device(job.device, validation=job.validation)


def _part(device: Device, mode: MemoryMode, num_bytes: int, job: TransferJob) -> Part:
    facts = device.facts
    params: dict[str, str | int | float | bool] = {"mode": mode, "num_bytes": num_bytes}
    details: dict[str, Detail] = {
        "memory_type": facts.memory.get(mode),
        "unified_memory": facts.unified_memory,
        "includes": MEANING[mode],
    }
    if mode == "imported" and facts.import_alignment_bytes is None:
        code = (
            "feature-missing:VK_EXT_external_memory_host"
            if facts.api == "vulkan"
            else "feature-missing:import"
        )
        return Part(params, "skipped", code, f"{facts.name} imports no host memory.", details=details)
    if num_bytes * _COPIES > usable_bytes(facts):
        reason = f"{_COPIES} buffers of {num_bytes} bytes exceed what may be used on {facts.name}."
        return Part(params, "skipped", "not-enough-memory", reason, details=details)
    try:
        samples, with_read = _sample(device, mode, num_bytes, job.plan, wait_s=job.wait_timeout_s)
    except UnavailableError as error:
        return Part(params, "skipped", error.code, error.detail, details=details)
    except DeviceError as error:
        if getattr(device, "broken", False):
            raise
        return Part(params, "failed", error.code, error.detail, details=details)
    measurements = (
        Measurement("transfer_time", samples, warmup=1, clock="host"),
        Measurement("transfer_and_read_time", with_read, warmup=1, clock="host"),
    )
    return Part(params, measurements=measurements, details=details)


def _sample(
    device: Device, mode: MemoryMode, num_bytes: int, plan: TimingPlan, *, wait_s: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    with mmap.mmap(-1, num_bytes) as source:
        view: npt.NDArray[np.uint8] | None = np.frombuffer(source, dtype=np.uint8)
        assert view is not None
        view[:] = np.random.default_rng(num_bytes).integers(0, 256, num_bytes, dtype=np.uint8)
        # The map cannot be closed while an array looks at it.
        view = None
        way = _WAYS[mode](device, source, num_bytes, wait_s)
        try:
            way.once()
            _check(device, way.target(), source, num_bytes, wait_s)
            samples = _repeat(lambda: _timed(way.once), plan)
            seen = device.buffer(num_bytes, mode="staged")
            try:
                with_read = _repeat(lambda: _timed_with_read(device, way, seen, wait_s), plan)
            finally:
                seen.close()
        finally:
            way.close()
        return samples, with_read


def _timed(once: Callable[[], object]) -> float:
    begin = time.perf_counter()
    once()
    return time.perf_counter() - begin


def _timed_with_read(device: Device, way: _Transfer, seen: Buffer, wait_s: float) -> float:
    """The transfer, and one submission in which the device copies the bytes into memory of its own.

    Recording that submission is left out: an imported buffer is a new one each time.
    """
    transfer_s = _timed(way.once)
    batch = device.batch([Copy(way.target(), seen, seen.num_bytes)])
    try:
        return transfer_s + batch.run(timeout_s=wait_s).round_trip_s
    finally:
        batch.close()


def _repeat(timed: Callable[[], float], plan: TimingPlan) -> tuple[float, ...]:
    return tuple(timed() for _ in range(samples_for(timed(), plan)))
