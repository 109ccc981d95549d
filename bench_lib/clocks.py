"""Clocks that a sampler can take: the host's, and CUDA events.

A clock marks instants and later tells the time between two marks. Marking must not wait for the
device: waiting belongs to :meth:`Clock.elapsed_s`, after the timed work was issued.
"""

from __future__ import annotations

import time
from typing import Any, Protocol, TypeVar

MarkT = TypeVar("MarkT")


class Clock(Protocol[MarkT]):
    """What :func:`bench_lib.sampling.collect` needs of a clock."""

    @property
    def name(self) -> str:
        """Name stored with the samples."""
        ...

    def mark(self) -> MarkT:
        """Record an instant."""
        ...

    def elapsed_s(self, start: MarkT, end: MarkT) -> float:
        """Seconds from ``start`` to ``end``; may wait for the device."""
        ...


class HostClock:
    """The host's monotonic clock (:func:`time.perf_counter`); right for work that the CPU does."""

    name = "host"

    def mark(self) -> float:
        return time.perf_counter()

    def elapsed_s(self, start: float, end: float) -> float:
        return end - start


class CudaEventClock:
    """Events on the current CUDA stream: device time, to about 0.5 µs, without stalling the queue.

    **Source**: ``torch.cuda.Event.elapsed_time`` (``cudaEventElapsedTime``, milliseconds).
    """

    name = "cuda-event"

    def __init__(self) -> None:
        import torch

        self._cuda: Any = torch.cuda

    def mark(self) -> Any:
        event = self._cuda.Event(enable_timing=True)
        event.record()
        return event

    def elapsed_s(self, start: Any, end: Any) -> float:
        end.synchronize()
        return float(start.elapsed_time(end)) / 1e3
