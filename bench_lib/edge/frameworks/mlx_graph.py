"""MLX: the CPU on Linux, Metal on a Mac. Quantised matrices by its affine 4- and 8-bit groups."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench_lib.edge.frameworks import Case, Detail, Device, Floats, Observed, cases_of
from bench_lib.edge.frameworks.availability import require_package
from bench_lib.edge.models import decoder
from bench_lib.edge.models.decoder import DECODER
from bench_lib.errors import DamagedFileError, UnavailableError

_DEVICES: Final[tuple[Device, ...]] = ("cpu", "metal")
_PRECISIONS: Final = ("f32", "f16", "bf16", "int8", "int4")
_BITS: Final = {"int8": 8, "int4": 4}
_GROUP: Final = 64


class MlxAdapter:
    """Weights as safetensors; a key-value cache of fixed size."""

    distribution = "mlx"
    exports_with: tuple[str, ...] = ()
    extra = "edge-mlx"

    def cases(self) -> tuple[Case, ...]:
        return cases_of("mlx", devices=_DEVICES, precisions=_PRECISIONS)

    def require(self, case: Case) -> None:
        require_package("mlx", extra=self.extra)
        import mlx.core as mx

        if case.device == "metal" and not mx.metal.is_available():
            raise UnavailableError("not-macos", "MLX finds no Metal device: it needs an Apple GPU.")

    def export(self, case: Case, folder: Path) -> Path:
        import mlx.core as mx

        path = folder / f"decoder-{case.precision}.safetensors"
        arrays: dict[str, Any] = {}
        for name, value in decoder.workload_weights(case.workload).items():
            tensor = mx.array(np.array(value))
            if case.precision in _BITS and value.ndim == 2 and name != "token_embd.weight":
                packed = mx.quantize(tensor, group_size=_GROUP, bits=_BITS[case.precision])
                arrays |= dict(zip((name, f"{name}.scales", f"{name}.biases"), packed, strict=True))
            else:
                arrays[name] = tensor.astype(_dtype(mx, case.precision))
        mx.save_safetensors(str(path), arrays)
        return path

    def load(self, case: Case, artefact: Path) -> _MlxSession:
        import mlx.core as mx

        mx.set_default_device(mx.gpu if case.device == "metal" else mx.cpu)
        try:
            arrays: Any = mx.load(str(artefact))
            mx.eval(arrays)
        except (RuntimeError, ValueError, OSError) as error:
            raise DamagedFileError(
                artefact.name, found=str(error).replace(str(artefact), artefact.name), expected="safetensors"
            ) from error
        return _MlxSession(case, arrays)


def _dtype(mx: Any, precision: str) -> Any:
    return {"f16": mx.float16, "bf16": mx.bfloat16}.get(precision, mx.float32)


class _MlxSession:
    def __init__(self, case: Case, arrays: dict[str, Any]) -> None:
        import mlx.core as mx

        self._mx: Any = mx
        self._weights = arrays
        self._bits = _BITS.get(case.precision)
        shape = (DECODER.num_layers, 2, 1, DECODER.num_kv_heads, DECODER.context, DECODER.head_dim)
        self._cache = mx.zeros(shape, dtype=_dtype(mx, case.precision))
        self._length = 0

    @property
    def observed(self) -> Observed:
        device = self._mx.default_device()
        on_gpu = device.type == self._mx.DeviceType.gpu
        name = str(self._mx.metal.device_info().get("device_name", "Apple GPU")) if on_gpu else "CPU"
        # Its CPU stream is one thread, whatever it is allowed.
        facts: dict[str, Detail] = {"group_size": _GROUP if self._bits else None, "threads": 1}
        return Observed("metal" if on_gpu else "cpu", name, facts=facts)

    def prefill(self, tokens: Sequence[int]) -> Floats:
        self._length = 0
        return self._logits(tokens)

    def decode(self, token: int) -> Floats:
        return self._logits([token])

    def forward(self, x: Floats) -> Floats:
        self._length = 0
        value = self._mx.array(np.array(x))[None].astype(self._cache.dtype)
        return self._to_host(self._layer(value, 0)[0])

    def _to_host(self, value: Any) -> Floats:
        return np.array(value.astype(self._mx.float32))

    def _linear(self, x: Any, name: str) -> Any:
        weight = self._weights[name]
        if self._bits is None:
            return x @ weight.T
        return self._mx.quantized_matmul(
            x,
            weight,
            scales=self._weights[f"{name}.scales"],
            biases=self._weights[f"{name}.biases"],
            transpose=True,
            group_size=_GROUP,
            bits=self._bits,
        )

    def _norm(self, x: Any, name: str) -> Any:
        return self._mx.fast.rms_norm(x, self._weights[name], DECODER.norm_eps)

    def _logits(self, tokens: Sequence[int]) -> Floats:
        x = self._weights["token_embd.weight"][self._mx.array(list(tokens))][None]
        for layer in range(DECODER.num_layers):
            x = self._layer(x, layer)
        self._length += len(tokens)
        x = self._norm(x[:, -1], "output_norm.weight")
        return self._to_host(self._linear(x, "output.weight")[0])

    def _heads(self, hidden: Any, name: str, count: int) -> Any:
        shape = (1, hidden.shape[1], count, DECODER.head_dim)
        return self._linear(hidden, name).reshape(shape).transpose(0, 2, 1, 3)

    def _rotate(self, x: Any) -> Any:
        return self._mx.fast.rope(
            x, DECODER.head_dim, traditional=True, base=DECODER.rope_theta, scale=1.0, offset=self._length
        )

    def _layer(self, x: Any, layer: int) -> Any:
        mx, prefix = self._mx, f"blk.{layer}."
        length, end = x.shape[1], self._length + x.shape[1]
        hidden = self._norm(x, f"{prefix}attn_norm.weight")
        query = self._rotate(self._heads(hidden, f"{prefix}attn_q.weight", DECODER.num_heads))
        key = self._rotate(self._heads(hidden, f"{prefix}attn_k.weight", DECODER.num_kv_heads))
        value = self._heads(hidden, f"{prefix}attn_v.weight", DECODER.num_kv_heads)
        self._cache[layer, 0, :, :, self._length : end] = key
        self._cache[layer, 1, :, :, self._length : end] = value
        mixed = mx.fast.scaled_dot_product_attention(
            query,
            self._cache[layer, 0, :, :, :end],
            self._cache[layer, 1, :, :, :end],
            scale=DECODER.head_dim**-0.5,
            mask="causal" if length > 1 else None,
        )
        mixed = mixed.transpose(0, 2, 1, 3).reshape(1, length, DECODER.dim)
        x = x + self._linear(mixed, f"{prefix}attn_output.weight")
        hidden = self._norm(x, f"{prefix}ffn_norm.weight")
        gate = self._linear(hidden, f"{prefix}ffn_gate.weight")
        product = gate * mx.sigmoid(gate) * self._linear(hidden, f"{prefix}ffn_up.weight")
        return x + self._linear(product, f"{prefix}ffn_down.weight")


ADAPTER: Final = MlxAdapter()
