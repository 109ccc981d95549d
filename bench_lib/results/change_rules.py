"""What asv.conf.json says of steps: from which commit on they count, and how large they must be."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd

from bench_lib.results.asv_config import config_near, parse_config

_FIRST: Final = "regressions_first_commits"
_LEAST: Final = "regressions_thresholds"
#: As many digits of a hash as git itself takes for enough.
_MIN_DIGITS: Final = 7


@dataclass(frozen=True)
class ChangeRules:
    """Rules by regular expressions that a benchmark's name, with its parameter values, begins with.

    Parameters
    ----------
    first
        Pattern and hash of the commit after which steps count; ``None``: none ever do.
    least
        Pattern and the part of a level that a step must change; of several that match, the largest.
    """

    first: tuple[tuple[str, str | None], ...] = ()
    least: tuple[tuple[str, float], ...] = ()

    def applied(
        self,
        changes: pd.DataFrame,
        *,
        frame: pd.DataFrame,
        parameters: Mapping[str, tuple[tuple[str, str], ...]],
    ) -> pd.DataFrame:
        """``changes`` that count.

        ``frame`` has the dates of commits.
        """
        if not (self.first or self.least) or not len(changes):
            return changes
        dates = self._dates(frame)
        kept = []
        rows: list[dict[Any, Any]] = changes.to_dict("records")
        for row in rows:
            values = ", ".join(value for _, value in parameters.get(str(row["parameters"]), ()))
            name = f"{row['benchmark']}({values})" if values else str(row["benchmark"])
            kept.append(self._counts(row, name, dates))
        return changes[kept].reset_index(drop=True)

    def _counts(self, row: Mapping[str, Any], name: str, dates: Mapping[str, pd.Timestamp]) -> bool:
        for pattern, commit in self.first:
            if not re.match(pattern, name):
                continue
            if commit is None or (commit in dates and not row["date"] > dates[commit]):
                return False
        least = max((part for pattern, part in self.least if re.match(pattern, name)), default=0.0)
        ratio = float(row["ratio"])
        return not (math.isfinite(ratio) and ratio > 0) or max(ratio, 1 / ratio) - 1 >= least

    def _dates(self, frame: pd.DataFrame) -> dict[str, pd.Timestamp]:
        wanted = {commit for _, commit in self.first if commit is not None}
        if not wanted:
            return {}
        pairs = frame[["commit", "date"]].drop_duplicates("commit").itertuples(index=False, name=None)
        return {
            commit: date
            for name, date in pairs
            for commit in wanted
            if str(name).startswith(commit) and not pd.isna(date)
        }


def read_rules(directory: Path, *, commits: Sequence[str], notes: list[str]) -> ChangeRules:
    """Rules of the asv.conf.json near the results ``directory``, which are of ``commits``.

    What is not understood, such as a tag, is left out and told in ``notes``.
    """
    path = config_near(directory)
    try:
        text = path.read_text(encoding="utf-8") if path is not None else ""
    except (OSError, ValueError):
        return ChangeRules()
    if _FIRST not in text and _LEAST not in text:
        # Reading JSON with comments takes longer than all of a look-up.
        return ChangeRules()
    found = parse_config(text)
    if found is None:
        notes.append("asv.conf.json cannot be read: its rules for regressions are not applied.")
        return ChangeRules()
    first: list[tuple[str, str | None]] = []
    for pattern, commit in _rules(found, _FIRST, notes):
        text = str(commit)
        if commit is None:
            first.append((pattern, None))
        elif len(text) >= _MIN_DIGITS and any(name.startswith(text) for name in commits):
            first.append((pattern, text))
        else:
            expected = "the hash of a commit with results, or null"
            notes.append(f"{_FIRST}: found {text[:100]!r}, expected {expected}.")
    least: list[tuple[str, float]] = []
    for pattern, part in _rules(found, _LEAST, notes):
        if isinstance(part, int | float) and not isinstance(part, bool) and 0 <= part < math.inf:
            least.append((pattern, float(part)))
        else:
            notes.append(f"{_LEAST}: found {str(part)[:100]!r}, expected a part of a level, such as 0.05.")
    return ChangeRules(tuple(first), tuple(least))


def _rules(found: Mapping[str, Any], key: str, notes: list[str]) -> list[tuple[str, Any]]:
    rules = found.get(key) or {}
    if not isinstance(rules, dict):
        notes.append(f"{key}: found {type(rules).__name__}, expected patterns and what holds for each.")
        return []
    made = []
    for pattern, value in rules.items():
        try:
            re.compile(str(pattern))
        except re.error as error:
            notes.append(f"{key}: found {str(pattern)[:100]!r}, expected a regular expression ({error}).")
        else:
            made.append((str(pattern), value))
    return made
