"""``bench-lib doctor``: what this machine can run of each family, and what would mend the rest."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import click

from bench_lib.edge import vulkan_devices
from bench_lib.edge.frameworks import FRAMEWORKS, adapter
from bench_lib.edge.metal import devices as metal_devices
from bench_lib.edge.runtime import DeviceFacts
from bench_lib.errors import UnavailableError
from bench_lib.hardware import Machine, detect
from bench_lib.hardware.environment import distribution_version
from bench_lib.units import format_value

_TORCH_PROBE: Final = """
import json, torch, torch.distributed as dist
json.dump({"version": torch.__version__, "gpus": torch.cuda.device_count(), "cuda": torch.version.cuda,
           "gloo": dist.is_available() and dist.is_gloo_available(),
           "nccl": dist.is_available() and dist.is_nccl_available(),
           "mps": torch.backends.mps.is_available()}, __import__("sys").stdout)
"""


@dataclass(frozen=True)
class Check:
    """One thing that a family needs or can use.

    ``status`` is ``ok`` or ``missing``; ``code`` a stable short reason where it is missing, and
    ``remedy`` the command or change that would mend it, empty where nothing here would.
    """

    family: str
    name: str
    status: str
    detail: str
    code: str = ""
    remedy: str = ""


def _for_this_environment(remedy: str) -> str:
    """``remedy`` with pip named by its interpreter: a bare ``pip`` may be of another environment.

    Only here: remedies also stand in records and on pages, which name no path of a machine.
    """
    pip = shlex.join([sys.executable, "-m", "pip", "install"])
    return re.sub(r"(?:\bpython -m )?\bpip install\b", lambda _: pip, remedy)


def _ok(family: str, name: str, detail: str) -> Check:
    return Check(family, name, "ok", detail)


def _missing(family: str, name: str, error: UnavailableError) -> Check:
    return Check(family, name, "missing", error.detail, error.code, _for_this_environment(error.remedy))


def _package(family: str, name: str, distribution: str, *, extra: str) -> Check:
    version = distribution_version(distribution)
    if version is not None:
        return _ok(family, name, f"{distribution} {version}")
    return Check(
        family,
        name,
        "missing",
        f"the package {distribution} is not installed",
        "not-installed",
        _for_this_environment(f"pip install 'bench-lib[{extra}]'"),
    )


def probe_torch() -> dict[str, Any]:
    """Version, GPUs and back ends of torch, asked of a fresh process.

    Raises
    ------
    UnavailableError
        ``not-installed`` or ``torch-broken``.
    """
    if distribution_version("torch") is None:
        raise UnavailableError(
            "not-installed", "the package torch is not installed", remedy="pip install 'bench-lib[fsdp2]'"
        )
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _TORCH_PROBE],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
            check=True,
        )
        # Interpreters may print a banner first; the probe's answer is the last line.
        found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or ["no message"])[-1]
        raise UnavailableError(
            "torch-broken", f"importing torch fails: {last}", remedy="reinstall torch"
        ) from error
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError) as error:
        raise UnavailableError("torch-broken", f"torch gives no answer: {type(error).__name__}") from error
    return found


def _fsdp2(machine: Machine) -> Iterator[Check]:
    try:
        torch = probe_torch()
    except UnavailableError as error:
        yield _missing("fsdp2", "training on CPU ranks", error)
        return
    if torch["gloo"]:
        memory = format_value(machine.cpu.memory_bytes, "B", digits=3)
        detail = f"torch {torch['version']}, gloo, {machine.cpu.num_cpus} CPUs, {memory}"
        yield _ok("fsdp2", "training on CPU ranks", detail)
    else:
        lacking = UnavailableError(
            "no-gloo", "this torch was built without gloo", remedy="install another build"
        )
        yield _missing("fsdp2", "training on CPU ranks", lacking)
    if torch["gpus"] and torch["nccl"]:
        names = ", ".join(gpu.slug for gpu in machine.gpus) or f"{torch['gpus']} GPUs"
        yield _ok("fsdp2", "training on GPU ranks", f"CUDA {torch['cuda']}, NCCL, {names}")
    elif machine.gpus:
        detail = f"the driver lists {len(machine.gpus)} GPU(s), and torch {torch['version']} sees none"
        remedy = "install a CUDA build of torch that fits the driver"
        yield _missing("fsdp2", "training on GPU ranks", UnavailableError("no-cuda", detail, remedy=remedy))
    else:
        yield _missing(
            "fsdp2", "training on GPU ranks", UnavailableError("no-gpu", "no NVIDIA GPU is listed")
        )


def _roofline(machine: Machine) -> Iterator[Check]:
    yield _ok("roofline", "reading reports", "needs no GPU and no NVIDIA software")
    ncu = shutil.which("ncu")
    if ncu is None:
        remedy = "install NVIDIA Nsight Compute, or classify a report made elsewhere" if machine.gpus else ""
        lacking = UnavailableError("no-ncu", "the profiler ncu is not on PATH", remedy=remedy)
        yield _missing("roofline", "collecting reports", lacking)
    elif not machine.gpus:
        yield _missing(
            "roofline", "collecting reports", UnavailableError("no-gpu", "no NVIDIA GPU is listed")
        )
    else:
        try:
            done = subprocess.run(
                [ncu, "--version"], capture_output=True, text=True, errors="replace", timeout=20, check=True
            )
        except (OSError, subprocess.SubprocessError) as error:
            broken = UnavailableError("ncu-broken", f"ncu --version gives no answer: {type(error).__name__}")
            yield _missing("roofline", "collecting reports", broken)
        else:
            version = (done.stdout.strip().splitlines() or ["unknown version"])[-1]
            yield _ok("roofline", "collecting reports", version)


def _edge_device_checks(devices: Sequence[DeviceFacts]) -> Iterator[Check]:
    """What kernels may need and not each device has, with the code that a skip of them carries."""
    for facts in devices:
        needs = {
            "fp16": ("feature-missing:shaderFloat16", "shaderFloat16" in facts.features),
            "int8": ("feature-missing:shaderInt8", "shaderInt8" in facts.features),
            "cooperative matrix": ("no-coopmat-property", bool(facts.cooperative_matrices)),
            "device timestamps": ("no-timestamps", facts.timestamp_period_s is not None),
        }
        for name, (code, is_there) in needs.items():
            if is_there:
                yield _ok("edge", f"{name} on Vulkan", facts.selector)
            else:
                detail = f"{facts.selector}: {code}"
                yield _missing("edge", f"{name} on Vulkan", UnavailableError(code, detail))


def _edge(machine: Machine) -> Iterator[Check]:
    try:
        devices = vulkan_devices.list_devices()
    except UnavailableError as error:
        yield _missing("edge", "kernels on Vulkan", error)
    else:
        found = [d for d in devices if d.api == "vulkan"]
        if found:
            shown = "; ".join(f"{d.name} ({d.kind}, Vulkan {d.api_version})" for d in found)
            yield _ok("edge", "kernels on Vulkan", shown)
            yield from _edge_device_checks(found)
        else:
            lacking = UnavailableError("no-device", "the drivers list no device")
            yield _missing("edge", "kernels on Vulkan", lacking)
    try:
        gpus = metal_devices.list_devices()
    except UnavailableError as error:
        yield _missing("edge", "kernels on Metal", error)
    else:
        yield _ok("edge", "kernels on Metal", "; ".join(f"{d.name} ({d.api_version})" for d in gpus))
    for framework in FRAMEWORKS:
        found_adapter = adapter(framework)
        yield _package(
            "edge", f"models on {framework}", found_adapter.distribution, extra=found_adapter.extra
        )
    adb = shutil.which("adb")
    if adb is None:
        lacking = UnavailableError(
            "no-adb", "the program adb is not on PATH", remedy="install Android's platform tools"
        )
        yield _missing("edge", "benchmarks on phones", lacking)
    else:
        yield _ok("edge", "benchmarks on phones", f"adb at {adb}")


def _tools(machine: Machine) -> Iterator[Check]:
    del machine
    yield _ok("tools", "asv in this environment", f"asv {distribution_version('asv')}")
    yield _package("tools", "asv across commits", "uv", extra="asv-env")
    yield _package("tools", "the site", "sphinx", extra="docs")
    if shutil.which("git") is None:
        lacking = UnavailableError("no-git", "git is not on PATH", remedy="install git")
        yield _missing("tools", "results filed under commits", lacking)
    else:
        yield _ok("tools", "results filed under commits", "git is on PATH")


FAMILIES: Final[tuple[Callable[[Machine], Iterator[Check]], ...]] = (_fsdp2, _roofline, _edge, _tools)


def examine(machine: Machine) -> list[Check]:
    """Every check, in the order in which they are shown."""
    return [check for family in FAMILIES for check in family(machine)]


def _text(machine: Machine, checks: list[Check]) -> str:
    lines = [f"hardware: {machine.hardware.slug} ({machine.hardware.name})"]
    width = max(len(c.name) for c in checks)
    family = ""
    for check in checks:
        if check.family != family:
            family = check.family
            lines.append(f"\n{family}")
        lines.append(f"  {check.status:<8} {check.name:<{width}}  {check.detail}")
        if check.remedy:
            lines.append(f"  {'':<8} {'':<{width}}  to mend: {check.remedy}")
    return "\n".join(lines)


@click.command()
@click.option("--json", "json_", is_flag=True, help="Print one JSON document on standard output.")
def doctor(*, json_: bool) -> None:
    """Say what this machine can run of each family, and why not the rest."""
    machine = detect()
    checks = examine(machine)
    if json_:
        document = {
            "schema": 1,
            "hardware": machine.hardware.slug,
            "num_cpus": machine.cpu.num_cpus,
            "memory_bytes": machine.cpu.memory_bytes,
            "gpus": [gpu.slug for gpu in machine.gpus],
            "driver": machine.driver,
            "checks": [asdict(check) for check in checks],
        }
        click.echo(json.dumps(document, indent=1))
    else:
        click.echo(_text(machine, checks))
