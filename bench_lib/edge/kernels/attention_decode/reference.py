"""Float64 reference of decode attention."""

from collections.abc import Mapping
from typing import Any

import numpy as np

Arrays = dict[str, Any]


def _drawn(rng: np.random.Generator, length: int, element: str) -> Any:
    if element == "i8":
        return rng.integers(-127, 128, length, dtype=np.int8)
    return rng.standard_normal(length).astype({"f32": np.float32, "f16": np.float16}[element])


def make_inputs(
    sizes: Mapping[str, int],
    types: Mapping[str, str],
    parameters: Mapping[str, float],
    rng: np.random.Generator,
) -> Arrays:
    """Normally distributed; keys and values in int8 uniform over all values."""
    cache = sizes["kv_heads"] * sizes["length"] * sizes["dim"]
    return {
        "q": rng.standard_normal(sizes["heads"] * sizes["dim"]).astype(np.float32),
        "keys": _drawn(rng, cache, types["keys"]),
        "values": _drawn(rng, cache, types["values"]),
    }


def expected(
    inputs: Arrays, sizes: Mapping[str, int], types: Mapping[str, str], parameters: Mapping[str, float]
) -> dict[str, tuple[Any, Any]]:
    """Weighted means of the values, and of their absolute values."""
    heads, kv_heads, length, dim = (sizes[name] for name in ("heads", "kv_heads", "length", "dim"))
    shape = (kv_heads, 1, length, dim)
    cache = kv_heads * length * dim
    q = inputs["q"][: heads * dim].reshape(kv_heads, heads // kv_heads, 1, dim).astype(np.float64)
    keys = inputs["keys"][:cache].reshape(shape).astype(np.float64)
    values = inputs["values"][:cache].reshape(shape).astype(np.float64)
    if types["keys"] == "i8":
        keys, values = keys * parameters["key_scale"], values * parameters["value_scale"]
    scores = (q * keys).sum(axis=3, keepdims=True) / np.sqrt(dim)
    powers = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights = powers / powers.sum(axis=2, keepdims=True)
    # A score's own rounding error, proportional to the products' absolute values, scales its weight.
    certainty = 1 + (np.abs(q) * np.abs(keys)).sum(axis=3, keepdims=True) / np.sqrt(dim)
    return {"result": ((weights * values).sum(axis=2), (weights * certainty * np.abs(values)).sum(axis=2))}
