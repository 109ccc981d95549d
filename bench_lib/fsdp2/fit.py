"""Does a training step fit into a device's memory, and what is the largest batch that does?

Allocated memory is what tensors take, and is tracked. What a device must have is reserved memory: the
caching allocator's segments, fragmentation included. That is modelled from what each of its pools holds, as
in :mod:`bench_lib.fsdp2.step_model.peak_memory`, with the model's error carried on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from bench_lib.fsdp2 import variants
from bench_lib.fsdp2.step_model.constants import built_in
from bench_lib.fsdp2.step_model.prediction import LEVEL, Interval, reserved_bytes
from bench_lib.fsdp2.tracked_memory import Question, TrackedMemory
from bench_lib.model import Hardware

#: No batch beyond it is looked for.
MAX_BATCH: Final = 65_536

#: Names the model of reserved memory in documents.
RESERVED_MODEL: Final = "allocator-pools"

Verdict = Literal["yes", "no", "undecided"]


def reserved(tracked: TrackedMemory) -> Interval:
    """Reserved bytes of a tracked step, by the same model and constants as a prediction's."""
    overhead = built_in().reserved_memory
    return reserved_bytes(tracked.pools, allocated=tracked.peak_bytes, overhead=overhead)


@dataclass(frozen=True)
class Fit:
    """Whether a peak fits into ``capacity_bytes``.

    The range of reserved memory is the model's 90 % interval. ``largest_batch`` is by the estimate,
    ``largest_batch_sure`` by its upper bound; 0 where not even the smallest batch fits. Pools are what
    tensors take of each, without what is lost between them.
    """

    hardware: str
    capacity_bytes: float
    reserved_bytes: float
    reserved_low_bytes: float
    reserved_high_bytes: float
    reserved_by_pool_bytes: dict[str, float]
    fits: Verdict
    largest_batch: int
    largest_batch_sure: int


def model_document() -> dict[str, Any]:
    """The model of reserved memory, for a reader of ``--json``."""
    overhead = built_in().reserved_memory
    return {"name": RESERVED_MODEL, "interval_level": LEVEL, **dataclasses.asdict(overhead)}


def verdict(needed: Interval, *, capacity: float) -> Verdict:
    """``undecided`` where the limit lies within the interval."""
    if needed.high <= capacity:
        return "yes"
    return "no" if needed.low > capacity else "undecided"


def fit(
    tracked: TrackedMemory, *, hardware: Hardware, capacity: float, track: Callable[[Question], TrackedMemory]
) -> Fit:
    """Compare a tracked peak with a device, and look for the largest batch.

    ``track`` answers for other batches.
    """
    needed = reserved(tracked)
    step = variants.find(tracked.question.variant).num_micro_batches
    known = {tracked.batch_per_rank: needed}

    def need(batch: int) -> Interval:
        if batch not in known:
            known[batch] = reserved(track(dataclasses.replace(tracked.question, batch_per_rank=batch)))
        return known[batch]

    return Fit(
        hardware=hardware.slug,
        capacity_bytes=capacity,
        reserved_bytes=needed.value,
        reserved_low_bytes=needed.low,
        reserved_high_bytes=needed.high,
        reserved_by_pool_bytes=dataclasses.asdict(tracked.pools),
        fits=verdict(needed, capacity=capacity),
        largest_batch=largest_batch(lambda b: need(b).value, limit=capacity, step=step),
        largest_batch_sure=largest_batch(lambda b: need(b).high, limit=capacity, step=step),
    )


def largest_batch(need: Callable[[int], float], *, limit: float, step: int = 1) -> int:
    """The largest multiple of ``step`` whose ``need`` is at most ``limit``; 0 where there is none.

    ``need`` grows with the batch, in a line over long stretches: each guess is where a line through the
    two nearest known batches meets the limit, and the answer is one that was asked, as was the next batch.
    """
    needs = {0: 0.0}

    def fits(multiple: int) -> bool:
        if multiple not in needs:
            needs[multiple] = need(multiple * step)
        return needs[multiple] <= limit

    if not fits(1):
        return 0
    most = MAX_BATCH // step
    good, bad = 1, most + 1
    guess = 2
    while bad - good > 1:
        guess = min(max(guess, good + 1), bad - 1)
        if fits(guess):
            good = guess
        else:
            bad = guess
        below = max(m for m in needs if 0 < m < max(good, 2)) if len(needs) > 2 else good
        other = bad if bad in needs else below
        if other == good:
            guess = 2 * good
            continue
        slope = (needs[other] - needs[good]) / (other - good)
        guess = good + int((limit - needs[good]) / slope) if slope > 0 else 2 * good
        # A line that ends where we stand says that the next batch decides.
        guess = max(guess, good + 1)
    return good * step
