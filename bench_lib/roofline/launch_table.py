"""The table of launches that pages show: its columns, and what each cell shows, sorts by and hovers.

Pages turn a cell into HTML or docutils nodes; :mod:`bench_lib.table_script` sorts and filters the rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from bench_lib.roofline.chart_axes import Point
from bench_lib.roofline.kernel_names import printable, short_kernel_name
from bench_lib.units import Unit, format_value

#: Class of the table's element.
TABLE_CLASS: Final = "bench-launches"


@dataclass(frozen=True)
class LaunchCell:
    """One cell.

    Parameters
    ----------
    text
        What is shown.
    key
        Number to sort by; NaN where it is unknown, ``None`` where the text itself decides.
    hover
        What shows on hover; empty for nothing.
    """

    text: str
    key: float | None = None
    hover: str = ""


COLUMNS: Final = (
    "kernel",
    "class",
    "duration",
    "SM %",
    "memory %",
    "DRAM %",
    "FLOP/byte",
    "% of roof",
    "spec's rule",
    "NVIDIA's rule",
    "first remedy",
    "GPU",
    "file",
)


def _number(value: float | None, text: str) -> LaunchCell:
    return LaunchCell(text, math.nan if value is None or not math.isfinite(value) else value)


def _pct(value: float | None) -> LaunchCell:
    return _number(value, "unknown" if value is None else f"{value:.1f}")


def _quantity(value: float | None, unit: Unit, *, digits: int = 4) -> LaunchCell:
    return _number(value, format_value(value, unit, digits=digits))


def cells(point: Point) -> tuple[LaunchCell, ...]:
    """The cells of one launch, by :data:`COLUMNS`. Texts are printable, not escaped."""
    analysis = point.analysis
    values, classification = analysis.values, analysis.classification
    verdict = classification.verdict
    share = analysis.share_of_roof
    remedy = LaunchCell("–")
    if analysis.remedies:
        first = analysis.remedies[0]
        gain = f", at most {first.speedup_at_most:.2g}×" if first.speedup_at_most else ""
        remedy = LaunchCell(f"{first.code}{gain}", hover=f"{first.action} ({first.basis})")
    return (
        LaunchCell(short_kernel_name(analysis.kernel), hover=printable(analysis.kernel)),
        LaunchCell(
            f"{verdict.label} ({verdict.reason_code})",
            hover=f"{classification.strength or 'no strength'}: {printable(verdict.message)}",
        ),
        _quantity(values.duration_s, "s"),
        _pct(values.sm_pct),
        _pct(values.memory_pct),
        _pct(values.dram_pct),
        _quantity(analysis.work.arithmetic_intensity_flop_per_byte, "1", digits=3),
        # No bytes and no FLOP were counted: there is nothing to place under a roof.
        _number(None, "–") if share == 0 else _pct(None if share is None else 100 * share),
        LaunchCell(classification.spec_label),
        LaunchCell(printable(classification.nvidia_rule or values.nvidia_rule or "unknown")),
        remedy,
        LaunchCell(printable(point.gpu)),
        LaunchCell(printable(point.file), hover=printable(point.source) or f"launch {analysis.index}"),
    )
