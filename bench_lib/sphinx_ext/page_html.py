"""HTML of generated pages from texts; what is called text here is escaped, what is called html is not."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

import pandas as pd


def breakable(text: str) -> str:
    """``text`` escaped, with places where a browser may break a long name."""
    return re.sub(r"([._/]|(?<=[a-z])(?=[A-Z]))", r"\1<wbr>", html.escape(text))


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, classes: str, caption: str = "") -> str:
    """A table in a box that scrolls; ``head`` and ``caption`` are texts, cells are HTML."""
    columns = "".join(f'<th scope="col">{html.escape(text)}</th>' for text in head)
    body = "".join(
        f'<tr><th scope="row">{cells[0]}</th>' + "".join(f"<td>{c}</td>" for c in cells[1:]) + "</tr>"
        for cells in rows
    )
    shown = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="bench-scroll"><table class="{html.escape(classes)}">{shown}'
        f"<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def day(date: pd.Timestamp) -> str:
    """A date, without the time of day."""
    return "no date" if pd.isna(date) else f"{date:%Y-%m-%d}"
