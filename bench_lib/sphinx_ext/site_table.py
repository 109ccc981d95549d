"""Tables as HTML and as data files: whatever a cell holds is text, never markup.

Pages hold the first rows, so that they are there without a script; :mod:`bench_lib.table_script` sorts and
filters, and takes the rest from a data file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final, Literal
from urllib.parse import quote, urlencode

from sphinx.application import Sphinx

from bench_lib.sphinx_ext.generated_pages import File, file_href, page_href
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.script_data import data_script
from bench_lib.sphinx_ext.site_data import web_address
from bench_lib.sphinx_ext.table_columns import packed_column
from bench_lib.table_script import SCRIPT

#: Rows of the longest table that has no data for scripts; and what a page holds of a longer one itself.
MAX_ROWS: Final = 40
FIRST_ROWS: Final = 20
#: Longest data that stand in the page, and not in a file beside it.
MAX_INLINE: Final = 64_000

Kind = Literal["text", "number"]
Filter = Literal["", "values", "date", "size"]


@dataclass(frozen=True)
class Column:
    """A column.

    Parameters
    ----------
    name
        As addresses and downloads name it.
    title
        Heading.
    kind
        Whether cells sort by a number.
    filter
        Ways to choose rows by it: its ``values``, a range of its ``date``, or a least ``size``.
    help
        What the column is, on hover.
    scale
        Factor from a cell's key to what a reader enters for the least size.
    is_long
        Whether texts may be long, and break into lines.
    """

    name: str
    title: str
    kind: Kind = "text"
    filter: Filter = ""
    help: str = ""
    scale: float = 1.0
    is_long: bool = False


@dataclass(frozen=True)
class TextCell:
    """A cell: ``text``, the ``key`` it sorts by where that is another, an address, text on hover, a class."""

    text: str
    key: float | str | None = None
    href: str = ""
    hover: str = ""
    mark: str = ""

    def plain(self) -> Any:
        """What a data file holds: as little as possible."""
        key = self.key
        if isinstance(key, float) and not math.isfinite(key):
            key = None
        parts = [clean(self.text), key, safe_address(self.href), clean(self.hover), self.mark]
        while len(parts) > 1 and not parts[-1] and parts[-1] != 0:
            parts.pop()
        return parts[0] if len(parts) == 1 else parts


TableCell = str | TextCell


@dataclass(frozen=True)
class SiteTable:
    """A table with an ``id`` that is unique on its page; its caption says what a row is."""

    id: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[TableCell]]
    classes: str = ""


_PAGE: Final = re.compile(r"page:([a-z0-9._/-]+)(#[^\s]*)?")


def page(name: str, **state: str) -> str:
    """What :attr:`TextCell.href` says for the page ``name`` of this site, in the given state."""
    # A parameter's value may be empty, and says which series is meant.
    kept = {key: value for key, value in state.items() if value or key.startswith("p.")}
    return f"page:{name}" + (f"#{urlencode(kept, quote_via=quote)}" if kept else "") if name else ""


def safe_address(address: str) -> str:
    """``address`` where it is a page of this site (by :func:`page`) or of the web; empty for all else."""
    return address if _PAGE.fullmatch(address) else web_address(address)


def address_html(address: str) -> str:
    """A safe address as the attribute of an element; empty where it is none."""
    found = _PAGE.fullmatch(address)
    if found:
        return page_href(found[1]) + escape(found[2] or "")
    return escape(web_address(address))


def number_cell(text: str, key: float | None, **more: str) -> TextCell:
    """A cell that sorts by ``key``; a missing one is NaN, which comes last both ways."""
    return TextCell(text, math.nan if key is None else float(key), **more)


def table_html(table: SiteTable, *, limit: int = MAX_ROWS) -> str:
    """The table with its first ``limit`` rows, in a box that scrolls sideways."""
    heads = "".join(_head(column) for column in table.columns)
    # What a script needs of a cell, its data has where rows are left.
    has_keys = len(table.rows) <= limit
    body = "\n".join(_row(table.columns, row, has_keys=has_keys) for row in table.rows[:limit])
    left = len(table.rows) - limit
    classes = f"bench-table bench-site-table {table.classes}".strip()
    rest = f'<noscript><p class="bench-detail">The first {limit} of {len(table.rows)} rows.</p></noscript>'
    return (
        f'<div class="bench-scroll">\n'
        f'<table id="{escape(table.id)}" class="{escape(classes)}" data-download '
        f'data-page="{page_href("PAGE0")}">\n'
        f"<caption>{escape(clean(table.caption))}</caption>\n"
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>\n"
        + (rest + "\n" if left > 0 else "")
    )


def _head(column: Column) -> str:
    facts = {"column": column.name, "kind": column.kind, "filter": column.filter}
    if column.is_long:
        facts["long"] = "yes"
    if column.scale != 1.0:
        facts["scale"] = f"{column.scale:g}"
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in facts.items() if value)
    title = f' title="{escape(clean(column.help))}"' if column.help else ""
    number = ' class="head bench-number"' if column.kind == "number" else ' class="head"'
    return f'<th scope="col"{number}{data}{title}>{escape(clean(column.title))}</th>'


def _row(columns: Sequence[Column], cells: Sequence[TableCell], *, has_keys: bool) -> str:
    made = []
    for place, (column, cell) in enumerate(zip(columns, cells, strict=True)):
        value = cell if isinstance(cell, TextCell) else TextCell(cell)
        classes = [c for c in ("stub" if place == 0 else "", value.mark) if c]
        if column.kind == "number":
            classes.append("bench-number")
        data = ""
        if has_keys and (value.key is not None or column.kind == "number"):
            key = value.key
            is_unknown = key is None or (isinstance(key, float) and not math.isfinite(key))
            data = f' data-key="{"" if is_unknown else escape(key if isinstance(key, str) else repr(key))}"'
        class_ = f' class="{escape(" ".join(classes))}"' if classes else ""
        title = f' title="{escape(clean(value.hover))}"' if value.hover else ""
        text = escape(clean(value.text))
        if column.is_long:
            # Places where a browser may break a long name; never within an escaped character.
            text = re.sub(r"(?<=[._/,])(?=[^ <])", "<wbr>", text)
        address = address_html(value.href)
        if address:
            text = f'<a class="reference" href="{address}">{text}</a>'
        if column.is_long and text:
            text = f'<div class="bench-wrap">{text}</div>'
        tag, scope = ("th", ' scope="row"') if place == 0 else ("td", "")
        made.append(f"<{tag}{scope}{class_}{data}{title}>{text}</{tag}>")
    return f"<tr>{''.join(made)}</tr>"


def table_parts(table: SiteTable, *, folder: str) -> tuple[str, list[File]]:
    """HTML of the table with the data that it needs where it is long, and the file that has them if large.

    ``folder`` is the path, without extension, that the file's name begins with.
    """
    if len(table.rows) <= MAX_ROWS:
        return table_html(table), []
    html = table_html(table, limit=FIRST_ROWS)
    data = data_script(table_data(table), name=f"table:{table.id}")
    if len(data) <= MAX_INLINE:
        return f"{html}<script>{data}</script>\n", []
    name = f"{folder}-{table.id}.js"
    # Before the script of the tables, which is deferred too: those run in their order.
    return f'{html}<script defer src="{file_href(name)}"></script>\n', [File(name, data)]


def table_data(table: SiteTable) -> list[dict[str, Any]]:
    """Every row, for a table that is longer than a page shows; a column at a time."""
    return [packed_column([_plain(cell) for cell in column]) for column in zip(*table.rows, strict=True)]


def _plain(cell: TableCell) -> Any:
    return cell.plain() if isinstance(cell, TextCell) else clean(cell)


def add_script(app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Load the script on every document that has a table: it sorts, and shows where a table goes on.

    A chart in the document loads it, too; twice, it would end at its second declaration of a name.
    """
    body = str(context.get("body", ""))
    if "<table" in body and f"_static/{SCRIPT}" not in body:
        app.add_js_file(SCRIPT, loading_method="defer")
