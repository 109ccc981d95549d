"""Made-up series with known steps, to judge methods that look for steps. Nothing here was measured."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Kinds of noise, by name. What each is: :func:`noise_of`.
NOISES: Final = (
    "gaussian",
    "outliers",
    "ar",
    "drift",
    "ar3",
    "ar8",
    "t3",
    "two states",
    "wander",
    "swap",
)
#: The kinds for which figures are promised; the others show where a method ends.
MAIN_NOISES: Final = NOISES[:4]
_CORRELATIONS: Final = {"ar": 0.6, "ar3": 0.3, "ar8": 0.8}
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
    """Relative noise whose standard deviation is ``level``, outliers, drift and states not counted.

    ``gaussian``: independent normal. ``outliers``: the same with 4 % of values 10 to 100 % too high. ``ar``,
    ``ar3``, ``ar8``: each value correlated 0.6, 0.3, 0.8 with the one before. ``drift``: normal on a straight
    line of 2 to 8 % in all. ``t3``: Student's t with three degrees of freedom. ``two states``: normal, and
    two levels three deviations apart, between which the series jumps after 7 values in the mean. ``wander``:
    normal on a random walk that moves by a fifth of a deviation a value. ``swap``: another machine from a
    random place on, whose noise is four times lower.
    """
    white = rng.standard_normal(length)
    if kind in _CORRELATIONS:
        phi = _CORRELATIONS[kind]
        correlated = np.empty(length)
        correlated[0] = white[0]
        for i in range(1, length):
            correlated[i] = phi * correlated[i - 1] + math.sqrt(1 - phi**2) * white[i]
        white = correlated
    if kind == "t3":
        white = rng.standard_t(3, length) / math.sqrt(3)
    if kind == "two states":
        white += 3 * (np.cumsum(rng.random(length) < 1 / 7) % 2)
    if kind == "wander":
        white += np.cumsum(0.2 * rng.standard_normal(length))
    if kind == "swap":
        white[int(rng.integers(MARGIN, length - MARGIN)) :] /= 4
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
