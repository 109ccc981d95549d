"""Charts of classified launches: roofline, SM against memory, share of time by class.

Needs the extra ``charts`` (matplotlib). The same launches give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from xml.etree import ElementTree

from bench_lib.drawing import require_matplotlib, svg_of
from bench_lib.roofline import chart_axes
from bench_lib.roofline.chart_axes import PAPER, Ink, Point, left_out_note, seconds_by_label
from bench_lib.roofline.kernel_names import printable

_SVG: Final = "http://www.w3.org/2000/svg"
_MAX_GPUS: Final = 6


def _svg(
    fill: Callable[[Any, dict[str, str]], None], *, size_in: tuple[float, float], ink: Ink, clear: bool
) -> str:
    """Let ``fill`` draw into a new figure; the SVG, with hover titles for the marks it named."""
    matplotlib = require_matplotlib()
    from matplotlib.figure import Figure

    titles: dict[str, str] = {}
    with matplotlib.rc_context(ink.style()):
        figure = Figure(figsize=size_in, layout="constrained")
        fill(figure, titles)
        return _with_titles(svg_of(figure, is_transparent=clear), titles)


def gpus_shown(points: Sequence[Point]) -> list[str]:
    """GPUs that get a roofline: those with a launch that can be placed, the busiest first."""
    by_gpu: dict[str, list[Point]] = {}
    for point in points:
        by_gpu.setdefault(point.gpu, []).append(point)
    placed = [g for g, of_gpu in by_gpu.items() if any(p.place for p in of_gpu)] or list(by_gpu)[:1]
    return sorted(placed, key=lambda g: -sum(p.duration_s for p in by_gpu[g]))[:_MAX_GPUS]


def draw(points: Sequence[Point]) -> str:
    """All charts as one SVG document.

    Raises
    ------
    UnavailableError
        matplotlib is not installed.
    """
    shown = gpus_shown(points)

    def fill(figure: Any, titles: dict[str, str]) -> None:
        grid = figure.add_gridspec(len(shown) + 1, 2, height_ratios=[1.15] * len(shown) + [1])
        for number, gpu in enumerate(shown):
            of_gpu = [p for p in points if p.gpu == gpu]
            axes = figure.add_subplot(grid[number, :])
            axes.set_title(
                f"{printable(gpu)}: roofs at the profiled clocks{left_out_note(of_gpu)}", parse_math=False
            )
            chart_axes.roofline(axes, of_gpu, ink=PAPER, titles=titles)
        left, right = (figure.add_subplot(grid[-1, column]) for column in (0, 1))
        left.set_title("SM against memory")
        chart_axes.sm_against_memory(left, points, ink=PAPER, titles=titles)
        right.set_title("share of time by class")
        chart_axes.share_of_time(right, seconds_by_label(points), ink=PAPER)

    return _svg(fill, size_in=(10, 4.6 * len(shown) + 4.2), ink=PAPER, clear=False)


def draw_roofline(points: Sequence[Point], *, size_in: tuple[float, float], ink: Ink) -> str:
    """The roofline of one GPU's launches, without a heading, as SVG."""

    def fill(figure: Any, titles: dict[str, str]) -> None:
        axes = figure.add_subplot()
        chart_axes.roofline(axes, points, ink=ink, titles=titles)
        for label in seconds_by_label([p for p in points if p.place]):
            axes.scatter([], [], s=30, c=ink.of(label), edgecolors=ink.text, linewidths=0.4, label=label)
        if any(p.place for p in points):
            figure.legend(loc="outside upper left", ncols=3, frameon=False, handletextpad=0.1)

    return _svg(fill, size_in=size_in, ink=ink, clear=True)


def draw_sm_against_memory(points: Sequence[Point], *, size_in: tuple[float, float], ink: Ink) -> str:
    """SM % against memory % of launches, without a heading, as SVG."""
    return _svg(
        lambda figure, titles: chart_axes.sm_against_memory(
            figure.add_subplot(), points, ink=ink, titles=titles
        ),
        size_in=size_in,
        ink=ink,
        clear=True,
    )


def draw_share_of_time(seconds: Mapping[str, float], *, size_in: tuple[float, float], ink: Ink) -> str:
    """Share of time by class, without a heading, as SVG."""
    return _svg(
        lambda figure, _: chart_axes.share_of_time(figure.add_subplot(), seconds, ink=ink),
        size_in=size_in,
        ink=ink,
        clear=True,
    )


def _with_titles(svg: str, titles: dict[str, str]) -> str:
    """Give each launch's mark its ``<title>``, which browsers show on hover."""
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ElementTree.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", svg))
    for element in root.iter():
        text = titles.get(element.get("id", ""))
        if text is not None:
            title = ElementTree.Element(f"{{{_SVG}}}title")
            title.text = text
            element.insert(0, title)
    return ElementTree.tostring(root, encoding="unicode") + "\n"
