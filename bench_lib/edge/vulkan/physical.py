"""What a driver says of its physical devices."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from slugify import slugify

from bench_lib.edge.runtime import CooperativeMatrix, DeviceFacts
from bench_lib.edge.vulkan.features import FEATURES, SUBGROUP_OPERATIONS, Feature
from bench_lib.edge.vulkan.instance import Instance, driver_errors
from bench_lib.hardware import detect_cpu
from bench_lib.hardware.catalog import find
from bench_lib.hardware.detect import cpu_slug
from bench_lib.model import HardwareKind

_OLDEST: Final = (1, 1)
#: ``VkDriverId`` of drivers that run on the CPU, by the name that people know them by.
_SOFTWARE_DRIVERS: Final = {13: "lavapipe", 10: "swiftshader"}
_COMPONENTS: Final = ("f16", "f32", "f64", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64")
#: ``VkScopeKHR``.
_SCOPES: Final = {1: "device", 2: "workgroup", 3: "subgroup", 5: "queue-family"}


@dataclass(frozen=True)
class PhysicalDevice:
    """A handle with what is known of it.

    ``queue_family`` is the one to submit to, and ``timestamp_bits`` how many bits its clock has.
    """

    handle: Any
    facts: DeviceFacts
    version: tuple[int, int]
    extensions: frozenset[str]
    queue_family: int
    timestamp_bits: int


def _version(number: int) -> tuple[int, int, int]:
    return number >> 22 & 0x7F, number >> 12 & 0x3FF, number & 0xFFF


class _Asked:
    """Structures filled by one driver call each, so that none stands in a chain where it may not."""

    def __init__(self, vk: Any, handle: Any) -> None:
        self.vk, self.handle = vk, handle

    def properties(self, structure: str) -> Any:
        wanted = getattr(self.vk, structure)()
        self.vk.vkGetPhysicalDeviceProperties2(self.handle, self.vk.VkPhysicalDeviceProperties2(pNext=wanted))
        return wanted

    def features(self, structure: str) -> Any:
        if structure == "VkPhysicalDeviceFeatures":
            return self.vk.vkGetPhysicalDeviceFeatures(self.handle)
        wanted = getattr(self.vk, structure)()
        self.vk.vkGetPhysicalDeviceFeatures2(self.handle, self.vk.VkPhysicalDeviceFeatures2(pNext=wanted))
        return wanted


def in_core(feature: Feature, version: tuple[int, int]) -> bool:
    """Whether a device of that Vulkan version has the feature's structure without an extension."""
    return feature.core is not None and version >= feature.core


def _features(asked: _Asked, *, version: tuple[int, int], extensions: frozenset[str]) -> set[str]:
    found: set[str] = set()
    read: dict[str, Any] = {}
    for name, feature in FEATURES.items():
        if not (in_core(feature, version) or feature.extension in extensions):
            continue
        if feature.structure not in read:
            read[feature.structure] = asked.features(feature.structure)
        if getattr(read[feature.structure], name):
            found.add(name)
    subgroup = asked.properties("VkPhysicalDeviceSubgroupProperties")
    if subgroup.supportedStages & asked.vk.VK_SHADER_STAGE_COMPUTE_BIT:
        found.update(n for n, bit in SUBGROUP_OPERATIONS.items() if subgroup.supportedOperations & bit)
    return found


def _cooperative_matrices(
    instance: Instance, handle: Any, features: set[str]
) -> tuple[CooperativeMatrix, ...]:
    if "cooperativeMatrix" not in features:
        return ()
    vk = instance.vk
    # The binding's own function leaves ``sType`` of what it allocates at 0, which no driver has to take.
    raw = instance.function("vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR")
    count = vk.ffi.new("uint32_t*")
    if raw(handle, count, vk.ffi.NULL) != vk.VK_SUCCESS or not count[0]:
        return ()
    shapes = vk.ffi.new("VkCooperativeMatrixPropertiesKHR[]", count[0])
    for shape in shapes:
        shape.sType = vk.VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR
    if raw(handle, count, shapes) != vk.VK_SUCCESS:
        return ()

    def component(number: int) -> str:
        return _COMPONENTS[number] if number < len(_COMPONENTS) else f"component-{number}"

    return tuple(
        CooperativeMatrix(
            m=s.MSize,
            n=s.NSize,
            k=s.KSize,
            a=component(s.AType),
            b=component(s.BType),
            c=component(s.CType),
            result=component(s.ResultType),
            scope=_SCOPES.get(s.scope, f"scope-{s.scope}"),
            saturating=bool(s.saturatingAccumulation),
        )
        for s in shapes[0 : count[0]]
    )


def _queue_family(vk: Any, handle: Any) -> tuple[int, int] | None:
    """Index and timestamp bits of the family to use: the one most work goes to, if it has timestamps."""
    best: tuple[tuple[bool, bool], int, int] | None = None
    for index, family in enumerate(vk.vkGetPhysicalDeviceQueueFamilyProperties(handle)):
        if not family.queueFlags & vk.VK_QUEUE_COMPUTE_BIT:
            continue
        rank = (family.timestampValidBits > 0, bool(family.queueFlags & vk.VK_QUEUE_GRAPHICS_BIT))
        if best is None or rank > best[0]:
            best = rank, index, family.timestampValidBits
    return None if best is None else (best[1], best[2])


def memory_flags_text(vk: Any, flags: int) -> str:
    """Property flags of a memory type as Vulkan names them."""
    names = ("DEVICE_LOCAL", "HOST_VISIBLE", "HOST_COHERENT", "HOST_CACHED")
    found = [n for n in names if flags & getattr(vk, f"VK_MEMORY_PROPERTY_{n}_BIT")]
    return " | ".join(found) or "no property"


def mapped_type(vk: Any, memory: Any, allowed: int) -> int | None:
    """Memory type for ``mapped``: both local and visible where there is one, cached before not."""
    return _best_type(
        memory,
        allowed,
        need=vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
        like=(vk.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, vk.VK_MEMORY_PROPERTY_HOST_CACHED_BIT),
    )


def host_type(vk: Any, memory: Any, allowed: int) -> int | None:
    """Memory type for what the host fills or reads in a staged copy: cached, and not the device's."""
    return _best_type(
        memory,
        allowed,
        need=vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
        like=(vk.VK_MEMORY_PROPERTY_HOST_CACHED_BIT,),
        avoid=vk.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
    )


def local_type(vk: Any, memory: Any, allowed: int) -> int | None:
    """Memory type for ``staged``: the device's own, unseen by the host where there is such."""
    return _best_type(
        memory,
        allowed,
        need=vk.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        like=(),
        avoid=vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
    )


def _best_type(memory: Any, allowed: int, *, need: int, like: tuple[int, ...], avoid: int = 0) -> int | None:
    best: tuple[tuple[bool, ...], int] | None = None
    for index in range(memory.memoryTypeCount):
        flags = memory.memoryTypes[index].propertyFlags
        if not allowed >> index & 1 or flags & need != need:
            continue
        rank = (not flags & avoid, *(bool(flags & bit) for bit in like))
        if best is None or rank > best[0]:
            best = rank, index
    return None if best is None else best[1]


def _memory_names(vk: Any, memory: Any, alignment: int | None) -> dict[str, str]:
    chosen = {"mapped": mapped_type(vk, memory, ~0), "staged": local_type(vk, memory, ~0)}
    names = {
        mode: memory_flags_text(vk, memory.memoryTypes[index].propertyFlags)
        for mode, index in chosen.items()
        if index is not None
    }
    if alignment is not None:
        names["imported"] = "VK_EXT_external_memory_host"
    return names


def _slug(name: str, kind: HardwareKind, driver_id: int) -> tuple[str, tuple[str, ...]]:
    """Slug of the hardware, and other names that choose it.

    A software device is as fast as the processor below it, and its version is in its name: so its slug is
    the driver's name with the processor's.
    """
    if kind == "software":
        known = _SOFTWARE_DRIVERS.get(driver_id) or slugify(name.partition("(")[0]) or "software"
        return f"{known}-{cpu_slug(detect_cpu())}", (known,)
    hardware = find(name)
    return (hardware.slug if hardware else slugify(name) or "unknown-gpu"), ()


def _describe(instance: Instance, handle: Any) -> PhysicalDevice | None:
    vk = instance.vk
    properties = vk.vkGetPhysicalDeviceProperties(handle)
    number = _version(properties.apiVersion)
    version = number[:2]
    family = _queue_family(vk, handle)
    if version < _OLDEST or family is None:
        return None
    extensions = frozenset(e.extensionName for e in vk.vkEnumerateDeviceExtensionProperties(handle, None))
    asked = _Asked(vk, handle)
    features = _features(asked, version=version, extensions=extensions)
    name = str(properties.deviceName)
    kind: HardwareKind = "software" if properties.deviceType == vk.VK_PHYSICAL_DEVICE_TYPE_CPU else "gpu"
    driver_id, driver = 0, f"driver {properties.driverVersion:#x}"
    if version >= (1, 2) or "VK_KHR_driver_properties" in extensions:
        said = asked.properties("VkPhysicalDeviceDriverProperties")
        driver_id = int(said.driverID)
        parts = (vk.ffi.string(said.driverName), vk.ffi.string(said.driverInfo))
        driver = " ".join(p.decode(errors="replace") for p in parts if p) or driver
        if not parts[1]:
            driver += " " + ".".join(map(str, _version(properties.driverVersion)))
    alignment = None
    if "VK_EXT_external_memory_host" in extensions:
        said = asked.properties("VkPhysicalDeviceExternalMemoryHostPropertiesEXT")
        alignment = int(said.minImportedHostPointerAlignment)
    memory = vk.vkGetPhysicalDeviceMemoryProperties(handle)
    local = [
        h
        for h in memory.memoryHeaps[0 : memory.memoryHeapCount]
        if h.flags & vk.VK_MEMORY_HEAP_DEVICE_LOCAL_BIT
    ]
    types = memory.memoryTypes[0 : memory.memoryTypeCount]
    limits = properties.limits
    slug, aliases = _slug(name, kind, driver_id)
    facts = DeviceFacts(
        api="vulkan",
        slug=slug,
        selector=slug,
        name=name,
        kind=kind,
        driver=driver,
        api_version=".".join(map(str, number)),
        unified_memory=properties.deviceType
        in (vk.VK_PHYSICAL_DEVICE_TYPE_CPU, vk.VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU)
        or _is_unified(vk, types),
        features=frozenset(features),
        subgroup_size=int(asked.properties("VkPhysicalDeviceSubgroupProperties").subgroupSize),
        max_workgroup_size=(*map(int, limits.maxComputeWorkGroupSize),),  # type: ignore[arg-type]
        max_workgroup_invocations=int(limits.maxComputeWorkGroupInvocations),
        max_groups=(*map(int, limits.maxComputeWorkGroupCount),),  # type: ignore[arg-type]
        shared_memory_bytes=int(limits.maxComputeSharedMemorySize),
        max_buffer_bytes=int(limits.maxStorageBufferRange),
        memory_bytes=max((int(h.size) for h in local), default=0),
        max_push_constant_bytes=int(limits.maxPushConstantsSize),
        timestamp_period_s=float(limits.timestampPeriod) * 1e-9 if family[1] else None,
        start_is_known=bool(family[1]) and _calibrated(instance, handle, extensions) is not None,
        import_alignment_bytes=alignment,
        cooperative_matrices=_cooperative_matrices(instance, handle, features),
        memory=_memory_names(vk, memory, alignment),
        aliases=aliases,
    )
    return PhysicalDevice(handle, facts, version, extensions, *family)


def _is_unified(vk: Any, types: Sequence[Any]) -> bool:
    local = [t for t in types if t.propertyFlags & vk.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT]
    heaps = {t.heapIndex for t in local}
    visible = {t.heapIndex for t in local if t.propertyFlags & vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT}
    # A discrete GPU with a resizable BAR shows its memory too; but the host's then is not local.
    others = [t for t in types if not t.propertyFlags & vk.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT]
    return bool(heaps) and heaps == visible and all(t.heapIndex in heaps for t in others)


def _calibrated(instance: Instance, handle: Any, extensions: frozenset[str]) -> str | None:
    """The extension that relates the device's clock to the host's monotonic one, if it does."""
    vk = instance.vk
    for extension, suffix in (
        ("VK_KHR_calibrated_timestamps", "KHR"),
        ("VK_EXT_calibrated_timestamps", "EXT"),
    ):
        if extension not in extensions:
            continue
        listed = instance.function(f"vkGetPhysicalDeviceCalibrateableTimeDomains{suffix}")
        count = vk.ffi.new("uint32_t*")
        if listed(handle, count, vk.ffi.NULL) != vk.VK_SUCCESS or not count[0]:
            continue
        domains = vk.ffi.new("VkTimeDomainKHR[]", count[0])
        if listed(handle, count, domains) != vk.VK_SUCCESS:
            continue
        if {vk.VK_TIME_DOMAIN_DEVICE_KHR, vk.VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR} <= set(domains):
            return extension
    return None


def calibration_extension(instance: Instance, device: PhysicalDevice) -> str | None:
    """Extension to ask for where the two clocks are to be related; ``None`` where they cannot be."""
    return _calibrated(instance, device.handle, device.extensions)


def describe_all(instance: Instance) -> tuple[PhysicalDevice, ...]:
    """Every physical device that has Vulkan 1.1 and a compute queue; those alike are told apart by ``:N``."""
    with driver_errors("asking for a device's properties"):
        described = [_describe(instance, handle) for handle in instance.physical_devices()]
    found = [d for d in described if d is not None]
    totals = Counter(d.facts.slug for d in found)
    seen: Counter[str] = Counter()
    named: list[PhysicalDevice] = []
    for device in found:
        slug = device.facts.slug
        if totals[slug] > 1:
            facts = dataclasses.replace(device.facts, selector=f"{slug}:{seen[slug]}")
            device = dataclasses.replace(device, facts=facts)  # noqa: PLW2901
            seen[slug] += 1
        named.append(device)
    return tuple(named)
