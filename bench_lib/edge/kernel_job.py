"""Times of one kernel on one device, in the process that owns the device."""

from __future__ import annotations

import hashlib
import os
import statistics
from collections.abc import Iterable, Mapping
from typing import Final

import psutil

from bench_lib.edge import caches
from bench_lib.edge.choosing import choose
from bench_lib.edge.drift import find_drift
from bench_lib.edge.jobs import Detail, KernelJob, Part
from bench_lib.edge.kernel import Kernel, Sizes, Variant
from bench_lib.edge.kernel_reader import load_kernel
from bench_lib.edge.opening import Owned, list_facts, open_device
from bench_lib.edge.prepared import PreparedKernel, code_of, make_pipelines, set_bytes
from bench_lib.edge.runtime import Device, DeviceFacts
from bench_lib.edge.timing import Series, estimate_run_s, measure_series, sample_batch, samples_for
from bench_lib.edge.vulkan.features import needed
from bench_lib.edge.vulkan.spirv import read_module
from bench_lib.errors import UnavailableError
from bench_lib.model import Measurement

#: Devices opened anew to measure the creation of pipelines: while one lives, drivers keep what they compiled.
_FRESH_DEVICES: Final = 5
#: Of the device's memory, or of what the machine has free, that buffers may take.
_MEMORY_SHARE: Final = 0.5
#: Most that a cold measurement allocates.
_MAX_ROTATION_BYTES: Final = 2 * 1024**3


def chosen_variant(job: KernelJob, kernel: Kernel, *, sizes: Sizes, facts: DeviceFacts) -> Variant:
    """The variant that the job names, or the one that suits the device."""
    if not job.variant:
        return kernel.choose(
            job.dtype or kernel.dtypes[0], sizes=sizes, device=facts, algorithm=job.algorithm
        )
    variant = kernel.variant(job.variant)
    variant.check_sizes(sizes)
    lacking = variant.lacks(facts)
    if lacking is not None:
        raise UnavailableError(lacking, f"{kernel.op} {variant.name} needs it, and {facts.name} lacks it.")
    return variant


def facts_of(device: str | None) -> DeviceFacts:
    """Facts of the device that a name chooses, without opening it."""
    found = list_facts()
    return found[choose(found, device)]


def features_of(variant: Variant, facts: DeviceFacts) -> frozenset[str]:
    """Features to enable: those its modules declare, and those its file asks for."""
    if facts.api != "vulkan":
        return variant.required
    found = set(variant.required)
    for index in range(len(variant.passes)):
        found |= needed(read_module(code_of(variant, index, api="vulkan")))
    return frozenset(found)


def usable_bytes(facts: DeviceFacts) -> int:
    """Bytes that buffers may take: half of the device's memory, or of what is free if it is the host's."""
    limit = facts.memory_bytes
    if facts.unified_memory:
        limit = min(limit, psutil.virtual_memory().available)
    return int(limit * _MEMORY_SHARE)


def cache_bytes_of(facts: DeviceFacts) -> int:
    """Last-level cache of the device, or a size beyond any that is known."""
    own = caches.cpu_cache_bytes() if facts.kind == "software" else None
    return own or caches.UNKNOWN_CACHE_BYTES


def _measurements(series: Series, metric: str) -> Iterable[Measurement]:
    yield Measurement(
        metric,
        series.samples,
        number=series.count,
        warmup=series.warmup,
        clock=series.clock,
        discarded=series.discarded,
    )


def _drift_details(series: Series, prefix: str) -> dict[str, Detail]:
    drift = find_drift(series.samples)
    if drift is None:
        return {}
    return {
        f"{prefix}drift": round(drift.change, 4),
        f"{prefix}drift_p_value": drift.p_value,
        f"{prefix}drifts": drift.is_marked,
    }


def run_kernel_job(job: KernelJob, owned: Owned) -> Part:
    """Verify and time. Each device is in ``owned`` while it is open."""
    kernel = load_kernel(job.kernel)
    sizes: Mapping[str, int] = job.sizes or kernel.default_sizes
    # Facts come first: they decide the variant, and the variant which features to ask for.
    facts = facts_of(job.device)
    variant = chosen_variant(job, kernel, sizes=sizes, facts=facts)
    features = features_of(variant, facts)
    need = set_bytes(variant, sizes=sizes)
    if need > usable_bytes(facts):
        detail = f"the buffers take {need} bytes, and {usable_bytes(facts)} may be used on {facts.name}."
        raise UnavailableError("not-enough-memory", detail)
    measurements: list[Measurement] = []
    if job.creation:
        measurements += _creation(job, variant, sizes=sizes, features=features, owned=owned)
    device = open_device(job.device, features=features, validation=job.validation)
    owned.devices.append(device)
    details: dict[str, Detail] = {
        "variant": variant.name,
        "memory_mode": job.memory_mode,
        "memory_type": facts.memory.get(job.memory_mode),
        "bytes_moved": variant.bytes_moved(sizes),
        "flop": variant.flop(sizes),
        "num_passes": len(variant.passes),
        "code_sha256": hashlib.sha256(
            b"".join(code_of(variant, i, api=facts.api) for i in range(len(variant.passes)))
        ).hexdigest(),
        "pipeline_cache": "none",
        "shader_disk_cache": "off" if os.environ.get("MESA_SHADER_CACHE_DISABLE") else "the driver's",
        "software_threads": os.environ.get("LP_NUM_THREADS"),
    }
    prepared = PreparedKernel(device, kernel, variant, sizes=sizes, mode=job.memory_mode, seed=job.seed)
    measured, more = _time(job, device, prepared, need=need)
    measurements += measured
    details.update(more)
    return Part({}, measurements=tuple(measurements), details=details)


def _creation(
    job: KernelJob, variant: Variant, *, sizes: Sizes, features: frozenset[str], owned: Owned
) -> list[Measurement]:
    samples = []
    for _ in range(_FRESH_DEVICES):
        device = open_device(job.device, features=features, validation=job.validation)
        owned.devices.append(device)
        samples.append(sum(p.creation_s for p in make_pipelines(device, variant, sizes=sizes)))
        device.close()
        owned.devices.pop()
    return [Measurement("pipeline_creation", tuple(samples), clock="host")]


def _time(
    job: KernelJob, device: Device, prepared: PreparedKernel, *, need: int
) -> tuple[list[Measurement], dict[str, Detail]]:
    wait, plan, api = job.wait_timeout_s, job.plan, device.facts.api
    warm_set = prepared.sets(1)
    single = device.batch(warm_set[0])
    first = single.run(timeout_s=wait)
    details: dict[str, Detail] = {"output_error": prepared.check(0)}
    measurements = [Measurement("first_run", (first.round_trip_s,), clock="host")]
    run_s = estimate_run_s(device, warm_set[0], timeout_s=wait)

    alone = sample_batch(single, runs=1, num_samples=samples_for(run_s, plan), api=api, timeout_s=wait)
    single.close()
    measurements.append(Measurement("round_trip", alone.round_trips, warmup=1, clock="host"))
    if alone.submit_to_start:
        measurements.append(
            Measurement("submit_to_start", alone.submit_to_start, warmup=1, clock="calibrated timestamps")
        )
    else:
        details["submit_to_start"] = "the driver relates its clock to no clock of the host"

    warm = measure_series(device, warm_set, run_s=run_s, plan=plan, timeout_s=wait)
    measurements += _measurements(warm, "dispatch_time")
    measurements.append(
        Measurement("dispatch_cpu_time", warm.cpu_samples, number=warm.count, clock="process")
    )
    details |= {"runs_per_sample": warm.count, **_drift_details(warm, "")}
    if device.facts.timestamp_period_s is None:
        details["device_clock"] = "no-timestamps"
    # Once more: a barrier that is missed shows only when runs follow each other.
    details["output_error"] = max(float(details["output_error"] or 0), prepared.check(0))

    if job.cold:
        cold, more = _cold(job, device, prepared, need=need, run_s=statistics.median(warm.samples))
        measurements += cold
        details.update(more)
    prepared.close()
    return measurements, details


def _cold(
    job: KernelJob, device: Device, prepared: PreparedKernel, *, need: int, run_s: float
) -> tuple[list[Measurement], dict[str, Detail]]:
    rotation = caches.plan_rotation(
        need,
        cache_bytes=cache_bytes_of(device.facts),
        memory_bytes=min(usable_bytes(device.facts), _MAX_ROTATION_BYTES),
    )
    details: dict[str, Detail] = {"cache_bytes": rotation.cache_bytes}
    if not rotation.num_sets:
        return [], {**details, "cold": rotation.reason}
    sets = prepared.sets(rotation.num_sets)
    series = measure_series(device, sets, run_s=run_s, plan=job.plan, timeout_s=job.wait_timeout_s)
    prepared.check(rotation.num_sets - 1)
    details |= {
        "cold_working_set_bytes": rotation.working_set_bytes,
        "cold_runs_per_sample": series.count,
        **_drift_details(series, "cold_"),
    }
    prepared.close_sets(keep=1)
    return list(_measurements(series, "dispatch_time_cold")), details
