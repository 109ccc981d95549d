"""What a measurement depends on, as one digest, and stamps that say it was measured.

A stamp lies in ``.asv/measured/``, which is never published. It holds for the same hardware and
driver, the same installed distributions, the same tuning variables, the same selection of
benchmarks, and the same bytes in :data:`MEASURED_PATHS`: a commit that changes only documents is the
same content. Anything else may change a result, so a difference in it means measuring again.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

import msgspec

from bench_lib.files import write_whole
from bench_lib.hardware import Machine
from bench_lib.hardware.environment import TUNING_PREFIXES
from bench_lib.results import records
from bench_lib.roofline.analysis import find_sources
from bench_lib.roofline.report_folder import REPORTS_VARIABLE

MEASURED_PATHS: Final = ("bench_lib", "benchmarks", "asv.conf.json", "constraints.txt", "pyproject.toml")
STAMPS: Final = Path(".asv") / "measured"
#: What steers the measured libraries, and this project's own switches.
STEERING_PREFIXES: Final = (*TUNING_PREFIXES, "BENCH_LIB_")
_OUTPUT_VARIABLES: Final = {"BENCH_LIB_RESULTS"}


class Stamp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Proof of one run: where its results are, relative to the results directory."""

    commit: str
    benchmarks: dict[str, list[str]]
    records: list[str]


def measured_files(root: Path) -> dict[str, str]:
    """Path → SHA-256 of each file below :data:`MEASURED_PATHS` that git tracks or would track."""
    listing = subprocess.run(
        [
            *("git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"),
            *("--", *MEASURED_PATHS),
        ],
        capture_output=True,
        check=True,
    ).stdout
    names = sorted({os.fsdecode(name) for name in listing.split(b"\0") if name})
    return {
        name: hashlib.sha256((root / name).read_bytes()).hexdigest()
        for name in names
        if (root / name).is_file()
    }


def distributions() -> list[str]:
    """Name and version of everything installed for this interpreter."""
    return sorted({f"{d.metadata['Name']}=={d.version}" for d in metadata.distributions()})


def tuning(environ: Mapping[str, str]) -> dict[str, str]:
    """Variables of ``environ`` that can change a result."""
    return {
        key: value
        for key, value in sorted(environ.items())
        if key.startswith(STEERING_PREFIXES) and key not in _OUTPUT_VARIABLES
    }


def _reports(folder: str | None) -> dict[str, str]:
    """Path → SHA-256 of each profiler report that is tracked: they are input, as the code is."""
    sources, _ = find_sources((Path(folder),)) if folder else ([], [])
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in sources if p.is_file()}


def digest(root: Path, *, machine: Machine, selection: Sequence[str], environ: Mapping[str, str]) -> str:
    """Digest of all that a run in the current environment depends on."""
    parts = {
        "files": measured_files(root),
        "hardware": [machine.hardware.slug, machine.cpu.name, machine.cpu.num_cpus, machine.driver],
        "python": platform.python_version(),
        "distributions": distributions(),
        "tuning": tuning(environ),
        "reports": _reports(environ.get(REPORTS_VARIABLE)),
        "selection": sorted(set(selection)),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def asv_results(results: Path, slug: str) -> dict[Path, tuple[int, int]]:
    """asv's files for one machine and all our records, each with its time of change and size.

    Records lie under the hardware that they are of: one run measures the processor and its devices.
    """
    found = [p for p in (results / slug).glob("*.json") if p.name != "machine.json"]
    found += records.iter_paths(results)
    return {path: ((s := path.stat()).st_mtime_ns, s.st_size) for path in found}


def measured_benchmarks(path: Path) -> set[str]:
    """Benchmarks that an asv results file has a value for; empty where it cannot be read."""
    try:
        # asv writes NaN for a skip, which is no JSON but which this reader takes.
        results = json.loads(path.read_text(encoding="utf-8"))["results"]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {name for name, value in results.items() if value} if isinstance(results, dict) else set()


def make(root: Path, key: str, *, results: Path, commit: str, changed: Iterable[Path]) -> bool:
    """Stamp what a run has just written; ``False`` where it wrote no results of asv's."""
    files = sorted(changed)
    written = {
        path.relative_to(results).as_posix(): sorted(measured_benchmarks(path))
        for path in files
        if path.suffix == ".json"
    }
    if not any(written.values()):
        return False
    own = [p.relative_to(results).as_posix() for p in files if p.suffix == records.SUFFIX]
    stamp = Stamp(commit=commit, benchmarks=written, records=own)
    write_whole(root / STAMPS / f"{key}.json", msgspec.json.encode(stamp))
    return True


def find(root: Path, key: str, *, results: Path) -> Stamp | None:
    """The stamp for ``key``, where everything that it names is still there."""
    try:
        stamp = msgspec.json.decode((root / STAMPS / f"{key}.json").read_bytes(), type=Stamp)
    except (OSError, msgspec.DecodeError):
        return None
    for name, benchmarks in stamp.benchmarks.items():
        if not set(benchmarks) <= measured_benchmarks(results / name):
            return None
    return stamp if all((results / name).is_file() for name in stamp.records) else None
