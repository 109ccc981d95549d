"""Frames as text or files: a table for a terminal, Markdown, CSV, JSON, Parquet."""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click
import pandas as pd

from bench_lib.errors import UnavailableError, UsageError
from bench_lib.files import write_whole
from bench_lib.units import UNITS, format_value

FORMATS: Final = ("table", "markdown", "csv", "json", "parquet")
#: Makes of a row the text that a reader sees in one column.
Reading = Callable[[Mapping[str, Any]], str]


def readable(value: float, unit: str) -> str:
    """``value`` scaled for a reader; units that are not ours are shown as they are."""
    if unit in UNITS:
        return format_value(value, unit)
    return "unknown" if math.isnan(value) else f"{value:.4g} {unit}".rstrip()


def interval_text(low: float, high: float, unit: str) -> str:
    """An interval of values; empty where there is none, and why where it has no bound."""
    if math.isnan(low) or math.isnan(high):
        return ""
    if math.isinf(low) or math.isinf(high):
        return "too few samples"
    return f"{readable(low, unit)} to {readable(high, unit)}"


def ratio_text(ratio: float) -> str:
    """A ratio; empty where there is none. One that three decimals would leave nothing of has four digits."""
    if math.isnan(ratio):
        return ""
    return f"{ratio:.4g}" if 0 < abs(ratio) < 0.01 else f"{ratio:.3f}"


def ratio_interval_text(ratio: float, low: float, high: float) -> str:
    """The interval of a ratio; ``unknown`` where there is a ratio and no interval."""
    if math.isnan(low) or math.isnan(high):
        return "" if math.isnan(ratio) else "unknown"
    return f"{ratio_text(low)} to {ratio_text(high)}" if math.isfinite(high) else "too few samples"


def change_text(ratio: float) -> str:
    """A ratio as a change in percent."""
    return "unknown" if math.isnan(ratio) else f"{100 * (ratio - 1):+.1f} %"


def change_interval_text(ratio: float, low: float, high: float) -> str:
    """The interval of a change; empty where there is no ratio."""
    return "" if math.isnan(ratio) else f"{change_text(low)} to {change_text(high)}"


def printable(text: str) -> str:
    """``text`` without characters that steer a terminal: names come from files of others."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def escaped_markdown(text: str) -> str:
    """``text`` so that Markdown shows it as it is, within a cell of a table."""
    for sign in "\\`*_{}[]<>#|~":
        text = text.replace(sign, "\\" + sign)
    return text


def render(frame: pd.DataFrame, *, form: str, readings: Mapping[str, Reading]) -> str | bytes:
    """``frame`` in one of :data:`FORMATS`.

    Parameters
    ----------
    readings
        For the forms that people read: heading → text of a row. The forms for programs have every
        column of ``frame``, with values in SI units.

    Raises
    ------
    UnavailableError
        Parquet was asked for, and pyarrow is not installed.
    """
    if form == "csv":
        return frame.to_csv(index=False)
    if form == "json":
        return _json(frame)
    if form == "parquet":
        return _parquet(frame)
    from tabulate import tabulate

    rows = [
        [printable(read(row)) for read in readings.values()]
        for row in (
            dict(zip(frame.columns, v, strict=True)) for v in frame.itertuples(index=False, name=None)
        )
    ]
    if form == "markdown":
        rows = [[escaped_markdown(text) for text in row] for row in rows]
    style = "github" if form == "markdown" else "simple"
    text = str(tabulate(rows, headers=list(readings), tablefmt=style, disable_numparse=True))
    # Spaces to the width of the longest cell would wrap every line of a terminal where one cell is long.
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def _json(frame: pd.DataFrame) -> str:
    def plain(value: Any) -> Any:
        if isinstance(value, pd.Timestamp):
            return value.isoformat()
        if hasattr(value, "tolist"):
            value = value.tolist()
        # JSON knows neither NaN nor infinity: both are no bound or no value.
        if value is pd.NaT or value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
            return None
        return value

    columns = list(frame.columns)
    rows = [
        {c: plain(v) for c, v in zip(columns, row, strict=True)}
        for row in frame.itertuples(index=False, name=None)
    ]
    return json.dumps(rows, indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def _parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq

        # What pandas and Arrow would add to say how they held it is more than the figures of a small table.
        table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
        pq.write_table(table, buffer, compression="zstd", store_schema=False, write_statistics=False)
    except ImportError as error:
        raise UnavailableError(
            "no-pyarrow",
            "writing Parquet needs pyarrow, which is not installed.",
            remedy="Install with: python -m pip install 'bench-lib[results]'",
        ) from error
    return buffer.getvalue()


def emit(content: str | bytes, output: Path | None) -> None:
    """Write ``content`` to ``output``, or to standard output.

    Raises
    ------
    UsageError
        Bytes would go to a terminal.
    """
    if output is not None:
        write_whole(output, content)
    elif isinstance(content, str):
        click.echo(content, nl=False)
    elif sys.stdout.isatty():
        raise UsageError("Found a terminal, expected a file for Parquet. Add --output FILE.")
    else:
        sys.stdout.buffer.write(content)
