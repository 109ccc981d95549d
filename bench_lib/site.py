"""``bench-lib site``: build the documentation and results pages of this checkout."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import click

from bench_lib.errors import BenchLibError, UnavailableError, UsageError
from bench_lib.files import current_directory

_NEEDED: Final = ("sphinx", "myst_parser", "furo", "sphinx_click", "sphinx_design", "matplotlib")


class SiteBuildError(BenchLibError):
    """Sphinx stopped; its messages were already printed."""


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
        hint="Change into the checkout; an installed package has no pages to build.",
    )


def require_sphinx() -> None:
    """Check that everything the build imports is installed.

    Raises
    ------
    UnavailableError
        Something is missing; the message has the command that installs it.
    """
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UnavailableError(
            "no-sphinx",
            f"building the site needs {', '.join(missing)}, not installed for {sys.executable}.",
            remedy="Install with: python -m pip install -e '.[docs]'",
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
        allowed = ("damaged-record", "unusable-record", "damaged-report")
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
    help="Directory with records.  [default: results, in the checkout]",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the pages.  [default: docs/_build/html, in the checkout]",
)
@click.option(
    "--reports",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Folder of Nsight Compute reports (.ncu-rep) and exports to show.",
)
@click.option("--allow-damaged", is_flag=True, help="List damaged records on the pages; do not stop at them.")
def site(results: Path | None, output: Path | None, reports: Path | None, allow_damaged: bool) -> None:
    """Build the pages of this checkout from its records.

    The last line printed names the page to open. The pages work from disk, without a network.
    """
    checkout = find_checkout(current_directory())
    index = build(
        checkout,
        results=results or checkout / "results",
        output=output or checkout / "docs" / "_build" / "html",
        reports=reports,
        allow_damaged=allow_damaged,
    )
    click.echo(f"report: {os.path.relpath(index)}")
