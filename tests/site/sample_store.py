"""A results directory as asv writes it, with everything in it that a page must get right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sample_records import HOSTILE

from bench_lib.results import synthetic

#: Benchmarks of the store, by what they are there for.
STEP = "bench_0.Suite.time_case_0"
ODD = "bench_0.Suite.time_case_1"
HOSTILE_NAME = 'bad.<img src=x onerror=alert(1)>."quoted" & </script>.time_it'
NUM_COMMITS = 80
STEP_AT = 50


def write_store(directory: Path) -> None:
    """Two machines, 80 commits, three benchmarks and a hostile one.

    ``STEP`` grows by 30 % at commit 50 on machine-0. ``ODD`` changes its version at commit 40, is skipped
    at 60 and fails at 61. One file is half written, machine-1 has no machine.json, and one file is of a
    commit whose name is no hash.
    """
    synthetic.write_store(directory, num_machines=2, num_commits=NUM_COMMITS, num_benchmarks=3)
    for machine in ("machine-0", "machine-1"):
        for index in range(NUM_COMMITS):
            path = directory / machine / f"{synthetic.commit_name(index)[:8]}-virtualenv-py3.11.json"
            content = json.loads(path.read_text())
            change(content["results"], index, machine=machine)
            if machine == "machine-0":
                content["params"]["machine"] = "machine-0"
            path.write_text(json.dumps(content))
    (directory / "machine-1" / "machine.json").unlink()
    (directory / "machine-0" / "half-virtualenv-py3.11.json").write_text(path.read_text()[:500])
    content["commit_hash"] = "no-hash</script>"
    content["date"] += 86_400_000
    (directory / "machine-1" / "odd-virtualenv-py3.11.json").write_text(json.dumps(content))


def change(rows: dict[str, list[Any]], index: int, *, machine: str) -> None:
    # Values between 9.9 and 10.1 ms that repeat every seven commits: no noise that a test must know.
    value = 0.01 * (1 + 0.003 * (index * 5 % 7 - 3))
    if machine == "machine-1":
        value *= 2
    has_step = machine == "machine-0" and index >= STEP_AT
    rows[STEP][0] = [value * (1.3 if has_step else 1)]
    rows[STEP][5:9] = [[rows[STEP][0][0] * f] for f in (0.98, 1.02, 0.99, 1.01)]
    rows[STEP][11:] = [[[value * 0.99, value, value * 1.01]]]
    if index >= 40:
        rows[ODD][2] = "another version"
    if index in (60, 61):
        rows[ODD][0] = [float("nan")] if index == 60 else None
        rows[ODD][5:] = [None] * 6
    params = [["1", "2"], ["'a'", HOSTILE]]
    rows[HOSTILE_NAME] = [[value * f for f in (1, 2, 3, 4)], params, "1", 0, 1.0, *([[value] * 4] * 4)]
    rows[HOSTILE_NAME][5:] = [[value * f for f in (1, 2, 3, 4)]] * 4
