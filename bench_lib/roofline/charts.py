"""Charts of classified launches: roofline, SM against memory, share of time by class.

Needs the extra ``charts`` (matplotlib). The same launches give the same bytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from xml.etree import ElementTree

from bench_lib.errors import UnavailableError
from bench_lib.roofline.analysis import LaunchAnalysis
from bench_lib.roofline.classify import LABELS
from bench_lib.roofline.kernel_names import printable
from bench_lib.roofline.roofs import Roofs
from bench_lib.units import format_value

#: Okabe and Ito's palette, which colour-blind readers can tell apart.
COLOURS: Final[dict[str, str]] = dict(
    zip(
        LABELS,
        ("#0072B2", "#56B4E9", "#009E73", "#D55E00", "#E69F00", "#CC79A7", "#F0E442", "#000000", "#999999"),
        strict=True,
    )
)
_SVG: Final = "http://www.w3.org/2000/svg"
_MAX_GPUS: Final = 6


@dataclass(frozen=True)
class Point:
    """What the charts need of one launch."""

    file: str
    gpu: str
    analysis: LaunchAnalysis

    @property
    def duration_s(self) -> float:
        """Duration, or 0 where it is unknown: it then takes no share of the time."""
        return self.analysis.values.duration_s or 0.0

    @property
    def label(self) -> str:
        return self.analysis.classification.verdict.label

    @property
    def title(self) -> str:
        """Whole name and figures, shown on hover."""
        values, work = self.analysis.values, self.analysis.work
        lines = [
            printable(self.analysis.kernel),
            f"{printable(self.file)}, launch {self.analysis.index}",
            f"{self.label}, {format_value(values.duration_s, 's')}",
        ]
        if work.flop_per_s is not None:
            lines.append(format_value(work.flop_per_s, "FLOP/s"))
        return "\n".join(lines)

    @property
    def place(self) -> tuple[float, float] | None:
        """(FLOP a byte, FLOP/s) where both are known and not 0: a log axis has no 0."""
        intensity, rate = self.analysis.work.arithmetic_intensity_flop_per_byte, self.analysis.work.flop_per_s
        return (intensity, rate) if intensity and rate else None


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise UnavailableError(
            "matplotlib-missing", "charts need matplotlib.", remedy="pip install 'bench-lib[charts]'"
        ) from error
    matplotlib.use("svg")
    from matplotlib import pyplot

    # Fixed ids and text kept as text: small files, equal on every run.
    pyplot.rcParams.update({"svg.hashsalt": "bench_lib", "svg.fonttype": "none", "font.size": 9})
    return pyplot


def draw(points: Sequence[Point]) -> str:
    """All charts as one SVG document.

    Raises
    ------
    UnavailableError
        matplotlib is not installed.
    """
    pyplot = _pyplot()
    by_gpu: dict[str, list[Point]] = {}
    for point in points:
        by_gpu.setdefault(point.gpu, []).append(point)
    placed = [g for g, of_gpu in by_gpu.items() if any(p.place for p in of_gpu)] or list(by_gpu)[:1]
    shown = sorted(placed, key=lambda g: -sum(p.duration_s for p in by_gpu[g]))[:_MAX_GPUS]
    figure = pyplot.figure(figsize=(10, 4.6 * len(shown) + 4.2), layout="constrained")
    grid = figure.add_gridspec(len(shown) + 1, 2, height_ratios=[1.15] * len(shown) + [1])
    titles: dict[str, str] = {}
    for number, gpu in enumerate(shown):
        _roofline(figure.add_subplot(grid[number, :]), by_gpu[gpu], gpu=gpu, titles=titles)
    _sm_against_memory(figure.add_subplot(grid[-1, 0]), points, titles=titles)
    _share_of_time(figure.add_subplot(grid[-1, 1]), points)
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    return _with_titles(stream.getvalue(), titles)


def _size(point: Point, longest_s: float) -> float:
    return 20 + 180 * (point.duration_s / longest_s if longest_s else 0)


def _mark(axes: Any, x: float, y: float, point: Point, *, size: float, titles: dict[str, str]) -> None:
    name = f"launch-{len(titles)}"
    titles[name] = point.title
    axes.scatter(
        [x],
        [y],
        s=size,
        c=COLOURS[point.label],
        alpha=0.8,
        edgecolors="black",
        linewidths=0.4,
        gid=name,
        zorder=3,
    )


def _roofline(axes: Any, points: Sequence[Point], *, gpu: str, titles: dict[str, str]) -> None:
    placed = [(p, p.place) for p in points]
    known = [(p, place) for p, place in placed if place is not None]
    roofs = max(
        (p.analysis.roofs for p in points),
        key=lambda r: len(r.flop_per_s) + len(r.bytes_per_s),
        default=Roofs(),
    )
    left_out = len(points) - len(known)
    note = f"; {left_out} of {len(points)} launches have no known FLOP and bytes" if left_out else ""
    if any(p.analysis.work.flop_by_precision.get("tensor") for p, _ in known) and not any(
        name.startswith("tensor") for name in roofs.flop_per_s
    ):
        note += "; tensor roof not in the report"
    axes.set_title(f"{printable(gpu)}: roofs at the profiled clocks{note}", parse_math=False)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("arithmetic intensity (FLOP/byte of DRAM traffic)")
    axes.set_ylabel("performance (FLOP/s)")
    intensities = [place[0] for _, place in known]
    low = min([0.01, *intensities]) / 2
    high = max([1000.0, *intensities]) * 2
    peak = max(roofs.flop_per_s.values(), default=None)
    for precision, rate in roofs.flop_per_s.items():
        axes.plot([low, high], [rate, rate], color="0.35", linewidth=1)
        axes.annotate(
            f"{precision} {format_value(rate, 'FLOP/s')}", (high, rate), ha="right", va="bottom", fontsize=7
        )
    for level, rate in roofs.bytes_per_s.items():
        end = high if peak is None else min(high, peak / rate)
        axes.plot([low, end], [low * rate, end * rate], color="0.35", linewidth=1, linestyle="--")
        axes.annotate(
            f"{level.upper()} {format_value(rate, 'B/s')}", (low, low * rate), va="bottom", fontsize=7
        )
    longest_s = max((p.duration_s for p in points), default=0.0)
    for point, place in known:
        _mark(axes, *place, point, size=_size(point, longest_s), titles=titles)
    axes.set_xlim(low, high)
    axes.grid(visible=True, which="major", linewidth=0.3)


def _sm_against_memory(axes: Any, points: Sequence[Point], *, titles: dict[str, str]) -> None:
    axes.set_title("SM against memory")
    axes.set_xlabel("memory (% of peak)")
    axes.set_ylabel("SM (% of peak)")
    axes.set_xlim(0, 105)
    axes.set_ylim(0, 105)
    for edge in (60, 80):
        axes.axvline(edge, color="0.8", linewidth=0.7)
        axes.axhline(edge, color="0.8", linewidth=0.7)
    longest_s = max((p.duration_s for p in points), default=0.0)
    for point in points:
        values = point.analysis.values
        if values.memory_pct is not None and values.sm_pct is not None:
            size = _size(point, longest_s) / 2
            _mark(axes, values.memory_pct, values.sm_pct, point, size=size, titles=titles)


def _share_of_time(axes: Any, points: Sequence[Point]) -> None:
    total_s = sum(p.duration_s for p in points)
    axes.set_title("share of time by class")
    axes.set_xlabel("% of the time of all launches")
    seconds = {label: sum(p.duration_s for p in points if p.label == label) for label in LABELS}
    shown = [label for label in LABELS if any(p.label == label for p in points)][::-1]
    shares = [100 * seconds[label] / total_s if total_s else 0.0 for label in shown]
    axes.barh(shown, shares, color=[COLOURS[label] for label in shown], edgecolor="black", linewidth=0.4)
    for row, share in enumerate(shares):
        axes.annotate(f" {share:.1f}", (share, row), va="center", fontsize=8)
    axes.set_xlim(0, 115)


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
