"""ExecuTorch: XNNPACK (float32 and int8) and portable kernels on the CPU; Vulkan and Core ML lowered only."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from bench_lib.edge.frameworks import FACTS, Case, Floats, Observed, cases_of
from bench_lib.edge.frameworks.availability import allowed_threads, require_package
from bench_lib.edge.models import decoder
from bench_lib.errors import DamagedFileError, UnavailableError

_PROGRAM: Final = "program.pte"
_Backend = Literal["xnnpack", "portable"]


class ExecuTorchAdapter:
    """A folder: a ``.pte`` with the functions prefill and decode, or forward, and what runs where."""

    distribution = "executorch"
    exports_with: tuple[str, ...] = ("torch", "torchao", "coremltools")
    extra = "edge-executorch"

    def __init__(self, framework: str, backend: _Backend) -> None:
        self._framework, self._backend = framework, backend

    def cases(self) -> tuple[Case, ...]:
        name = self._framework
        if self._backend == "portable":
            return cases_of(name, devices=("cpu",), precisions=("f32",))
        cpu = cases_of(name, devices=("cpu",), precisions=("f32", "int8"))
        lowered = cases_of(name, devices=("vulkan", "coreml"), precisions=("f32",), workloads=("block",))
        return cpu + lowered

    def require(self, case: Case) -> None:
        require_package("executorch", extra=self.extra)
        if case.precision == "int8":
            require_package("torchao", extra=self.extra)
        if case.device == "coreml":
            require_package("coremltools", extra=self.extra)
        if case.device == "cpu":
            # Here, so that loading a model does not count the imports, which take seconds.
            importlib.import_module("executorch.runtime").Runtime.get()

    def export(self, case: Case, folder: Path) -> Path:
        import torch
        from executorch.exir import to_edge_transform_and_lower

        torch.set_num_threads(1)
        with torch.no_grad():
            programs = _programs(case)
            edge = to_edge_transform_and_lower(programs, partitioner=_partitioners(case, self._backend))
            made = folder / "program"
            made.mkdir()
            # Counted before the program is finished, which consumes the graphs.
            (made / FACTS).write_text(json.dumps(_delegation(edge)))
            (made / _PROGRAM).write_bytes(edge.to_executorch().buffer)
        return made

    def load(self, case: Case, artefact: Path) -> _ExecuTorchSession:
        if case.device != "cpu":
            raise UnavailableError(
                "no-runtime",
                f"the program was lowered for {case.device} and kept; this wheel has no runtime for it.",
                remedy="Run it with an application that links the ExecuTorch runtime.",
            )
        return _ExecuTorchSession(case, artefact)


def _delegation(edge: Any) -> dict[str, int]:
    from executorch.devtools.backend_debug import get_delegation_info

    counts: dict[str, int] = {}
    for name in sorted(edge.methods):
        info = get_delegation_info(edge.exported_program(name).graph_module)
        counts[f"{name}_delegates"] = info.num_delegated_subgraphs
        counts[f"{name}_nodes_delegated"] = info.num_delegated_nodes
        counts[f"{name}_nodes_not_delegated"] = info.num_non_delegated_nodes
    return counts


def _programs(case: Case) -> Any:
    import torch

    from bench_lib.edge.frameworks import torch_program

    modules: dict[str, tuple[Any, tuple[Any, ...]]]
    if case.workload == "block":
        x = torch.from_numpy(np.array(decoder.block_input()))
        modules = {"forward": (torch_program.Block().eval(), (x,))}
    else:
        prefill, decode = torch_program.modules()
        first, second = torch_program.example_inputs()
        modules = {"prefill": (prefill, first), "decode": (decode, second)}
    exported = {}
    for name, (module, inputs) in modules.items():
        program = torch.export.export(module, inputs, strict=True)
        exported[name] = _quantised(program, inputs) if case.precision == "int8" else program
    return exported


def _quantised(program: Any, inputs: tuple[Any, ...]) -> Any:
    import torch
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import (
        XNNPACKQuantizer,
        get_symmetric_quantization_config,
    )
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    # Weights by channel ahead of time, activations by their range at run time.
    config = get_symmetric_quantization_config(is_per_channel=True, is_dynamic=True)
    prepared = prepare_pt2e(program.module(), XNNPACKQuantizer().set_global(config))
    prepared(*inputs)
    return torch.export.export(convert_pt2e(prepared), inputs, strict=True)


def _partitioners(case: Case, backend: _Backend) -> list[Any]:
    if case.device == "vulkan":
        from executorch.backends.vulkan.partitioner.vulkan_partitioner import VulkanPartitioner

        return [VulkanPartitioner()]
    if case.device == "coreml":
        from executorch.backends.apple.coreml.partition import CoreMLPartitioner

        return [CoreMLPartitioner()]
    if backend == "portable":
        return []
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import (
        XnnpackDynamicallyQuantizedPartitioner,
        XnnpackPartitioner,
    )

    return [XnnpackDynamicallyQuantizedPartitioner()] * (case.precision == "int8") + [XnnpackPartitioner()]


class _ExecuTorchSession:
    def __init__(self, case: Case, artefact: Path) -> None:
        import torch
        from executorch.runtime import Runtime

        self._torch: Any = torch
        self._bindings: Any = importlib.import_module("executorch.extension.pybindings.portable_lib")
        # XNNPACK takes a thread for each core, whatever the environment says.
        self._bindings._unsafe_reset_threadpool(allowed_threads())
        try:
            self._program = Runtime.get().load_program(artefact / _PROGRAM)
            names = ("forward",) if case.workload == "block" else ("prefill", "decode")
            self._methods = {name: self._program.load_method(name) for name in names}
        except (RuntimeError, ValueError, OSError) as error:
            raise DamagedFileError(
                artefact.name, found=str(error).splitlines()[0], expected="an ExecuTorch program"
            ) from error
        self._cache: Any = None
        self._length = 0

    @property
    def observed(self) -> Observed:
        threads = int(self._bindings._threadpool_get_thread_count())
        return Observed("cpu", "CPU", facts={"threads": threads})

    def prefill(self, tokens: Sequence[int]) -> Floats:
        logits, self._cache = self._methods["prefill"].execute([self._indices(tokens)])
        self._length = len(tokens)
        return self._row(logits)

    def decode(self, token: int) -> Floats:
        inputs = [self._indices([token]), self._indices([self._length]), self._cache]
        logits, self._cache = self._methods["decode"].execute(inputs)
        self._length += 1
        return self._row(logits)

    def forward(self, x: Floats) -> Floats:
        (made,) = self._methods["forward"].execute([self._torch.from_numpy(np.array(x))])
        return np.array(made.numpy())

    def _indices(self, values: Sequence[int]) -> Any:
        return self._torch.tensor(list(values), dtype=self._torch.int32)

    def _row(self, logits: Any) -> Floats:
        return np.array(logits[0].numpy())


XNNPACK: Final = ExecuTorchAdapter("executorch", "xnnpack")
PORTABLE: Final = ExecuTorchAdapter("executorch-portable", "portable")
