"""One HTML page: the charts, and a table of launches that sorts and filters. It loads nothing."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final

from bench_lib.roofline.charts import Point
from bench_lib.roofline.kernel_names import printable, short_kernel_name
from bench_lib.units import format_value

_STYLE: Final = """
body{font:14px/1.4 system-ui,sans-serif;margin:1.5rem;max-width:75rem}
svg{max-width:100%;height:auto}
table{border-collapse:collapse;width:100%}
th,td{padding:.25rem .5rem;border-bottom:1px solid #ddd;text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}
th button{all:unset;cursor:pointer;font-weight:600}
th button:focus-visible{outline:2px solid #0072b2}
input{font:inherit;padding:.3rem;width:20rem;max-width:100%;margin:.5rem 0}
"""
_SCRIPT: Final = """
const body=document.querySelector('tbody'),rows=[...body.rows];
document.querySelector('input').addEventListener('input',e=>{
 const want=e.target.value.toLowerCase();
 for(const r of rows)r.hidden=!(r.textContent+r.cells[1].title).toLowerCase().includes(want);
});
document.querySelectorAll('th').forEach((head,column)=>{
 head.querySelector('button').addEventListener('click',()=>{
  const up=head.getAttribute('aria-sort')!=='ascending';
  document.querySelectorAll('th').forEach(h=>h.removeAttribute('aria-sort'));
  head.setAttribute('aria-sort',up?'ascending':'descending');
  const key=r=>{
   const cell=r.cells[column],k=cell.dataset.key;
   return k===undefined?cell.textContent:k===''?-Infinity:+k;
  };
  rows.sort((a,b)=>{const x=key(a),y=key(b);return(x<y?-1:x>y?1:0)*(up?1:-1)});
  body.append(...rows);
 });
});
"""
_HEADINGS: Final = (
    "file",
    "kernel",
    "duration",
    "SM %",
    "memory %",
    "DRAM %",
    "FLOP/byte",
    "class",
    "reason",
)


def _number(value: float | None, text: str) -> str:
    key = "" if value is None else repr(value)
    return f'<td class="n" data-key="{key}">{html.escape(text)}</td>'


def _pct(value: float | None) -> str:
    return _number(value, "unknown" if value is None else f"{value:.1f}")


def _row(point: Point) -> str:
    analysis = point.analysis
    values, verdict = analysis.values, analysis.classification.verdict
    intensity = analysis.work.arithmetic_intensity_flop_per_byte
    whole = html.escape(printable(analysis.kernel))
    return (
        f"<tr><td>{html.escape(printable(point.file))}</td>"
        f'<td title="{whole}">{html.escape(short_kernel_name(analysis.kernel))}</td>'
        + _number(values.duration_s, format_value(values.duration_s, "s"))
        + _pct(values.sm_pct)
        + _pct(values.memory_pct)
        + _pct(values.dram_pct)
        + _number(intensity, "unknown" if intensity is None else f"{intensity:.3g}")
        + f"<td>{verdict.label}</td><td>{html.escape(verdict.reason_code)}</td></tr>"
    )


def page(points: Sequence[Point], svg: str) -> str:
    """The page. Everything that comes from a report is escaped."""
    heads = "".join(f'<th><button type="button">{h}</button></th>' for h in _HEADINGS)
    rows = "\n".join(_row(p) for p in points)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Kernel roofline</title>'
        f"<style>{_STYLE}</style></head><body><h1>Kernel roofline</h1>\n{svg}\n"
        '<label>Filter <input type="search" placeholder="kernel, class, file"></label>\n'
        f"<table><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table>"
        f"<script>{_SCRIPT}</script></body></html>\n"
    )
