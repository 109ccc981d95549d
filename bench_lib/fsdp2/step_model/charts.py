"""Charts of predictions as SVG: by ranks with intervals, and against what was measured. Needs matplotlib."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench_lib.drawing import STYLE, require_matplotlib, svg_of
from bench_lib.fsdp2.charts import shortened
from bench_lib.fsdp2.step_model.prediction import LEVEL, Interval, Prediction
from bench_lib.units import format_value, scale


@dataclass(frozen=True)
class Ink:
    """Colours of a drawing; ``colours`` are told apart by colour-blind readers (Okabe and Ito)."""

    text: str = "#222222"
    grid: str = "#d9d9d9"
    colours: tuple[str, ...] = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")


PAPER: Final = Ink()
#: Characters of a group's name that fit beside its mark, alone in a row and with two others.
_GROUP_LENGTH: Final = 92
_GROUP_LENGTH_OF_THREE: Final = 32
_MARKS: Final = ("o", "s", "^", "D", "v", "P", "X")


def _svg(fill: Callable[[Any], None], *, size_in: tuple[float, float], clear: bool) -> str:
    matplotlib = require_matplotlib()
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=size_in, layout="constrained")
        fill(figure)
        return svg_of(figure, is_transparent=clear)


def _frame(axes: Any, ink: Ink) -> None:
    axes.tick_params(colors=ink.text, length=0)
    axes.grid(color=ink.grid, linewidth=0.7)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_color(ink.grid)


def efficiency(made: Sequence[Prediction]) -> list[Interval]:
    """Tokens/s a rank over that of the fewest ranks; the interval is that of the numerator alone."""
    first = min(made, key=lambda p: p.num_ranks).tokens_per_s_per_rank.value
    return [
        Interval(*(v / first for v in (t.value, t.low, t.high)))
        for t in (p.tokens_per_s_per_rank for p in made)
    ]


def draw_by_ranks(
    made: Sequence[Prediction],
    *,
    title: str,
    ink: Ink = PAPER,
    size_in: tuple[float, float] = (8, 3.4),
    clear: bool = False,
) -> str:
    """Step time and efficiency over the number of ranks, with intervals; says that they are simulated."""
    ordered = sorted(made, key=lambda p: p.num_ranks)
    factor, unit = scale(max(p.step_time_s.value for p in ordered), "s")
    panels = (
        (f"step time ({unit}), simulated", [p.step_time_s for p in ordered], factor),
        ("efficiency (%), simulated", efficiency(ordered), 0.01),
    )

    def fill(figure: Any) -> None:
        figure.suptitle(f"{title} (simulated; bars: {LEVEL:.0%} interval)", color=ink.text, fontsize=9)
        for axes, (label, values, by) in zip(figure.subplots(1, 2), panels, strict=True):
            at = [math.log2(p.num_ranks) for p in ordered]
            axes.plot(at, [v.value / by for v in values], color=ink.colours[0], linewidth=1.1)
            axes.errorbar(
                at,
                [v.value / by for v in values],
                yerr=[
                    [(v.value - v.low) / by for v in values],
                    [(v.high - v.value) / by for v in values],
                ],
                fmt="o",
                markersize=4,
                color=ink.colours[0],
                elinewidth=1.6,
            )
            axes.set_xticks(at, [f"{p.num_ranks:,}" for p in ordered], rotation=45 if len(at) > 6 else 0)
            axes.set_ylim(0, 1.08 * max(v.high for v in values) / by)
            axes.set_xlabel("ranks", color=ink.text)
            axes.set_ylabel(label, color=ink.text)
            _frame(axes, ink)

    return _svg(fill, size_in=size_in, clear=clear)


@dataclass(frozen=True)
class Pair:
    """A measured value and what the model said, with the group that names its mark."""

    group: str
    measured: float
    predicted: float


def draw_pairs(
    pairs: Sequence[Pair],
    *,
    quantity: str,
    ink: Ink = PAPER,
    size_in: tuple[float, float] = (8, 4),
    clear: bool = False,
) -> str:
    """Predicted against measured, and the error over what was measured; the line is where both are equal."""
    groups = sorted({p.group for p in pairs})
    both = [v for p in pairs for v in (p.measured, p.predicted)]
    low, high = math.log10(min(both)) - 0.1, math.log10(max(both)) + 0.1

    def fill(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        left.plot([low, high], [low, high], color=ink.text, linewidth=0.8)
        right.axhline(0, color=ink.text, linewidth=0.8)
        for number, group in enumerate(groups):
            of_group = [p for p in pairs if p.group == group]
            at = [math.log10(p.measured) for p in of_group]
            look: dict[str, Any] = {
                "s": 16,
                "marker": _MARKS[number % len(_MARKS)],
                "color": ink.colours[number % len(ink.colours)],
                "alpha": 0.8,
                "linewidths": 0,
            }
            left.scatter(
                at, [math.log10(p.predicted) for p in of_group], label=shortened(group, _GROUP_LENGTH), **look
            )
            right.scatter(at, [100 * (p.predicted / p.measured - 1) for p in of_group], **look)
        ticks = [float(t) for t in range(math.ceil(low), math.floor(high) + 1)]
        # A narrow range has no two powers of ten inside: name its ends.
        ticks = ticks if len(ticks) > 1 else [low, high]
        names = [format_value(10**t, "1", digits=3) for t in ticks]
        for axes in (left, right):
            axes.set_xticks(ticks, names)
            axes.set_xlim(low, high)
            axes.set_xlabel(f"measured {quantity}", color=ink.text)
            _frame(axes, ink)
        left.set_yticks(ticks, names)
        left.set_ylim(low, high)
        left.set_ylabel(f"predicted {quantity} (simulated)", color=ink.text)
        right.set_ylabel("error (%)", color=ink.text)
        columns = 3 if max(map(len, groups)) <= _GROUP_LENGTH_OF_THREE else 1
        figure.legend(loc="outside upper left", ncols=columns, frameon=False, labelcolor=ink.text, fontsize=8)

    return _svg(fill, size_in=size_in, clear=clear)
