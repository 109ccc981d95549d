"""The noise of a series: deviation, correlation of neighbours, slow wander, outliers. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Values further from their running median than this many deviations are outliers.
CLIP: Final = 4.0
_MEDIAN_WIDTH: Final = 9
#: Pairs of nine values that are put in order; then the middle one is the median.
#:
#: **Source**: Paeth, "Median finding on a 3x3 grid", Graphics Gems (1990).
_EXCHANGES: Final = (
    *((1, 2), (4, 5), (7, 8), (0, 1), (3, 4), (6, 7), (1, 2), (4, 5), (7, 8)),
    *((0, 3), (3, 6), (1, 4), (4, 7), (1, 4), (5, 8), (2, 5)),
    *((2, 4), (4, 6), (2, 4)),
)
#: No noise is taken to be smaller than this part of the value: the last digits of a file are not a change.
MIN_NOISE: Final = 2e-4
_MAX_CORRELATION: Final = 0.9
#: The first estimate is rough. Were it higher, a step that is plain to see would be taken for correlation.
_MAX_FIRST_CORRELATION: Final = 0.75
#: Standard errors added to the estimated correlation: too low a one brings false steps.
_CAUTION: Final = 0.3
#: Values over which the deviation is taken as constant, and weight of the whole series in each such part.
_PART: Final = 40
_PRIOR: Final = 10
#: How many standard deviations of chance parts must differ by before the deviation is taken to vary.
_VARIES: Final = 6.0
#: 0.7 quantile of the absolute value of a standard normal variable.
_QUANTILE_70: Final = 1.0364
#: Lengths of the stretches whose means tell of wander, and standard errors by which they must.
_STRETCHES: Final = (8, 16, 32)
_WANDER_SURE: Final = 3.0


@dataclass(frozen=True)
class Noise:
    """Noise about the levels of one series.

    Parameters
    ----------
    deviation
        Standard deviation of each value, given its level and the value before; array of shape (n,).
    correlation
        Of neighbouring values about their level: a first-order autoregressive process.
    wander
        Variance by which the level itself moves from value to value, as part of ``deviation**2``.
    """

    deviation: Floats
    correlation: float
    wander: float


def outliers(y: Floats) -> Floats:
    """How far outliers of ``y`` are from the median of their neighbours; 0 where a value is none.

    How far is too far is told by the values around: a series may be quiet at first and noisy later.
    """
    width = min(_MEDIAN_WIDTH, len(y) // 2 * 2 - 1)
    half = width // 2
    middle = _running_median(np.pad(y, half, mode="reflect"), width)
    away = np.abs(y - middle)
    count = max(len(y) // _PART, 1)
    edges = np.linspace(0, len(y), count + 1).astype(np.int64)
    reach = CLIP * np.maximum(1.4826 * _along(_medians(away, edges), edges), MIN_NOISE)
    return np.where(away > reach, y - middle, 0.0)


def _running_median(values: Floats, width: int) -> Floats:
    if width != _MEDIAN_WIDTH:
        return np.asarray(np.median(sliding_window_view(values, width), axis=1))
    # Exchanges of whole columns: several times faster than sorting each window.
    columns = list(sliding_window_view(values, width).T)
    for low, high in _EXCHANGES:
        a, b = columns[low], columns[high]
        columns[low], columns[high] = np.minimum(a, b), np.maximum(a, b)
    middle: Floats = columns[_MEDIAN_WIDTH // 2]
    return middle


def _medians(values: Floats, edges: NDArray[np.int64]) -> Floats:
    """Median of each part of ``values`` between ``edges``, of all parts at once."""
    lengths = np.diff(edges)
    inner = np.arange(lengths.max())
    # What lies after a shorter part sorts to its end.
    parts = values[np.minimum(edges[:-1, None] + inner, len(values) - 1)]
    parts = np.sort(np.where(inner < lengths[:, None], parts, np.inf), axis=1)
    each = np.arange(len(lengths))
    medians: Floats = (parts[each, (lengths - 1) // 2] + parts[each, lengths // 2]) / 2
    return medians


def _along(each: Floats, edges: NDArray[np.int64]) -> Floats:
    """A figure of each part between ``edges``, drawn out to every value."""
    return np.interp(np.arange(edges[-1]), (edges[1:] + edges[:-1] - 1) / 2, each)


def first_noise(y: Floats) -> Noise:
    """Noise told from differences, which hardly see steps.

    ``var(y[t+k] - y[t]) / 2 = s² (1 - c**k)`` for a correlation c of neighbours.
    """
    one = _variance(y[1:] - y[:-1]) / 2
    two = _variance(y[2:] - y[:-2]) / 2
    correlation = min(max(two / one - 1 if one > 0 else 0.0, 0.0), _MAX_FIRST_CORRELATION)
    deviation = math.sqrt(one / (1 - correlation) * (1 - correlation**2))
    return Noise(np.full(len(y), max(deviation, MIN_NOISE)), correlation, 0.0)


def _variance(differences: Floats) -> float:
    # Steps touch few differences; a median would also overlook what happens to three in ten.
    return (_quantile(np.abs(differences), 0.7) / _QUANTILE_70) ** 2


def _quantile(values: Floats, share: float) -> float:
    """As ``np.quantile``, to the last bit, without its checks: on short series they take most of the time."""
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    parted = np.partition(values, (below, above))
    low, high, part = float(parted[below]), float(parted[above]), place - below
    return high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part


def noise_about(y: Floats, places: Sequence[int], *, abrupt: Sequence[int] = ()) -> Noise:
    """Noise told from what is left of ``y`` when the levels between ``places`` are taken away.

    ``abrupt`` are those of the places, the strongest first, that no wander explains.
    """
    n = len(y)
    rest = residual(y, places)
    square = float(rest @ rest)
    if square <= n * MIN_NOISE**2:
        return Noise(np.full(n, MIN_NOISE), 0.0, 0.0)
    correlation = float(rest[1:] @ rest[:-1]) / square
    # Levels fitted to the same values take away correlation.
    correlation += (1 + 4 * max(correlation, 0)) * (len(places) + 1) / n + _CAUTION / math.sqrt(n)
    correlation = min(max(correlation, 0.0), _MAX_CORRELATION)
    new = rest.copy()
    new[1:] -= correlation * rest[:-1]
    new[0] *= math.sqrt(1 - correlation**2)
    squares = new**2
    variance = _variance_along(squares, float(squares.sum()) / max(n - len(places) - 1, 1))
    deviation = np.sqrt(np.maximum(variance, MIN_NOISE**2))
    return Noise(deviation, correlation, _wander(y, deviation, correlation, abrupt))


def _variance_along(squares: Floats, variance: float) -> Floats:
    """Variance along the series, where it differs by more than chance."""
    n = len(squares)
    count = n // _PART
    if count < 2:
        return np.full(n, variance)
    edges = np.linspace(0, n, count + 1).astype(np.int64)
    lengths = np.diff(edges)
    sums = np.add.reduceat(squares, edges[:-1])
    # Bartlett's statistic: chi-squared with about `count` degrees of freedom where all parts are alike.
    unlike = float((lengths * np.log(variance / np.maximum(sums / lengths, MIN_NOISE**2))).sum())
    if unlike < count + _VARIES * math.sqrt(2 * count):
        return np.full(n, variance)
    each = (sums + _PRIOR * variance) / (lengths + _PRIOR)
    # The noise may have changed within a part, so that a noisier neighbour counts too.
    around = np.pad(each, 1, mode="edge")
    each = np.maximum(each, np.sqrt(each * np.maximum(around[:-2], around[2:])))
    return _along(each, edges)


def _wander(y: Floats, deviation: Floats, correlation: float, abrupt: Sequence[int]) -> float:
    """How much the means of neighbouring stretches differ beyond what correlation of neighbours explains.

    Stretches with an abrupt step are left out, as far as that leaves half of the series.

    **Source**: means of neighbouring stretches of w values of a random walk with variance q differ with
    variance 2 q w / 3 (Allan variance of a random walk).
    """
    n = len(y)
    found = 0.0
    sums = np.concatenate([[0.0], np.cumsum(y)])
    typical = float(np.median(deviation)) ** 2
    for width in _STRETCHES:
        most = n // (4 * width)
        if n < 10 * width or (width > _STRETCHES[0] and len(abrupt) > most):
            break
        means = (sums[width:] - sums[:-width]) / width
        gaps = means[width:] - means[:-width]
        kept = np.ones(len(gaps), dtype=bool)
        for place in abrupt[:most]:
            kept[max(place - 2 * width + 1, 0) : place] = False
        usual = 2 * typical / (1 - correlation) ** 2 / width
        # A spread told from few stretches is itself unsure.
        slack = 1 + _WANDER_SURE / math.sqrt(int(kept.sum()) / (2 * width))
        found = max(found, (_variance(gaps[kept]) - usual * slack) * 1.5 / width)
    return found / typical


def residual(y: Floats, places: Sequence[int]) -> Floats:
    """``y`` less the mean of each of its parts between ``places``."""
    edges = np.array([0, *places], dtype=np.int64)
    lengths = np.diff(np.append(edges, len(y)))
    return y - np.repeat(np.add.reduceat(y, edges) / lengths, lengths)
