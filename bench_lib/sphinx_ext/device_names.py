"""Which machines are one device, and the names of the devices' pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bench_lib.hardware import catalog
from bench_lib.model import Hardware
from bench_lib.results.frames import Results
from bench_lib.sphinx_ext.page_names import file_names

#: Folder of the pages of devices.
DEVICES: Final = "devices"

#: Kind of hardware → what a reader is told; a machine that nothing describes is of no known kind.
KINDS: Final = {"gpu": "GPU", "cpu": "CPU", "software": "software device"}
UNKNOWN_KIND: Final = "unknown kind"


def device_of(results: Results, machine: str) -> Hardware | None:
    """The device file of a machine, by its own name or that of its GPU; never by part of a name."""
    gpu = results.machines.get(machine, {}).get("gpu", "")
    return catalog.find(machine) or (catalog.find(gpu) if gpu else None)


def slugs_of(results: Results) -> dict[str, str]:
    """Machine → slug of its device, or its own name where there is no device file."""
    machines = list(results.frame["machine"].cat.categories)
    found = {name: device_of(results, name) for name in machines}
    return {name: device.slug if device else name for name, device in found.items()}


def device_pages_of(results: Results) -> Mapping[str, str]:
    """Machine → name of the page of its device."""
    slugs = slugs_of(results)
    files = file_names(slugs.values())
    return {machine: f"{DEVICES}/{files[slug]}" for machine, slug in slugs.items()}
