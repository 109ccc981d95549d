"""Which series a page of a benchmark shows first, where it has more than a chart can show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from bench_lib.sphinx_ext.benchmark_data import BenchmarkData, SeriesData
from bench_lib.sphinx_ext.device_names import KINDS

#: Lines that a chart shows before anybody chose any.
MAX_LINES: Final = 6

Place = tuple[str, str]


def first_selection(benchmark: BenchmarkData) -> list[int]:
    """Numbers of the series to show first, all with values.

    Of the machine and environment with the newest values (where several are as new, the most values), all
    parameter sets, or where they are too many, up to :data:`MAX_LINES` values of the parameter with the
    most. Where there is one parameter set only, the same on other machines of the same kind or of none
    known: never a GPU beside a device that a CPU emulates.
    """
    series = benchmark.series
    with_values = [i for i, s in enumerate(series) if len(s.places)]
    if not with_values:
        return list(range(min(len(series), MAX_LINES)))
    by_place: defaultdict[Place, list[int]] = defaultdict(list)
    for i in with_values:
        by_place[series[i].machine, series[i].environment].append(i)
    ranked = sorted(by_place, key=lambda place: _rank(series, by_place[place]), reverse=True)
    first = by_place[ranked[0]]
    if len(first) > 1:
        return first if len(first) <= MAX_LINES else _along_one_parameter(series, first)
    kinds = benchmark.machine_kinds
    known = [k for machine, _ in ranked if (k := kinds.get(machine)) in KINDS]
    unlike = KINDS.keys() - set(known[:1])
    chosen: dict[str, int] = {}
    for machine, environment in ranked:
        is_like = kinds.get(machine) not in unlike
        like = [i for i in by_place[machine, environment] if _is_like(series[i], series[first[0]])]
        if is_like and like and machine not in chosen and len(chosen) < MAX_LINES:
            chosen[machine] = like[0]
    return sorted(chosen.values())


def axis_parameters(of: Sequence[SeriesData]) -> list[str]:
    """Names of the parameters that can be the axis of a chart: two of their values or more were measured."""
    measured: defaultdict[str, set[str]] = defaultdict(set)
    for series in of:
        if len(series.places):
            for name, value in series.parameters:
                measured[name].add(value)
    return [name for name, values in measured.items() if len(values) > 1]


def lines_over(series: Sequence[SeriesData], parameter: str) -> list[list[SeriesData]]:
    """The series with a value of ``parameter``, grouped by all else that tells them apart."""
    lines: defaultdict[tuple[object, ...], list[SeriesData]] = defaultdict(list)
    for one in series:
        others = tuple((n, v) for n, v in one.parameters if n != parameter)
        if len(others) < len(one.parameters):
            lines[one.machine, one.environment, others].append(one)
    return list(lines.values())


def _along_one_parameter(series: Sequence[SeriesData], numbers: Sequence[int]) -> list[int]:
    base = dict(series[numbers[0]].parameters)
    lines = [
        [i for i in numbers if {**dict(series[i].parameters), axis: base[axis]} == base] for axis in base
    ]
    longest = max(lines, key=len, default=[])
    return spaced(longest if len(longest) > 1 else numbers, MAX_LINES)


def _rank(series: Sequence[SeriesData], numbers: Sequence[int]) -> tuple[int, int]:
    newest = max(int(series[i].places[-1]) for i in numbers)
    return newest, sum(len(series[i].places) for i in numbers)


def _is_like(one: SeriesData, other: SeriesData) -> bool:
    return one.parameters == other.parameters and set(one.origins) == set(other.origins)


def spaced(numbers: Sequence[int], count: int) -> list[int]:
    """At most ``count`` of ``numbers``, the first and the last among them, evenly spaced."""
    if len(numbers) <= count:
        return list(numbers)
    return [numbers[round(i * (len(numbers) - 1) / (count - 1))] for i in range(count)]
