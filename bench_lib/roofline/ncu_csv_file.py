"""Reader of Nsight Compute's CSV: ``ncu --csv --page raw`` and ``--page details``.

What profiled programs print may stand before, between and after the rows. A row is read only where
its first cell is a launch's number; a file that ends inside a row is refused.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from bench_lib.errors import DamagedFileError
from bench_lib.roofline.launch import Launch, MetricValue, SourceFacts
from bench_lib.roofline.ncu_csv_values import bottleneck_title, parse_number, to_metric

_EXPECTED: Final = "CSV from `ncu --csv --page raw` or `--page details`"
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Columns of the raw page that are no metrics.
_IDENTITY: Final = frozenset(
    (
        "ID",
        "Process ID",
        "Process Name",
        "Host Name",
        "Kernel Name",
        "Kernel Time",
        "Context",
        "Stream",
        "Block Size",
        "Grid Size",
        "Device",
        "CC",
    )
)
#: A field may hold a long C++ name; far longer ones mean that a quote was lost.
#: How a row or a header begins; what a program prints may begin with a quote as well.
_ROW_START: Final = re.compile(r'\s*"(?:ID|\d*)(?:"|\s*$)')
_FIELD_LIMIT: Final = 1 << 20


class _Rows:
    """Rows of one file, with the header that each stands under."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def _lines(self) -> Iterator[str]:
        try:
            with self.path.open("rb") as stream:
                start = stream.read(4096)
            encoding = next((name for bom, name in _BOMS if start.startswith(bom)), "utf-8")
            if encoding != "utf-16" and b"\0" in start:
                raise _damaged(self.path, "binary content")
            with self.path.open(encoding=encoding, errors="replace", newline="") as stream:
                while line := stream.readline(_FIELD_LIMIT):
                    if len(line) == _FIELD_LIMIT:
                        raise _damaged(self.path, f"a line of more than {_FIELD_LIMIT} characters")
                    yield line
        except (OSError, UnicodeError) as error:
            raise _damaged(self.path, str(error)) from error

    def __iter__(self) -> Iterator[tuple[list[str], list[str]]]:
        """(header, row) pairs. The header's line ends with the last quote that ncu wrote."""
        header: list[str] | None = None
        complaint = ""
        last_line = ""
        for line in self._records():
            last_line = line
            cells = self._cells(line)
            if cells and cells[0] == "ID" and "Kernel Name" in cells:
                header = self._checked(cells)
            elif header is None:
                if line.startswith("==ERROR==") and not complaint:
                    complaint = line.removeprefix("==ERROR==").strip()
            elif cells and (cells[0].isdigit() or (not cells[0] and len(cells) == len(header))):
                yield header, cells
        if header is None:
            found = f"no table; ncu said: {complaint[:200]}" if complaint else "no table of launches"
            raise _damaged(self.path, found)
        cells = self._cells(last_line)
        is_row = bool(_ROW_START.match(last_line)) or (bool(cells) and cells[0].isdigit())
        if is_row and not last_line.endswith(("\n", "\r")):
            needed = header.index("Metric Value") + 1 if "Metric Value" in header else len(header)
            if len(cells) < needed:
                raise _damaged(self.path, "a file that ends inside a row (cut short)")

    def _checked(self, header: list[str]) -> list[str]:
        """A header whose columns mean one thing each. Metrics given twice are compared row by row."""
        is_details = "Metric Name" in header or "Metric Value" in header
        for name in ("Metric Name", "Metric Value") if is_details else ():
            if name not in header:
                raise _damaged(self.path, f"a table without the column {name!r}")
        twice = [name for name in header if header.count(name) > 1 and (is_details or name in _IDENTITY)]
        if twice:
            raise _damaged(self.path, f"two columns {twice[0][:80]!r}")
        return header

    def _records(self) -> Iterator[str]:
        """Lines, joined where a quoted cell goes over several."""
        held: list[str] = []
        length = num_quotes = 0
        for line in self._lines():
            if not held and not _ROW_START.match(line):
                yield line
                continue
            held.append(line)
            length += len(line)
            # Counted a line at a time: thousands of short lines after a lost quote stay quick.
            num_quotes += line.count('"')
            if num_quotes % 2:
                if length > _FIELD_LIMIT:
                    raise _damaged(self.path, "a quote that is never closed")
                continue
            yield "".join(held)
            held, length, num_quotes = [], 0, 0
        if held:
            raise _damaged(self.path, "a file that ends inside a quoted cell (cut short)")

    def _cells(self, line: str) -> list[str]:
        try:
            return next(csv.reader([line.strip("\r\n")], strict=True), [])
        except csv.Error:
            return []


class NcuCsv:
    """An export: iterate it for its launches, as often as you like.

    Raises
    ------
    DamagedFileError
        There is no table, no launch in it, or the file ends inside a row.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.num_launches = sum(1 for _ in self)
        if self.num_launches == 0:
            raise _damaged(path, "a table without any launch")

    def __iter__(self) -> Iterator[Launch]:
        index = 0
        group: list[list[str]] = []
        group_key: tuple[str, ...] = ()
        group_header: list[str] = []
        units: list[str] = []
        for header, row in _Rows(self.path):
            if "Metric Name" not in header:
                if not row[0]:
                    units = row
                elif row[0].isdigit():
                    yield _raw_launch(index, header, units, row)
                    index += 1
                continue
            if not row[0]:
                continue
            cells = dict(zip(header, row, strict=False))
            key = tuple(cells.get(c, "") for c in ("ID", "Process ID", "Kernel Name"))
            if group and (key != group_key or header is not group_header):
                yield _details_launch(index, group_header, group)
                index += 1
                group = []
            group_key, group_header = key, header
            group.append(row)
        if group:
            yield _details_launch(index, group_header, group)

    @cached_property
    def facts(self) -> SourceFacts:
        """What the export says of its GPU; it has neither ncu's version nor its command line."""
        first = next(iter(self))
        return SourceFacts(
            gpu=first.text("device__attribute_display_name"),
            compute_capability=first.text("CC"),
            ncu_version=None,
            clocks_locked=None,
        )


def _put(metrics: dict[str, MetricValue], conflicts: set[str], name: str, value: MetricValue) -> None:
    earlier = metrics.get(name)
    if earlier is not None and value is not None:
        # Sections round the same metric alike; the command-line section can give more digits.
        if isinstance(earlier, str) or isinstance(value, str):
            if earlier != value:
                conflicts.add(name)
        elif abs(earlier - value) > 0.006 * max(abs(earlier), abs(value)) + 0.01:
            conflicts.add(name)
        return
    if earlier is None:
        metrics[name] = value


def _launch(
    index: int, name: str, metrics: dict[str, MetricValue], conflicts: set[str], rule: str | None
) -> Launch:
    return Launch(
        index=index,
        function=name,
        demangled="",
        metrics=metrics,
        nvidia_rule=rule,
        conflicts=frozenset(conflicts),
    )


def _raw_launch(index: int, header: list[str], units: list[str], row: list[str]) -> Launch:
    metrics: dict[str, MetricValue] = {}
    conflicts: set[str] = set()
    cells = dict(zip(header, row, strict=False))
    for column, name in enumerate(header):
        if name in _IDENTITY or column >= len(row):
            continue
        text = row[column]
        number = parse_number(text)
        if number is None:
            words = text.strip()
            is_text = bool(words) and words.lower() not in {"n/a", "nan", "inf", "-inf", "-nan"}
            _put(metrics, conflicts, name, words if is_text else None)
            continue
        # Without its unit a number could be off by thousands; a percentage's unit is in its name.
        unit = units[column] if column < len(units) else "%" if "pct" in name else None
        found = None if unit is None else to_metric(name, unit, number)
        if found is not None:
            _put(metrics, conflicts, *found)
    if cells.get("CC"):
        metrics["CC"] = cells["CC"]
    return _launch(index, cells.get("Kernel Name", ""), metrics, conflicts, None)


def _details_launch(index: int, header: list[str], rows: list[list[str]]) -> Launch:
    metrics: dict[str, MetricValue] = {}
    conflicts: set[str] = set()
    rule: str | None = None
    first = dict(zip(header, rows[0], strict=False))
    for row in rows:
        cells = dict(zip(header, row, strict=False))
        if cells.get("Rule Name") == "SOLBottleneck":
            rule = rule or bottleneck_title(cells.get("Rule Description", ""))
        name = cells.get("Metric Name", "")
        if not name:
            continue
        number = parse_number(cells.get("Metric Value", ""))
        found = to_metric(
            name, cells.get("Metric Unit", ""), number or 0.0, section=cells.get("Section Name", "")
        )
        if found is not None:
            _put(metrics, conflicts, found[0], None if number is None else found[1])
    if first.get("CC"):
        metrics["CC"] = first["CC"]
    return _launch(index, first.get("Kernel Name", ""), metrics, conflicts, rule)


def _damaged(path: Path, found: str) -> DamagedFileError:
    return DamagedFileError(path, found=found, expected=_EXPECTED, hint="Export the report again.")
