"""Kernels from their folders: ``kernel.toml`` with the code of ``generated/``, or compiled at once.

``generated/manifest.json`` holds the hashes of everything that the code was made of. A folder whose source
is newer than its code is compiled anew where the compiler is installed, and refused otherwise: figures of
a kernel that nobody wrote are worse than none.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bench_lib.edge.expressions import Number, evaluate_integer
from bench_lib.edge.generated import Generated, compile_pass, read_generated
from bench_lib.edge.kernel import KERNELS_FOLDER, Binding, Grid, Kernel, Pass, Tolerance, Uniform, Variant
from bench_lib.edge.kernel_file import (
    ELEMENT_BYTES,
    BindingFile,
    KernelFile,
    PassFile,
    VariantFile,
    read_kernel_file,
)
from bench_lib.errors import UsageError


def ops() -> tuple[str, ...]:
    """Names of the project's own kernels."""
    return tuple(sorted(path.parent.name for path in KERNELS_FOLDER.glob("*/kernel.toml")))


def load_kernel(name_or_folder: str | Path) -> Kernel:
    """The project's kernel of that name, or the kernel in a folder of yours.

    A text without a path separator is a name; write ``./saxpy`` for a folder beside you. The reference of a
    folder is Python code of that folder's author, and runs when the kernel is checked.

    Raises
    ------
    UsageError
        There is no such kernel.
    DamagedFileError
        The folder does not hold what it should.
    UnavailableError
        Its code has to be compiled, and no compiler for it is installed.
    """
    if isinstance(name_or_folder, str) and "/" not in name_or_folder and "\\" not in name_or_folder:
        if name_or_folder not in ops():
            raise UsageError.of(
                "Kernel", found=name_or_folder, expected=f"a folder, or one of: {', '.join(ops())}"
            )
        folder = KERNELS_FOLDER / name_or_folder
    else:
        folder = Path(name_or_folder)
        if not (folder / "kernel.toml").is_file():
            raise UsageError.of("Kernel", found=str(folder), expected="a folder that holds kernel.toml")
    document = read_kernel_file(folder / "kernel.toml")
    generated = read_generated(folder, document)
    variants = tuple(_variant(folder, document, variant, generated) for variant in document.variants)
    return Kernel(
        op=document.op,
        title=document.title,
        description=document.description,
        folder=folder,
        sizes=tuple(document.sizes),
        parameters=document.parameters,
        shapes=tuple(document.shapes),
        variants=variants,
        reference_path=folder / document.reference,
    )


def constants_of(
    kernel: KernelFile, variant: VariantFile, defines: Mapping[str, str | int]
) -> dict[str, Number]:
    """What expressions may use besides the sizes: parameters, whole-number defines, ``<type>_bytes``."""
    found: dict[str, Number] = dict(kernel.parameters)
    found.update({name: value for name, value in defines.items() if isinstance(value, int)})
    found.update({f"{name}_bytes": ELEMENT_BYTES[element] for name, element in variant.types.items()})
    return found


def workgroup_of(step: PassFile, constants: Mapping[str, Number]) -> Grid:
    """Invocations of a workgroup by axis."""
    x, y, z = (evaluate_integer(text, constants) for text in step.workgroup)
    if min(x, y, z) < 1:
        raise UsageError.of(
            f"Workgroup of {step.entry_point}", found=(x, y, z), expected="at least 1 by axis"
        )
    return x, y, z


def _binding(binding: BindingFile, variant: VariantFile, constants: Mapping[str, Number]) -> Binding:
    element = variant.types.get(binding.element, binding.element)
    return Binding(binding.name, binding.role, element, binding.length, constants)


def _variant(folder: Path, kernel: KernelFile, variant: VariantFile, generated: Generated) -> Variant:
    constants = constants_of(kernel, variant, variant.defines)
    bindings = tuple(_binding(b, variant, constants) for b in variant.bindings or kernel.bindings)
    by_name = {binding.name: binding for binding in bindings}
    passes = []
    for index, step in enumerate(variant.passes or kernel.passes):
        defines = {**step.defines, **variant.defines}
        own = constants_of(kernel, variant, defines)
        code = generated.get(variant.name, index) or compile_pass(folder, kernel, variant, index)
        x, y, z = step.groups
        passes.append(
            Pass(
                entry_point=code.entry_point,
                bindings=tuple(by_name[name] for name in step.bindings or by_name),
                workgroup=workgroup_of(step, own),
                spirv=code.spirv if "vulkan" in variant.apis else None,
                msl=code.msl,
                uniforms=tuple(Uniform(u.name, u.type, u.value) for u in step.uniforms),
                specializations=tuple(
                    (s.id, Uniform(str(s.id), s.type, s.value)) for s in step.specialization
                ),
                groups_text=(x, y, z),
                constants=own,
            )
        )
    return Variant(
        op=kernel.op,
        name=variant.name,
        dtype=variant.dtype,
        algorithm=variant.algorithm,
        device=variant.device,
        required=frozenset(variant.requires),
        cooperative_matrix=variant.cooperative_matrix,
        subgroup_size=variant.subgroup_size,
        tolerance=Tolerance(variant.tolerance.relative, variant.tolerance.absolute),
        bindings=bindings,
        passes=tuple(passes),
        size_names=tuple(kernel.sizes),
        when=variant.when,
        bytes_text=variant.bytes or kernel.bytes,
        flop_text=variant.flop or kernel.flop,
        constants=constants,
    )
