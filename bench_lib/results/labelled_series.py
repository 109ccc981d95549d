"""Made-up series with known steps, to judge methods that look for steps. Nothing here was measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Kinds of noise, by name: independent normal; the same with 4 % of values 10 to 100 % too high; each value
#: correlated 0.6 with the one before; normal on a slow linear drift of 2 to 8 % in all.
NOISES: Final = ("gaussian", "outliers", "ar", "drift")
STEPS: Final = (0.02, 0.05, 0.10, 0.20)
NOISE_LEVELS: Final = (0.01, 0.02, 0.05)
LENGTH: Final = 200
#: No step lies nearer to either end.
MARGIN: Final = 20


@dataclass(frozen=True)
class LabelledSeries:
    """Values, the indices at which a new level begins (none in a null series), and how they were made."""

    values: Floats
    steps: tuple[int, ...]
    noise: str
    noise_level: float
    size: float


def noise_of(kind: str, level: float, length: int, rng: np.random.Generator) -> Floats:
    """Relative noise whose standard deviation is ``level``, outliers and drift not counted."""
    white = rng.standard_normal(length)
    if kind == "ar":
        correlated = np.empty(length)
        correlated[0] = white[0]
        for i in range(1, length):
            correlated[i] = 0.6 * correlated[i - 1] + 0.8 * white[i]
        white = correlated
    noise = level * white
    if kind == "outliers":
        noise += np.where(rng.random(length) < 0.04, rng.uniform(0.1, 1.0, length), 0.0)
    if kind == "drift":
        noise += rng.choice([-1, 1]) * rng.uniform(0.02, 0.08) * np.linspace(0, 1, length)
    return noise


def labelled(
    kind: str, *, repeats: int = 40, seed: int = 0, steps: tuple[float, ...] = STEPS
) -> Iterator[LabelledSeries]:
    """Series with noise of ``kind``.

    For each size and noise level ``repeats`` with one step up or down at a random place, and a third as
    many null series in all.
    """
    rng = np.random.default_rng([seed, NOISES.index(kind)])
    for level in NOISE_LEVELS:
        for size in (*steps, 0.0):
            count = repeats if size else repeats * len(steps) // 3
            for _ in range(count):
                at = int(rng.integers(MARGIN, LENGTH - MARGIN))
                factor = 1 + size * rng.choice([-1, 1])
                values = 1 + noise_of(kind, level, LENGTH, rng)
                values[at:] *= factor
                yield LabelledSeries(values * 1e-3, (at,) if size else (), kind, level, size)
