"""PyTorch, eager: CPU, CUDA and Apple's ``mps``."""

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

_DEVICES: Final[tuple[Device, ...]] = ("cpu", "cuda", "mps")
_PRECISIONS: Final = ("f32", "f16", "bf16")


class TorchAdapter:
    """Weights in a ``.npz``; a key-value cache that holds the whole context."""

    distribution = "torch"
    exports_with: tuple[str, ...] = ()
    extra = "edge-torch"

    def cases(self) -> tuple[Case, ...]:
        return cases_of("torch", devices=_DEVICES, precisions=_PRECISIONS)

    def require(self, case: Case) -> None:
        require_package("torch", extra=self.extra)
        import torch

        if case.device == "cuda" and not torch.cuda.is_available():
            raise UnavailableError("no-cuda", "torch finds no CUDA device.")
        if case.device == "mps" and not torch.backends.mps.is_available():
            raise UnavailableError("not-macos", "torch finds no Metal device (mps): it needs an Apple GPU.")

    def export(self, case: Case, folder: Path) -> Path:
        import torch

        path = folder / "weights.pt"
        given = decoder.workload_weights(case.workload)
        tensors = {n: torch.from_numpy(np.array(v)).to(_dtype(case.precision)) for n, v in given.items()}
        torch.save(tensors, path)
        return path

    def load(self, case: Case, artefact: Path) -> _TorchSession:
        import pickle

        import torch

        try:
            # Tensors only: a pickle may run anything else.
            weights = torch.load(artefact, map_location=case.device, weights_only=True)
        except (OSError, EOFError, ValueError, RuntimeError, pickle.UnpicklingError) as error:
            found = (str(error).splitlines() or [type(error).__name__])[0]
            raise DamagedFileError(artefact.name, found=found, expected="weights as torch saves") from error
        return _TorchSession(case, weights)


def _dtype(precision: str) -> Any:
    import torch

    return {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[precision]


class _TorchSession:
    def __init__(self, case: Case, weights: dict[str, Any]) -> None:
        import torch

        self._torch: Any = torch
        self._torch.set_grad_enabled(False)
        dtype = _dtype(case.precision)
        self._weights = weights
        # Angles stay in float32: bfloat16 has three digits.
        cos, sin = decoder.rope_table(DECODER, DECODER.context)
        self._cos = torch.tensor(cos, dtype=torch.float32, device=case.device)
        self._sin = torch.tensor(sin, dtype=torch.float32, device=case.device)
        shape = (DECODER.num_layers, 2, DECODER.num_kv_heads, DECODER.context, DECODER.head_dim)
        self._cache = torch.zeros(shape, dtype=dtype, device=case.device)
        self._dtype, self._device = dtype, case.device
        self._length = 0

    @property
    def observed(self) -> Observed:
        device = self._weights["blk.0.attn_q.weight"].device
        name = "Apple GPU" if device.type == "mps" else "CPU"
        if device.type == "cuda":
            name = str(self._torch.cuda.get_device_name(device))
        facts: dict[str, Detail] = {"threads": self._torch.get_num_threads()}
        return Observed(device.type, name, facts=facts)

    def prefill(self, tokens: Sequence[int]) -> Floats:
        self._length = 0
        return self._logits(tokens)

    def decode(self, token: int) -> Floats:
        return self._logits([token])

    def forward(self, x: Floats) -> Floats:
        self._length = 0
        made = self._layer(self._torch.from_numpy(np.array(x)).to(self._device, self._dtype), 0)
        return self._to_host(made)

    def _to_host(self, value: Any) -> Floats:
        found: Floats = value.float().cpu().numpy()
        return found

    def _logits(self, tokens: Sequence[int]) -> Floats:
        index = self._torch.tensor(tokens, device=self._device)
        x = self._weights["token_embd.weight"][index]
        for layer in range(DECODER.num_layers):
            x = self._layer(x, layer)
        self._length += len(tokens)
        x = self._norm(x[-1:], "output_norm.weight")
        return self._to_host((x @ self._weights["output.weight"].T)[0])

    def _norm(self, x: Any, name: str) -> Any:
        functional = self._torch.nn.functional
        return functional.rms_norm(x, (DECODER.dim,), self._weights[name], DECODER.norm_eps)

    def _heads(self, hidden: Any, name: str, count: int) -> Any:
        return (hidden @ self._weights[name].T).view(len(hidden), count, DECODER.head_dim).transpose(0, 1)

    def _rotate(self, x: Any) -> Any:
        length = x.shape[1]
        cos = self._cos[self._length : self._length + length]
        sin = self._sin[self._length : self._length + length]
        even, odd = x[..., 0::2].float(), x[..., 1::2].float()
        turned = self._torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
        return turned.flatten(-2).to(self._dtype)

    def _layer(self, x: Any, layer: int) -> Any:
        functional, prefix = self._torch.nn.functional, f"blk.{layer}."
        length, end = len(x), self._length + len(x)
        hidden = self._norm(x, f"{prefix}attn_norm.weight")
        query = self._rotate(self._heads(hidden, f"{prefix}attn_q.weight", DECODER.num_heads))
        keys, values = self._cache[layer, 0], self._cache[layer, 1]
        keys[:, self._length : end] = self._rotate(
            self._heads(hidden, f"{prefix}attn_k.weight", DECODER.num_kv_heads)
        )
        values[:, self._length : end] = self._heads(hidden, f"{prefix}attn_v.weight", DECODER.num_kv_heads)
        mixed = functional.scaled_dot_product_attention(
            query[None], keys[None, :, :end], values[None, :, :end], is_causal=length > 1, enable_gqa=True
        )[0]
        mixed = mixed.transpose(0, 1).reshape(length, DECODER.dim)
        x = x + mixed @ self._weights[f"{prefix}attn_output.weight"].T
        hidden = self._norm(x, f"{prefix}ffn_norm.weight")
        gate = functional.silu(hidden @ self._weights[f"{prefix}ffn_gate.weight"].T)
        product = gate * (hidden @ self._weights[f"{prefix}ffn_up.weight"].T)
        return x + product @ self._weights[f"{prefix}ffn_down.weight"].T


ADAPTER: Final = TorchAdapter()
