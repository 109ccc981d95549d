"""Pages of hardware, comparison, changes, inventory and downloads."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import Final

from bench_lib.results.compare import hardware_kind
from bench_lib.results.hardware_table import hardware_table
from bench_lib.sphinx_ext import changes_page, comparison, device_pages, inventory
from bench_lib.sphinx_ext.assets import COMPARE_SCRIPT
from bench_lib.sphinx_ext.change_feed import change_feed
from bench_lib.sphinx_ext.device_names import device_pages_of
from bench_lib.sphinx_ext.downloads import downloads_of
from bench_lib.sphinx_ext.figures import by_machine
from bench_lib.sphinx_ext.generated_pages import File, Page, file_href, page_href
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.page_names import file_names
from bench_lib.sphinx_ext.script_data import data_element, data_script
from bench_lib.sphinx_ext.site_data import SiteData
from bench_lib.sphinx_ext.site_links import Links
from bench_lib.sphinx_ext.site_navigation import nav_html
from bench_lib.sphinx_ext.site_table import SiteTable, table_html, table_parts
from bench_lib.table_script import SCRIPT

#: Folder of these pages; no document of a project is likely to lie in one of this name.
FOLDER: Final = "bench"
FEED: Final = f"{FOLDER}/changes.atom"

Pages = Iterator[Page | File]
Source = Callable[[SiteData], Pages]


def _where_there_are_results(source: Source) -> Source:
    @functools.wraps(source)
    def pages(data: SiteData) -> Pages:
        if data.has_results:
            yield from source(data)

    return pages


def _made(
    name: str,
    title: str,
    parts: Sequence[str | SiteTable],
    *,
    data: SiteData,
    text: str,
    assets: Iterable[str] = (),
) -> Pages:
    """A page of HTML and tables, with the data files of those that are long."""
    html = [nav_html(name, data), f"<h1>{escape(clean(title))}</h1>\n"]
    for part in parts:
        if isinstance(part, SiteTable):
            made, files = table_parts(part, folder=name)
            html.append(made)
            yield from files
        else:
            html.append(part)
    yield Page(name, clean(title), "".join(html), text=clean(text), assets=(SCRIPT, *assets))


@_where_there_are_results
def hardware(data: SiteData) -> Pages:
    """All devices, and a page for each that was measured."""
    results, links = data.results, Links(data)
    table = hardware_table(results)
    made = downloads_of(data)
    yield from made.files_beside_pages()
    devices = device_pages.measured(results, table)
    lead = (
        '<p class="bench-lead">What was measured, on what. A GPU, a CPU and a software device are different '
        "kinds: their figures are never ranked against each other."
        + (
            f' <a href="{page_href(f"{FOLDER}/compare")}">Compare devices</a>.'
            if data.makes("compare")
            else ""
        )
        + "</p>\n"
    )
    index = device_pages.hardware_index(devices, links)
    parts: list[str | SiteTable] = [lead, index, made.links_html("hardware", what="This table")]
    yield from _made(
        f"{FOLDER}/hardware", "Hardware", parts, data=data, text=" ".join(d.title for d in devices[:200])
    )
    pages = device_pages_of(results)
    newest = by_machine(data.newest)
    for device in devices:
        parts = [
            device_pages.lead_html(device),
            device_pages.facts_html(device, results),
            "<h2>Newest figures</h2>\n",
            device_pages.device_table(device, newest, results, links),
            made.links_html("newest", what="The newest figures of all devices, in full"),
        ]
        text = " ".join((device.slug, *device.machines))
        yield from _made(pages[device.machines[0]], device.title, parts, data=data, text=text)


@_where_there_are_results
def compare(data: SiteData) -> Pages:
    """Devices against a baseline."""
    results, links = data.results, Links(data)
    name = f"{FOLDER}/compare"
    machines = list(results.frame["machine"].cat.categories)
    lead = (
        '<p class="bench-lead">A ratio is a device\'s value over that of the baseline, with the widest '
        "interval that both 99&nbsp;% intervals allow. <em>Significant</em>: the interval excludes 1. "
        "<em>Relevant</em>: the value differs enough to matter.</p>\n"
    )
    if len(machines) < 2:
        text = f"There is one machine, {machines[0]}: nothing to compare it with yet."
        only = f'<p class="bench-provenance">{escape(clean(text))}</p>\n'
        yield from _made(name, "Compare devices", [lead, only], data=data, text="hardware ratio")
        return
    files = file_names(machines)
    newest = by_machine(data.newest)
    for machine in machines:
        values = comparison.device_values(newest[machine], results, links.benchmark_pages)
        yield File(f"{name}/{files[machine]}.js", data_script(values, name=f"compare:{files[machine]}"))
    sides = comparison.first_sides(results)
    listed = [[files[m], clean(m), hardware_kind(results, m), files[m]] for m in machines]
    chosen = {"devices": listed, "base": files[sides[0]], "with": [files[m] for m in sides[1:]]}
    tables = "".join(
        table_html(table)
        for table in (
            (comparison.means_table(results, sides), comparison.comparison_table(results, sides, links))
            if len(sides) == 2
            else ()
        )
    )
    page_pattern, file_pattern = page_href("PAGE0"), file_href(f"{name}/FILE0.js")
    body = (
        data_element(chosen, name="bench-compare-devices")
        + f'\n<div id="bench-compare" data-page="{page_pattern}" data-folder="{file_pattern}">\n'
        '<div class="bench-tools bench-compare-tools" role="group" aria-label="Devices to compare"></div>\n'
        f'<div class="bench-compare-tables">{tables}</div>\n</div>\n'
        "<noscript><p>Without scripts, this page compares two devices. Others: "
        "<code>bench-lib compare A B</code></p></noscript>\n"
    )
    text = "hardware ratio baseline " + " ".join(machines)
    yield from _made(name, "Compare devices", [lead, body], data=data, text=text, assets=(COMPARE_SCRIPT,))


@_where_there_are_results
def changes(data: SiteData) -> Pages:
    """Every step in every series, and a feed of those that are confirmed."""
    links, found = Links(data), data.changes
    name = f"{FOLDER}/changes"
    made = downloads_of(data)
    yield from made.files_beside_pages()
    title = f"Changes in {data.project.name}" if data.project.name else "Changes in benchmark results"
    yield File(FEED, change_feed(data, links, title=title, page=name, feed=FEED), has_addresses=True)
    lead = (
        '<p class="bench-lead">Steps in the level of a series, each with the commits it lies between. A '
        "<em>confirmed</em> step is an alert, a <em>possible</em> one is worth a look. "
        f'<a href="{file_href(FEED)}">Atom feed</a> of the confirmed ones.</p>\n'
    )
    parts: list[str | SiteTable] = [lead, changes_page.summary_html(found)]
    if len(found):
        parts.append(changes_page.changes_table(found, links))
    parts.append(made.links_html("changes", what="All changes, in full"))
    yield from _made(name, "Changes", parts, data=data, text="regression improvement step change point feed")


@_where_there_are_results
def inventory_page(data: SiteData) -> Pages:
    """What the results hold and lack."""
    results, links = data.results, Links(data)
    sections: list[tuple[str, str, SiteTable]] = [
        (
            "Without a value",
            "Every run that gave no figure, and why; asv itself keeps no reason.",
            inventory.gaps_table(results, links),
        ),
        (
            "Files that could not be used",
            "Left out, and so missing on every page.",
            inventory.damage_table(results, data.directory),
        ),
        (
            "Benchmarks without results",
            "In asv's index, and never measured.",
            inventory.unmeasured_table(results),
        ),
        ("Machines", "", inventory.machines_table(results, links)),
        ("Environments", "", inventory.environments_table(results)),
        (
            "Versions",
            "Values of different versions of a benchmark measure different things, and are series of "
            "their own.",
            inventory.versions_table(results, links),
        ),
        ("Commits", "", inventory.commits_table(results, links)),
    ]
    frame = results.frame
    figures = (
        (int((frame["status"] == "ok").sum()), "value", "values"),
        (int((frame["status"] != "ok").sum()), "run without one", "runs without one"),
        (frame["benchmark"].nunique(), "benchmark", "benchmarks"),
        (frame["machine"].nunique(), "machine", "machines"),
        (frame["environment"].nunique(), "environment", "environments"),
        (frame["commit"].nunique(), "commit", "commits"),
    )
    tiles = "".join(
        f'<li class="bench-tile"><strong>{n:,}</strong> {one if n == 1 else many}</li>'
        for n, one, many in figures
    )
    parts: list[str | SiteTable] = [f'<ul class="bench-tiles">{tiles}</ul>\n']
    nothing = [title.lower() for title, _, table in sections if not table.rows]
    if nothing:
        parts.append(f'<p class="bench-provenance">None: {"; ".join(nothing)}.</p>\n')
    for title, text, table in sections:
        if table.rows:
            parts.append(f'<section id="{table.id}-section">\n<h2>{escape(title)}</h2>\n')
            parts += [f"<p>{escape(text)}</p>\n" if text else "", table, "</section>\n"]
    yield from _made(
        f"{FOLDER}/inventory",
        "Inventory",
        parts,
        data=data,
        text="skipped failed timed out reason damaged version",
    )


@_where_there_are_results
def downloads_page(data: SiteData) -> Pages:
    """Files with what the pages show."""
    made = downloads_of(data)
    yield from made.files()
    lead = (
        '<p class="bench-lead">The figures of this site in full, in SI units, with the columns of the '
        "commands. Tables on the pages give the rows that they show, as CSV and JSON.</p>\n"
    )
    parts = [
        lead,
        made.table_html(),
        "<h2>More than this</h2>\n<p>Every value, as a file: <code>bench-lib lookup --all --format parquet "
        "--output results.parquet</code>. With samples, from Python: "
        '<code>bench_lib.results.load("results")</code>. The values of one benchmark: on its page.</p>\n',
    ]
    yield from _made(
        f"{FOLDER}/downloads", "Downloads", parts, data=data, text="CSV JSON Parquet export data"
    )
