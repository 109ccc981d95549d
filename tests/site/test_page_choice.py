"""Sites with some of the pages made from results: nothing on them leads to a page that is not there."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path
from urllib.parse import urldefrag

import pytest
from bs4 import BeautifulSoup
from sample_asv import build_tables, write_results

from bench_lib.sphinx_ext.generated_pages import PAGE_SOURCES, STATE_FILE


def dead_links(html: Path) -> set[tuple[str, str]]:
    """(page, address) of every link, script and style sheet to a file that the site does not have."""
    found = set()
    for page in html.rglob("*.html"):
        for element in BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").select("[href], [src]"):
            address = urldefrag(str(element.get("href") or element.get("src"))).url.partition("?")[0]
            if address and not re.match("[a-z]+:", address) and not (page.parent / address).is_file():
                found.add((page.relative_to(html).as_posix(), address))
    return found


def test_dead_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#x">b</a><a href="a.html?q=1">a</a><script src="c.js">')
    assert dead_links(tmp_path) == {("a.html", "b.html"), ("a.html", "c.js")}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("choice")
    write_results(made / "results")
    return made


@pytest.mark.parametrize("source", [*sorted(PAGE_SOURCES), "all", "none"])
def test_no_link_leads_to_a_page_that_is_not_made(root: Path, source: str) -> None:
    chosen = {"all": sorted(PAGE_SOURCES), "none": []}.get(source, [source])
    html = build_tables(root, output=source, conf=f"bench_lib_pages = {chosen}\n")
    assert dead_links(html) == set()
    made = json.loads(zlib.decompress((html / STATE_FILE).read_bytes()))["pages"]
    assert bool(made) == bool(chosen)
    for name in made:
        data = (html / f"{name}.html").read_text(encoding="utf-8")
        # Tables and scripts take addresses of pages as `page:NAME`.
        for target in re.findall(r"page:([a-z0-9._/-]+)", data):
            assert (html / f"{target}.html").is_file(), (name, target)
