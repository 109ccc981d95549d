"""What this machine has, found without torch, Vulkan or a GPU library.

GPUs are listed by ``nvidia-smi``, which comes with NVIDIA's driver. No host name is read.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psutil
from slugify import slugify

from bench_lib.hardware.catalog import find
from bench_lib.model import Hardware

CPU_INFO = Path("/proc/cpuinfo")

_MARKS = re.compile(r"\((?:r|tm|c)\)|®|™", re.IGNORECASE)
_NOISE = re.compile(r"\b(?:cpu|processor|\d+-core)\b|@.*$", re.IGNORECASE)


@dataclass(frozen=True)
class Cpu:
    """The processor: its vendor's name and the number of CPUs this process may use."""

    name: str
    num_cpus: int
    memory_bytes: int


@dataclass(frozen=True)
class Machine:
    """This machine's processor and GPUs."""

    cpu: Cpu
    processor: Hardware
    gpus: tuple[Hardware, ...]
    driver: str | None

    @property
    def hardware(self) -> Hardware:
        """The first GPU where there is one, else the processor; results are filed under it."""
        return self.gpus[0] if self.gpus else self.processor


def usable_cpus() -> int:
    """CPUs that this process may run on (affinity, not the number in the box)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cpu_name() -> str:
    if platform.system() == "Darwin":
        return _run(["sysctl", "-n", "machdep.cpu.brand_string"]) or "Apple"
    info = CPU_INFO
    if info.is_file():
        found: dict[str, str] = {}
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if value.strip():
                found.setdefault(key.strip(), value.strip())
        name = found.get("model name") or found.get("Model") or found.get("Hardware") or ""
        # Virtual machines often hide the model ("AMD EPYC"): generations would share a series.
        if name and not re.search(r"\d", name) and "cpu family" in found and "model" in found:
            name = f"{name} family {found['cpu family']} model {found['model']}"
        if name:
            return name
    return platform.processor() or platform.machine() or "unknown"


def detect_cpu() -> Cpu:
    """The processor of this machine."""
    return Cpu(name=_cpu_name(), num_cpus=usable_cpus(), memory_bytes=psutil.virtual_memory().total)


def _run(command: list[str]) -> str | None:
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def cpu_slug(cpu: Cpu) -> str:
    """Slug of a processor: its name without marketing marks, and how many CPUs are usable.

    The count belongs to it: eight ranks on two CPUs and on sixty-four are different hardware.
    """
    clean = _NOISE.sub(" ", _MARKS.sub(" ", cpu.name))
    return f"{slugify(clean) or 'unknown-cpu'}-{cpu.num_cpus}cpu"


def _gpu(name: str, memory_mib: str) -> Hardware:
    known = find(name)
    if known is not None:
        return known
    memory = float(memory_mib) * 1024**2 if re.fullmatch(r"\d+(\.\d+)?", memory_mib) else None
    return Hardware(
        slug=slugify(name) or "unknown-gpu",
        name=name,
        kind="gpu",
        memory_bytes=memory,
        source="reported by its driver; no data sheet on file",
    )


def detect() -> Machine:
    """Find the processor, the NVIDIA GPUs and their driver.

    A device without a file in ``hardware/devices`` keeps its own name, and its peaks stay unknown.
    """
    cpu = detect_cpu()
    listing = _run(
        ["nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader,nounits"]
    )
    gpus: list[Hardware] = []
    driver = None
    for line in (listing or "").splitlines():
        fields = [f.strip() for f in line.split(",")]
        if len(fields) == 3:
            gpus.append(_gpu(fields[0], fields[1]))
            driver = fields[2]
    slug = cpu_slug(cpu)
    processor = Hardware(
        slug=slug,
        name=cpu.name,
        kind="cpu",
        memory_bytes=float(cpu.memory_bytes),
        source="reported by its operating system",
    )
    return Machine(cpu=cpu, processor=processor, gpus=tuple(gpus), driver=driver)
