"""Commands in one command buffer, bracketed by two timestamps."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from bench_lib.edge.runtime import WAIT_TIMEOUT_S, BatchTiming, Command, Copy, Dispatch
from bench_lib.edge.vulkan.buffers import VulkanBuffer
from bench_lib.edge.vulkan.instance import driver_errors
from bench_lib.edge.vulkan.pipelines import VulkanPipeline
from bench_lib.errors import DeviceError, UsageError

if TYPE_CHECKING:
    from bench_lib.edge.vulkan.device import VulkanDevice


def device_seconds(start: int, end: int, *, bits: int, period_s: float) -> float | None:
    """Time between two timestamps of which ``bits`` count, over at most one wrap; ``None`` for no time.

    **Source**: Vulkan specification, "Timestamp Queries": the counter wraps at its valid bits.
    """
    ticks = (end - start) & ((1 << bits) - 1)
    # A start after the end reads as nearly a whole turn of the counter.
    return ticks * period_s if 0 < ticks < 1 << (bits - 1) else None


def seconds_until(
    ticks: int, *, calibrated: tuple[int, int], host_ns: int, bits: int, period_s: float
) -> float:
    """From the host's instant ``host_ns`` to the device's ``ticks``; negative where they contradict.

    ``calibrated`` is an earlier instant that both clocks read: (device's ticks, host's nanoseconds).
    """
    mask = (1 << bits) - 1
    passed = (ticks - calibrated[0]) & mask
    if passed > mask >> 1:
        passed -= mask + 1
    return (calibrated[1] - host_ns) * 1e-9 + passed * period_s


class VulkanBatch:
    """A recorded command buffer. A full barrier stands between any two commands."""

    def __init__(self, device: VulkanDevice, commands: Sequence[Command], *, count: int | None) -> None:
        if not commands or (count is not None and count < 1):
            raise UsageError.of(
                "batch", found=f"{len(commands)} commands, count {count}", expected="at least 1"
            )
        vk = device.vk
        self.count = len(commands) if count is None else count
        self._device = device
        self._pool: Any = None
        self._command_pool: Any = None
        self._queries: Any = None
        self._fence: Any = None
        device.opened.append(self)
        with driver_errors("recording commands"):
            self._sets = self._descriptor_sets(commands)
            self._command_pool = vk.vkCreateCommandPool(
                device.handle, vk.VkCommandPoolCreateInfo(queueFamilyIndex=device.physical.queue_family), None
            )
            info = vk.VkCommandBufferAllocateInfo(
                commandPool=self._command_pool, level=vk.VK_COMMAND_BUFFER_LEVEL_PRIMARY, commandBufferCount=1
            )
            self._buffer = vk.vkAllocateCommandBuffers(device.handle, info)[0]
            if device.physical.timestamp_bits:
                queries = vk.VkQueryPoolCreateInfo(queryType=vk.VK_QUERY_TYPE_TIMESTAMP, queryCount=2)
                self._queries = vk.vkCreateQueryPool(device.handle, queries, None)
            self._fence = vk.vkCreateFence(device.handle, vk.VkFenceCreateInfo(), None)
            self._record(commands)
        buffers = vk.ffi.new("VkCommandBuffer[]", [self._buffer])
        submit = vk.ffi.new("VkSubmitInfo*")
        submit.sType = vk.VK_STRUCTURE_TYPE_SUBMIT_INFO
        submit.commandBufferCount, submit.pCommandBuffers = 1, buffers
        self._submit, self._kept = submit, (buffers, commands)
        self._fences = vk.ffi.new("VkFence[]", [self._fence])
        self._ticks = vk.ffi.new("uint64_t[2]")

    def _descriptor_sets(self, commands: Sequence[Command]) -> list[Any]:
        """A set for each dispatch, in the commands' order; ``None`` for copies."""
        vk, device = self._device.vk, self._device
        dispatches = [c for c in commands if isinstance(c, Dispatch)]
        if not dispatches:
            return [None] * len(commands)
        total = sum(len(d.buffers) for d in dispatches)
        sizes = [
            vk.VkDescriptorPoolSize(type=vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, descriptorCount=max(total, 1))
        ]
        pool = vk.VkDescriptorPoolCreateInfo(maxSets=len(dispatches), poolSizeCount=1, pPoolSizes=sizes)
        self._pool = vk.vkCreateDescriptorPool(device.handle, pool, None)
        sets: list[Any] = []
        for command in commands:
            if isinstance(command, Copy):
                sets.append(None)
                continue
            pipeline = cast(VulkanPipeline, command.pipeline)
            _check(command, pipeline, device)
            info = vk.VkDescriptorSetAllocateInfo(
                descriptorPool=self._pool, descriptorSetCount=1, pSetLayouts=[pipeline.set_layout]
            )
            made = vk.vkAllocateDescriptorSets(device.handle, info)[0]
            writes = [
                vk.VkWriteDescriptorSet(
                    dstSet=made,
                    dstBinding=index,
                    descriptorCount=1,
                    descriptorType=vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                    pBufferInfo=[
                        vk.VkDescriptorBufferInfo(
                            buffer=cast(VulkanBuffer, buffer).handle, offset=0, range=buffer.num_bytes
                        )
                    ],
                )
                for index, buffer in enumerate(command.buffers)
            ]
            if writes:
                vk.vkUpdateDescriptorSets(device.handle, len(writes), writes, 0, None)
            sets.append(made)
        return sets

    def _record(self, commands: Sequence[Command]) -> None:
        vk = self._device.vk
        buffer = self._buffer
        vk.vkBeginCommandBuffer(buffer, vk.VkCommandBufferBeginInfo())
        stages = vk.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | vk.VK_PIPELINE_STAGE_TRANSFER_BIT
        access = (
            vk.VK_ACCESS_SHADER_READ_BIT
            | vk.VK_ACCESS_SHADER_WRITE_BIT
            | vk.VK_ACCESS_TRANSFER_READ_BIT
            | vk.VK_ACCESS_TRANSFER_WRITE_BIT
        )
        between = [vk.VkMemoryBarrier(srcAccessMask=access, dstAccessMask=access)]
        if self._queries is not None:
            vk.vkCmdResetQueryPool(buffer, self._queries, 0, 2)
            vk.vkCmdWriteTimestamp(buffer, vk.VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, self._queries, 0)
        bound: tuple[Any, ...] = ()
        for index in range(self.count):
            command, made = commands[index % len(commands)], self._sets[index % len(commands)]
            if index:
                vk.vkCmdPipelineBarrier(buffer, stages, stages, 0, 1, between, 0, None, 0, None)
            if isinstance(command, Copy):
                region = vk.VkBufferCopy(srcOffset=0, dstOffset=0, size=command.num_bytes)
                source, target = cast(VulkanBuffer, command.source), cast(VulkanBuffer, command.target)
                vk.vkCmdCopyBuffer(buffer, source.handle, target.handle, 1, [region])
                continue
            bound = self._dispatch(command, made, bound)
        if self._queries is not None:
            vk.vkCmdWriteTimestamp(buffer, vk.VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, self._queries, 1)
        # Makes the writes visible to the host, which reads after the fence.
        ends = [vk.VkMemoryBarrier(srcAccessMask=access, dstAccessMask=vk.VK_ACCESS_HOST_READ_BIT)]
        vk.vkCmdPipelineBarrier(buffer, stages, vk.VK_PIPELINE_STAGE_HOST_BIT, 0, 1, ends, 0, None, 0, None)
        vk.vkEndCommandBuffer(buffer)

    def _dispatch(self, command: Dispatch, made: Any, bound: tuple[Any, ...]) -> tuple[Any, ...]:
        """Record a dispatch; what is bound already is not bound again."""
        vk, buffer = self._device.vk, self._buffer
        pipeline = cast(VulkanPipeline, command.pipeline)
        wanted = (pipeline, made, command.push_constants)
        if bound[:1] != wanted[:1]:
            vk.vkCmdBindPipeline(buffer, vk.VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle)
        if bound != wanted:
            vk.vkCmdBindDescriptorSets(
                buffer, vk.VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, [made], 0, None
            )
            if command.push_constants:
                data = vk.ffi.from_buffer(command.push_constants)
                size, stage = len(command.push_constants), vk.VK_SHADER_STAGE_COMPUTE_BIT
                vk.vkCmdPushConstants(buffer, pipeline.layout, stage, 0, size, data)
        vk.vkCmdDispatch(buffer, *command.groups)
        return wanted

    def run(self, *, timeout_s: float = WAIT_TIMEOUT_S) -> BatchTiming:
        """Submit and wait. The binding's wrappers are gone around: they cost microseconds."""
        device, vk = self._device, self._device.vk
        calibrated = device.calibrate()
        lib, queue, wait_ns = vk.lib, device.queue, int(timeout_s * 1e9)
        cpu = time.process_time()
        begin = time.perf_counter_ns()
        result = lib.vkQueueSubmit(queue, 1, self._submit, self._fence)
        if result == vk.VK_SUCCESS:
            result = lib.vkWaitForFences(device.handle, 1, self._fences, vk.VK_TRUE, wait_ns)
        end = time.perf_counter_ns()
        cpu = time.process_time() - cpu
        if result != vk.VK_SUCCESS:
            device.broken = True
            if result == vk.VK_TIMEOUT:
                raise DeviceError(
                    "device-hung", f"the device did not end {self.count} commands in {timeout_s:g} s."
                )
            with driver_errors("running commands"):
                raise vk.exception_codes[result]
        lib.vkResetFences(device.handle, 1, self._fences)
        device_s, until_start_s = self._times(calibrated, begin)
        return BatchTiming(
            round_trip_s=(end - begin) * 1e-9, device_s=device_s, submit_to_start_s=until_start_s, cpu_s=cpu
        )

    def _times(self, calibrated: tuple[int, int] | None, begin_ns: int) -> tuple[float | None, float | None]:
        device, vk = self._device, self._device.vk
        period_s, bits = device.facts.timestamp_period_s, device.physical.timestamp_bits
        if self._queries is None or period_s is None:
            return None, None
        got = vk.lib.vkGetQueryPoolResults(
            device.handle, self._queries, 0, 2, 16, self._ticks, 8, vk.VK_QUERY_RESULT_64_BIT
        )
        if got != vk.VK_SUCCESS:
            return None, None
        start, end = self._ticks[0], self._ticks[1]
        device_s = device_seconds(start, end, bits=bits, period_s=period_s)
        if calibrated is None:
            return device_s, None
        return device_s, seconds_until(
            start, calibrated=calibrated, host_ns=begin_ns, bits=bits, period_s=period_s
        )

    def close(self) -> None:
        """Free it; it must have ended."""
        device, vk = self._device, self._device.vk
        if self not in device.opened:
            return
        device.opened.remove(self)
        if self._fence is not None:
            vk.vkDestroyFence(device.handle, self._fence, None)
        if self._queries is not None:
            vk.vkDestroyQueryPool(device.handle, self._queries, None)
        if self._command_pool is not None:
            vk.vkDestroyCommandPool(device.handle, self._command_pool, None)
        if self._pool is not None:
            vk.vkDestroyDescriptorPool(device.handle, self._pool, None)


def _check(command: Dispatch, pipeline: VulkanPipeline, device: VulkanDevice) -> None:
    """Refuse a dispatch that does not fit its pipeline or its device."""
    if len(command.buffers) != pipeline.num_buffers:
        raise UsageError.of(
            "buffers of a dispatch", found=len(command.buffers), expected=f"{pipeline.num_buffers}"
        )
    if len(command.push_constants) != pipeline.push_constant_bytes:
        raise UsageError.of(
            "push constants",
            found=f"{len(command.push_constants)} bytes",
            expected=f"{pipeline.push_constant_bytes}",
        )
    limits = device.facts.max_groups
    if any(not 1 <= n <= limit for n, limit in zip(command.groups, limits, strict=True)):
        raise UsageError.of(
            "workgroups of a dispatch", found=command.groups, expected=f"1 to {limits} by axis"
        )
    for buffer in command.buffers:
        if buffer.num_bytes > device.facts.max_buffer_bytes:
            raise UsageError.of(
                "buffer",
                found=f"{buffer.num_bytes} bytes",
                expected=f"at most {device.facts.max_buffer_bytes}",
            )
