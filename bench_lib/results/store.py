"""All cells of a results directory, and a cache that spares parsing what did not change."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import os
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Any, Final

import msgspec
import numpy as np

from bench_lib.errors import DamagedFileError
from bench_lib.files import whole_file
from bench_lib.results.asv_cells import Cells, Interner, Tables
from bench_lib.results.asv_files import ParsedFile, parse
from bench_lib.results.asv_index import machine_folders

CACHE_VARIABLE: Final = "BENCH_LIB_CACHE"
#: Changes with the layout of the cache file or the meaning of a column: older caches are then parsed anew.
CACHE_FORMAT: Final = b"bench_lib cells 3"
#: Below this, parsing is over before a cache has been opened.
SMALLEST_CACHED_BYTES: Final = 4_000_000
#: Rows of one compressed batch of the cache.
_BATCH: Final = 1 << 18
#: A file changed within this time of being read may change again within one tick of its clock.
_SETTLED_NS: Final = 2_000_000_000


class SourceFile(msgspec.Struct, frozen=True):
    """One results file as it was parsed: its place, its content, and how many cells it gave."""

    path: str
    size: int
    mtime_ns: int
    digest: str
    commit: str
    date_ms: int | None
    machine: str
    environment: str
    num_cells: int


@dataclass(frozen=True)
class Store:
    """Files in the order of their paths, and their cells in the same order."""

    files: tuple[SourceFile, ...]
    cells: Cells
    combinations: tuple[str, ...]
    versions: tuple[str, ...]
    damaged: tuple[DamagedFileError, ...]
    notes: tuple[str, ...]
    num_parsed: int


def read_store(results_dir: Path, *, cache: bool) -> Store:
    """Cells of every asv results file in ``results_dir``; only files that changed are parsed."""
    unusable: list[DamagedFileError] = []
    found = list(_results_files(results_dir, unusable))
    large = sum(status.st_size for _, status in found) >= SMALLEST_CACHED_BYTES
    notes: list[str] = []
    cache_path = _cache_path(results_dir) if cache and large else None
    if cache_path is not None and not _has_pyarrow():
        notes.append(
            "Read without a cache: pyarrow is not installed. To read only what changed next time: "
            "python -m pip install 'bench-lib[results]'"
        )
        cache_path = None
    known = _read_cache(cache_path, notes) if cache_path is not None else None
    merge = _Merge(known)
    merge.damaged += unusable
    with _without_collector():
        for path, status in found:
            merge.add(path, status, results_dir)
    store = merge.store(notes)
    if cache_path is not None and merge.changed:
        try:
            with whole_file(cache_path) as stream:
                _write_cache(stream, store)
        except OSError as error:
            store = Store(**{**_shallow(store), "notes": (*store.notes, f"No cache was kept: {error}")})
    return store


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Python's search for cycles, put off: parsed JSON has none, and the search takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _shallow(store: Store) -> dict[str, Any]:
    return {f.name: getattr(store, f.name) for f in fields(store)}


#: Path → (size, time of change, digest of its content) of files that had settled when they were read.
_digests: dict[str, tuple[int, int, bytes]] = {}


def content_digest(path: Path, status: os.stat_result, content: bytes | None = None) -> bytes:
    """Hash over the content of the file ``path``; read once a process while its size and time stay.

    ``content`` is what the caller has read already.

    Raises
    ------
    OSError
        It cannot be read.
    """
    name = str(path.absolute())
    known = _digests.get(name)
    has_settled = time.time_ns() - status.st_mtime_ns > _SETTLED_NS
    if known is not None and has_settled and known[:2] == (status.st_size, status.st_mtime_ns):
        return known[2]
    digest = hashlib.blake2b(path.read_bytes() if content is None else content, digest_size=16).digest()
    if has_settled:
        _digests[name] = (status.st_size, status.st_mtime_ns, digest)
    return digest


def _results_files(
    results_dir: Path, unusable: list[DamagedFileError]
) -> Iterator[tuple[Path, os.stat_result]]:
    """Every results file, by name; what has the name of one and is no file is added to ``unusable``."""
    for folder in machine_folders(results_dir):
        try:
            with os.scandir(folder) as entries:
                ordered = sorted(entries, key=lambda e: e.name)
        except OSError as error:
            unusable.append(DamagedFileError(folder, found=str(error), expected="a readable folder"))
            continue
        for entry in ordered:
            hidden = entry.name.startswith(".")
            if not entry.name.endswith(".json") or entry.name == "machine.json" or hidden:
                continue
            path = Path(entry.path)
            try:
                status = entry.stat()
            except OSError as error:
                # A link that leads nowhere, or to itself.
                unusable.append(DamagedFileError(path, found=str(error), expected="a readable file"))
                continue
            if not stat.S_ISREG(status.st_mode):
                # Reading a pipe would wait for ever.
                unusable.append(DamagedFileError(path, found="no file", expected="a results file of asv"))
                continue
            yield path, status


class _Merge:
    """Cells of known and of new files, joined in the order in which they are added."""

    def __init__(self, known: Store | None) -> None:
        self.tables = Tables()
        self.known: dict[str, tuple[SourceFile, slice, slice]] = {}
        self.known_cells = known.cells if known else None
        self.num_known = 0
        self.num_reused = 0
        self.num_parsed = 0
        self.refreshed = False
        self.files: list[SourceFile] = []
        self.parts: list[Cells | tuple[slice, slice]] = []
        self.damaged: list[DamagedFileError] = []
        if known is not None:
            self.tables.combination = Interner(known.combinations)
            self.tables.version = Interner(known.versions)
            self.num_known = len(known.files)
            ends = np.concatenate([[0], np.cumsum(known.cells.sample_counts, dtype=np.int64)])
            start = 0
            for file in known.files:
                stop = start + file.num_cells
                self.known[file.path] = (file, slice(start, stop), slice(int(ends[start]), int(ends[stop])))
                start = stop

    @property
    def changed(self) -> bool:
        return self.num_parsed > 0 or self.refreshed or self.num_reused != self.num_known

    def add(self, path: Path, status: os.stat_result, root: Path) -> None:
        relative = path.relative_to(root).as_posix()
        known = self.known.get(relative)
        if known is not None:
            file, rows, flat = known
            same = file.size == status.st_size and file.mtime_ns == status.st_mtime_ns
            if same and time.time_ns() - status.st_mtime_ns > _SETTLED_NS:
                self._reuse(file, rows, flat)
                return
        try:
            content = path.read_bytes()
        except OSError as error:
            self.damaged.append(DamagedFileError(path, found=str(error), expected="a readable file"))
            return
        digest = content_digest(path, status, content).hex()
        if known is not None and known[0].digest == digest:
            file = msgspec.structs.replace(known[0], mtime_ns=status.st_mtime_ns)
            self.refreshed = self.refreshed or file != known[0]
            self._reuse(file, known[1], known[2])
            return
        try:
            parsed = parse(path, content, tables=self.tables)
        except DamagedFileError as error:
            self.damaged.append(error)
            return
        self.num_parsed += 1
        self.files.append(_source_file(relative, status, digest, parsed))
        self.parts.append(parsed.cells)

    def _reuse(self, file: SourceFile, rows: slice, flat: slice) -> None:
        self.num_reused += 1
        self.files.append(file)
        last = self.parts[-1] if self.parts else None
        # Neighbours are joined, so that an unchanged store is one slice and nothing is copied.
        if isinstance(last, tuple) and last[0].stop == rows.start:
            self.parts[-1] = (slice(last[0].start, rows.stop), slice(last[1].start, flat.stop))
        else:
            self.parts.append((rows, flat))

    def store(self, notes: Sequence[str]) -> Store:
        columns: dict[str, Any] = {}
        parts = [vars(part).copy() if isinstance(part, Cells) else part for part in self.parts]
        known = vars(self.known_cells).copy() if self.known_cells else {}
        self.parts, self.known_cells = [], None
        for column in (f.name for f in fields(Cells)):
            pieces = []
            # Taken out, so that of a large store never more than one column is in memory twice.
            whole = known.pop(column, None)
            for part in parts:
                if isinstance(part, dict):
                    pieces.append(part.pop(column))
                else:
                    pieces.append(whole[part[1 if column == "samples" else 0]])
            columns[column] = np.concatenate(pieces) if len(pieces) > 1 else _only(pieces, column)
        return Store(
            files=tuple(self.files),
            cells=Cells(**columns),
            combinations=tuple(self.tables.combination.texts()),
            versions=tuple(self.tables.version.texts()),
            damaged=tuple(self.damaged),
            notes=tuple(notes),
            num_parsed=self.num_parsed,
        )


_DTYPES: Final = {
    "combination": np.int32,
    "version": np.int32,
    "num_samples": np.int32,
    "sample_counts": np.int32,
    "status": np.int8,
}


def _only(pieces: list[Any], column: str) -> Any:
    return pieces[0] if pieces else np.empty(0, dtype=_DTYPES.get(column, np.float64))


def _source_file(relative: str, status: os.stat_result, digest: str, parsed: ParsedFile) -> SourceFile:
    return SourceFile(
        path=relative,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        digest=digest,
        commit=parsed.commit,
        date_ms=parsed.date_ms,
        machine=parsed.machine,
        environment=parsed.environment,
        num_cells=len(parsed.cells),
    )


def _cache_path(results_dir: Path) -> Path:
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        root = Path(chosen)
    else:
        import platformdirs

        root = platformdirs.user_cache_path("bench_lib", appauthor=False)
    name = hashlib.sha256(str(results_dir.resolve()).encode(errors="surrogateescape")).hexdigest()[:24]
    return root / "results" / f"{name}.arrow"


def _has_pyarrow() -> bool:
    try:
        import pyarrow as pa
    except ImportError:
        return False
    return bool(pa.__version__)


def _write_cache(stream: IO[bytes], store: Store) -> None:
    """Write in batches: each is compressed as a whole, which needs its size once more."""
    import pyarrow as pa

    cells = store.cells
    names = [f.name for f in fields(Cells) if f.name != "samples"]
    ends = np.concatenate([[0], np.cumsum(cells.sample_counts, dtype=np.int64)])
    metadata = {
        b"format": CACHE_FORMAT,
        b"files": msgspec.json.encode(store.files),
        b"combinations": json.dumps(store.combinations).encode(),
        b"versions": json.dumps(store.versions).encode(),
    }

    def batch(start: int, stop: int) -> Any:
        columns = [pa.array(getattr(cells, name)[start:stop]) for name in names]
        own = ends[start : stop + 1]
        flat = pa.array(cells.samples[own[0] : own[-1]])
        samples = pa.LargeListArray.from_arrays(pa.array(own - own[0]), flat)
        return pa.record_batch([*columns, samples], names=[*names, "samples"])

    schema = batch(0, 0).schema.with_metadata(metadata)
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_file(stream, schema, options=options) as writer:
        for start in range(0, len(cells), _BATCH):
            stop = min(start + _BATCH, len(cells))
            writer.write_batch(batch(start, stop).replace_schema_metadata(metadata))


def _read_cache(path: Path, notes: list[str]) -> Store | None:
    """The store that was cached, or nothing: a cache that cannot be used is made anew."""
    import pyarrow as pa

    if not path.is_file():
        return None
    try:
        with pa.OSFile(str(path)) as source:
            reader = pa.ipc.open_file(source)
            metadata = reader.schema.metadata or {}
            if metadata.get(b"format") != CACHE_FORMAT:
                return None
            files = tuple(msgspec.json.decode(metadata[b"files"], type=list[SourceFile]))
            columns = _read_columns(reader, sum(f.num_cells for f in files))
        store = Store(
            files=files,
            cells=Cells(**columns),
            combinations=tuple(json.loads(metadata[b"combinations"])),
            versions=tuple(json.loads(metadata[b"versions"])),
            damaged=(),
            notes=(),
            num_parsed=0,
        )
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        notes.append(f"The cache {path} was damaged ({str(error)[:200]}) and is made anew.")
        return None
    return store


def _read_columns(reader: Any, length: int) -> dict[str, Any]:
    """Columns of :class:`Cells`, ``length`` rows, read batch by batch so that little is in memory twice."""
    columns: dict[str, Any] = {
        f.name: np.empty(length, dtype=_DTYPES.get(f.name, np.float64))
        for f in fields(Cells)
        if f.name != "samples"
    }
    samples, start = [], 0
    for number in range(reader.num_record_batches):
        batch = reader.get_batch(number)
        stop = start + batch.num_rows
        if stop > length:
            raise ValueError("more cells than the files have")
        for name, column in columns.items():
            column[start:stop] = batch.column(name).to_numpy(zero_copy_only=False)
        flat = batch.column("samples").flatten()
        if len(flat):
            samples.append(flat.to_numpy(zero_copy_only=False))
        start = stop
    if start != length:
        raise ValueError("fewer cells than the files have")
    columns["samples"] = np.concatenate(samples) if samples else np.empty(0)
    return columns
