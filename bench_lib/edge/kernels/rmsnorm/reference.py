"""Float64 reference of RMSNorm."""

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
    """x and weight from a normal distribution; int8 uniform over all values."""
    return {
        "x": _drawn(rng, sizes["rows"] * sizes["cols"], types["x"]),
        "weight": _drawn(rng, sizes["cols"], types["weight"]),
    }


def expected(
    inputs: Arrays, sizes: Mapping[str, int], types: Mapping[str, str], parameters: Mapping[str, float]
) -> dict[str, tuple[Any, Any]]:
    """Normalised rows; for int8 in steps of the result's scale, before rounding."""
    rows, cols = sizes["rows"], sizes["cols"]
    x = inputs["x"][: rows * cols].reshape(rows, cols).astype(np.float64)
    weight = inputs["weight"][:cols].astype(np.float64)
    is_int8 = types["x"] == "i8"
    if is_int8:
        x, weight = x * parameters["x_scale"], weight * parameters["weight_scale"]
    values = x / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + parameters["eps"]) * weight
    if is_int8:
        values = np.clip(values / parameters["result_scale"], -127, 127)
    return {"result": (values, np.abs(values))}
