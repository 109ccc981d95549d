"""A page for every benchmark: its values over commits, what changed, and what failed."""

from __future__ import annotations

import html
import math
import posixpath
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bench_lib.metrics import METRICS
from bench_lib.model import status_words
from bench_lib.results.asv_index import Benchmark
from bench_lib.results.output import readable
from bench_lib.sphinx_ext import benchmark_data as packing
from bench_lib.sphinx_ext.assets import CHART_SCRIPT, CHART_STYLE
from bench_lib.sphinx_ext.benchmark_data import BenchmarkData, SeriesData, Tables
from bench_lib.sphinx_ext.benchmark_selection import axis_parameters, first_selection
from bench_lib.sphinx_ext.commit_list import commit_html, commits_address
from bench_lib.sphinx_ext.generated_pages import File, Page, file_href
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.page_html import breakable, day, table
from bench_lib.sphinx_ext.script_data import data_element, data_script, script_json
from bench_lib.sphinx_ext.site_data import SiteData
from bench_lib.table_script import SCRIPT

#: What a page of a chart loads, in this order.
ASSETS: Final = (CHART_STYLE, CHART_SCRIPT, SCRIPT)
#: Figures that a page carries itself; a file of further figures; rows of a table that is not for scripts.
INLINE_BYTES: Final = 64_000
CHUNK_BYTES: Final = 250_000
MAX_ROWS: Final = 40
#: Characters of a benchmark's source that its page shows.
MAX_CODE: Final = 20_000
#: Samples that are published of one benchmark, the newest commits' first.
MAX_SAMPLES: Final = 50_000

TITLES: Final = {"time": "Time", "memory": "Memory", "peak_memory": "Peak memory", "track": "Value"}


def pages(data: SiteData) -> Iterator[Page | File]:
    """A page for each benchmark that has a row, and the figures it loads later."""
    if not data.has_results:
        return
    commits = {commit: i for i, commit in enumerate(data.commits["commit"])}
    for benchmark in packing.iter_benchmarks(data):
        yield from _page(benchmark, data, commits)


def metric_title(about: Benchmark) -> str:
    """What is measured, for a reader."""
    known = METRICS.get(about.metric)
    return known.title if known else TITLES.get(about.metric, clean(about.metric) or "Value")


def _page(benchmark: BenchmarkData, data: SiteData, commits: Mapping[str, int]) -> Iterator[Page | File]:
    about = benchmark.about
    page_name = data.page_names[about.name]
    block, files = chart_block(benchmark, data, commits, page_name=page_name, is_page=True)
    shown = clean(about.name)
    parts = [
        '<div class="bench-page">',
        _heading(benchmark),
        block,
        _changes(benchmark, data),
        _without_value(benchmark, data),
        _facts(benchmark),
        _source(about),
        "</div>",
    ]
    yield Page(page_name, shown, "\n".join(parts), text=_words(benchmark), assets=ASSETS)
    yield from files


def chart_block(
    benchmark: BenchmarkData,
    data: SiteData,
    commits: Mapping[str, int],
    *,
    page_name: str,
    is_page: bool,
    view: Mapping[str, Any] | None = None,
    is_whole: bool = False,
) -> tuple[str, list[File]]:
    """The element that becomes a chart, with the figures in it; and the files with further figures.

    Parameters
    ----------
    page_name
        Names the files, and the element.
    is_page
        Whether the address of the page holds the chart's state.
    view
        How it is drawn first, where that differs from what a script would choose.
    is_whole
        All series are shown first, and nothing is left to further files.
    """
    about = benchmark.about
    file = posixpath.basename(page_name)
    tables = Tables()
    first = list(range(len(benchmark.series))) if is_whole else first_selection(benchmark)
    figures = [packing.packed(series, tables, commits) for series in benchmark.series]
    chunk_of, chunks = _chunks(figures, first)
    flat: list[int] = []
    for series, packed, chunk in zip(benchmark.series, figures, chunk_of, strict=True):
        del series
        row = [packed.pop("m"), packed.pop("e"), chunk, *([-1] * len(tables.axes))]
        for axis, value in packed.pop("p"):
            row[3 + axis] = value
        flat += row
    samples = {} if is_whole else _samples(benchmark)
    page = {
        "name": clean(about.name),
        "file": file,
        "title": metric_title(about),
        "unit": about.unit,
        "better": about.better,
        "machines": tables.machine.shown(),
        "kinds": [benchmark.machine_kinds.get(m, "") for m in tables.machine.numbers],
        "environments": tables.environment.shown(),
        "versions": [v[:12] for v in tables.version.shown()],
        "origins": tables.origin.shown(),
        "statuses": tables.status.shown(),
        "reasons": tables.reason.shown(),
        "axes": [{"name": clean(n), "values": t.shown()} for n, t in tables.axes.items()],
        "over": [list(tables.axes).index(n) for n in axis_parameters(benchmark.series)],
        "series": flat,
        "first": first,
        "figures": chunks[0],
        "samples": bool(samples),
        "url": data.commit_url_base,
        "view": dict(view or {}),
        "help": is_page,
    }
    files = [
        File(f"{page_name}-{i}.js", data_script(chunk, name=f"{file}-{i}"))
        for i, chunk in enumerate(chunks[1:], start=1)
    ]
    if samples:
        files.append(File(f"{page_name}-samples.js", data_script(samples, name=f"{file}-samples")))
    # A cache may hold files of an earlier build: the address changes with what they hold.
    version = zlib.crc32(b"".join(str(f.content).encode() for f in files))
    attributes = f' data-base="{file_href(page_name)}-*.js?v={version:08x}"' + (
        " data-bench-page" if is_page else ""
    )
    identifier = f"bench-data-{file}"
    block = (
        f'<div class="bench-block" data-bench-chart="{identifier}"{attributes}>'
        f"{_newest_table(benchmark, first, data)}</div>\n"
        f"{data_element(page, name=identifier)}\n"
        f'<script defer src="{commits_address(data)}"></script>'
    )
    return block, files


def _chunks(
    figures: Sequence[dict[str, Any]], first: Sequence[int]
) -> tuple[list[int], list[dict[int, dict[str, Any]]]]:
    """Which chunk each series is in; chunk 0, with the first selection, is in the page."""
    sizes = [len(script_json(f)) for f in figures]
    chunk_of = [-1] * len(figures)
    used = 0
    for i in first:
        chunk_of[i] = 0
        used += sizes[i]
    if used + sum(s for s, c in zip(sizes, chunk_of, strict=True) if c < 0) <= INLINE_BYTES:
        return [0] * len(figures), [dict(enumerate(figures))]
    chunk, left = 0, 0
    for i, size in enumerate(sizes):
        if chunk_of[i] < 0:
            if chunk == 0 or size > left:
                chunk, left = chunk + 1, CHUNK_BYTES
            chunk_of[i] = chunk
            left -= size
    chunks: list[dict[int, dict[str, Any]]] = [{} for _ in range(chunk + 1)]
    for i, number in enumerate(chunk_of):
        chunks[number][i] = figures[i]
    return chunk_of, chunks


def _samples(benchmark: BenchmarkData) -> dict[int, list[tuple[int, list[float]]]]:
    found = [
        (int(place), number, values)
        for number, series in enumerate(benchmark.series)
        for place, values in zip(series.places, series.samples, strict=True)
        if values is not None and len(values)
    ]
    made: dict[int, list[tuple[int, list[float]]]] = {}
    left = MAX_SAMPLES
    for place, number, values in sorted(found, key=lambda f: (-f[0], f[1])):
        left -= len(values)
        if left < 0:
            break
        shown = [float(f"{v:.5g}") for v in values.tolist() if math.isfinite(v)]
        made.setdefault(number, []).append((place, shown))
    return made


def _heading(benchmark: BenchmarkData) -> str:
    about = benchmark.about
    *path, last = clean(about.name).split(".")
    trail = '<span aria-hidden="true"> / </span>'.join(breakable(part) for part in path)
    better = {"lower": "lower is better", "higher": "higher is better", "neither": "neither way is better"}
    chips = [f"{metric_title(about)}, {better[about.better]}"]
    for singular, values in (
        ("series", benchmark.series),
        ("machine", {s.machine for s in benchmark.series}),
        ("environment", {s.environment for s in benchmark.series}),
    ):
        plural = singular if singular == "series" else f"{singular}s"
        chips.append(f"{len(values)} {singular if len(values) == 1 else plural}")
    marks = sorted({o for s in benchmark.series for o in s.origins} - {"measured"})
    if any(benchmark.machine_kinds.get(s.machine) == "software" for s in benchmark.series):
        marks.append("software device")
    shown = "".join(f"<li>{html.escape(chip)}</li>" for chip in chips)
    shown += "".join(f'<li class="bench-origin">{html.escape(clean(mark))}</li>' for mark in marks)
    pretty = clean(about.pretty_name) if about.pretty_name else ""
    also = f'<p class="bench-pretty">{html.escape(pretty)}</p>' if pretty and pretty != about.name else ""
    above = f'<p class="bench-trail">{trail}</p>' if path else ""
    return f'{above}<h1>{breakable(last)}</h1>{also}<ul class="bench-chips">{shown}</ul>'


def series_text(series: SeriesData, *, of: Sequence[SeriesData]) -> str:
    """A series in words: the facts in which it differs from its siblings ``of``."""
    parts = [f"{n}={v}" for n, v in series.parameters]
    if len({s.machine for s in of}) > 1:
        parts.append(series.machine)
    if len({s.environment for s in of}) > 1:
        parts.append(series.environment)
    return clean(" · ".join(parts or [series.machine]))


def _newest_table(benchmark: BenchmarkData, first: Sequence[int], data: SiteData) -> str:
    """What a reader sees without scripts; a script puts the chart in its place."""
    names = data.commits["commit"]
    rows = []
    for i in first[:MAX_ROWS]:
        series = benchmark.series[i]
        gap = series.gaps[-1] if series.gaps and series.gaps[-1][0] == series.newest_place else None
        if gap is not None:
            value = html.escape(f"{gap[1].replace('_', ' ')}: {clean(gap[2])}")
        else:
            value = html.escape(readable(float(series.values[-1]), benchmark.about.unit))
        rows.append(
            [
                html.escape(series_text(series, of=benchmark.series)),
                value,
                commit_html(data, str(names[series.newest_place])),
            ]
        )
    return table(["Series", "Newest value", "Commit"], rows, classes="bench-table")


def _changes(benchmark: BenchmarkData, data: SiteData) -> str:
    found = [(row["date"], i, row) for i, s in enumerate(benchmark.series) for row in s.changes]
    heading = '<section id="changes"><h2>What changed</h2>'
    least = f"{data.min_change * 100:.3g} %"
    if not found:
        return f"{heading}<p>No step of {least} or more was found in any series.</p></section>"
    found.sort(key=lambda f: (f[0], -f[1]), reverse=True)
    rows = []
    for date, i, row in found[:MAX_ROWS]:
        series = benchmark.series[i]
        effect = f'<span class="bench-effect-{row["effect"]}">{row["kind"]} {row["effect"]}</span>'
        span = f"{commit_html(data, row['last_before'])} → {commit_html(data, row['first_after'])}"
        rows.append(
            [
                day(date),
                effect,
                html.escape(ratio_text(row["ratio"])),
                html.escape(ratio_interval_text(row)),
                html.escape(
                    f"{readable(row['before'], benchmark.about.unit)} → "
                    f"{readable(row['after'], benchmark.about.unit)}"
                ),
                span,
                html.escape(series_text(series, of=benchmark.series)),
            ]
        )
    head = ["Date", "What", "Change", "99 %", "Level", "Between", "Series"]
    more = f"<p>Steps of {least} or more"
    more += f"; the newest {MAX_ROWS} of {len(found)}.</p>" if len(found) > MAX_ROWS else ".</p>"
    return f"{heading}{table(head, rows, classes='bench-table')}{more}</section>"


def ratio_text(ratio: float) -> str:
    """A change for a reader: ``+12.3 %``; from threefold on, a factor."""
    if not math.isfinite(ratio):
        return "unknown"
    if ratio >= 3:
        return f"× {ratio:.3g}"
    if 0 < ratio <= 1 / 3:
        return f"÷ {1 / ratio:.3g}"
    change = (ratio - 1) * 100
    return f"{'+' if change > 0 else '−' if change < 0 else ''}{abs(change):.3g} %"


def ratio_interval_text(row: Mapping[str, Any]) -> str:
    """The 99 % interval of a change; nothing where it has none."""
    low, high = row["ratio_low"], row["ratio_high"]
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"{ratio_text(low)} to {ratio_text(high)}"


def _without_value(benchmark: BenchmarkData, data: SiteData) -> str:
    counts: Counter[tuple[str, str, int]] = Counter()
    newest: dict[tuple[str, str, int], int] = {}
    for i, series in enumerate(benchmark.series):
        for place, status, reason in series.gaps:
            key = (status, reason, i)
            counts[key] += 1
            newest[key] = max(place, newest.get(key, -1))
    if not counts:
        return ""
    names = data.commits["commit"]
    rows = []
    for key in sorted(counts, key=lambda k: (-newest[k], k))[:MAX_ROWS]:
        status, reason, i = key
        series = benchmark.series[i]
        # A run that fails now is one thing; one that failed once, another.
        is_now = newest[key] == series.newest_place
        rows.append(
            [
                html.escape(status_words(status)) + (" <strong>now</strong>" if is_now else ""),
                html.escape(clean(reason)),
                str(counts[key]),
                commit_html(data, str(names[newest[key]])),
                html.escape(series_text(series, of=benchmark.series)),
            ]
        )
    head = ["Status", "Reason", "Commits", "Latest", "Series"]
    more = f"<p>The latest {MAX_ROWS} of {len(counts)}.</p>" if len(counts) > MAX_ROWS else ""
    return (
        f'<section id="without-value"><h2>Skipped and failed</h2>'
        f"{table(head, rows, classes='bench-table')}{more}</section>"
    )


def _facts(benchmark: BenchmarkData) -> str:
    about = benchmark.about
    used = {v for s in benchmark.series for v in s.versions if v}
    facts = [("Full name", f"<code>{breakable(clean(about.name))}</code>")]
    known = METRICS.get(about.metric)
    if known:
        facts.append(("Metric", html.escape(known.description)))
    facts.append(("Unit", html.escape(clean(about.unit) or "not stated")))
    if about.version:
        facts.append(("Version", f"<code>{html.escape(clean(about.version)[:12])}</code>"))
    if len(used) > 1:
        facts.append(
            (
                "Versions measured",
                f"{len(used)}: values of different versions are not compared with each other",
            )
        )
    items = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return f'<section id="about"><h2>About</h2><dl class="bench-facts">{items}</dl></section>'


def _source(about: Benchmark) -> str:
    """The code that asv kept of the benchmark, its setup included; nothing where it kept none."""
    if not about.code.strip():
        return ""
    code = about.code[:MAX_CODE]
    # Line by line, so that its indentation is kept and nothing else of it can do anything.
    lines = [indent + clean(rest) for indent, rest in map(_indentation, code.expandtabs(4).splitlines())]
    cut = " (cut)" if len(about.code) > len(code) else ""
    return (
        f'<section id="source"><h2>Source</h2><details class="bench-source"><summary>As asv kept it{cut}'
        f'</summary><pre tabindex="0">{html.escape(chr(10).join(lines))}</pre></details></section>'
    )


def _indentation(line: str) -> tuple[str, str]:
    rest = line.lstrip(" ")
    return line[: len(line) - len(rest)], rest


def _words(benchmark: BenchmarkData) -> str:
    about = benchmark.about
    words = [clean(about.name).replace(".", " ").replace("_", " "), metric_title(about), about.pretty_name]
    machines = sorted({s.machine for s in benchmark.series})
    environments = sorted({s.environment for s in benchmark.series})
    parameters = sorted({f"{n} {v}" for s in benchmark.series for n, v in s.parameters})
    words += [*machines[:50], *environments[:50], *parameters[:200]]
    return clean(" ".join(words))
