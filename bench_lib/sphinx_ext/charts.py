"""Charts as SVG text: matplotlib is imported when the first is drawn.

Two drawings of the same figures give the same bytes. Text stays text, in the reader's own typeface.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bench_lib.drawing import FINE_STYLE, in_page_font, svg_of
from bench_lib.units import Unit, scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Beyond any quantity that is measured here, and far from where axis arithmetic overflows.
_LARGEST: Final = 1e100


@dataclass(frozen=True)
class Point:
    """What one rank count gave: every sample, and the value that stands for them."""

    num_ranks: int
    value: float
    samples: tuple[float, ...] = ()
    low: float = -math.inf
    high: float = math.inf

    @property
    def bounded(self) -> bool:
        """Whether both ends of the interval are known."""
        # A bound of zero is no bound: the tables say so too.
        return math.isfinite(self.low) and math.isfinite(self.high) and self.low > 0


@dataclass(frozen=True)
class Line:
    """Points of one quantity."""

    label: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Chart:
    """A quantity over the number of ranks.

    ``reference`` is what perfect scaling would give, by rank count; empty for none.
    """

    title: str
    unit: Unit
    lines: tuple[Line, ...]
    reference: tuple[tuple[int, float], ...] = ()
    reference_label: str = ""
    percent: bool = False

    @property
    def ranks(self) -> list[int]:
        """Every rank count drawn."""
        return sorted({p.num_ranks for line in self.lines for p in line.points})


@dataclass(frozen=True)
class Palette:
    """Colours of one variant; the background stays the page's own."""

    name: str
    text: str
    faint: str
    lines: tuple[str, ...] = field(default=())


LIGHT: Final = Palette("light", text="#3d4148", faint="#d5d9e0", lines=("#2563c9", "#b4530a"))
DARK: Final = Palette("dark", text="#c3c9d3", faint="#3c424d", lines=("#74a9f7", "#f0a35c"))

# 360 by 252 CSS pixels: near the size at which charts appear on a desktop page and on a phone, so
# that the text in them keeps the size of the text around them.
_SIZE_IN: Final = (3.75, 2.625)
WIDTH_PX, HEIGHT_PX = 360, 252


def factor_of(chart: Chart) -> tuple[float, str]:
    """What values are divided by before they are drawn, and the unit for the axis label."""
    if chart.percent:
        return 0.01, "%"
    return scale(max(p.value for line in chart.lines for p in line.points), chart.unit)


def draw(chart: Chart, *, palette: Palette) -> str:
    """``chart`` as an SVG document with a transparent background.

    Every sample is a dot; beside the dots, the thick mark is the median (or the largest value, for
    memory) and the bar its 99 % interval, where there is one.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(FINE_STYLE):
        figure = Figure(figsize=_SIZE_IN, layout="constrained")
        axes = figure.add_subplot()
        _axes(axes, chart, palette)
        _reference(axes, chart, palette)
        for index, line in enumerate(chart.lines):
            shift = (index - (len(chart.lines) - 1) / 2) * 0.16
            _line(axes, line, color=palette.lines[index], factor=factor_of(chart)[0], shift=shift)
        if len(chart.lines) > 1 or chart.reference:
            figure.legend(
                loc="outside upper left",
                ncols=3,
                frameon=False,
                labelcolor=palette.text,
                fontsize=8.5,
                handlelength=1.4,
            )
        axes.set_ylim(0, 1.06 * _highest(chart))
        figure.set_facecolor("none")
        return in_page_font(svg_of(figure, is_transparent=True))


def drawable(chart: Chart) -> bool:
    """Whether an axis can hold the values; a damaged record may have some near the end of floats."""
    return 0 < _highest(chart) < _LARGEST


def _highest(chart: Chart) -> float:
    values = [v for _, v in chart.reference]
    for line in chart.lines:
        for p in line.points:
            values += [p.value, *p.samples, *([p.high] if p.bounded else [])]
    return max(values) / factor_of(chart)[0]


def _axes(axes: Axes, chart: Chart, palette: Palette) -> None:
    ranks = chart.ranks
    name = factor_of(chart)[1]
    axes.set_xlabel("ranks", color=palette.text)
    axes.set_ylabel(f"{chart.title.lower()} ({name})" if name else chart.title.lower(), color=palette.text)
    axes.set_xlim(math.log2(ranks[0]) - 0.5, math.log2(ranks[-1]) + 0.5)
    axes.set_xticks([math.log2(n) for n in ranks], [str(n) for n in ranks])
    axes.tick_params(colors=palette.text, length=0, pad=4)
    axes.grid(axis="y", color=palette.faint, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.patch.set_alpha(0)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(palette.faint)


def _reference(axes: Axes, chart: Chart, palette: Palette) -> None:
    if not chart.reference:
        return
    factor = factor_of(chart)[0]
    axes.plot(
        [math.log2(n) for n, _ in chart.reference],
        [value / factor for _, value in chart.reference],
        color=palette.text,
        linewidth=1,
        linestyle=(0, (2, 2)),
        label=chart.reference_label,
    )


def _spread(num: int) -> list[float]:
    """Offsets, in units of log2 of the ranks, that keep dots of equal value apart in their order."""
    return [0.1 + 0.16 * index / max(num - 1, 1) for index in range(num)]


def _line(axes: Axes, line: Line, *, color: str, factor: float, shift: float) -> None:
    at = [math.log2(p.num_ranks) + shift for p in line.points]
    values = [p.value / factor for p in line.points]
    axes.plot(at, values, color=color, linewidth=1.1, alpha=0.55, zorder=2)
    axes.plot(
        at, values, color=color, linestyle="none", marker="o", markersize=4.5, label=line.label, zorder=4
    )
    for x, point in zip(at, line.points, strict=True):
        if point.bounded:
            ends = [point.low / factor, point.high / factor]
            axes.plot([x, x], ends, color=color, linewidth=2.2, solid_capstyle="round", zorder=3)
        axes.scatter(
            [x + offset for offset in _spread(len(point.samples))],
            [s / factor for s in point.samples],
            s=6,
            color=color,
            alpha=0.5,
            linewidths=0,
            zorder=3,
        )


def describe(chart: Chart, *, subject: str, spell: Sequence[str]) -> str:
    """The chart's figures in words, for those who do not see it; ``spell`` has one text a point."""
    return f"{chart.title} by number of ranks, {subject}: " + "; ".join(spell) + "."
