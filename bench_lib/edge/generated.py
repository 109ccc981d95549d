"""SPIR-V and MSL of a kernel folder: made by the compiler, kept in ``generated/``, and read back.

``generated/manifest.json`` says which compiler made the code, from which files (by hash) and with which
macros. Code that does not match its sources is never used.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from bench_lib.edge import slang
from bench_lib.edge.kernel_file import KernelFile, Language, PassFile, VariantFile, check_file_name
from bench_lib.errors import DamagedFileError, UnavailableError

INCLUDE_FOLDER: Final = Path(__file__).parent / "kernels" / "include"
MANIFEST_SCHEMA: Final = 1
_LANGUAGES: Final[dict[str, Language]] = {
    ".slang": "slang",
    ".hlsl": "hlsl",
    ".comp": "glsl",
    ".glsl": "glsl",
    ".spv": "spirv",
}
_SPIRV_MAGIC: Final = 0x07230203
_HEADER_WORDS: Final = 5
_OP_SOURCE: Final = 3


@dataclass(frozen=True)
class PassCode:
    """Code of one pass, and the files that it was made of."""

    entry_point: str
    spirv: bytes
    msl: str | None
    files: tuple[Path, ...] = ()


class ManifestEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One pass in the manifest; hashes are SHA-256."""

    variant: str
    step: int
    source: str
    entry_point: str
    defines: dict[str, str]
    spirv: str
    spirv_sha256: str
    msl: str | None
    msl_sha256: str | None


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``generated/manifest.json``."""

    schema: int
    op: str
    compiler: str
    sources: dict[str, str]
    passes: list[ManifestEntry]


class Generated:
    """What ``generated/`` holds that matches its sources."""

    def __init__(self, code: dict[tuple[str, int], PassCode]) -> None:
        self._code = code

    def get(self, variant: str, step: int) -> PassCode | None:
        """Code of that pass, or ``None`` where it has to be compiled."""
        return self._code.get((variant, step))


def steps(kernel: KernelFile) -> Iterator[tuple[VariantFile, int, PassFile]]:
    """Every pass of every variant, in the file's order."""
    for variant in kernel.variants:
        for index, step in enumerate(variant.passes or kernel.passes):
            yield variant, index, step


def language_of(step: PassFile, path: Path) -> Language:
    """What a pass is written in, by its field or by the name of its source.

    Raises
    ------
    DamagedFileError
        Neither says.
    """
    language = step.language or _LANGUAGES.get(Path(step.source).suffix)
    if language is None:
        raise DamagedFileError(
            path,
            found=f"source {step.source!r} of no known language",
            expected=f"language, or {', '.join(_LANGUAGES)}",
        )
    return language


def defines_of(step: PassFile, variant: VariantFile) -> dict[str, str]:
    """Macros of a pass; a variant's replace those of the op."""
    return {name: str(value) for name, value in {**step.defines, **variant.defines}.items()}


def sha256(content: bytes) -> str:
    """Hash as it stands in the manifest."""
    return hashlib.sha256(content).hexdigest()


def without_source_language(spirv: bytes) -> bytes:
    """``spirv`` with the language of ``OpSource`` unknown: older validators refuse a number new to them."""
    words = list(struct.unpack(f"<{len(spirv) // 4}I", spirv))
    at = _HEADER_WORDS
    while at < len(words) and words[at] >> 16:
        if words[at] & 0xFFFF == _OP_SOURCE:
            words[at + 1] = 0
        at += words[at] >> 16
    return struct.pack(f"<{len(words)}I", *words)


def compile_pass(folder: Path, kernel: KernelFile, variant: VariantFile, index: int) -> PassCode:
    """Compile one pass, or read it where it is SPIR-V already.

    Raises
    ------
    DamagedFileError
        The source is missing or is no SPIR-V, or includes a file from elsewhere.
    SlangError
        It does not compile.
    UnavailableError
        No compiler for its language is installed.
    """
    toml = folder / "kernel.toml"
    step = (variant.passes or kernel.passes)[index]
    check_file_name(step.source, toml)
    source = folder / step.source
    if not source.is_file():
        raise DamagedFileError(
            toml, found=f"source {step.source!r}, which is no file", expected="a file in its folder"
        )
    language = language_of(step, toml)
    if language == "spirv":
        content = source.read_bytes()
        if (
            len(content) < 4 * _HEADER_WORDS
            or len(content) % 4
            or content[:4] != struct.pack("<I", _SPIRV_MAGIC)
        ):
            raise DamagedFileError(
                source, found="no SPIR-V", expected="a module, its words in little-endian order"
            )
        return PassCode(step.entry_point, content, None, (source,))
    defines = list(defines_of(step, variant).items())
    spirv, files = slang.compile_source(
        source,
        target="spirv",
        entry_point=step.entry_point,
        defines=defines,
        include=(INCLUDE_FOLDER,),
        language=language,
    )
    for file in files:
        label_of(file, folder)
    msl = None
    # Metal has no software device.
    if language == "slang" and variant.device != "software" and "metal" in variant.apis:
        try:
            code, _ = slang.compile_source(
                source,
                target="metal",
                entry_point=step.entry_point,
                defines=defines,
                include=(INCLUDE_FOLDER,),
            )
        except slang.SlangError as error:
            raise slang.SlangError(
                f'{error}\nTo leave out Metal, say apis = ["vulkan"] in variant {variant.name}.'
            ) from error
        msl = code.decode()
    return PassCode(step.entry_point, without_source_language(spirv), msl, files)


def label_of(file: Path, folder: Path) -> str:
    """Name of a source in the manifest: relative to the kernel's folder, or ``<include>/`` for the project's.

    Raises
    ------
    DamagedFileError
        It lies in neither.
    """
    resolved = file.resolve()
    if resolved.is_relative_to(folder.resolve()):
        return resolved.relative_to(folder.resolve()).as_posix()
    if resolved.is_relative_to(INCLUDE_FOLDER.resolve()):
        return f"<include>/{resolved.relative_to(INCLUDE_FOLDER.resolve()).as_posix()}"
    raise DamagedFileError(
        folder / "kernel.toml",
        found=f"a source that includes {file.name} from elsewhere",
        expected="files of its folder",
    )


def _path_of(label: str, folder: Path) -> Path:
    inside = INCLUDE_FOLDER if label.startswith("<include>/") else folder
    name = label.removeprefix("<include>/")
    check_file_name(name, inside / "manifest.json")
    return inside / name


def read_generated(folder: Path, kernel: KernelFile) -> Generated:
    """Code in ``generated/`` that was made from what the folder holds now.

    Where the sources have changed and a compiler is installed, nothing is returned, so that all is compiled.

    Raises
    ------
    DamagedFileError
        The manifest or a file of it is damaged.
    UnavailableError
        ``kernel-changed``: the sources have changed and no compiler is installed.
    """
    path = folder / "generated" / "manifest.json"
    if not path.is_file():
        return Generated({})
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except msgspec.MsgspecError as error:
        raise DamagedFileError(path, found=str(error), expected="what build-kernels writes") from error
    if manifest.schema != MANIFEST_SCHEMA:
        raise DamagedFileError(path, found=f"schema {manifest.schema}", expected=f"schema {MANIFEST_SCHEMA}")
    changed = _changed(folder, kernel, manifest)
    if changed:
        if slang.is_available():
            return Generated({})
        raise UnavailableError(
            "kernel-changed",
            f"{changed} of {folder} changed after its code was generated, and no compiler is installed.",
            remedy=f"{slang.REMEDY}, then: bench-lib edge build-kernels {folder}",
        )
    code = {}
    for entry in manifest.passes:
        spirv = _read(folder, entry.spirv, entry.spirv_sha256)
        msl = None if entry.msl is None else _read(folder, entry.msl, entry.msl_sha256 or "").decode()
        code[entry.variant, entry.step] = PassCode(entry.entry_point, spirv, msl)
    return Generated(code)


def _changed(folder: Path, kernel: KernelFile, manifest: Manifest) -> str | None:
    for label, digest in manifest.sources.items():
        source = _path_of(label, folder)
        if not source.is_file() or sha256(source.read_bytes()) != digest:
            return label
    wanted = {
        (variant.name, index): (step.source, step.entry_point, defines_of(step, variant))
        for variant, index, step in steps(kernel)
    }
    found = {(e.variant, e.step): (e.source, e.entry_point, e.defines) for e in manifest.passes}
    return None if wanted == found else "kernel.toml"


def _read(folder: Path, name: str, digest: str) -> bytes:
    path = folder / "generated" / name
    check_file_name(name, folder / "generated" / "manifest.json")
    content = path.read_bytes() if path.is_file() else b""
    if sha256(content) != digest:
        raise DamagedFileError(
            path,
            found="other content than its manifest says",
            expected="what build-kernels wrote",
            hint=f"bench-lib edge build-kernels {folder}",
        )
    return content
