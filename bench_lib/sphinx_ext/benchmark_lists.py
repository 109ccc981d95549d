"""Lists of benchmarks: all of them with an instant filter, and the overview of a site."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

import pandas as pd

from bench_lib.model import status_words
from bench_lib.results.output import readable
from bench_lib.sphinx_ext.assets import CHART_STYLE, LIST_SCRIPT
from bench_lib.sphinx_ext.benchmark_links import benchmark_link
from bench_lib.sphinx_ext.benchmark_pages import ratio_text
from bench_lib.sphinx_ext.benchmark_summaries import SPARK_HEIGHT, SPARK_WIDTH, Summary, summaries
from bench_lib.sphinx_ext.commit_list import address_of, commit_html
from bench_lib.sphinx_ext.fragments import Fragment, FragmentDirective, Make
from bench_lib.sphinx_ext.generated_pages import File, Page, page_href
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.page_html import breakable, day, table
from bench_lib.sphinx_ext.site_data import SiteData

#: The page of all benchmarks.
INDEX: Final = "bench/benchmarks"
ASSETS: Final = (CHART_STYLE, LIST_SCRIPT)
#: Changes that the overview shows, and benchmarks of each family.
MAX_CHANGES: Final = 12
MAX_OF_FAMILY: Final = 8
_NOTHING: Final = "No results yet."
_HOW: Final = (
    "To make some, measure with asv: asv run. It writes them to the results_dir of asv.conf.json. "
    "In an environment that is there already: asv run --python=same --set-commit-hash $(git rev-parse HEAD). "
    "Then build this site again."
)


def pages(data: SiteData) -> Iterator[Page | File]:
    """The page of all benchmarks."""
    if not data.has_results:
        return
    body = f'<div class="bench-page"><h1>Benchmarks</h1>{list_html(data)}</div>'
    yield Page(INDEX, "Benchmarks", body, text="all benchmarks filter list", assets=ASSETS)


def list_html(data: SiteData) -> str:
    """All benchmarks by family, with a filter by words of names, parameters and machines."""
    found = summaries(data)
    rows = "".join(
        '<tbody data-family><tr><th colspan="5" scope="rowgroup" class="bench-family">'
        f"{breakable(clean(family))}</th></tr>{''.join(_row(s, data) for s in of_family)}</tbody>"
        for family, of_family in by_family(found).items()
    )
    heads = "".join(f'<th scope="col">{h}</th>' for h in ("Benchmark", "Newest", "", "Last change", "Series"))
    return (
        '<div class="bench-list"><p class="bench-filter"><input type="search" hidden '
        'placeholder="Find by words of name, parameter or machine" aria-label="Find benchmarks"> '
        f'<span role="status">{len(found)} benchmarks</span></p>'
        f'<div class="bench-scroll"><table class="bench-table"><thead><tr>{heads}</tr></thead>{rows}</table>'
        "</div></div>"
    )


def by_family(found: Sequence[Summary]) -> dict[str, list[Summary]]:
    """Benchmarks by the first part of their names."""
    families: dict[str, list[Summary]] = {}
    for summary in found:
        families.setdefault(summary.about.family, []).append(summary)
    return families


def _row(summary: Summary, data: SiteData) -> str:
    name = clean(summary.about.name)
    pretty = clean(summary.about.pretty_name)
    short = pretty or name.partition(".")[2] or name
    link = benchmark_link(data, summary.about.name, text=short)
    marks = "".join(f' <span class="bench-origin">{html.escape(clean(m))}</span>' for m in summary.marks)
    if summary.status == "ok":
        value = html.escape(readable(summary.value, summary.about.unit))
    else:
        reason = html.escape(clean(summary.reason))
        value = f'<span title="{reason}">{html.escape(status_words(summary.status))}</span>'
    others = [word for word in summary.words.split() if word != name.lower()]
    words = html.escape(" ".join([name.lower(), *others]))
    return (
        f'<tr data-words="{words}"><th scope="row">{link}{marks}</th>'
        f'<td class="bench-number">{value}</td><td>{spark_html(summary.spark)}</td>'
        f'<td>{_change_cell(summary)}</td><td class="bench-number">{summary.num_series}</td></tr>'
    )


def spark_html(path: str) -> str:
    """A line in the height of text; what it shows is in the cells beside it."""
    if not path:
        return ""
    return (
        f'<svg class="bench-spark" viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}" width="{SPARK_WIDTH}" '
        f'height="{SPARK_HEIGHT}" aria-hidden="true"><path d="{path}"/></svg>'
    )


def _change_cell(summary: Summary) -> str:
    row = summary.change
    if row is None:
        return ""
    mark = "" if row["kind"] == "confirmed" else "possibly "
    return (
        f'<span class="bench-effect-{row["effect"]}">{mark}{html.escape(ratio_text(row["ratio"]))}</span> '
        f"{day(row['date'])}"
    )


def overview_html(data: SiteData) -> str:
    """What was measured, what changed lately, and the newest results by family."""
    found = summaries(data)
    frame = data.frame
    dates = data.commits["date"].dropna()
    span = f"{day(dates.iloc[0])} to {day(dates.iloc[-1])}" if len(dates) else "no dates"
    counts = (
        (len(found), "benchmark"),
        (sum(s.num_series for s in found), "series"),
        (frame["machine"].nunique(), "machine"),
        (len(data.commits), "commit"),
    )
    chips = "".join(
        f"<li><strong>{n:,}</strong> {w}{'' if n == 1 or w == 'series' else 's'}</li>" for n, w in counts
    )
    link = ""
    if data.project.url:
        link = f'<li><a href="{html.escape(data.project.url)}" rel="noopener">project</a></li>'
    parts = [f'<ul class="bench-chips bench-counts">{chips}<li>{span}</li>{link}</ul>', _unusable(data)]
    parts.append("<h2>What changed lately</h2>" + _latest_changes(data))
    parts.append("<h2>Newest results</h2>")
    for family, of_family in by_family(found).items():
        shown = sorted(of_family, key=_interest)[:MAX_OF_FAMILY]
        rows = "".join(_row(s, data) for s in shown)
        more = ""
        if len(of_family) > len(shown) and data.makes("benchmark-list"):
            address = page_href(INDEX) + "#" + html.escape(urlencode({"q": family}))
            more = f' <a href="{address}">all {len(of_family)}</a>'
        parts.append(
            f'<section class="bench-family-box"><h3>{breakable(clean(family))}{more}</h3>'
            f'<div class="bench-scroll"><table class="bench-table"><tbody>{rows}</tbody></table></div>'
            "</section>"
        )
    return f'<div class="bench-page bench-overview">{"".join(parts)}</div>'


def _interest(summary: Summary) -> tuple[bool, float, str]:
    """What fails now first, then what changed last."""
    change = summary.change
    is_dated = change is not None and not pd.isna(change["date"])
    when = change["date"].timestamp() if change is not None and is_dated else 0.0
    return summary.status == "ok", -when, summary.about.name


def _latest_changes(data: SiteData) -> str:
    if not len(data.changes):
        return f"<p>No step of {data.min_change * 100:.3g} % or more was found in any series.</p>"
    recent: list[dict[Any, Any]] = data.changes.head(1000).to_dict("records")
    # Confirmed ones are alerts; possible ones are shown where there is no other.
    confirmed = [r for r in recent if r["kind"] == "confirmed"] or recent
    groups: dict[tuple[str, ...], list[dict[Any, Any]]] = {}
    for row in confirmed:
        groups.setdefault((row["benchmark"], row["first_after"], row["effect"]), []).append(row)
    rows = [_change_row(group, data) for group in list(groups.values())[:MAX_CHANGES]]
    counts = Counter(data.changes["kind"])
    note = f"<p>{counts['confirmed']:,} confirmed and {counts['possible']:,} possible steps in all.</p>"
    return table(["Date", "Change", "Benchmark", "Series", "Between"], rows, classes="bench-table") + note


def _size(row: Mapping[str, Any]) -> float:
    ratio = float(row["ratio"])
    return abs(math.log(ratio)) if math.isfinite(ratio) and ratio > 0 else 0.0


def _change_row(group: Sequence[Mapping[str, Any]], data: SiteData) -> list[str]:
    row = max(group, key=_size)
    name = str(row["benchmark"])
    state = {
        f"p.{clean(n)}": clean(v) for n, v in data.results.parameters.get(str(row["parameters"]), ())
    } | {"machine": clean(row["machine"]), "environment": clean(row["environment"])}
    state["at"] = address_of(data, str(row["first_after"]))
    series = " · ".join(str(row[c]) for c in ("parameters", "machine", "environment") if row[c])
    if len(group) > 1:
        series += f" and {len(group) - 1} more"
    size = html.escape(ratio_text(row["ratio"]))
    effect = f'<span class="bench-effect-{row["effect"]}">{size} {row["kind"]}</span>'
    between = f"{commit_html(data, row['last_before'])} → {commit_html(data, row['first_after'])}"
    return [
        day(row["date"]),
        effect,
        benchmark_link(data, name, state=state),
        html.escape(clean(series)),
        between,
    ]


def _unusable(data: SiteData) -> str:
    """Files that could not be read, each with its cause; a page must not hide them."""
    found = data.results.damaged
    if not found:
        return ""
    items = []
    for error in found:
        path = error.path
        inside = path.relative_to(data.directory) if path.is_relative_to(data.directory) else path.name
        cause = str(error).replace(f"{path}: ", "").replace(str(data.directory), "results")
        items.append(f"<li><code>{html.escape(clean(inside))}</code>: {html.escape(clean(cause))}</li>")
    head = f"{len(found)} file{'' if len(found) == 1 else 's'} could not be used"
    return (
        f'<details class="bench-damaged"><summary>{head}; figures in them are missing here.</summary>'
        f"<ul>{''.join(items)}</ul></details>"
    )


def _make_overview(data: SiteData, _options: Mapping[str, Any], _content: tuple[str, ...]) -> Fragment:
    if not data.seems_to_have_results:
        return Fragment(f"<p>{_NOTHING}</p><p>{html.escape(_HOW)}</p>", text=f"{_NOTHING} {_HOW}")
    if not data.has_results:
        # Files that cannot be read are no reason to measure, but to be told of.
        return Fragment(f"<p>{_NOTHING}</p>{_unusable(data)}", text=_NOTHING)
    words = " ".join(s.about.name for s in summaries(data)[:200])
    return Fragment(overview_html(data), text=clean(words), assets=ASSETS)


def _make_list(data: SiteData, _options: Mapping[str, Any], _content: tuple[str, ...]) -> Fragment:
    if not data.has_results:
        return Fragment(f"<p>{_NOTHING}</p>", text=_NOTHING)
    words = " ".join(s.about.name for s in summaries(data))
    return Fragment(f'<div class="bench-page">{list_html(data)}</div>', text=words, assets=ASSETS)


class Overview(FragmentDirective):
    """``bench-overview``: what was measured, what changed lately, and the newest results by family."""

    make: ClassVar[Make] = staticmethod(_make_overview)


class BenchmarkList(FragmentDirective):
    """``bench-benchmarks``: all benchmarks, with a filter."""

    make: ClassVar[Make] = staticmethod(_make_list)
