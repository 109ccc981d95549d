"""The launches that a page shows: those that the project ships, or those of a folder of reports."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench_lib.errors import DamagedFileError
from bench_lib.roofline.analysis import analyse, analyse_file, find_sources, open_source
from bench_lib.roofline.chart_axes import Point
from bench_lib.roofline.kernel_names import printable
from bench_lib.roofline.recorded import recorded_launches
from bench_lib.sphinx_ext.nodes import clean


@dataclass(frozen=True)
class Launches:
    """Launches to show.

    Parameters
    ----------
    points
        The longest ones, the longest first.
    seconds
        Time by class of all launches, also of those that are not among ``points``.
    num_launches
        How many there are.
    sources
        (name, where its figures come from) of each source, for the list below the table.
    rejected
        (file's name, cause) of each report that could not be read.
    """

    points: tuple[Point, ...]
    seconds: dict[str, float]
    num_launches: int
    sources: tuple[tuple[str, str], ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()


class _Longest:
    """Keeps the longest launches, and the time of all."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._heap: list[tuple[float, int, Point]] = []
        self._count = 0
        self._seconds: dict[str, float] = {}

    def add(self, points: Iterable[Point]) -> int:
        before = self._count
        for point in points:
            self._count += 1
            self._seconds[point.label] = self._seconds.get(point.label, 0.0) + point.duration_s
            # Of equally long ones, the first of the file stays.
            heapq.heappush(self._heap, (point.duration_s, -self._count, point))
            if len(self._heap) > self._limit:
                heapq.heappop(self._heap)
        return self._count - before

    def take(self, other: _Longest) -> None:
        for duration_s, number, point in sorted(other._heap, key=lambda entry: -entry[1]):
            heapq.heappush(self._heap, (duration_s, number - self._count, point))
            if len(self._heap) > self._limit:
                heapq.heappop(self._heap)
        self._count += other._count
        for label, seconds in other._seconds.items():
            self._seconds[label] = self._seconds.get(label, 0.0) + seconds

    def launches(
        self, *, sources: tuple[tuple[str, str], ...], rejected: tuple[tuple[str, str], ...]
    ) -> Launches:
        points = tuple(point for _, _, point in sorted(self._heap, key=lambda e: (-e[0], -e[1])))
        return Launches(points, self._seconds, self._count, sources, rejected)


def shipped(*, limit: int) -> Launches:
    """The launches that the project ships, each with its public report as source."""
    longest = _Longest(limit)
    entries = recorded_launches()
    longest.add(
        Point(
            file=entry.name,
            gpu=entry.gpu or "GPU unknown",
            analysis=analyse(entry.launch),
            source=f"imported from {entry.source}",
        )
        for entry in entries
    )
    return longest.launches(sources=tuple((e.name, e.source) for e in entries), rejected=())


def from_folder(folder: Path, *, limit: int) -> tuple[Launches, list[Path]]:
    """The launches of every report and export in ``folder``, and the files that were read.

    A damaged file gives no launch at all, and is among the rejected. Only names of files are kept,
    never their folders.
    """
    longest = _Longest(limit)
    files, _ = find_sources((folder,))
    sources, rejected = [], []
    for path in files:
        of_file = _Longest(limit)
        name = clean(path.name)
        try:
            facts = open_source(path).facts
            of_file.add(_points(path, facts.gpu or "GPU unknown"))
        except DamagedFileError as error:
            rejected.append((name, clean(str(error).replace(f"{error.path}: ", ""))))
            continue
        longest.take(of_file)
        locked = {True: "clocks locked", False: "clocks not locked", None: "clock lock unknown"}
        sources.append(
            (
                name,
                clean(f"{facts.gpu or 'GPU unknown'}, ncu {facts.ncu_version or 'unknown'}, ")
                + locked[facts.clocks_locked],
            )
        )
    return longest.launches(sources=tuple(sources), rejected=tuple(rejected)), files


def _points(path: Path, gpu: str) -> Iterator[Point]:
    for analysis in analyse_file(path):
        yield Point(file=printable(path.name), gpu=gpu, analysis=analysis)
