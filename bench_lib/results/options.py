"""Options that the commands on results share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from bench_lib import results
from bench_lib.errors import UsageError

_FORMATS = ("table", "markdown", "csv", "json", "parquet")


def with_results(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command ``--results`` and hand it what was read; damage goes to standard error."""

    @click.option(
        "--results",
        "directory",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("results"),
        show_default=True,
        help="asv's results directory, or a folder that holds one.",
    )
    @click.option("--no-cache", is_flag=True, help="Parse every file anew.")
    @functools.wraps(command)
    def wrapped(directory: Path, no_cache: bool, **rest: Any) -> Any:
        found = results.read(directory, samples=False, cache=not no_cache)
        for note in (*found.damaged, *found.notes):
            text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(note))
            click.echo(f"bench-lib: left out or unknown: {text}", err=True)
        return command(found, **rest)

    return wrapped


def with_output(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command ``--format``, ``--json`` and ``--output``."""

    @click.option("--format", "form", type=click.Choice(_FORMATS), default="table", show_default=True)
    @click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
    @click.option(
        "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write instead of printing."
    )
    @functools.wraps(command)
    def wrapped(*args: Any, form: str, as_json: bool, **rest: Any) -> Any:
        return command(*args, form="json" if as_json else form, **rest)

    return wrapped


def with_query(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that select rows, as keyword ``query`` (a dictionary for ``Query``)."""

    @click.option("--benchmark", default="", help="Regular expression, found anywhere in the name.")
    @click.option(
        "--param",
        "params",
        multiple=True,
        metavar="NAME=VALUE",
        help="Parameter, without quotes. May be given more than once.",
    )
    @click.option(
        "--metric", default="", help="Such as step_time, time or peak_memory; * for any characters."
    )
    @click.option("--environment", default="", help="Environment; * for any characters.")
    @click.option("--since", default="", help="Earliest date of a commit, such as 2026-03-31.")
    @click.option("--until", default="", help="Latest date of a commit.")
    @functools.wraps(command)
    def wrapped(
        *args: Any,
        benchmark: str,
        params: tuple[str, ...],
        metric: str,
        environment: str,
        since: str,
        until: str,
        **rest: Any,
    ) -> Any:
        query = {
            "benchmark": benchmark,
            "parameters": parameters(params),
            "metric": metric,
            "environment": environment,
            "since": since,
            "until": until,
        }
        return command(*args, query=query, **rest)

    return wrapped


def parameters(texts: tuple[str, ...]) -> dict[str, str]:
    """``NAME=VALUE`` texts as a dictionary.

    Raises
    ------
    UsageError
        One has no equals sign.
    """
    pairs = [text.partition("=") for text in texts]
    for (name, sign, _), text in zip(pairs, texts, strict=True):
        if not sign or not name:
            raise UsageError.of("--param", found=text, expected="NAME=VALUE")
    return {name: value for name, _, value in pairs}


def short(commit: str) -> str:
    """A hash as people write it."""
    return commit[:8] + ("+changes" if commit.endswith("+changes") else "")
