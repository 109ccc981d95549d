"""Our records: one JSON file a :class:`~bench_lib.model.Run`, beside asv's results.

They keep what asv's files cannot: why a benchmark was skipped or failed, every rank's samples,
and what the machine was doing. They lie in ``<results>/records/<hardware>/``, with the ending
``.record``: asv reads every ``*.json`` below its results directory as one of its own.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
from slugify import slugify

from bench_lib.errors import DamagedFileError, UsageError
from bench_lib.files import write_whole
from bench_lib.model import SCHEMA, Run

DIRECTORY = "records"
SUFFIX = ".record"


@dataclass(frozen=True)
class LoadedRecords:
    """Runs that could be read with the file of each, and an error for each file that could not be."""

    runs: tuple[Run, ...]
    damaged: tuple[DamagedFileError, ...]
    paths: tuple[Path, ...] = ()


def path_of(run: Run, results_dir: Path) -> Path:
    """Where ``run`` is stored. Launches accumulate: only a run of the same session replaces another.

    Identity is benchmark, version, parameters, hardware, commit (and whether the files were those of
    the commit), torch and Python version, and session; no part of it reaches the path unescaped.
    """
    identity = json.dumps(
        [
            run.benchmark,
            run.version,
            sorted(run.params.items()),
            run.hardware,
            run.environment.commit,
            bool(run.environment.dirty),
            run.environment.torch,
            run.environment.python,
            run.session,
        ]
    )
    digest = hashlib.sha256(identity.encode()).hexdigest()[:16]
    commit = slugify(run.environment.commit or "no-commit")[:8]
    name = f"{commit}-{slugify(run.benchmark)[:60]}-{digest}{SUFFIX}"
    return results_dir / DIRECTORY / (slugify(run.hardware)[:100] or "unknown") / name


def to_json(run: Run) -> str:
    """``run`` as indented JSON, ending with a newline."""
    return msgspec.json.format(msgspec.json.encode(run, order="sorted"), indent=1).decode() + "\n"


def write(run: Run, results_dir: Path) -> Path:
    """Store ``run`` and return its path.

    Raises
    ------
    UsageError
        Nothing can be written there.
    """
    path = path_of(run, results_dir)
    try:
        write_whole(path, to_json(run))
    except OSError as error:
        raise _not_writable(results_dir, error) from error
    return path


def require_writable(results_dir: Path) -> None:
    """Make the directory for records, before a measurement that would be lost without it.

    Raises
    ------
    UsageError
        It cannot be made, or not be written to.
    """
    try:
        (results_dir / DIRECTORY).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=results_dir / DIRECTORY):
            pass
    except OSError as error:
        raise _not_writable(results_dir, error) from error


def _not_writable(results_dir: Path, error: OSError) -> UsageError:
    return UsageError.of(
        "results directory", found=str(results_dir), expected=f"one to write to ({error.strerror or error})"
    )


def read(path: Path) -> Run:
    """Read one record.

    Raises
    ------
    DamagedFileError
        The file is not a record of a schema that this version knows.
    """
    try:
        run = msgspec.json.decode(path.read_bytes(), type=Run)
    except (OSError, ValueError, msgspec.DecodeError) as error:
        raise DamagedFileError(
            path,
            found=str(error),
            expected=f"a record of schema 1 to {SCHEMA}",
            hint="Delete the file and measure again.",
        ) from error
    if not 1 <= run.schema <= SCHEMA:
        raise DamagedFileError(
            path,
            found=f"schema {run.schema}",
            expected=f"schema 1 to {SCHEMA}",
            hint="Read it with the version of bench_lib that wrote it, or a newer one.",
        )
    return run


def iter_paths(results_dir: Path) -> Iterator[Path]:
    """All record files below ``results_dir``, in a stable order."""
    yield from sorted((results_dir / DIRECTORY).glob(f"*/*{SUFFIX}"))


def load(results_dir: Path) -> LoadedRecords:
    """Read every record; a damaged file is named, and the others are still read."""
    runs: list[Run] = []
    paths: list[Path] = []
    damaged: list[DamagedFileError] = []
    for path in iter_paths(results_dir):
        try:
            runs.append(read(path))
        except DamagedFileError as error:
            damaged.append(error)
        else:
            paths.append(path)
    return LoadedRecords(tuple(runs), tuple(damaged), tuple(paths))
