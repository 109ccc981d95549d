"""What charts of launches consist of: points, colours and axes. matplotlib's objects come from the caller."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

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


@dataclass(frozen=True)
class Point:
    """What the charts need of one launch; ``source`` says where figures come from, if not ``file``."""

    file: str
    gpu: str
    analysis: LaunchAnalysis
    source: str = ""

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
            *([printable(self.source)] if self.source else []),
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


@dataclass(frozen=True)
class Ink:
    """Colours of everything but the classes: text, grid, roofs and the edge of a mark.

    ``instead`` gives classes another colour, where the usual one would not show on the background.
    """

    text: str = "black"
    grid: str = "0.8"
    roof: str = "0.35"
    instead: Mapping[str, str] = field(default_factory=dict)

    def of(self, label: str) -> str:
        """Colour of a class."""
        return self.instead.get(label, COLOURS[label])

    def style(self) -> Any:
        """Settings of matplotlib: fixed ids and text kept as text make small files, equal on every run."""
        coloured = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
        return {
            **dict.fromkeys(coloured, self.text),
            "svg.hashsalt": "bench_lib",
            "svg.fonttype": "none",
            "font.family": ["DejaVu Sans"],
            "font.size": 9,
        }


PAPER: Final = Ink()


def seconds_by_label(points: Sequence[Point]) -> dict[str, float]:
    """Time of all launches of each class that occurs."""
    return {
        label: sum(p.duration_s for p in points if p.label == label)
        for label in LABELS
        if any(p.label == label for p in points)
    }


def _size(point: Point, longest_s: float) -> float:
    return 36 + 164 * (point.duration_s / longest_s if longest_s else 0)


_SUPERSCRIPT: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _power_of_ten(value: float, _: int) -> str:
    return f"10{str(round(math.log10(value))).translate(_SUPERSCRIPT)}" if value > 0 else ""


def _mark(
    axes: Any, x: float, y: float, point: Point, *, size: float, ink: Ink, titles: dict[str, str]
) -> None:
    name = f"launch-{len(titles)}"
    titles[name] = point.title
    axes.scatter(
        [x],
        [y],
        s=size,
        c=ink.of(point.label),
        alpha=0.8,
        edgecolors=ink.text,
        linewidths=0.4,
        gid=name,
        zorder=3,
    )


def best_roofs(points: Sequence[Point]) -> Roofs:
    """Of one GPU's launches, the roofs of the one whose report has the most."""
    return max(
        (p.analysis.roofs for p in points),
        key=lambda r: len(r.flop_per_s) + len(r.bytes_per_s),
        default=Roofs(),
    )


def left_out_note(points: Sequence[Point]) -> str:
    """What the roofline of ``points`` does not show, after a semicolon; empty where it shows all."""
    known = [p for p in points if p.place]
    left_out = len(points) - len(known)
    note = f"; {left_out} of {len(points)} launches have no known FLOP and bytes" if left_out else ""
    if any(p.analysis.work.flop_by_precision.get("tensor") for p in known) and not any(
        name.startswith("tensor") for name in best_roofs(points).flop_per_s
    ):
        note += "; tensor roof not in the report"
    return note


def roofline(axes: Any, points: Sequence[Point], *, ink: Ink, titles: dict[str, str]) -> None:
    """Log-log roofline of one GPU's launches, with every roof that their reports have."""
    known = [(p, place) for p in points if (place := p.place) is not None]
    roofs = best_roofs(points)
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        # matplotlib's own labels of a log axis are formulas, whose layout takes most of the drawing time.
        axis.set_major_formatter(_power_of_ten)
    axes.minorticks_off()
    axes.set_xlabel("arithmetic intensity (FLOP/byte of DRAM traffic)")
    axes.set_ylabel("performance (FLOP/s)")
    intensities = [place[0] for _, place in known]
    low = min([0.01, *intensities]) / 2
    high = max([1000.0, *intensities]) * 2
    peak = max(roofs.flop_per_s.values(), default=None)
    by_rate: dict[str, list[str]] = {}
    for precision, rate in roofs.flop_per_s.items():
        axes.plot([low, high], [rate, rate], color=ink.roof, linewidth=1)
        by_rate.setdefault(format_value(rate, "FLOP/s"), []).append(precision)
    for text, precisions in by_rate.items():
        rate = roofs.flop_per_s[precisions[0]]
        axes.annotate(f"{', '.join(precisions)} {text}", (high, rate), ha="right", va="bottom", fontsize=7)
    for level, rate in roofs.bytes_per_s.items():
        end = high if peak is None else min(high, peak / rate)
        axes.plot([low, end], [low * rate, end * rate], color=ink.roof, linewidth=1, linestyle="--")
        axes.annotate(
            f"{level.upper()} {format_value(rate, 'B/s')}",
            (low, low * rate),
            xytext=(9, 0),
            textcoords="offset points",
            va="center",
            fontsize=7,
        )
    longest_s = max((p.duration_s for p in points), default=0.0)
    for point, place in known:
        _mark(axes, *place, point, size=_size(point, longest_s), ink=ink, titles=titles)
    axes.set_xlim(low, high)
    axes.grid(visible=True, which="major", linewidth=0.3, color=ink.grid)
    axes.set_axisbelow(True)


def sm_against_memory(axes: Any, points: Sequence[Point], *, ink: Ink, titles: dict[str, str]) -> None:
    """SM % against memory %, with lines where a resource counts as busy and as strong."""
    axes.set_xlabel("memory (% of peak)")
    axes.set_ylabel("SM (% of peak)")
    axes.set_xlim(0, 105)
    axes.set_ylim(0, 105)
    for edge in (60, 80):
        axes.axvline(edge, color=ink.grid, linewidth=0.7)
        axes.axhline(edge, color=ink.grid, linewidth=0.7)
    longest_s = max((p.duration_s for p in points), default=0.0)
    for point in points:
        values = point.analysis.values
        if values.memory_pct is not None and values.sm_pct is not None:
            size = _size(point, longest_s)
            _mark(axes, values.memory_pct, values.sm_pct, point, size=size, ink=ink, titles=titles)


def share_of_time(axes: Any, seconds: Mapping[str, float], *, ink: Ink) -> None:
    """Bars of the time of each class."""
    total_s = sum(seconds.values())
    axes.set_xlabel("% of the time of all launches")
    shown = [label for label in LABELS if label in seconds][::-1]
    shares = [100 * seconds[label] / total_s if total_s else 0.0 for label in shown]
    axes.barh(shown, shares, color=[ink.of(n) for n in shown], edgecolor=ink.text, linewidth=0.4)
    for row, share in enumerate(shares):
        axes.annotate(f" {share:.1f}", (share, row), va="center", fontsize=8)
    axes.set_xlim(0, 115)
