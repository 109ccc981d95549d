"""The Metal devices of this machine, and what each says of itself."""

from __future__ import annotations

import mmap
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from slugify import slugify

from bench_lib.edge.metal import families
from bench_lib.edge.metal.binding import Binding, load
from bench_lib.edge.runtime import DeviceFacts
from bench_lib.errors import UnavailableError
from bench_lib.hardware.catalog import find

#: ``setBytes`` takes less than a page of Apple's oldest devices. **Source**: Metal programming guide.
MAX_PUSH_CONSTANT_BYTES: Final = 4096
#: Metal states no limit on the threadgroups of a dispatch; the counts in kernels are 32 bits wide.
MAX_GROUPS: Final = 2**32 - 1
_APPLE_SIMD_WIDTH: Final = 32
_CORES = re.compile(r'"gpu-core-count"\s*=\s*(\d+)')


def physical_devices(binding: Binding) -> list[Any]:
    """Every ``MTLDevice``, in the system's order.

    Raises
    ------
    UnavailableError
        ``no-device``: the system has none (a virtual machine, or a session without a GPU).
    """
    found = list(binding.metal.MTLCopyAllDevices() or [])
    if not found:
        default = binding.metal.MTLCreateSystemDefaultDevice()
        found = [] if default is None else [default]
    if not found:
        raise UnavailableError("no-device", "macOS offers no Metal device to this process.")
    return found


def list_devices() -> tuple[DeviceFacts, ...]:
    """Every Metal device of this machine.

    Raises
    ------
    UnavailableError
        ``not-macos``, ``no-binding`` or ``no-device``.
    """
    binding = load()
    return all_facts(physical_devices(binding), binding=binding)


def all_facts(devices: Sequence[Any], *, binding: Binding) -> tuple[DeviceFacts, ...]:
    """Facts of each device; selectors of equal ones are numbered from 0."""
    found = [facts_of(device, binding=binding) for device in devices]
    slugs = [f.slug for f in found]
    return tuple(
        f if slugs.count(f.slug) == 1 else replace(f, selector=f"{f.slug}:{slugs[:index].count(f.slug)}")
        for index, f in enumerate(found)
    )


def _core_count() -> int | None:
    """Cores of Apple's GPU, which Metal does not tell: parts of one name come with several numbers of
    them."""
    if shutil.which("ioreg") is None:
        return None
    try:
        done = subprocess.run(
            ["ioreg", "-r", "-d", "1", "-c", "AGXAccelerator"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=20,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    match = _CORES.search(done.stdout)
    return int(match[1]) if match else None


def _identity(name: str, *, is_apple: bool) -> tuple[str, tuple[str, ...]]:
    """Slug of a device and its aliases. The number of cores belongs to it, as it sets every rate."""
    cores = _core_count() if is_apple else None
    full = name if cores is None else f"{name} {cores}-core GPU"
    known = find(full) or find(name)
    return (known.slug if known else slugify(full) or "unknown-gpu"), tuple(dict.fromkeys((full, name)))


def facts_of(device: Any, *, binding: Binding) -> DeviceFacts:
    """What ``device`` says of itself."""

    def supports(family: str) -> bool:
        number = getattr(binding.metal, family, None)
        return number is not None and bool(device.supportsFamily_(number))

    found = families.supported(supports)
    apple = families.newest(found, "Apple")
    name = str(device.name())
    slug, aliases = _identity(name, is_apple=apple > 0)
    threads = device.maxThreadsPerThreadgroup()
    unified = bool(device.hasUnifiedMemory())
    info = binding.foundation.NSProcessInfo.processInfo()
    metal = families.newest(found, "Metal")
    return DeviceFacts(
        api="metal",
        slug=slug,
        selector=slug,
        name=name,
        kind="gpu",
        driver=f"macOS {info.operatingSystemVersionString()}",
        api_version=f"Metal {metal}" if metal else f"Metal 2, {'Apple' if apple else 'Mac'} family",
        unified_memory=unified,
        features=families.features(found),
        subgroup_size=_APPLE_SIMD_WIDTH if apple else _probed_width(device, binding=binding),
        max_workgroup_size=(int(threads.width), int(threads.height), int(threads.depth)),
        max_workgroup_invocations=int(threads.width),
        max_groups=(MAX_GROUPS, MAX_GROUPS, MAX_GROUPS),
        shared_memory_bytes=int(device.maxThreadgroupMemoryLength()),
        max_buffer_bytes=int(device.maxBufferLength()),
        memory_bytes=int(device.recommendedMaxWorkingSetSize()),
        max_push_constant_bytes=MAX_PUSH_CONSTANT_BYTES,
        # Metal gives times in seconds; they step as the host's clock does (41.7 ns on Apple's processors).
        timestamp_period_s=time.get_clock_info("perf_counter").resolution,
        start_is_known=True,
        import_alignment_bytes=mmap.PAGESIZE,
        cooperative_matrices=families.matrices(found),
        memory={
            "mapped": "MTLStorageModeShared" if unified else "MTLStorageModeManaged",
            "staged": "MTLStorageModePrivate",
            "imported": "MTLStorageModeShared, newBufferWithBytesNoCopy",
        },
        aliases=aliases,
    )


_PROBE: Final = "kernel void probe(device float* x [[buffer(0)]]) { x[0] = 0.0f; }"


def _probed_width(device: Any, *, binding: Binding) -> int:
    """Threads of a simdgroup on GPUs other than Apple's: 16 or 32 on Intel's, 64 on AMD's; only a pipeline
    tells."""
    library, _ = device.newLibraryWithSource_options_error_(_PROBE, None, None)
    function = library.newFunctionWithName_("probe") if library is not None else None
    if function is None:
        return 1
    pipeline, _ = device.newComputePipelineStateWithFunction_error_(function, None)
    return int(pipeline.threadExecutionWidth()) if pipeline is not None else 1


def thermal_state(binding: Binding) -> str:
    """How far the system has to hold back because it is hot: ``nominal``, ``fair``, ``serious`` or
    ``critical``.

    **Source**: ``NSProcessInfoThermalState``.
    """
    state = int(binding.foundation.NSProcessInfo.processInfo().thermalState())
    names = ("nominal", "fair", "serious", "critical")
    return names[state] if 0 <= state < len(names) else f"unknown ({state})"
