"""Hardware against hardware, commit against commit, environment against environment.

The first is the baseline; a ratio is the other's value over the baseline's.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from bench_lib.errors import UsageError
from bench_lib.hardware import catalog
from bench_lib.model import status_words
from bench_lib.results.frames import Results
from bench_lib.results.lookup import commit_of, machines_of, newest

Kind = Literal["machine", "commit", "environment"]

#: Ratios nearer to 1 than this, either way round, are not relevant.
RELEVANT_CHANGE: Final = 0.05
#: Rows are compared where these agree.
_KEYS: Final[dict[Kind, list[str]]] = {
    "machine": ["benchmark", "parameters"],
    "commit": ["benchmark", "parameters", "machine", "environment"],
    "environment": ["benchmark", "parameters", "machine"],
}
_CARRIED: Final = (
    "value",
    "low",
    "high",
    "num_samples",
    "unit",
    "version",
    "status",
    "reason",
    "origin",
    "commit",
    "machine",
    "environment",
)
#: Names of devices that a CPU emulates, where no device file says it.
_SOFTWARE: Final = ("lavapipe", "llvmpipe", "swiftshader")


@dataclass(frozen=True)
class Side:
    """One thing compared: its name among machines, commits or environments."""

    kind: Kind
    name: str


@dataclass(frozen=True)
class Comparison:
    """What :func:`compare` returns.

    Parameters
    ----------
    rows
        One row a benchmark, parameters and candidate; those without a ratio come last. ``ratio`` with
        ``ratio_low`` and ``ratio_high``; ``is_significant`` (the interval excludes 1; missing where there
        is no interval) apart from ``is_relevant``; ``verdict``; ``note`` says why there is no ratio, or
        what is unlike.
    means
        Geometric mean of ratios by family, metric and candidate, with the number of rows in it and
        the number left out.
    """

    kind: Kind
    rows: pd.DataFrame
    means: pd.DataFrame


def sides_of(results: Results, texts: Sequence[str]) -> list[Side]:
    """What each of ``texts`` names: a machine or device, an environment, or the beginning of a commit.

    ``machine:``, ``commit:`` or ``environment:`` before a name says which.

    Raises
    ------
    UsageError
        A name means nothing here or more than one thing, or they are not of one kind.
    """
    if len(texts) < 2:
        raise UsageError.of("what to compare", found=list(texts), expected="two names or more")
    sides = [_side(results, text) for text in texts]
    kinds = sorted({side.kind for side in sides})
    if len(kinds) > 1:
        raise UsageError.of("what to compare", found=" and ".join(kinds), expected="things of one kind")
    if len(set(sides)) < len(sides):
        raise UsageError.of("what to compare", found=list(texts), expected="different things")
    return sides


def _side(results: Results, text: str) -> Side:
    kind, colon, name = text.partition(":")
    if colon and kind in _KEYS:
        found = _meanings(results, name, kinds=[kind])
    else:
        found = _meanings(results, text, kinds=list(_KEYS))
    if len(found) == 1:
        return found[0]
    if not found:
        machines = ", ".join(results.frame["machine"].cat.categories)
        raise UsageError.of(
            "what to compare",
            found=text,
            expected=f"a commit, an environment, or a machine of: {machines}",
            hint="" if catalog.find(text) is None else "The device is known; these results have none of it.",
        )
    meanings = ", ".join(f"{side.kind}:{side.name}" for side in found[:6])
    raise UsageError.of("what to compare", found=text, expected=f"one thing of: {meanings}")


def _meanings(results: Results, text: str, *, kinds: Sequence[Kind]) -> list[Side]:
    found: list[Side] = []
    if "machine" in kinds:
        with contextlib.suppress(UsageError):
            found += [Side("machine", name) for name in machines_of(results, text)]
    if "environment" in kinds and text in results.frame["environment"].cat.categories:
        found.append(Side("environment", text))
    if "commit" in kinds and (not found or kinds == ["commit"]):
        try:
            found.append(Side("commit", commit_of(results.frame, text)))
        except UsageError:
            # Too short a beginning: say that, unless the text means something else.
            if (
                kinds == ["commit"]
                or sum(c.startswith(text) for c in results.frame["commit"].cat.categories) > 1
            ):
                raise
    return found


def compare(
    results: Results,
    sides: Sequence[Side],
    *,
    frame: pd.DataFrame | None = None,
    relevant_change: float = RELEVANT_CHANGE,
) -> Comparison:
    """Compare the first of ``sides`` with each of the others.

    Of each series the newest row counts. A row that one side lacks is kept and shown as missing, one that
    a side skipped or failed at as such, with the reason.
    Values of unlike units or versions, and of a device that a CPU emulates with those of a GPU, get
    no ratio and a note.

    Parameters
    ----------
    frame
        Rows to compare; those of ``results`` where it is left out.
    relevant_change
        Part by which a value must change to be relevant.

    Raises
    ------
    UsageError
        ``relevant_change`` is no such part.
    """
    if not 0 <= relevant_change < math.inf:
        raise UsageError.of("relevant change", found=relevant_change, expected="a finite number from 0 on")
    kind = sides[0].kind
    rows = results.frame if frame is None else frame
    keys = _KEYS[kind]
    parts = [_part(rows, side, keys) for side in sides]
    compared = pd.concat(
        [
            _pair(parts[0], part, keys).assign(baseline=sides[0].name, candidate=side.name)
            for part, side in zip(parts[1:], sides[1:], strict=True)
        ],
        ignore_index=True,
    )
    _judge(compared, results, relevant_change=relevant_change)
    compared["family"] = [results.benchmarks[name].family for name in compared["benchmark"]]
    order = ["family", "metric", *keys, "baseline", "candidate", "baseline_value", "value", "unit", "ratio"]
    order += ["ratio_low", "ratio_high", "is_significant", "is_relevant", "verdict", "note"]
    compared = compared[[*order, *(c for c in compared.columns if c not in order)]]
    # Rows without a ratio come last: many of them would bury those that answer the question.
    compared = compared.assign(_is_last=compared["ratio"].isna())
    compared = compared.sort_values(["_is_last", *keys, "candidate"], kind="stable", ignore_index=True)
    del compared["_is_last"]
    return Comparison(kind, compared, _means(compared))


def _part(rows: pd.DataFrame, side: Side, keys: list[str]) -> pd.DataFrame:
    mine = newest(rows[(rows[side.kind] == side.name).to_numpy()])
    # One row a key: of several environments or commits of one machine, the newest.
    mine = mine.sort_values("date", ascending=False, kind="stable").drop_duplicates(keys)
    columns = [*keys, "metric", *(c for c in _CARRIED if c not in keys)]
    return mine[columns].astype(
        {c: object for c in columns if isinstance(mine[c].dtype, pd.CategoricalDtype)}
    )


def _pair(baseline: pd.DataFrame, candidate: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    renamed = baseline.rename(columns={c: f"baseline_{c}" for c in baseline.columns if c not in keys})
    merged = renamed.merge(candidate, on=keys, how="outer", indicator=True)
    merged["metric"] = merged["metric"].fillna(merged.pop("baseline_metric"))
    return merged


def _judge(rows: pd.DataFrame, results: Results, *, relevant_change: float) -> None:
    notes = [_note(row, results) for row in rows.to_dict("records")]
    rows["unit"] = rows["unit"].fillna(rows["baseline_unit"])
    stopped = np.array([not may for may, _ in notes], dtype=bool)
    old = rows["baseline_value"].to_numpy(dtype=float, na_value=np.nan)
    new = rows["value"].to_numpy(dtype=float, na_value=np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(stopped | ~(old > 0) | ~(new > 0), np.nan, new / old)
        # The widest that both intervals allow: as bench_lib.stats.ratio_interval, for all rows at once.
        old_low, old_high = _bounds(rows, "baseline_", old)
        new_low, new_high = _bounds(rows, "", new)
        low = np.where(np.isfinite(old_high), new_low / old_high, 0.0)
        high = np.where(old_low > 0, new_high / old_low, np.inf)
    low, high = (np.where(np.isnan(ratio), np.nan, bound) for bound in (low, high))
    known = ~np.isnan(low) & ~np.isnan(high)
    significant = (low > 1) | (high < 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        relevant = np.maximum(ratio, 1 / ratio) - 1 >= relevant_change
    rows["ratio"], rows["ratio_low"], rows["ratio_high"] = ratio, low, high
    rows["is_significant"] = _known_where(known, significant)
    rows["is_relevant"] = _known_where(~np.isnan(ratio), relevant)
    better = [results.benchmarks[name].better for name in rows["benchmark"]]
    rows["verdict"] = [
        _verdict(r, is_significant=bool(s), is_known=bool(k), is_relevant=bool(x), better=b)
        for r, s, k, x, b in zip(ratio, significant, known, relevant, better, strict=True)
    ]
    rows["note"] = [note for _, note in notes]
    del rows["_merge"]


def _known_where(known: Any, values: Any) -> pd.arrays.BooleanArray:
    return pd.arrays.BooleanArray(np.asarray(values, dtype=bool), ~np.asarray(known, dtype=bool))


def _bounds(rows: pd.DataFrame, prefix: str, value: Any) -> tuple[Any, Any]:
    low, high = (rows[f"{prefix}{c}"].to_numpy(dtype=float, na_value=np.nan) for c in ("low", "high"))
    return np.where(np.isneginf(low), 0.0, low), high


def _verdict(ratio: float, *, is_significant: bool, is_known: bool, is_relevant: bool, better: str) -> str:
    if np.isnan(ratio):
        return "not compared"
    if not is_relevant:
        return "same"
    if not is_known:
        return "unknown"
    if not is_significant:
        return "undecided"
    if better == "neither":
        return "different"
    return "worse" if (ratio > 1) == (better == "lower") else "better"


def _note(row: Mapping[Any, Any], results: Results) -> tuple[bool, str]:
    """Whether a row may have a ratio, and what a reader should know of it."""
    lacking = []
    for prefix, side, without in (("baseline_", "baseline", "right_only"), ("", "candidate", "left_only")):
        if row["_merge"] == without:
            lacking.append(f"missing in the {side}")
        elif row[f"{prefix}status"] != "ok":
            status, reason = status_words(str(row[f"{prefix}status"])), row[f"{prefix}reason"]
            lacking.append(f"{status} in the {side}" + (f": {reason}" if reason else ""))
    if lacking:
        return False, "; ".join(lacking)
    if row["baseline_unit"] != row["unit"]:
        return False, f"unlike units: {row['baseline_unit']} and {row['unit']}"
    if row["baseline_version"] and row["version"] and row["baseline_version"] != row["version"]:
        return False, "unlike versions of the benchmark"
    machines = [str(row.get("baseline_machine", row.get("machine"))), str(row.get("machine"))]
    if {hardware_kind(results, m) for m in machines} == {"software", "gpu"}:
        return False, "a device emulated on a CPU against a GPU"
    marks = []
    if row["baseline_origin"] != row["origin"] or row["origin"] != "measured":
        marks.append(f"{row['baseline_origin']} against {row['origin']}")
    if "baseline_environment" in row and row["baseline_environment"] != row["environment"]:
        marks.append(f"environments {row['baseline_environment']} and {row['environment']}")
    return True, "; ".join(marks)


def hardware_kind(results: Results, machine: str) -> str:
    """``gpu``, ``cpu``, ``software`` (emulated on a CPU) or ``unknown``, by device file or machine.json.

    Without either, only the slug of a processor tells: it ends in a number of CPUs.
    """
    facts = results.machines.get(machine, {})
    gpu = facts.get("gpu", "")
    for name in (machine, gpu):
        device = catalog.find(name) if name else None
        if device is not None:
            return device.kind
    if any(word in f"{machine} {gpu}".casefold() for word in _SOFTWARE):
        return "software"
    if gpu:
        return "gpu"
    return "cpu" if facts or re.search(r"-\d+cpu$", machine) else "unknown"


def _means(rows: pd.DataFrame) -> pd.DataFrame:
    columns = ["family", "metric", "candidate", "geometric_mean", "num_rows", "num_left_out"]
    made = []
    for (family, metric, candidate), group in rows.groupby(["family", "metric", "candidate"], sort=True):
        ratios = group["ratio"].dropna()
        mean = float(np.exp(np.log(ratios).mean())) if len(ratios) else np.nan
        made.append((family, metric, candidate, mean, len(ratios), len(group) - len(ratios)))
    return pd.DataFrame(made, columns=columns)
