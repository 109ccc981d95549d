"""``bench-lib classify``: verdicts on the launches in reports and exports."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Literal, cast

import click

from bench_lib.errors import EXIT_USAGE, EXIT_VERDICT, BenchLibError, DamagedFileError, UsageError
from bench_lib.files import write_whole
from bench_lib.roofline import present
from bench_lib.roofline.analysis import LaunchAnalysis, analyse, find_sources, open_source
from bench_lib.roofline.chart_axes import Point
from bench_lib.roofline.kernel_names import printable
from bench_lib.roofline.launch import SourceFacts
from bench_lib.roofline.tracking import class_changes, read_labels

if TYPE_CHECKING:
    from bench_lib.roofline.ceilings import Ceilings

Format = Literal["table", "json", "csv", "markdown"]
#: Rendered launches of one file are held in memory up to this size, then on disk.
_SPOOL_BYTES: Final = 1 << 22
_PROGRESS_FROM: Final = 2


def _render(
    path: Path,
    output: Format,
    *,
    include: tuple[str, ...],
    spool: IO[str],
    warnings: list[str],
    points: list[Point] | None,
    labels: set[tuple[str, str]],
    ceilings: Ceilings | None,
) -> None:
    source = open_source(path)
    facts = source.facts
    first = True
    drawn: list[Point] = []
    of_file: set[tuple[str, str]] = set()
    for launch in source:
        analysis = analyse(launch, ceilings=ceilings, gpu=facts.gpu)
        spool.write(_head(path, facts, analysis, output, include) if first else _between(output))
        spool.write(_row(path, facts, analysis, output))
        first = False
        of_file.add((analysis.kernel, analysis.classification.verdict.label))
        if points is not None:
            drawn.append(Point(file=path.name, gpu=facts.gpu or "GPU unknown", analysis=analysis))
        if analysis.classification.verdict.reason_code == "contradiction":
            warnings.append(f"{path.name}: launch {launch.index}: {analysis.classification.verdict.message}")
    labels |= of_file
    if points is not None:
        points.extend(drawn)
    if output == "json":
        spool.write("\n  ]}")
    elif output == "table":
        spool.write("\n")


def _head(
    path: Path, facts: SourceFacts, first: LaunchAnalysis, output: Format, include: tuple[str, ...]
) -> str:
    if output == "json":
        head = present.dump(present.report_json(path, facts, include=include))
        return f'{head[:-1]}, "launches": [\n   '
    if output == "table":
        return present.table_head(path, facts, first)
    return present.markdown_head(path, facts) if output == "markdown" else ""


def _between(output: Format) -> str:
    return ",\n   " if output == "json" else ""


def _row(path: Path, facts: SourceFacts, analysis: LaunchAnalysis, output: Format) -> str:
    if output == "json":
        return present.dump(present.launch_json(analysis))
    if output == "csv":
        return present.csv_row(path, facts, analysis)
    return present.table_row(analysis) if output == "table" else present.markdown_row(analysis)


@contextlib.contextmanager
def _progress(paths: list[Path]) -> Iterator[Iterable[Path]]:
    if len(paths) >= _PROGRESS_FROM and sys.stderr.isatty():
        with click.progressbar(paths, label="Classifying", file=sys.stderr) as bar:
            yield bar
    else:
        yield paths


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "output",
    type=click.Choice(["table", "json", "csv", "markdown"]),
    default="table",
    show_default=True,
    help="How to write the verdicts.",
)
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.option(
    "--include",
    multiple=True,
    type=click.Choice(["command-line", "path"]),
    help="Also write this, which can name people and machines. Only with JSON.",
)
@click.option(
    "--chart",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also draw the launches into this .svg or .html file.",
)
@click.option(
    "--ceilings",
    "ceilings_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="What `bench-lib ceilings --device cuda --json` wrote on the profiled GPU: gains then end at what "
    "it reached, not at the peaks of the report.",
)
@click.option(
    "--against",
    type=click.Path(path_type=Path, dir_okay=False),
    help="JSON of an earlier run: name the kernels that changed class; then the exit code is 1.",
)
def classify(
    paths: tuple[Path, ...],
    *,
    output: str,
    as_json: bool,
    include: tuple[str, ...],
    chart: Path | None,
    ceilings_file: Path | None,
    against: Path | None,
) -> None:
    """Say what bounds each kernel launch in PATHS, how strongly, and what to do.

    PATHS are Nsight Compute reports (.ncu-rep), CSV from `ncu --csv --page raw|details`, or folders
    of them. A file that cannot be read is named, after the others are done; then the exit code is 2.
    """
    chosen = cast(Format, "json" if as_json else output)
    if chart is not None and chart.suffix.lower() not in {".svg", ".html"}:
        raise UsageError.of("chart", found=chart.name, expected="a name that ends in .svg or .html")
    points: list[Point] | None = None if chart is None else []
    earlier = None if against is None else read_labels(against)
    ceilings = None if ceilings_file is None else _ceilings(ceilings_file)
    labels: set[tuple[str, str]] = set()
    warnings: list[str] = []
    sources, empty = find_sources(paths)
    damaged: list[BenchLibError] = [*empty]
    with tempfile.SpooledTemporaryFile(_SPOOL_BYTES, mode="w+", encoding="utf-8") as whole:
        num_written = 0
        with _progress(sources) as bar:
            for path in bar:
                # A file is written whole or not at all: one that turns out damaged leaves no verdict.
                with tempfile.SpooledTemporaryFile(_SPOOL_BYTES, mode="w+", encoding="utf-8") as spool:
                    try:
                        _render(
                            path,
                            chosen,
                            include=include,
                            spool=spool,
                            warnings=warnings,
                            points=points,
                            labels=labels,
                            ceilings=ceilings,
                        )
                    except (DamagedFileError, UsageError) as error:
                        damaged.append(error)
                        continue
                    spool.seek(0)
                    if chosen == "json" and num_written:
                        whole.write(",")
                    if chosen == "json":
                        whole.write("\n  ")
                    shutil.copyfileobj(spool, whole)
                    num_written += 1
        whole.seek(0)
        _write(whole, chosen)
    if chart is not None and points is not None:
        _draw(chart, points)
    for warning in warnings:
        click.echo(f"bench-lib: warning: {warning}", err=True)
    for refusal in damaged:
        click.echo(f"bench-lib: {refusal}", err=True)
    changes = class_changes(earlier, labels) if earlier is not None else ()
    for change in changes:
        kernel = printable(change.kernel)
        click.echo(
            f"changed class: {kernel}: {', '.join(change.before)} → {', '.join(change.after)}", err=True
        )
    if damaged:
        sys.exit(EXIT_USAGE)
    if changes:
        sys.exit(EXIT_VERDICT)


def _ceilings(path: Path) -> Ceilings:
    # numpy, which measures them, takes longer to import than most reports to classify.
    from bench_lib.roofline.ceilings import read_ceilings

    return read_ceilings(path)


def _draw(chart: Path, points: list[Point]) -> None:
    from bench_lib.roofline.charts import draw

    svg = draw(points)
    if chart.suffix.lower() == ".html":
        from bench_lib.roofline.chart_page import page

        write_whole(chart, page(points, svg))
    else:
        write_whole(chart, svg)


def _write(body: IO[str], output: Format) -> None:
    if output == "json":
        click.echo(f'{{"schema": {present.SCHEMA}, "reports": [', nl=False)
    elif output == "csv":
        click.echo(present.csv_line(present.CSV_COLUMNS), nl=False)
    for chunk in iter(lambda: body.read(1 << 16), ""):
        click.echo(chunk, nl=False)
    if output == "json":
        click.echo("\n]}")
