"""Directives that put results into anybody's pages: a chart, a table of values, a comparison."""

from __future__ import annotations

import difflib
import html
import math
import shlex
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

import pandas as pd
from docutils.parsers.rst import directives

from bench_lib.errors import UsageError
from bench_lib.model import status_words
from bench_lib.results.compare import compare, hardware_kind, sides_of
from bench_lib.results.lookup import Query, lookup
from bench_lib.results.output import ratio_text, readable
from bench_lib.sphinx_ext.assets import CHART_STYLE
from bench_lib.sphinx_ext.benchmark_data import BenchmarkData, SeriesData, iter_benchmarks
from bench_lib.sphinx_ext.benchmark_links import benchmark_link
from bench_lib.sphinx_ext.benchmark_pages import ASSETS, chart_block
from bench_lib.sphinx_ext.benchmark_selection import axis_parameters, lines_over
from bench_lib.sphinx_ext.commit_list import commit_html
from bench_lib.sphinx_ext.fragments import Fragment, FragmentDirective, Make
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.page_html import day, table
from bench_lib.sphinx_ext.site_data import SiteData

#: Lines of a chart, points of one over a parameter, rows of a table: more belong on a page of their own,
#: which is linked.
MAX_LINES: Final = 12
MAX_POINTS: Final = 240
DEFAULT_ROWS: Final = 50
#: What a chart's axis can be beside a parameter.
AXES: Final = ("commits", "date")

_QUERY: Final = {
    "hardware": directives.unchanged_required,
    "environment": directives.unchanged_required,
    "parameters": directives.unchanged_required,
    "metric": directives.unchanged_required,
    "commit": directives.unchanged_required,
    "since": directives.unchanged_required,
    "until": directives.unchanged_required,
}


def _query(options: Mapping[str, Any], *, benchmark: str, newest: bool) -> Query:
    return Query(
        benchmark=benchmark,
        hardware=shlex.split(options.get("hardware", "")),
        environment=options.get("environment", ""),
        parameters=_parameters(options.get("parameters", "")),
        metric=options.get("metric", ""),
        commit=options.get("commit", ""),
        since=options.get("since", ""),
        until=options.get("until", ""),
        newest=newest,
    )


def _parameters(text: str) -> dict[str, str]:
    """``name=value`` pairs, set apart by blanks; a value with blanks is quoted."""
    try:
        parts = [part.partition("=") for part in shlex.split(text)]
    except ValueError:
        # A quotation that does not end.
        parts = [(text, "", "")]
    if not all(equals for _, equals, _ in parts):
        raise UsageError.of("parameters", found=text, expected="name=value pairs such as n=10 mode=fast")
    return {name: value for name, _, value in parts}


def _require_results(data: SiteData) -> None:
    if not data.has_results:
        raise UsageError.of(
            "results",
            found=f"none in {data.directory.name}",
            expected="results to show: see bench_lib_results",
        )


def _exactly(name: str) -> str:
    # Escaped character by character: a name may hold anything.
    return "^" + "".join(c if c.isalnum() or c == "_" else f"\\{c}" for c in name) + "$"


def _make_chart(data: SiteData, options: Mapping[str, Any], _content: tuple[str, ...]) -> Fragment:
    _require_results(data)
    name = " ".join(options["arguments"])
    if name not in data.results.benchmarks:
        near = difflib.get_close_matches(name, data.results.benchmarks, n=5, cutoff=0.5)
        expected = f"the whole name of one in the results, such as {', '.join(near) or 'those of a lookup'}"
        raise UsageError.of("benchmark", found=name, expected=expected)
    rows = lookup(data.results, _query(options, benchmark=_exactly(name), newest=True))
    wanted = {(str(r.parameters), str(r.machine), str(r.environment)) for r in rows.itertuples(index=False)}
    benchmark = next(b for b in iter_benchmarks(data) if b.about.name == name)
    texts = data.results.parameters
    chosen = [
        s
        for s in benchmark.series
        if any(texts[p] == s.parameters and (m, e) == (s.machine, s.environment) for p, m, e in wanted)
    ]
    axis, parameter = _axis(options.get("axis", "commits"), chosen)
    if parameter:
        lines = lines_over(chosen, parameter)
        kept = [s for line in lines[:MAX_LINES] for s in line][:MAX_POINTS]
    else:
        kept = chosen[:MAX_LINES]
    shown = BenchmarkData(benchmark.about, tuple(kept), benchmark.machine_kinds)
    commits = {commit: i for i, commit in enumerate(data.commits["commit"])}
    page_name = data.page_names[name]
    unique = f"{page_name}-{zlib.crc32(repr(sorted(options.items())).encode()):08x}"
    view: dict[str, Any] = {"axis": axis}
    if "log" in options:
        view["log"] = True
    if "from-zero" in options:
        view["zero"] = True
    block, _ = chart_block(shown, data, commits, page_name=unique, is_page=False, view=view, is_whole=True)
    link = f'<p class="bench-note">{benchmark_link(data, name)}'
    if len(chosen) > len(kept):
        link += f": the first {len(kept)} of {len(chosen)} series"
    words = [
        f"{clean(name)}: {readable(float(s.values[-1]), shown.about.unit)} on {clean(s.machine)}"
        for s in shown.series
        if len(s.values)
    ]
    return Fragment(f'<div class="bench-embedded">{block}{link}</p></div>', "\n".join(words), ASSETS)


def _axis(text: str, series: Sequence[SeriesData]) -> tuple[str, str]:
    """What a page calls an axis, and the name of its parameter if it is one."""
    wanted = " ".join(text.split())
    if wanted.lower() in AXES:
        return wanted.lower(), ""
    possible = axis_parameters(series)
    for name in possible:
        if clean(name) == wanted:
            return f"p.{clean(name)}", name
    found = f", or a parameter with two measured values or more: {', '.join(map(clean, possible))}"
    raise UsageError.of("axis", found=wanted, expected=", ".join(AXES) + (found if possible else ""))


def _make_table(data: SiteData, options: Mapping[str, Any], _content: tuple[str, ...]) -> Fragment:
    _require_results(data)
    pattern = " ".join(options["arguments"])
    found = lookup(data.results, _query(options, benchmark=pattern, newest="all" not in options))
    limit = options.get("limit", DEFAULT_ROWS)
    heads = ["Benchmark", "Parameters", "Value", "99 %", "Machine", "Environment", "Commit"]
    rows, words = [], []
    records: list[dict[Any, Any]] = found.head(limit).to_dict("records")
    for row in records:
        name, unit = str(row["benchmark"]), str(row["unit"])
        link = benchmark_link(data, name)
        if row["status"] == "ok" and math.isfinite(row["value"]):
            value = readable(float(row["value"]), unit)
        else:
            value = f"{status_words(str(row['status']))}: {row['reason']}"
        marks = _marks(data, str(row["origin"]), str(row["machine"]))
        rows.append(
            [
                link + marks,
                html.escape(clean(row["parameters"])),
                html.escape(clean(value)),
                html.escape(_bounds(row["low"], row["high"], unit)),
                html.escape(clean(row["machine"])),
                html.escape(clean(row["environment"])),
                f"{commit_html(data, str(row['commit']))} {day(row['date'])}",
            ]
        )
        words.append(clean(f"{name} {row['parameters']}: {value} on {row['machine']}"))
    more = f"<p>The first {limit} of {len(found)} rows.</p>" if len(found) > limit else ""
    return Fragment(
        f'<div class="bench-embedded">{table(heads, rows, classes="bench-table")}{more}</div>',
        "\n".join(words),
        (CHART_STYLE,),
    )


def _marks(data: SiteData, origin: str, machine: str) -> str:
    marks = [origin] if origin != "measured" else []
    if hardware_kind(data.results, machine) == "software":
        marks.append("software device")
    return "".join(f' <span class="bench-origin">{html.escape(clean(m))}</span>' for m in marks)


def _bounds(low: float, high: float, unit: str) -> str:
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"{readable(float(low), unit)} to {readable(float(high), unit)}"


def _make_comparison(data: SiteData, options: Mapping[str, Any], _content: tuple[str, ...]) -> Fragment:
    _require_results(data)
    sides = sides_of(data.results, options["arguments"][0].split())
    query = _query(options, benchmark=options.get("benchmark", ""), newest=False)
    frame = lookup(data.results, query) if query != replace(Query(), newest=False) else None
    found = compare(data.results, sides, frame=frame)
    heads = ["Benchmark", "Parameters", "Baseline", "Value", "Ratio", "99 %", "Verdict"]
    if len(sides) > 2:
        heads.insert(2, "Against")
    limit = options.get("limit", DEFAULT_ROWS)
    rows, words = [], []
    records: list[dict[Any, Any]] = found.rows.head(limit).to_dict("records")
    for row in records:
        name = str(row["benchmark"])
        ratio = ratio_text(row["ratio"]) if math.isfinite(row["ratio"]) else ""
        has_bounds = math.isfinite(row["ratio_low"]) and math.isfinite(row["ratio_high"])
        low, high = (ratio_text(row[c]) if has_bounds else "" for c in ("ratio_low", "ratio_high"))
        bounds = f"{low} to {high}" if has_bounds and ratio else ""
        verdict = clean("; ".join(str(t) for t in (row["verdict"], row["note"]) if t and not pd.isna(t)))
        cells = [
            benchmark_link(data, name),
            html.escape(clean(row["parameters"])),
            html.escape(_side_value(row, "baseline_")),
            html.escape(_side_value(row, "")),
            ratio,
            bounds,
            html.escape(verdict),
        ]
        if len(sides) > 2:
            cells.insert(2, html.escape(clean(row["candidate"])))
        rows.append(cells)
        words.append(clean(f"{name} {row['parameters']}: ratio {ratio or 'unknown'}, {verdict}"))
    names = " against ".join(f"<code>{html.escape(clean(s.name))}</code>" for s in reversed(sides))
    lead = f"<p>{names}: a ratio is the value over that of the baseline, the last named.</p>"
    more = f"<p>The first {limit} of {len(found.rows)} rows.</p>" if len(found.rows) > limit else ""
    return Fragment(
        f'<div class="bench-embedded">{lead}{table(heads, rows, classes="bench-table")}{more}</div>',
        "\n".join(words),
        (CHART_STYLE,),
    )


def _side_value(row: Mapping[str, Any], prefix: str) -> str:
    value = float(row[f"{prefix}value"])
    if math.isfinite(value):
        return readable(value, str(row[f"{prefix}unit"]))
    status = row[f"{prefix}status"]
    return "missing" if pd.isna(status) or status == "ok" else status_words(clean(status))


class BenchChart(FragmentDirective):
    """``bench-chart``: values of one benchmark over commits.

    The argument is the benchmark's name. Options choose series as ``bench-lib lookup`` does
    (``:hardware:``, ``:environment:``, ``:parameters:``), and how they are drawn (``:axis: date`` or a
    parameter's name, ``:log:``, ``:from-zero:``).
    """

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {
        **{name: _QUERY[name] for name in ("hardware", "environment", "parameters")},
        "axis": directives.unchanged_required,
        "log": directives.flag,
        "from-zero": directives.flag,
    }
    make: ClassVar[Make] = staticmethod(_make_chart)


class BenchTable(FragmentDirective):
    """``bench-table``: newest values, as ``bench-lib lookup`` finds them.

    The argument is a regular expression for names of benchmarks; none: all. ``:all:`` shows values of all
    commits, ``:limit:`` how many rows.
    """

    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {
        **_QUERY,
        "all": directives.flag,
        "limit": directives.positive_int,
    }
    make: ClassVar[Make] = staticmethod(_make_table)


class BenchComparison(FragmentDirective):
    """``bench-comparison``: machines, environments or commits against the first named.

    ``:benchmark:`` is a regular expression for names; the other options choose rows.
    """

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {
        **_QUERY,
        "benchmark": directives.unchanged_required,
        "limit": directives.positive_int,
    }
    make: ClassVar[Make] = staticmethod(_make_comparison)
