"""IREE: compiled for the CPU (LLVM) and Vulkan and run, for Metal compiled and kept."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench_lib.edge.frameworks import FACTS, Case, Device, Floats, Observed, cases_of
from bench_lib.edge.frameworks.availability import require_package
from bench_lib.edge.models import decoder
from bench_lib.edge.models.decoder import DECODER
from bench_lib.errors import DamagedFileError, UnavailableError

_DEVICES: Final[tuple[Device, ...]] = ("cpu", "vulkan", "metal")
_TARGETS: Final = {"cpu": "llvm-cpu", "vulkan": "vulkan-spirv", "metal": "metal-spirv"}
#: Without a worker pool the CPU runs on the caller's thread.
_DRIVERS: Final = {"cpu": "local-sync", "vulkan": "vulkan"}
_FLAGS: Final[dict[str, list[str]]] = {"cpu": ["--iree-llvmcpu-target-cpu=host"], "vulkan": [], "metal": []}
_MODULE: Final = "module.vmfb"


class IreeAdapter:
    """A folder: a ``.vmfb`` with the functions prefill and decode, or forward, and its dispatch count."""

    distribution = "iree-base-compiler"
    exports_with: tuple[str, ...] = ("torch", "iree-turbine")
    extra = "edge-iree"

    def cases(self) -> tuple[Case, ...]:
        return cases_of("iree", devices=_DEVICES, precisions=("f32",))

    def require(self, case: Case) -> None:
        for package in ("iree.compiler", "iree.runtime", "iree.turbine"):
            require_package(package, extra=self.extra)
        # Here, so that loading a model does not count the import.
        importlib.import_module("iree.runtime")

    def export(self, case: Case, folder: Path) -> Path:
        from iree import compiler

        text = _mlir(case)
        made = folder / "module"
        made.mkdir()
        code = compiler.compile_str(
            text, target_backends=[_TARGETS[case.device]], input_type="auto", extra_args=_FLAGS[case.device]
        )
        (made / _MODULE).write_bytes(code)
        stream = compiler.compile_str(
            text,
            target_backends=[_TARGETS[case.device]],
            input_type="auto",
            extra_args=[*_FLAGS[case.device], "--compile-to=stream"],
        )
        (made / FACTS).write_text(json.dumps({"dispatches": stream.count(b"stream.cmd.dispatch")}))
        return made

    def load(self, case: Case, artefact: Path) -> _IreeSession:
        if case.device == "metal":
            raise UnavailableError(
                "not-macos", "the module was compiled for Metal and kept; only a Mac can run it."
            )
        return _IreeSession(case, artefact)


def _mlir(case: Case) -> str:
    import torch
    from iree.turbine import aot

    from bench_lib.edge.frameworks import torch_program

    with torch.no_grad():
        if case.workload == "block":
            block = torch_program.Block().eval()
            exported = aot.export(
                block, args=(torch.from_numpy(np.array(decoder.block_input())),), function_name="forward"
            )
            return str(exported.mlir_module)
        prefill, decode = torch_program.modules()
        first, second = torch_program.example_inputs()
        both = torch.nn.Module()
        both.add_module("first", prefill)
        both.add_module("second", decode)
        builder: Any = aot.FxProgramsBuilder(both)

        @builder.export_program(name="prefill", args=first)  # type: ignore[untyped-decorator]
        def _prefill(module: Any, tokens: Any) -> Any:
            return module.first(tokens)

        @builder.export_program(name="decode", args=second)  # type: ignore[untyped-decorator]
        def _decode(module: Any, token: Any, position: Any, cache: Any) -> Any:
            return module.second(token, position, cache)

        return str(aot.export(builder).mlir_module)


class _IreeSession:
    def __init__(self, case: Case, artefact: Path) -> None:
        from iree import runtime

        self._runtime: Any = runtime
        try:
            self._config = runtime.Config(_DRIVERS[case.device])
        except (RuntimeError, ValueError) as error:
            raise UnavailableError(
                f"no-{case.device}", f"IREE finds no {case.device} device: {str(error).splitlines()[0]}"
            ) from error
        try:
            module = runtime.VmModule.copy_buffer(self._config.vm_instance, (artefact / _MODULE).read_bytes())
            self._functions = runtime.load_vm_module(module, self._config)
        except (RuntimeError, ValueError, OSError) as error:
            raise DamagedFileError(
                artefact.name, found=str(error).splitlines()[0], expected="an IREE module"
            ) from error
        self._driver = _DRIVERS[case.device]
        self._cache: Any = None
        self._length = 0
        self._staging: dict[int, Any] = {}

    @property
    def observed(self) -> Observed:
        described = str(self._config.device)
        device: Device = "vulkan" if self._driver == "vulkan" else "cpu"
        name = "CPU"
        if device == "vulkan":
            (first, *_) = self._runtime.get_driver("vulkan").query_available_devices()
            name = str(first["name"])
        is_software = any(word in name.lower() for word in ("llvmpipe", "swiftshader"))
        return Observed(device, name, is_software, {"iree_device": described[:80], "threads": 1})

    def prefill(self, tokens: Sequence[int]) -> Floats:
        logits, self._cache = self._functions.prefill(np.array(tokens, dtype=np.int32))
        self._length = len(tokens)
        return self._to_host(logits, (DECODER.vocabulary,))

    def decode(self, token: int) -> Floats:
        position = np.array([self._length], dtype=np.int32)
        logits, self._cache = self._functions.decode(np.array([token], dtype=np.int32), position, self._cache)
        self._length += 1
        return self._to_host(logits, (DECODER.vocabulary,))

    def forward(self, x: Floats) -> Floats:
        return self._to_host(self._functions.forward(np.array(x)), x.shape)

    def _to_host(self, value: Any, shape: tuple[int, ...]) -> Floats:
        if self._driver != "vulkan":
            host: Floats = np.array(value.to_host(), dtype=np.float32).reshape(shape)
            return host
        # IREE 3.13 imports the result's host memory, which Vulkan refuses unless it lies on a page.
        runtime, device = self._runtime, self._config.device
        source = value._buffer_view.get_buffer()
        staging = self._staging.get(source.byte_length())
        if staging is None:
            usage = runtime.BufferUsage.TRANSFER_TARGET | runtime.BufferUsage.MAPPING_SCOPED
            memory = runtime.MemoryType.HOST_LOCAL | runtime.MemoryType.DEVICE_VISIBLE
            staging = self._staging[source.byte_length()] = device.allocator.allocate_buffer(
                memory_type=int(memory), allowed_usage=int(usage), allocation_size=source.byte_length()
            )
        semaphore = device.create_semaphore(0)
        done = runtime.HalFence.create_at(semaphore, 1)
        device.queue_copy(
            source,
            staging,
            wait_semaphores=runtime.HalFence.create_at(semaphore, 0),
            signal_semaphores=done,
        )
        done.wait()
        return np.array(staging.map().asarray(shape, np.dtype(np.float32)))


ADAPTER: Final = IreeAdapter()
