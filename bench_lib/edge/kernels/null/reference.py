"""Float64 reference of the null dispatch."""

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
    """None."""
    return {}


def expected(
    inputs: Arrays, sizes: Mapping[str, int], types: Mapping[str, str], parameters: Mapping[str, float]
) -> dict[str, tuple[Any, Any]]:
    """The word that it writes."""
    value = np.array([parameters["value"]])
    return {"done": (value, value)}
