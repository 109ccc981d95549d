"""Addresses of generated pages: safe in every file system, unique, and the same in every build."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from slugify import slugify

#: Longest name: with a suffix and a temporary name around it, it still fits into 255 bytes.
MAX_LENGTH: Final = 100
#: Names that Windows gives a meaning, in every folder.
_RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul", "index", "search", "genindex"}
    | {f"{name}{i}" for name in ("com", "lpt") for i in range(10)}
)
_KEPT: Final = r"[^a-z0-9._-]+"


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A file name, without extension, for each of ``names``.

    A plain dotted name is its own file name, in lower case. A name that is long, that loses characters,
    or that another one would share its file with on a file system that ignores case, ends in a part of
    its hash; so the file name of one does not depend on which others there are, except for that clash.
    """
    texts = sorted(set(names))
    plain = {name: _plain(name) for name in texts}
    uses: dict[str, int] = {}
    for short in plain.values():
        uses[short] = uses.get(short, 0) + 1
    return {
        name: short if short == name.lower() and uses[short] == 1 else f"{short}-{_digest(name)}"
        for name, short in plain.items()
    }


def _plain(name: str) -> str:
    short = slugify(name, regex_pattern=_KEPT, lowercase=True, separator="-").strip("-.")[:MAX_LENGTH]
    # Windows drops dots at the end, and takes what is before the first dot of a reserved name for it.
    short = short.rstrip("-.")
    return f"_{short}" if not short or short.partition(".")[0] in _RESERVED else short


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:10]
