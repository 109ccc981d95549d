"""Device features: where each lives in Vulkan, and which ones a SPIR-V module needs.

**Source**: Vulkan specification, appendix "Vulkan Environment for SPIR-V", table of capabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bench_lib.edge.vulkan.spirv import Module


@dataclass(frozen=True)
class Feature:
    """A member of a feature structure, ``extension`` that brings it, and the version that has it in core."""

    structure: str
    extension: str | None
    core: tuple[int, int] | None
    #: Extensions that this one builds on, where they are not in core.
    also: tuple[str, ...] = ()


_BASE: Final = Feature("VkPhysicalDeviceFeatures", None, (1, 0))
_FLOAT16_INT8: Final = Feature(
    "VkPhysicalDeviceShaderFloat16Int8Features", "VK_KHR_shader_float16_int8", (1, 2)
)
_STORAGE16: Final = Feature("VkPhysicalDevice16BitStorageFeatures", "VK_KHR_16bit_storage", (1, 1))
_STORAGE8: Final = Feature("VkPhysicalDevice8BitStorageFeatures", "VK_KHR_8bit_storage", (1, 2))
_MEMORY_MODEL: Final = Feature(
    "VkPhysicalDeviceVulkanMemoryModelFeatures", "VK_KHR_vulkan_memory_model", (1, 2)
)
_VARIABLE_POINTERS: Final = Feature(
    "VkPhysicalDeviceVariablePointersFeatures", "VK_KHR_variable_pointers", (1, 1)
)
_SUBGROUP_SIZE: Final = Feature(
    "VkPhysicalDeviceSubgroupSizeControlFeatures", "VK_EXT_subgroup_size_control", (1, 3)
)
_FLOAT_ATOMICS: Final = Feature(
    "VkPhysicalDeviceShaderAtomicFloatFeaturesEXT", "VK_EXT_shader_atomic_float", None
)

#: By the name of the member.
FEATURES: Final[dict[str, Feature]] = {
    "shaderFloat64": _BASE,
    "shaderInt64": _BASE,
    "shaderInt16": _BASE,
    "shaderFloat16": _FLOAT16_INT8,
    "shaderInt8": _FLOAT16_INT8,
    "storageBuffer16BitAccess": _STORAGE16,
    "uniformAndStorageBuffer16BitAccess": _STORAGE16,
    "storagePushConstant16": _STORAGE16,
    "storageBuffer8BitAccess": _STORAGE8,
    "uniformAndStorageBuffer8BitAccess": _STORAGE8,
    "storagePushConstant8": _STORAGE8,
    "vulkanMemoryModel": _MEMORY_MODEL,
    "vulkanMemoryModelDeviceScope": _MEMORY_MODEL,
    "variablePointersStorageBuffer": _VARIABLE_POINTERS,
    "variablePointers": _VARIABLE_POINTERS,
    "subgroupSizeControl": _SUBGROUP_SIZE,
    "computeFullSubgroups": _SUBGROUP_SIZE,
    "shaderSubgroupExtendedTypes": Feature(
        "VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures", "VK_KHR_shader_subgroup_extended_types", (1, 2)
    ),
    "shaderIntegerDotProduct": Feature(
        "VkPhysicalDeviceShaderIntegerDotProductFeatures", "VK_KHR_shader_integer_dot_product", (1, 3)
    ),
    "bufferDeviceAddress": Feature(
        "VkPhysicalDeviceBufferDeviceAddressFeatures", "VK_KHR_buffer_device_address", (1, 2)
    ),
    "shaderBufferFloat32Atomics": _FLOAT_ATOMICS,
    "shaderBufferFloat32AtomicAdd": _FLOAT_ATOMICS,
    "shaderSharedFloat32AtomicAdd": _FLOAT_ATOMICS,
    "cooperativeMatrix": Feature(
        "VkPhysicalDeviceCooperativeMatrixFeaturesKHR", "VK_KHR_cooperative_matrix", None
    ),
}

#: Subgroup operations, which a device has without being asked: bits of ``supportedOperations``.
SUBGROUP_OPERATIONS: Final[dict[str, int]] = {
    "subgroup-basic": 0x01,
    "subgroup-vote": 0x02,
    "subgroup-arithmetic": 0x04,
    "subgroup-ballot": 0x08,
    "subgroup-shuffle": 0x10,
    "subgroup-shuffle-relative": 0x20,
    "subgroup-clustered": 0x40,
    "subgroup-quad": 0x80,
}

#: SPIR-V capability → the features it needs. Those with none are part of every Vulkan device.
CAPABILITIES: Final[dict[int, tuple[str, ...]]] = {
    0: (),  # Matrix
    1: (),  # Shader
    9: ("shaderFloat16",),
    10: ("shaderFloat64",),
    11: ("shaderInt64",),
    22: ("shaderInt16",),
    39: ("shaderInt8",),
    61: ("subgroup-basic",),
    62: ("subgroup-vote",),
    63: ("subgroup-arithmetic",),
    64: ("subgroup-ballot",),
    65: ("subgroup-shuffle",),
    66: ("subgroup-shuffle-relative",),
    67: ("subgroup-clustered",),
    68: ("subgroup-quad",),
    4423: ("subgroup-ballot",),  # SubgroupBallotKHR
    4431: ("subgroup-vote",),  # SubgroupVoteKHR
    4433: ("storageBuffer16BitAccess",),
    4434: ("uniformAndStorageBuffer16BitAccess",),
    4435: ("storagePushConstant16",),
    4441: ("variablePointersStorageBuffer",),
    4442: ("variablePointers",),
    4448: ("storageBuffer8BitAccess",),
    4449: ("uniformAndStorageBuffer8BitAccess",),
    4450: ("storagePushConstant8",),
    5345: ("vulkanMemoryModel",),
    5346: ("vulkanMemoryModelDeviceScope",),
    5347: ("bufferDeviceAddress",),
    6016: ("shaderIntegerDotProduct",),  # DotProductInputAll
    6017: ("shaderIntegerDotProduct",),  # DotProductInput4x8Bit
    6018: ("shaderIntegerDotProduct",),  # DotProductInput4x8BitPacked
    6019: ("shaderIntegerDotProduct",),
    6022: ("cooperativeMatrix",),
    6033: ("shaderBufferFloat32AtomicAdd",),
}

#: Vulkan version → newest SPIR-V it takes (SPIR-V 1.4 also by an extension, which is not asked for).
_NEWEST_SPIRV: Final = {(1, 0): (1, 0), (1, 1): (1, 3), (1, 2): (1, 5)}


def newest_spirv(api_version: tuple[int, int]) -> tuple[int, int]:
    """Newest SPIR-V that a device of that Vulkan version takes."""
    return _NEWEST_SPIRV.get(api_version, (1, 6))


def needed(module: Module) -> frozenset[str]:
    """Names of the features that ``module`` needs; an unknown capability is one that no device has."""
    found: set[str] = set()
    for capability in module.capabilities:
        found.update(CAPABILITIES.get(capability, (f"spirv-capability-{capability}",)))
    return frozenset(found)
