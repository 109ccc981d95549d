"""The Slang compiler, called in process through its C interface.

It comes as ``libslang-compiler`` in the wheel of slangpy, which is needed to build kernels and never to run
them. slangpy's own Python interface gives no MSL text without a device, and hides the command line.

**Source**: ``slang.h`` and ``slang-deprecated.h`` of Slang 2026.12 (``slang_createGlobalSession2``,
``spCreateCompileRequest`` to ``spGetTargetCodeBlob``).
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from bench_lib.errors import UnavailableError, UsageError

Target = Literal["spirv", "metal"]

REMEDY: Final = "Install it: pip install 'bench-lib[kernel-build]'"

#: Vulkan 1.1 takes SPIR-V up to 1.3.
_SPIRV_ARGUMENTS: Final = (
    "-target",
    "spirv",
    "-profile",
    "spirv_1_3",
    "-fvk-use-entrypoint-name",
    "-line-directive-mode",
    "none",
    "-O3",
)
_METAL_ARGUMENTS: Final = ("-target", "metal", "-line-directive-mode", "none", "-O3")


_API_VERSION: Final = 0
_LANGUAGE_VERSION: Final = 2025


class _SessionOptions(ctypes.Structure):
    """``SlangGlobalSessionDesc``. A session made the short way cannot compile GLSL."""

    _fields_ = (
        ("structure_size", ctypes.c_uint32),
        ("api_version", ctypes.c_uint32),
        ("min_language_version", ctypes.c_uint32),
        ("enable_glsl", ctypes.c_bool),
        ("reserved", ctypes.c_uint32 * 16),
    )


class SlangError(UsageError):
    """A source did not compile; the message holds the compiler's own."""


def _library_path() -> Path:
    found = importlib.util.find_spec("slangpy")
    if found is None or found.origin is None:
        raise UnavailableError(
            "no-slang",
            "the Python package slangpy, which brings the Slang compiler, is not installed.",
            remedy=REMEDY,
        )
    folder = Path(found.origin).parent
    patterns = ("libslang-compiler.so*", "libslang-compiler*.dylib", "slang-compiler.dll")
    candidates = sorted(path for pattern in patterns for path in folder.glob(pattern))
    if not candidates:
        raise UnavailableError(
            "no-slang", f"slangpy holds no Slang compiler (none of {', '.join(patterns)}).", remedy=REMEDY
        )
    return candidates[0]


@cache
def _load() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(_library_path()))
    except OSError as error:
        raise UnavailableError(
            "no-slang", f"the Slang compiler did not load: {error}.", remedy=REMEDY
        ) from error
    pointer, text, integer = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "slang_createGlobalSession2": (integer, [ctypes.POINTER(_SessionOptions), ctypes.POINTER(pointer)]),
        "spCreateCompileRequest": (pointer, [pointer]),
        "spDestroyCompileRequest": (None, [pointer]),
        "spProcessCommandLineArguments": (integer, [pointer, ctypes.POINTER(text), integer]),
        "spCompile": (integer, [pointer]),
        "spGetDiagnosticOutput": (text, [pointer]),
        "spGetTargetCodeBlob": (integer, [pointer, integer, ctypes.POINTER(pointer)]),
        "spGetDependencyFileCount": (integer, [pointer]),
        "spGetDependencyFilePath": (text, [pointer, integer]),
        "spGetBuildTagString": (text, []),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


@cache
def _session(*, glsl: bool) -> int:
    # Making one takes about half a second; it is kept for the life of the process.
    options = _SessionOptions(ctypes.sizeof(_SessionOptions), _API_VERSION, _LANGUAGE_VERSION, glsl)
    session = ctypes.c_void_p()
    if _load().slang_createGlobalSession2(ctypes.byref(options), ctypes.byref(session)) < 0 or not session:
        raise UnavailableError("no-slang", "the Slang compiler made no session.", remedy=REMEDY)
    return int(session.value or 0)


def is_available() -> bool:
    """Whether this Python has the compiler."""
    try:
        _load()
    except UnavailableError:
        return False
    return True


def version() -> str:
    """Version of the compiler, such as ``slang 2026.12``."""
    return f"slang {_load().spGetBuildTagString().decode()}"


def _blob_bytes(blob: int) -> bytes:
    """Content of an ``ISlangBlob``, and release it: slots 0-2 of its table are ``ISlangUnknown``'s."""
    table = ctypes.cast(
        ctypes.cast(blob, ctypes.POINTER(ctypes.c_void_p))[0], ctypes.POINTER(ctypes.c_void_p)
    )
    release = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)(table[2])
    address = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(table[3])(blob)
    size = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p)(table[4])(blob)
    content = ctypes.string_at(address, size)
    release(blob)
    return content


def compile_source(
    source: Path,
    *,
    target: Target,
    entry_point: str,
    defines: Sequence[tuple[str, str]] = (),
    include: Sequence[Path] = (),
    language: str | None = None,
) -> tuple[bytes, tuple[Path, ...]]:
    """Compile one entry point; returns the code and the files that it was made of.

    Parameters
    ----------
    source
        A file in Slang, or in ``language`` (``hlsl``, ``glsl``).
    entry_point
        Name of the compute function; it is the name in the result too.
    defines
        Macros, in order.

    Raises
    ------
    SlangError
        The source does not compile.
    UnavailableError
        ``no-slang``: the compiler is not installed.
    """
    library = _load()
    arguments = list(_SPIRV_ARGUMENTS if target == "spirv" else _METAL_ARGUMENTS)
    for name, value in defines:
        arguments += ["-D", f"{name}={value}"]
    for folder in include:
        arguments += ["-I", str(folder)]
    if language is not None:
        arguments += ["-lang", language]
    arguments += [str(source), "-entry", entry_point, "-stage", "compute"]
    encoded = [argument.encode() for argument in arguments]
    request = library.spCreateCompileRequest(_session(glsl=language == "glsl"))
    try:
        vector = (ctypes.c_char_p * len(encoded))(*encoded)
        failed = library.spProcessCommandLineArguments(request, vector, len(encoded)) < 0
        failed = failed or library.spCompile(request) < 0
        diagnostics = (library.spGetDiagnosticOutput(request) or b"").decode(errors="replace").strip()
        blob = ctypes.c_void_p()
        if failed or library.spGetTargetCodeBlob(request, 0, ctypes.byref(blob)) < 0 or not blob.value:
            raise SlangError(f"{source.name}: the Slang compiler refused it for {target}:\n{diagnostics}")
        files = tuple(
            Path(library.spGetDependencyFilePath(request, index).decode())
            for index in range(library.spGetDependencyFileCount(request))
        )
        return _blob_bytes(blob.value), files
    finally:
        library.spDestroyCompileRequest(request)
