"""Float64 reference of GEMM."""

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
    """Normally distributed; int8 uniform over all values."""
    return {
        "a": _drawn(rng, sizes["m"] * sizes["k"], types["a"]),
        "b": _drawn(rng, sizes["k"] * sizes["n"], types["b"]),
    }


def expected(
    inputs: Arrays, sizes: Mapping[str, int], types: Mapping[str, str], parameters: Mapping[str, float]
) -> dict[str, tuple[Any, Any]]:
    """Products, and the products of the absolute values."""
    m, n, k = sizes["m"], sizes["n"], sizes["k"]
    a = inputs["a"][: m * k].reshape(m, k).astype(np.float64)
    b = inputs["b"][: k * n].reshape(k, n).astype(np.float64)
    return {"c": (a @ b, np.abs(a) @ np.abs(b))}
