"""What a link reaches when nothing else uses it: bus bandwidth of collectives by size.

Bandwidths are nccl-tests': the algorithm's is bytes over time; the bus's is what a ring carries over each
link, (n - 1) / n of the tensor for an all-gather or a reduce-scatter.

**Source**: nccl-tests, doc/PERFORMANCE.md.
"""

from __future__ import annotations

import bisect
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench_lib.errors import DamagedFileError
from bench_lib.fsdp2.trace import bus_bytes
from bench_lib.stats import summarize

KINDS: Final = ("all-gather", "reduce-scatter")
SMALLEST_BYTES: Final = 1024
LARGEST_BYTES: Final = 1024**3
#: Stands in a launch's configuration where a preset would.
JOB: Final = "links"
REPEATS: Final = 7
WARMUP: Final = 2
#: Up to this size the delay of a barrier could be much of a call, so many calls share it.
_MANY_UP_TO: Final = 1024**2
#: Sizes above this are repeated less often, and so long that the barrier does not matter.
_FEWER_ABOVE: Final = 64 * 1024**2


@dataclass(frozen=True)
class Point:
    """One collective at one size: ``times_s`` are the slowest rank's, a call's mean of each repeat."""

    kind: str
    num_bytes: int
    group_size: int
    times_s: tuple[float, ...]

    @property
    def median_s(self) -> float:
        return summarize(self.times_s).median

    @property
    def bus_bytes_per_s(self) -> float:
        return bus_bytes(self.kind, self.num_bytes, self.group_size) / self.median_s


@dataclass(frozen=True)
class Ceiling:
    """Bus bandwidth over size for one kind of collective; sizes ascend."""

    sizes: tuple[float, ...]
    rates: tuple[float, ...]

    def bus_bytes_per_s(self, num_bytes: float) -> float:
        """At a size between two that were measured: on the line between them, over the logarithm of sizes."""
        at = bisect.bisect_left(self.sizes, num_bytes)
        if at == 0 or at == len(self.sizes):
            return self.rates[min(at, len(self.rates) - 1)]
        low, high = self.sizes[at - 1], self.sizes[at]
        share = math.log(num_bytes / low) / math.log(high / low)
        return self.rates[at - 1] + share * (self.rates[at] - self.rates[at - 1])


def sizes(*, num_ranks: int, available_bytes: float, largest: int = LARGEST_BYTES) -> list[int]:
    """Tensor sizes of the sweep, each four times the one before: as many as fit into memory.

    Every rank on the machine holds the whole tensor and its part, and gloo copies of both.
    """
    made, size = [], SMALLEST_BYTES
    while size <= largest:
        whole = -(-size // (num_ranks * 4)) * num_ranks * 4
        if 4 * whole * num_ranks > available_bytes:
            break
        made.append(whole)
        size *= 4
    return made


def repeats(num_bytes: int) -> int:
    """How often a size is measured."""
    return REPEATS if num_bytes <= _FEWER_ABOVE else 3


def calls_on_end(num_bytes: int) -> int:
    """Calls that a repeat times together; 20 is what nccl-tests takes."""
    if num_bytes <= _MANY_UP_TO:
        return 20
    return 4 if num_bytes <= _FEWER_ABOVE else 1


def ceilings_of(path: Path) -> dict[str, Ceiling]:
    """Ceilings from the document of ``bench-lib fsdp2 links --json``.

    Raises
    ------
    DamagedFileError
        It is something else.
    """
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        made: dict[str, Ceiling] = {}
        for kind in KINDS:
            points = sorted(
                (float(p["num_bytes"]), float(p["bus_bytes_per_s"]))
                for p in document["points"]
                if p["kind"] == kind
            )
            if points and all(s > 0 and 0 < r < math.inf for s, r in points):
                made[kind] = Ceiling(tuple(s for s, _ in points), tuple(r for _, r in points))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedFileError(
            path,
            found=str(error) or type(error).__name__,
            expected="what bench-lib fsdp2 links --json prints",
        ) from error
    return made
