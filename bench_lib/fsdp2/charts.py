"""Charts of memory by owner, of a step's timeline and of scaling, as SVG text.

Needs the extra ``charts`` (matplotlib), imported when the first is drawn. The same figures give the same
bytes. Names from outside are drawn as plain text, never as formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench_lib.drawing import FINE_STYLE, in_page_font, require_matplotlib, svg_of
from bench_lib.files import require_writable_file
from bench_lib.fsdp2.owners import OWNERS
from bench_lib.units import scale


@dataclass(frozen=True)
class Ink:
    """Colours of one drawing; ``paper`` is its background, ``none`` for the page's own."""

    text: str
    faint: str
    paper: str
    owners: tuple[str, ...]
    compute: str
    overlapped: str
    exposed: str


# Okabe and Ito's colours, which most colour-blind readers tell apart, and two greys.
_OWNER_COLOURS: Final = (
    "#0072b2",
    "#56b4e9",
    "#009e73",
    "#e69f00",
    "#d55e00",
    "#cc79a7",
    "#999999",
    "#f0e442",
    "#666666",
)
PAPER: Final = Ink("#3d4148", "#d5d9e0", "white", _OWNER_COLOURS, "#56b4e9", "#009e73", "#d55e00")
LIGHT: Final = Ink("#3d4148", "#d5d9e0", "none", _OWNER_COLOURS, "#56b4e9", "#009e73", "#d55e00")
DARK: Final = Ink("#c3c9d3", "#3c424d", "none", _OWNER_COLOURS, "#56b4e9", "#009e73", "#e0753a")

SIZE_PX: Final = (720, 324)
#: Characters of a title that the width holds; a preset of the user's own may have any name.
_TITLE_LENGTH: Final = 92
#: More bars than this hold no number across.
_MOST_ACROSS: Final = 14
#: Fewer bars than this are not spread over the whole width.
_LEAST_PLACES: Final = 5
#: Least distance of two numbers below an axis, as a share of its length.
_TICK_DISTANCE: Final = 0.04


@dataclass(frozen=True)
class Bar:
    """Memory of one rank by owner, in bytes; ``label`` is the number of ranks."""

    label: str
    by_owner: Mapping[str, float]


@dataclass(frozen=True)
class Lane:
    """One row of a timeline: (start, end, colour name) in s."""

    title: str
    marks: tuple[tuple[float, float, str], ...]


def require_chart(path: Path | None) -> None:
    """Refuse before a measurement what could not be drawn after it; nothing where ``path`` is ``None``.

    Raises
    ------
    UnavailableError
        There is no matplotlib.
    UsageError
        No file can be written there.
    """
    if path is None:
        return
    require_matplotlib()
    require_writable_file(path, flag="--chart")


def shortened(text: str, length: int) -> str:
    """``text`` in one line of at most ``length`` characters, without its middle where it is longer."""
    line = " ".join(text.split())
    half = (length - 1) // 2
    return line if len(line) <= length else f"{line[:half]}…{line[-half:]}"


def set_title(axes: Any, title: str, *, ink: Ink) -> None:
    """The title, shortened in its middle: the layout would make room for a long one at the axes' expense."""
    text = shortened(title, _TITLE_LENGTH)
    axes.set_title(text, color=ink.text, fontsize=9, loc="left").set_in_layout(False)


def ticks_apart(places: Sequence[float]) -> list[int]:
    """Indices of ``places`` (ascending) whose numbers do not run into each other; the last is among them."""
    least = _TICK_DISTANCE * (places[-1] - places[0])
    kept: list[int] = []
    for index in reversed(range(len(places))):
        if not kept or places[kept[-1]] - places[index] >= least:
            kept.append(index)
    return kept[::-1]


def draw(fill: Callable[[Any], None], *, ink: Ink) -> str:
    """An SVG of one pair of axes that ``fill`` draws on, with a legend below them."""
    matplotlib = require_matplotlib()
    from matplotlib.figure import Figure

    with matplotlib.rc_context(FINE_STYLE):
        figure = Figure(figsize=(SIZE_PX[0] / 96, SIZE_PX[1] / 96), layout="constrained")
        figure.set_facecolor(ink.paper)
        axes = figure.add_subplot()
        axes.patch.set_alpha(0)
        axes.tick_params(colors=ink.text, length=0, pad=4)
        for side, spine in axes.spines.items():
            spine.set_visible(side == "bottom")
            spine.set_color(ink.faint)
        axes.set_axisbelow(True)
        fill(axes)
        # Below, so that bars and titles have the whole width.
        legend = figure.legend(
            loc="outside lower left",
            ncols=3,
            frameon=False,
            labelcolor=ink.text,
            fontsize=8,
            handlelength=1.1,
        )
        legend.set_visible(bool(legend.get_texts()))
        return in_page_font(svg_of(figure, is_transparent=ink.paper == "none"))


def stacked_memory(bars: Sequence[Bar], *, title: str, ink: Ink = PAPER) -> str:
    """Stacked bars: bytes of one rank at its peak by owner, one bar a number of ranks."""
    factor, unit = scale(max(sum(bar.by_owner.values()) for bar in bars), "B")

    def fill(axes: Any) -> None:
        bottoms = [0.0] * len(bars)
        for colour, (owner, name) in zip(ink.owners, OWNERS.items(), strict=True):
            heights = [bar.by_owner.get(owner, 0) / factor for bar in bars]
            if not any(heights):
                continue
            axes.bar(range(len(bars)), heights, bottom=bottoms, color=colour, width=0.62, label=name)
            bottoms = [b + h for b, h in zip(bottoms, heights, strict=True)]
        for place, top in enumerate(bottoms):
            axes.annotate(
                f"{top:.3g}",
                (place, top),
                xytext=(0, 2),
                textcoords="offset points",
                ha="center",
                color=ink.text,
                rotation=90 if len(bars) > _MOST_ACROSS else 0,
            )
        middle, half = (len(bars) - 1) / 2, max(len(bars), _LEAST_PLACES) / 2
        axes.set_xlim(middle - half, middle + half)
        axes.set_xticks(range(len(bars)), [bar.label for bar in bars])
        axes.set_xlabel("ranks", color=ink.text)
        axes.set_ylabel(f"peak allocated a rank ({unit})", color=ink.text)
        set_title(axes, title, ink=ink)
        axes.grid(axis="y", color=ink.faint, linewidth=0.7)
        axes.margins(y=0.25 if len(bars) > _MOST_ACROSS else 0.1)

    return draw(fill, ink=ink)


def timeline(lanes: Sequence[Lane], *, title: str, ink: Ink = PAPER) -> str:
    """Rows of intervals over the time of one step; a collective is exposed where nothing is computed."""
    end = max((mark[1] for lane in lanes for mark in lane.marks), default=0.0)
    factor, unit = scale(end, "s")
    names = {
        "compute": "computing",
        "overlapped": "collective, something is computed",
        "exposed": "collective, nothing is computed",
    }

    def fill(axes: Any) -> None:
        for kind, name in names.items():
            labelled = False
            for row, lane in enumerate(lanes):
                spans = [(a / factor, (b - a) / factor) for a, b, k in lane.marks if k == kind]
                if spans:
                    axes.broken_barh(
                        spans,
                        (row - 0.36, 0.72),
                        facecolors=getattr(ink, kind),
                        linewidth=0,
                        label=None if labelled else name,
                    )
                    labelled = True
        axes.set_yticks(range(len(lanes)), [lane.title for lane in lanes])
        axes.set_ylim(len(lanes) - 0.5, -0.5)
        axes.set_xlim(0, end / factor if end else 1)
        axes.set_xlabel(f"time from the beginning of the step ({unit})", color=ink.text)
        set_title(axes, title, ink=ink)

    return draw(fill, ink=ink)


@dataclass(frozen=True)
class Reading:
    """A figure at a number of ranks with its interval; a bound that is not finite is not drawn."""

    num_ranks: int
    value: float
    low: float
    high: float


def by_ranks(
    readings: Sequence[Reading],
    *,
    title: str,
    label: str,
    ideal: Sequence[tuple[int, float]] = (),
    ink: Ink = PAPER,
) -> str:
    """A quantity over the number of ranks, with intervals, and what perfect scaling would give."""

    def fill(axes: Any) -> None:
        at = [math.log2(r.num_ranks) for r in readings]
        axes.plot(at, [r.value for r in readings], color=ink.owners[0], marker="o", markersize=4.5)
        named = False
        for x, reading in zip(at, readings, strict=True):
            if math.isfinite(reading.low) and math.isfinite(reading.high):
                axes.plot(
                    [x, x],
                    [reading.low, reading.high],
                    color=ink.owners[0],
                    linewidth=2.4,
                    solid_capstyle="round",
                    label=None if named else "interval",
                )
                named = True
        if ideal:
            axes.plot(
                [math.log2(n) for n, _ in ideal],
                [value for _, value in ideal],
                color=ink.text,
                linewidth=1,
                linestyle=(0, (2, 2)),
                label="perfect scaling",
            )
        shown = ticks_apart(at)
        axes.set_xticks([at[i] for i in shown], [str(readings[i].num_ranks) for i in shown])
        axes.set_xlabel("ranks", color=ink.text)
        axes.set_ylabel(label, color=ink.text)
        set_title(axes, title, ink=ink)
        axes.set_ylim(bottom=0)
        axes.grid(axis="y", color=ink.faint, linewidth=0.7)

    return draw(fill, ink=ink)
