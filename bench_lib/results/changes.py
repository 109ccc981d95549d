"""Steps in a series of values: where a level changes, by how much, and how sure that is. Pure.

The method, and why it is as it is: docs/explanation/change-points.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from bench_lib.results.step_noise import first_noise, noise_about, outliers
from bench_lib.results.step_search import MIN_SIDE, Segmentation

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Version of the rules below; it changes when they do.
RULES: Final = "2"
#: What z² of a step (its squared size over its variance) must exceed beside 2 ln n: places that are looked at
#: first, those that are kept, and the one at which a step is as likely as none.
_FIRST: Final = 1.0
_KEPT: Final = 6.0
_EVEN: Final = 6.0
#: Confidence from which a step is confirmed, and values around its place that it speaks of.
CONFIRMED: Final = 0.6
NEAR: Final = 5
#: Fewest values on both sides that a confirmed step needs.
MIN_CONFIRMED_SIDE: Final = 5
#: A level that lasts this many values is never noise. Shorter ones are, where the series makes as many visits
#: of that length to levels as far away as chance would.
_LASTING: Final = 40
_FEW_VISITS: Final = 3
_VISIT_CHANCE: Final = 0.02
#: z² from which a slope of the whole series counts.
_SLOPE: Final = 12.0
_Z_99: Final = 2.5758
#: Fall of z² within which places are in a 99 % range: the quantile of chi² with one degree of freedom.
_PLACE_99: Final = 6.635


@dataclass(frozen=True)
class Step:
    """A change of level between two values.

    Parameters
    ----------
    index
        First value of the new level.
    first, last
        Range of values that may be the first of the new level, with 99 % confidence.
    before, after
        Level on each side, up to the next step.
    ratio, ratio_low, ratio_high
        ``after / before`` with its 99 % interval; NaN where a level is not positive.
    z
        Size over standard error, with the correlation of neighbouring values counted in.
    confidence
        Chance that the series has a step within ``NEAR`` values of ``index``.
    kind
        ``confirmed``, or ``possible``: worth a look, not an alert.
    """

    index: int
    first: int
    last: int
    before: float
    after: float
    ratio: float
    ratio_low: float
    ratio_high: float
    z: float
    confidence: float
    kind: Literal["confirmed", "possible"]


def find_steps(values: Sequence[float] | Floats) -> tuple[Step, ...]:
    """Steps in ``values``, which are in the order of commits and finite; gaps are left out before.

    Fewer than ``2 * MIN_SIDE`` values have none.
    """
    raw = np.asarray(values, dtype=np.float64)
    if len(raw) < 2 * MIN_SIDE:
        return ()
    is_positive = bool((raw > 0).all())
    y = np.log(raw) if is_positive else raw / (float(np.median(np.abs(raw))) or np.abs(raw).max() or 1.0)
    away = outliers(y)
    kept = np.flatnonzero(away == 0)
    y = y[kept]
    if len(y) < 2 * MIN_SIDE or np.ptp(y) == 0:
        return ()
    gone = np.abs(away[away != 0])
    found = _fit(y, gone)
    found = _fit_sloped(y, gone, found) or found
    around = zip(found.edges(), found.edges()[1:], found.edges()[2:], strict=False)
    return tuple(_step(found, raw, kept, bounds, is_positive=is_positive) for bounds in around)


def _threshold(n: int, extra: float) -> float:
    # Many places may be chosen from (2 ln n), and the variance is told from the same n values: the second is
    # the likelihood ratio n ln(1 + z² / n), turned round.
    return n * math.expm1((2 * math.log(max(n, 20)) + extra) / n)


def _fit(y: Floats, gone: Floats) -> Segmentation:
    n = len(y)
    found = Segmentation(y, first_noise(y), threshold=_threshold(n, _FIRST))
    # Known levels give a better estimate of the noise, and that one better levels.
    before: list[int] | None = None
    for _ in range(3):
        if found.places == before:
            break
        before = found.places
        noise = noise_about(y, before, abrupt=found.abrupt(_lasting(found, gone)))
        found = Segmentation(y, noise, threshold=_threshold(n, _KEPT))
    # To and fro is noise: without those steps there is more of it, and others may not hold.
    while (lasting := _lasting(found, gone)) != found.places:
        noise = noise_about(y, lasting, abrupt=found.abrupt(lasting))
        found = Segmentation(y, noise, threshold=_threshold(n, _KEPT), places=lasting)
    return found


def _fit_sloped(y: Floats, gone: Floats, flat: Segmentation) -> Segmentation | None:
    """Levels about a straight line through all of ``y``, where that explains it with less."""
    n = len(y)
    abrupt = sorted(flat.abrupt(flat.places))
    if abrupt == flat.places and not flat.evidence.noise.wander:
        return None
    time = np.arange(n) - (n - 1) / 2
    slope, z2 = flat.slope(abrupt)
    if z2 < _SLOPE:
        return None
    fitted = _fit(y - slope * time, gone)
    more, _ = fitted.slope(fitted.places)
    fitted = _fit(y - (slope + more) * time, gone)
    scale, price = fitted.long_run_variance(), _threshold(n, _EVEN)
    cost_flat = flat.squares() / scale + price * len(flat.places)
    cost_sloped = fitted.squares() / scale + price * len(fitted.places) + price
    return fitted if cost_sloped < cost_flat else None


@dataclass(frozen=True)
class _Visit:
    """A level that is left again for the one before: its distance, length, and first and next index."""

    size: float
    length: int
    bounds: tuple[int, int]


def _visits(edges: list[int], means: list[float], gone: Floats) -> list[_Visit]:
    visits = [_Visit(float(size), 1, (-1, -1)) for size in gone]
    for i in range(1, len(means) - 1):
        there, back = means[i] - means[i - 1], means[i + 1] - means[i]
        length = edges[i + 1] - edges[i]
        if there * back < 0 and 0.5 < abs(there / back) < 2 and length < _LASTING:
            visits.append(_Visit((abs(there) + abs(back)) / 2, length, (edges[i], edges[i + 1])))
    return visits


def _lasting(found: Segmentation, gone: Floats) -> list[int]:
    """Places of steps whose levels last longer than the visits that the series pays to levels as far away.

    Lengths of visits are taken as geometric: a series that jumps at random between two states has such.
    """
    edges = found.edges()
    means = [float(found.y[a:b].mean()) for a, b in itertools.pairwise(edges)]
    visits = _visits(edges, means, gone)
    kept = []
    for i, place in enumerate(found.places):
        gap = abs(means[i + 1] - means[i])
        like = [v.length for v in visits if place not in v.bounds and 0.75 * gap < v.size < gap / 0.75]
        shorter = min(edges[i + 1] - edges[i], edges[i + 2] - edges[i + 1])
        if len(like) >= _FEW_VISITS and shorter < _LASTING:
            as_long = len(like) * math.exp(-shorter * len(like) / (sum(like) + 1))
            if as_long >= _VISIT_CHANCE:
                continue
        kept.append(place)
    return kept


def _step(
    found: Segmentation, raw: Floats, kept: Ints, bounds: tuple[int, int, int], *, is_positive: bool
) -> Step:
    start, place, stop = bounds
    at, z2 = found.evidence.profile(start, stop)
    peak = float(z2[place - at[0]])
    near = at[z2 >= peak - _PLACE_99]
    size, variance = found.evidence.at(start, np.array([place]), stop)
    gap, reach = float(size[0]), _Z_99 * math.sqrt(float(variance[0]))
    chances = np.exp((z2 - peak) / 2)
    placed = float(chances[np.abs(at - place) <= NEAR].sum() / chances.sum())
    real = 1 / (1 + math.exp(min((_threshold(len(kept), _EVEN) - peak) / 2, 700)))
    is_confirmed = placed * real >= CONFIRMED and min(place - start, stop - place) >= MIN_CONFIRMED_SIDE
    return Step(
        index=int(kept[place]),
        # An outlier at the border may belong to either level.
        first=int(kept[near[0] - 1]) + 1,
        last=int(kept[near[-1]]),
        before=float(np.median(raw[kept[start:place]])),
        after=float(np.median(raw[kept[place:stop]])),
        ratio=math.exp(gap) if is_positive else math.nan,
        ratio_low=math.exp(gap - reach) if is_positive else math.nan,
        ratio_high=math.exp(gap + reach) if is_positive else math.nan,
        z=math.sqrt(peak),
        confidence=placed * real,
        kind="confirmed" if is_confirmed else "possible",
    )
