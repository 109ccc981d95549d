"""Chains of one op, for programs that run them with another framework's kernels, once a line of their input.

A call of a framework also copies its input and output and enters its runtime. The difference of two chains
that differ in length alone is the kernels' own time. A link takes the result of the one before it, so that
no two run side by side and none is left out.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import numpy as np

#: Links of the two chains.
SHORT: Final = 1
LONG: Final = 5

#: Data type → the most that a chain may be off, of its largest value. Of float32 more than rounding over
#: these sizes, less than float16 anywhere inside. Float16 is rounded at every link, and some frameworks sum
#: in it; with weights in blocks, some round x to int8.
MOST_ERROR: Final = {"fp32": 1e-5, "fp16": 2e-2, "int8": 3e-2, "int4": 3e-2}
#: Columns that share a scale, in int8 and int4.
BLOCK: Final = 32
EPS: Final = 1e-6


@dataclass(frozen=True)
class Work:
    """One op on one shape.

    Parameters
    ----------
    dtype
        ``fp32``; ``fp16``, in which x and the weight are stored; ``int8`` or ``int4``, in which the weight
        alone is, in blocks of 32 columns with a float16 scale. Arrays are float32 and hold what is stored.
    x
        What the first link takes: (rows, cols); for gemv (1, cols).
    weight
        (cols, cols): a link gives ``x @ weight.T``. For rmsnorm (cols,), and a link gives the norm times it.
    """

    op: str
    x: Any
    weight: Any
    dtype: str = "fp32"

    def result(self, links: int) -> Any:
        """Result of a chain in float64."""
        x, weight = self.x.astype(np.float64), self.weight.astype(np.float64)
        for _ in range(links):
            if self.op == "rmsnorm":
                x = x / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + EPS) * weight
            else:
                x = x @ weight.T
        return x


def work(op: str, rows: int, cols: int, dtype: str = "fp32") -> Work:
    """Inputs, the same at every call, and such that no chain grows or shrinks."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((rows, cols), dtype=np.float32)
    if op == "rmsnorm":
        weight = rng.uniform(0.5, 1.5, cols).astype(np.float32)
    else:
        weight = rng.standard_normal((cols, cols), dtype=np.float32) / np.float32(np.sqrt(cols))
    if dtype == "fp16":
        x, weight = (array.astype(np.float16).astype(np.float32) for array in (x, weight))
    elif dtype in ("int8", "int4"):
        levels, scales = blocks(weight, dtype)
        weight = (levels * scales.astype(np.float32)[..., None]).reshape(weight.shape)
    return Work(op, x, weight, dtype)


def blocks(weight: Any, dtype: str) -> tuple[Any, Any]:
    """Whole numbers (..., blocks, 32) and float16 scales (..., blocks) of ``weight``, of whole blocks."""
    grouped = weight.reshape(*weight.shape[:-1], -1, BLOCK)
    most = 127 if dtype == "int8" else 7
    scales = (np.abs(grouped).max(axis=-1) / most).astype(np.float16)
    divisor = np.where(scales > 0, scales, 1).astype(np.float32)[..., None]
    return np.clip(np.rint(grouped / divisor), -most, most), scales


def skip(reason: str) -> NoReturn:
    """End the program: the framework cannot be compared here."""
    print(json.dumps({"skip": reason}), flush=True)
    sys.exit(0)


def serve(
    work: Work, chains: dict[int, Callable[[], object]], read: Callable[[int], Any], device: str
) -> None:
    """Check both chains, then time them at each line: processor and host seconds of one link.

    Parameters
    ----------
    chains
        By length: runs the chain and waits for its end.
    read
        The result of the chain of that length, after it ran.
    device
        What the framework calls the device that it runs on.
    """
    worst = 0.0
    for links, run in chains.items():
        run()
        wanted = work.result(links)
        error = float(np.max(np.abs(read(links).reshape(wanted.shape) - wanted)) / np.max(np.abs(wanted)))
        most = MOST_ERROR[work.dtype]
        if not error <= most:
            skip(f"its result is off by {error:.2g} of the largest value; {work.dtype} allows {most:g}")
        worst = max(worst, error)
    print(json.dumps({"device": device, "error": worst}), flush=True)
    for _ in sys.stdin:
        taken = {}
        for links, run in chains.items():
            cpu, wall = time.process_time(), time.perf_counter()
            run()
            taken[links] = (time.process_time() - cpu, time.perf_counter() - wall)
        seconds = [
            (long - short) / (LONG - SHORT) for long, short in zip(taken[LONG], taken[SHORT], strict=True)
        ]
        print(json.dumps({"cpu_s": seconds[0], "wall_s": seconds[1]}), flush=True)


def arguments() -> tuple[Work, str]:
    """Work and the device's name, from the command line: OP DTYPE ROWS COLS DEVICE."""
    op, dtype, rows, cols, device = sys.argv[1:]
    return work(op, int(rows), int(cols), dtype), device
