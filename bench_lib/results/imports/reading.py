"""What a reader finds in a file of another tool, and the small things that all readers need."""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench_lib.errors import DamagedFileError
from bench_lib.metrics import metric
from bench_lib.model import Measurement, Status

Value = str | int | float | bool

#: Larger files are no output of one of these tools.
MAX_BYTES: Final = 64 * 1024**2
#: Texts of a file that end up in a record are cut here.
MAX_TEXT: Final = 500

#: Units of rates and times that these tools print → metric, and factor to SI.
#: ``gbps`` of clpeak and vkpeak are bytes, not bits.
UNITS: Final[dict[str, tuple[str, float]]] = {
    **{
        f"{p}flop/s": ("flop_per_s", f)
        for p, f in (("", 1.0), ("m", 1e6), ("g", 1e9), ("t", 1e12), ("p", 1e15))
    },
    **{
        f"{p}flops": ("flop_per_s", f)
        for p, f in (("", 1.0), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12), ("p", 1e15))
    },
    **{f"{p}iops": ("op_per_s", f) for p, f in (("", 1.0), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12))},
    **{
        f"{p}ops": ("op_per_s", f)
        for p, f in (("", 1.0), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12), ("p", 1e15))
    },
    **{
        f"{p}b/s": ("bytes_per_s", f) for p, f in (("", 1.0), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12))
    },
    **{f"{p}bps": ("bytes_per_s", f) for p, f in (("m", 1e6), ("g", 1e9), ("t", 1e12))},
    **{
        u: ("run_time", f)
        for u, f in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("μs", 1e-6), ("ns", 1e-9))
    },
    **{f"{p}texel/s": ("items_per_s", f) for p, f in (("", 1.0), ("m", 1e6), ("g", 1e9), ("t", 1e12))},
    **{
        f"{p}items/s": ("items_per_s", f)
        for p, f in (("", 1.0), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12))
    },
}


@dataclass(frozen=True)
class Reading:
    """One benchmark of a file, whatever came of it.

    Parameters
    ----------
    benchmark
        The tool, as in records: ``llama_bench``.
    params
        What was asked for; the same on another device.
    device
        What the file says it ran on; empty where it does not say.
    started
        When, as the file has it (ISO, or empty).
    details
        Everything else: versions, commits, columns that are not known.
    """

    benchmark: str
    params: Mapping[str, Value]
    measurements: tuple[Measurement, ...] = ()
    status: Status = "ok"
    reason: str = ""
    device: str = ""
    started: str = ""
    details: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """A file as text; every complaint about it names it."""

    path: Path
    text: str

    def damaged(self, *, found: str, expected: str, hint: str = "") -> DamagedFileError:
        """An error about this file; what it holds is cut and made printable."""
        return DamagedFileError(self.path, found=clean(found), expected=expected, hint=hint)

    def require(self, row: Mapping[str, Any], names: Sequence[str], *, what: str) -> None:
        """Raise where ``row`` lacks one of ``names``, and say which."""
        missing = [name for name in names if name not in row]
        if missing:
            raise self.damaged(found=f"no {', '.join(missing)} in {what}", expected=", ".join(names))

    def number(self, value: object, *, what: str) -> float:
        """``value`` as a finite number that is not negative: no tool counts or times below zero.

        Raises
        ------
        DamagedFileError
            It is something else.
        """
        try:
            found = (
                float(value)
                if isinstance(value, (int, float, str)) and not isinstance(value, bool)
                else math.nan
            )
        except (ValueError, OverflowError):
            found = math.nan
        if not math.isfinite(found) or found < 0:
            # Shortened: a file may hold a number of any length.
            raise self.damaged(found=f"{what} {reprlib.repr(value)}", expected="a number from 0 up")
        return found


def read_text(path: Path) -> Source:
    """The text of ``path``: UTF-8, or UTF-16 as PowerShell writes it when output is redirected.

    Raises
    ------
    DamagedFileError
        It cannot be read, is too large, empty, or no text.
    """
    expected = "text that a benchmark printed"
    try:
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise DamagedFileError(
                path, found=f"{path.stat().st_size} bytes", expected=f"at most {MAX_BYTES}"
            )
        content = path.read_bytes()
    except OSError as error:
        raise DamagedFileError(path, found=error.strerror or str(error), expected=expected) from error
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise DamagedFileError(path, found=f"no text ({error.reason})", expected=expected) from error
    if not text.strip():
        raise DamagedFileError(path, found="an empty file", expected=expected)
    return Source(path, without_colours(text.replace("\r\n", "\n").replace("\r", "\n")))


_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def without_colours(text: str) -> str:
    """``text`` without the sequences that colour a terminal."""
    return _COLOUR.sub("", text)


def clean(text: object) -> str:
    """``text`` fit for a record: printable, on one line, not endless."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    return flat if len(flat) <= MAX_TEXT else f"{flat[:MAX_TEXT]}…"


def base_name(path: object) -> str:
    """The last part of a path of any system: the rest names users and machines."""
    return clean(re.split(r"[/\\]", str(path))[-1])


def measured(name: str, values: Sequence[float], *, clock: str, number: int = 1) -> Measurement:
    """Samples of one metric that must exist."""
    return Measurement(metric(name).name, tuple(values), number=number, clock=clock)


def scaled(value: float, factor: float) -> float:
    """``value`` in SI units, as exact as it was printed: 260.1 G is 260100000000, not 260100000000.00003."""
    return float(f"{value * factor:.15g}")


def plain(value: object) -> Value:
    """``value`` of a file as a record can hold it."""
    if isinstance(value, bool) or (isinstance(value, float) and math.isfinite(value)):
        return value
    # JSON has integers of any length, records have those of 64 bits.
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return value
    return clean(value)
