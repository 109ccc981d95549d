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
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Version of the rules below; it changes when they do.
RULES: Final = "1"
#: z of a step (its size over its standard error, where it is largest) at which it is *possible*, *confirmed*.
POSSIBLE_Z: Final = 4.0
CONFIRMED_Z: Final = 5.0
#: Fewest values on either side, and fewest that a confirmed step needs.
MIN_SIDE: Final = 3
MIN_CONFIRMED_SIDE: Final = 5
#: A step whose place is less sure than this many values is possible: it names no commit.
MAX_CONFIRMED_RANGE: Final = 16
#: Values further from their running median than this many deviations are replaced by it.
CLIP: Final = 4.0
#: z from which a step counts when the noise is first estimated, and a slope at all.
FIRST_Z: Final = 3.5
SLOPE_Z: Final = 3.0
_MEDIAN_WIDTH: Final = 9
#: No noise is taken to be smaller than this part of the value: the last digits of a file are not a change.
_MIN_NOISE: Final = 2e-4
_MAX_CORRELATION: Final = 0.9
#: The first estimate is rough. Were it higher, a step that is plain to see would be taken for correlation.
_MAX_FIRST_CORRELATION: Final = 0.75
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
        One minus the chance that noise alone shows a step like this anywhere in the series.
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


@dataclass(frozen=True)
class Noise:
    """Standard deviation of values about their level, and correlation of neighbours."""

    deviation: float
    correlation: float

    def variance_of_mean(self, counts: Ints) -> Floats:
        """Variance of the mean of ``counts`` neighbouring values.

        **Source**: variance of the mean of a first-order autoregressive process.
        """
        phi = self.correlation
        n = counts.astype(np.float64)
        factor = (1 + phi) / (1 - phi) - 2 * phi * (1 - phi**n) / (n * (1 - phi) ** 2)
        return self.deviation**2 * factor / n


def find_steps(values: Sequence[float] | Floats) -> tuple[Step, ...]:
    """Steps in ``values``, which are in the order of commits and finite; gaps are left out before.

    Fewer than ``2 * MIN_SIDE`` values have none.
    """
    raw = np.asarray(values, dtype=np.float64)
    if len(raw) < 2 * MIN_SIDE:
        return ()
    is_positive = bool((raw > 0).all())
    scale = float(np.median(np.abs(raw))) or 1.0
    y = clipped(np.log(raw) if is_positive else raw / scale)
    flat = _fit(y)
    sloped = _fit_sloped(y, flat)
    return (sloped or flat).steps(raw, is_positive=is_positive)


def _fit(y: Floats) -> _Segmentation:
    segmentation = _Segmentation(y, _first_noise(y), threshold=FIRST_Z)
    # Known levels give a better estimate of the noise, and that one better levels.
    before: list[int] | None = None
    for _ in range(2):
        places = segmentation.places()
        if places == before:
            break
        before = places
        segmentation = _Segmentation(y, _noise_about(y, places))
    return segmentation


def _fit_sloped(y: Floats, flat: _Segmentation) -> _Segmentation | None:
    """Levels about a straight line through all of ``y``, where that explains it with less."""
    time = np.arange(len(y), dtype=np.float64)
    slope, z = flat.slope()
    # Stairs in one direction are what a line looks like in levels.
    gaps = np.diff([part.mean() for part in np.split(y, flat.places())])
    if len(gaps) > 1 and (gaps > 0).all() | (gaps < 0).all():
        slope = float((time - time.mean()) @ y) / float((time - time.mean()) @ (time - time.mean()))
    elif abs(z) < SLOPE_Z:
        return None
    fitted = _fit(y - slope * time)
    more, _ = fitted.slope()
    fitted = _fit(y - (slope + more) * time)
    scale = fitted.long_run_variance()
    price = CONFIRMED_Z**2
    cost_flat = flat.squares() / scale + price * len(flat.found)
    cost_sloped = fitted.squares() / scale + price * (len(fitted.found) + 1)
    return fitted if cost_sloped < cost_flat else None


def clipped(y: Floats) -> Floats:
    """``y`` with values far from the median of their neighbours replaced by it: one outlier is no step."""
    width = min(_MEDIAN_WIDTH, len(y) // 2 * 2 - 1)
    half = width // 2
    windows = sliding_window_view(np.pad(y, half, mode="reflect"), width)
    middle = np.median(windows, axis=1)
    away = np.abs(y - middle)
    reach = CLIP * max(1.4826 * float(np.median(away)), _MIN_NOISE)
    return np.where(away > reach, middle, y)


def _first_noise(y: Floats) -> Noise:
    # Differences hardly see steps: var(y[t+k] - y[t]) / 2 = s² (1 - c^k) for a correlation c of neighbours.
    halves = [_robust_variance(y[k:] - y[:-k]) / 2 for k in (1, 2) if len(y) > k + 1]
    one, two = halves[0], halves[-1]
    correlation = float(np.clip(two / one - 1 if one > 0 else 0.0, 0.0, _MAX_FIRST_CORRELATION))
    return Noise(max(math.sqrt(one / (1 - correlation)), _MIN_NOISE), correlation)


def _robust_variance(differences: Floats) -> float:
    center = np.median(differences)
    return float((1.4826 * np.median(np.abs(differences - center))) ** 2)


def _noise_about(y: Floats, places: Sequence[int]) -> Noise:
    n = len(y)
    residual = _residual(y, places)
    freedom = max(n - len(places) - 1, 1)
    variance = float(residual @ residual) / freedom
    if variance <= _MIN_NOISE**2:
        return Noise(_MIN_NOISE, 0.0)
    correlation = float(residual[1:] @ residual[:-1]) / float(residual @ residual)
    # Levels fitted to the same values take away correlation; a standard error more keeps false steps away.
    correlation += (1 + 4 * max(correlation, 0)) * (len(places) + 1) / n + 1 / math.sqrt(n)
    return Noise(math.sqrt(variance), float(np.clip(correlation, 0.0, _MAX_CORRELATION)))


def _residual(y: Floats, places: Sequence[int]) -> Floats:
    edges = [0, *places, len(y)]
    return np.concatenate([y[a:b] - y[a:b].mean() for a, b in itertools.pairwise(edges)])


class _Segmentation:
    """Levels of ``y``, found over windows of many lengths and then freed of steps that do not hold."""

    def __init__(self, y: Floats, noise: Noise, *, threshold: float = POSSIBLE_Z) -> None:
        self.y = y
        self.threshold = threshold**2
        self.noise = noise
        self.sums = np.concatenate([[0.0], np.cumsum(y - y.mean())])
        self.variance = np.concatenate([[np.inf], noise.variance_of_mean(np.arange(1, len(y) + 1))])
        self.found = self._prune(self._candidates())

    def places(self) -> list[int]:
        return [place for place, _ in self.found]

    def residual(self) -> Floats:
        return _residual(self.y, self.places())

    def squares(self) -> float:
        residual = self.residual()
        return float(residual @ residual)

    def long_run_variance(self) -> float:
        """Variance of a mean of many values, times their number."""
        return float(self.variance[-1] * len(self.y))

    def slope(self) -> tuple[float, float]:
        """Common slope of all levels, and its z."""
        time = _residual(np.arange(len(self.y), dtype=np.float64), self.places())
        square = float(time @ time)
        slope = float(time @ self.y) / square
        # Noise by differences of neighbours: a slope makes residuals look correlated, and would hide itself.
        noise = _first_noise(self.y)
        long_run = float(noise.variance_of_mean(np.array([len(self.y)]))[0]) * len(self.y)
        return slope, slope / math.sqrt(long_run / square)

    def profile(self, start: int, stop: int) -> tuple[Ints, Floats]:
        """Places within [start, stop) and z² of a step at each."""
        places = np.arange(start + MIN_SIDE, stop - MIN_SIDE + 1)
        left, right = places - start, stop - places
        sums = self.sums
        gap = (sums[stop] - sums[places]) / right - (sums[places] - sums[start]) / left
        return places, gap**2 / (self.variance[left] + self.variance[right])

    def _candidates(self) -> list[int]:
        n = len(self.y)
        found: list[tuple[float, int, int, int]] = []
        length = n
        while length >= 2 * MIN_SIDE:
            starts = np.unique(np.append(np.arange(0, n - length + 1, max(length // 4, 1)), n - length))
            inner = np.arange(MIN_SIDE, length - MIN_SIDE + 1)
            first, middle, last = (
                self.sums[starts],
                self.sums[starts[:, None] + inner],
                self.sums[starts + length],
            )
            gap = (last[:, None] - middle) / (length - inner) - (middle - first[:, None]) / inner
            z2 = gap**2 / (self.variance[inner] + self.variance[length - inner])
            best = z2.argmax(axis=1)
            peaks = z2[np.arange(len(starts)), best]
            for i in np.flatnonzero(peaks >= self.threshold):
                found.append((float(peaks[i]), int(starts[i] + inner[best[i]]), int(starts[i]), length))
            length = int(length / 1.5)
        places: list[int] = []
        # The strongest first; a window that has one of them inside says nothing new.
        for _, place, start, size in sorted(found, reverse=True):
            if not any(start < p < start + size for p in places):
                places.append(place)
        return sorted(places)

    def _prune(self, places: list[int]) -> list[tuple[int, float]]:
        """Places moved to where they fit best; the weakest dropped until all hold."""
        n = len(self.y)
        while places:
            moved: list[tuple[int, float]] = []
            for i, _ in enumerate(places):
                start = moved[i - 1][0] if i else 0
                stop = places[i + 1] if i + 1 < len(places) else n
                if stop - start < 2 * MIN_SIDE:
                    moved.append((places[i], 0.0))
                    continue
                at, z2 = self.profile(start, stop)
                best = int(z2.argmax())
                held = float(z2[best]) if self._is_no_drift(start, int(at[best]), stop) else 0.0
                moved.append((int(at[best]), held))
            weakest = min(range(len(moved)), key=lambda i: moved[i][1])
            if moved[weakest][1] >= self.threshold:
                if [p for p, _ in moved] == places:
                    return moved
                places = [p for p, _ in moved]
                continue
            places = [p for i, (p, _) in enumerate(moved) if i != weakest]
        return []

    def _is_no_drift(self, start: int, place: int, stop: int) -> bool:
        """Whether a step explains the values better than a straight line, or is needed beside one."""
        part = self.y[start:stop] - self.y[start:stop].mean()
        n = len(part)
        line = np.arange(n) - (n - 1) / 2
        step = (np.arange(n) >= place - start) - (stop - place) / n
        along_line = (line @ part) ** 2 / (line @ line)
        along_step = (step @ part) ** 2 / (step @ step)
        if along_step >= along_line:
            return True
        rest = step - line * (line @ step) / (line @ line)
        long_run = self.variance[n] * n
        return bool((rest @ part) ** 2 / (rest @ rest) >= POSSIBLE_Z**2 * long_run)

    def steps(self, raw: Floats, *, is_positive: bool) -> tuple[Step, ...]:
        n = len(raw)
        edges = [0, *self.places(), n]
        return tuple(
            self._step(raw, edges[i], place, edges[i + 2], is_positive=is_positive)
            for i, (place, _) in enumerate(self.found)
        )

    def _step(self, raw: Floats, start: int, place: int, stop: int, *, is_positive: bool) -> Step:
        at, z2 = self.profile(start, stop)
        peak = float(z2[place - at[0]])
        near = at[z2 >= peak - _PLACE_99]
        left, right = place - start, stop - place
        gap = float(self.y[place:stop].mean() - self.y[start:place].mean())
        reach = _Z_99 * math.sqrt(self.variance[left] + self.variance[right])
        z = math.sqrt(peak)
        # Bonferroni over the places that could have been chosen.
        confidence = 1 - min(1.0, len(self.y) * math.erfc(z / math.sqrt(2)))
        is_placed = near[-1] - near[0] <= MAX_CONFIRMED_RANGE
        is_confirmed = is_placed and z >= CONFIRMED_Z and min(left, right) >= MIN_CONFIRMED_SIDE
        return Step(
            index=place,
            first=int(near[0]),
            last=int(near[-1]),
            before=float(np.median(raw[start:place])),
            after=float(np.median(raw[place:stop])),
            ratio=math.exp(gap) if is_positive else math.nan,
            ratio_low=math.exp(gap - reach) if is_positive else math.nan,
            ratio_high=math.exp(gap + reach) if is_positive else math.nan,
            z=z,
            confidence=confidence,
            kind="confirmed" if is_confirmed else "possible",
        )
