"""Reader of ``.ncu-rep`` files. No NVIDIA package, driver or GPU is needed.

A report is ``NVR\\0``, a length-prefixed file header, and blocks. A block is a length-prefixed
header and a payload of length-prefixed sources and results. Opening a report walks all headers, so
a file that was cut short is refused at once; launches are then read one at a time, so memory does
not grow with their number. The format has no checksum: a changed bit inside a stored number is
caught only where the report contradicts itself (``classify``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Final

from bench_lib.roofline import ncu_schema as schema
from bench_lib.roofline.launch import Launch, SourceFacts, clock_control_option
from bench_lib.roofline.ncu_metrics import ReportMetrics, damaged_report

MAGIC: Final = b"NVR\0"
FORMAT_VERSION: Final = 7
_VERSION: Final = re.compile(r"\d+\.\d+(?:\.\d+)?")

#: What other files begin with, to say what was found.
_FOREIGN: Final = (
    (b"SQLite format 3\0", "an SQLite database (an Nsight Systems export?)"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive; unpack it first"),
    (b"version https://git-lfs", "a Git LFS pointer; fetch the file with `git lfs pull`"),
    (b"<", "a page of HTML or XML"),
    (b"{", "JSON text"),
    (b"\x7fELF", "an ELF executable"),
)


class NcuReport:
    """An open report: iterate it for its launches, as often as you like.

    Raises
    ------
    DamagedFileError
        The file is cut short, is no report, or contradicts its own lengths.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._strings: list[str] = []
        self._sessions: list[Any] = []
        self.num_launches = 0
        try:
            with path.open("rb") as stream:
                self._first_block = self._check_start(stream)
                self._survey(stream)
        except OSError as error:
            raise damaged_report(path, error.strerror or str(error), hint="Check the path.") from error

    def _check_start(self, stream: BinaryIO) -> int:
        start = stream.read(64)
        if not start.startswith(MAGIC):
            found = next((text for magic, text in _FOREIGN if start.lstrip().startswith(magic)), None)
            raise damaged_report(
                self.path,
                found or (f"a file that begins with {start[:8]!r}" if start else "an empty file"),
                hint=f"A report begins with {MAGIC!r}.",
            )
        stream.seek(len(MAGIC))
        header = self._parse(schema.FILE_HEADER, self._read_sized(stream, "the file header"), "file header")
        if header.version != FORMAT_VERSION:
            raise damaged_report(
                self.path,
                f"report format {header.version}",
                hint=f"Format {FORMAT_VERSION} is known; export CSV with `ncu --csv --page raw` instead.",
            )
        return stream.tell()

    def _survey(self, stream: BinaryIO) -> None:
        """Walk every header: strings (any result may use those of a later block), facts, sizes."""
        dangling_sources = False
        for header, entries in self._blocks(stream):
            self._strings += [self._metric_name(raw) for raw in header.strings.items]
            if header.HasField("session"):
                self._sessions.append(header.session)
            for _ in entries:
                pass
            self.num_launches += header.num_results
            if header.num_results or header.num_sources:
                dangling_sources = header.num_results == 0
        if not self._sessions or not any(s.versions for s in self._sessions):
            raise damaged_report(self.path, "no record of the profiler that wrote it (cut short?)")
        if dangling_sources:
            raise damaged_report(self.path, "a kernel's source at the end without its launch (cut short?)")
        if self.num_launches == 0:
            raise damaged_report(self.path, "a report without any kernel launch", hint="Check ncu's filters.")

    def _metric_name(self, raw: bytes) -> str:
        try:
            name = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise damaged_report(self.path, f"a metric name that is no text: {raw[:40]!r}") from error
        if not name.isprintable():
            raise damaged_report(self.path, f"a metric name that is no text: {raw[:40]!r}")
        return name

    def _blocks(self, stream: BinaryIO) -> Iterator[tuple[Any, Iterator[tuple[bool, int]]]]:
        """Each block's header, and an iterator over (is a result, size) that stops before each entry.

        The entry's bytes may be read or left; the walk goes on behind them either way.
        """
        size = stream.seek(0, 2)
        position = self._first_block
        if position == size:
            raise damaged_report(self.path, "a file header and nothing after it")
        while position < size:
            stream.seek(position)
            header = self._parse(schema.BLOCK_HEADER, self._read_sized(stream, "a block header"), "block")
            if not all(header.HasField(f) for f in ("num_sources", "num_results", "payload_size")):
                raise damaged_report(self.path, f"a block header without its counts at byte {position}")
            end = stream.tell() + header.payload_size
            if end > size:
                raise damaged_report(
                    self.path, f"a block that needs {end - size} bytes more than the file has (cut short)"
                )
            yield header, self._entries(stream, header, end)
            position = end

    def _entries(self, stream: BinaryIO, header: Any, end: int) -> Iterator[tuple[bool, int]]:
        position = stream.tell()
        # Each entry takes 4 bytes at least, so a wild count cannot make a long loop.
        if 4 * (header.num_sources + header.num_results) > end - position:
            raise damaged_report(self.path, "a block with more entries than it has room for")
        for number in range(header.num_sources + header.num_results):
            stream.seek(position)
            length = int.from_bytes(stream.read(4), "little")
            if position + 4 > end or position + 4 + length > end:
                raise damaged_report(self.path, f"an entry of {length} bytes that runs past its block")
            yield number >= header.num_sources, length
            position += 4 + length
        if position != end:
            raise damaged_report(self.path, f"{end - position} bytes in a block that belong to no entry")

    def __iter__(self) -> Iterator[Launch]:
        """Launches in the order of the file, each read when its turn comes."""
        try:
            with self.path.open("rb") as stream:
                yield from self._launches(stream)
        except OSError as error:
            raise damaged_report(self.path, error.strerror or str(error), hint="Check the path.") from error

    def _launches(self, stream: BinaryIO) -> Iterator[Launch]:
        index = 0
        for _, entries in self._blocks(stream):
            for is_result, length in entries:
                data = stream.read(length)
                if len(data) != length:
                    raise damaged_report(self.path, "a file that became shorter while it was read")
                if not is_result:
                    self._parse(schema.SOURCE, data, "kernel's source")
                    continue
                yield self._launch(self._parse(schema.RESULT, data, f"launch {index}"), index)
                index += 1

    def _launch(self, result: Any, index: int) -> Launch:
        # A range or a graph may go without a name, but not without metrics as well.
        if not (result.function or result.demangled or len(result.metrics)):
            raise damaged_report(self.path, f"launch {index} without a name and without metrics")
        metrics = ReportMetrics(result, self._strings, path=self.path)
        return Launch(
            index=index,
            function=result.function.decode("utf-8", errors="replace"),
            demangled=result.demangled.decode("utf-8", errors="replace"),
            metrics=metrics,
            nvidia_rule=_bottleneck_title(result),
            clocks_locked=self._clocks_locked(result),
            conflicts=frozenset(metrics.conflicts),
        )

    def _clocks_locked(self, result: Any) -> bool | None:
        asked = self._clock_control
        if asked == "none":
            return False
        if not result.HasField("clock"):
            # The documented default is to lock; whether it worked is not on record.
            return None
        return bool(result.clock.control) and bool(result.clock.locked)

    @cached_property
    def _clock_control(self) -> str | None:
        for session in self._sessions:
            if session.HasField("settings"):
                try:
                    text = schema.parse(schema.SETTINGS, session.settings).clock_control
                except schema.DecodeError:
                    continue
                if text:
                    return str(text.decode("utf-8", errors="replace").strip().lower())
        return clock_control_option(self.facts_command_line or "")

    @cached_property
    def facts_command_line(self) -> str | None:
        """The command that ncu was started with. It names paths: never publish it unasked."""
        for session in self._sessions:
            if session.command_line:
                return str(session.command_line.decode("utf-8", errors="replace").strip())
        return None

    @cached_property
    def facts(self) -> SourceFacts:
        """What the report says of its GPU and profiler; of several GPUs, the one first launched on."""
        first = next(iter(self))
        major, minor = (
            first.number(f"device__attribute_compute_capability_{part}") for part in ("major", "minor")
        )
        return SourceFacts(
            gpu=first.text("device__attribute_display_name") or self._device_name(),
            compute_capability=None if major is None or minor is None else f"{major:.0f}.{minor:.0f}",
            ncu_version=self._ncu_version(),
            clocks_locked=first.clocks_locked,
            command_line=self.facts_command_line,
        )

    def _device_name(self) -> str | None:
        names = [d.name for s in self._sessions for d in s.devices if d.name]
        return names[0].decode("utf-8", errors="replace") if len(names) == 1 else None

    def _ncu_version(self) -> str | None:
        for session in self._sessions:
            for pair in session.versions:
                if pair.name.startswith(b"Nsight Compute"):
                    match = _VERSION.search(pair.value.decode("utf-8", errors="replace"))
                    return match.group() if match else None
        return None

    def _read_sized(self, stream: BinaryIO, what: str) -> bytes:
        prefix = stream.read(4)
        length = int.from_bytes(prefix, "little")
        position = stream.tell()
        left = stream.seek(0, 2) - position
        if len(prefix) < 4 or length > left:
            raise damaged_report(self.path, f"{what} of {length} bytes with {left} bytes left (cut short)")
        stream.seek(position)
        return stream.read(length)

    def _parse(self, message: Any, data: bytes, what: str) -> Any:
        try:
            return schema.parse(message, data)
        except schema.DecodeError as error:
            raise damaged_report(self.path, f"a {what} that is not as the format says") from error


def _bottleneck_title(result: Any) -> str | None:
    """Title of the SOLBottleneck rule's first message; ``None`` where the rule left none."""
    for rule in result.rules:
        if rule.id == b"SOLBottleneck":
            for item in rule.body.items:
                if item.message.title:
                    return str(item.message.title.decode("utf-8", errors="replace"))
    return None
