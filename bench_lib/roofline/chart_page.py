"""One HTML page: the charts, and a table of launches that sorts and filters. It loads nothing."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Final

from bench_lib.roofline.chart_axes import Point
from bench_lib.roofline.launch_table import COLUMNS, TABLE_CLASS, LaunchCell, cells
from bench_lib.table_script import FILTERED, SCRIPT, STATIC, STYLE

_STYLE: Final = """
body{font:14px/1.4 system-ui,sans-serif;margin:1.5rem;max-width:90rem}
svg{max-width:100%;height:auto}
.bench-site-table td,.bench-site-table th{white-space:nowrap}
"""


def _cell(cell: LaunchCell) -> str:
    attributes = ""
    if cell.key is not None:
        attributes = f' data-key="{"" if math.isnan(cell.key) else repr(cell.key)}"'
    if cell.hover:
        attributes += f' title="{html.escape(cell.hover)}"'
    kind = "" if cell.key is None else ' class="bench-number"'
    return f"<td{kind}><span{attributes}>{html.escape(cell.text)}</span></td>"


def page(points: Sequence[Point], svg: str) -> str:
    """The page. Everything that comes from a report is escaped."""
    heads = "".join(f"<th>{html.escape(h)}</th>" for h in COLUMNS)
    rows = "\n".join(f"<tr>{''.join(map(_cell, cells(p)))}</tr>" for p in points)
    script, style = ((STATIC / name).read_text(encoding="utf-8") for name in (SCRIPT, STYLE))
    classes = f"bench-table bench-site-table {FILTERED} {TABLE_CLASS}"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Kernel roofline</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{style}{_STYLE}</style></head><body><h1>Kernel roofline</h1>\n{svg}\n"
        f'<div class="bench-scroll"><table class="{classes}" id="launches" data-download>'
        f"<thead><tr>{heads}</tr></thead><tbody>\n"
        f"{rows}\n</tbody></table></div><script>{script}</script></body></html>\n"
    )
