"""The figures of a scaling series as table cells and text."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from docutils import nodes

from bench_lib.hardware import find
from bench_lib.model import status_words
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, note, paragraph, table, two_lines
from bench_lib.sphinx_ext.scaling import Ratio, Row, Series
from bench_lib.stats import Summary
from bench_lib.units import Unit, format_value, scale

UNKNOWN = "unknown"

_ISO = re.compile(r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*(?:\+00:00|Z)")
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def interval_text(value: float, low: float, high: float, unit: Unit) -> str:
    """``[low, high]`` in the unit that ``value`` is shown in, or that it has no bound."""
    if not (math.isfinite(low) and math.isfinite(high)) or (low <= 0 and value > 0):
        return "interval unbounded"
    factor = 0.01 if unit == "1" else scale(value, unit)[0]
    # As many decimals as the median is shown with; percentages of efficiency carry one.
    size = max(abs(value / factor), 1e-12)
    decimals = 1 if unit == "1" else min(3, max(0, 3 - math.floor(math.log10(size))))
    return f"[{low / factor:.{decimals}f}, {high / factor:.{decimals}f}]"


def percent(value: float) -> str:
    """A ratio as a percentage of three digits."""
    return f"{value * 100:.3g} %"


def _time_cell(summary: Summary) -> Cell:
    bounds = interval_text(summary.median, summary.low, summary.high, "s")
    return two_lines(format_value(summary.median, "s"), bounds)


def _ratio_cell(ratio: Ratio | None, unit: Unit) -> Cell:
    if ratio is None:
        return UNKNOWN
    shown = percent(ratio.value) if unit == "1" else format_value(ratio.value, unit)
    return two_lines(shown.replace("token/s", "").strip(), _scaled_interval(ratio, unit))


def _scaled_interval(ratio: Ratio, unit: Unit) -> str:
    return interval_text(ratio.value, ratio.low, ratio.high, unit)


def _allocated_cell(row: Row) -> Cell:
    allocated = format_value(row.peak_allocated, "B")
    if row.peak_reserved is None:
        return allocated
    return two_lines(allocated, f"reserved {format_value(row.peak_reserved, 'B')}")


def cells(row: Row) -> list[Cell]:
    """The cells of one table row; a run without figures gives its reason instead."""
    ranks = str(row.num_ranks)
    if row.step_time is None:
        return [
            ranks,
            [nodes.strong("", status_words(row.run.status)), nodes.Text(": " + clean(row.run.reason))],
        ]
    efficiency: Cell = two_lines("100 %", "baseline") if row.baseline else _ratio_cell(row.efficiency, "1")
    return [
        ranks,
        _time_cell(row.step_time),
        str(row.step_time.num_samples),
        _ratio_cell(row.tokens_per_s, "token/s"),
        efficiency,
        _allocated_cell(row),
        format_value(row.peak_rss, "B"),
        UNKNOWN if row.last_loss is None else f"{row.last_loss:.4f}",
    ]


HEADER: tuple[Cell, ...] = (
    "Ranks",
    two_lines("Step time", "median [99 %]"),
    "Steps",
    two_lines("Tokens/s", "all ranks"),
    two_lines("Efficiency", "weak scaling"),
    two_lines("Allocated", "peak a rank"),
    two_lines("RSS", "peak a rank"),
    two_lines("Loss", "last step"),
)
WIDTHS = (6, 20, 7, 15, 16, 13, 13, 10)


def series_table(series: Series) -> nodes.table:
    """The table of one series."""
    return table(HEADER, [cells(row) for row in series.rows], classes=["bench-figures"], widths=WIDTHS)


def date_text(started: str) -> str:
    """An ISO instant as ``2026-12-02 06:01 UTC``; anything else as it is."""
    match = _ISO.fullmatch(started)
    return f"{match[1]} {match[2]} UTC" if match else clean(started)


def commit_text(commit: str | None) -> str:
    """A commit's short form; a text that is no commit is shown as it is."""
    if commit is None:
        return "unknown commit"
    return commit[:10] if _SHA.fullmatch(commit) else clean(commit)


def provenance(series: Series) -> nodes.paragraph:
    """Where the figures of a series come from, in one line."""
    e = series.environment
    parts: list[str | nodes.Node] = []
    if series.origin != "measured":
        parts += [nodes.inline("", series.origin, classes=["bench-origin"]), ", not measured · "]
    else:
        parts.append("measured ")
    parts += [date_text(series.newest), " · commit ", literal(commit_text(e.commit))]
    if e.dirty:
        parts.append(" with uncommitted changes")
    elif e.dirty is None:
        parts.append(" (unknown whether changed)")
    parts.append(f" · torch {clean(e.torch or UNKNOWN)} · Python {clean(e.python)}")
    backend, device = series.detail("backend"), series.detail("device")
    if backend is not None and device is not None:
        parts.append(f" · {clean(backend)} on {clean(device)}")
    if e.num_cpus is not None:
        parts.append(f" · {e.num_cpus} CPUs")
    timed = next((m for r in series.rows if r.step_time and (m := r.run.measurement("step_time"))), None)
    if timed is not None:
        parts.append(f" · {clean(timed.clock) or UNKNOWN} clock, after {timed.warmup} warm-up steps")
    return paragraph(*parts, classes=["bench-provenance"])


def work(series: Series) -> list[nodes.Node]:
    """What each rank does in a step; nothing where the record does not say."""
    batch, length = series.detail("batch_per_rank"), series.detail("sequence_length")
    size, dtype = series.detail("num_parameters"), series.detail("param_dtype")
    parts = []
    if isinstance(size, int) and not isinstance(size, bool) and 0 < size < 10**18:
        parts.append(f"{size / 1e6:.4g} M parameters")
    if batch is not None and length is not None:
        parts.append(f"batch {clean(batch)} × {clean(length)} tokens a rank")
    if dtype is not None:
        parts.append(
            f"computed in {clean(dtype)}, gradients reduced in {clean(series.detail('reduce_dtype'))}"
        )
    threads = series.detail("threads_per_rank")
    if threads is not None and series.detail("device") == "cpu":
        parts.append(f"{clean(threads)} CPU thread{'' if threads == 1 else 's'} a rank")
    return [paragraph("; ".join(parts) + ".", classes=["bench-work"])] if parts else []


def spread(series: Sequence[Series]) -> list[nodes.Node]:
    """How far launches of one commit lie apart, by rank count; nothing where there is one launch."""
    first = series[0]
    same = [s for s in series if s.environment.commit == first.environment.commit]
    medians: dict[int, list[float]] = {}
    for s in same:
        for row in s.rows:
            if row.step_time is not None:
                medians.setdefault(row.num_ranks, []).append(row.step_time.median)
    parts = []
    for num_ranks, values in sorted(medians.items()):
        if len(values) > 1:
            low, high = format_value(min(values), "s"), format_value(max(values), "s")
            parts.append(f"{num_ranks} rank{'s' * (num_ranks > 1)}: {low} to {high} ({len(values)} launches)")
    if not parts:
        return []
    text = "Median steps of all launches at this commit: " + "; ".join(parts) + "."
    return [paragraph(text, classes=["bench-provenance"])]


def notes(series: Series) -> list[nodes.Node]:
    """What a reader must know before using the figures: other work on the machine, shared CPUs."""
    made: list[nodes.Node] = []
    if series.busy:
        text = f"The machine was busy: with 1 rank, {series.busy}. Do not compare these step times."
        made.append(note(paragraph(text)))
    return made + _crowded_note(series)


def _crowded_note(series: Series) -> list[nodes.Node]:
    if not series.crowded:
        return []
    ranks = ", ".join(map(str, series.crowded))
    text = (
        f"At {ranks} ranks, ranks share the {series.environment.num_cpus} CPUs of their host. "
        "Efficiency there shows how ranks share cores; it does not predict accelerators that each have "
        "their own."
    )
    return [note(paragraph(text))]


def hardware_title(slug: str) -> str:
    """The vendor's name of a known device, else the slug as recorded."""
    known = find(slug)
    return known.name if known else clean(slug)
