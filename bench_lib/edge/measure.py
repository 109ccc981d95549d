"""Measurements of the edge family: a job in, records out."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bench_lib.edge.choosing import choose
from bench_lib.edge.isolated import ask
from bench_lib.edge.jobs import Answer, Detail, KernelJob, Part, RoofJob, TransferJob
from bench_lib.edge.kernel import Kernel
from bench_lib.edge.kernel_reader import load_kernel
from bench_lib.edge.runtime import MEMORY_MODES, DeviceFacts
from bench_lib.edge.vulkan_devices import TIMEOUT_S as LISTING_TIMEOUT_S
from bench_lib.edge.vulkan_devices import list_devices
from bench_lib.errors import UnavailableError, UsageError
from bench_lib.hardware import Machine, detect
from bench_lib.hardware.environment import capture, own_checkout
from bench_lib.model import Environment, Run

KERNEL: Final = "edge.Kernel"
TRANSFER: Final = "edge.Transfer"
ROOF: Final = "edge.Roof"

#: Changes when what is measured changes; asv and our records then begin a new series.
VERSION: Final = "1"

#: Seconds after which a measuring process is killed.
TIMEOUT_S: Final = 600.0

Measurable = KernelJob | TransferJob | RoofJob
Params = Mapping[str, str | int | float | bool]


def new_session() -> str:
    """A name for runs that are made one after another."""
    return uuid.uuid4().hex[:12]


def find_device(wanted: str | None, *, timeout_s: float = LISTING_TIMEOUT_S) -> DeviceFacts:
    """Facts of the device that a name chooses.

    Parameters
    ----------
    timeout_s
        Drivers that have not answered by then have hung.

    Raises
    ------
    UnavailableError
        There is no device; the reason says why.
    UsageError
        None has that name, or several do.
    """
    found = list_devices(timeout_s=timeout_s)
    return found[choose(found, wanted)]


def kernel_params(job: KernelJob, kernel: Kernel) -> dict[str, str | int | float | bool]:
    """What tells this result from others on the same device."""
    sizes = job.sizes or kernel.default_sizes
    shape = ",".join(f"{name}={size}" for name, size in sizes.items())
    found: dict[str, str | int | float | bool] = {"op": kernel.op, "dtype": job.dtype, "sizes": shape}
    if job.algorithm:
        found["algorithm"] = job.algorithm
    if job.variant:
        found["variant"] = job.variant
    return found


def _checked(job: KernelJob) -> tuple[KernelJob, Kernel]:
    """The job with its data type named; a bad request is refused before any process is started."""
    kernel = load_kernel(job.kernel)
    if not job.dtype:
        dtype = kernel.variant(job.variant).dtype if job.variant else kernel.dtypes[0]
        job = dataclasses.replace(job, dtype=dtype)
    if job.variant:
        named = [kernel.variant(job.variant)]
    else:
        named = [v for v in kernel.variants if v.dtype == job.dtype]
        if job.algorithm is not None:
            named = [v for v in named if v.algorithm == job.algorithm]
    if not named:
        known = ", ".join(f"{v.dtype} {v.algorithm}".strip() for v in kernel.variants)
        wanted = f"{job.dtype} {job.algorithm or ''}".strip()
        raise UsageError.of(f"Variant of {kernel.op}", found=wanted, expected=f"one of: {known}")
    for variant in named:
        variant.check_sizes(job.sizes or kernel.default_sizes)
    return job, kernel


def measure_kernel(
    job: KernelJob,
    *,
    timeout_s: float = TIMEOUT_S,
    root: Path | None = None,
    session: str | None = None,
) -> Run:
    """Time one kernel; see :class:`bench_lib.edge.jobs.KernelJob`.

    Raises
    ------
    UsageError, DamagedFileError
        The job asks for something impossible. Anything that happens later is a record with its reason.
    """
    job, kernel = _checked(job)
    environ: dict[str, str] = {}
    sizes = job.sizes or kernel.default_sizes
    if all(v.bytes_moved(sizes) == 0 and v.flop(sizes) == 0 for v in kernel.variants):
        # Waking further threads for nothing would be most of what an empty dispatch costs.
        environ["LP_NUM_THREADS"] = "1"
    (run,) = _measure(
        job,
        benchmark=KERNEL,
        planned=[kernel_params(job, kernel)],
        timeout_s=timeout_s,
        root=root,
        session=session,
        environ=environ,
    )
    return run


def measure_transfers(
    job: TransferJob,
    *,
    timeout_s: float = TIMEOUT_S,
    root: Path | None = None,
    session: str | None = None,
) -> tuple[Run, ...]:
    """Time transfers from the host, a record a memory mode and size."""
    planned: list[Params] = [{"mode": m, "num_bytes": n} for m in MEMORY_MODES for n in job.num_bytes]
    return _measure(job, benchmark=TRANSFER, planned=planned, timeout_s=timeout_s, root=root, session=session)


def measure_roofs(
    job: RoofJob,
    *,
    timeout_s: float = TIMEOUT_S,
    root: Path | None = None,
    session: str | None = None,
) -> tuple[Run, ...]:
    """Measure the device's roofs, a record a roof."""
    planned: list[Params] = [{"roof": "copy"}, *({"roof": f"matrix-{d}"} for d in job.dtypes)]
    return _measure(job, benchmark=ROOF, planned=planned, timeout_s=timeout_s, root=root, session=session)


def _measure(
    job: Measurable,
    *,
    benchmark: str,
    planned: list[Params],
    timeout_s: float,
    root: Path | None,
    session: str | None,
    environ: Mapping[str, str] | None = None,
) -> tuple[Run, ...]:
    if not 0 < timeout_s < 10**6:
        raise UsageError.of("timeout", found=timeout_s, expected="a number of seconds above 0")
    machine = detect()
    environment = capture(machine, root=root or own_checkout())
    facts: DeviceFacts | None = None
    try:
        facts = find_device(job.device, timeout_s=min(timeout_s, LISTING_TIMEOUT_S))
    except UnavailableError as error:
        answer = Answer("skipped", error.code, error.detail, error.remedy)
    else:
        # The selector, as a name may mean several in the list that the process sees.
        answer = ask(dataclasses.replace(job, device=facts.selector), timeout_s=timeout_s, environ=environ)
    parts = answer.parts or tuple(_failed(params, answer) for params in planned)
    if len(planned) == 1:
        parts = tuple(dataclasses.replace(part, params=planned[0]) for part in parts)
    made = session or new_session()
    return tuple(
        _run(part, facts, benchmark=benchmark, machine=machine, environment=environment, session=made)
        for part in parts
    )


def _failed(params: Params, answer: Answer) -> Part:
    assert answer.status != "usage"
    details: dict[str, Detail] = {"remedy": answer.remedy} if answer.remedy else {}
    return Part(params, answer.status, answer.code, answer.reason or answer.code, details=details)


def device_details(facts: DeviceFacts) -> dict[str, Detail]:
    """What a record keeps of its device."""
    return {
        "api": facts.api,
        "api_version": facts.api_version,
        "device_name": facts.name,
        "device_kind": facts.kind,
        "device_selector": facts.selector,
        "unified_memory": facts.unified_memory,
        "subgroup_size": facts.subgroup_size,
    }


def _run(
    part: Part,
    facts: DeviceFacts | None,
    *,
    benchmark: str,
    machine: Machine,
    environment: Environment,
    session: str,
) -> Run:
    details = {**(device_details(facts) if facts else {}), **part.details}
    if part.code:
        details["reason_code"] = part.code
    return Run(
        benchmark=benchmark,
        version=VERSION,
        params=part.params,
        # Without a device there is nothing else to file it under.
        hardware=facts.slug if facts else machine.hardware.slug,
        environment=dataclasses.replace(environment, driver=facts.driver if facts else None),
        status=part.status,
        reason=part.reason,
        measurements=part.measurements,
        details=details,
        session=session,
    )
