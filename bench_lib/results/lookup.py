"""Rows of a frame by hardware, benchmark, parameters, commits, dates and metric."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from bench_lib.errors import UsageError
from bench_lib.hardware import catalog
from bench_lib.results.frames import SERIES, Results


@dataclass(frozen=True)
class Query:
    """What to look for; what is left empty is not asked for.

    Parameters
    ----------
    benchmark
        Regular expression, found anywhere in the name.
    hardware
        Machine, device or alias, whole and without regard to case; ``*`` stands for any characters.
    parameters
        Name → value, as asv shows it or without quotes.
    metric, environment
        Whole; ``*`` stands for any characters.
    commit
        Beginning of a commit's hash.
    first_commit, last_commit
        Beginnings of hashes; everything dated from one to the other. The benchmarked repository is not
        asked, so that the order is that of commit dates.
    since, until
        Dates, both included.
    newest
        Only the newest row of each series.
    """

    benchmark: str = ""
    hardware: Sequence[str] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    metric: str = ""
    environment: str = ""
    commit: str = ""
    first_commit: str = ""
    last_commit: str = ""
    since: str = ""
    until: str = ""
    newest: bool = True


def lookup(results: Results, query: Query) -> pd.DataFrame:
    """Rows of ``results`` that ``query`` asks for, by benchmark, parameters and machine, the newest first.

    Raises
    ------
    UsageError
        A pattern, commit or date is not understood, or a name is not in the results.
    """
    frame = results.frame
    keep = np.ones(len(frame), dtype=bool)
    if query.benchmark:
        keep &= _with(frame, "benchmark", names_matching(frame, query.benchmark))
    if query.hardware:
        keep &= _with(frame, "machine", [m for text in query.hardware for m in machines_of(results, text)])
    for column, pattern in (("metric", query.metric), ("environment", query.environment)):
        if pattern:
            keep &= _with(frame, column, _glob(frame, column, pattern))
    if query.parameters:
        keep &= _with(frame, "parameters", _parameters(results, query.parameters))
    if query.commit:
        keep &= _with(frame, "commit", [commit_of(frame, query.commit)])
    dates = frame["date"]
    for text, is_first in ((query.first_commit, True), (query.last_commit, False)):
        if text:
            at = dates[(frame["commit"] == commit_of(frame, text)).to_numpy()].iloc[0]
            keep &= (dates >= at if is_first else dates <= at).to_numpy()
    if query.since:
        keep &= (dates >= _date(query.since)).to_numpy()
    if query.until:
        keep &= (dates < _date(query.until) + pd.Timedelta(days=1)).to_numpy()
    found = frame[keep]
    return newest(found) if query.newest else _sorted(found)


def newest(frame: pd.DataFrame) -> pd.DataFrame:
    """The newest row of each series, whatever its status: a benchmark that fails now has no value now."""
    order = _order(frame)
    is_first = np.zeros(len(frame), dtype=bool)
    is_first[:1] = True
    for column in SERIES:
        codes = frame[column].cat.codes.to_numpy()[order]
        is_first[1:] |= codes[1:] != codes[:-1]
    # Only the rows that are kept are copied: all of a large store would be as much again.
    return frame.iloc[order[is_first]].reset_index(drop=True)


def _sorted(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.iloc[_order(frame)].reset_index(drop=True)


def _order(frame: pd.DataFrame) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    codes = [frame[c].cat.codes.to_numpy() for c in SERIES]
    # Of rows with one date, the later in the results counts as newer.
    dates = frame["date"].dt.tz_localize(None).to_numpy().view("int64")
    return np.lexsort([-np.arange(len(frame)), -dates, *reversed(codes)])


def _with(
    frame: pd.DataFrame, column: str, names: Sequence[str]
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    categories = frame[column].cat.categories
    wanted = np.append(categories.isin(list(names)), False)
    # Codes of -1, a missing text, take the last entry.
    return np.asarray(wanted[frame[column].cat.codes.to_numpy()])


def names_matching(frame: pd.DataFrame, pattern: str) -> list[str]:
    """Benchmarks in which the regular expression ``pattern`` is found."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise UsageError.of(
            "benchmark pattern", found=pattern, expected=f"a regular expression ({error})"
        ) from None
    names = [name for name in frame["benchmark"].cat.categories if compiled.search(name)]
    return _some(names, "benchmark", pattern, list(frame["benchmark"].cat.categories))


def machines_of(results: Results, text: str) -> list[str]:
    """Machines called ``text``, or with a device called so by its file, its driver or machine.json."""
    machines = list(results.frame["machine"].cat.categories)
    device = catalog.find(text)
    wanted = text.casefold()
    found = []
    for name in machines:
        facts = results.machines.get(name, {})
        names = [name, facts.get("gpu", ""), facts.get("cpu", "")]
        same = device is not None and any(n and catalog.find(n) == device for n in names)
        if same or any(fnmatch.fnmatchcase(n.casefold(), wanted) for n in names if n):
            found.append(name)
    return _some(found, "hardware", text, machines)


def commit_of(frame: pd.DataFrame, text: str) -> str:
    """The one commit whose hash begins with ``text``."""
    commits = [c for c in frame["commit"].cat.categories if c.startswith(text)] if text else []
    if text in commits:
        return text
    if len(commits) != 1:
        expected = "the beginning of one commit's hash in the results"
        hint = f"{len(commits)} begin with it; give more of it." if commits else "None begins with it."
        raise UsageError.of("commit", found=text, expected=expected, hint=hint)
    return str(commits[0])


def _glob(frame: pd.DataFrame, column: str, pattern: str) -> list[str]:
    names = list(frame[column].cat.categories)
    found = [n for n in names if n == pattern or fnmatch.fnmatchcase(n.casefold(), pattern.casefold())]
    return _some(found, column, pattern, names)


def _parameters(results: Results, wanted: Mapping[str, str]) -> list[str]:
    texts = list(results.frame["parameters"].cat.categories)
    found = texts
    for name, value in wanted.items():
        accepted = {value, repr(value)}
        found = [t for t in found if any(n == name and v in accepted for n, v in results.parameters[t])]
    return _some(found, "parameters", ", ".join(f"{n}={v}" for n, v in wanted.items()), texts)


def _some(found: list[str], what: str, asked: str, known: Sequence[str]) -> list[str]:
    if found:
        return found
    shown = ", ".join(sorted(k for k in known if k)[:12]) or "none at all"
    more = f" and {len(known) - 12} more" if len(known) > 12 else ""
    raise UsageError.of(what, found=asked, expected=f"one in the results: {shown}{more}")


def _date(text: str) -> pd.Timestamp:
    try:
        return pd.Timestamp(text, tz="UTC")
    except (ValueError, TypeError):
        raise UsageError.of("date", found=text, expected="a date such as 2026-03-31") from None
