"""What asv tracks of the edge family: kernels, roofs and transfers on one device, short enough for CI.

The device is the machine's: the environment variable :data:`DEVICE_VARIABLE`, or the only GPU, or the only
device. Parameters name work and never a device, so that every machine has the same.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench_lib.edge.jobs import TRANSFER_BYTES, KernelJob, RoofJob, TransferJob
from bench_lib.edge.kernel import KERNELS_FOLDER
from bench_lib.edge.kernel_file import read_kernel_file
from bench_lib.edge.kernel_reader import ops
from bench_lib.edge.measure import find_device, measure_kernel, measure_roofs, measure_transfers
from bench_lib.edge.runtime import MEMORY_MODES
from bench_lib.edge.timing import TimingPlan
from bench_lib.hardware import Machine
from bench_lib.model import Run

#: Names the device to measure, where a machine has several.
DEVICE_VARIABLE: Final = "BENCH_LIB_EDGE_DEVICE"

ROOF_DTYPES: Final = ("fp32", "fp16")
ROOFS: Final = ("copy", *(f"matrix-{dtype}" for dtype in ROOF_DTYPES))
TRANSFERS: Final = (MEMORY_MODES, TRANSFER_BYTES)

_KERNEL_PLAN: Final = TimingPlan(num_samples=10, series_s=2.0)
_ROOF_PLAN: Final = TimingPlan(num_samples=10, series_s=1.0)
_TRANSFER_PLAN: Final = TimingPlan(num_samples=10, series_s=0.25)


def wanted_device() -> str | None:
    """What the machine's configuration names; ``None`` for the only one."""
    return os.environ.get(DEVICE_VARIABLE) or None


def machine_name(machine: Machine) -> str:
    """What asv calls a machine: its hardware's slug, or the device that its configuration names.

    So each device is a series of its own. Two alike have one slug, and differ here by their place.

    Raises
    ------
    UsageError, UnavailableError
        There is no such device.
    """
    wanted = wanted_device()
    return machine.hardware.slug if wanted is None else _selector(wanted).replace(":", "-")


@functools.cache
def _selector(wanted: str) -> str:
    return find_device(wanted).selector


def kernel_names() -> list[str]:
    """``<op> <dtype>`` of every kernel of the project."""
    files = {op: read_kernel_file(KERNELS_FOLDER / op / "kernel.toml") for op in ops()}
    return [
        f"{op} {dtype}"
        for op, file in files.items()
        for dtype in dict.fromkeys(v.dtype for v in file.variants)
    ]


def kernel_run(name: str, *, root: Path) -> Run:
    """Times of one kernel at the op's first shape."""
    op, _, dtype = name.partition(" ")
    job = KernelJob(device=wanted_device(), kernel=op, dtype=dtype, plan=_KERNEL_PLAN)
    return measure_kernel(job, root=root)


def roof_runs(*, root: Path) -> Sequence[Run]:
    """The device's roofs."""
    return measure_roofs(RoofJob(device=wanted_device(), dtypes=ROOF_DTYPES, plan=_ROOF_PLAN), root=root)


def transfer_runs(*, root: Path) -> Sequence[Run]:
    """Transfers of every size in every memory mode."""
    return measure_transfers(TransferJob(device=wanted_device(), plan=_TRANSFER_PLAN), root=root)
