"""Float64 reference of saxpy."""

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
    """Both streams uniform in [-1, 1)."""
    kinds = {"f32": np.float32, "f16": np.float16}
    return {name: rng.uniform(-1, 1, sizes["n"]).astype(kinds[types[name]]) for name in ("x", "y")}


def expected(
    inputs: Arrays, sizes: Mapping[str, int], types: Mapping[str, str], parameters: Mapping[str, float]
) -> dict[str, tuple[Any, Any]]:
    """``a x + y``, and the sum of the two terms' absolute values."""
    x = inputs["x"][: sizes["n"]].astype(np.float64)
    y = inputs["y"][: sizes["n"]].astype(np.float64)
    a = parameters["a"]
    return {"result": (a * x + y, np.abs(a * x) + np.abs(y))}
