"""llama.cpp through ``cyllama``, with a GGUF file of the decoder written here.

A device that is not asked for is hidden: with no layer on it, llama.cpp still sends large products to a GPU.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench_lib.edge.frameworks import Case, Detail, Device, Floats, Observed, cases_of
from bench_lib.edge.frameworks.availability import allowed_threads, require_package
from bench_lib.edge.models import decoder
from bench_lib.edge.models.decoder import DECODER
from bench_lib.errors import DamagedFileError, UnavailableError, UsageError

_DEVICES: Final[tuple[Device, ...]] = ("cpu", "vulkan", "metal")
_PRECISIONS: Final = ("f32", "f16", "q8_0", "q4_0", "q4_k_m")
#: Layers to offload: more than the model has means all, and the output matrix too.
_ALL_LAYERS: Final = 99
_GGML_TYPE_F32: Final = 0  # ggml.h
_SPECIAL_TOKENS: Final = ("<unk>", "<s>", "</s>")
_OFFLOADED = re.compile(r"offloaded (\d+)/(\d+) layers to GPU")


class LlamaCppAdapter:
    """The decoder only: llama.cpp runs models, not layers."""

    distribution = "cyllama-vulkan"
    exports_with: tuple[str, ...] = ("gguf",)
    extra = "edge-llama-cpp"

    def cases(self) -> tuple[Case, ...]:
        return cases_of("llama.cpp", devices=_DEVICES, precisions=_PRECISIONS, workloads=("decoder",))

    def require(self, case: Case) -> None:
        require_package("cyllama", extra=self.extra)
        require_package("gguf", extra=self.extra)
        _hide_other_devices(case.device)
        # Also on the CPU: back ends are loaded before the clock of loading the model starts.
        if not _gpus() and case.device != "cpu":
            raise UnavailableError(f"no-{case.device}", f"llama.cpp finds no {case.device} device.")

    def export(self, case: Case, folder: Path) -> Path:
        direct = case.precision != "q4_k_m"
        path = folder / f"decoder-{case.precision}.gguf"
        plain = path if direct else folder / "decoder-f32.gguf"
        _write_gguf(plain, case.precision if direct else "f32")
        if not direct:
            _quantise_q4_k_m(plain, path)
            plain.unlink()
        return path

    def load(self, case: Case, artefact: Path) -> _LlamaCppSession:
        _hide_other_devices(case.device)
        if case.precision == "f32":
            # The Vulkan back end multiplies float32 in half precision where the device has it.
            os.environ["GGML_VK_DISABLE_F16"] = "1"
        return _LlamaCppSession(case, artefact)


def _hide_other_devices(device: Device) -> None:
    # Read once, when the back end is loaded. A CPU device of Vulkan is ignored unless it is named.
    if device == "vulkan":
        os.environ.setdefault("GGML_VK_VISIBLE_DEVICES", "0")
    else:
        os.environ["GGML_VK_VISIBLE_DEVICES"] = ""


def _gpus() -> list[dict[str, str]]:
    from cyllama.llama import llama_cpp

    llama_cpp.ggml_backend_load_all()
    return [d for d in llama_cpp.ggml_backend_dev_info() if d["type"] in {"GPU", "iGPU"}]


def _write_gguf(path: Path, precision: str) -> None:
    import gguf

    kind = {
        "f32": gguf.GGMLQuantizationType.F32,
        "f16": gguf.GGMLQuantizationType.F16,
        "q8_0": gguf.GGMLQuantizationType.Q8_0,
        "q4_0": gguf.GGMLQuantizationType.Q4_0,
    }[precision]
    file_type = {
        "f32": gguf.LlamaFileType.ALL_F32,
        "f16": gguf.LlamaFileType.MOSTLY_F16,
        "q8_0": gguf.LlamaFileType.MOSTLY_Q8_0,
        "q4_0": gguf.LlamaFileType.MOSTLY_Q4_0,
    }[precision]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("bench_lib decoder")
    writer.add_file_type(file_type)
    writer.add_context_length(DECODER.context)
    writer.add_embedding_length(DECODER.dim)
    writer.add_block_count(DECODER.num_layers)
    writer.add_feed_forward_length(DECODER.ffn_dim)
    writer.add_head_count(DECODER.num_heads)
    writer.add_head_count_kv(DECODER.num_kv_heads)
    writer.add_layer_norm_rms_eps(DECODER.norm_eps)
    writer.add_rope_freq_base(DECODER.rope_theta)
    writer.add_rope_dimension_count(DECODER.head_dim)
    writer.add_vocab_size(DECODER.vocabulary)
    _add_vocabulary(writer)
    for name, value in decoder.weights().items():
        # llama.cpp keeps vectors in float32 whatever the file's type.
        if value.ndim == 1 or kind is gguf.GGMLQuantizationType.F32:
            writer.add_tensor(name, np.array(value))
        elif kind is gguf.GGMLQuantizationType.F16:
            writer.add_tensor(name, value.astype(np.float16))
        else:
            writer.add_tensor(name, gguf.quants.quantize(np.array(value), kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_vocabulary(writer: Any) -> None:
    """A byte-level vocabulary: special tokens, the 256 bytes, and words to fill it."""
    import gguf

    pieces = [*_SPECIAL_TOKENS, *(f"<0x{byte:02X}>" for byte in range(256))]
    num_fixed = len(pieces)
    pieces += [f"w{index}" for index in range(num_fixed, DECODER.vocabulary)]
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
    kinds += [gguf.TokenType.BYTE] * 256 + [gguf.TokenType.NORMAL] * (DECODER.vocabulary - num_fixed)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(pieces)
    writer.add_token_scores([0.0] * len(pieces))
    writer.add_token_types(kinds)


def _quantise_q4_k_m(source: Path, target: Path) -> None:
    from cyllama.llama import llama_cpp

    params = llama_cpp.LlamaModelQuantizeParams()
    params.ftype = 15  # LLAMA_FTYPE_MOSTLY_Q4_K_M of llama.h
    params.nthread = 1
    llama_cpp.set_log_callback(lambda level, text: None)
    llama_cpp.model_quantize(str(source), str(target), params)


def _model_class(api: Any) -> Any:
    class Model(api.LlamaModel):  # type: ignore[misc]
        # cyllama 0.2.18 asks the model for this when it copies logits, and its own class lacks it.
        n_vocab = DECODER.vocabulary

    return Model


class _LlamaCppSession:
    def __init__(self, case: Case, artefact: Path) -> None:
        from cyllama.llama import llama_cpp

        self._api: Any = llama_cpp
        self._log: list[str] = []
        llama_cpp.set_log_callback(lambda level, text: self._log.append(str(text)))
        llama_cpp.ggml_backend_load_all()
        params = llama_cpp.LlamaModelParams()
        params.n_gpu_layers = 0 if case.device == "cpu" else _ALL_LAYERS
        try:
            self._model = _model_class(llama_cpp)(str(artefact), params)
            context = llama_cpp.LlamaContextParams()
            context.n_ctx = DECODER.context
            context.n_batch = context.n_ubatch = DECODER.context
            if case.precision == "f32":
                # Cache and fused attention are in float16 by default, which would be most of the error.
                context.type_k = context.type_v = _GGML_TYPE_F32
                context.flash_attn_type = 0
            context.n_threads = context.n_threads_batch = allowed_threads()
            self._context = llama_cpp.LlamaContext(self._model, context)
        except (RuntimeError, ValueError, OSError) as error:
            said = next((line.strip() for line in self._log if "error" in line.lower()), str(error))
            if "Unsupported device" in said:
                raise UnavailableError(
                    "unsupported-device",
                    f"llama.cpp refuses the {case.device} device: {said}.",
                    remedy="Name another in GGML_VK_VISIBLE_DEVICES.",
                ) from error
            raise DamagedFileError(
                artefact.name, found=said, expected="a GGUF file of the decoder"
            ) from error
        self._length = 0

    @property
    def observed(self) -> Observed:
        log = "".join(self._log)
        offloaded = _OFFLOADED.search(log)
        gpus = _gpus()
        on_gpu = bool(gpus and offloaded and offloaded[1] == offloaded[2] and int(offloaded[1]))
        device: Device = "cpu"
        name, is_software = "CPU", False
        if on_gpu:
            device = "vulkan" if gpus[0]["name"].lower().startswith("vulkan") else "metal"
            name = gpus[0]["description"]
            is_software = any(word in name.lower() for word in ("llvmpipe", "swiftshader"))
        facts: dict[str, Detail] = {
            "layers_offloaded": int(offloaded[1]) if offloaded else 0,
            "layers": int(offloaded[2]) if offloaded else DECODER.num_layers + 1,
            "llama_cpp_commit": str(self._api.ggml_commit()),
            "threads": allowed_threads(),
        }
        return Observed(device, name, is_software, facts)

    def prefill(self, tokens: Sequence[int]) -> Floats:
        self._context.kv_cache_clear()
        self._length = 0
        return self._decode(tokens)

    def decode(self, token: int) -> Floats:
        return self._decode([token])

    def forward(self, x: Floats) -> Floats:
        raise UsageError.of("workload", found="block", expected="decoder, which is what llama.cpp runs")

    def _decode(self, tokens: Sequence[int]) -> Floats:
        batch = self._api.LlamaBatch(n_tokens=len(tokens), embd=0, n_seq_max=1)
        for index, token in enumerate(tokens):
            batch.add(token, self._length + index, [0], index == len(tokens) - 1)
        self._context.decode(batch)
        self._context.synchronize()
        self._length += len(tokens)
        return np.array(self._context.get_logits(), dtype=np.float32)


ADAPTER: Final = LlamaCppAdapter()
