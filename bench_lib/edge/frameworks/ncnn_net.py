"""ncnn on the CPU and Vulkan: the transformer block, converted by pnnx.

The decoder is left out: pnnx ends in a memory fault on its cache of five dimensions.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench_lib.edge.frameworks import Case, Detail, Device, Floats, Observed, cases_of
from bench_lib.edge.frameworks.availability import allowed_threads, require_package
from bench_lib.edge.models import decoder
from bench_lib.errors import DamagedFileError, UnavailableError, UsageError

_DEVICES: Final[tuple[Device, ...]] = ("cpu", "vulkan")
_PARAM: Final = "block.param"
_BIN: Final = "block.bin"


class NcnnAdapter:
    """A folder with the net's structure and its weights."""

    distribution = "ncnn"
    exports_with: tuple[str, ...] = ("torch", "pnnx")
    extra = "edge-ncnn"

    def cases(self) -> tuple[Case, ...]:
        return cases_of("ncnn", devices=_DEVICES, precisions=("f32", "f16"), workloads=("block",))

    def require(self, case: Case) -> None:
        require_package("ncnn", extra=self.extra)
        import ncnn

        if case.device == "vulkan" and ncnn.get_gpu_count() == 0:
            raise UnavailableError("no-vulkan", "ncnn finds no Vulkan device.")

    def export(self, case: Case, folder: Path) -> Path:
        require_package("pnnx", extra=self.extra)
        require_package("torch", extra=self.extra)
        import pnnx
        import torch

        from bench_lib.edge.frameworks import torch_program

        made = folder / "net"
        made.mkdir()
        with tempfile.TemporaryDirectory() as name, torch.no_grad():
            work = Path(name)
            pnnx.export(
                torch_program.Block().eval(),
                str(work / "block.pt"),
                (torch.from_numpy(np.array(decoder.block_input())),),
                # Weights on disk; what is computed in 16 bits is the session's choice.
                fp16=case.precision == "f16",
                **{f"pnnx{kind}": str(work / f"pnnx.{kind}") for kind in ("param", "bin", "py", "onnx")},
                ncnnparam=str(made / _PARAM),
                ncnnbin=str(made / _BIN),
                ncnnpy=str(work / "ncnn.py"),
            )
        return made

    def load(self, case: Case, artefact: Path) -> _NcnnSession:
        return _NcnnSession(case, artefact)


class _NcnnSession:
    def __init__(self, case: Case, artefact: Path) -> None:
        import ncnn

        self._api: Any = ncnn
        self._net = ncnn.Net()
        options = self._net.opt
        options.num_threads = allowed_threads()
        options.use_vulkan_compute = case.device == "vulkan"
        options.use_bf16_storage = False
        half = case.precision == "f16"
        options.use_fp16_packed = options.use_fp16_storage = options.use_fp16_arithmetic = half
        for load, name in ((self._net.load_param, _PARAM), (self._net.load_model, _BIN)):
            if not (artefact / name).is_file() or load(str(artefact / name)) != 0:
                raise DamagedFileError(name, found="a file that ncnn refuses", expected="a net of ncnn")

    @property
    def observed(self) -> Observed:
        layers = self._net.layers()
        on_gpu = [bool(layer.support_vulkan) for layer in layers]
        facts: dict[str, Detail] = {
            "layers": len(layers),
            "layers_with_vulkan": sum(on_gpu),
            "threads": self._net.opt.num_threads,
        }
        if not self._net.opt.use_vulkan_compute or not any(on_gpu):
            return Observed("cpu", "CPU", facts=facts)
        name = str(self._api.get_gpu_info(self._api.get_default_gpu_index()).device_name())
        is_software = any(word in name.lower() for word in ("llvmpipe", "swiftshader"))
        return Observed("vulkan", name, is_software, facts)

    def prefill(self, tokens: Sequence[int]) -> Floats:
        raise UsageError.of("workload", found="decoder", expected="block, which is what was converted")

    def decode(self, token: int) -> Floats:
        raise UsageError.of("workload", found="decoder", expected="block, which is what was converted")

    def forward(self, x: Floats) -> Floats:
        # ncnn reads the array where it lies: it must outlive the run.
        array = np.array(x)
        extractor = self._net.create_extractor()
        extractor.input("in0", self._api.Mat(array))
        code, made = extractor.extract("out0")
        if code != 0:
            raise RuntimeError(f"ncnn ended with code {code}")
        return np.array(made)


ADAPTER: Final = NcnnAdapter()
