"""Ceilings measured on this machine: copy bandwidth and matrix-product rate.

Peaks on paper are not reached by any program; what a copy and a GEMM reach is the roof to compare a
kernel with. On the CPU numpy does both, with the threads of its BLAS; on CUDA, torch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import numpy as np

from bench_lib.clocks import Clock, CudaEventClock, HostClock
from bench_lib.errors import DamagedFileError, UnavailableError, UsageError
from bench_lib.hardware.detect import detect_cpu
from bench_lib.placement import Placement, place_under
from bench_lib.roofline.roofs import Roofs
from bench_lib.sampling import Plan, collect

Device = Literal["cpu", "cuda"]
#: Far beyond the last-level caches of the CPUs and GPUs that were seen.
COPY_BYTES: Final = 512 * 1024**2
_PRECISIONS: Final[dict[Device, tuple[str, ...]]] = {"cpu": ("fp64", "fp32"), "cuda": ("fp32", "bf16")}


@dataclass(frozen=True)
class Ceilings:
    """Best samples of this machine.

    Parameters
    ----------
    device
        ``cpu`` or ``cuda``.
    name
        The processor's or GPU's own name.
    copy_bytes_per_s
        Bytes read plus bytes written over time. A CPU that first reads the lines it writes moves
        half as much again.
    flop_per_s
        2·n³ over time, by precision.
    copy_bytes, gemm_size
        Bytes of the array copied; n.
    """

    device: Device
    name: str
    copy_bytes_per_s: float
    flop_per_s: dict[str, float]
    copy_bytes: int
    gemm_size: int

    @property
    def roofs(self) -> Roofs:
        """The ceilings as roofs to draw or to place a kernel against."""
        return Roofs(flop_per_s=self.flop_per_s, bytes_per_s={"dram": self.copy_bytes_per_s})


SCHEMA: Final = 1


def read_ceilings(path: Path) -> Ceilings:
    """What ``bench-lib ceilings --json`` wrote.

    Raises
    ------
    DamagedFileError
        The file is something else, or a rate in it is not positive.
    """
    try:
        document = msgspec.json.decode(path.read_bytes(), type=_Document)
    except (OSError, msgspec.DecodeError) as error:
        raise DamagedFileError(
            path, found=str(error), expected="output of bench-lib ceilings --json"
        ) from error
    found = document.ceilings
    rates = {"copy_bytes_per_s": found.copy_bytes_per_s, **found.flop_per_s}
    for name, rate in rates.items():
        if not 0 < rate < float("inf"):
            raise DamagedFileError(path, found=f"{name} {rate!r}", expected="a positive rate")
    return found


class _Document(msgspec.Struct):
    schema: Literal[1]
    ceilings: Ceilings


def place(
    ceilings: Ceilings, *, flop: float, num_bytes: float, duration_s: float, precision: str
) -> Placement:
    """Place a kernel of known work, such as one that runs on the CPU.

    Raises
    ------
    UsageError
        A figure is not positive, or the precision was not measured.
    """
    for name, value in (("flop", flop), ("num_bytes", num_bytes), ("duration_s", duration_s)):
        if not value > 0:
            raise UsageError.of(name, found=value, expected="a positive number")
    if precision not in ceilings.flop_per_s:
        raise UsageError.of("precision", found=precision, expected=f"one of {', '.join(ceilings.flop_per_s)}")
    return place_under(
        flop=flop,
        num_bytes=num_bytes,
        duration_s=duration_s,
        bytes_per_s=ceilings.copy_bytes_per_s,
        peak_flop_per_s=ceilings.flop_per_s[precision],
    )


def measure(
    *,
    device: Device = "cpu",
    copy_bytes: int = COPY_BYTES,
    gemm_size: int = 2048,
    plan: Plan | None = None,
    clock: Clock[Any] | None = None,
) -> Ceilings:
    """Measure this machine's ceilings: the fastest sample of each, since a ceiling is what can be reached.

    Raises
    ------
    UnavailableError
        CUDA was asked for, and torch finds none.
    """
    plan = plan or Plan(num_samples=10, num_warmup=2)
    name, copy, gemms = (
        _cpu_bodies(copy_bytes, gemm_size) if device == "cpu" else _cuda_bodies(copy_bytes, gemm_size)
    )
    if clock is None:
        clock = HostClock() if device == "cpu" else CudaEventClock()
    copy_s = min(collect(copy, clock=clock, plan=plan))
    flop_per_s = {
        precision: 2 * gemm_size**3 / min(collect(gemm, clock=clock, plan=plan))
        for precision, gemm in gemms.items()
    }
    return Ceilings(device, name, 2 * copy_bytes / copy_s, flop_per_s, copy_bytes, gemm_size)


_Body = Callable[[int], object]


def _product(matmul: Callable[..., object], operand: object, result: object) -> _Body:
    return lambda _: matmul(operand, operand, out=result)


def _cpu_bodies(copy_bytes: int, size: int) -> tuple[str, _Body, dict[str, _Body]]:
    source = np.ones(copy_bytes // 8)
    target = np.zeros_like(source)
    gemms: dict[str, _Body] = {}
    for precision, dtype in (("fp64", np.float64), ("fp32", np.float32)):
        left = np.full((size, size), 0.5, dtype=dtype)
        result = np.zeros_like(left)
        gemms[precision] = _product(np.matmul, left, result)
    return detect_cpu().name, lambda _: np.copyto(target, source), gemms


def _cuda_bodies(copy_bytes: int, size: int) -> tuple[str, _Body, dict[str, _Body]]:
    try:
        import torch
    except ImportError as error:
        raise UnavailableError("torch-missing", "CUDA ceilings need torch.") from error
    if not torch.cuda.is_available():
        raise UnavailableError(
            "cuda-missing", "torch finds no CUDA device.", remedy="Measure the CPU: --device cpu."
        )
    source = torch.ones(copy_bytes // 4, device="cuda")
    target = torch.zeros_like(source)
    gemms: dict[str, _Body] = {}
    for precision, dtype in (("fp32", torch.float32), ("bf16", torch.bfloat16)):
        left = torch.full((size, size), 0.5, device="cuda", dtype=dtype)
        result = torch.zeros_like(left)
        gemms[precision] = _product(torch.matmul, left, result)
    return str(torch.cuda.get_device_name()), lambda _: target.copy_(source), gemms
