"""Chains of one op on llama.cpp's Vulkan back end, through the C interface of ggml in cyllama's wheel."""

from __future__ import annotations

import ctypes
import importlib.metadata
import os
from pathlib import Path
from typing import Any, Final

import numpy as np
from chains import EPS, LONG, SHORT, Work, arguments, blocks, serve, skip

_DISTRIBUTION: Final = "cyllama-vulkan"
_F32: Final = 0  # GGML_TYPE_F32 of ggml.h
#: Data type → GGML_TYPE_F32, _F16, _Q8_0 and _Q4_0.
_TYPES: Final = {"fp32": _F32, "fp16": 1, "int8": 8, "int4": 2}
_MOST_DEVICES: Final = 8


class _InitParams(ctypes.Structure):
    """``struct ggml_init_params`` of ggml.h."""

    _fields_ = [("mem_size", ctypes.c_size_t), ("mem_buffer", ctypes.c_void_p), ("no_alloc", ctypes.c_bool)]


def _library(name: str) -> ctypes.CDLL:
    try:
        files = importlib.metadata.files(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        skip(f"not installed: pip install {_DISTRIBUTION}")
    found = [Path(str(f.locate())) for f in files if f.name.startswith(f"lib{name}-") and ".so" in f.name]
    if not found:
        skip(f"{_DISTRIBUTION} brings no lib{name}")
    return ctypes.CDLL(str(found[0]), mode=ctypes.RTLD_GLOBAL)


def _declare(library: ctypes.CDLL, name: str, result: Any, *types: Any) -> Any:
    function = getattr(library, name)
    function.restype, function.argtypes = result, types
    return function


class Ggml:
    """The few functions of ggml.h, ggml-backend.h and ggml-vulkan.h that a chain needs."""

    def __init__(self) -> None:
        # In the order in which they need one another.
        base = _library("ggml-base")
        vulkan = _library("ggml-vulkan")
        p, n, i = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
        self.init = _declare(base, "ggml_init", p, _InitParams)
        self.tensor_overhead = _declare(base, "ggml_tensor_overhead", n)
        self.graph_overhead = _declare(base, "ggml_graph_overhead", n)
        self.new_graph = _declare(base, "ggml_new_graph", p, p)
        self.new_tensor = _declare(base, "ggml_new_tensor_2d", p, p, i, ctypes.c_int64, ctypes.c_int64)
        self.mul_mat = _declare(base, "ggml_mul_mat", p, p, p, p)
        self.mul = _declare(base, "ggml_mul", p, p, p, p)
        self.rms_norm = _declare(base, "ggml_rms_norm", p, p, p, ctypes.c_float)
        self.expand = _declare(base, "ggml_build_forward_expand", None, p, p)
        self.allocate = _declare(base, "ggml_backend_alloc_ctx_tensors", p, p, p)
        self.set = _declare(base, "ggml_backend_tensor_set", None, p, p, n, n)
        self.get = _declare(base, "ggml_backend_tensor_get", None, p, p, n, n)
        self.compute = _declare(base, "ggml_backend_graph_compute", i, p, p)
        self.device_count = _declare(vulkan, "ggml_backend_vk_get_device_count", i)
        self.describe = _declare(
            vulkan, "ggml_backend_vk_get_device_description", None, i, ctypes.c_char_p, n
        )
        self.open = _declare(vulkan, "ggml_backend_vk_init", p, n)


def main() -> None:
    """Serve the work of the command line."""
    work, device = arguments()
    if work.op == "rmsnorm" and work.dtype != "fp32":
        skip(f"llama.cpp has no RMSNorm in {work.dtype}")
    # Read once. A CPU device is left out unless it is named; products of float32 in float16 are another op.
    os.environ["GGML_VK_VISIBLE_DEVICES"] = ",".join(map(str, range(_count_devices())))
    if work.dtype == "fp32":
        os.environ["GGML_VK_DISABLE_F16"] = "1"
    ggml = Ggml()
    names = []
    for index in range(ggml.device_count()):
        text = ctypes.create_string_buffer(256)
        ggml.describe(index, text, 256)
        names.append(text.value.decode())
    if device not in names:
        skip(f"llama.cpp finds no device {device!r}, only {names}")
    backend = ggml.open(names.index(device))
    results, graphs = {}, {}
    for links in (SHORT, LONG):
        graphs[links], results[links] = _graph(ggml, work, links, backend)

    def run(links: int) -> None:
        if ggml.compute(backend, graphs[links]):
            skip("llama.cpp did not run the graph")

    def read(links: int) -> Any:
        made = np.empty(work.x.shape, np.float32)
        ggml.get(results[links], made.ctypes.data, 0, made.nbytes)
        return made.astype(np.float64)

    serve(work, {n: lambda n=n: run(n) for n in graphs}, read, device)


def _count_devices() -> int:
    """Vulkan's devices: ggml refuses a list that names one too many."""
    from bench_lib.edge.vulkan_devices import list_devices

    return min(_MOST_DEVICES, sum(facts.api == "vulkan" for facts in list_devices()))


def stored(work: Work) -> Any:
    """The weight as ggml's types lay it out: a block is its scale and its numbers, of int4 two a byte."""
    if work.dtype == "fp32":
        return work.weight
    if work.dtype == "fp16":
        return work.weight.astype(np.float16)
    levels, scales = blocks(work.weight, work.dtype)
    if work.dtype == "int8":
        numbers = levels.astype(np.int8).view(np.uint8)
    else:
        low, high = np.split((levels + 8).astype(np.uint8), 2, axis=-1)
        numbers = low | (high << 4)
    return np.ascontiguousarray(np.concatenate([scales[..., None].view(np.uint8), numbers], axis=-1))


def _graph(ggml: Ggml, work: Work, links: int, backend: int) -> tuple[int, int]:
    rows, cols = work.x.shape
    memory = ggml.graph_overhead() + ggml.tensor_overhead() * (2 * links + 8)
    context = ggml.init(_InitParams(memory, None, True))
    # Its shapes are the innermost length first.
    x = made = ggml.new_tensor(context, _F32, cols, rows)
    weight = ggml.new_tensor(context, _TYPES[work.dtype], cols, 1 if work.op == "rmsnorm" else cols)
    for _ in range(links):
        if work.op == "rmsnorm":
            made = ggml.mul(context, ggml.rms_norm(context, made, EPS), weight)
        else:
            made = ggml.mul_mat(context, weight, made)
    graph = ggml.new_graph(context)
    ggml.expand(graph, made)
    if not ggml.allocate(context, backend):
        skip("llama.cpp got no memory")
    for tensor, array in ((x, work.x), (weight, stored(work))):
        ggml.set(tensor, array.ctypes.data, 0, array.nbytes)
    return graph, made


if __name__ == "__main__":
    main()
    # Its destructors run after the driver's.
    os._exit(0)
