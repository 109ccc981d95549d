"""Peak memory of one rank: the allocator's own figure, and the process's resident set.

On CUDA the caching allocator keeps its peaks. The CPU allocator keeps none, but it reports every
allocation and release to PyTorch's profiler, so the peak is read from the trace of an untimed step.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CPU_ALLOCATOR = "torch CPU allocator, by its profiler events"
CUDA_ALLOCATOR = "CUDA caching allocator"
RSS_OF_STEPS = "VmHWM over the timed steps"
RSS_OF_PROCESS = "ru_maxrss since the process started"


@dataclass(frozen=True)
class AllocatorEvent:
    """One report of the allocator: ``num_bytes`` above zero is an allocation, below a release."""

    time: float
    address: int
    num_bytes: int


def peak_of(events: Iterable[AllocatorEvent], *, resting_bytes: int) -> int:
    """Largest number of bytes allocated at once.

    Parameters
    ----------
    events
        In any order.
    resting_bytes
        What was allocated before the first event and stays.

    Notes
    -----
    The profiler misses releases that happen on a thread it does not watch (gloo's). An address that is
    handed out again must have been released: it is counted as released then, at the latest. Releases
    of blocks older than the trace are no change against ``resting_bytes`` and are passed over.
    """
    live: dict[int, int] = {}
    current = peak = resting_bytes
    for event in sorted(events, key=lambda e: e.time):
        if event.num_bytes > 0:
            current += event.num_bytes - live.get(event.address, 0)
            live[event.address] = event.num_bytes
            peak = max(peak, current)
        else:
            current -= live.pop(event.address, 0)
    return peak


def read_trace(path: Path) -> list[AllocatorEvent]:
    """CPU allocator events of a trace that ``torch.profiler`` exported."""
    trace: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return [
        AllocatorEvent(float(e["ts"]), int(e["args"]["Addr"]), int(e["args"]["Bytes"]))
        for e in trace["traceEvents"]
        if e.get("name") == "[memory]" and e["args"].get("Device Type") == 0
    ]


def cpu_allocator_peak(step: Callable[[], object], *, resting_bytes: int) -> int:
    """Peak of torch's CPU allocator in bytes over one call of ``step``; slow, never to be timed."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        step()
    with tempfile.TemporaryDirectory() as directory:
        trace = Path(directory) / "trace.json"
        profiler.export_chrome_trace(str(trace))
        return peak_of(read_trace(trace), resting_bytes=resting_bytes)


def profiled(step: Callable[[], object], *, cuda: bool) -> dict[str, Any]:
    """The trace of one call of ``step``, with its allocations; slow, never to be timed."""
    from torch.profiler import ProfilerActivity, profile

    activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if cuda else [])]
    with profile(activities=activities, profile_memory=True, record_shapes=True) as profiler:
        step()
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "trace.json"
        profiler.export_chrome_trace(str(path))
        trace: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return trace


class ResidentSet:
    """Peak resident set of this process, over the steps where the kernel lets it be reset."""

    def __init__(self) -> None:
        self.source = RSS_OF_PROCESS

    def reset(self) -> None:
        """Start over from the present resident set. Linux only; elsewhere the process's peak stays."""
        try:
            # proc(5): writing 5 resets the peak resident set size.
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        except OSError:
            return
        self.source = RSS_OF_STEPS

    def peak_bytes(self) -> int:
        """Peak in bytes since :meth:`reset`, or since the process started (see :attr:`source`)."""
        if self.source == RSS_OF_STEPS:
            for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
