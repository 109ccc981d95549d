"""The list of all commits, which charts share, and commits in pages."""

from __future__ import annotations

import html
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from bench_lib.sphinx_ext.generated_pages import File, Page, file_href
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.number_text import number_text
from bench_lib.sphinx_ext.script_data import data_script
from bench_lib.sphinx_ext.site_data import BENCHMARKS, SiteData

COMMITS_FILE: Final = f"{BENCHMARKS}/commits.js"
#: Digits of a hash that pages show and link by: as many as git itself takes for sure.
SHORT: Final = 10
_versions: WeakKeyDictionary[SiteData, str] = WeakKeyDictionary()
_begins: WeakKeyDictionary[SiteData, Counter[str]] = WeakKeyDictionary()
_HASH: Final = re.compile(r"[0-9a-f]{10,64}")


def pages(data: SiteData) -> Iterator[Page | File]:
    """The script alone; it is part of every build, because any document may hold a chart."""
    if data.has_results:
        yield commits_file(data)


def commits_file(data: SiteData) -> File:
    """A script with all commits in the order of their dates.

    ``h`` holds the first ``n`` digits of all hashes, end to end; ``odd`` what is no hash, by number;
    ``t`` the tags, as :func:`_tag_places` has them;
    ``d``, by :func:`.number_text`, the dates as seconds since the one before; none where there is none.
    """
    names = [str(c) for c in data.commits["commit"]]
    hashes = [c for c in names if _HASH.fullmatch(c)]
    length = SHORT
    while len({h[:length] for h in hashes}) < len(hashes):
        length += 1
    odd = {i: clean(c) for i, c in enumerate(names) if not _HASH.fullmatch(c) or len(c) < length}
    packed = "".join("·" * length if i in odd else c[:length] for i, c in enumerate(names))
    dates = data.commits["date"].dt.tz_localize(None).to_numpy().astype("datetime64[s]")
    steps: list[int | None] = []
    before = 0
    for is_missing, second in zip(np.isnat(dates), dates.astype(np.int64).tolist(), strict=True):
        steps.append(None if is_missing else second - before)
        before = before if is_missing else second
    content = {"n": length, "h": packed, "odd": odd, "d": number_text(steps)}
    tags = _tag_places(data)
    if tags:
        content["t"] = tags
    return File(COMMITS_FILE, data_script(content, name="commits"))


def _tag_places(data: SiteData) -> list[tuple[int, str, bool]]:
    """Number of a commit, tag, and whether it is that commit's: otherwise the first after the tag's."""
    number = {str(commit): i for i, commit in enumerate(data.commits["commit"])}
    dated = data.commits["date"].dropna()
    seconds = dated.dt.tz_localize(None).to_numpy().astype("datetime64[s]").astype(np.int64)
    places = []
    for tag in data.tags:
        place = number.get(tag.commit)
        # Older or newer than all that was measured: it lies beyond the axis.
        is_within = len(seconds) > 0 and seconds[0] < tag.date_s <= seconds[-1]
        if place is not None or is_within:
            at = int(np.searchsorted(seconds, tag.date_s)) if place is None else place
            places.append((at, clean(tag.name), place is not None))
    return places


def commits_address(data: SiteData) -> str:
    """The address of that script; it changes with what the script holds, for the sake of caches."""
    if data not in _versions:
        _versions[data] = f"{zlib.crc32(str(commits_file(data).content).encode()):08x}"
    return f"{file_href(COMMITS_FILE)}?v={_versions[data]}"


def address_of(data: SiteData, commit: str) -> str:
    """What addresses of charts call a commit: its first signs, or its whole name where others begin so."""
    if data not in _begins:
        _begins[data] = Counter(clean(c)[:SHORT] for c in data.commits["commit"])
    name = clean(commit)
    return name if _begins[data][name[:SHORT]] > 1 else name[:SHORT]


def commit_html(data: SiteData, commit: str) -> str:
    """A commit's short hash, with a link where the project has one."""
    short = html.escape(commit[:SHORT] if _HASH.fullmatch(commit) else clean(commit) or "no commit")
    url = data.commit_url(commit)
    if url:
        return f'<a href="{html.escape(url)}" rel="noopener"><code>{short}</code></a>'
    return f"<code>{short}</code>"
