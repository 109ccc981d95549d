"""A Vulkan device: one queue, and the features that its kernels need and no others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self

from bench_lib.edge.choosing import choose
from bench_lib.edge.runtime import Command, Copy, DeviceFacts, MemoryMode
from bench_lib.edge.vulkan import physical
from bench_lib.edge.vulkan.batch import VulkanBatch
from bench_lib.edge.vulkan.buffers import VulkanBuffer
from bench_lib.edge.vulkan.features import FEATURES
from bench_lib.edge.vulkan.instance import Instance, driver_errors
from bench_lib.edge.vulkan.physical import PhysicalDevice, in_core
from bench_lib.edge.vulkan.pipelines import VulkanPipeline
from bench_lib.errors import BenchLibError, UnavailableError, UsageError

_IMPORT: Final = "VK_EXT_external_memory_host"


class VulkanDevice:
    """A logical device with its queue; see :class:`bench_lib.edge.runtime.Device`.

    Parameters
    ----------
    instance
        Outlives the device.
    chosen
        Which physical device.
    features
        Names to enable, as :func:`bench_lib.edge.vulkan.features.needed` gives them.
    imports
        Whether host memory will be imported.

    Raises
    ------
    UnavailableError
        ``feature-missing:<name>``.
    DeviceError
        The driver fails.
    """

    def __init__(
        self,
        instance: Instance,
        chosen: PhysicalDevice,
        *,
        features: Collection[str] = frozenset(),
        imports: bool = False,
    ) -> None:
        self.vk = vk = instance.vk
        self.instance, self.physical = instance, chosen
        #: What has to be closed before the device, in the order of making.
        self.opened: list[VulkanBuffer | VulkanPipeline | VulkanBatch] = []
        #: Set when it was lost or hangs: then nothing of it can be destroyed.
        self.broken = False
        self.handle: Any = None
        self._owns_instance = False
        for name in sorted(features):
            if name not in chosen.facts.features:
                raise UnavailableError(f"feature-missing:{name}", f"{chosen.facts.name} lacks {name}.")
        if imports and chosen.facts.import_alignment_bytes is None:
            raise UnavailableError(
                f"feature-missing:{_IMPORT}", f"{chosen.facts.name} imports no host memory."
            )
        self._imports = imports
        clock = physical.calibration_extension(instance, chosen)
        extensions = self._extensions(features) | ({_IMPORT} if imports else set())
        if clock is not None:
            extensions.add(clock)
        queue = vk.VkDeviceQueueCreateInfo(
            queueFamilyIndex=chosen.queue_family, queueCount=1, pQueuePriorities=[1.0]
        )
        names = sorted(extensions)
        info = vk.VkDeviceCreateInfo(
            pNext=self._feature_chain(features),
            queueCreateInfoCount=1,
            pQueueCreateInfos=[queue],
            enabledExtensionCount=len(names),
            ppEnabledExtensionNames=names,
        )
        with driver_errors("making a device"):
            self.handle = vk.vkCreateDevice(chosen.handle, info, None)
            self.queue: Any = vk.vkGetDeviceQueue(self.handle, chosen.queue_family, 0)
            self.memory_properties: Any = vk.vkGetPhysicalDeviceMemoryProperties(chosen.handle)
        self._clock = None
        if clock is not None:
            self._clock = self.function(f"vkGetCalibratedTimestamps{clock.split('_')[1]}")
            self._domains = vk.ffi.new("VkCalibratedTimestampInfoKHR[2]")
            for info_, domain in zip(
                self._domains,
                (vk.VK_TIME_DOMAIN_DEVICE_KHR, vk.VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR),
                strict=True,
            ):
                # The constant of that name in the binding is wrong; the one in its C declarations is right.
                info_.sType = vk.lib.VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR
                info_.timeDomain = domain
            self._instants = vk.ffi.new("uint64_t[2]")
            self._deviation = vk.ffi.new("uint64_t*")

    @property
    def facts(self) -> DeviceFacts:
        """What its driver says of it."""
        return self.physical.facts

    def _extensions(self, features: Collection[str]) -> set[str]:
        chosen = self.physical
        # The specification demands it of whoever uses a translation layer.
        wanted = {"VK_KHR_portability_subset"} & chosen.extensions
        for name in features:
            feature = FEATURES.get(name)
            if feature is not None and feature.extension and not in_core(feature, chosen.version):
                wanted.add(feature.extension)
        return wanted

    def _feature_chain(self, features: Collection[str]) -> Any:
        vk = self.vk
        by_structure: dict[str, dict[str, int]] = {}
        for name in features:
            if name in FEATURES:
                by_structure.setdefault(FEATURES[name].structure, {})[name] = 1
        base = by_structure.pop("VkPhysicalDeviceFeatures", {})
        chain: Any = None
        for structure, members in sorted(by_structure.items()):
            chain = getattr(vk, structure)(pNext=chain, **members)
        return vk.VkPhysicalDeviceFeatures2(pNext=chain, features=vk.VkPhysicalDeviceFeatures(**base))

    def function(self, name: str) -> Any:
        """A function of a device extension, without the binding's wrapper."""
        address = self.vk.lib.vkGetDeviceProcAddr(self.handle, self.vk.ffi.new("char[]", name.encode()))
        return self.vk.ffi.cast(f"PFN_{name}", address)

    def calibrate(self) -> tuple[int, int] | None:
        """One instant as (device's ticks, host's nanoseconds); ``None`` where the clocks do not relate."""
        if self._clock is None:
            return None
        result = self._clock(self.handle, 2, self._domains, self._instants, self._deviation)
        return (self._instants[0], self._instants[1]) if result == self.vk.VK_SUCCESS else None

    def buffer(self, num_bytes: int, *, mode: MemoryMode = "mapped") -> VulkanBuffer:
        if num_bytes < 1:
            raise UsageError.of("buffer", found=f"{num_bytes} bytes", expected="at least 1")
        if mode == "imported":
            raise UsageError.of(
                "buffer mode", found=mode, expected="mapped or staged", hint="Use import_buffer."
            )
        return VulkanBuffer(self, num_bytes=num_bytes, mode=mode)

    def import_buffer(self, memory: Any) -> VulkanBuffer:
        alignment = self.facts.import_alignment_bytes
        if alignment is None or not self._imports:
            raise UsageError.of("device", found="one not opened to import", expected="imports=True")
        address = int(self.vk.ffi.cast("uintptr_t", self.vk.ffi.from_buffer(memory)))
        if not len(memory) or len(memory) % alignment or address % alignment:
            raise UsageError.of(
                "memory to import",
                found=f"{len(memory)} bytes at {address:#x}",
                expected=f"address and length divisible by {alignment}",
            )
        return VulkanBuffer(self, num_bytes=len(memory), mode="imported", host=memory)

    def pipeline(
        self,
        code: bytes,
        *,
        entry_point: str,
        num_buffers: int,
        push_constant_bytes: int = 0,
        specialization: Mapping[int, bytes] | None = None,
        workgroup: tuple[int, int, int] | None = None,
    ) -> VulkanPipeline:
        return VulkanPipeline(
            self,
            code=code,
            entry_point=entry_point,
            num_buffers=num_buffers,
            push_constant_bytes=push_constant_bytes,
            specialization=specialization,
            workgroup=workgroup,
        )

    def batch(self, commands: Sequence[Command], *, count: int | None = None) -> VulkanBatch:
        return VulkanBatch(self, commands, count=count)

    def copy_now(self, source: VulkanBuffer, target: VulkanBuffer, *, num_bytes: int) -> None:
        """Copy on the device and wait."""
        batch = self.batch([Copy(source, target, num_bytes)])
        batch.run()
        batch.close()

    def close(self) -> None:
        """Destroy it and all that was made of it, unless it hangs: then only the process's end does."""
        if self.handle is None or self.broken:
            return
        for opened in reversed(list(self.opened)):
            opened.close()
        self.vk.vkDestroyDevice(self.handle, None)
        self.handle = None
        if self._owns_instance:
            self.instance.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_device(
    wanted: str | None,
    *,
    features: Collection[str] = frozenset(),
    imports: bool = False,
    validation: bool = False,
) -> VulkanDevice:
    """Open the device that ``wanted`` names; see :func:`bench_lib.edge.choosing.choose`.

    Closing it closes its instance too.
    """
    instance = Instance(validation=validation)
    try:
        found = physical.describe_all(instance)
        chosen = found[choose([d.facts for d in found], wanted)]
        device = VulkanDevice(instance, chosen, features=features, imports=imports)
    except BenchLibError:
        instance.close()
        raise
    device._owns_instance = True
    return device
