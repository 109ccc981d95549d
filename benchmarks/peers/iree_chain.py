"""Chains of one op on the Vulkan kernels that IREE compiles, through its wheels."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np
from chains import EPS, LONG, SHORT, Work, arguments, serve, skip

_PRODUCT: Final = """
    %zero{i} = arith.constant 0.0 : f32
    %empty{i} = tensor.empty() : {type}
    %clear{i} = linalg.fill ins(%zero{i} : f32) outs(%empty{i} : {type}) -> {type}
    %y{i} = linalg.{named} ins({factors}) outs(%clear{i} : {type}) -> {type}
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
      ^bb0(%v: f32, %s: f32):
        %p = arith.mulf %v, %v : f32
        %t = arith.addf %p, %s : f32
        linalg.yield %t : f32
    }} -> tensor<{rows}xf32>
    %made{i} = tensor.empty() : {type}
    %y{i} = linalg.generic {{indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>,
        affine_map<(r, c) -> (c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}}
        ins(%x{i}, %squares{i}, %w : {type}, tensor<{rows}xf32>, {weight}) outs(%made{i} : {type}) {{
      ^bb0(%v: f32, %s: f32, %g: f32, %o: f32):
        %m = arith.divf %s, %cols{i} : f32
        %a = arith.addf %m, %eps{i} : f32
        %q = math.rsqrt %a : f32
        %n = arith.mulf %v, %q : f32
        %t = arith.mulf %n, %g : f32
        linalg.yield %t : f32
    }} -> {type}
"""


def shapes_of(work: Work) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of x and of the weight as the module takes them."""
    return (work.x.shape[1:] if work.op == "gemv" else work.x.shape), work.weight.shape


def module_text(work: Work, links: int) -> str:
    """A chain as MLIR. A barrier between links keeps two of them from becoming one kernel."""
    x_type, weight = (f"tensor<{'x'.join(map(str, shape))}xf32>" for shape in shapes_of(work))
    rows, cols = work.x.shape
    named, factors = {
        "gemm": ("matmul", "%x{i}, %w : {type}, {weight}"),
        "gemv": ("matvec", "%w, %x{i} : {weight}, {type}"),
        "rmsnorm": ("", ""),
    }[work.op]
    body = []
    for i in range(links):
        facts = {"i": i, "type": x_type, "weight": weight, "rows": rows, "cols": cols, "eps": EPS}
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
        code = compiler.compile_str(
            module_text(work, links), target_backends=["vulkan-spirv"], extra_args=flags
        )
        module = runtime.VmModule.copy_buffer(config.vm_instance, code)
        self._runtime, self._device = runtime, config.device
        self._function = runtime.load_vm_module(module, config).chain
        # A linear layer's weight the other way round is as constant as it was.
        weight = np.ascontiguousarray(work.weight.T) if work.op == "gemm" else work.weight
        x = work.x.reshape(shapes_of(work)[0])
        self._inputs = [runtime.asdevicearray(config.device, array) for array in (x, weight)]
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
        mapped = staging.map().asarray((source.byte_length() // 4,), np.dtype(np.float32))
        return np.array(mapped, np.float64)


def main() -> None:
    """Serve the work of the command line."""
    try:
        from iree import compiler, runtime  # noqa: F401
    except ImportError:
        skip("not installed: pip install iree-base-compiler iree-base-runtime")
    work, device = arguments()
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
