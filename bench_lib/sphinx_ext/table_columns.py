"""The cells of one column of a table, packed: :mod:`bench_lib.table_script` makes them whole again.

A cell is its text, or a list of text, sorting key, address, text on hover and class, as
:meth:`.TextCell.plain` has it.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from bench_lib.sphinx_ext.number_text import number_text

_HASH: Final = re.compile(r"[0-9a-f]{40}")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")
#: Where an address falls into parts: behind its last folder, and behind each value of its state.
_PART: Final = re.compile(r"(?<=[#&])|(?<=/)(?=[^/]*(?:$|#))")
#: Shorter ones are not worth a number.
_MIN_PART: Final = 4


def packed_column(cells: Sequence[Any]) -> dict[str, Any]:
    """``cells`` in the shortest form that says the same.

    ``dates``: seconds, none where unknown. ``commits``: whole hashes, end to end in base 64, and the ``base``
    of their addresses. Else ``cells``, or the different ones (``of``) and which stands where (``at``); in
    their addresses, ``{3}`` stands for the fourth of ``parts``, ``{}`` for the cell's text in small letters.
    """
    return _dates(cells) or _commits(cells) or _others(cells)


def _dates(cells: Sequence[Any]) -> dict[str, Any] | None:
    seconds: list[int | None] = []
    for cell in cells:
        if cell == "unknown":
            seconds.append(None)
            continue
        key = cell[1] if isinstance(cell, list) and len(cell) == 4 else None
        if not isinstance(key, str) or not _DATE.fullmatch(key):
            return None
        if cell != [key[:10], key, "", f"{key[:10]} {key[11:16]} UTC"]:
            return None
        seconds.append(int(datetime.fromisoformat(key).timestamp()))
    return {"dates": number_text(seconds)} if seconds else None


def _commits(cells: Sequence[Any]) -> dict[str, Any] | None:
    hashes, bases = [], set()
    for cell in cells:
        if not isinstance(cell, list) or len(cell) != 5 or not _HASH.fullmatch(str(cell[3])):
            return None
        text, key, href, full, mark = cell
        if (text, key, mark) != (full[:8], None, "bench-code") or not href.endswith(full if href else ""):
            return None
        hashes.append(full)
        bases.add(href.removesuffix(full))
    different = len(set(hashes))
    # Few that repeat are shorter by their number.
    if len(bases) != 1 or 2 * different <= len(hashes):
        return None
    return {"commits": base64.b64encode(bytes.fromhex("".join(hashes))).decode(), "base": bases.pop()}


def _others(cells: Sequence[Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    hrefs = [cell[2] for cell in cells if isinstance(cell, list) and len(cell) > 2 and cell[2]]
    # No address has one; were there one, it would be taken for a part.
    if hrefs and not any("{" in href for href in hrefs):
        shared = _shared_parts(hrefs)
        made = {"parts": list(shared)}
        cells = [_shortened(cell, shared) for cell in cells]
    texts = list(map(repr, cells))
    index: dict[str, int] = {}
    at = [index.setdefault(text, len(index)) for text in texts]
    if 2 * len(index) <= len(texts):
        first = dict(zip(reversed(texts), reversed(cells), strict=True))
        return made | {"of": [first[text] for text in index], "at": number_text(at)}
    return made | {"cells": list(cells)}


def _shared_parts(hrefs: Sequence[str]) -> dict[str, int]:
    """Parts that several addresses have, and their numbers, from the most frequent on."""
    counts = Counter(part for href in hrefs for part in _PART.split(href) if len(part) > _MIN_PART)
    found = [part for part, count in counts.most_common() if count > 1]
    return {part: number for number, part in enumerate(found)}


def _shortened(cell: Any, shared: Mapping[str, int]) -> Any:
    if not isinstance(cell, list) or len(cell) < 3 or not cell[2]:
        return cell
    text = str(cell[0])
    name = text.lower() if text.isascii() else ""
    parts = []
    for part in _PART.split(cell[2]):
        if part in shared and (not name or name not in part):
            parts.append(f"{{{shared[part]}}}")
        else:
            parts.append(part.replace(name, "{}", 1) if len(name) > _MIN_PART else part)
    return [*cell[:2], "".join(parts), *cell[3:]]
