"""What this machine tells of its temperature and of the energy its processors took, in read-only files.

**Source**: Linux, ``Documentation/power/powercap/powercap.rst`` (``energy_uj`` wraps at
``max_energy_range_uj``); temperatures as psutil reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psutil

_ROOT: Final = Path("/sys/class/powercap")


@dataclass(frozen=True)
class Reading:
    """State at one instant.

    Parameters
    ----------
    temperature_c
        The hottest sensor, in °C; ``None`` where none is told.
    energy_uj
        Package → its counter and the value at which that wraps, in µJ; empty where none may be read.
    """

    temperature_c: float | None
    energy_uj: Mapping[str, tuple[int, int]]


def read(root: Path = _ROOT) -> Reading:
    """The present state."""
    return Reading(_temperature_c(), _packages(root))


def energy_j(before: Reading, after: Reading) -> float | None:
    """Joules that all packages took between two readings less than one wrap apart; ``None`` if unknown."""
    common = before.energy_uj.keys() & after.energy_uj.keys()
    if not common:
        return None
    total = 0
    for name in common:
        used = after.energy_uj[name][0] - before.energy_uj[name][0]
        total += used if used >= 0 else used + after.energy_uj[name][1]
    return total / 1e6


def _temperature_c() -> float | None:
    # Only Linux and FreeBSD builds of psutil have it.
    read_sensors: Callable[[], Mapping[str, Any]] = getattr(psutil, "sensors_temperatures", dict)
    return max((s.current for group in read_sensors().values() for s in group if s.current), default=None)


def _packages(root: Path) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for folder in root.glob("intel-rapl:*"):
        # intel-rapl:0:1 lies within intel-rapl:0, and would count twice.
        if folder.name.count(":") != 1:
            continue
        try:
            energy, wrap = (int((folder / f).read_text()) for f in ("energy_uj", "max_energy_range_uj"))
        except (OSError, ValueError):
            # Most systems let only root read them.
            continue
        found[folder.name] = (energy, wrap)
    return found
