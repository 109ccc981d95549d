"""One asv results file → columns. Formats 1 (asv up to 0.4.1) and 2 (until 0.6, the newest)."""

from __future__ import annotations

import itertools
import json
import math
import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from bench_lib.errors import DamagedFileError

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

#: What a cell's ``status`` byte means. asv writes NaN for a skip and null for a failure.
STATUSES: Final = ("ok", "skipped", "failed", "timed_out")
OK, SKIPPED, FAILED, TIMED_OUT = range(4)

_HALF_CHARACTER: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_EXPECTED: Final = "an asv results file of format 1 or 2"
_HINT: Final = "Delete it and measure again, or restore it."


class Interner:
    """Strings → small whole numbers, in order of first use."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.codes: dict[str, int] = {text: code for code, text in enumerate(known)}

    def code(self, text: str) -> int:
        return self.codes.setdefault(text, len(self.codes))

    def texts(self) -> list[str]:
        return list(self.codes)


@dataclass(frozen=True)
class _Layout:
    """What files have alike when they differ in figures only."""

    names: list[str]
    params: list[Any]
    versions: list[Any]
    lengths: list[int]
    combination: Ints
    version: Ints


@dataclass
class Tables:
    """The strings that cells refer to: (benchmark, parameter values) as JSON, and versions."""

    combination: Interner = field(default_factory=Interner)
    version: Interner = field(default_factory=Interner)
    _by_params: dict[Any, list[int]] = field(default_factory=dict)
    #: Of the latest files of different layouts, the newest last: files of one machine mostly share one.
    layouts: list[_Layout] = field(default_factory=list)

    def combinations(self, name: str, params: Sequence[Sequence[str]]) -> list[int]:
        """Codes of all combinations of ``params``, in the order that asv stores their values."""
        key = (name, tuple(map(tuple, params))) if params else name
        codes = self._by_params.get(key)
        if codes is None:
            codes = [
                self.combination.code(json.dumps([name, *map(str, values)]))
                for values in itertools.product(*params)
            ]
            self._by_params[key] = codes
        return codes


@dataclass(frozen=True)
class Cells:
    """Columns, one entry a value. ``samples`` are laid end to end; ``sample_counts`` says whose is whose."""

    combination: Ints
    version: Ints
    value: Floats
    low: Floats
    high: Floats
    num_samples: Ints
    status: NDArray[np.int8]
    sample_counts: Ints
    samples: Floats

    def __len__(self) -> int:
        return len(self.value)


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
_MAX_INT32: Final = 2**31 - 1
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
        cells = _cells_like_before(data, tables) if version == 2 else None
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


def _vector(entries: list[Any], what: str) -> NDArray[np.float64]:
    vector = np.array(entries, dtype=np.float64)
    if vector.ndim != 1:
        raise ValueError(f"lists within {what}")
    return vector


_WHOLE: Final = ("params", "version", "result", "stats_ci_99_a", "stats_ci_99_b", "stats_repeat")
_MAX_LAYOUTS: Final = 8


def _cells_like_before(data: dict[str, Any], tables: Tables) -> Cells | None:
    """Cells of a file whose rows are all whole, column by column; of any other, nothing.

    Most files are such ones. What they have in common with one before is then compared, not made again.
    """
    columns = _whole_columns(data["result_columns"], list(data["results"].values()))
    if columns is None:
        return None
    params, versions, *figures = columns
    lengths = list(map(len, figures[0]))
    if any(list(map(len, other)) != lengths for other in figures[1:]):
        return None
    layout = _layout(list(data["results"]), params, versions, lengths, tables)
    if layout is None:
        return None
    value, low, high, repeat = (list(itertools.chain.from_iterable(lists)) for lists in figures)
    values = _vector(value, "the values")
    return Cells(
        combination=layout.combination,
        version=layout.version,
        value=values,
        low=_vector(low, "stats_ci_99_a"),
        high=_vector(high, "stats_ci_99_b"),
        num_samples=_counts(repeat),
        status=_status(value, values),
        sample_counts=np.zeros(len(values), dtype=np.int32),
        samples=np.empty(0),
    )


def _whole_columns(names: list[str], rows: list[Any]) -> list[list[Any]] | None:
    """Columns ``_WHOLE`` of rows without samples, where every row has them all and each figure is a list."""
    if not rows or set(map(type, rows)) != {list} or not set(_WHOLE) <= set(names):
        return None
    wanted = [names.index(name) for name in _WHOLE]
    samples = names.index("samples") if "samples" in names else len(names)
    if min(map(len, rows)) <= max(wanted) or any(
        row[samples:] and row[samples] not in (None, []) for row in rows
    ):
        return None
    columns = [list(map(operator.itemgetter(place), rows)) for place in wanted]
    # Versions 1 and True are equal, and not the same.
    is_plain = set(map(type, columns[1])) <= {str, type(None)}
    return columns if is_plain and all(set(map(type, c)) == {list} for c in columns[2:]) else None


def _layout(
    names: list[str], params: list[Any], versions: list[Any], lengths: list[int], tables: Tables
) -> _Layout | None:
    for layout in reversed(tables.layouts):
        if (
            layout.lengths == lengths
            and layout.names == names
            and layout.versions == versions
            and layout.params == params
        ):
            return layout
    # Not made where a row does not fit: its error is told by what reads rows.
    combination: list[int] = []
    version: list[int] = []
    for name, axes, stated, n in zip(names, params, versions, lengths, strict=True):
        if n != math.prod(map(len, axes or [])):
            return None
        combination += tables.combinations(name, axes or [])
        version += [tables.version.code("" if stated is None else str(stated))] * n
    made = _Layout(
        names,
        params,
        versions,
        lengths,
        np.array(combination, dtype=np.int32),
        np.array(version, dtype=np.int32),
    )
    tables.layouts = [*tables.layouts[1 - _MAX_LAYOUTS :], made]
    return made


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
    values = _vector(value, "the values")
    counts = np.array([0 if s is None else len(s) for s in samples], dtype=np.int32)
    flat = [x for s in samples if s for x in s] if counts.any() else []
    return Cells(
        combination=np.array(combination, dtype=np.int32),
        version=np.array(version, dtype=np.int32),
        value=values,
        low=_vector(low, "stats_ci_99_a"),
        high=_vector(high, "stats_ci_99_b"),
        num_samples=np.maximum(_counts(repeat), counts),
        status=_status(value, values),
        sample_counts=counts,
        samples=_vector(flat, "the samples"),
    )


def _status(value: list[Any], values: Floats) -> NDArray[np.int8]:
    status = np.zeros(len(values), dtype=np.int8)
    is_nan = np.isnan(values)
    if is_nan.any():
        status[is_nan] = SKIPPED
        status[[i for i, v in enumerate(value) if v is None]] = FAILED
    return status


def _counts(repeat: list[Any]) -> Ints:
    stated = _vector(repeat, "stats_repeat")
    return np.clip(np.nan_to_num(stated), 0, _MAX_INT32).astype(np.int32)


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
