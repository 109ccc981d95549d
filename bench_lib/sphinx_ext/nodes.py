"""Docutils nodes built from data: text is always a text node, never markup."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from docutils import nodes

#: A cell: text, or nodes ready to show.
Cell = str | Sequence[nodes.Node]

_MAX_LENGTH = 2000


def clean(text: object) -> str:
    """``text`` as one line that is safe to show and to print on a terminal.

    Records are not trusted. Control, format and unassigned characters (terminal escapes, text
    direction overrides, the NUL that docutils gives a meaning) become U+FFFD; white space, one space.
    """
    line = re.sub(r"\s+", " ", str(text)).strip()
    if len(line) > _MAX_LENGTH:
        line = line[:_MAX_LENGTH] + " … (cut)"
    # Nearly every text is: looking at each character would take most of the time.
    if line.isprintable():
        return line
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c)[0] == "C" else c for c in line)


def paragraph(*parts: str | nodes.Node, classes: Sequence[str] = ()) -> nodes.paragraph:
    """A paragraph of texts and inline nodes."""
    made = nodes.paragraph(classes=list(classes))
    made.extend(nodes.Text(part) if isinstance(part, str) else part for part in parts)
    return made


def literal(text: object) -> nodes.literal:
    """``text`` in the typeface of code."""
    shown = clean(text)
    return nodes.literal(shown, shown)


def with_code(text: str) -> list[nodes.Node]:
    """Our own prose, in which single backticks mark code."""
    parts = text.split("`")
    return [literal(part) if index % 2 else nodes.Text(part) for index, part in enumerate(parts) if part]


def note(*children: nodes.Node, title: str = "", kind: str = "note") -> nodes.Element:
    """An admonition; with a title it is a generic one of that colour."""
    if title:
        return nodes.admonition("", nodes.title("", title), *children, classes=[kind])
    return nodes.warning("", *children) if kind == "warning" else nodes.note("", *children)


def table(
    header: Sequence[Cell],
    rows: Sequence[Sequence[Cell]],
    *,
    title: str = "",
    classes: Sequence[str] = (),
    widths: Sequence[int] = (),
) -> nodes.table:
    """A table whose first column heads its rows.

    A row may end early: its last cell then spans the columns that are left.
    """
    num_columns = len(header)
    made = nodes.table(classes=["bench-table", *classes])
    if title:
        made += nodes.title("", title)
    group = nodes.tgroup(cols=num_columns)
    for index in range(num_columns):
        spec = nodes.colspec(colwidth=widths[index] if widths else 1)
        if index == 0:
            spec["stub"] = 1
        group += spec
    group += nodes.thead("", _row(header, num_columns))
    group += nodes.tbody("", *(_row(cells, num_columns) for cells in rows))
    made += group
    return made


def _row(cells: Sequence[Cell], num_columns: int) -> nodes.row:
    row = nodes.row()
    for index, cell in enumerate(cells):
        entry = nodes.entry()
        missing = num_columns - len(cells)
        if missing and index == len(cells) - 1:
            entry["morecols"] = missing
            entry["classes"].append("bench-span")
        if isinstance(cell, str):
            entry += nodes.paragraph(cell, cell)
        else:
            blocks = [c for c in cell if isinstance(c, nodes.Body)]
            entry.extend(blocks if len(blocks) == len(cell) else [nodes.paragraph("", "", *cell)])
        row += entry
    return row


def two_lines(first: str, second: str) -> list[nodes.Node]:
    """A figure, and below it, smaller, what bounds or qualifies it."""
    return [paragraph(first), paragraph(second, classes=["bench-detail"])]
