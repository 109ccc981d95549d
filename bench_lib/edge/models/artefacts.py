"""Artefacts of models, written once a content and framework version, and kept in the user's cache."""

from __future__ import annotations

import functools
import hashlib
import json
import platform
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Final

import platformdirs

from bench_lib.edge import frameworks
from bench_lib.edge.frameworks import FRAMEWORKS, Case, adapter
from bench_lib.edge.models import decoder, protocol
from bench_lib.edge.models.process import ModelProcess
from bench_lib.hardware.detect import cpu_slug, detect_cpu
from bench_lib.hardware.environment import distribution_version

EXPORT_TIMEOUT_S: Final = 900.0
_PACKAGE: Final = Path(__file__).parents[2]


def default_cache() -> Path:
    """The user's cache folder for artefacts."""
    return Path(platformdirs.user_cache_dir("bench-lib", appauthor=False)) / "models"


@functools.cache
def _processor() -> str:
    return f"{platform.machine()} {cpu_slug(detect_cpu())}"


def _digest(case: Case) -> str:
    # What the artefact depends on: the weights, the code that writes it, the packages that it calls, and the
    # processor that it is compiled for: a home folder may be shared by several machines.
    source = _PACKAGE.parent / Path(*FRAMEWORKS[case.framework].partition(":")[0].split(".")).with_suffix(
        ".py"
    )
    content = hashlib.sha256()
    made_by = adapter(case.framework)
    for part in (
        json.dumps(asdict(case), sort_keys=True),
        json.dumps(asdict(decoder.DECODER), sort_keys=True),
        *(str(distribution_version(name)) for name in (made_by.distribution, *made_by.exports_with)),
        _processor(),
        Path(decoder.__file__).read_text(encoding="utf-8"),
        (Path(frameworks.__file__).parent / "torch_program.py").read_text(encoding="utf-8"),
        source.read_text(encoding="utf-8"),
    ):
        content.update(part.encode())
    return content.hexdigest()[:20]


def artefact(case: Case, *, cache: Path, threads: int) -> Path:
    """The artefact of ``case``, exported in a process of its own where the cache does not have it.

    Raises
    ------
    Failure
        The framework is not there, or did not export.
    """
    folder = cache / _digest(case)
    if found := _kept(folder):
        return found
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix=".new-") as name:
        work, made = Path(name) / "work", Path(name) / "artefact"
        work.mkdir()
        made.mkdir()
        with ModelProcess(work, threads=threads) as process:
            exported = process.ask(
                protocol.Export(case, str(made)),
                protocol.Exported,
                doing="exporting",
                timeout_s=EXPORT_TIMEOUT_S,
            )
        for other in made.iterdir():
            if other.name != exported.name:
                shutil.rmtree(other) if other.is_dir() else other.unlink()
        try:
            # Takes the place of an empty folder too.
            made.rename(folder)
        except OSError:
            # Another process may have been faster: its artefact has the same content.
            if not _kept(folder):
                raise
    return folder / exported.name


def _kept(folder: Path) -> Path | None:
    # Some file managers leave hidden files of their own.
    found = [p for p in folder.iterdir() if not p.name.startswith(".")] if folder.is_dir() else []
    return found[0] if found else None


def size_bytes(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    return sum(p.stat().st_size for p in ([path] if path.is_file() else path.rglob("*")) if p.is_file())
