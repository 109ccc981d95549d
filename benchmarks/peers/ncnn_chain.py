"""Chains of one op on ncnn's Vulkan kernels, through its wheel."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from chains import EPS, LONG, SHORT, Work, arguments, serve, skip

#: In ncnn's files of weights: what follows is float32.
_FLOAT32_FLAG = np.zeros(1, np.uint32).tobytes()


def net_of(work: Work, links: int) -> tuple[str, bytes]:
    """Structure and weights of a chain."""
    cols = work.x.shape[1]
    weight = work.weight.tobytes()
    layer, flag = {
        # K is the same on both sides; the second factor is constant and transposed, as a linear layer's is.
        "gemm": (f"Gemm {{}} 1 1 {{}} {{}} 2=0 3=1 5=1 6=1 7=0 8={cols} 9={cols} 10=-1", _FLOAT32_FLAG),
        "gemv": (f"InnerProduct {{}} 1 1 {{}} {{}} 0={cols} 1=0 2={cols * cols}", _FLOAT32_FLAG),
        "rmsnorm": (f"RMSNorm {{}} 1 1 {{}} {{}} 0={cols} 1={EPS:e} 2=1", b""),
    }[work.op]
    lines = ["7767517", f"{links + 1} {links + 1}", "Input in 0 1 b0"]
    lines += [layer.format(f"l{i}", f"b{i}", f"b{i + 1}") for i in range(links)]
    return "\n".join(lines) + "\n", (flag + weight) * links


def load(api: Any, work: Work, links: int, index: int) -> Any:
    """A net on the device, its weights there too."""
    net = api.Net()
    net.opt.use_vulkan_compute = True
    for kind in ("fp16", "bf16", "int8"):
        for part in ("packed", "storage", "arithmetic"):
            if hasattr(net.opt, f"use_{kind}_{part}"):
                # Sums stay in float32, as ours do.
                setattr(net.opt, f"use_{kind}_{part}", kind == work.dtype and part != "arithmetic")
    net.set_vulkan_device(index)
    structure, weights = net_of(work, links)
    with tempfile.TemporaryDirectory() as name:
        param, model = Path(name) / "net.param", Path(name) / "net.bin"
        param.write_text(structure)
        model.write_bytes(weights)
        if net.load_param(str(param)) or net.load_model(str(model)):
            skip("ncnn refuses the net")
    # It takes back what the device lacks.
    if work.dtype == "fp16" and not net.opt.use_fp16_storage:
        skip("ncnn does not store float16 on this device")
    if not all(layer.support_vulkan for layer in net.layers() if layer.type != "Input"):
        skip(f"this ncnn has no Vulkan kernel for {work.op}")
    return net


def main() -> None:
    """Serve the work of the command line."""
    try:
        import ncnn as api
    except ImportError:
        skip("not installed: pip install ncnn")
    work, device = arguments()
    names = [str(api.get_gpu_info(i).device_name()) for i in range(api.get_gpu_count())]
    if device not in names:
        skip(f"ncnn finds no device {device!r}, only {names}")
    if work.dtype not in ("fp32", "fp16"):
        skip(f"ncnn has no Vulkan kernel for {work.dtype} in blocks")
    nets = {links: load(api, work, links, names.index(device)) for links in (SHORT, LONG)}
    x = work.x.reshape(-1) if work.op == "gemv" else work.x
    last: dict[int, Any] = {}

    def run(links: int) -> None:
        extractor = nets[links].create_extractor()
        extractor.input("b0", api.Mat(x))
        code, last[links] = extractor.extract(f"b{links}")
        if code:
            skip(f"ncnn ended with code {code}")

    serve(
        work, {n: lambda n=n: run(n) for n in nets}, lambda links: np.array(last[links], np.float64), device
    )


if __name__ == "__main__":
    main()
    # Its destructors run in an order that ends in a memory fault.
    os._exit(0)
