"""Files to take away: what pages show, as the commands print it, in CSV, JSON and Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

import pandas as pd

from bench_lib.results.output import render
from bench_lib.sphinx_ext.generated_pages import File, file_href

FORMS: Final = ("csv", "json", "parquet")
_HEADS: Final = ("CSV", "JSON", "Parquet")


def forms() -> tuple[str, ...]:
    """The forms that can be written here: Parquet needs pyarrow."""
    try:
        import pyarrow as pa
    except ImportError:
        return FORMS[:2]
    return FORMS if pa.__version__ else FORMS[:2]


def files(frame: pd.DataFrame, *, name: str) -> Iterator[File]:
    """``frame`` in every form, as files ``name`` with the ending of the form."""
    plain = frame.drop(columns=[c for c in ("samples",) if c in frame])
    for form in forms():
        yield File(f"{name}.{form}", render(plain, form=form, readings={}))


def links_html(made: Iterable[File], *, what: str) -> str:
    """A line with links to the files that hold ``what``."""
    return f'<p class="bench-downloads">{escape(what)}: {", ".join(map(_link, made))}</p>\n'


def _link(file: File) -> str:
    form = file.name.rpartition(".")[2]
    name = form.upper() if form != "parquet" else "Parquet"
    return (
        f'<a class="reference" download href="{file_href(file.name)}">{name}</a> '
        f'<span class="bench-detail">({_size(file.content)})</span>'
    )


def table_html(listed: Iterable[tuple[str, str, Sequence[File]]]) -> str:
    """A table of (what, the command that prints the same, files)."""
    heads = "".join(
        f'<th scope="col" class="head">{h}</th>' for h in ("What", *_HEADS[: len(forms())], "Command")
    )
    rows = "".join(
        f'<tr><th scope="row" class="stub">{escape(what)}</th>'
        + "".join(f"<td>{_link(file)}</td>" for file in made)
        + f"<td>{f'<code>{escape(command)}</code>' if command else ''}</td></tr>"
        for what, command, made in listed
    )
    return (
        '<div class="bench-scroll"><table class="bench-table bench-site-table bench-plain">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>\n"
    )


def _size(content: str | bytes) -> str:
    size = len(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return f"{size / 1000:.3g} kB" if size < 1e6 else f"{size / 1e6:.3g} MB"
