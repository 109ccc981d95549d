"""Chains of one op on the Vulkan kernels that IREE compiles, through its wheels."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np
from chains import EPS, LONG, SHORT, Work, arguments, serve, skip

#: Sums are float32, as ours are; a result in float16 is rounded once.
_PRODUCT: Final = """
    %zero{i} = arith.constant 0.0 : f32
    %empty{i} = tensor.empty() : {sums}
    %clear{i} = linalg.fill ins(%zero{i} : f32) outs(%empty{i} : {sums}) -> {sums}
    {product} = linalg.{named} ins({factors}) outs(%clear{i} : {sums}) -> {sums}
    {rounded}
"""
_NORM: Final = """
    %zero{i} = arith.constant 0.0 : f32
    %cols{i} = arith.constant {cols}.0 : f32
    %eps{i} = arith.constant {eps:e} : f32
    %empty{i} = tensor.empty() : tensor<{rows}xf32>
    %clear{i} = linalg.fill ins(%zero{i} : f32) outs(%empty{i} : tensor<{rows}xf32>) -> tensor<{rows}xf32>
    %squares{i} = linalg.generic {{
        indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>],
        iterator_types = ["parallel", "reduction"]
      }} ins(%x{i} : {type}) outs(%clear{i} : tensor<{rows}xf32>) {{
      ^bb0({v}: {element}, %s: f32):
        {widen_v}
        %p = arith.mulf %v, %v : f32
        %t = arith.addf %p, %s : f32
        linalg.yield %t : f32
    }} -> tensor<{rows}xf32>
    %made{i} = tensor.empty() : {type}
    %y{i} = linalg.generic {{indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>,
        affine_map<(r, c) -> (c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}}
        ins(%x{i}, %squares{i}, %w : {type}, tensor<{rows}xf32>, {weight}) outs(%made{i} : {type}) {{
      ^bb0({v}: {element}, %s: f32, {g}: {element}, %o: {element}):
        {widen_v}
        {widen_g}
        %m = arith.divf %s, %cols{i} : f32
        %a = arith.addf %m, %eps{i} : f32
        %q = math.rsqrt %a : f32
        %n = arith.mulf %v, %q : f32
        %t = arith.mulf %n, %g : f32
        {narrow}
        linalg.yield {t} : {element}
    }} -> {type}
"""

#: Data type → MLIR's name of it.
_ELEMENTS: Final = {"fp32": "f32", "fp16": "f16"}
#: Names of numbers as they are stored, and the lines that convert them, where they are not float32 already.
_CONVERSIONS: Final = {
    "f32": {
        "v": "%v",
        "g": "%g",
        "t": "%t",
        "product": "%y{i}",
        "rounded": "",
        "widen_v": "",
        "widen_g": "",
        "narrow": "",
    },
    "f16": {
        "v": "%v16",
        "g": "%g16",
        "t": "%t16",
        "product": "%sums{i}",
        "rounded": "%y{i} = arith.truncf %sums{i} : {sums} to {type}",
        "widen_v": "%v = arith.extf %v16 : f16 to f32",
        "widen_g": "%g = arith.extf %g16 : f16 to f32",
        "narrow": "%t16 = arith.truncf %t : f32 to f16",
    },
}


def shapes_of(work: Work) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of x and of the weight as the module takes them."""
    return (work.x.shape[1:] if work.op == "gemv" else work.x.shape), work.weight.shape


def module_text(work: Work, links: int) -> str:
    """A chain as MLIR. A barrier between links keeps two of them from becoming one kernel."""
    element = _ELEMENTS[work.dtype]
    x_shape, weight_shape = ("x".join(map(str, shape)) for shape in shapes_of(work))
    x_type, weight, sums = (
        f"tensor<{x_shape}x{element}>",
        f"tensor<{weight_shape}x{element}>",
        f"tensor<{x_shape}xf32>",
    )
    rows, cols = work.x.shape
    named, factors = {
        "gemm": ("matmul", "%x{i}, %w : {type}, {weight}"),
        "gemv": ("matvec", "%w, %x{i} : {weight}, {type}"),
        "rmsnorm": ("", ""),
    }[work.op]
    body = []
    for i in range(links):
        facts = {
            "i": i,
            "type": x_type,
            "weight": weight,
            "rows": rows,
            "cols": cols,
            "eps": EPS,
            "sums": sums,
            "element": element,
        }
        facts |= {name: text.format(**facts) for name, text in _CONVERSIONS[element].items()}
        template = _NORM if work.op == "rmsnorm" else _PRODUCT
        body.append(template.format(**facts, named=named, factors=factors.format(**facts)))
        body.append(f"    %x{i + 1} = util.optimization_barrier %y{i} : {x_type}\n")
    head = f"  func.func @chain(%x0: {x_type}, %w: {weight}) -> {x_type} {{\n"
    return "module {\n" + head + "".join(body) + f"    return %x{links} : {x_type}\n  }}\n}}\n"


class Chain:
    """A compiled chain and its inputs on the device."""

    def __init__(self, runtime: Any, config: Any, work: Work, links: int) -> None:
        from iree import compiler

        flags = os.environ.get("BENCH_LIB_IREE_FLAGS", "").split()
        try:
            code = compiler.compile_str(
                module_text(work, links), target_backends=["vulkan-spirv"], extra_args=flags
            )
        except compiler.CompilerToolError as error:
            said = [line for line in str(error).splitlines() if "error:" in line]
            skip(f"IREE does not compile it: {said[0].strip() if said else 'no reason given'}")
        module = runtime.VmModule.copy_buffer(config.vm_instance, code)
        self._runtime, self._device = runtime, config.device
        self._function = runtime.load_vm_module(module, config).chain
        # A linear layer's weight the other way round is as constant as it was.
        weight = np.ascontiguousarray(work.weight.T) if work.op == "gemm" else work.weight
        x = work.x.reshape(shapes_of(work)[0])
        self._type = np.dtype(np.float16 if work.dtype == "fp16" else np.float32)
        arrays = (array.astype(self._type) for array in (x, weight))
        self._inputs = [runtime.asdevicearray(config.device, array) for array in arrays]
        self._result: Any = None

    def run(self) -> None:
        """Call it; it returns when the device has ended."""
        self._result = self._function(*self._inputs)

    def read(self) -> Any:
        """The last result, through memory that can be mapped: Vulkan may not import its own."""
        runtime, device = self._runtime, self._device
        source = self._result._buffer_view.get_buffer()
        usage = runtime.BufferUsage.TRANSFER_TARGET | runtime.BufferUsage.MAPPING_SCOPED
        memory = runtime.MemoryType.HOST_LOCAL | runtime.MemoryType.DEVICE_VISIBLE
        staging = device.allocator.allocate_buffer(
            memory_type=int(memory), allowed_usage=int(usage), allocation_size=source.byte_length()
        )
        semaphore = device.create_semaphore(0)
        done = runtime.HalFence.create_at(semaphore, 1)
        device.queue_copy(
            source, staging, wait_semaphores=runtime.HalFence.create_at(semaphore, 0), signal_semaphores=done
        )
        done.wait()
        mapped = staging.map().asarray((source.byte_length() // self._type.itemsize,), self._type)
        return np.array(mapped, np.float64)


def main() -> None:
    """Serve the work of the command line."""
    try:
        from iree import compiler, runtime  # noqa: F401
    except ImportError:
        skip("not installed: pip install iree-base-compiler iree-base-runtime")
    work, device = arguments()
    if work.dtype not in _ELEMENTS:
        skip(f"IREE brings no kernel for {work.dtype} in blocks")
    try:
        found = runtime.get_driver("vulkan").query_available_devices()
    except (RuntimeError, ValueError) as error:
        skip(f"IREE finds no Vulkan device: {str(error).splitlines()[0]}")
    # It says the driver too, in brackets.
    matching = [d for d in found if f"{d['name']} (".startswith(f"{device} (")]
    if not matching:
        skip(f"IREE finds no device {device!r}, only {[str(d['name']) for d in found]}")
    config = runtime.Config(device=runtime.get_driver("vulkan").create_device(matching[0]["device_id"]))
    chains = {links: Chain(runtime, config, work, links) for links in (SHORT, LONG)}
    serve(work, {n: c.run for n, c in chains.items()}, lambda links: chains[links].read(), device)


if __name__ == "__main__":
    main()
    # Its destructors run after the driver's.
    os._exit(0)
