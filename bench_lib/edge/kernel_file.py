"""The text of ``kernel.toml``: its fields, and the checks that need no file beside it."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final, Literal

import msgspec

from bench_lib.errors import DamagedFileError

ElementType = Literal["f32", "f16", "i8", "u8", "i32", "u32"]
Role = Literal["input", "output", "scratch"]
UniformType = Literal["u32", "i32", "f32"]
Language = Literal["slang", "hlsl", "glsl", "spirv"]
DeviceKind = Literal["any", "gpu", "software"]

#: Bytes of one element.
ELEMENT_BYTES: Final[dict[str, int]] = {"f32": 4, "f16": 2, "i8": 1, "u8": 1, "i32": 4, "u32": 4}

SCHEMA: Final = 1
#: What a device lists of a matrix product.
COOPERATIVE_MATRIX: Final = ("m", "n", "k", "a", "b", "c", "result", "scope", "saturating")
#: Vulkan's greatest is 128.
_SUBGROUP_SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128)
_MAX_FILE_BYTES: Final = 1 << 20
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
#: A data type or an algorithm: it stands on the command line, in records and on pages.
_LABEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
#: What a macro may stand for: a type, a number, an identifier; nothing that a command line reads.
_DEFINE: Final = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.<>, +-]{0,63}")


class BindingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[[bindings]]``: one buffer."""

    name: str
    role: Role
    element: str
    length: str


class UniformFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[[passes.uniforms]]``: one field of the push constants."""

    name: str
    type: UniformType
    value: str


class SpecializationFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[[passes.specialization]]``: one specialisation constant."""

    id: int
    type: UniformType
    value: str


class PassFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[[passes]]``: one dispatch."""

    entry_point: str
    workgroup: list[str]
    groups: list[str]
    source: str = "kernel.slang"
    language: Language | None = None
    bindings: list[str] | None = None
    uniforms: list[UniformFile] = []
    specialization: list[SpecializationFile] = []
    defines: dict[str, str | int] = {}


class ToleranceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``tolerance``: what an output may differ from the float64 reference by."""

    relative: float
    absolute: float = 0.0


class VariantFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[[variants]]``: the op for one data type, written one way."""

    name: str
    dtype: str
    tolerance: ToleranceFile
    algorithm: str = ""
    device: DeviceKind = "any"
    types: dict[str, ElementType] = {}
    defines: dict[str, str | int] = {}
    requires: list[str] = []
    apis: tuple[Literal["vulkan", "metal"], ...] = ("vulkan", "metal")
    cooperative_matrix: dict[str, str | int] = {}
    subgroup_size: int | None = None
    when: str = "1"
    bytes: str | None = None
    flop: str | None = None
    bindings: list[BindingFile] | None = None
    passes: list[PassFile] | None = None


class KernelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    schema: int
    op: str
    title: str
    description: str
    sizes: list[str]
    bytes: str
    flop: str
    bindings: list[BindingFile]
    variants: list[VariantFile]
    passes: list[PassFile] = []
    parameters: dict[str, float] = {}
    shapes: list[dict[str, int]] = []
    reference: str = "reference.py"


def read_kernel_file(path: Path) -> KernelFile:
    """Read and check ``kernel.toml``.

    Raises
    ------
    DamagedFileError
        It is missing, too large, no TOML, has an unknown or a missing field, names something twice or not
        at all, or names a file outside its own folder.
    """
    try:
        size = path.stat().st_size
        if size > _MAX_FILE_BYTES:
            raise DamagedFileError(path, found=f"{size} bytes", expected=f"at most {_MAX_FILE_BYTES}")
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        kernel = msgspec.convert(document, KernelFile)
    except OSError as error:
        raise DamagedFileError(path, found=error.strerror or str(error), expected="a kernel file") from error
    except msgspec.ValidationError as error:
        raise DamagedFileError(
            path, found=str(error), expected="the fields of docs/reference/kernel-file.md"
        ) from error
    except (ValueError, RecursionError) as error:
        # Beside TOML's own errors: bytes that are no text, numbers and nesting beyond what Python reads.
        raise DamagedFileError(path, found=f"no TOML ({error})", expected="a kernel file") from error
    _Checker(path).kernel(kernel)
    return kernel


class _Checker:
    """Refuses what the types of the fields let through."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def refuse(self, found: str, expected: str) -> DamagedFileError:
        return DamagedFileError(self.path, found=found, expected=expected)

    def name(self, what: str, name: str, pattern: re.Pattern[str] = _IDENTIFIER) -> None:
        if not pattern.fullmatch(name):
            raise self.refuse(f"{what} {name!r}", "letters, digits and _, at most 64, a letter first")

    def once(self, what: str, names: Sequence[str]) -> None:
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise self.refuse(f"{what} {', '.join(sorted(twice))} twice", "each once")

    def kernel(self, kernel: KernelFile) -> None:
        if kernel.schema != SCHEMA:
            raise self.refuse(f"schema {kernel.schema}", f"schema {SCHEMA}")
        self.name("op", kernel.op, _NAME)
        for name in (*kernel.sizes, *kernel.parameters):
            self.name("size or parameter", name)
        self.once("size or parameter", [*kernel.sizes, *kernel.parameters])
        for name, value in kernel.parameters.items():
            if not math.isfinite(value):
                raise self.refuse(f"parameter {name} = {value}", "a finite number")
        for shape in kernel.shapes:
            if set(shape) != set(kernel.sizes):
                raise self.refuse(f"shape {shape}", f"a value for each of {', '.join(kernel.sizes)}")
        check_file_name(kernel.reference, self.path)
        if not kernel.variants:
            raise self.refuse("no variants", "at least one")
        self.once("variant", [variant.name for variant in kernel.variants])
        for variant in kernel.variants:
            self.variant(kernel, variant)

    def variant(self, kernel: KernelFile, variant: VariantFile) -> None:
        self.name("variant", variant.name, _NAME)
        for what, label in (("dtype", variant.dtype), ("algorithm", variant.algorithm or "none")):
            if not _LABEL.fullmatch(label):
                raise self.refuse(f"{what} {label!r}", "letters, digits, _, . and -, at most 64")
        for feature in variant.requires:
            if not _LABEL.fullmatch(feature):
                raise self.refuse(f"requires {feature!r}", "names of features")
        for value in (variant.tolerance.relative, variant.tolerance.absolute):
            if not 0 <= value < math.inf:
                raise self.refuse(f"tolerance {value}", "a number from 0 up")
        if variant.subgroup_size is not None and variant.subgroup_size not in _SUBGROUP_SIZES:
            raise self.refuse(f"subgroup_size {variant.subgroup_size}", "a power of two up to 128")
        unknown = variant.cooperative_matrix.keys() - COOPERATIVE_MATRIX
        if unknown:
            raise self.refuse(
                f"cooperative_matrix {', '.join(sorted(unknown))}", f"some of {', '.join(COOPERATIVE_MATRIX)}"
            )
        bindings = variant.bindings or kernel.bindings
        self.once("binding", [binding.name for binding in bindings])
        for binding in bindings:
            self.name("binding", binding.name)
            if binding.element not in ELEMENT_BYTES and binding.element not in variant.types:
                raise self.refuse(
                    f"element {binding.element!r} in variant {variant.name}",
                    f"one of {', '.join([*ELEMENT_BYTES, *variant.types])}",
                )
        passes = variant.passes or kernel.passes
        if not passes:
            raise self.refuse(
                f"no passes for variant {variant.name}", "at least one, there or for the whole op"
            )
        for step in passes:
            self.step(step, variant, [binding.name for binding in bindings])

    def step(self, step: PassFile, variant: VariantFile, bindings: Sequence[str]) -> None:
        self.name("entry point", step.entry_point)
        check_file_name(step.source, self.path)
        if len(step.workgroup) != 3 or len(step.groups) != 3:
            raise self.refuse(f"workgroup {step.workgroup}, groups {step.groups}", "three expressions each")
        unknown = set(step.bindings or ()) - set(bindings)
        if unknown:
            raise self.refuse(f"pass bindings {', '.join(sorted(unknown))}", f"some of {', '.join(bindings)}")
        for uniform in step.uniforms:
            self.name("uniform", uniform.name)
        self.once("uniform", [uniform.name for uniform in step.uniforms])
        self.once("specialization", [str(constant.id) for constant in step.specialization])
        for constant in step.specialization:
            if not 0 <= constant.id < 2**32:
                raise self.refuse(f"specialization id {constant.id}", f"0 to {2**32 - 1}")
        for name, value in {**step.defines, **variant.defines}.items():
            self.name("define", name)
            if not _DEFINE.fullmatch(str(value)):
                raise self.refuse(f"define {name} = {value!r}", "a type, a number or an identifier")


def check_file_name(name: str, path: Path) -> None:
    """Refuse a file that does not lie in the folder of ``path`` itself, or below it.

    Raises
    ------
    DamagedFileError
        It is absolute, has ``..`` in it, or is a link that leads out.
    """
    pure = PurePosixPath(name)
    folder = path.parent.resolve()
    inside = (
        not pure.is_absolute() and ".." not in pure.parts and "\\" not in name and "\0" not in name and name
    )
    if not inside or not (folder / pure).resolve().is_relative_to(folder):
        raise DamagedFileError(path, found=f"file {name!r}", expected="a file in the kernel's own folder")
