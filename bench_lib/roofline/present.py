"""Verdicts as JSON, CSV, Markdown and a table.

What is shown is a whitelist: figures, kernel names, the GPU's and the profiler's names and the file's
own name. Host names, addresses, users, command lines and folders are never in it; command line and
folder can be asked for by name.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

from bench_lib.roofline.analysis import LaunchAnalysis
from bench_lib.roofline.kernel_names import printable, short_kernel_name
from bench_lib.roofline.launch import SourceFacts
from bench_lib.units import format_value

SCHEMA: Final = 1
Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]

CSV_COLUMNS: Final = (
    "file",
    "gpu",
    "index",
    "kernel",
    "duration_s",
    "sm_pct",
    "memory_pct",
    "dram_pct",
    "l2_pct",
    "l1_pct",
    "waves_per_sm",
    "flop_fp64",
    "flop_fp32",
    "flop_fp16",
    "flop_tensor",
    "arithmetic_intensity_flop_per_byte",
    "label",
    "strength",
    "reason",
    "spec_label",
    "nvidia_rule",
    "remedies",
)


def _known(value: float | None) -> float | None:
    return value if value is None or math.isfinite(value) else None


def report_json(path: Path, facts: SourceFacts, *, include: Iterable[str] = ()) -> dict[str, Json]:
    """A report's own fields, without its launches."""
    head: dict[str, Json] = {
        "file": str(path) if "path" in include else path.name,
        "gpu": facts.gpu,
        "compute_capability": facts.compute_capability,
        "ncu_version": facts.ncu_version,
        "clocks_locked": facts.clocks_locked,
    }
    if "command-line" in include:
        head["command_line"] = facts.command_line
    return head


def launch_json(analysis: LaunchAnalysis) -> dict[str, Json]:
    """One launch, by the documented schema; unknown values are ``None``."""
    values, classification = analysis.values, analysis.classification
    return {
        "index": analysis.index,
        "kernel": analysis.kernel,
        "duration_s": _known(values.duration_s),
        "sm_pct": _known(values.sm_pct),
        "memory_pct": _known(values.memory_pct),
        "dram_pct": _known(values.dram_pct),
        "l2_pct": _known(values.l2_pct),
        "l1_pct": _known(values.l1_pct),
        "waves_per_sm": _known(values.waves_per_sm),
        "flop_by_precision": {k: _known(v) for k, v in analysis.work.flop_by_precision.items()},
        "arithmetic_intensity_flop_per_byte": _known(analysis.work.arithmetic_intensity_flop_per_byte),
        "label": classification.verdict.label,
        "strength": classification.strength,
        "evidence": dict(analysis.evidence),
        "spec_label": classification.spec_label,
        # Where the figures do not suffice to recompute it, the verdict that the report stored.
        "nvidia_rule": classification.nvidia_rule or values.nvidia_rule,
        "remedies": [asdict(r) for r in analysis.remedies],
    }


def _finite(value: Json) -> Json:
    if isinstance(value, float):
        return _known(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value


def dump(value: Json) -> str:
    """JSON on one line. NaN and infinity are no JSON: a quotient of damaged figures becomes ``null``."""
    return json.dumps(_finite(value), allow_nan=False, ensure_ascii=False)


def _cell(value: object) -> str:
    """A CSV cell that no spreadsheet takes for a formula."""
    text = "" if value is None else printable(str(value))
    return (
        f"'{text}" if text[:1] in {"=", "+", "@", "\t"} or (text[:1] == "-" and text[1:2].isalpha()) else text
    )


def csv_row(path: Path, facts: SourceFacts, analysis: LaunchAnalysis) -> str:
    """One launch under :data:`CSV_COLUMNS`."""
    fields = launch_json(analysis)
    flop = analysis.work.flop_by_precision
    flat: Mapping[str, object] = {
        **fields,
        **{f"flop_{k}": v for k, v in flop.items()},
        "file": path.name,
        "gpu": facts.gpu,
        "reason": analysis.classification.verdict.reason_code,
        "remedies": "; ".join(r.code for r in analysis.remedies),
    }
    return csv_line([_cell(flat.get(column)) for column in CSV_COLUMNS])


def csv_line(cells: Iterable[str]) -> str:
    """A line of CSV with its end."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(cells)
    return stream.getvalue()


def _pct(value: float | None) -> str:
    return "?" if value is None else f"{value:.1f}"


def _name_of_strength(analysis: LaunchAnalysis) -> str:
    return analysis.classification.strength or "–"


def _columns(analysis: LaunchAnalysis) -> list[str]:
    values, classification = analysis.values, analysis.classification
    verdict = classification.verdict
    return [
        str(analysis.index),
        short_kernel_name(analysis.kernel),
        format_value(values.duration_s, "s"),
        _pct(values.sm_pct),
        _pct(values.memory_pct),
        _pct(values.dram_pct),
        f"{verdict.label} ({verdict.reason_code})",
        _name_of_strength(analysis),
        classification.spec_label,
        printable(classification.nvidia_rule or values.nvidia_rule or "?"),
    ]


TABLE_HEADINGS: Final = (
    "#",
    "kernel",
    "duration",
    "SM %",
    "memory %",
    "DRAM %",
    "verdict",
    "strength",
    "spec's rule",
    "NVIDIA's rule",
)
_WIDTHS: Final = (4, 44, 10, 6, 8, 6, 34, 8, 13, 23)
_RIGHT: Final = frozenset((0, 2, 3, 4, 5))


def _line(cells: Iterable[str]) -> str:
    padded = (
        cell.rjust(width) if column in _RIGHT else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, _WIDTHS, strict=True))
    )
    return "  ".join(padded).rstrip() + "\n"


def table_head(path: Path, facts: SourceFacts, first: LaunchAnalysis) -> str:
    """What is known of a report, and the headings."""
    locked = {True: "clocks locked", False: "clocks not locked", None: "clock lock unknown"}
    parts = [
        printable(facts.gpu or "GPU unknown"),
        f"compute capability {facts.compute_capability or 'unknown'}",
        f"ncu {facts.ncu_version or 'unknown'}",
        locked[facts.clocks_locked],
    ]
    share = first.clock_share_of_boost
    if share is not None:
        parts[-1] += f" (SM at {share:.0%} of boost: verdicts hold for that clock)"
    return f"{printable(path.name)}: {', '.join(parts)}\n" + _line(TABLE_HEADINGS)


def table_row(analysis: LaunchAnalysis) -> str:
    """One launch, and under it what to do."""
    text = _line(_columns(analysis))
    for remedy in analysis.remedies:
        gain = f" at most {remedy.speedup_at_most:.2g}×" if remedy.speedup_at_most else ""
        text += f"{'':6}→ {remedy.action}{gain}\n"
    return text


def _escape(text: str) -> str:
    for mark in "\\`|*_[]<>&":
        text = text.replace(mark, f"\\{mark}")
    return text


def markdown_head(path: Path, facts: SourceFacts) -> str:
    """A heading and the head of a table."""
    gpu = facts.gpu or "GPU unknown"
    return (
        f"\n### {_escape(printable(path.name))}: {_escape(printable(gpu))}\n\n"
        f"| {' | '.join(TABLE_HEADINGS)} | first remedy |\n|{'---|' * (len(TABLE_HEADINGS) + 1)}\n"
    )


def markdown_row(analysis: LaunchAnalysis) -> str:
    """One launch as a row of a Markdown table."""
    remedy = analysis.remedies[0].action if analysis.remedies else "–"
    return f"| {' | '.join(_escape(c) for c in (*_columns(analysis), remedy))} |\n"
