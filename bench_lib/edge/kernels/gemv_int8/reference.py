"""Float64 reference of the int8 dequantising GEMV."""

from collections.abc import Mapping
from typing import Any

import numpy as np

Arrays = dict[str, Any]


def make_inputs(
    sizes: Mapping[str, int],
    types: Mapping[str, str],
    parameters: Mapping[str, float],
    rng: np.random.Generator,
) -> Arrays:
    """Weights uniform over all values, positive scales, x normally distributed."""
    groups = -(-sizes["k"] // 32)
    kind = {"f32": np.float32, "f16": np.float16}[types["x"]]
    return {
        "weights": rng.integers(0, 2**32, sizes["m"] * groups * 8, dtype=np.uint32),
        "scales": rng.uniform(0.01, 0.1, sizes["m"] * groups).astype(np.float16),
        "x": rng.standard_normal(sizes["k"]).astype(kind),
    }


def expected(
    inputs: Arrays, sizes: Mapping[str, int], types: Mapping[str, str], parameters: Mapping[str, float]
) -> dict[str, tuple[Any, Any]]:
    """Products of the dequantised weights, and of the absolute values."""
    m, k = sizes["m"], sizes["k"]
    groups = -(-k // 32)
    words = inputs["weights"][: m * groups * 8].reshape(m, groups, 8, 1)
    weights = words >> (np.arange(4, dtype=np.uint32) * 8) & 255
    signed = weights.astype(np.float64)
    signed[signed > 127] -= 256
    scales = inputs["scales"][: m * groups].reshape(m, groups, 1).astype(np.float64)
    dense = (signed.reshape(m, groups, 32) * scales).reshape(m, groups * 32)[:, :k]
    x = inputs["x"][:k].astype(np.float64)
    return {"y": (dense @ x, np.abs(dense) @ np.abs(x))}
