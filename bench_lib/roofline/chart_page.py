"""One HTML page: the charts, and a table of launches that sorts and filters. It loads nothing."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Final

from bench_lib.roofline.chart_axes import Point
from bench_lib.roofline.launch_table import COLUMNS, SCRIPT, STATIC, TABLE_CLASS, LaunchCell, cells

_STYLE: Final = """
body{font:14px/1.4 system-ui,sans-serif;margin:1.5rem;max-width:90rem}
svg{max-width:100%;height:auto}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{padding:.25rem .5rem;border-bottom:1px solid #ddd;text-align:left}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
th button{all:unset;cursor:pointer;font-weight:600}
th button:focus-visible{outline:2px solid #0072b2}
th[aria-sort=ascending] button::after{content:" ▲"}
th[aria-sort=descending] button::after{content:" ▼"}
input{font:inherit;padding:.3rem;width:20rem;max-width:100%;margin:.5rem 0}
output{margin-left:1rem}
"""


def _cell(cell: LaunchCell) -> str:
    attributes = ""
    if cell.key is not None:
        attributes = f' data-key="{"" if math.isnan(cell.key) else repr(cell.key)}"'
    if cell.hover:
        attributes += f' title="{html.escape(cell.hover)}"'
    kind = "" if cell.key is None else ' class="n"'
    return f"<td{kind}><span{attributes}>{html.escape(cell.text)}</span></td>"


def page(points: Sequence[Point], svg: str) -> str:
    """The page. Everything that comes from a report is escaped."""
    heads = "".join(f"<th>{html.escape(h)}</th>" for h in COLUMNS)
    rows = "\n".join(f"<tr>{''.join(map(_cell, cells(p)))}</tr>" for p in points)
    script = (STATIC / SCRIPT).read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Kernel roofline</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{_STYLE}</style></head><body><h1>Kernel roofline</h1>\n{svg}\n"
        f'<div class="scroll"><table class="{TABLE_CLASS}"><thead><tr>{heads}</tr></thead><tbody>\n'
        f"{rows}\n</tbody></table></div><script>{script}</script></body></html>\n"
    )
