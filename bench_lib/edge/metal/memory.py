"""Buffers in each storage mode."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from bench_lib.edge.runtime import MemoryMode
from bench_lib.errors import DeviceError, UnavailableError, UsageError

if TYPE_CHECKING:
    from bench_lib.edge.metal.binding import Binding

#: Copies by the device are whole words on macOS, so every buffer ends on one.
#: **Source**: ``copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:``.
WORD: Final = 4


def rounded(num_bytes: int) -> int:
    """``num_bytes`` up to a whole word."""
    return -(-num_bytes // WORD) * WORD


class MetalBuffer:
    """One ``MTLBuffer``. ``blit`` runs copies on the device and waits for them."""

    def __init__(
        self,
        handle: Any,
        *,
        num_bytes: int,
        mode: MemoryMode,
        managed: bool,
        binding: Binding,
        blit: Callable[[Callable[[Any], object]], None],
        staging: Callable[[int], Any] | None = None,
        owner: Any = None,
    ) -> None:
        self._handle = handle
        self._num_bytes = num_bytes
        self._mode = mode
        self._managed = managed
        self._binding = binding
        self._blit = blit
        self._staging = staging
        # Pages that were given to the device have to outlive the buffer on them.
        self._owner = owner

    @property
    def num_bytes(self) -> int:
        return self._num_bytes

    @property
    def mode(self) -> MemoryMode:
        return self._mode

    @property
    def handle(self) -> Any:
        """The ``MTLBuffer``.

        Raises
        ------
        UsageError
            The buffer was closed.
        """
        if self._handle is None:
            raise UsageError("this buffer was closed; make a new one.")
        return self._handle

    def write(self, data: Any, *, offset: int = 0) -> None:
        """Copy ``data`` to ``offset``; a staged buffer is filled by a copy on the device."""
        content = memoryview(data).cast("B")
        length = len(content)
        self._require(offset, length)
        if length == 0:
            return
        if self._staging is not None:
            self._write_staged(content, offset=offset)
            return
        view(self.handle)[offset : offset + length] = content
        if self._managed:
            self.handle.didModifyRange_(self._binding.foundation.NSMakeRange(offset, length))

    def read(self) -> bytes:
        """The content after the batches that have ended."""
        if self._staging is not None:
            staging = self._staging(rounded(self._num_bytes))
            self._copy(self.handle, 0, staging, 0, rounded(self._num_bytes))
            return bytes(view(staging)[: self._num_bytes])
        if self._managed:
            self._blit(lambda encoder: encoder.synchronizeResource_(self.handle))
        return bytes(view(self.handle)[: self._num_bytes])

    def close(self) -> None:
        """Let the device's memory go; imported pages are the caller's again."""
        self._handle = None
        self._owner = None

    def _require(self, offset: int, length: int) -> None:
        if offset < 0 or offset + length > self._num_bytes:
            raise UsageError.of(
                "write to a buffer",
                found=f"bytes {offset} to {offset + length}",
                expected=f"a range within its {self._num_bytes} bytes",
            )

    def _write_staged(self, content: memoryview, *, offset: int) -> None:
        assert self._staging is not None
        first, last = offset // WORD * WORD, rounded(offset + len(content))
        staging = self._staging(last - first)
        if first != offset or last != offset + len(content):
            # The words at either end hold bytes that stay as they are.
            self._copy(self.handle, first, staging, 0, last - first)
        view(staging)[offset - first : offset - first + len(content)] = content
        self._copy(staging, 0, self.handle, first, last - first)

    def _copy(self, source: Any, source_offset: int, target: Any, target_offset: int, size: int) -> None:
        self._blit(
            lambda encoder: encoder.copyFromBuffer_sourceOffset_toBuffer_destinationOffset_size_(
                source, source_offset, target, target_offset, size
            )
        )


def view(handle: Any) -> memoryview:
    """The memory of a buffer that the host can address."""
    return memoryview(handle.contents().as_buffer(handle.length())).cast("B")


def address(memory: Any) -> int:
    """Where a writable buffer begins."""
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def allocate(device: Any, *, num_bytes: int, options: int, what: str) -> Any:
    """A new ``MTLBuffer``, or the reason why there is none.

    Raises
    ------
    UsageError
        ``num_bytes`` is not a positive number.
    DeviceError
        ``out-of-device-memory``.
    """
    if num_bytes < 1:
        raise UsageError.of("size of a buffer", found=num_bytes, expected="at least one byte")
    length = rounded(num_bytes)
    limit = int(device.maxBufferLength())
    if length > limit:
        raise DeviceError(
            "out-of-device-memory",
            f"{what} of {length} bytes; the largest that the device makes has {limit}.",
        )
    handle = device.newBufferWithLength_options_(length, options)
    if handle is None:
        raise DeviceError("out-of-device-memory", f"Metal made no {what} of {length} bytes.")
    return handle


def wrap(device: Any, memory: Any, *, options: int) -> tuple[Any, int]:
    """``memory`` as an ``MTLBuffer`` without a copy, and its length.

    Raises
    ------
    UsageError
        It is read-only, or does not begin and end on a page.
    UnavailableError
        ``import-refused``; ``import-copied`` where the buffer turned out to lie elsewhere.
    """
    content = memoryview(memory)
    if content.readonly or not content.contiguous:
        raise UsageError.of(
            "memory to import", found="read-only or scattered", expected="writable, in one piece"
        )
    length, page = content.nbytes, mmap.PAGESIZE
    begin = address(memory)
    if length == 0 or length % page or begin % page:
        raise UsageError.of(
            "memory to import",
            found=f"{length} bytes at {begin:#x}",
            expected=f"whole pages of {page} bytes",
            hint="An mmap.mmap is.",
        )
    handle = device.newBufferWithBytesNoCopy_length_options_deallocator_(memory, length, options, None)
    if handle is None:
        raise UnavailableError("import-refused", f"Metal did not take {length} bytes of the host's memory.")
    if address(view(handle)) != begin:
        raise UnavailableError("import-copied", "the buffer does not lie in the memory that was given.")
    return handle, length
