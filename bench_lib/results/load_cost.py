"""What it costs to load a results directory: processor time and peak memory, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench_lib.errors import BenchLibError
from bench_lib.results.store import CACHE_VARIABLE

_CHILD = """
import json, resource, sys, time
import pandas, pyarrow
from bench_lib import results
cpu, wall = time.process_time(), time.perf_counter()
found = results.read(sys.argv[1])
print(json.dumps({
    "cpu_time_s": time.process_time() - cpu,
    "wall_time_s": time.perf_counter() - wall,
    "peak_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    "num_rows": len(found.frame),
    "num_parsed": found.num_parsed,
}))
"""


@dataclass(frozen=True)
class LoadCost:
    """Cost of one load; importing pandas and pyarrow is left out of the times, and is in the memory.

    On macOS, where ``ru_maxrss`` counts bytes, ``peak_rss_bytes`` is not known and is refused.
    """

    cpu_time_s: float
    wall_time_s: float
    peak_rss_bytes: int
    num_rows: int
    num_parsed: int


def measure(directory: Path | str) -> tuple[LoadCost, LoadCost]:
    """Costs of loading ``directory`` cold (no cache) and then warm (nothing changed), with an own cache.

    Raises
    ------
    BenchLibError
        A load failed, or this system does not say its peak memory in KiB.
    """
    if sys.platform == "darwin":
        raise BenchLibError("load cost: found macOS, expected Linux, where ru_maxrss counts KiB.")
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = (_load(directory, cache) for _ in range(2))
    return cold, warm


def _load(directory: Path | str, cache: str) -> LoadCost:
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(directory)],
        env={**os.environ, CACHE_VARIABLE: cache},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BenchLibError(f"load cost: a load ended with code {done.returncode}: {done.stderr[-500:]}")
    return LoadCost(**json.loads(done.stdout))
