"""``bench-lib edge``: devices, one kernel, transfers and roofs, without asv."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from bench_lib.edge import present
from bench_lib.edge.android import android
from bench_lib.edge.device_roofs import roofs_of
from bench_lib.edge.jobs import TRANSFER_BYTES, KernelJob, RoofJob, TransferJob
from bench_lib.edge.kernel_build import build_kernels
from bench_lib.edge.models.commands import models_command
from bench_lib.edge.timing import TimingPlan
from bench_lib.errors import EXIT_USAGE, EXIT_VERDICT, UnavailableError, UsageError
from bench_lib.model import Run
from bench_lib.results import records

_SIZE = re.compile(r"([A-Za-z_]\w*)=(\d{1,12})")
_SUFFIXES = {"": 1, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def edge() -> None:
    """Kernels and transfers on Vulkan and Metal devices."""


def parse_sizes(text: str) -> dict[str, int]:
    """``m=512,n=512`` as numbers by name.

    Raises
    ------
    UsageError
        It is not of that form, or names a size twice.
    """
    sizes: dict[str, int] = {}
    for item in text.split(",") if text else []:
        match = _SIZE.fullmatch(item.strip())
        if match is None or match[1] in sizes:
            raise UsageError.of("--sizes", found=text, expected="NAME=NUMBER[,NAME=NUMBER…], each name once")
        sizes[match[1]] = int(match[2])
    return sizes


def parse_bytes(text: str) -> tuple[int, ...]:
    """``4KiB,1MiB`` as numbers of bytes."""
    found = []
    for item in text.split(","):
        match = re.fullmatch(r"(\d{1,12})\s*(|KiB|MiB|GiB)", item.strip())
        if match is None:
            raise UsageError.of("--bytes", found=text, expected="numbers of bytes such as 4096,64KiB,16MiB")
        found.append(int(match[1]) * _SUFFIXES[match[2]])
    return tuple(found)


def _finish(
    runs: Sequence[Run], *, document: Any, lines: list[str], json_: bool, results: Path | None
) -> None:
    """Store, print, and end with the code that the worst of the runs asks for."""
    if results is not None:
        for run in runs:
            records.write(run, results)
        click.echo(f"records: {len(runs)} in {results}", err=True)
    skipped = [r for r in runs if r.status == "skipped"]
    if json_:
        click.echo(json.dumps(document, indent=1))
    elif len(skipped) < len(runs):
        click.echo("\n".join(lines))
    if len(skipped) == len(runs):
        run = skipped[0]
        error = UnavailableError(
            str(run.details.get("reason_code")), run.reason, remedy=str(run.details.get("remedy") or "")
        )
        click.echo(f"bench-lib: {error}", err=True)
        sys.exit(EXIT_USAGE)
    if any(r.status not in ("ok", "skipped") for r in runs):
        sys.exit(EXIT_VERDICT)


_DEVICE = click.option("--device", metavar="D", help="Slug or alias of a device, with :N for the N-th alike.")
_JSON = click.option("--json", "json_", is_flag=True, help="Print one JSON document on standard output.")
_RESULTS = click.option(
    "--results", type=click.Path(path_type=Path), help="Also store the records in this directory."
)
_TIMEOUT = click.option(
    "--timeout",
    type=float,
    default=600.0,
    show_default=True,
    help="Seconds until the measuring process is killed.",
)
_SAMPLES = click.option("--samples", type=int, default=20, show_default=True, help="Samples of each series.")
_COOL = click.option(
    "--cool-down", type=float, default=0.0, show_default=True, help="Idle seconds before each series."
)
_VALIDATE = click.option(
    "--validate", is_flag=True, help="Load Vulkan's validation layer; any message fails the run."
)


@edge.command("devices")
@_JSON
def devices_command(*, json_: bool) -> None:
    """List the devices, and what each lacks.

    Further drivers are listed where the loader is told of them: VK_ADD_DRIVER_FILES=/path/to/icd.json.
    """
    from bench_lib.edge.vulkan_devices import list_devices

    found = list_devices()
    if json_:
        click.echo(json.dumps(present.devices_document(found), indent=1))
    else:
        click.echo("\n".join(present.device_lines(found)) or "no device")


@edge.command("run")
@_DEVICE
@click.option("--op", required=True, metavar="O", help="A kernel of the project, or a folder of yours.")
@click.option("--sizes", default="", metavar="M=512,…", help="Sizes of the op; its first shape if left out.")
@click.option("--dtype", default="", help="fp32, fp16, int8, as the op has them; its first if left out.")
@click.option("--algorithm", help="Of several that the op has for the data type.")
@click.option("--variant", default="", help="One variant by name, whatever the device would take.")
@click.option(
    "--memory", "mode", type=click.Choice(["staged", "mapped"]), default="staged", show_default=True
)
@click.option("--cold/--no-cold", default=True, help="Also with caches cold.")
@click.option("--roofs/--no-roofs", default=True, help="Also measure the roofs, and place the kernel.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the inputs.")
@_SAMPLES
@_COOL
@_TIMEOUT
@_VALIDATE
@_RESULTS
@_JSON
def run_command(
    *,
    device: str | None,
    op: str,
    sizes: str,
    dtype: str,
    algorithm: str | None,
    variant: str,
    mode: str,
    cold: bool,
    roofs: bool,
    seed: int,
    samples: int,
    cool_down: float,
    timeout: float,
    validate: bool,
    results: Path | None,
    json_: bool,
) -> None:
    """Verify one kernel on one device, then time it.

    The output is compared with the op's reference before anything is timed. Exit code 0: measured. 1: wrong
    output, a device that was lost or hung, a process that was killed. 2: bad use, or the device lacks
    something.
    """
    from bench_lib.edge.measure import measure_kernel, measure_roofs, new_session

    if seed < 0:
        raise UsageError.of("--seed", found=seed, expected="a whole number from 0 up")
    if results is not None:
        records.require_writable(results)
    plan = TimingPlan(num_samples=samples, cool_down_s=cool_down)
    job = KernelJob(
        device=device,
        kernel=op,
        dtype=dtype,
        algorithm=algorithm,
        variant=variant,
        sizes=parse_sizes(sizes),
        plan=plan,
        memory_mode="mapped" if mode == "mapped" else "staged",
        cold=cold,
        seed=seed,
        validation=validate,
    )
    session = new_session()
    run = measure_kernel(job, timeout_s=timeout, session=session)
    roof_runs: tuple[Run, ...] = ()
    if roofs and run.status == "ok":
        roof_job = RoofJob(
            device=device, dtypes=(str(run.params["dtype"]),), plan=TimingPlan(num_samples=samples)
        )
        roof_runs = measure_roofs(roof_job, timeout_s=timeout, session=session)
    found = roofs_of(roof_runs)
    if results is not None and roof_runs:
        for roof_run in roof_runs:
            records.write(roof_run, results)
    _finish(
        [run],
        document=present.kernel_document(run, found),
        lines=present.kernel_lines(run, found),
        json_=json_,
        results=results,
    )


@edge.command("memory")
@_DEVICE
@click.option("--bytes", "bytes_", metavar="4KiB,…", help="Sizes; 4 KiB to 256 MiB if left out.")
@_SAMPLES
@_TIMEOUT
@_VALIDATE
@_RESULTS
@_JSON
def memory_command(
    *,
    device: str | None,
    bytes_: str | None,
    samples: int,
    timeout: float,
    validate: bool,
    results: Path | None,
    json_: bool,
) -> None:
    """Time what it costs to bring bytes from the host to a device, in every memory mode."""
    from bench_lib.edge.measure import measure_transfers

    if results is not None:
        records.require_writable(results)
    job = TransferJob(
        device=device,
        num_bytes=parse_bytes(bytes_) if bytes_ is not None else TRANSFER_BYTES,
        plan=TimingPlan(num_samples=samples, series_s=1.0),
        validation=validate,
    )
    runs = measure_transfers(job, timeout_s=timeout)
    _finish(
        runs,
        document=present.runs_document(runs),
        lines=present.transfer_lines(runs),
        json_=json_,
        results=results,
    )


@edge.command("roofs")
@_DEVICE
@click.option(
    "--dtype",
    "dtypes",
    type=click.Choice(["fp32", "fp16", "int8"]),
    multiple=True,
    default=("fp32", "fp16"),
    show_default=True,
)
@_SAMPLES
@_TIMEOUT
@_VALIDATE
@_RESULTS
@_JSON
def roofs_command(
    *,
    device: str | None,
    dtypes: tuple[str, ...],
    samples: int,
    timeout: float,
    validate: bool,
    results: Path | None,
    json_: bool,
) -> None:
    """Measure a device's copy bandwidth and matrix peak with the project's own kernels."""
    from bench_lib.edge.measure import measure_roofs

    if results is not None:
        records.require_writable(results)
    job = RoofJob(device=device, dtypes=dtypes, plan=TimingPlan(num_samples=samples), validation=validate)
    runs = measure_roofs(job, timeout_s=timeout)
    _finish(
        runs,
        document=present.runs_document(runs),
        lines=present.roof_lines(runs, roofs_of(runs)),
        json_=json_,
        results=results,
    )


edge.add_command(android)
edge.add_command(models_command)
edge.add_command(build_kernels)
