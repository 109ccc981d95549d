"""Runs a Metal kernel on this machine's processor and checks what it does with memory.

See ``msl/runtime.cpp`` for how. Programs are kept by content, so a kernel that did not change is not built
again.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from bench_lib.edge.msl_source import Argument, EntryPoint, entry_point

HERE = Path(__file__).parent / "msl"
COMPILER = "g++"
TIMEOUT_S = 120
_KEEP_S = 30 * 86400
_FLAGS = ("-std=c++20", "-O1", "-g1", "-fno-pie", "-fno-strict-aliasing", "-fwrapv", "-U_FORTIFY_SOURCE")
_WARNINGS = ("-Wno-attributes", "-Wno-literal-suffix")

_LINE = re.compile(r"^\s*#line.*$", re.MULTILINE)
_SHARED = re.compile(
    r"\bthreadgroup\s+(?P<type>[\w: ]+?(?:\s*<[^;{}=*&]*>)?)\s+(?P<name>\w+)"
    r"(?P<dims>(?:\s*\[[\w()+*/ -]+\])*)\s*;"
)
# Without a star or a reference in the same declarator, it is a variable that was not rewritten.
_UNSHARED = re.compile(r"\bthreadgroup\b(?![^;{}=,]*[*&])[^;{}]*")
_SWIZZLE = re.compile(r"\.(?P<names>[xyzw]{2,4}|[rgba]{2,4})\b(?P<assign>\s*[-+*/]?=(?!=))?(?!\s*\()")
_COMPONENT = {name: index for names in ("xyzw", "rgba") for index, name in enumerate(names)}


class BuildError(Exception):
    """The compiler refused the kernel."""


@dataclass(frozen=True)
class Finding:
    """One fault that a run showed: its kind, the line of the source (0: unknown), and what happened."""

    kind: str
    line: int
    text: str


class KernelFault(Exception):
    """A kernel did something that is wrong whatever its numbers are."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(f"{f.kind} (line {f.line}): {f.text}" for f in findings))


def without_lines(source: str) -> str:
    """``source`` with ``#line`` blanked out, so that every message counts lines of this text."""
    return _LINE.sub("", source)


def _without_twins(text: str) -> str:
    """``text`` without functions that differ from an earlier one in address spaces only: the host has but
    one."""
    seen: set[str] = set()
    pieces: list[str] = []
    depth = begin = 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if depth == 0 and character in ";}":
            piece = text[begin : position + 1]
            begin = position + 1
            code = re.sub(r"^\s*#.*$", "", piece, flags=re.M)
            key = " ".join(re.sub(r"\b(?:device|threadgroup|constant|thread)\b", " ", code).split())
            twin = character == "}" and key in seen
            seen.add(key)
            pieces.append("\n" * piece.count("\n") if twin else piece)
    return "".join(pieces) + text[begin:]


def for_host(source: str) -> str:
    """``source`` as C++: what only Metal's grammar has is rewritten, line for line."""
    text = _without_twins(without_lines(source))
    count = iter(range(32))

    def shared(match: re.Match[str]) -> str:
        # A typedef takes an array's bounds as well.
        alias = f"msl_shared_{match['name']}"
        return (
            f"typedef {match['type']} {alias}{match['dims']}; "
            f"auto& {match['name']} = msl::shared<{alias}>({next(count)});"
        )

    def swizzle(match: re.Match[str]) -> str:
        indices = ", ".join(str(_COMPONENT[c]) for c in match["names"])
        return f".ref<{indices}>(){match['assign']}" if match["assign"] else f".get<{indices}>()"

    text = _SHARED.sub(shared, text)
    left = _UNSHARED.search(text)
    if left is not None:
        raise BuildError(f"threadgroup memory that cannot be told from a lane's own: {left[0]!r}")
    return _SWIZZLE.sub(swizzle, text)


def _argument(argument: Argument) -> str:
    if argument.attribute == "buffer":
        return f"msl::buffer_argument{{{argument.index}}}"
    if argument.attribute == "threadgroup":
        raise BuildError(
            f"argument {argument.name}: threadgroup memory sized by the host is not supported here"
        )
    return f"MSL_{argument.attribute}"


def _program_text(source: str, entry: EntryPoint) -> str:
    arguments = "".join(f", {_argument(a)}" for a in entry.arguments)
    return f"{for_host(source)}\nvoid msl_kernel() {{ msl::call(&{entry.name}{arguments}); }}\n"


def cache_directory() -> Path:
    """Where programs are kept: ``BENCH_LIB_MSL_CACHE``, or the user's cache."""
    chosen = os.environ.get("BENCH_LIB_MSL_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("bench_lib", appauthor=False) / "msl"


def available() -> bool:
    """Whether this machine has the compiler; on macOS, clang goes by its name and has other flags."""
    if shutil.which(COMPILER) is None:
        return False
    done = subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=False)
    return "Free Software Foundation" in done.stdout


@functools.cache
def _toolchain_digest() -> bytes:
    digest = hashlib.sha256()
    for path in sorted(HERE.glob("host/*")) + sorted(HERE.glob("runtime.*")) + [Path(__file__)]:
        digest.update(path.read_bytes())
    version = subprocess.run([COMPILER, "--version"], capture_output=True, check=True).stdout
    digest.update(version)
    return digest.digest()


def _compile(arguments: Sequence[str], target: Path, *, text: str | None = None) -> None:
    """Build ``target`` whole: a run that is killed leaves nothing under that name."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        built = Path(folder) / target.name
        done = subprocess.run(
            [COMPILER, *_FLAGS, *arguments, "-o", str(built)],
            input=text, capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
        )  # fmt: skip
        if done.returncode:
            raise BuildError(done.stderr)
        built.replace(target)


def _runtime() -> Path:
    target = cache_directory() / f"runtime-{_toolchain_digest().hex()[:16]}.o"
    if not target.exists():
        _compile(["-Wall", "-Wextra", "-c", str(HERE / "runtime.cpp")], target)
    return target


def _forget_old() -> None:
    """Remove programs that were not used for a month."""
    for path in cache_directory().glob("*"):
        if path.is_file() and time.time() - path.stat().st_mtime > _KEEP_S:
            path.unlink(missing_ok=True)


def build(source: str, *, entry: str) -> Path:
    """Build the kernel ``entry`` of ``source`` and return the program.

    Raises
    ------
    BuildError
        The compiler's messages; lines are those of ``source``.
    """
    text = _program_text(source, entry_point(source, name=entry))
    digest = hashlib.sha256(_toolchain_digest() + text.encode()).hexdigest()[:32]
    target = cache_directory() / f"kernel-{digest}"
    if target.exists():
        target.touch()
    else:
        _forget_old()
        # Only the kernel is instrumented; the hooks themselves are in the runtime.
        # Metal has no double: a literal without a suffix is a float.
        flags = [
            *_WARNINGS,
            "-fsingle-precision-constant",
            "-fsanitize=thread",
            "--param=tsan-distinguish-volatile=0",
            f"-I{HERE / 'host'}",
        ]
        kernel = target.with_suffix(".o")
        try:
            _compile([*flags, "-c", "-x", "c++", "-"], kernel, text=text)
            _compile(["-no-pie", str(kernel), str(_runtime())], target)
        finally:
            kernel.unlink(missing_ok=True)
    return target


def run(
    source: str,
    *,
    entry: str,
    buffers: Mapping[int, bytes],
    threadgroups: tuple[int, int, int],
    threads: tuple[int, int, int],
    seed: int = 0,
    simd_width: int = 32,
) -> dict[int, bytes]:
    """Run a kernel over a grid and return every buffer as it was left, by slot.

    Parameters
    ----------
    source, entry
        Metal source and the kernel's name.
    buffers
        Contents by slot; each has exactly the bytes given, and one more is out of bounds.
    threadgroups, threads
        Threadgroups of the grid, and threads of each.
    seed
        Order in which lanes and threadgroups run.

    Raises
    ------
    BuildError, KernelFault
        It does not compile; or it races, leaves its buffers, reads memory that nobody wrote, or parts at a
        barrier.
    """
    program = build(source, entry=entry)
    job = struct.pack("<10Q", *threadgroups, *threads, simd_width, seed, len(buffers), 0)
    for index, content in sorted(buffers.items()):
        job += struct.pack("<2Q", index, len(content)) + content
    done = subprocess.run([program], input=job, capture_output=True, timeout=TIMEOUT_S, check=False)
    if done.returncode:
        raise KernelFault(_findings(done.stderr.decode(errors="replace"), program, done.returncode))
    results: dict[int, bytes] = {}
    offset = 0
    for index, content in sorted(buffers.items()):
        results[index] = done.stdout[offset : offset + len(content)]
        offset += len(content)
    if offset != len(done.stdout):
        raise KernelFault([Finding("runtime", 0, f"{len(done.stdout)} bytes came back, expected {offset}")])
    return results


def _findings(output: str, program: Path, code: int) -> list[Finding]:
    rows = [line.split("\t") for line in output.splitlines() if line.startswith("msl\t")]
    found = [Finding(kind, _line(where, program), text) for _, kind, where, text in rows]
    return found or [Finding("crash", 0, f"exit code {code}: {output[-500:]}")]


def _line(where: str, program: Path) -> int:
    if where.startswith("line:"):
        return int(where.removeprefix("line:"))
    if not where.startswith("0x") or shutil.which("addr2line") is None:
        return 0
    done = subprocess.run(
        ["addr2line", "-i", "-e", str(program), where], capture_output=True, text=True, check=False
    )
    # The outermost frame that lies in the kernel's own text, which was compiled from standard input.
    lines = [row.rpartition(":")[2].split()[0] for row in done.stdout.splitlines() if "<stdin>" in row]
    return int(lines[-1]) if lines and lines[-1].isdecimal() else 0
