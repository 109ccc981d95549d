"""Modules in place of pyobjc's ``Metal``, ``Foundation`` and ``objc``, as far as the runtime uses them.

Each method stands under its selector in :data:`SELECTORS`, with the arguments that pyobjc's own metadata
gives it; a method
that is not there, or takes another number of arguments, fails when this module is imported. Kernels are
run on the host,
so that what a pipeline binds where shows in the numbers. It proves nothing about Apple's drivers.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import threading
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

import msl_host
import numpy as np

from bench_lib.edge.msl_source import entry_points

#: Selector → what it gives and takes. **Source**: metadata of pyobjc-framework-Metal 12.2.2 and Apple's
#: headers.
#: ``Q`` and ``q`` integers, ``d`` a double, ``Z`` a truth value, ``@`` an object, ``^v`` memory, ``^@`` an
#: error
#: handed back, ``{...}`` a structure, ``@?`` a block.
SELECTORS: dict[str, tuple[str, ...]] = {
    "name": ("@",),
    "supportsFamily:": ("Z", "q"),
    "hasUnifiedMemory": ("Z",),
    "maxThreadsPerThreadgroup": ("{MTLSize}",),
    "maxThreadgroupMemoryLength": ("Q",),
    "maxBufferLength": ("Q",),
    "recommendedMaxWorkingSetSize": ("Q",),
    "newCommandQueue": ("@",),
    "newBufferWithLength:options:": ("@", "Q", "Q"),
    "newBufferWithBytesNoCopy:length:options:deallocator:": ("@", "^v", "Q", "Q", "@?"),
    "newLibraryWithSource:options:error:": ("@", "@", "@", "^@"),
    "newFunctionWithName:": ("@", "@"),
    "newComputePipelineStateWithFunction:error:": ("@", "@", "^@"),
    "threadExecutionWidth": ("Q",),
    "maxTotalThreadsPerThreadgroup": ("Q",),
    "staticThreadgroupMemoryLength": ("Q",),
    "commandBuffer": ("@",),
    "computeCommandEncoder": ("@",),
    "blitCommandEncoder": ("@",),
    "setComputePipelineState:": ("v", "@"),
    "setBuffer:offset:atIndex:": ("v", "@", "Q", "Q"),
    "setBytes:length:atIndex:": ("v", "^v", "Q", "Q"),
    "dispatchThreadgroups:threadsPerThreadgroup:": ("v", "{MTLSize}", "{MTLSize}"),
    "endEncoding": ("v",),
    "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:": ("v", "@", "Q", "@", "Q", "Q"),
    "synchronizeResource:": ("v", "@"),
    "commit": ("v",),
    "waitUntilCompleted": ("v",),
    "status": ("q",),
    "error": ("@",),
    "GPUStartTime": ("d",),
    "GPUEndTime": ("d",),
    "contents": ("^v",),
    "length": ("Q",),
    "didModifyRange:": ("v", "{_NSRange}"),
    # Foundation
    "processInfo": ("@",),
    "operatingSystemVersionString": ("@",),
    "thermalState": ("q",),
    "localizedDescription": ("@",),
    "domain": ("@",),
    "code": ("q",),
}

SHARED, MANAGED, PRIVATE = 0, 16, 32


def _as_objc(cls: type) -> type:
    """Check that every public method of ``cls`` is a selector with as many arguments."""
    for name, method in vars(cls).items():
        if name.startswith("_") or not callable(method) or isinstance(method, type):
            continue
        selector = name.replace("_", ":")
        taken = len(inspect.signature(method).parameters) - (not isinstance(method, staticmethod))
        assert selector in SELECTORS, f"{cls.__name__} has {name}, which is no selector on record"
        assert taken == len(SELECTORS[selector]) - 1 == selector.count(":"), f"{name} takes {taken}"
    return cls


class Size(tuple[int, int, int]):
    width = property(lambda self: self[0])
    height = property(lambda self: self[1])
    depth = property(lambda self: self[2])


@_as_objc
class Error:
    def __init__(self, domain: str, code: int, text: str) -> None:
        self._parts = (domain, code, text)

    def domain(self) -> str:
        return self._parts[0]

    def code(self) -> int:
        return self._parts[1]

    def localizedDescription(self) -> str:
        return self._parts[2]


class VarList:
    """``objc.varlist``: memory of unknown length."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    def as_buffer(self, count: int) -> memoryview:
        return memoryview(self._memory)[:count]


@_as_objc
class Buffer:
    def __init__(self, memory: Any, options: int) -> None:
        self._memory = memory
        self._options = options
        # What the device has of a managed buffer, until either side is told of the other.
        self._device = bytearray(len(memory)) if options == MANAGED else memory

    def length(self) -> int:
        return len(self._memory)

    def contents(self) -> VarList:
        assert self._options != PRIVATE, "the host cannot address private memory"
        return VarList(self._memory)

    def didModifyRange_(self, span: tuple[int, int]) -> None:
        assert self._options == MANAGED
        begin, length = span
        assert begin + length <= len(self._memory)
        self._device[begin : begin + length] = self._memory[begin : begin + length]


@_as_objc
class Function:
    def __init__(self, source: str, entry: str) -> None:
        self._source, self._entry = source, entry


@_as_objc
class Library:
    def __init__(self, source: str) -> None:
        self._source = source

    def newFunctionWithName_(self, name: str) -> Function | None:
        known = {e.name for e in entry_points(self._source)}
        return Function(self._source, name) if name in known else None


@_as_objc
class PipelineState:
    def __init__(self, function: Function, device: Device) -> None:
        self._function, self._of = function, device

    def threadExecutionWidth(self) -> int:
        return self._of._simd_width

    def maxTotalThreadsPerThreadgroup(self) -> int:
        return self._of._max_threads

    def staticThreadgroupMemoryLength(self) -> int:
        return self._of._threadgroup_memory


@_as_objc
class ComputeEncoder:
    def __init__(self, commands: CommandBuffer) -> None:
        self._commands = commands
        self._pipeline: PipelineState | None = None
        self._buffers: dict[int, Any] = {}

    def setComputePipelineState_(self, state: PipelineState) -> None:
        self._pipeline = state

    def setBuffer_offset_atIndex_(self, buffer: Buffer, offset: int, index: int) -> None:
        assert isinstance(buffer, Buffer) and offset == 0
        self._buffers[index] = buffer

    def setBytes_length_atIndex_(self, content: bytes, length: int, index: int) -> None:
        assert length == len(content) <= 4096
        self._buffers[index] = bytes(content)

    def dispatchThreadgroups_threadsPerThreadgroup_(self, groups: Size, threads: Size) -> None:
        assert self._pipeline is not None
        state, bound = self._pipeline, dict(self._buffers)
        self._commands._work.append(lambda: self._run(state, bound, groups, threads))

    def endEncoding(self) -> None:
        self._commands._open -= 1

    @staticmethod
    def _run(state: PipelineState, bound: dict[int, Any], groups: Size, threads: Size) -> None:
        function = state._function
        contents = {i: bytes(b._device) if isinstance(b, Buffer) else b for i, b in bound.items()}
        out = msl_host.run(
            function._source,
            entry=function._entry,
            buffers=contents,
            threadgroups=tuple(groups),
            threads=tuple(threads),
            seed=state._of._seed,
        )
        for index, buffer in bound.items():
            if isinstance(buffer, Buffer):
                buffer._device[:] = out[index]


@_as_objc
class BlitEncoder:
    def __init__(self, commands: CommandBuffer) -> None:
        self._commands = commands

    def copyFromBuffer_sourceOffset_toBuffer_destinationOffset_size_(
        self, source: Buffer, source_offset: int, target: Buffer, target_offset: int, size: int
    ) -> None:
        assert size % 4 == source_offset % 4 == target_offset % 4 == 0, "macOS copies whole words"
        assert source_offset + size <= source.length() and target_offset + size <= target.length()

        def copy() -> None:
            target._device[target_offset : target_offset + size] = source._device[
                source_offset : source_offset + size
            ]

        self._commands._work.append(copy)

    def synchronizeResource_(self, buffer: Buffer) -> None:
        assert buffer._options == MANAGED

        def copy() -> None:
            buffer._memory[:] = buffer._device

        self._commands._work.append(copy)

    def endEncoding(self) -> None:
        self._commands._open -= 1


@_as_objc
class CommandBuffer:
    def __init__(self, device: Device) -> None:
        self._of = device
        self._work: list[Callable[[], object]] = []
        self._open = 0
        self._status = 0
        self._error: Error | None = None
        self._times = (0.0, 0.0)

    def computeCommandEncoder(self) -> ComputeEncoder:
        assert self._open == 0, "one encoder at a time"
        self._open += 1
        self._of._encoders.append("compute")
        return ComputeEncoder(self)

    def blitCommandEncoder(self) -> BlitEncoder:
        assert self._open == 0, "one encoder at a time"
        self._open += 1
        self._of._encoders.append("blit")
        return BlitEncoder(self)

    def commit(self) -> None:
        assert self._open == 0, "commit before endEncoding"
        assert self._status == 0, "a command buffer is committed once"
        self._status = 2

    def waitUntilCompleted(self) -> None:
        if self._of._hang is not None:
            self._of._hang.wait()
        start = time.perf_counter()
        for work in self._work:
            work()
        end = time.perf_counter()
        self._times = self._of._times(start, end)
        self._error = self._of._next_error
        self._status = 4 if self._error is None else 5

    def status(self) -> int:
        return self._status

    def error(self) -> Error | None:
        return self._error

    def GPUStartTime(self) -> float:
        return self._times[0]

    def GPUEndTime(self) -> float:
        return self._times[1]


@_as_objc
class CommandQueue:
    def __init__(self, device: Device) -> None:
        self._of = device

    def commandBuffer(self) -> CommandBuffer:
        assert self._of._pools.depth > 0, "autoreleased without a pool"
        return CommandBuffer(self._of)


class Pools(threading.local):
    depth = 0


@_as_objc
class Device:
    """Fields that begin with an underscore are for tests to set."""

    def __init__(
        self,
        name: str = "Apple M2 Pro",
        *,
        families: tuple[int, ...] = (1007, 1008, 5001),
        unified: bool = True,
    ) -> None:
        self._name, self._families, self._unified = name, families, unified
        self._pools = Pools()
        self._encoders: list[str] = []
        self._simd_width = 32
        self._max_threads = 1024
        self._seed = 0
        self._threadgroup_memory = 0
        self._next_error: Error | None = None
        self._compile_error: Error | None = None
        self._hang: threading.Event | None = None
        self._times: Callable[[float, float], tuple[float, float]] = lambda start, end: (start, end)
        self._largest = 1 << 30
        self._refuse_import = self._copy_import = False

    def name(self) -> str:
        return self._name

    def supportsFamily_(self, family: int) -> bool:
        return family in self._families

    def hasUnifiedMemory(self) -> bool:
        return self._unified

    def maxThreadsPerThreadgroup(self) -> Size:
        return Size((1024, 1024, 1024))

    def maxThreadgroupMemoryLength(self) -> int:
        return 32768

    def maxBufferLength(self) -> int:
        return self._largest

    def recommendedMaxWorkingSetSize(self) -> int:
        return 11 << 30

    def newCommandQueue(self) -> CommandQueue:
        return CommandQueue(self)

    def newBufferWithLength_options_(self, length: int, options: int) -> Buffer | None:
        assert 0 < length <= self._largest
        assert not (self._unified and options == MANAGED)
        # New memory holds anything at all.
        return Buffer(bytearray(np.random.default_rng(length).bytes(length)), options)

    def newBufferWithBytesNoCopy_length_options_deallocator_(
        self, memory: Any, length: int, options: int, deallocator: None
    ) -> Buffer | None:
        assert options == SHARED and deallocator is None
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        if address % 4096 or length % 4096 or self._refuse_import:
            return None
        return Buffer(bytearray(memory) if self._copy_import else memory, options)

    def newLibraryWithSource_options_error_(
        self, source: str, options: None, error: None
    ) -> tuple[Library | None, Error | None]:
        assert isinstance(source, str) and options is None and error is None
        if self._compile_error is not None:
            return None, self._compile_error
        return Library(source), None

    def newComputePipelineStateWithFunction_error_(
        self, function: Function, error: None
    ) -> tuple[PipelineState | None, Error | None]:
        assert isinstance(function, Function) and error is None
        return PipelineState(function, self), None


@_as_objc
class ProcessInfo:
    def __init__(self, thermal: int) -> None:
        self._thermal = thermal

    def operatingSystemVersionString(self) -> str:
        return "Version 15.1 (Build 24B83)"

    def thermalState(self) -> int:
        return self._thermal


def modules(*devices: Device, thermal: int = 0) -> dict[str, types.ModuleType]:
    """``sys.modules`` entries that offer ``devices``."""
    metal, foundation, objc = (types.ModuleType(n) for n in ("Metal", "Foundation", "objc"))
    pools = Pools()
    for device in devices:
        device._pools = pools

    @contextlib.contextmanager
    def autorelease_pool() -> Iterator[None]:
        pools.depth += 1
        try:
            yield
        finally:
            pools.depth -= 1

    names = {
        "MTLCopyAllDevices": lambda: list(devices),
        "MTLCreateSystemDefaultDevice": lambda: devices[0] if devices else None,
        "MTLSizeMake": lambda *sizes: Size(sizes),
        "MTLResourceStorageModeShared": SHARED,
        "MTLResourceStorageModeManaged": MANAGED,
        "MTLResourceStorageModePrivate": PRIVATE,
        "MTLGPUFamilyMac2": 2002,
        "MTLGPUFamilyMetal3": 5001,
        **{f"MTLGPUFamilyApple{n}": 1000 + n for n in range(1, 10)},
    }
    vars(metal).update(names)
    vars(foundation).update(
        NSMakeRange=lambda begin, length: (begin, length),
        NSProcessInfo=types.SimpleNamespace(processInfo=lambda: ProcessInfo(thermal)),
    )
    vars(objc).update(autorelease_pool=autorelease_pool)
    return {"Metal": metal, "Foundation": foundation, "objc": objc}
