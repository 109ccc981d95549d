"""What a GPU family brings, in the names that kernels require.

**Source**: Apple, "Metal Feature Set Tables" (GPU families, feature availability) and Metal Shading Language
Specification, sections 6.9.2 (simdgroup functions) and 6.7 (simdgroup matrix functions).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bench_lib.edge.runtime import CooperativeMatrix

#: Families by the name of their constant, from old to new. Those that the binding does not know are passed
#: over.
FAMILIES: Final = (
    *(f"MTLGPUFamilyApple{n}" for n in range(1, 11)),
    *("MTLGPUFamilyMac2", "MTLGPUFamilyMetal3", "MTLGPUFamilyMetal4"),
)

#: Every Metal device on a Mac has these: the types are part of the language.
_ALWAYS: Final = (
    *("shaderFloat16", "shaderInt8", "shaderInt16", "shaderInt64"),
    *("storageBuffer16BitAccess", "uniformAndStorageBuffer16BitAccess", "storagePushConstant16"),
    *("storageBuffer8BitAccess", "uniformAndStorageBuffer8BitAccess", "storagePushConstant8"),
)
_PERMUTE: Final = ("subgroup-shuffle", "subgroup-shuffle-relative", "subgroup-ballot", "subgroup-vote")
_REDUCE: Final = ("subgroup-basic", "subgroup-arithmetic", "shaderSubgroupExtendedTypes")

#: The multiplications that ``simdgroup_multiply_accumulate`` takes.
_MATRICES: Final = tuple(
    CooperativeMatrix(m=8, n=8, k=8, a=a, b=a, c=c, result=c, scope="subgroup")
    for a, c in (("f16", "f16"), ("f16", "f32"), ("f32", "f32"))
)


def newest(families: frozenset[str], kind: str) -> int:
    """The highest number among families called ``MTLGPUFamily<kind><number>``; 0 where there is none."""
    prefix = f"MTLGPUFamily{kind}"
    numbers = [f.removeprefix(prefix) for f in families if f.startswith(prefix)]
    return max((int(n) for n in numbers if n.isdecimal()), default=0)


def supported(supports: Callable[[str], bool]) -> frozenset[str]:
    """The families for which ``supports`` says yes."""
    return frozenset(name for name in FAMILIES if supports(name))


def features(families: frozenset[str]) -> frozenset[str]:
    """Features by the names that kernels require, and the families themselves."""
    apple, mac = newest(families, "Apple"), newest(families, "Mac")
    found = {*_ALWAYS, *families}
    if apple >= 4 or mac >= 2:
        found.update(("subgroup-quad",))
    if apple >= 6 or mac >= 2:
        found.update((*_PERMUTE, "subgroup-basic"))
    if apple >= 7 or mac >= 2:
        found.update(_REDUCE)
    if apple >= 7:
        found.update(("cooperativeMatrix", "vulkanMemoryModel", "shaderBufferFloat32AtomicAdd"))
    if newest(families, "Metal") >= 3:
        found.update(("shaderBufferFloat32Atomics", "shaderBufferFloat32AtomicAdd"))
    return frozenset(found)


def matrices(families: frozenset[str]) -> tuple[CooperativeMatrix, ...]:
    """Shapes of ``simdgroup_matrix``; none before family Apple7 (M1, A14) and none on other makers' GPUs."""
    return _MATRICES if newest(families, "Apple") >= 7 else ()
