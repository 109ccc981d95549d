"""Where levels of a series change: sought in windows of many lengths, kept where they hold. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench_lib.results.step_noise import Noise, residual

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Fewest values on either side of a step.
MIN_SIDE: Final = 3
#: Values on either side that must show an abrupt step.
_ABRUPT_SIDE: Final = 8


class Evidence:
    """How well a step at each place explains ``y``, by generalised least squares in correlated noise.

    Each value is taken less ``correlation`` times the one before: what is left is independent. Sums of it
    give the size of a step between any two bounds, and its variance, at once for many places.

    **Source**: Prais and Winsten (1954) for the first value of a window; the rest are the normal equations
    of a constant and a step.
    """

    def __init__(self, y: Floats, noise: Noise) -> None:
        self.y = y = y - y.mean()
        self.noise = noise
        phi = noise.correlation
        self.keep = keep = 1 - phi
        weight = noise.deviation**-2
        new = y.copy()
        new[1:] -= phi * y[:-1]
        self._weights = np.concatenate([[0.0], np.cumsum(weight)])
        self._sums = np.concatenate([[0.0], np.cumsum(weight * new)])
        # What a step at p brings, less what lies after the end of its window.
        self._own = weight - keep**2 * self._weights[1:]
        self._cross = keep * weight - keep**2 * self._weights[1:]
        self._value = weight * new - keep * self._sums[1:]
        self._first_weight = (1 - phi**2) * weight
        self._first_value = self._first_weight * y
        self._wander = noise.wander * noise.deviation**2 / 3
        self._is_steady = bool((weight == weight[0]).all())

    def at(self, start: Ints | int, places: Ints, stop: Ints | int) -> tuple[Floats, Floats]:
        """Size of a step at ``places`` within [start, stop), and its variance; shaped as ``places``."""
        square, keep = self.keep**2, self.keep
        after = np.asarray(start) + 1
        weight = square * self._weights[stop]
        whole = self._first_weight[start] + weight - square * self._weights[after]
        level = self._first_value[start] + keep * (self._sums[stop] - self._sums[after])
        both = self._cross[places] + weight
        information = self._own[places] + weight - both**2 / whole
        size = (self._value[places] + keep * self._sums[stop] - both * (level / whole)) / information
        variance = 1 / information
        if self.noise.wander:
            variance = variance + self._wander[places] * (np.asarray(stop) - start)
        return size, variance

    def profile(self, start: int, stop: int) -> tuple[Ints, Floats]:
        """Places within [start, stop) and z² of a step at each."""
        places = np.arange(start + MIN_SIDE, stop - MIN_SIDE + 1)
        size, variance = self.at(start, places, stop)
        return places, size**2 / variance

    def windows(self) -> Iterator[tuple[int, Ints, Floats]]:
        """Windows of many lengths: length, first indices, and z² of a step at each place in each of them.

        Rows are windows. As :meth:`profile`, but for rounding.
        """
        starts, stops, groups = _windows(len(self.y))
        if not self._is_steady:
            for length, _, part in groups:
                start = starts[part]
                places = start[:, None] + np.arange(MIN_SIDE, length - MIN_SIDE + 1)
                size, variance = self.at(start[:, None], places, stops[part, None])
                yield length, start, size**2 / variance
            return
        # All values weigh the same: what a step's place is worth depends on its distance from both ends.
        sums = self._sums[stops]
        level = self._first_value[starts] + self.keep * (sums - self._sums[starts + 1])
        sums *= self.keep
        weight, square, phi = 1 / float(self.noise.deviation[0]) ** 2, self.keep**2, self.noise.correlation
        after = np.arange(len(self.y) - MIN_SIDE, MIN_SIDE - 1, -1)
        shared = self.keep + square * (after - 1)
        for length, every, part in groups:
            own = shared[-(length - 2 * MIN_SIDE + 1) :]
            share = own / (1 - phi**2 + square * (length - 1))
            scale = weight * (own + phi - own * share)
            if self.noise.wander:
                scale += scale**2 * (length * self._wander[0])
            z2 = _rows(self._value, length, every, sums[part])
            z2 -= level[part, None] * share
            z2 *= z2
            z2 /= scale
            yield length, starts[part], z2


def _rows(values: Floats, length: int, every: int, plus: Floats) -> Floats:
    """The inner ``values`` of each window, ``plus`` a figure of the window; shape (windows, places)."""
    width, count = length - 2 * MIN_SIDE + 1, len(plus)
    # The longer axis is the inner one, or loops of a few values would take most of the time.
    rows = np.empty((count, width), order="F" if count > width else "C")
    step = values.itemsize
    inner = np.ndarray(
        (count - 1, width), buffer=values, offset=MIN_SIDE * step, strides=(every * step, step)
    )
    np.add(inner, plus[:-1, None], out=rows[:-1])
    np.add(values[len(values) - MIN_SIDE - width + 1 : len(values) - MIN_SIDE + 1], plus[-1], out=rows[-1])
    return rows


@lru_cache(maxsize=8)
def _windows(n: int) -> tuple[Ints, Ints, tuple[tuple[int, int, slice], ...]]:
    """First and next index of the windows of ``n`` values; length, distance and slice of those alike.

    The last of each length ends with the last value.
    """
    starts: list[Ints] = []
    stops: list[Ints] = []
    groups = []
    length, count = n, 0
    while length >= 2 * MIN_SIDE:
        every = max(length // 4, 1)
        start = np.append(np.arange(0, n - length, every), n - length)
        starts.append(start)
        stops.append(start + length)
        groups.append((length, every, slice(count, count + len(start))))
        count += len(start)
        length = int(length / 1.5)
    return np.concatenate(starts), np.concatenate(stops), tuple(groups)


class Segmentation:
    """Places at which the level of ``y`` changes, sought everywhere or chosen among ``places``.

    Each has a z² of at least ``threshold`` between its neighbours.
    """

    def __init__(
        self, y: Floats, noise: Noise, *, threshold: float, places: Sequence[int] | None = None
    ) -> None:
        self.evidence = Evidence(y, noise)
        self.y = self.evidence.y
        self.threshold = threshold
        self._known: dict[tuple[int, int], tuple[int, float]] = {}
        self.places = self._prune(self._candidates() if places is None else list(places))

    def edges(self) -> list[int]:
        """Places with both ends."""
        return [0, *self.places, len(self.y)]

    def squares(self) -> float:
        """Sum of squares about the levels."""
        rest = residual(self.y, self.places)
        return float(rest @ rest)

    def long_run_variance(self) -> float:
        """Variance of a mean of many values, times their number."""
        return float(np.mean(self.evidence.noise.deviation**2)) / self.evidence.keep**2

    def slope(self, places: Sequence[int]) -> tuple[float, float]:
        """Common slope of all levels between ``places``, and its z²."""
        time = residual(np.arange(len(self.y), dtype=np.float64), places)
        square = float(time @ time)
        slope = float(time @ self.y) / square
        return slope, slope**2 * square / self.long_run_variance()

    def abrupt(self, places: Sequence[int]) -> list[int]:
        """Those of ``places`` that few values on either side show already, the strongest first."""
        edges = self.edges()
        wanted = set(places)
        sure = []
        for before, place, after in zip(edges, edges[1:], edges[2:], strict=False):
            if place in wanted:
                start, stop = max(before, place - _ABRUPT_SIDE), min(after, place + _ABRUPT_SIDE)
                size, variance = self.evidence.at(start, np.array([place]), stop)
                z2 = float(size[0] ** 2 / variance[0])
                if z2 >= self.threshold:
                    sure.append((z2, place))
        return [place for _, place in sorted(sure, reverse=True)]

    def _candidates(self) -> list[int]:
        found: list[tuple[Floats, Ints, Ints, Ints]] = []
        for length, starts, z2 in self.evidence.windows():
            highest = z2.max(axis=1)
            if highest.max() < self.threshold:
                continue
            strong = np.flatnonzero(highest >= self.threshold)
            first = starts[strong]
            found.append(
                (highest[strong], first + MIN_SIDE + z2[strong].argmax(axis=1), first, first + length)
            )
        if not found:
            return []
        z2, place, start, stop = (np.concatenate(column) for column in zip(*found, strict=True))
        # The strongest first; a window that has one of them inside says nothing new.
        order = np.lexsort([start, place, -z2])
        place, start, stop = place[order], start[order], stop[order]
        taken: list[int] = []
        while len(place):
            chosen = place[0]
            taken.append(int(chosen))
            left = (start >= chosen) | (chosen >= stop)
            place, start, stop = place[left], start[left], stop[left]
        return sorted(taken)

    def _best(self, start: int, stop: int) -> tuple[int, float]:
        """The best place within [start, stop) and its z²; 0 where a straight line explains more."""
        if stop - start < 2 * MIN_SIDE:
            return -1, 0.0
        if (start, stop) not in self._known:
            places, z2 = self.evidence.profile(start, stop)
            best = int(z2.argmax())
            place, held = int(places[best]), float(z2[best])
            if held >= self.threshold and not self._is_no_drift(start, place, stop):
                held = 0.0
            self._known[start, stop] = place, held
        return self._known[start, stop]

    def _prune(self, places: list[int]) -> list[int]:
        """Places moved to where they fit best; the weakest dropped until all hold."""
        n = len(self.y)
        # Two places may take turns without end.
        rounds = 4 * len(places) + 10
        while places:
            moved: list[int] = []
            strength: list[float] = []
            for i, place in enumerate(places):
                start = moved[i - 1] if i else 0
                stop = places[i + 1] if i + 1 < len(places) else n
                at, z2 = self._best(start, stop)
                moved.append(at if at >= 0 else place)
                strength.append(z2)
            weakest = min(range(len(moved)), key=strength.__getitem__)
            rounds -= 1
            if strength[weakest] < self.threshold:
                places = [p for i, p in enumerate(moved) if i != weakest]
            elif moved == places or rounds < 0:
                return moved
            else:
                places = moved
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
        long_run = float(np.mean(self.evidence.noise.deviation[start:stop] ** 2)) / self.evidence.keep**2
        return bool((rest @ part) ** 2 / (rest @ rest) >= self.threshold * long_run)
