"""Configuration values: their types and checks, and the results that they choose."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ConfigError

from bench_lib.errors import UsageError
from bench_lib.sphinx_ext.generated_pages import PAGE_SOURCES, forget_pages, makes_pages, write_pages
from bench_lib.sphinx_ext.site_data import SiteData, web_address

_data: WeakKeyDictionary[BuildEnvironment, SiteData] = WeakKeyDictionary()

_SOURCES_TEXT: Final = "True, False, or a list of names among " + ", ".join(sorted(PAGE_SOURCES))


def _check(_app: Sphinx, config: Config) -> None:
    """Stop at the first value that is not what it should be, with one message."""
    try:
        page_sources(config)
        url = config.bench_lib_show_commit_url
        if not isinstance(url, str) or (url and not web_address(url)):
            raise UsageError.of(
                "bench_lib_show_commit_url",
                found=url,
                expected="an address to append a commit's hash to, such as https://example.org/commit/",
            )
        change = config.bench_lib_min_change
        if isinstance(change, bool) or not isinstance(change, int | float) or not 0 <= change < 1:
            raise UsageError.of(
                "bench_lib_min_change", found=change, expected="a part of a level, from 0 to below 1"
            )
        for name in ("bench_lib_results", "bench_lib_reports"):
            if not isinstance(config[name], str):
                raise UsageError.of(name, found=config[name], expected="a path, as text")
    except UsageError as error:
        raise ConfigError(str(error)) from error


def page_sources(config: Config) -> tuple[str, ...]:
    """Names of the page sources that ``bench_lib_pages`` asks for.

    Raises
    ------
    UsageError
        It is no list of such names.
    """
    value = config.bench_lib_pages
    if isinstance(value, bool):
        return tuple(sorted(PAGE_SOURCES)) if value else ()
    if isinstance(value, list | tuple) and all(name in PAGE_SOURCES for name in value):
        return tuple(sorted(set(value)))
    raise UsageError.of("bench_lib_pages", found=value, expected=_SOURCES_TEXT)


def _open(app: Sphinx) -> None:
    directory = Path(app.confdir, app.config.bench_lib_results).resolve()
    _data[app.env] = SiteData(
        directory,
        show_commit_url=app.config.bench_lib_show_commit_url,
        min_change=app.config.bench_lib_min_change,
        sources=page_sources(app.config) if makes_pages(app) else (),
    )


def site_data(env: BuildEnvironment) -> SiteData:
    """The results of this build, shared by everything that shows them."""
    return _data[env]


def _pages(app: Sphinx) -> Iterator[tuple[str, dict[str, object], str]]:
    names = page_sources(app.config)
    if makes_pages(app):
        write_pages(app, site_data(app.env), names)
    return iter(())


def setup_pages(app: Sphinx) -> None:
    """Register the values, and the pages made from results."""
    app.add_config_value("bench_lib_results", "../results", "env", types=frozenset({str}))
    app.add_config_value("bench_lib_reports", "", "env", types=frozenset({str}))
    app.add_config_value("bench_lib_pages", True, "env", types=frozenset({bool, list, tuple}))
    app.add_config_value("bench_lib_show_commit_url", "", "env", types=frozenset({str}))
    app.add_config_value("bench_lib_min_change", 0.01, "env", types=frozenset({float, int}))
    app.connect("config-inited", _check)
    app.connect("builder-inited", _open)
    app.connect("html-collect-pages", _pages)
    app.connect("build-finished", forget_pages)
