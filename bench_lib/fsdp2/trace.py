"""A profiler's trace of one step: its collectives, and what they overlap with. Pure.

Reads the Chrome trace that ``torch.profiler`` exports. On CUDA, collectives are NCCL's kernels and the rest
of the kernels is computation. On a CPU, collectives are gloo's spans on its own threads, and computation is
every operator outside communication on the threads of the step.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

Interval = tuple[float, float]

#: PyTorch's collective → nccl-tests' name.
KINDS: Final = {
    "c10d::_allgather_base_": "all-gather",
    "c10d::allgather_": "all-gather",
    "c10d::_reduce_scatter_base_": "reduce-scatter",
    "c10d::reduce_scatter_": "reduce-scatter",
    "c10d::allreduce_": "all-reduce",
}
_NCCL_KINDS: Final = {
    "_allgather_base": "all-gather",
    "allgather": "all-gather",
    "_reduce_scatter_base": "reduce-scatter",
    "reduce_scatter": "reduce-scatter",
    "allreduce": "all-reduce",
}
#: gloo's span → the collectives it may carry out: it reduces and scatters by an all-reduce.
_GLOO: Final = {
    "gloo:all_gather": ("all-gather",),
    "gloo:all_reduce": ("reduce-scatter", "all-reduce"),
    "gloo:reduce_scatter": ("reduce-scatter",),
}
_ITEM_BYTES: Final = {
    "c10::BFloat16": 2,
    "c10::Half": 2,
    "float": 4,
    "double": 8,
    "BFloat16": 2,
    "Half": 2,
    "Float": 4,
    "Byte": 1,
    "unsigned char": 1,
}


@dataclass(frozen=True)
class Collective:
    """One collective of one rank.

    Parameters
    ----------
    kind
        ``all-gather``, ``reduce-scatter`` or ``all-reduce``.
    num_bytes
        Of the whole tensor, as nccl-tests counts: an all-gather's output, the others' input.
    start_s, duration_s
        From the beginning of the step; it ends when the data is there, so it includes waiting for peers.
    exposed_s
        The part of ``duration_s`` in which this rank computed nothing.
    group_size
        Ranks that take part.
    """

    kind: str
    num_bytes: int
    start_s: float
    duration_s: float
    exposed_s: float
    group_size: int

    @property
    def overlapped_s(self) -> float:
        """The part that was hidden behind computation."""
        return self.duration_s - self.exposed_s

    @property
    def bus_bytes_per_s(self) -> float:
        """Bus bandwidth: what a ring has to carry over each link, over the time.

        **Source**: nccl-tests, doc/PERFORMANCE.md.
        """
        return bus_bytes(self.kind, self.num_bytes, self.group_size) / self.duration_s


def bus_bytes(kind: str, num_bytes: float, group_size: int) -> float:
    """Bytes over each link of a ring: (n - 1) / n of the tensor, twice that for an all-reduce."""
    share = (group_size - 1) / group_size
    return num_bytes * share * (2 if kind == "all-reduce" else 1)


@dataclass(frozen=True)
class StepTrace:
    """One profiled step of one rank. Times in s from its beginning.

    ``compute`` are intervals without overlaps in which something was computed.
    """

    duration_s: float
    compute: tuple[Interval, ...]
    collectives: tuple[Collective, ...]


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """The union, as intervals that neither touch nor overlap."""
    made: list[Interval] = []
    for start, end in sorted(intervals):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        elif end > start:
            made.append((start, end))
    return made


def covered(interval: Interval, by: Sequence[Interval]) -> float:
    """Length of ``interval`` inside the union ``by``."""
    start, end = interval
    first = max(0, bisect.bisect_right(by, (start, float("inf"))) - 1)
    total = 0.0
    for other_start, other_end in by[first:]:
        if other_start >= end:
            break
        total += max(0.0, min(end, other_end) - max(start, other_start))
    return total


def without(intervals: Sequence[Interval], holes: Sequence[Interval]) -> list[Interval]:
    """``intervals`` less the union ``holes``; both as :func:`merged` gives them."""
    made: list[Interval] = []
    for start, end in intervals:
        at = start
        for hole_start, hole_end in holes:
            if hole_end <= at or hole_start >= end:
                continue
            if hole_start > at:
                made.append((at, hole_start))
            at = max(at, hole_end)
        if at < end:
            made.append((at, end))
    return made


def spans(trace: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Events of a trace that have a beginning and a duration."""
    return [e for e in trace["traceEvents"] if e.get("ph") == "X" and "ts" in e and "dur" in e]


def _interval(event: Mapping[str, Any]) -> Interval:
    return float(event["ts"]) / 1e6, (float(event["ts"]) + float(event["dur"])) / 1e6


def read_step(trace: Mapping[str, Any], *, span: str, world_size: int) -> StepTrace:
    """Communication and computation of the step that the annotation ``span`` encloses."""
    events = spans(trace)
    steps = [e for e in events if e["name"] == span and e.get("cat") == "user_annotation"]
    if len(steps) != 1:
        raise ValueError(f"found {len(steps)} spans named {span!r}, expected one")
    begin, end = _interval(steps[0])
    on_gpu = any(e.get("cat") == "kernel" for e in events)
    found = list(_nccl(events)) if on_gpu else list(_gloo(events, world_size=world_size))
    if on_gpu:
        work = [_interval(e) for e in events if e.get("cat") == "kernel" and not _is_nccl(e)]
        # Kernels may end after the host has left the step.
        end = max([end, *(w[1] for w in work), *(c[2][1] for c in found)])
    else:
        threads = {e["tid"] for e in events if e["name"].startswith("c10d::")} | {steps[0]["tid"]}
        mine = [e for e in events if e.get("cat") == "cpu_op" and e["tid"] in threads]
        waits = merged(_interval(e) for e in mine if e["name"].startswith("c10d::"))
        work = without(merged(_interval(e) for e in mine if _computes(str(e["name"]))), waits)
    compute = [(s - begin, e - begin) for s, e in merged(work)]
    collectives = []
    for kind, num_bytes, (start, stop), group_size in sorted(found, key=lambda c: c[2]):
        inside = (start - begin, stop - begin)
        duration = stop - start
        if duration > 0:
            exposed = max(0.0, duration - covered(inside, compute))
            collectives.append(Collective(kind, num_bytes, inside[0], duration, exposed, group_size))
    return StepTrace(end - begin, tuple(compute), tuple(collectives))


def _computes(name: str) -> bool:
    """Whether a CPU operator is work of its own: autograd's nodes surround FSDP2's waits."""
    namespace, colons, _ = name.partition("::")
    return bool(colons) and namespace not in ("autograd", "c10d")


_Found = tuple[str, int, Interval, int]


def _is_nccl(event: Mapping[str, Any]) -> bool:
    return str(event["name"]).startswith("nccl")


def _nccl(events: Sequence[Mapping[str, Any]]) -> Iterator[_Found]:
    for event in events:
        if event.get("cat") != "kernel" or not _is_nccl(event):
            continue
        args = event.get("args", {})
        kind = _NCCL_KINDS.get(str(args.get("Collective name")))
        if kind is None:
            continue
        items = max(int(args.get("In msg nelems", 0)), int(args.get("Out msg nelems", 0)))
        size = items * _ITEM_BYTES.get(str(args.get("dtype")), 4)
        yield kind, size, _interval(event), int(args.get("Group size", 1))


def _gloo(events: Sequence[Mapping[str, Any]], *, world_size: int) -> Iterator[_Found]:
    """gloo's spans in the order of the calls they carry out; a call says the tensor, a span the time."""
    calls: dict[str, list[Mapping[str, Any]]] = {}
    for event in sorted(events, key=lambda e: float(e["ts"])):
        kind = KINDS.get(str(event["name"]))
        if kind is not None and event.get("cat") == "cpu_op":
            calls.setdefault(kind, []).append(event)
    for name, kinds in _GLOO.items():
        timed = sorted((e for e in events if e["name"] == name), key=lambda e: float(e["ts"]))
        wanted = sorted((e for kind in kinds for e in calls.get(kind, [])), key=lambda e: float(e["ts"]))
        for span, call in zip(timed, wanted, strict=False):
            sizes = _sizes(call)
            large, small = max(sizes), min(sizes)
            kind = KINDS[str(call["name"])]
            group_size = world_size if kind == "all-reduce" or not small else round(large / small)
            yield kind, large, _interval(span), max(1, group_size)


def _sizes(call: Mapping[str, Any]) -> list[int]:
    """Bytes of a call's tensors."""
    args = call.get("args", {})
    made = []
    for dims, kind in zip(args.get("Input Dims", []), args.get("Input type", []), strict=False):
        # An all-reduce takes a list of tensors, and its dims are those of each.
        nested = [d for d in dims if isinstance(d, list) and d]
        shape = nested[0] if nested else dims
        width = 4 if nested else _ITEM_BYTES.get(str(kind))
        if width is not None and shape and all(isinstance(d, int) for d in shape):
            made.append(width * math.prod(shape))
    return made or [0]
