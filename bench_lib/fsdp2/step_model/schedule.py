"""FSDP2's schedule of one step as events on two queues: the compute stream and the network.

The order is that of ``torch.distributed.fsdp._fully_shard`` (2.13). All-gathers and reduce-scatters run on
streams
of their own, but one communicator runs them one after another in the order in which they were issued, so the
network is one
queue. Kept waits:

- the copy-out of a gathered block runs on the compute stream, after its all-gather;
- forward: the all-gather of block *i + 1* waits for the copy-out of block *i - 1* (whose buffer is kept);
- backward: the all-gather of block *i - 1* is issued after the copy-out of block *i*, so it runs beside
  *i*'s backward;
- the copy-in of block *i*'s gradients waits for the reduce-scatter of block *i + 1* (one input is in flight);
- the optimizer waits for the last reduce-scatter (and HSDP's all-reduce).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from bench_lib.fsdp2.trace import bus_bytes

Kind = Literal[
    "copy_in", "all_gather", "reduce_scatter", "all_reduce", "copy", "forward", "backward", "optimizer"
]

#: What goes over a network. An all-gather's copy-in holds the same queue, but stays in the device.
_COLLECTIVES: Final[tuple[Kind, ...]] = ("all_gather", "reduce_scatter", "all_reduce")
_COMPUTE: Final = ("copy", "forward", "backward", "optimizer")


@dataclass(frozen=True)
class Message:
    """What one collective carries: bytes of the whole tensor, as nccl-tests counts, and the ranks in it."""

    num_bytes: float
    group_size: int


@dataclass(frozen=True)
class CollectiveTotal:
    """All collectives of one kind in one step of one rank.

    ``exposed_s`` is the part of ``duration_s`` in which nothing is computed.
    """

    kind: str
    number: int
    group_size: int
    num_bytes: float
    bus_bytes: float
    duration_s: float
    exposed_s: float


@dataclass(frozen=True)
class Unit:
    """One ``fully_shard`` group: a block, or the root. All times in seconds.

    ``copy_in`` and ``copy_out`` move an all-gather's input and output, ``reduce_copy`` a reduce-scatter's
    input. ``messages`` says what each of its collectives carries; one that is not there carries nothing.
    """

    forward: float
    backward: float
    recompute: float
    all_gather: float
    reduce_scatter: float
    all_reduce: float
    copy_in: float
    copy_out: float
    reduce_copy: float
    messages: Mapping[Kind, Message] = field(default_factory=dict)


class Event(NamedTuple):
    """What ran when; ``unit`` is -1 for the root."""

    kind: Kind
    unit: int
    start: float
    end: float
    message: Message | None = None


@dataclass(frozen=True)
class Timeline:
    """Events of a step, in the order in which they were issued, and what they add up to."""

    events: tuple[Event, ...]
    step_time_s: float

    def busy_s(self, *kinds: Kind) -> float:
        """Sum of the durations of those kinds."""
        return sum(e.end - e.start for e in self.events if e.kind in kinds)

    @property
    def communication_s(self) -> float:
        """Time the network was busy."""
        return self.busy_s(*_COLLECTIVES)

    @property
    def exposed_communication_s(self) -> float:
        """Time that a collective ran while the compute stream stood still."""
        return self._exposed_s(_COLLECTIVES)

    def collectives(self) -> tuple[CollectiveTotal, ...]:
        """Bytes and times by kind, of the kinds that the step has."""
        totals = []
        for kind in _COLLECTIVES:
            found = [e for e in self.events if e.kind == kind]
            sent = [e.message for e in found if e.message is not None]
            if found:
                name = kind.replace("_", "-")
                totals.append(
                    CollectiveTotal(
                        name,
                        len(found),
                        max((m.group_size for m in sent), default=1),
                        sum(m.num_bytes for m in sent),
                        sum(bus_bytes(name, m.num_bytes, m.group_size) for m in sent),
                        self.busy_s(kind),
                        self._exposed_s((kind,)),
                    )
                )
        return tuple(totals)

    def _exposed_s(self, kinds: Sequence[Kind]) -> float:
        collectives = [(e.start, e.end) for e in self.events if e.kind in kinds]
        exposed, free_since, first = 0.0, 0.0, 0
        busy = [(e.start, e.end) for e in self.events if e.kind in _COMPUTE]
        for start, end in [*busy, (self.step_time_s, self.step_time_s)]:
            # Both queues run in order, so what ended before one gap cannot meet the next.
            while first < len(collectives) and collectives[first][1] <= free_since:
                first += 1
            for begins, ends in collectives[first:]:
                if begins >= start:
                    break
                exposed += max(0.0, min(ends, start) - max(begins, free_since))
            free_since = end
        return exposed


class _Queues:
    """When each queue is free; events in the order of issue."""

    def __init__(self, *, overlaps: bool, contention: float) -> None:
        self.compute = 0.0
        self.network = 0.0
        self.overlaps = overlaps
        self.contention = contention if overlaps else 0.0
        self.events: list[Event] = []
        #: Times at which the network is busy, oldest first, from the one that computation may still meet.
        self._busy: deque[tuple[float, float]] = deque()

    def run(self, kind: Kind, unit: int, duration: float, *, after: float = 0.0) -> float:
        """On the compute stream, not before ``after``; returns its end."""
        start = max(self.compute, after)
        self.compute = self._slowed_end(start, duration)
        if duration > 0:
            self.events.append(Event(kind, unit, start, self.compute))
        return self.compute

    def send(self, kind: Kind, unit: int, duration: float, *, of: Unit, after: float) -> float:
        """On the network, not before ``after``; returns its end. Without overlap the compute stream waits."""
        start = max(self.network, after if self.overlaps else max(after, self.compute))
        self.network = start + duration
        if not self.overlaps:
            self.compute = max(self.compute, self.network)
        if duration > 0:
            self.events.append(Event(kind, unit, start, self.network, of.messages.get(kind)))
            self._busy.append((start, self.network))
        return self.network

    def _slowed_end(self, start: float, work: float) -> float:
        """End of ``work`` seconds begun at ``start``, slower wherever the network is busy meanwhile."""
        if not self.contention:
            return start + work
        rate = 1.0 - self.contention
        now = start
        while self._busy and self._busy[0][1] <= now:
            self._busy.popleft()
        for begins, ends in self._busy:
            free = max(0.0, begins - now)
            if work <= free:
                break
            work -= free
            now = max(now, begins)
            if work <= (ends - now) * rate:
                return now + work / rate
            work -= (ends - now) * rate
            now = ends
        return now + work


def simulate(
    blocks: Sequence[Unit],
    *,
    root: Unit,
    optimizer: float,
    num_accumulation: int = 1,
    reshards_after_forward: bool = True,
    overlaps: bool = True,
    prefetches: bool = True,
    contention: float = 0.0,
) -> Timeline:
    """Play one step.

    Parameters
    ----------
    blocks
        In the order of the forward pass.
    root
        Gathered before the first block and kept; its forward and backward are the head and the loss.
    optimizer
        Seconds of the optimizer step.
    num_accumulation
        Forward and backward passes, each with its reduction.
    reshards_after_forward
        Whether blocks are gathered again for the backward pass.
    overlaps
        Whether a collective leaves the compute stream free; gloo on a CPU does not by default.
    prefetches
        Whether the next all-gather is issued before the current block computes.
    contention
        Share of the device's rate that computation loses while a collective runs beside it: its kernels take
        processors and memory bandwidth.
    """
    queues = _Queues(overlaps=overlaps, contention=contention)
    for _ in range(num_accumulation):
        _forward(queues, blocks, root, prefetches=prefetches)
        reduced = _backward(queues, blocks, root, gathers=reshards_after_forward, prefetches=prefetches)
    queues.run("optimizer", -1, optimizer, after=reduced)
    return Timeline(tuple(queues.events), queues.compute)


def _forward(queues: _Queues, blocks: Sequence[Unit], root: Unit, *, prefetches: bool) -> None:
    gathered = _gather_unit(queues, -1, root, after=queues.compute)
    copied = queues.run("copy", -1, root.copy_out, after=gathered)
    ready = _gather(queues, blocks, 0, after=gathered if prefetches else copied)
    for index, block in enumerate(blocks):
        copied_before, copied = copied, queues.run("copy", index, block.copy_out, after=ready)
        if prefetches:
            # Issued by the host ahead of the device; only the kept buffer of the block before holds it back.
            ready = _gather(queues, blocks, index + 1, after=copied_before)
        queues.run("forward", index, block.forward)
        if not prefetches:
            ready = _gather(queues, blocks, index + 1, after=queues.compute)
    queues.run("forward", -1, root.forward)


def _gather(queues: _Queues, blocks: Sequence[Unit], index: int, *, after: float) -> float:
    if not 0 <= index < len(blocks):
        return 0.0
    return _gather_unit(queues, index, blocks[index], after=after)


def _gather_unit(queues: _Queues, index: int, unit: Unit, *, after: float) -> float:
    copied = queues.send("copy_in", index, unit.copy_in, of=unit, after=after)
    return queues.send("all_gather", index, unit.all_gather, of=unit, after=copied)


def _backward(
    queues: _Queues, blocks: Sequence[Unit], root: Unit, *, gathers: bool, prefetches: bool
) -> float:
    queues.run("backward", -1, root.backward)
    last = len(blocks) - 1
    # The root's parameters stay; the last block is gathered again like the others.
    ready = _gather(queues, blocks, last, after=queues.compute) if gathers else 0.0
    reduced = 0.0
    for index in range(last, -1, -1):
        block = blocks[index]
        if gathers:
            if not prefetches and index < last:
                ready = _gather(queues, blocks, index, after=queues.compute)
            copied = queues.run("copy", index, block.copy_out, after=ready)
            if prefetches:
                ready = _gather(queues, blocks, index - 1, after=copied)
        queues.run("forward", index, block.recompute)
        queues.run("backward", index, block.backward)
        reduced = _reduce(queues, index, block, previous=reduced)
    return _reduce(queues, -1, root, previous=reduced)


def _reduce(queues: _Queues, index: int, unit: Unit, *, previous: float) -> float:
    copied = queues.run("copy", index, unit.reduce_copy, after=previous)
    reduced = queues.send("reduce_scatter", index, unit.reduce_scatter, of=unit, after=copied)
    if not unit.all_reduce:
        return reduced
    return queues.send("all_reduce", index, unit.all_reduce, of=unit, after=reduced)
