"""The columns that results files of asv are read into, and the strings that they refer to."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

#: What a cell's ``status`` byte means. asv writes NaN for a skip and null for a failure; what a benchmark
#: returned that is no number is a failure, too, of another reason.
STATUSES: Final = ("ok", "skipped", "failed", "timed_out", "failed")
OK, SKIPPED, FAILED, TIMED_OUT, NO_NUMBER = range(5)

_MAX_INT32: Final = 2**31 - 1


class Interner:
    """Strings → small whole numbers, in order of first use."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.codes: dict[str, int] = {text: code for code, text in enumerate(known)}

    def code(self, text: str) -> int:
        """The number of ``text``, from now on."""
        return self.codes.setdefault(text, len(self.codes))

    def texts(self) -> list[str]:
        """All strings, in the order of their numbers."""
        return list(self.codes)


@dataclass(frozen=True)
class Layout:
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
    layouts: list[Layout] = field(default_factory=list)

    def combinations(self, name: str, params: Sequence[Sequence[str]]) -> list[int]:
        """Codes of all combinations of ``params``, in the order that asv stores their values."""
        # As text: 1, 1.0 and True are equal, and not the same.
        key = (name, tuple(tuple(map(str, values)) for values in params)) if params else name
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


def vector_of(entries: list[Any], what: str) -> Floats:
    """``entries`` as numbers, null as NaN; ``what`` names them in the error where one is a list."""
    vector = np.array(entries, dtype=np.float64)
    if vector.ndim != 1:
        raise ValueError(f"lists within {what}")
    return vector


def values_of(entries: list[Any]) -> Floats:
    """Results as numbers; NaN for null, and for text and the like that a benchmark returned."""
    try:
        return vector_of(entries, "the values")
    except (TypeError, ValueError, OverflowError):
        if any(isinstance(entry, list) for entry in entries):
            raise
    return np.array([_number(entry) for entry in entries], dtype=np.float64)


def _number(entry: Any) -> float:
    try:
        return math.nan if entry is None else float(entry)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def status_of(value: list[Any], values: Floats) -> NDArray[np.int8]:
    """Status of each value, from what the file has and the number that it became."""
    status = np.zeros(len(values), dtype=np.int8)
    is_nan = np.isnan(values)
    if is_nan.any():
        for i in np.flatnonzero(is_nan).tolist():
            status[i] = FAILED if value[i] is None else SKIPPED if type(value[i]) is float else NO_NUMBER
    return status


def counts_of(repeat: list[Any]) -> Ints:
    """Numbers of samples as files state them; 0 where they do not."""
    stated = vector_of(repeat, "stats_repeat")
    return np.clip(np.nan_to_num(stated), 0, _MAX_INT32).astype(np.int32)
