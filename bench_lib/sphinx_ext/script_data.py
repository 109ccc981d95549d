"""Data that pages carry for scripts: JSON that no HTML, and no JavaScript, can take for anything else."""

from __future__ import annotations

import html
import math
from typing import Any, Final

import msgspec

#: Outside strings, JSON has none of these; inside, the escape means the same character.
_ESCAPES: Final = {
    b"<": b"\\u003c",
    b">": b"\\u003e",
    b"&": b"\\u0026",
    "\u2028".encode(): b"\\u2028",
    "\u2029".encode(): b"\\u2029",
    # What turns the direction of text: data may hold it, whoever reads the file should not be misled.
    **{
        chr(c).encode(): b"\\u%04x" % c
        for c in (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
    },
}


def script_json(data: Any) -> str:
    """``data`` as JSON that may stand in a ``<script>`` element or file.

    NaN and infinities become null; text that is no valid Unicode has U+FFFD in its place.
    """
    try:
        content = msgspec.json.encode(data)
    except UnicodeEncodeError:
        content = msgspec.json.encode(_valid(data))
    for character, escape in _ESCAPES.items():
        if character in content:
            content = content.replace(character, escape)
    return content.decode()


def _valid(data: Any) -> Any:
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if isinstance(data, dict):
        return {_valid(key): _valid(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_valid(value) for value in data]
    return data


def data_element(data: Any, *, name: str) -> str:
    """An element with ``data``, which a script finds by the id ``name``; the browser runs nothing in it."""
    return f'<script type="application/json" id="{html.escape(name)}">{script_json(data)}</script>'


def data_script(data: Any, *, name: str) -> str:
    """A file of a script that hands ``data`` over as ``benchLibData[name]``.

    A page that is opened from disk may not ``fetch()`` a file beside it, but it may load a script.
    """
    return f"(self.benchLibData=self.benchLibData||{{}})[{script_json(name)}]={script_json(data)};\n"


def finite(value: float, *, digits: int = 6) -> float | None:
    """``value`` with as many digits as a page can show, ``None`` where it is not finite."""
    return float(f"{value:.{digits}g}") if math.isfinite(value) else None
