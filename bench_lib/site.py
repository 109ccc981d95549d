"""``bench-lib site``: build a site of any results, or the documentation and results of a checkout of ours."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from bench_lib import chart_library
from bench_lib.errors import UnavailableError, UsageError
from bench_lib.files import current_directory
from bench_lib.results_site import SiteBuildError, build_results_site, has_results

_NEEDED_FOR_RESULTS: Final = ("sphinx", "furo")
_NEEDED: Final = ("sphinx", "myst_parser", "furo", "sphinx_click", "sphinx_design", "matplotlib")


def find_checkout(start: Path) -> Path:
    """The checkout that ``start`` lies in: the nearest folder above it with ``docs/conf.py``.

    Raises
    ------
    UsageError
        There is none.
    """
    for folder in (start, *start.parents):
        if (folder / "docs" / "conf.py").is_file() and (folder / "pyproject.toml").is_file():
            return folder
    raise UsageError.of(
        "current directory",
        found=str(start),
        expected="a checkout of bench_lib, with docs/conf.py",
        hint="Change into the checkout, or give --results and --output for a site of any results.",
    )


def require_sphinx(names: Sequence[str] = _NEEDED) -> None:
    """Check that ``names``, all that the build imports, are installed.

    Raises
    ------
    UnavailableError
        Something is missing; the message has the command that installs it.
    """
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        raise UnavailableError(
            "no-sphinx",
            f"building the site needs {', '.join(missing)}, not installed for {sys.executable}.",
            remedy="Install with: python -m pip install -e '.[docs]' in a checkout, or 'bench-lib[docs]'.",
        )


def build(
    checkout: Path, *, results: Path, output: Path, reports: Path | None = None, allow_damaged: bool = False
) -> Path:
    """Build the site in a child process, warnings as errors, and return the path of its first page.

    Parameters
    ----------
    checkout
        Folder with ``docs/``.
    results
        Directory with records; where it is missing, pages say how to make some.
    output
        Folder for the pages.
    reports
        Folder of Nsight Compute reports to show.
    allow_damaged
        List damaged records and reports on the pages instead of stopping at them.

    Raises
    ------
    UnavailableError
        Sphinx or one of its extensions is not installed.
    SiteBuildError
        Sphinx found a warning or an error.
    """
    require_sphinx()
    # Read everything anew (-E): a build on top of an older one orders its search index otherwise, and the
    # same records would not give the same bytes.
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html"]
    # Absolute, because Sphinx takes it from the folder of conf.py, and a caller from their own.
    command += ["-D", f"bench_lib_results={results.absolute()}"]
    if reports is not None:
        command += ["-D", f"bench_lib_reports={reports.absolute()}"]
    if allow_damaged:
        allowed = ("damaged-record", "damaged-result", "unusable-record", "damaged-report")
        command += ["-D", "suppress_warnings=" + ",".join(f"bench_lib.{kind}" for kind in allowed)]
    # Parsed pages hold paths of this machine: they stay out of the folder that is published.
    with tempfile.TemporaryDirectory() as doctrees:
        command += ["-d", doctrees, str(checkout / "docs"), str(output)]
        done = subprocess.run(command, check=False)
    if done.returncode != 0:
        raise SiteBuildError(
            f"site: Sphinx ended with code {done.returncode}, expected 0. Mend what it named above."
        )
    return output / "index.html"


@click.command()
@click.option(
    "--results",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory with results of asv, records, or both.  [default: results, in the checkout]",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the pages.  [default: docs/_build/html, in the checkout]",
)
@click.option(
    "--reports",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Folder of Nsight Compute reports (.ncu-rep) and exports to show; in a checkout only.",
)
@click.option("--allow-damaged", is_flag=True, help="List damaged records on the pages; do not stop at them.")
@click.option(
    "--results-only",
    is_flag=True,
    help="Build pages of the results alone, as outside a checkout. Needs --results and --output.",
)
@click.option("--title", default="", help="Title of a site of results alone.  [default: the project's name]")
def site(
    *,
    results: Path | None,
    output: Path | None,
    reports: Path | None,
    allow_damaged: bool,
    results_only: bool,
    title: str,
) -> None:
    """Build a site of results: this checkout's with its documentation, or of any results directory.

    Outside a checkout of bench_lib, or with --results-only, --results may be any project's results of asv:
    neither its asv.conf.json nor its repository is needed. Damaged files are named, and left out.

    The last line printed names the page to open. The pages work from disk, without a network.
    """
    if not chart_library.is_present():
        click.echo(
            "site: charts over commits will be missing, tables have their values. To fetch the library that "
            "draws them: python -m bench_lib.chart_library",
            err=True,
        )
    checkout = None if results_only else _checkout_or_none(is_needed=results is None or output is None)
    if checkout is None:
        _site_of_results(results, output, title=title, reports=reports)
        return
    index = build(
        checkout,
        results=results or checkout / "results",
        output=output or checkout / "docs" / "_build" / "html",
        reports=reports,
        allow_damaged=allow_damaged,
    )
    click.echo(f"report: {os.path.relpath(index)}")


def _checkout_or_none(*, is_needed: bool) -> Path | None:
    try:
        return find_checkout(current_directory())
    except UsageError:
        if is_needed:
            raise
        return None


def _site_of_results(results: Path | None, output: Path | None, *, title: str, reports: Path | None) -> None:
    if results is None or output is None:
        raise UsageError("--results-only: found no --results or no --output, expected both.")
    if reports is not None:
        raise UsageError("--reports: found a site of results alone, expected a checkout of bench_lib.")
    require_sphinx(_NEEDED_FOR_RESULTS)
    if not has_results(results):
        click.echo(
            f"site: found no results in {results} yet, of asv or records; the pages say so.",
            err=True,
        )
    index, is_new = build_results_site(results, output=output, title=title)
    if not is_new:
        click.echo("site: nothing changed since it was built.")
    click.echo(f"report: {os.path.relpath(index)}")
