"""Compute pipelines, made without a pipeline cache, with the time that it took."""

from __future__ import annotations

import struct
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bench_lib.edge.vulkan.features import needed, newest_spirv
from bench_lib.edge.vulkan.instance import driver_errors
from bench_lib.edge.vulkan.spirv import Module, read_module
from bench_lib.errors import UnavailableError, UsageError

if TYPE_CHECKING:
    from bench_lib.edge.vulkan.device import VulkanDevice


def check_module(
    module: Module,
    *,
    entry_point: str,
    num_buffers: int,
    push_constant_bytes: int,
    workgroup: tuple[int, int, int] | None,
    features: frozenset[str],
    shared_memory_bytes: int,
    api_version: tuple[int, int],
) -> None:
    """Refuse what a driver need not check, and may crash on.

    Raises
    ------
    UsageError
        There is no such entry point, a binding lies outside set 0 or beyond ``num_buffers``, the push
        constants reach beyond ``push_constant_bytes``, or it states another workgroup.
    UnavailableError
        ``feature-missing:<name>``.
    """
    if entry_point not in module.entry_points:
        known = ", ".join(sorted(module.entry_points))
        raise UsageError.of("SPIR-V entry point", found=entry_point, expected=f"one of {known}")
    outside = sorted(b for b in module.bindings if b[0] != 0 or b[1] >= num_buffers)
    if outside:
        raise UsageError.of(
            "SPIR-V (set, binding)", found=outside, expected=f"set 0, bindings 0 to {num_buffers - 1}"
        )
    if module.push_constant_bytes > push_constant_bytes:
        raise UsageError.of(
            "push constants of the SPIR-V",
            found=f"{module.push_constant_bytes} bytes",
            expected=f"at most the {push_constant_bytes} of its uniforms",
        )
    stated = module.entry_points[entry_point]
    if stated is not None and workgroup is not None and stated != workgroup:
        raise UsageError.of(
            "workgroup of the SPIR-V", found=stated, expected=f"{workgroup}, as was said of it"
        )
    if module.shared_bytes > shared_memory_bytes:
        raise UnavailableError(
            f"feature-missing:shared-memory-of-{module.shared_bytes}",
            f"workgroups on this device share at most {shared_memory_bytes} bytes.",
        )
    newest = newest_spirv(api_version)
    if module.version > newest:
        name = "feature-missing:spirv-{}.{}".format(*module.version)
        raise UnavailableError(name, f"this device takes SPIR-V up to {newest[0]}.{newest[1]}.")
    for name in sorted(needed(module) - features):
        raise UnavailableError(
            f"feature-missing:{name}", f"the kernel needs {name} and this device lacks it."
        )


class VulkanPipeline:
    """A compute pipeline with its layout.

    ``creation_s`` is the time of ``vkCreateShaderModule`` and ``vkCreateComputePipelines``: the
    driver compiles in one or the other.
    """

    def __init__(
        self,
        device: VulkanDevice,
        *,
        code: bytes,
        entry_point: str,
        num_buffers: int,
        push_constant_bytes: int,
        specialization: Mapping[int, bytes] | None,
        workgroup: tuple[int, int, int] | None,
    ) -> None:
        vk = device.vk
        module = read_module(code)
        facts = device.facts
        check_module(
            module,
            entry_point=entry_point,
            num_buffers=num_buffers,
            push_constant_bytes=push_constant_bytes,
            workgroup=workgroup,
            features=facts.features,
            shared_memory_bytes=facts.shared_memory_bytes,
            api_version=device.physical.version,
        )
        if push_constant_bytes > facts.max_push_constant_bytes:
            raise UnavailableError(
                "feature-missing:push-constants",
                f"the kernel takes {push_constant_bytes} bytes of push constants; the device "
                f"{facts.max_push_constant_bytes}.",
            )
        self._device = device
        self.num_buffers, self.push_constant_bytes = num_buffers, push_constant_bytes
        self.workgroup = module.entry_points[entry_point] or workgroup or (1, 1, 1)
        x, y, z = self.workgroup
        if x * y * z > facts.max_workgroup_invocations:
            raise UnavailableError(
                f"feature-missing:workgroup-of-{x * y * z}",
                f"workgroups on this device have at most {facts.max_workgroup_invocations} invocations.",
            )
        self.handle: Any = None
        self.set_layout: Any = None
        self.layout: Any = None
        device.opened.append(self)
        with driver_errors("making a pipeline"):
            self._make_layout()
            self.creation_s = self._make(code, entry_point, specialization or {})
        del vk

    def _make_layout(self) -> None:
        vk, device = self._device.vk, self._device
        stage = vk.VK_SHADER_STAGE_COMPUTE_BIT
        bindings = [
            vk.VkDescriptorSetLayoutBinding(
                binding=index,
                descriptorType=vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                descriptorCount=1,
                stageFlags=stage,
            )
            for index in range(self.num_buffers)
        ]
        info = vk.VkDescriptorSetLayoutCreateInfo(bindingCount=len(bindings), pBindings=bindings)
        self.set_layout = vk.vkCreateDescriptorSetLayout(device.handle, info, None)
        ranges = []
        if self.push_constant_bytes:
            ranges = [vk.VkPushConstantRange(stageFlags=stage, offset=0, size=self.push_constant_bytes)]
        layout = vk.VkPipelineLayoutCreateInfo(
            setLayoutCount=1,
            pSetLayouts=[self.set_layout],
            pushConstantRangeCount=len(ranges),
            pPushConstantRanges=ranges,
        )
        self.layout = vk.vkCreatePipelineLayout(device.handle, layout, None)

    def _make(self, code: bytes, entry_point: str, specialization: Mapping[int, bytes]) -> float:
        vk, device = self._device.vk, self._device
        constants = None
        if specialization:
            data = vk.ffi.new("char[]", b"".join(specialization.values()))
            entries = [
                vk.VkSpecializationMapEntry(constantID=id_, offset=4 * place, size=4)
                for place, id_ in enumerate(specialization)
            ]
            constants = vk.VkSpecializationInfo(
                mapEntryCount=len(entries), pMapEntries=entries, dataSize=4 * len(entries), pData=data
            )
        words = vk.ffi.new("uint32_t[]", struct.unpack(f"<{len(code) // 4}I", code))
        source = vk.ffi.new("VkShaderModuleCreateInfo*")
        source.sType = vk.VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO
        source.codeSize, source.pCode = len(code), words
        begin = time.perf_counter()
        shader = vk.vkCreateShaderModule(device.handle, source, None)
        try:
            stage = vk.VkPipelineShaderStageCreateInfo(
                stage=vk.VK_SHADER_STAGE_COMPUTE_BIT,
                module=shader,
                pName=entry_point,
                pSpecializationInfo=constants,
            )
            info = vk.VkComputePipelineCreateInfo(stage=stage, layout=self.layout, basePipelineIndex=-1)
            self.handle = vk.vkCreateComputePipelines(device.handle, None, 1, [info], None)[0]
            return time.perf_counter() - begin
        finally:
            vk.vkDestroyShaderModule(device.handle, shader, None)

    def close(self) -> None:
        """Destroy it; no batch may use it any more."""
        vk, device = self._device.vk, self._device
        if self in device.opened:
            device.opened.remove(self)
        if self.handle is not None:
            vk.vkDestroyPipeline(device.handle, self.handle, None)
        if self.layout is not None:
            vk.vkDestroyPipelineLayout(device.handle, self.layout, None)
        if self.set_layout is not None:
            vk.vkDestroyDescriptorSetLayout(device.handle, self.set_layout, None)
        self.handle = self.layout = self.set_layout = None
