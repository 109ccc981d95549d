"""How many sets of buffers a cold measurement has to go round."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench_lib.units import MIB

_CPU_CACHES: Final = Path("/sys/devices/system/cpu/cpu0/cache")
#: As large as the largest last-level cache of a GPU known here (AMD's MI300X); Vulkan and Metal name none.
UNKNOWN_CACHE_BYTES: Final = 256 * MIB
#: What goes round is this many times the cache: with less, part of it would still be there.
_TURNS: Final = 2
#: Buffers are allocations of their own, and drivers allow about 4,000.
MAX_SETS: Final = 256
_SCALES: Final = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}


def cpu_cache_bytes(folder: Path = _CPU_CACHES) -> int | None:
    """Size of the processor's largest cache as Linux gives it; ``None`` where it gives none."""
    sizes = []
    for path in sorted(folder.glob("index*/size")):
        match = re.fullmatch(r"(\d+)([KMG]?)\s*", path.read_text(encoding="ascii", errors="replace"))
        if match:
            sizes.append(int(match[1]) * _SCALES[match[2]])
    return max(sizes, default=None)


@dataclass(frozen=True)
class Rotation:
    """Sets of buffers to go round so that none is in a cache when its turn comes.

    ``reason`` says why there is no cold measurement; ``num_sets`` is then 0.
    """

    num_sets: int
    working_set_bytes: int
    cache_bytes: int
    reason: str = ""


def plan_rotation(set_bytes: int, *, cache_bytes: int, memory_bytes: int) -> Rotation:
    """Number of sets of ``set_bytes`` that exceed ``cache_bytes`` twice, within ``memory_bytes``."""
    if set_bytes == 0:
        return Rotation(0, 0, cache_bytes, "the op moves no bytes")
    num_sets = max(2, -(-_TURNS * cache_bytes // set_bytes) + 1)
    if num_sets > MAX_SETS:
        reason = (
            f"{num_sets} sets of {set_bytes} bytes would be needed to pass the cache; the most is {MAX_SETS}"
        )
        return Rotation(0, 0, cache_bytes, reason)
    if num_sets * set_bytes > memory_bytes:
        reason = f"{num_sets * set_bytes} bytes would be needed to pass the cache; {memory_bytes} may be used"
        return Rotation(0, 0, cache_bytes, reason)
    return Rotation(num_sets, num_sets * set_bytes, cache_bytes)
