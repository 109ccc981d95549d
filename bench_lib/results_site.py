"""A site of any results directory, built by Sphinx without a Sphinx project."""

from __future__ import annotations

import gc
import hashlib
import importlib.metadata
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench_lib import __version__
from bench_lib.errors import BenchLibError, UsageError
from bench_lib.files import write_whole
from bench_lib.results.frames import results_dir_of

#: What the folder of a site was built from, so that it is not built again for nothing.
STATE_FILE: Final = ".bench_lib_site.json"

_CONF: Final = """\
import html
import json
from pathlib import Path

from bench_lib.sphinx_ext.nodes import clean

_given = json.loads(Path(__file__).with_name("given.json").read_text(encoding="utf-8"))
project = clean(_given["title"])
# Themes take it for HTML, and it may be a name that somebody else chose.
html_title = html.escape(project)
copyright = ""
extensions = ["bench_lib.sphinx_ext"]
bench_lib_results = _given["results"]
bench_lib_pages_title = "Results"
html_theme = "furo"
templates_path = [_given["templates"]]
html_favicon = "icon.svg"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
smartquotes = False
html_context = {"bench_site_version": _given["version"], "bench_site_bundled": _given["bundled"]}
"""
_INDEX: Final = """\
Overview
========

.. bench-overview::
"""
#: A line that steps down: times got better.
_ICON: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 4h6v7h8" fill="none" \
stroke="#2563c9" stroke-width="2.5"/></svg>
"""


class SiteBuildError(BenchLibError):
    """Sphinx stopped; its messages were already printed."""


def build_results_site(results: Path, *, output: Path, title: str = "") -> tuple[Path, bool]:
    """Build the site of ``results`` in ``output``.

    Parameters
    ----------
    results
        Results of asv, records of ours, or both; a folder that holds one called ``results`` will do.
        Where there are none yet, the first page says so, and how to make some.
    output
        Folder for the pages. What else lies in it is left alone.
    title
        Of the site; empty: the project's name in asv.conf.json, or else of the folder of the results.

    Returns
    -------
    Path, bool
        The first page, and whether anything had to be built.

    Raises
    ------
    UsageError
        ``results`` is no folder, or ``output`` lies in it.
    SiteBuildError
        Sphinx ended with an error.
    """
    from bench_lib.site_theme import BUNDLED, TEMPLATES, bundle_site
    from bench_lib.sphinx_ext.site_data import SiteData

    directory = results_dir_of(results).resolve()
    output = output.resolve()
    if output == directory or output.is_relative_to(directory):
        raise UsageError.of("output", found=str(output), expected="a folder outside the results")
    data = SiteData(directory)
    title = title or data.project.name or _name_of(directory)
    index = output / "index.html"
    key = _key(data, title)
    if _is_built(output, key):
        return index, False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source")
        write_whole(source / "conf.py", _CONF)
        write_whole(source / "index.rst", _INDEX)
        write_whole(source / "icon.svg", _ICON)
        given: dict[str, str | tuple[str, ...]] = {
            "title": title,
            "results": str(directory),
            "templates": str(TEMPLATES),
        }
        given |= {"version": _look(), "bundled": BUNDLED}
        write_whole(source / "given.json", json.dumps(given))
        # Parsed pages hold paths of this machine: they stay out of the folder that is published.
        command = ["-q", "-E", "-b", "html"]
        command += ["-d", str(Path(folder, "doctrees")), str(source), str(output)]
        code = _run_sphinx(command)
    if code != 0:
        raise SiteBuildError(f"site: Sphinx ended with code {code}, expected 0.")
    bundle_site(output)
    state = {"key": key, "pages": _listing(output)}
    write_whole(output / STATE_FILE, json.dumps(state, sort_keys=True) + "\n")
    return index, True


def has_results(results: Path) -> bool:
    """Whether files of results lie in ``results``, as :func:`build_results_site` would find them.

    Raises
    ------
    UsageError
        ``results`` is no folder.
    """
    from bench_lib.sphinx_ext.site_data import SiteData

    return SiteData(results_dir_of(results).resolve()).seems_to_have_results


def _run_sphinx(arguments: Sequence[str]) -> int:
    # In this process: another one would import pandas and Sphinx again, half of the time of a small site.
    from sphinx.cmd.build import build_main

    was_enabled = gc.isenabled()
    # A build makes few cycles and millions of objects: the search for cycles is put off to its end.
    gc.disable()
    try:
        return build_main(list(arguments))
    finally:
        if was_enabled:
            gc.enable()


def _name_of(directory: Path) -> str:
    name = directory.name
    if name in ("results", ".asv", "asv", ".asv-results") and directory.parent.name:
        name = directory.parent.name
    return name.strip(".") or "Benchmarks"


def _key(data: object, title: str) -> str:
    from bench_lib.sphinx_ext.site_data import SiteData

    assert isinstance(data, SiteData)
    parts = (
        __version__,
        data.digest,
        data.project,
        title,
        _look(),
        _CONF,
        _INDEX,
    )
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def _look() -> str:
    """Changes with whatever the styles and scripts of all pages are made of, for the sake of caches."""
    from bench_lib.sphinx_ext.generated_pages import code_digest

    versions = []
    for name in ("sphinx", "furo", "docutils", "minify-go"):
        try:
            versions.append(importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            versions.append("none")
    return hashlib.blake2b(repr((versions, code_digest())).encode(), digest_size=4).hexdigest()


def _is_built(output: Path, key: str) -> bool:
    try:
        state = json.loads((output / STATE_FILE).read_bytes())
        return bool(state["key"] == key and state["pages"] == _listing(output))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _listing(output: Path) -> str:
    """Hash over the names and sizes of all files of the site: a lost or cut file is built again."""
    total = hashlib.blake2b(digest_size=16)
    for folder, folders, files in os.walk(output):
        folders.sort()
        for name in sorted(files):
            path = Path(folder, name)
            if path.name != STATE_FILE:
                total.update(f"{path.relative_to(output).as_posix()}\0{path.stat().st_size}\0".encode())
    return total.hexdigest()
