"""``bench-lib edge android``: run another tool's benchmark on a phone, and import what it printed."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bench_lib.errors import DeviceError, UsageError

if TYPE_CHECKING:
    from bench_lib.edge.adb import Adb, Phone, Thermal

_POLL_S: Final = 5.0


@click.command()
@click.argument("program", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("arguments", nargs=-1)
@click.option("--hardware", required=True, metavar="SLUG", help="The phone, such as google-pixel-9.")
@click.option("--serial", default="", help="Of several connected devices, this one (adb devices).")
@click.option(
    "--push",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File that the program needs, such as a model; it lies beside the program. May be repeated.",
)
@click.option(
    "--cpus", default="", metavar="MASK", help="CPUs to run on, as taskset takes it: f0 is CPUs 4 to 7."
)
@click.option("--device", default="", help="Of an output with several devices, only this one.")
@click.option(
    "--keep-mismatch", is_flag=True, help="Import although the output names another device, and mark it."
)
@click.option(
    "--cool-down",
    type=click.FloatRange(min=0),
    default=0.0,
    metavar="SECONDS",
    help="Wait at most so long until the phone does not throttle. Without it, a warm phone is refused.",
)
@click.option(
    "--timeout", type=click.FloatRange(min=1), default=1800.0, show_default=True, help="Seconds to run."
)
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Keep what it printed here too."
)
@click.option(
    "--results", "results_dir", type=click.Path(file_okay=False, path_type=Path), default=Path("results"),
    show_default=True, help="Results directory to write to.",
)  # fmt: skip
def android(
    *,
    program: Path,
    arguments: tuple[str, ...],
    hardware: str,
    serial: str,
    files: tuple[Path, ...],
    cpus: str,
    device: str,
    keep_mismatch: bool,
    cool_down: float,
    timeout: float,
    output: Path | None,
    results_dir: Path,
) -> None:
    """Run PROGRAM with ARGUMENTS on a phone over adb, and import its output.

    PROGRAM is llama-bench, test-backend-ops, vkpeak, clpeak or another that bench-lib import reads, built for
    Android. Write options of the program after two hyphens.
    """
    from bench_lib.edge.adb import connect
    from bench_lib.results.imports.devices import target
    from bench_lib.results.imports.filing import file_runs, runs_of, select
    from bench_lib.results.imports.formats import read_file

    where = target(hardware)
    if cpus and not re.fullmatch(r"(?:0x)?[0-9a-fA-F]{1,16}", cpus):
        raise UsageError.of("--cpus", found=cpus, expected="a hexadecimal mask, such as f0")
    names = [path.name for path in (program, *files)]
    if len(set(names)) != len(names):
        raise UsageError.of(
            "--push", found=", ".join(names), expected="names that differ, as they share a folder"
        )
    adb = connect(serial)
    phone = adb.phone()
    before = cooled(adb, wait_s=cool_down, sleep=time.sleep, clock=time.monotonic)
    click.echo(f"{phone.manufacturer} {phone.model}, Android {phone.android}, thermal state {before.state}")
    with tempfile.TemporaryDirectory() as folder:
        printed = Path(folder) / f"{program.name}.txt"
        outcome = adb.run(
            program, arguments=arguments, files=files, cpu_mask=cpus, output=printed, timeout_s=timeout
        )
        after = adb.thermal()
        if output is not None:
            output.write_bytes(outcome.output)
        if outcome.exit_code:
            last = (outcome.errors.strip().splitlines() or ["no message"])[-1]
            raise DeviceError(
                "run-failed", f"{program.name} ended with exit code {outcome.exit_code}: {last}"
            )
        form, readings = read_file(printed)
        kept = select(printed, readings, where=where, device=device, keep_mismatch=keep_mismatch)
        runs = runs_of(
            printed,
            form,
            kept,
            where=where,
            source="adb",
            now=datetime.now(UTC),
            details=_details(phone, before=before, after=after, cpus=cpus),
        )
        written, _ = file_runs(runs, results_dir)
    click.echo(
        f"{form.name}: {len(written)} records written to {results_dir}; thermal state after: {after.state}"
    )
    if after.level > before.level:
        click.echo("bench-lib: it became warmer than when it began and may have slowed down.", err=True)


def cooled(
    adb: Adb, *, wait_s: float, sleep: Callable[[float], object], clock: Callable[[], float]
) -> Thermal:
    """The thermal state once the phone does not throttle.

    Raises
    ------
    DeviceError
        ``too-warm``: it still throttles after ``wait_s``.
    """
    deadline = clock() + wait_s
    while True:
        state = adb.thermal()
        if state.level == 0:
            return state
        if clock() >= deadline:
            raise DeviceError(
                "too-warm",
                f"the thermal state is {state.state}. Let it cool, or wait for it with --cool-down SECONDS.",
            )
        sleep(_POLL_S)


def _details(
    phone: Phone, *, before: Thermal, after: Thermal, cpus: str
) -> dict[str, str | int | float | bool | None]:
    from bench_lib.results.imports.reading import clean

    found: dict[str, str | int | float | bool | None] = {
        "os": clean(f"Android {phone.android}"),
        "phone": clean(f"{phone.manufacturer} {phone.model}"),
        "soc": clean(phone.soc),
        "abi": clean(phone.abi),
        "cpu_mask": cpus,
        "throttled": after.level > before.level,
    }
    for name, state in (("before", before), ("after", after)):
        found[f"thermal_{name}"] = state.state
        found[f"skin_celsius_{name}"] = state.skin_celsius
        found[f"battery_celsius_{name}"] = state.battery_celsius
    found["battery_percent"], found["on_power"] = before.battery_percent, before.on_power
    return found
