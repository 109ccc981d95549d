"""Pages made from results, in numbers that Sphinx's own way of making pages is too slow for.

Such a page is no document: nothing is read, pickled or resolved for it. The theme renders one empty page
a folder, and each page is that one with its title and body put in, so that navigation, search and dark
mode are the theme's. Its words enter Sphinx's search index. Files are written only when they change, and
removed when nothing makes them any more; where neither results nor code changed, no page is made at all.

To add a type of page, write a function ``pages(data)`` that yields :class:`Page` and :class:`File`, and
give it a name in :data:`PAGE_SOURCES`. It must yield the same for the same results: no time, no path of
this machine, no order of a set. What it takes from results goes through :func:`html.escape` on its way
into ``body``; data for scripts goes through :mod:`bench_lib.sphinx_ext.script_data`; names of files come
from :func:`bench_lib.sphinx_ext.page_names.file_names`. Addresses are written with :func:`page_href` and
:func:`file_href`, because only the builder knows how to get from one page to another.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import html
import importlib
import itertools
import json
import posixpath
import re
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urljoin

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import ExtensionError
from sphinx.search import IndexBuilder
from sphinx.util import logging
from sphinx.util.docutils import new_document
from sphinx.util.osutil import relative_uri

from bench_lib import __version__
from bench_lib.errors import BenchLibError
from bench_lib.files import write_whole
from bench_lib.results import records
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.site_data import SiteData

logger = logging.getLogger(__name__)

#: Name → function that makes the pages, as ``module:function``; imported when a site is built.
PAGE_SOURCES: Final[dict[str, str]] = {
    "benchmark-list": "bench_lib.sphinx_ext.benchmark_lists:pages",
    "benchmarks": "bench_lib.sphinx_ext.benchmark_pages:pages",
    "changes": "bench_lib.sphinx_ext.table_pages:changes",
    "compare": "bench_lib.sphinx_ext.table_pages:compare",
    "downloads": "bench_lib.sphinx_ext.table_pages:downloads_page",
    "hardware": "bench_lib.sphinx_ext.table_pages:hardware",
    "inventory": "bench_lib.sphinx_ext.table_pages:inventory_page",
}
#: Made with every build, whatever pages are wanted.
ALWAYS: Final = "bench_lib.sphinx_ext.commit_list:pages"
#: What this build wrote, in the folder of the pages: holds nothing of the machine that built them.
STATE_FILE: Final = ".bench_lib_pages.json.z"

_TITLE, _BODY, _NAME = (f"benchlib0{word}0" for word in ("title", "body", "name"))
_HREF: Final = re.compile("\ue000([pf]):([^\ue000\ue001]*)\ue001")
_PACKAGE: Final = Path(__file__).parents[1]


@dataclass(frozen=True)
class Page:
    """A page.

    Parameters
    ----------
    name
        Folder and file without extension, such as ``benchmarks/module.suite.time_it``.
    title
        Text, for the browser's tab and the list of search results.
    body
        HTML of the content, with its heading. Everything from results is escaped.
    text
        Words by which the search should find it, besides those of the title.
    assets
        Scripts and style sheets that it needs, as their names in ``_static``.
    """

    name: str
    title: str
    body: str
    text: str = ""
    assets: tuple[str, ...] = ()


@dataclass(frozen=True)
class File:
    """A file beside the pages: data for a script, a download, a feed.

    ``name`` is its path within the site, such as ``benchmarks/module.suite.time_it-1.js``. Where it
    ``has_addresses``, those in its text are resolved, to whole ones where ``html_baseurl`` says where
    the site is.
    """

    name: str
    content: str | bytes
    has_addresses: bool = False


PageSource = Callable[[SiteData], Iterable[Page | File]]


def page_href(name: str) -> str:
    """The address of the page (or document) ``name``, to be put into an attribute of a body."""
    return f"\ue000p:{name}\ue001"


def file_href(name: str) -> str:
    """The address of the file ``name`` of the site, such as ``_static/bench.css``."""
    return f"\ue000f:{name}\ue001"


def resolve_hrefs(body: str, builder: Any, *, origin: str) -> str:
    """``body`` with the addresses that it has on the page (or document) ``origin``."""
    base = builder.get_target_uri(origin)

    def address(match: re.Match[str]) -> str:
        kind, name = match.groups()
        target = builder.get_target_uri(name) if kind == "p" else name
        return html.escape(relative_uri(base, target) or posixpath.basename(base))

    return _HREF.sub(address, body)


def _resolved(file: File, builder: StandaloneHTMLBuilder) -> str | bytes:
    if not file.has_addresses or not isinstance(file.content, str):
        return file.content

    def address(match: re.Match[str]) -> str:
        kind, name = match.groups()
        target = builder.get_target_uri(name) if kind == "p" else name
        base = builder.config.html_baseurl
        return html.escape(urljoin(base, target) if base else relative_uri(file.name, target))

    return _HREF.sub(address, file.content)


def asset_tags(assets: Iterable[str], outdir: Path) -> str:
    """Elements that load ``assets`` of ``_static``, in order, once the page is there; none blocks it."""
    tags = []
    for name in assets:
        path = outdir / "_static" / name
        if not path.is_file():
            # The library that draws charts is missing where there was no network: tables do without it.
            continue
        # Sphinx adds such a part to its own: a cache then never keeps an old script with a new page.
        version = f"?v={zlib.crc32(path.read_bytes()):08x}"
        address = file_href(f"_static/{name}") + version
        if name.endswith(".css"):
            tags.append(f'<link rel="stylesheet" href="{address}">')
        else:
            tags.append(f'<script defer src="{address}"></script>')
    return "\n".join(tags)


def _without_indentation(shell: str) -> str:
    """``shell`` without what indents its lines, a sixth of it; as it is where a browser would show that."""
    if re.search("<(?:pre|textarea)\\b|`", shell):
        return shell
    return "\n".join(line for line in map(str.strip, shell.split("\n")) if line) + "\n"


class _Shells:
    """The theme's empty page, rendered once a folder."""

    def __init__(self, builder: StandaloneHTMLBuilder) -> None:
        self.builder = builder
        self._shells: dict[str, str] = {}
        self._assets: dict[tuple[str, ...], str] = {}

    def text(self, folder: str) -> str:
        """The empty page of ``folder``."""
        if folder not in self._shells:
            name = posixpath.join(folder, _NAME)
            with tempfile.TemporaryDirectory() as scratch:
                made = Path(scratch, "shell.html")
                context = {"title": _TITLE, "body": _BODY}
                self.builder.handle_page(name, context, "page.html", outfilename=made)
                self._shells[folder] = _without_indentation(made.read_text(encoding="utf-8"))
        return self._shells[folder]

    def _tags(self, assets: tuple[str, ...]) -> str:
        if assets not in self._assets:
            self._assets[assets] = asset_tags(assets, Path(self.builder.outdir))
        return self._assets[assets]

    def fill(self, page: Page) -> str:
        folder, name = posixpath.split(page.name)
        title = html.escape(page.title)
        tags = self._tags(page.assets)
        body = resolve_hrefs(f"{page.body}\n{tags}", self.builder, origin=page.name)
        head, _, foot = self.text(folder).partition(_BODY)
        head, foot = (part.replace(_TITLE, title).replace(_NAME, name) for part in (head, foot))
        return f"{head}{body}{foot}"


def makes_pages(app: Sphinx) -> bool:
    """Whether this build's format has pages of its own; EPUB, LaTeX and single pages have none."""
    return has_pages(app.builder)


def has_pages(builder: Builder) -> bool:
    """The same of a builder."""
    return isinstance(builder, StandaloneHTMLBuilder) and builder.name in ("html", "dirhtml")


def write_pages(app: Sphinx, data: SiteData, names: Iterable[str]) -> None:
    """Write the pages of the sources ``names``, and tell Sphinx's search of them."""
    builder = app.builder
    if not isinstance(builder, StandaloneHTMLBuilder) or not makes_pages(app):
        return
    outdir = Path(builder.outdir)
    before = _read_state(outdir)
    shells = _Shells(builder)
    key = _key(data, shells, sorted(names), before.get("shells", []), app)
    is_same = before.get("key") == key and all((outdir / name).is_file() for name in before.get("files", []))
    if is_same:
        pages = before["pages"]
    else:
        _warn_of_damage(data)
        files: list[str] = []
        pages = {}
        for made in _made(data, sorted(names)):
            if isinstance(made, Page):
                files.append(Path(builder.get_outfilename(made.name)).relative_to(outdir).as_posix())
                content: str | bytes = shells.fill(made)
                pages[made.name] = [made.title, made.text]
            else:
                files.append(made.name)
                content = _resolved(made, builder)
            write_whole(outdir / files[-1], content)
        for name in set(before.get("files", [])) - set(files):
            _remove(outdir / name, outdir=outdir)
        folders = sorted({posixpath.dirname(name) for name in pages})
        # Rendered when a page was filled: what they look like is part of what tells a change.
        state = {"files": files, "pages": pages, "shells": folders}
        state["key"] = _key(data, shells, sorted(names), folders, app)
        write_whole(outdir / STATE_FILE, zlib.compress(json.dumps(state, sort_keys=True).encode(), 9))
    _feed_search(builder, pages)


def _warn_of_damage(data: SiteData) -> None:
    if not data.directory.is_dir():
        return
    for error in data.results.damaged:
        path = error.path
        # Records are read, and their damage is told, elsewhere.
        if path.suffix == records.SUFFIX:
            continue
        relative = path.relative_to(data.directory) if path.is_relative_to(data.directory) else path
        cause = clean(str(error).replace(f"{path}: ", ""))
        logger.warning(
            "damaged file %s: %s", clean(relative), cause, type="bench_lib", subtype="damaged-result"
        )


def _made(data: SiteData, names: Iterable[str]) -> Iterator[Page | File]:
    for target in (ALWAYS, *(PAGE_SOURCES[name] for name in names)):
        module, _, attribute = target.partition(":")
        source: PageSource = getattr(importlib.import_module(module), attribute)
        try:
            yield from source(data)
        except BenchLibError as error:
            raise ExtensionError(str(error)) from error


def _key(data: SiteData, shells: _Shells, names: list[str], folders: list[str], app: Sphinx) -> str:
    total = hashlib.blake2b(digest_size=16)
    for folder in folders:
        total.update(shells.text(folder).encode())
    values = [
        c.value for c in app.config if c.name.startswith("bench_lib_") and c.name != "bench_lib_results"
    ]
    values.append(app.config.html_baseurl)
    for part in (__version__, code_digest(), data.digest, data.project, names, app.builder.name, values):
        total.update(repr(part).encode() + b"\0")
    return total.hexdigest()


@functools.cache
def code_digest() -> str:
    """Hash over the sources of this package: pages are made anew when what makes them changes."""
    total = hashlib.blake2b(digest_size=16)
    for path in sorted(_PACKAGE.rglob("*")):
        if path.suffix in (".py", ".js", ".css", ".html", ".toml") and path.is_file():
            total.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def _read_state(outdir: Path) -> dict[str, Any]:
    try:
        state = json.loads(zlib.decompress((outdir / STATE_FILE).read_bytes()))
        names = [*state["files"], *state["shells"]]
        # The folder may be anybody's: only what lies in it is touched.
        if all(not PurePosixPath(n).is_absolute() and ".." not in PurePosixPath(n).parts for n in names):
            return {"key": str(state["key"]), **state}
    except (OSError, ValueError, KeyError, TypeError, zlib.error):
        pass
    return {}


def _remove(path: Path, *, outdir: Path) -> None:
    """Delete a file, and the folders in ``outdir`` that are empty without it."""
    path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        for folder in itertools.takewhile(lambda parent: parent != outdir, path.parents):
            folder.rmdir()


def _feed_search(builder: StandaloneHTMLBuilder, pages: dict[str, list[str]]) -> None:
    env = builder.env
    for name, (title, text) in pages.items():
        if name in env.found_docs:
            raise ExtensionError(
                f"bench_lib: the document {name!r} has the name of a page made from results."
            )
        # The index drops pages that are no documents. The environment was saved before: it learns nothing.
        env.all_docs[name] = 0
        env.titles[name] = nodes.title(title, title)
        if builder.indexer is not None:
            document = new_document(name)
            document += nodes.section("", nodes.title(title, title), nodes.paragraph(text, text))
            builder.indexer.feed(name, name, title, document)
    if builder.indexer is not None:
        _forget_words(builder.indexer, env.all_docs)


def _forget_words(indexer: IndexBuilder, names: Iterable[str]) -> None:
    """Drop words that only pages of before had: Sphinx keeps them, and a fresh build would have none."""
    indexer.prune(names)
    for words in (indexer._mapping, indexer._title_mapping):
        for word in [word for word, pages in words.items() if not pages]:
            del words[word]


def forget_pages(app: Sphinx, _exception: Exception | None) -> None:
    """Leave the environment with documents only, as it was saved."""
    for name in set(app.env.all_docs) - app.env.found_docs:
        app.env.all_docs.pop(name, None)
        app.env.titles.pop(name, None)
