"""Records of the edge family, grouped as pages show them: a device, a session, what is comparable. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bench_lib.edge.break_even import TRANSFER
from bench_lib.edge.device_roofs import ROOF, DeviceRoofs, roofs_of
from bench_lib.model import Run
from bench_lib.stats import Summary, summarize

KERNEL: Final = "edge.Kernel"
_OWN: Final = frozenset({KERNEL, ROOF, TRANSFER})


def kernel_label(run: Run) -> str:
    """What a kernel's row is called: op, data type and whatever else tells it from others."""
    p = run.params
    names = [str(p.get(name)) for name in ("op", "dtype", "algorithm", "variant") if p.get(name)]
    return " ".join(names) or "unknown"


def summary(run: Run, metric: str) -> Summary | None:
    """Median and interval of a metric; ``None`` where it is missing or its samples are no times."""
    found = run.measurement(metric)
    if run.status != "ok" or found is None or not found.samples:
        return None
    if not all(math.isfinite(s) and s > 0 for s in found.samples):
        return None
    return summarize(found.samples)


@dataclass(frozen=True)
class Session:
    """Runs made one after another on one device; only these are placed under each other's roofs."""

    hardware: str
    runs: tuple[Run, ...]

    @property
    def started(self) -> str:
        """Its latest start."""
        return max(r.environment.started for r in self.runs)

    @property
    def roofs(self) -> DeviceRoofs | None:
        """The device's roofs, where this session measured them."""
        return roofs_of(r for r in self.runs if r.benchmark == ROOF)

    @property
    def kernels(self) -> tuple[Run, ...]:
        """Runs of kernels that gave figures, by label and sizes."""
        found = [r for r in self.runs if r.benchmark == KERNEL and summary(r, "dispatch_time")]
        return tuple(sorted(found, key=lambda r: (kernel_label(r), str(r.params.get("sizes")))))

    @property
    def roof_runs(self) -> tuple[Run, ...]:
        """Runs of roofs, whatever came of them."""
        return tuple(r for r in self.runs if r.benchmark == ROOF)

    @property
    def transfers(self) -> tuple[Run, ...]:
        """Runs of transfers that gave figures."""
        return tuple(r for r in self.runs if r.benchmark == TRANSFER and summary(r, "transfer_time"))

    @property
    def without_figures(self) -> tuple[Run, ...]:
        """Runs that were skipped, failed or timed out."""
        return tuple(r for r in self.runs if r.status != "ok")

    @property
    def is_software(self) -> bool:
        """Whether the device is one; a record that does not say so is taken for one: it then meets no GPU."""
        kinds = {r.details.get("device_kind") for r in self.runs}
        return "gpu" not in kinds or "software" in kinds

    @property
    def drifting(self) -> tuple[Run, ...]:
        """Kernels whose samples have a trend."""
        return tuple(r for r in self.kernels if r.details.get("drifts") or r.details.get("cold_drifts"))


def sessions(runs: Iterable[Run]) -> tuple[Session, ...]:
    """Sessions by device, GPUs first; of a device, the newest first."""
    grouped: dict[tuple[str, str, str, str], list[Run]] = {}
    for run in runs:
        if run.benchmark in _OWN:
            # Results of two versions, or measured and imported ones, are never in one table.
            key = (run.hardware, run.session or run.environment.started, run.origin, run.version)
            grouped.setdefault(key, []).append(run)
    made = [Session(key[0], tuple(members)) for key, members in grouped.items()]
    made.sort(key=lambda s: s.started, reverse=True)
    made.sort(key=lambda s: (s.is_software, s.hardware))
    return tuple(made)


def by_device(found: Sequence[Session]) -> dict[str, list[Session]]:
    """Sessions of each device, in the order of :func:`sessions`."""
    devices: dict[str, list[Session]] = {}
    for session in found:
        devices.setdefault(session.hardware, []).append(session)
    return devices
