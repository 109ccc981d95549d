"""A device's roofs, measured with our own kernels: what a copy and a matrix product reach on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bench_lib.edge.jobs import Detail, Part, RoofJob
from bench_lib.edge.kernel import Kernel, Variant
from bench_lib.edge.kernel_job import cache_bytes_of, facts_of, features_of, usable_bytes
from bench_lib.edge.kernel_reader import load_kernel, ops
from bench_lib.edge.opening import Owned, open_device
from bench_lib.edge.prepared import PreparedKernel, set_bytes
from bench_lib.edge.runtime import Copy, Device, DeviceFacts
from bench_lib.edge.timing import TimingPlan, estimate_run_s, measure_series, sample_batch, samples_for
from bench_lib.errors import UsageError
from bench_lib.model import Measurement
from bench_lib.units import MIB

#: Ops whose best time is a roof.
COPY_OP: Final = "copy"
MATRIX_OPS: Final = ("gemm", "gemm_coopmat")
#: A matrix product grows until a run lasts this long: then the launch no longer counts.
_LONG_S: Final = 0.05
_LARGEST_MATRIX: Final = 4096
_SMALLEST_MATRIX: Final = 256
_MATRIX_SERIES_S: Final = 3.0


def run_roof_job(job: RoofJob, owned: Owned) -> tuple[Part, ...]:
    """The copy roof, and a matrix roof by data type; what the device lacks is a part that was skipped."""
    facts = facts_of(job.device)
    runnable = {dtype: _matrix_variants(dtype, facts) for dtype in job.dtypes}
    copies = _copy_variants(facts)
    features: set[str] = set()
    for _, variant in [*copies, *(pair for found in runnable.values() for pair in found[0])]:
        features |= features_of(variant, facts)
    device = open_device(job.device, features=features, validation=job.validation)
    owned.devices.append(device)
    parts = [_copy_roof(device, copies, job)]
    for dtype, (variants, reason) in runnable.items():
        parts.append(_matrix_roof(device, dtype, variants, reason, job))
    return tuple(parts)


def _copy_variants(facts: DeviceFacts) -> list[tuple[Kernel, Variant]]:
    try:
        kernel = load_kernel(COPY_OP)
    except UsageError:
        return []
    # A copy is the same work in every type.
    able = [(kernel, v) for v in kernel.variants if v.dtype == kernel.dtypes[0] and v.lacks(facts) is None]
    return _suited(able, facts)


def _suited(found: list[tuple[Kernel, Variant]], facts: DeviceFacts) -> list[tuple[Kernel, Variant]]:
    """Those written for the device's kind, if any: another kind's take minutes and win nothing."""
    kind = "software" if facts.kind == "software" else "gpu"
    return [pair for pair in found if pair[1].device in (kind, "any")] or found


def _matrix_variants(dtype: str, facts: DeviceFacts) -> tuple[list[tuple[Kernel, Variant]], str]:
    """Variants that the device can run, and why not the first that it cannot."""
    found: list[tuple[Kernel, Variant]] = []
    reason = f"no-kernel:{dtype}"
    for op in MATRIX_OPS:
        if op not in ops():
            continue
        kernel = load_kernel(op)
        for variant in kernel.variants:
            if variant.dtype != dtype:
                continue
            lacking = variant.lacks(facts)
            if lacking is None:
                found.append((kernel, variant))
            else:
                reason = lacking
    return _suited(found, facts), reason


def copy_bytes(facts: DeviceFacts) -> int:
    """Bytes of each of the two buffers: a cache's worth, as far as the device takes it, in whole MiB."""
    wanted = max(cache_bytes_of(facts), 16 * MIB)
    return max(MIB, min(wanted, facts.max_buffer_bytes, usable_bytes(facts) // 4) // MIB * MIB)


def _copy_roof(device: Device, variants: list[tuple[Kernel, Variant]], job: RoofJob) -> Part:
    """The faster of our copy kernel and the driver's own copy."""
    num_bytes = copy_bytes(device.facts)
    best: tuple[float, tuple[float, ...], str, str, int] | None = None

    def offer(samples: tuple[float, ...], moved: int, clock: str, way: str) -> None:
        nonlocal best
        rate = moved / min(samples)
        if best is None or rate > best[0]:
            best = rate, samples, clock, way, moved

    source, target = (device.buffer(num_bytes, mode="staged") for _ in range(2))
    source.write(bytes(num_bytes))
    batch = device.batch([Copy(source, target, num_bytes)])
    first = batch.run(timeout_s=job.wait_timeout_s)
    series = sample_batch(
        batch,
        runs=1,
        num_samples=samples_for(first.round_trip_s, job.plan),
        api=device.facts.api,
        timeout_s=job.wait_timeout_s,
    )
    for made in (batch, source, target):
        made.close()
    offer(series.samples, 2 * num_bytes, series.clock, "the driver's copy")
    for kernel, variant in variants:
        (name,) = kernel.sizes
        unit = 1024
        sizes = {name: max(1, num_bytes * unit * 2 // variant.bytes_moved({name: unit}))}
        if not variant.takes(sizes):
            continue
        samples, clock = _time(device, kernel, variant, sizes=sizes, job=job, plan=job.plan)
        offer(samples, variant.bytes_moved(sizes), clock, f"{kernel.op} {variant.name}")
    assert best is not None
    rate, samples, clock, way, moved = best
    details: dict[str, Detail] = {"way": way, "bytes_moved": moved, "bytes_per_s": rate}
    return Part({"roof": "copy"}, measurements=_both(samples, clock, moved), details=details)


def _both(samples: tuple[float, ...], clock: str, work: int) -> tuple[Measurement, ...]:
    """Time of the run, and of a giga of its work: the size differs from device to device."""
    scaled = tuple(s * 1e9 / work for s in samples)
    return (
        Measurement("dispatch_time", samples, clock=clock),
        Measurement("time_per_giga", scaled, clock=clock),
    )


def _matrix_roof(
    device: Device, dtype: str, variants: list[tuple[Kernel, Variant]], reason: str, job: RoofJob
) -> Part:
    params: dict[str, str | int | float | bool] = {"roof": f"matrix-{dtype}"}
    plan = replace(job.plan, series_s=min(job.plan.series_s, _MATRIX_SERIES_S))
    best: tuple[float, tuple[Measurement, ...], dict[str, Detail]] | None = None
    for kernel, variant in variants:
        sizes, samples, clock = _largest(device, kernel, variant, job=job, plan=plan)
        rate = variant.flop(sizes) / min(samples)
        if best is None or rate > best[0]:
            details: dict[str, Detail] = {
                "way": f"{kernel.op} {variant.name}",
                "sizes": ",".join(f"{k}={v}" for k, v in sizes.items()),
                "flop": variant.flop(sizes),
                "flop_per_s": rate,
            }
            best = rate, _both(samples, clock, variant.flop(sizes)), details
    if best is None:
        return Part(params, "skipped", reason, f"no matrix product in {dtype} runs on {device.facts.name}.")
    return Part(params, measurements=best[1], details=best[2])


def _largest(
    device: Device, kernel: Kernel, variant: Variant, *, job: RoofJob, plan: TimingPlan
) -> tuple[Mapping[str, int], tuple[float, ...], str]:
    """Times of a product large enough to last: its side doubles while the time allows."""
    side = _SMALLEST_MATRIX
    while True:
        sizes, larger = dict.fromkeys(kernel.sizes, side), dict.fromkeys(kernel.sizes, 2 * side)
        prepared = PreparedKernel(device, kernel, variant, sizes=sizes)
        sets = prepared.sets(1)
        run_s = estimate_run_s(device, sets[0], timeout_s=job.wait_timeout_s)
        if (
            # Twice the side is eight times the work.
            8 * run_s > 2 * _LONG_S
            or 2 * side > _LARGEST_MATRIX
            or not variant.takes(larger)
            or set_bytes(variant, sizes=larger) > usable_bytes(device.facts)
        ):
            prepared.check(0)
            series = measure_series(device, sets, run_s=run_s, plan=plan, timeout_s=job.wait_timeout_s)
            prepared.close()
            return sizes, series.samples, series.clock
        prepared.close()
        side *= 2


def _time(
    device: Device,
    kernel: Kernel,
    variant: Variant,
    *,
    sizes: Mapping[str, int],
    job: RoofJob,
    plan: TimingPlan,
) -> tuple[tuple[float, ...], str]:
    prepared = PreparedKernel(device, kernel, variant, sizes=sizes)
    sets = prepared.sets(1)
    run_s = estimate_run_s(device, sets[0], timeout_s=job.wait_timeout_s)
    prepared.check(0)
    series = measure_series(device, sets, run_s=run_s, plan=plan, timeout_s=job.wait_timeout_s)
    prepared.close()
    return series.samples, series.clock
