"""Float64 reference of saxpy."""

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
    return {name: _drawn(rng, sizes["n"], types[name]) for name in ("x", "y")}


def expected(
    inputs: Arrays, sizes: Mapping[str, int], types: Mapping[str, str], parameters: Mapping[str, float]
) -> dict[str, tuple[Any, Any]]:
    """``a x + y``; for int8 in steps of the scale, before rounding."""
    x = inputs["x"][: sizes["n"]].astype(np.float64)
    y = inputs["y"][: sizes["n"]].astype(np.float64)
    values = parameters["a"] * x + y
    if types["x"] == "i8":
        values = np.clip(values, -127, 127)
    return {"result": (values, np.abs(parameters["a"] * x) + np.abs(y))}
