"""Kernels to profile where a GPU is present: ``python -m bench_lib.roofline.live_kernels NAME``.

Each is one operation of torch on CUDA with fixed shapes, launched inside an NVTX range, so that
initialisation and warm-up can be left out of the report. asv imports the names; torch is imported
only when an operation runs.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any, Final

from bench_lib.errors import UnavailableError, UsageError

#: NVTX range around the launches that count.
RANGE: Final = "measured"
NUM_WARMUP: Final = 3
NUM_LAUNCHES: Final = 5
_ELEMENTS: Final = 2**26
_SIZE: Final = 4096

#: Name → what is prepared once, and what is then launched again and again.
OPERATIONS: Final = ("copy", "add", "gelu", "softmax", "layer-norm", "matmul-fp32", "matmul-bf16", "tiny")


def make(name: str, torch: Any) -> Callable[[], object]:
    """The operation ``name``, ready to launch.

    Shapes: 2²⁶ float32 elements for the element-wise ones, rows of 4096 for softmax and layer norm,
    4096×4096 for the products; ``tiny`` adds 256 elements.

    Raises
    ------
    UsageError
        There is none of that name.
    """
    functional = torch.nn.functional
    if name.startswith("matmul"):
        dtype = torch.bfloat16 if name.endswith("bf16") else torch.float32
        left = torch.randn(_SIZE, _SIZE, device="cuda", dtype=dtype)
        return lambda: left @ left
    x = torch.randn(256 if name == "tiny" else _ELEMENTS, device="cuda")
    rows = x.view(-1, _SIZE) if name in {"softmax", "layer-norm"} else x
    operations: dict[str, Callable[[], object]] = {
        "copy": x.clone,
        "add": lambda: x + x,
        "tiny": lambda: x + x,
        "gelu": lambda: functional.gelu(x),
        "softmax": lambda: functional.softmax(rows, dim=-1),
        "layer-norm": lambda: functional.layer_norm(rows, (_SIZE,)),
    }
    if name not in operations:
        raise UsageError.of("operation", found=name, expected=f"one of {', '.join(OPERATIONS)}")
    return operations[name]


def main(name: str) -> None:
    """Launch one operation: warm-up, then :data:`NUM_LAUNCHES` times inside the range."""
    torch: Any = importlib.import_module("torch")
    if not torch.cuda.is_available():
        raise UnavailableError("cuda-missing", "torch finds no CUDA device.")
    launch = make(name, torch)
    for _ in range(NUM_WARMUP):
        launch()
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_push(RANGE)
    for _ in range(NUM_LAUNCHES):
        launch()
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_pop()


if __name__ == "__main__":
    main(sys.argv[1])
