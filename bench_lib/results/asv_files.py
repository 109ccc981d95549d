"""One asv results file → columns. Formats 1 (asv up to 0.4.1) and 2 (until 0.6, the newest)."""

from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from bench_lib.errors import DamagedFileError
from bench_lib.results.asv_cells import Cells, Tables, counts_of, status_of, values_of, vector_of
from bench_lib.results.asv_columns import cells_like_before

_HALF_CHARACTER: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_EXPECTED: Final = "an asv results file of format 1 or 2"
_HINT: Final = "Delete it and measure again, or restore it."


@dataclass(frozen=True)
class ParsedFile:
    """What one results file holds: facts of the whole file, and its cells."""

    commit: str
    date_ms: int | None
    machine: str
    environment: str
    cells: Cells


#: The years 1 to 9999.
_FIRST_MS: Final = -62_135_596_800_000
_END_MS: Final = 253_402_300_800_000
#: Of a row without a value for each: a damaged file can ask for more than memory holds.
_MAX_COMBINATIONS: Final = 100_000


class _Row(NamedTuple):
    name: str
    result: Any
    params: Any = None
    version: Any = None
    low: Any = None
    high: Any = None
    repeat: Any = None
    samples: Any = None


def decode(content: bytes) -> Any:
    """``content`` as JSON; asv also writes the literals NaN and Infinity, which are no JSON.

    Raises
    ------
    ValueError
        It is neither.
    """
    try:
        return msgspec.json.decode(content)
    except msgspec.DecodeError:
        # Slower, and knows the literals. It also takes half a character for one, which nothing can write.
        found = json.loads(content)
        if _HALF_CHARACTER.search(content) is None:
            return found
        text = json.dumps(found, ensure_ascii=False)
        return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def parse(path: Path, content: bytes, *, tables: Tables) -> ParsedFile:
    """Read the ``content`` of the results file ``path``.

    Raises
    ------
    DamagedFileError
        It is not a results file of a format that is known, or parts of it contradict each other.
    """
    try:
        data = decode(content)
        if not isinstance(data, dict) or not isinstance(data.get("results"), dict):
            raise ValueError("no results in it")
        version = data.get("version", 1 if "result_columns" not in data else 2)
        if version not in (1, 2):
            raise ValueError(f"format {version!r}")
        params = data.get("params") or {}
        date = data.get("date")
        cells = cells_like_before(data, tables) if version == 2 else None
        return ParsedFile(
            commit=str(data["commit_hash"]),
            date_ms=None if date is None else _date_ms(date),
            machine=str(params.get("machine") or path.parent.name),
            environment=_environment(data, path),
            cells=cells or _cells(_rows_1(data) if version == 1 else _rows_2(data), tables),
        )
    except KeyError as error:
        raise DamagedFileError(path, found=f"no key {error}", expected=_EXPECTED, hint=_HINT) from error
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise DamagedFileError(path, found=str(error)[:300], expected=_EXPECTED, hint=_HINT) from error


def _environment(data: dict[str, Any], path: Path) -> str:
    """Name of the environment. Before asv 0.2, only the name of the file had it whole."""
    name = data.get("env_name")
    if name:
        return str(name)
    python = f"py{data.get('python') or ''}"
    of_file = path.stem.partition("-")[2]
    if of_file == python or of_file.startswith(f"{python}-"):
        return of_file
    requirements = data.get("requirements") or {}
    return "-".join([python, *(f"{key}{value or ''}" for key, value in sorted(requirements.items()))])


def _date_ms(date: Any) -> int:
    """``date`` in ms since 1970, of a year that calendars can show."""
    date_ms = int(date)
    if not _FIRST_MS <= date_ms < _END_MS:
        raise ValueError(f"{str(date)[:40]} as the date of the commit, in ms since 1970")
    return date_ms


def _rows_2(data: dict[str, Any]) -> Iterator[_Row]:
    columns: list[str] = data["result_columns"]
    wanted = (
        "result",
        "params",
        "version",
        "stats_ci_99_a",
        "stats_ci_99_b",
        "stats_repeat",
        "samples",
    )
    pick = operator.itemgetter(*(columns.index(name) if name in columns else len(columns) for name in wanted))
    # asv leaves out what would be null at the end of a row.
    missing = [None] * (len(columns) + 1)
    for name, row in data["results"].items():
        if not isinstance(row, list):
            raise ValueError(f"{type(row).__name__} as the row of {name}")
        yield _Row(name, *pick(row + missing))


def _rows_1(data: dict[str, Any]) -> Iterator[_Row]:
    versions = data.get("benchmark_version") or {}
    for name, entry in data["results"].items():
        value = entry if isinstance(entry, dict) else {"result": entry}
        stats = value.get("stats")
        if stats is not None and not isinstance(stats, list):
            stats = [stats]
        intervals = None if stats is None else [(s or {}).get("ci_99") or (None, None) for s in stats]
        yield _Row(
            name,
            result=value["result"],
            params=value.get("params"),
            version=versions.get(name),
            low=None if intervals is None else [i[0] for i in intervals],
            high=None if intervals is None else [i[1] for i in intervals],
            repeat=None if stats is None else [(s or {}).get("repeat") for s in stats],
            samples=value.get("samples"),
        )


def _cells(rows: Iterable[_Row], tables: Tables) -> Cells:
    combination: list[int] = []
    version: list[int] = []
    value: list[Any] = []
    low: list[Any] = []
    high: list[Any] = []
    repeat: list[Any] = []
    samples: list[Any] = []
    for row in rows:
        params = row.params or []
        count = math.prod(map(len, params))
        if count > _MAX_COMBINATIONS and not (type(row.result) is list and len(row.result) == count):
            raise ValueError(f"{count} parameter combinations of {row.name[:100]}, without a value for each")
        codes = tables.combinations(row.name, params)
        n = len(codes)
        combination += codes
        version += [tables.version.code("" if row.version is None else str(row.version))] * n
        value += _spread(row.result, n, row.name)
        low += _spread(row.low, n, row.name)
        high += _spread(row.high, n, row.name)
        repeat += _spread(row.repeat, n, row.name)
        samples += _spread(row.samples, n, row.name, nested=True)
    values = values_of(value)
    counts = np.array([0 if s is None else len(s) for s in samples], dtype=np.int32)
    flat = [x for s in samples if s for x in s] if counts.any() else []
    return Cells(
        combination=np.array(combination, dtype=np.int32),
        version=np.array(version, dtype=np.int32),
        value=values,
        low=vector_of(low, "stats_ci_99_a"),
        high=vector_of(high, "stats_ci_99_b"),
        num_samples=np.maximum(counts_of(repeat), counts),
        status=status_of(value, values),
        sample_counts=counts,
        samples=vector_of(flat, "the samples"),
    )


def _spread(values: Any, n: int, name: str, *, nested: bool = False) -> list[Any]:
    """``values`` as ``n`` entries: asv writes null where all of them are, and format 1 a bare number."""
    if values is None:
        return [None] * n
    if type(values) is list and len(values) == n and not nested:
        return values
    entries: list[Any] = values if isinstance(values, list) else [values]
    if nested and entries and n == 1 and not isinstance(entries[0], list | None):
        # Format 1 wrote the samples of a benchmark without parameters unnested.
        entries = [entries]
    if len(entries) == n:
        return entries
    if all(v is None for v in entries):
        # Format 1 wrote one null for all combinations.
        return [None] * n
    raise ValueError(f"{len(entries)} values for {n} parameter combinations of {name}")
