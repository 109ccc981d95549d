"""Float64 reference of LayerNorm."""

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
    """Normally distributed, x about a mean of each row's own, far from zero; int8 uniform over all values."""
    x = _drawn(rng, sizes["rows"] * sizes["cols"], types["x"]).reshape(sizes["rows"], sizes["cols"])
    if types["x"] != "i8":
        x += rng.uniform(-100, 100, (sizes["rows"], 1)).astype(x.dtype)
    return {
        "x": x.reshape(-1),
        "weight": _drawn(rng, sizes["cols"], types["weight"]),
        "bias": _drawn(rng, sizes["cols"], types["bias"]),
    }


def expected(
    inputs: Arrays, sizes: Mapping[str, int], types: Mapping[str, str], parameters: Mapping[str, float]
) -> dict[str, tuple[Any, Any]]:
    """Normalised rows; for int8 in steps of the result's scale, before rounding.

    The magnitude has the row's mean in it: float32 inputs far from zero have lost that much already.
    """
    rows, cols = sizes["rows"], sizes["cols"]
    x = inputs["x"][: rows * cols].reshape(rows, cols).astype(np.float64)
    weight, bias = inputs["weight"][:cols].astype(np.float64), inputs["bias"][:cols].astype(np.float64)
    is_int8 = types["x"] == "i8"
    if is_int8:
        x = x * parameters["x_scale"]
        weight, bias = weight * parameters["weight_scale"], bias * parameters["weight_scale"]
    mean = x.mean(axis=1, keepdims=True)
    factor = 1 / np.sqrt(x.var(axis=1, keepdims=True) + parameters["eps"])
    values = (x - mean) * factor * weight + bias
    magnitudes = (np.abs(x) + np.abs(mean)) * factor * np.abs(weight) + np.abs(bias)
    if is_int8:
        values = np.clip(values / parameters["result_scale"], -127, 127)
        magnitudes = magnitudes / parameters["result_scale"]
    return {"result": (values, magnitudes)}
