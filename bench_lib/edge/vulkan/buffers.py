"""Buffers in the three memory modes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench_lib.edge.runtime import MemoryMode
from bench_lib.edge.vulkan import physical
from bench_lib.edge.vulkan.instance import driver_errors
from bench_lib.errors import DeviceError, UnavailableError, UsageError

if TYPE_CHECKING:
    from bench_lib.edge.vulkan.device import VulkanDevice


class VulkanBuffer:
    """A storage buffer and its memory. A staged one copies by way of a buffer that the host sees."""

    def __init__(self, device: VulkanDevice, *, num_bytes: int, mode: MemoryMode, host: Any = None) -> None:
        vk = device.vk
        self.num_bytes, self.mode = num_bytes, mode
        self._device = device
        self._view: Any = None
        self._memory: Any = None
        self._host = host
        external = None
        if mode == "imported":
            external = vk.VkExternalMemoryBufferCreateInfo(
                handleTypes=vk.VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
            )
        info = vk.VkBufferCreateInfo(
            pNext=external,
            size=num_bytes,
            usage=vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
            | vk.VK_BUFFER_USAGE_TRANSFER_SRC_BIT
            | vk.VK_BUFFER_USAGE_TRANSFER_DST_BIT,
            sharingMode=vk.VK_SHARING_MODE_EXCLUSIVE,
        )
        with driver_errors(f"making a buffer of {num_bytes} bytes"):
            self.handle: Any = vk.vkCreateBuffer(device.handle, info, None)
        device.opened.append(self)
        try:
            self._allocate()
        except (DeviceError, UnavailableError):
            self.close()
            raise

    def _allocate(self) -> None:
        vk, device = self._device.vk, self._device
        needed = vk.vkGetBufferMemoryRequirements(device.handle, self.handle)
        allowed, chain = needed.memoryTypeBits, None
        if self.mode == "imported":
            address = vk.ffi.cast("void*", vk.ffi.from_buffer(self._host))
            said = vk.VkMemoryHostPointerPropertiesEXT()
            function = device.function("vkGetMemoryHostPointerPropertiesEXT")
            kind = vk.VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
            if function(device.handle, kind, address, vk.ffi.addressof(said)) != vk.VK_SUCCESS:
                raise UnavailableError("host-memory-refused", "the driver refuses to import this memory.")
            allowed &= said.memoryTypeBits
            chain = vk.VkImportMemoryHostPointerInfoEXT(handleType=kind, pHostPointer=address)
        choose = {"mapped": physical.mapped_type, "staged": physical.local_type}.get(self.mode)
        chosen = (
            choose(vk, device.memory_properties, allowed)
            if choose is not None
            else next((i for i in range(32) if allowed >> i & 1), None)
        )
        if chosen is None:
            raise UnavailableError(
                f"no-memory-type:{self.mode}", f"the device has no memory for {self.mode} buffers."
            )
        size = max(self.num_bytes, needed.size) if self.mode != "imported" else len(self._host)
        info = vk.VkMemoryAllocateInfo(pNext=chain, allocationSize=size, memoryTypeIndex=chosen)
        with driver_errors(f"allocating {size} bytes for a {self.mode} buffer"):
            self._memory = vk.vkAllocateMemory(device.handle, info, None)
            vk.vkBindBufferMemory(device.handle, self.handle, self._memory, 0)
            if self.mode == "mapped":
                self._view = vk.vkMapMemory(device.handle, self._memory, 0, self.num_bytes, 0)

    @property
    def view(self) -> memoryview:
        """Its bytes as the host addresses them.

        Raises
        ------
        UsageError
            The host does not: it is staged.
        """
        if self._view is not None:
            return memoryview(self._view).cast("B")
        if self._host is not None:
            return memoryview(self._host).cast("B")[: self.num_bytes]
        raise UsageError.of("buffer", found="a staged one", expected="one that the host addresses")

    def write(self, data: Any) -> None:
        """Copy ``data`` to its start; a staged buffer waits for the device's copy."""
        raw = memoryview(data).cast("B")
        if len(raw) > self.num_bytes:
            raise UsageError.of(
                "data for a buffer", found=f"{len(raw)} bytes", expected=f"at most {self.num_bytes}"
            )
        if self.mode != "staged":
            self.view[: len(raw)] = raw
        elif len(raw):
            between = self._device.buffer(len(raw))
            between.write(raw)
            self._device.copy_now(between, self, num_bytes=len(raw))
            between.close()

    def read(self) -> bytes:
        """Its content; a staged buffer waits for the device's copy."""
        if self.mode != "staged":
            return bytes(self.view)
        between = self._device.buffer(self.num_bytes)
        self._device.copy_now(self, between, num_bytes=self.num_bytes)
        content = between.read()
        between.close()
        return content

    def close(self) -> None:
        """Free it; no batch may use it any more."""
        if self.handle is None:
            return
        vk, device = self._device.vk, self._device
        vk.vkDestroyBuffer(device.handle, self.handle, None)
        if self._memory is not None:
            vk.vkFreeMemory(device.handle, self._memory, None)
        self.handle = self._memory = self._view = None
        device.opened.remove(self)
