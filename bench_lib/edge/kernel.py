"""Kernels: what a folder with a ``kernel.toml`` says, with the code that was generated from it.

A :class:`Kernel` has variants, one a data type and way of writing it; :meth:`Kernel.choose` takes the one
that suits a device and a shape. A variant is a sequence of passes: most have one, a reduction over a whole
buffer two. Nothing here needs a device or a compiler.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from bench_lib.edge.expressions import Number, evaluate, evaluate_integer
from bench_lib.edge.kernel_file import ELEMENT_BYTES, Role, UniformType
from bench_lib.errors import UnavailableError, UsageError

Sizes = Mapping[str, int]
Grid = tuple[int, int, int]

#: Kernels of the project.
KERNELS_FOLDER: Final = Path(__file__).parent / "kernels"

#: Elements are counted in 32 bits in every kernel.
MAX_ELEMENTS: Final = 2**31


class DeviceLimits(Protocol):
    """What :meth:`Kernel.choose` asks of a device; :class:`bench_lib.edge.runtime.DeviceFacts` has it."""

    @property
    def kind(self) -> str: ...
    @property
    def features(self) -> Collection[str]: ...
    @property
    def subgroup_size(self) -> int: ...
    @property
    def max_workgroup_invocations(self) -> int: ...
    @property
    def shared_memory_bytes(self) -> int: ...


@dataclass(frozen=True)
class Binding:
    """One buffer: its place in :attr:`Variant.bindings` is the order in which buffers are given."""

    name: str
    role: Role
    element: str
    length: str
    constants: Mapping[str, Number] = field(repr=False)

    def num_elements(self, sizes: Sizes) -> int:
        """Elements to allocate; padding included.

        Raises
        ------
        UsageError
            None, or more than :data:`MAX_ELEMENTS`.
        """
        count = evaluate_integer(self.length, {**self.constants, **sizes})
        if not 0 < count <= MAX_ELEMENTS:
            raise UsageError.of(
                f"Buffer {self.name} for {dict(sizes)}",
                found=f"{count} elements",
                expected=f"1 to {MAX_ELEMENTS}",
            )
        return count

    def num_bytes(self, sizes: Sizes) -> int:
        """Bytes to allocate, rounded up to 16 so that a last vector may be read whole."""
        return -(-self.num_elements(sizes) * ELEMENT_BYTES[self.element] // 16) * 16


@dataclass(frozen=True)
class Uniform:
    """One field of the push constants, four bytes; offsets follow the order of the fields."""

    name: str
    type: UniformType
    value: str

    def pack(self, values: Mapping[str, Number]) -> bytes:
        """Its bytes, little-endian."""
        if self.type == "f32":
            return struct.pack("<f", float(evaluate(self.value, values)))
        number = evaluate_integer(self.value, values)
        try:
            return struct.pack("<I" if self.type == "u32" else "<i", number)
        except struct.error as error:
            raise UsageError.of(
                f"Uniform {self.name}", found=number, expected=f"a value that fits {self.type}"
            ) from error


@dataclass(frozen=True)
class Pass:
    """One dispatch of a variant.

    Parameters
    ----------
    bindings
        Its buffers in the order of their binding numbers, which start at 0.
    workgroup
        Invocations by axis.
    spirv, msl
        Generated code; ``None`` where the op has none for that API.
    entry_point
        Name of the function in both.
    """

    entry_point: str
    bindings: tuple[Binding, ...]
    workgroup: Grid
    spirv: bytes | None = field(repr=False)
    msl: str | None = field(repr=False)
    uniforms: tuple[Uniform, ...] = ()
    specializations: tuple[tuple[int, Uniform], ...] = ()
    groups_text: tuple[str, str, str] = ("1", "1", "1")
    constants: Mapping[str, Number] = field(default_factory=dict, repr=False)

    def push_constants(self, sizes: Sizes) -> bytes:
        """Content of the push constants; in MSL the buffer after the last binding, with the same layout."""
        values = {**self.constants, **sizes}
        return b"".join(uniform.pack(values) for uniform in self.uniforms)

    @property
    def push_constant_bytes(self) -> int:
        """Bytes of the push constants."""
        return 4 * len(self.uniforms)

    def groups(self, sizes: Sizes) -> Grid:
        """Workgroups to dispatch by axis."""
        values = {**self.constants, **sizes}
        x, y, z = (evaluate_integer(text, values) for text in self.groups_text)
        if min(x, y, z) < 1:
            raise UsageError.of(
                f"Grid of {self.entry_point} for {dict(sizes)}",
                found=(x, y, z),
                expected="at least 1 by axis",
            )
        return x, y, z

    def specialization(self, sizes: Sizes) -> dict[int, bytes]:
        """Specialisation constants by id, four bytes each; a function constant of that index in MSL."""
        values = {**self.constants, **sizes}
        return {number: uniform.pack(values) for number, uniform in self.specializations}


@dataclass(frozen=True)
class Tolerance:
    """An output element may differ by ``absolute + relative * magnitude`` from the reference.

    ``magnitude`` comes from the reference: for a sum of products, the sum of their absolute values, since
    rounding errors are proportional to that, however much cancels.

    **Source**: N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 3.1.
    """

    relative: float
    absolute: float = 0.0


@dataclass(frozen=True)
class Variant:
    """An op for one data type, written one way.

    Parameters
    ----------
    name
        Unique in the op, such as ``fp32-gpu``.
    algorithm
        What tells it from others of the same data type.
    device
        ``gpu``, ``software`` or ``any``: what kind of device it was written for. It runs on all that have
        :attr:`required`.
    required
        Features by the names of :attr:`bench_lib.edge.runtime.DeviceFacts.features`.
    cooperative_matrix
        Shape and types of the matrix product it needs (m, n, k, a, b, c, result); empty for none.
    subgroup_size
        The only width of a subgroup that it is right for; ``None`` for any of at least 4.
    when
        Expression over sizes: whether it takes a shape.
    bindings
        All its buffers, those between passes (``scratch``) too.
    """

    op: str
    name: str
    dtype: str
    algorithm: str
    device: str
    required: frozenset[str]
    cooperative_matrix: Mapping[str, str | int]
    subgroup_size: int | None
    tolerance: Tolerance
    bindings: tuple[Binding, ...]
    passes: tuple[Pass, ...]
    size_names: tuple[str, ...]
    when: str
    bytes_text: str
    flop_text: str
    constants: Mapping[str, Number] = field(repr=False)

    def check_sizes(self, sizes: Sizes) -> None:
        """Refuse missing, unknown, empty or too large sizes.

        Raises
        ------
        UsageError
            Which one, and what it may be.
        """
        if set(sizes) != set(self.size_names):
            raise UsageError.of(f"Sizes of {self.op}", found=dict(sizes), expected=", ".join(self.size_names))
        for name, size in sizes.items():
            if isinstance(size, bool) or not isinstance(size, int) or not 0 < size <= MAX_ELEMENTS:
                raise UsageError.of(f"Size {name} of {self.op}", found=size, expected=f"1 to {MAX_ELEMENTS}")
        for binding in self.bindings:
            binding.num_elements(sizes)

    def takes(self, sizes: Sizes) -> bool:
        """Whether it is right for this shape."""
        return bool(evaluate(self.when, {**self.constants, **sizes}))

    def bytes_moved(self, sizes: Sizes) -> int:
        """Bytes that any implementation has to move: each input read once, each output written once."""
        return self._work("bytes", self.bytes_text, sizes)

    def flop(self, sizes: Sizes) -> int:
        """Floating-point (or integer) operations of the op, a multiply-add counted as two."""
        return self._work("flop", self.flop_text, sizes)

    def _work(self, name: str, text: str, sizes: Sizes) -> int:
        found = evaluate_integer(text, {**self.constants, **sizes})
        if found < 0:
            raise UsageError.of(f"{name} of {self.op} for {dict(sizes)}", found=found, expected="0 or more")
        return found

    @property
    def _single(self) -> Pass:
        if len(self.passes) != 1:
            raise UsageError(f"{self.op} {self.name} has {len(self.passes)} passes: use Variant.passes.")
        return self.passes[0]

    @property
    def spirv(self) -> bytes:
        """SPIR-V of a variant that has one pass."""
        code = self._single.spirv
        if code is None:
            raise UnavailableError("no-spirv", f"{self.op} {self.name} has no SPIR-V.")
        return code

    @property
    def msl(self) -> str:
        """MSL of a variant that has one pass."""
        text = self._single.msl
        if text is None:
            raise UnavailableError("no-msl", f"{self.op} {self.name} has no MSL: its source is not in Slang.")
        return text

    @property
    def entry_point(self) -> str:
        """Entry point of a variant that has one pass."""
        return self._single.entry_point

    @property
    def workgroup(self) -> Grid:
        """Workgroup of a variant that has one pass."""
        return self._single.workgroup

    def push_constants(self, sizes: Sizes) -> bytes:
        """Push constants of a variant that has one pass."""
        return self._single.push_constants(sizes)

    def groups(self, sizes: Sizes) -> Grid:
        """Grid of a variant that has one pass."""
        return self._single.groups(sizes)

    def specialization(self, sizes: Sizes) -> dict[int, bytes]:
        """Specialisation constants of a variant that has one pass."""
        return self._single.specialization(sizes)

    def lacks(self, device: DeviceLimits) -> str | None:
        """First thing that ``device`` lacks for it, as a reason code; ``None`` where it has all."""
        code = "msl" if getattr(device, "api", "vulkan") == "metal" else "spirv"
        if any(getattr(step, code) is None for step in self.passes):
            return f"no-{code}"
        for name in sorted(self.required):
            if name not in device.features:
                return f"feature-missing:{name}"
        for step in self.passes:
            x, y, z = step.workgroup
            if x * y * z > device.max_workgroup_invocations:
                return f"feature-missing:workgroup-of-{x * y * z}"
        if self.subgroup_size not in (None, device.subgroup_size):
            return f"feature-missing:subgroup-size-{self.subgroup_size}"
        if self.cooperative_matrix and not any(
            all(getattr(shape, name, None) == value for name, value in self.cooperative_matrix.items())
            for shape in getattr(device, "cooperative_matrices", ())
        ):
            return "no-coopmat-property"
        return None


@dataclass(frozen=True)
class Kernel:
    """One op.

    Parameters
    ----------
    folder
        Where it was read from.
    sizes
        Names of its sizes; each is at least 1.
    parameters
        Numbers that the op takes besides its buffers, such as ``eps``.
    shapes
        Sizes to measure by default, smallest first.
    reference_path
        Python file with the reference; see :mod:`bench_lib.edge.reference`.
    """

    op: str
    title: str
    description: str
    folder: Path
    sizes: tuple[str, ...]
    parameters: Mapping[str, float]
    shapes: tuple[Sizes, ...]
    variants: tuple[Variant, ...]
    reference_path: Path

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Data types that it has variants for, in the file's order."""
        return tuple(dict.fromkeys(variant.dtype for variant in self.variants))

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Algorithms that it has variants for, in the file's order."""
        return tuple(dict.fromkeys(variant.algorithm for variant in self.variants))

    @property
    def default_sizes(self) -> Sizes:
        """The first of :attr:`shapes`.

        Raises
        ------
        UsageError
            It names none.
        """
        if not self.shapes:
            names = ",".join(f"{name}=…" for name in self.sizes)
            raise UsageError.of(f"shapes of {self.op}", found="none", expected=f"some, or --sizes {names}")
        return self.shapes[0]

    def variant(self, name: str) -> Variant:
        """The variant of that name.

        Raises
        ------
        UsageError
            There is none.
        """
        for variant in self.variants:
            if variant.name == name:
                return variant
        known = ", ".join(variant.name for variant in self.variants)
        raise UsageError.of(f"Variant of {self.op}", found=name, expected=f"one of: {known}")

    def candidates(
        self, dtype: str, *, sizes: Sizes, device: DeviceLimits, algorithm: str | None = None
    ) -> Sequence[Variant]:
        """Variants that ``device`` can run on this shape, those written for its kind first.

        Raises
        ------
        UsageError
            No variant has that data type or algorithm, or the sizes are not the op's.
        UnavailableError
            The device lacks what each of them needs; the reason is that of the first.
        """
        named = [v for v in self.variants if v.dtype == dtype and algorithm in (None, v.algorithm)]
        if not named:
            known = ", ".join(f"{v.dtype} {v.algorithm}".strip() for v in self.variants)
            raise UsageError.of(
                f"Variant of {self.op}",
                found=f"{dtype} {algorithm or ''}".strip(),
                expected=f"one of: {known}",
            )
        for variant in named:
            variant.check_sizes(sizes)
        fitting = [v for v in named if v.takes(sizes)]
        if not fitting:
            raise UsageError.of(
                f"Sizes of {self.op} {dtype}", found=dict(sizes), expected=" or ".join(v.when for v in named)
            )
        reasons = {variant.name: variant.lacks(device) for variant in fitting}
        able = [v for v in fitting if reasons[v.name] is None]
        if not able:
            reason = str(reasons[fitting[0].name])
            raise UnavailableError(
                reason, f"{self.op} {fitting[0].name} needs it and the device has not got it."
            )
        kind = "software" if device.kind == "software" else "gpu"
        return sorted(able, key=lambda v: (kind, "any").index(v.device) if v.device in (kind, "any") else 2)

    def choose(
        self, dtype: str, *, sizes: Sizes, device: DeviceLimits, algorithm: str | None = None
    ) -> Variant:
        """First of :meth:`candidates`."""
        return self.candidates(dtype, sizes=sizes, device=device, algorithm=algorithm)[0]
