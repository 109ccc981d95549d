"""A directory as asv leaves it after years: machines, versions, gaps, damage, names with markup."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

COLUMNS = ["result", "params", "version", "stats_ci_99_a", "stats_ci_99_b", "stats_repeat"]
#: Milliseconds of the first commit, and of a day.
START, DAY = 1_600_000_000_000, 86_400_000
NUM_COMMITS = 24
#: A name that tries every way out of a page, a script, an address and a line.
HOSTILE = (
    "</script><img src=x onerror=alert(1)>\"'&{{7*7}} javascript:alert(1) "
    "\u202e\u05d0\u05d1 `x` \x1b[31m" + "very.long." * 20
)


def commit(number: int) -> str:
    """The hash of the commit of one day."""
    return f"{number:02x}" * 20


def cell(value: float | None, *, version: str = "1", spread: float = 0.01) -> list[Any]:
    """One value with its interval, as asv stores it."""
    if value is None or math.isnan(value):
        return [[value], [], version]
    return [[value], [], version, [value * (1 - spread)], [value * (1 + spread)], [10]]


def write_machine(root: Path, name: str, **facts: str) -> None:
    """machine.json of a folder; the machine may be called otherwise than the folder."""
    (root / name).mkdir(parents=True, exist_ok=True)
    about = {"machine": name, "cpu": "Example CPU", "os": "Linux", "version": 1, **facts}
    (root / name / "machine.json").write_text(json.dumps(about), encoding="utf-8")


def write_file(root: Path, machine: str, number: int, rows: dict[str, Any], *, env: str = "py3.11") -> Path:
    """The results of one commit."""
    (root / machine).mkdir(parents=True, exist_ok=True)
    content = {
        "commit_hash": commit(number),
        "env_name": env,
        "date": START + number * DAY,
        "params": {"machine": HOSTILE if machine == "odd" else machine},
        "result_columns": COLUMNS,
        "results": rows,
        "version": 2,
    }
    path = root / machine / f"{commit(number)[:8]}-{env}.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def wobble(number: int) -> float:
    """A little noise, the same each time."""
    return 1 + 0.002 * ((number * 7919) % 11 - 5) / 5


def write_results(root: Path) -> Path:
    """Fill ``root``; returns it."""
    index: dict[str, Any] = {
        "suite.time_it": {"unit": "seconds", "type": "time", "version": "1"},
        "suite.time_grid": {"unit": "seconds", "param_names": ["n", "kind"], "type": "time"},
        "suite.track_rate": {"unit": "items/s", "type": "track"},
        "suite.mem_table": {"unit": "bytes", "type": "memory"},
        "suite.time_never": {"unit": "seconds", "type": "time"},
        HOSTILE: {"unit": "seconds", "type": "time"},
        "version": 2,
    }
    root.mkdir(parents=True, exist_ok=True)
    (root / "benchmarks.json").write_text(json.dumps(index), encoding="utf-8")
    write_machine(root, "alpha")
    write_machine(root, "beta", gpu="NVIDIA H100 80GB HBM3")
    write_machine(root, "software", gpu="llvmpipe (LLVM 15)")
    write_machine(root, "odd", machine=HOSTILE)
    grid = [["'1'", "'2'"], ["'x'", "'y<b>'"]]
    for number in range(NUM_COMMITS):
        slow = 1.3 if number >= 12 else 1.0
        for machine, speed in (
            ("alpha", 1.0),
            ("beta", 0.5),
            ("software", 3.0),
            ("nofacts", 2.0),
            ("odd", 1.1),
        ):
            if machine != "alpha" and number % 3:
                continue
            w = speed * wobble(number)
            values = [0.01 * w, 0.02 * w, None if number > 20 else 0.03 * w, 0.04 * w]
            low, high = [v and v * 0.99 for v in values], [v and v * 1.01 for v in values]
            rows: dict[str, Any] = {
                "suite.time_it": cell(0.001 * w * slow, version="1" if number < 20 else "2"),
                "suite.time_grid": [values, grid, "1", low, high, [10] * 4],
                "suite.track_rate": cell(500 / w),
                "suite.mem_table": cell(float("nan") if machine == "software" else 2048.0 * w),
                HOSTILE: cell(0.2 * w / slow),
            }
            if machine == "nofacts":
                del rows["suite.track_rate"]
            write_file(root, machine, number, rows)
    # Of another version than on the others, and in a second environment.
    write_file(root, "beta", 22, {"suite.time_it": cell(0.0005, version="1")}, env="py3.12")
    whole = write_file(root, "alpha", NUM_COMMITS, {"suite.time_it": cell(0.001, version="2")}).read_text(
        encoding="utf-8"
    )
    (root / "alpha" / "half<i>.json").write_text(whole[: len(whole) // 2], encoding="utf-8")
    return root


CONF = (
    'suppress_warnings = ["bench_lib.damaged-result"]\n'
    'extensions = ["bench_lib.sphinx_ext"]\nbench_lib_results = "../results"\nhtml_theme = "furo"\n'
    'bench_lib_show_commit_url = "https://github.com/example/project/commit/"\n'
)


def build_tables(root: Path, *options: str, output: str = "html", conf: str = "") -> Path:
    """Build a Sphinx project of one document with the results beside it; warnings are errors."""
    (root / "src").mkdir(exist_ok=True)
    (root / "src" / "conf.py").write_text(CONF + conf, encoding="utf-8")
    (root / "src" / "index.rst").write_text("Title\n=====\n\nText\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "-q",
        "-b",
        "html",
        *options,
        str(root / "src"),
        str(root / output),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return root / output
