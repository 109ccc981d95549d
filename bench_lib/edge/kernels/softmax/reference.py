"""Float64 reference of softmax."""

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
    """x normally distributed about a mean of each row's own, far from zero, some of it masked by -inf.

    int8 is uniform over all values.
    """
    rows, cols = sizes["rows"], sizes["cols"]
    if types["x"] == "i8":
        return {"x": rng.integers(-127, 128, rows * cols, dtype=np.int8)}
    x = 3 * rng.standard_normal((rows, cols)) + rng.uniform(-1000, 1000, (rows, 1))
    is_masked = rng.random((rows, cols)) < 1 / 16
    # A row that is masked as a whole has no softmax.
    is_masked[:, 0] = False
    x[is_masked] = -np.inf
    return {"x": x.reshape(-1).astype({"f32": np.float32, "f16": np.float16}[types["x"]])}


def expected(
    inputs: Arrays, sizes: Mapping[str, int], types: Mapping[str, str], parameters: Mapping[str, float]
) -> dict[str, tuple[Any, Any]]:
    """Probabilities; for int8 in steps of the result's scale, before rounding."""
    rows, cols = sizes["rows"], sizes["cols"]
    x = inputs["x"][: rows * cols].reshape(rows, cols).astype(np.float64)
    is_int8 = types["x"] == "i8"
    if is_int8:
        x = x * parameters["x_scale"]
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    values = powers / powers.sum(axis=1, keepdims=True)
    if is_int8:
        values = np.clip(values / parameters["result_scale"], -127, 127)
    return {"result": (values, np.abs(values))}
