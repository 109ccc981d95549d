"""Directives that put HTML made from results into a document, and know when it would change.

A directive of this kind names a function that makes a :class:`Fragment` from the results, its options and
its content. The document is read again where the function would now make another fragment: a changed
result rewrites only the documents that show it, however many there are.

To add one: subclass :class:`FragmentDirective`, set ``make`` and the options, and name it in
``DIRECTIVES``. The rules for what goes into the HTML are those of :mod:`.generated_pages`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from bench_lib.errors import BenchLibError
from bench_lib.sphinx_ext.generated_pages import asset_tags, code_digest, has_pages, resolve_hrefs
from bench_lib.sphinx_ext.site_config import site_data
from bench_lib.sphinx_ext.site_data import SiteData

logger = logging.getLogger(__name__)

_STORE: Final = "bench_lib_fragments"
#: Scripts of fragments hold no such end: their data are escaped.
_SCRIPT: Final = re.compile("<script.*?</script>", re.DOTALL)


@dataclass(frozen=True)
class Fragment:
    """A part of a document.

    Parameters
    ----------
    html
        What HTML pages show; addresses by :func:`.generated_pages.page_href`.
    text
        The same in words, one paragraph a line: for the search, and for formats other than HTML.
    assets
        Scripts and style sheets of ``_static`` that it needs; each is loaded once a page.
    """

    html: str
    text: str = ""
    assets: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        content = repr((self.html, self.text, self.assets))
        return hashlib.blake2b(content.encode(errors="surrogatepass"), digest_size=16).hexdigest()


Make = Callable[[SiteData, Mapping[str, Any], tuple[str, ...]], Fragment]


class bench_fragment(nodes.General, nodes.Element):
    """Holds ``html`` and ``assets``; its children say the same in words."""


class FragmentDirective(SphinxDirective):
    """Base of the directives; ``make`` takes the results, the options and the lines of the content."""

    has_content = True
    make: ClassVar[Make]

    def run(self) -> list[nodes.Node]:
        made = type(self).make
        arguments = (dict(self.options) | {"arguments": list(self.arguments)}, tuple(self.content))
        data = site_data(self.env)
        try:
            fragment = made(data, *arguments)
        except BenchLibError as error:
            # Shown where it happened, and again once the results have what was asked for.
            logger.warning(
                "%s", error, type="bench_lib", subtype="unknown-result", location=self.get_location()
            )
            fragment = Fragment("", text=str(error))
        stored = self.env.__dict__.setdefault(_STORE, {})
        key = (self.name, fragment.digest, *arguments)
        stored.setdefault(self.env.docname, []).append(key)
        texts = [nodes.paragraph(line, line) for line in fragment.text.splitlines()]
        node = bench_fragment("", *texts, html=fragment.html, assets=fragment.assets)
        self.set_source_info(node)
        return [node]


def _purge(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    env.__dict__.get(_STORE, {}).pop(docname, None)


def _merge(_app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    found = other.__dict__.get(_STORE, {})
    env.__dict__.setdefault(_STORE, {}).update({name: found[name] for name in docnames if name in found})


def _outdated(_app: Sphinx, env: BuildEnvironment, *_: Any) -> list[str]:
    stored: dict[str, list[tuple[Any, ...]]] = env.__dict__.get(_STORE, {})
    data = site_data(env)
    state = (data.digest, code_digest())
    before, env.__dict__["bench_lib_fragment_state"] = env.__dict__.get("bench_lib_fragment_state"), state
    if before == state:
        return []
    return [name for name, keys in stored.items() if any(not _is_same(data, *key) for key in keys)]


def _is_same(
    data: SiteData, name: str, digest: str, options: dict[str, Any], content: tuple[str, ...]
) -> bool:
    from bench_lib.sphinx_ext import DIRECTIVES

    directive = DIRECTIVES.get(name)
    if directive is None or not issubclass(directive, FragmentDirective):
        return False
    try:
        make: Make = directive.make
        return make(data, options, content).digest == digest
    except BenchLibError:
        return False


def _load_before_forking(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    # Readers that are forked share what was read before.
    if app.parallel > 1 and len(docnames) > 5 and env.__dict__.get(_STORE) and site_data(env).has_results:
        _ = site_data(env).changes


def _visit_html(self: Any, node: bench_fragment) -> None:
    origin = self.builder.current_docname
    if self.builder.name == "epub":
        # Its pages are XML, and what reads them runs no scripts: the words.
        return
    if not has_pages(self.builder):
        # The figures of charts are in files beside pages, and there are none: the tables.
        self.body.append(resolve_hrefs(_SCRIPT.sub("", node["html"]), self.builder, origin=origin))
        raise nodes.SkipNode
    loaded: set[str] = self.__dict__.setdefault("bench_lib_assets", set())
    wanted = [asset for asset in node["assets"] if asset not in loaded]
    loaded.update(wanted)
    tags = asset_tags(wanted, Path(self.builder.outdir))
    self.body.append(resolve_hrefs(node["html"] + tags, self.builder, origin=origin))
    raise nodes.SkipNode


def _pass(_self: Any, _node: bench_fragment) -> None:
    """Other formats show the words."""


def setup_fragments(app: Sphinx) -> None:
    """Register the node for every format, and what finds outdated documents."""
    other = (_pass, _pass)
    app.add_node(bench_fragment, html=(_visit_html, _pass), latex=other, text=other, man=other, texinfo=other)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
    app.connect("env-get-outdated", _outdated)
    app.connect("env-before-read-docs", _load_before_forking)
