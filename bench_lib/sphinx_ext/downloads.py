"""Files to take away: what pages show, as the commands print it, in CSV, JSON and Parquet.

Parquet is published as a file. CSV and JSON are made by the reader's browser, from one script with the
columns of all of them: each value is published once for both.
"""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from typing import Any, Final
from weakref import WeakKeyDictionary

import pandas as pd

from bench_lib.results.hardware_table import hardware_table
from bench_lib.results.output import render
from bench_lib.sphinx_ext import inventory
from bench_lib.sphinx_ext.generated_pages import File, file_href
from bench_lib.sphinx_ext.number_text import number_text
from bench_lib.sphinx_ext.script_data import data_script
from bench_lib.sphinx_ext.site_data import SiteData

FOLDER: Final = "bench/downloads"
#: The script with the columns of all tables.
COLUMNS_FILE: Final = f"{FOLDER}/columns.js"
#: Name of a table → what it is, and the command that prints the same.
TABLES: Final[dict[str, tuple[str, str]]] = {
    "newest": ("Newest value of every series", "bench-lib lookup"),
    "changes": ("Changes", "bench-lib changes --possible"),
    "without-value": ("Runs without a value, and why", ""),
    "hardware": ("Hardware", "bench-lib hardware"),
}


class Downloads:
    """The tables of one build, each rendered once."""

    def __init__(self, data: SiteData) -> None:
        self._is_elsewhere = data.makes("downloads")
        frames = {
            "newest": data.newest,
            "changes": data.changes,
            "without-value": inventory.gaps(data.results),
            "hardware": hardware_table(data.results),
        }
        self._frames = {
            name: f.drop(columns=[c for c in ("samples",) if c in f]) for name, f in frames.items()
        }

    @cached_property
    def _columns(self) -> File:
        tables = {name: packed_table(frame) for name, frame in self._frames.items()}
        return File(COLUMNS_FILE, data_script(tables, name="downloads"))

    @cached_property
    def _parquet(self) -> Mapping[str, File]:
        # It needs pyarrow, which a site can do without.
        try:
            import pyarrow as pa
        except ImportError:
            return {}
        assert pa.__version__
        return {
            name: File(f"{FOLDER}/{name}.parquet", render(frame, form="parquet", readings={}))
            for name, frame in self._frames.items()
        }

    def files(self) -> Iterator[File]:
        """Everything that is published."""
        yield self._columns
        yield from self._parquet.values()

    def files_beside_pages(self) -> Iterator[File]:
        """What other pages publish: everything, where there is no page of downloads to do it."""
        if not self._is_elsewhere:
            yield from self.files()

    def links_html(self, name: str, *, what: str) -> str:
        """A line with links to the table ``name``, called ``what``."""
        return f'<p class="bench-downloads">{escape(what)}: {" ".join(self._links(name))}</p>\n'

    def _links(self, name: str) -> list[str]:
        version = f"{zlib.crc32(str(self._columns.content).encode('utf-8', 'surrogatepass')):08x}"
        source = f"{file_href(COLUMNS_FILE)}?v={version}"
        made = [
            f'<button type="button" class="bench-download" hidden data-download-form="{form}" '
            f'data-download-table="{name}" data-download-from="{source}">{form.upper()}</button>'
            for form in ("csv", "json")
        ]
        if name in self._parquet:
            file = self._parquet[name]
            size = len(file.content) / 1000
            made.append(
                f'<a class="reference" download href="{file_href(file.name)}">Parquet</a> '
                f'<span class="bench-detail">({size:.3g} kB)</span>'
            )
        return made

    def table_html(self) -> str:
        """All tables, with the commands that print the same."""
        forms = ("CSV", "JSON", "Parquet") if self._parquet else ("CSV", "JSON")
        heads = "".join(f'<th scope="col" class="head">{h}</th>' for h in ("What", *forms, "Command"))
        rows = "".join(
            f'<tr><th scope="row" class="stub">{escape(what)}</th>'
            + "".join(f"<td>{link}</td>" for link in self._links(name))
            + f"<td>{f'<code>{escape(command)}</code>' if command else ''}</td></tr>"
            for name, (what, command) in TABLES.items()
        )
        return (
            '<div class="bench-scroll"><table class="bench-table bench-site-table bench-plain">'
            f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>\n"
            "<noscript><p>Without scripts, there is Parquet only: a browser makes the others. The commands "
            "print them too, with <code>--format csv</code> and <code>--json</code>.</p></noscript>\n"
        )


def packed_table(frame: pd.DataFrame) -> dict[str, Any]:
    """``frame`` by columns, cells as CSV has them: numbers, or the numbers of texts in ``texts``."""
    names, *rows = csv.reader(io.StringIO(str(render(frame, form="csv", readings={})), newline=""))
    texts: dict[str, int] = {}
    columns: list[str | list[Any]] = []
    kinds = [_kind(frame[name]) for name in names]
    for place, kind in enumerate(kinds):
        cells = [row[place] for row in rows]
        if kind == "number" and 2 * len(set(cells)) > len(cells):
            columns.append(cells)
        else:
            columns.append(number_text([texts.setdefault(cell, len(texts)) for cell in cells]))
    return {"names": names, "kinds": kinds, "count": len(rows), "texts": list(texts), "columns": columns}


def _kind(column: pd.Series[Any]) -> str:
    if pd.api.types.is_bool_dtype(column.dtype):
        return "boolean"
    if pd.api.types.is_numeric_dtype(column.dtype):
        return "number"
    return "date" if pd.api.types.is_datetime64_any_dtype(column.dtype) else "text"


_made: WeakKeyDictionary[SiteData, Downloads] = WeakKeyDictionary()


def downloads_of(data: SiteData) -> Downloads:
    """The tables of ``data``, shared by its pages."""
    if data not in _made:
        _made[data] = Downloads(data)
    return _made[data]
