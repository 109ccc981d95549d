"""Bus bandwidth of a sweep over sizes, as SVG. Needs matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from bench_lib.fsdp2 import charts
from bench_lib.fsdp2.links import KINDS, Point
from bench_lib.units import format_value

_MARKS: Final = dict(zip(KINDS, ("o", "s"), strict=True))


def bandwidth_by_size(points: Sequence[Point], *, title: str, ink: charts.Ink = charts.PAPER) -> str:
    """Bus bandwidth over the size of the whole tensor, both in logarithms, one line a kind of collective.

    A marker is at the median, a bar goes from the slowest repeat to the fastest.
    """
    rates = [rate for p in points for rate in _extremes(p)]
    low, high = math.floor(math.log10(min(rates))), math.ceil(math.log10(max(rates)))

    def fill(axes: Any) -> None:
        for number, kind in enumerate(KINDS):
            of_kind = sorted((p for p in points if p.kind == kind), key=lambda p: p.num_bytes)
            look = {"color": ink.owners[number]}
            at = [math.log2(p.num_bytes) for p in of_kind]
            middles = [math.log10(p.bus_bytes_per_s) for p in of_kind]
            axes.plot(at, middles, marker=_MARKS[kind], markersize=4.5, label=kind, **look)
            for x, point in zip(at, of_kind, strict=True):
                ends = [math.log10(rate) for rate in _extremes(point)]
                axes.plot([x, x], ends, linewidth=2.4, solid_capstyle="round", alpha=0.45, **look)
        sizes = sorted({p.num_bytes for p in points})
        axes.set_xticks([math.log2(s) for s in sizes], [format_value(s, "B", digits=3) for s in sizes])
        decades = range(low, max(high, low + 1) + 1)
        axes.set_yticks(list(decades), [format_value(10.0**d, "B/s", digits=3) for d in decades])
        axes.set_ylim(decades[0], decades[-1])
        axes.set_xlabel("size of the whole tensor", color=ink.text)
        axes.set_ylabel("bus bandwidth", color=ink.text)
        axes.grid(axis="y", color=ink.faint, linewidth=0.7)
        charts.set_title(axes, f"Bus bandwidth (bars: slowest to fastest repeat): {title}", ink=ink)

    return charts.draw(fill, ink=ink)


def _extremes(point: Point) -> tuple[float, float]:
    """Bus bandwidth of the slowest and of the fastest repeat."""
    carried = point.bus_bytes_per_s * point.median_s
    return carried / max(point.times_s), carried / min(point.times_s)
