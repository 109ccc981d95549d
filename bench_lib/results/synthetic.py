"""Results directories as asv writes them, with made-up values and known steps: for benchmarks and tests.

Nothing here was measured. Steps are planted at known commits, so that what finds changes can be checked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: The columns of asv 0.6.6.
RESULT_COLUMNS: Final = [
    "result",
    "params",
    "version",
    "started_at",
    "duration",
    "stats_ci_99_a",
    "stats_ci_99_b",
    "stats_q_25",
    "stats_q_75",
    "stats_number",
    "stats_repeat",
    "samples",
    "profile",
]
_DAY_MS: Final = 86_400_000
_FIRST_MS: Final = 1_577_836_800_000  # 2020-01-01, UTC
_SIZES: Final = (0.02, 0.05, 0.1, 0.2)


@dataclass(frozen=True)
class Step:
    """A planted step: values from commit number ``index`` on are ``factor`` times those before."""

    benchmark: str
    machine: str
    parameters: str
    index: int
    factor: float


def commit_name(index: int) -> str:
    """The made-up hash of commit number ``index``."""
    return hashlib.sha1(f"commit {index}".encode()).hexdigest()


def write_store(
    directory: Path,
    *,
    num_machines: int = 3,
    num_commits: int = 1000,
    num_benchmarks: int = 200,
    num_parameter_sets: int = 1,
    noise: float = 0.02,
    seed: int = 0,
) -> tuple[Step, ...]:
    """Write a store of asv's format 2 and return the steps planted in it, one in every second series.

    One file a machine and commit; every benchmark has ``num_parameter_sets`` values in each. Noise is
    normal, with ``noise`` its coefficient of variation.
    """
    rng = np.random.default_rng(seed)
    names = [f"bench_{i // 10}.Suite.time_case_{i}" for i in range(num_benchmarks)]
    params = [[str(10**i) for i in range(num_parameter_sets)]] if num_parameter_sets > 1 else []
    _write_json(directory / "benchmarks.json", {"version": 2} | {n: _entry(n, params) for n in names})
    steps: list[Step] = []
    for number in range(num_machines):
        machine = f"machine-{number}"
        facts = {"machine": machine, "os": "Linux", "arch": "x86_64", "num_cpu": "8", "ram": "16 GiB"}
        _write_json(directory / machine / "machine.json", facts | {"version": 1})
        level = rng.uniform(-6, 0, (num_benchmarks, num_parameter_sets))
        factors = np.ones((num_commits, num_benchmarks, num_parameter_sets))
        for which in range(0, num_benchmarks * num_parameter_sets, 2):
            bench, parameter = divmod(which, num_parameter_sets)
            index = int(rng.integers(num_commits // 5, max(num_commits - num_commits // 5, 2)))
            factor = 1 + float(rng.choice(_SIZES)) * int(rng.choice([-1, 1]))
            factors[index:, bench, parameter] *= factor
            text = f"n={params[0][parameter]}" if params else ""
            steps.append(Step(names[bench], machine, text, index, factor))
        values = 10**level * factors * (1 + noise * rng.standard_normal(factors.shape))
        for commit in range(num_commits):
            content = _results_file(commit, facts=facts, names=names, params=params, values=values[commit])
            _write_json(directory / machine / f"{commit_name(commit)[:8]}-virtualenv-py3.11.json", content)
    return tuple(steps)


def _entry(name: str, params: list[list[str]]) -> dict[str, Any]:
    return {
        "code": "",
        "name": name,
        "param_names": ["n"] if params else [],
        "params": params,
        "type": "time",
        "unit": "seconds",
        "version": _version(name),
    }


def _version(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def _results_file(
    commit: int, *, facts: dict[str, str], names: Sequence[str], params: list[list[str]], values: Floats
) -> dict[str, Any]:
    date = _FIRST_MS + commit * _DAY_MS
    n = values.shape[1]
    rows = {}
    for name, result in zip(names, values, strict=True):
        spread = [[float(f"{v * f:.5g}") for v in result] for f in (0.98, 1.02, 0.99, 1.01)]
        rows[name] = [result.tolist(), params, _version(name), date, 1.5, *spread, [1] * n, [10] * n]
    return {
        "commit_hash": commit_name(commit),
        "env_name": "virtualenv-py3.11",
        "date": date,
        "params": facts | {"python": "3.11"},
        "python": "3.11",
        "requirements": {},
        "env_vars": {},
        "result_columns": RESULT_COLUMNS,
        "results": rows,
        "durations": {},
        "version": 2,
    }


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(content))
