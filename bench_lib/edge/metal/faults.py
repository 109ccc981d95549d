"""Errors of Metal as reasons for records."""

from __future__ import annotations

from typing import Any, Final

from bench_lib.errors import DeviceError

#: ``MTLCommandBufferError`` → reason. **Source**: ``MTLCommandBuffer.h`` of the macOS 15 SDK.
COMMAND_BUFFER: Final[dict[int, str]] = {
    1: "driver-error",
    2: "device-hung",
    3: "page-fault",
    4: "device-lost",  # access revoked: the process made too many faults
    7: "not-permitted",
    8: "out-of-device-memory",
    9: "invalid-resource",
    10: "out-of-device-memory",  # memoryless
    11: "device-lost",  # removed
    12: "stack-overflow",
}

#: ``MTLLibraryError`` → reason. A warning (4) is no error: the library is there.
LIBRARY: Final[dict[int, str]] = {
    1: "compile-unsupported",
    2: "compiler-crashed",
    3: "compile-error",
    5: "function-not-found",
    6: "file-not-found",
}

_LONGEST: Final = 4000


def _describe(error: Any) -> str:
    text = str(error.localizedDescription()).strip()
    # A compiler's log can hold any number of lines; a record keeps the first ones.
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def from_error(error: Any, *, what: str, reasons: dict[int, str]) -> DeviceError:
    """An ``NSError`` (or none, where Metal gave none) as an error with a reason."""
    if error is None:
        return DeviceError("driver-error", f"{what} failed, and Metal gave no reason.")
    code = int(error.code())
    reason = reasons.get(code, "driver-error")
    return DeviceError(reason, f"{what}: {_describe(error)} ({error.domain()} {code})")
