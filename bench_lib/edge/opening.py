"""Devices of either API: all of them, and the one that a name chooses. Loads drivers."""

from __future__ import annotations

import importlib
import platform
from collections.abc import Collection
from dataclasses import dataclass, field

from bench_lib.edge.choosing import choose
from bench_lib.edge.runtime import Device, DeviceFacts
from bench_lib.errors import UnavailableError


@dataclass
class Owned:
    """Devices that are open, for whoever has to tell what became of them."""

    devices: list[Device] = field(default_factory=list)

    @property
    def messages(self) -> tuple[str, ...]:
        """What the validation layer said of them so far."""
        return tuple(message for device in self.devices for message in messages_of(device))


def list_facts() -> tuple[DeviceFacts, ...]:
    """Facts of every device that a driver offers to this process, Metal's first.

    Raises
    ------
    UnavailableError
        There is neither Vulkan nor Metal; the reason is Vulkan's.
    """
    metal = _metal_facts()
    try:
        return (*metal, *_vulkan_facts())
    except UnavailableError:
        if metal:
            return metal
        raise


def _vulkan_facts() -> tuple[DeviceFacts, ...]:
    from bench_lib.edge.vulkan.instance import Instance
    from bench_lib.edge.vulkan.physical import describe_all

    instance = Instance()
    try:
        return tuple(device.facts for device in describe_all(instance))
    finally:
        instance.close()


def _metal_facts() -> tuple[DeviceFacts, ...]:
    if platform.system() != "Darwin":
        return ()
    try:
        # By name, as its binding exists on macOS only.
        listed = importlib.import_module("bench_lib.edge.metal.devices").list_devices()
    except UnavailableError:
        return ()
    return tuple(listed)


def open_device(
    wanted: str | None,
    *,
    features: Collection[str] = frozenset(),
    imports: bool = False,
    validation: bool = False,
) -> Device:
    """Open the device that ``wanted`` names; see :func:`bench_lib.edge.choosing.choose`.

    Parameters
    ----------
    features
        Names of :attr:`bench_lib.edge.runtime.DeviceFacts.features` to enable; Metal enables all it has.
    imports
        Whether host memory will be imported.
    validation
        Load Vulkan's validation layer.
    """
    from bench_lib.edge.vulkan import device as vulkan_device

    metal = _metal_facts()
    if metal:
        found = list_facts()
        chosen = found[choose(found, wanted)]
        if chosen.api == "metal":
            made: Device = importlib.import_module("bench_lib.edge.metal.device").open_device(chosen.selector)
            return made
        wanted = chosen.selector
    return vulkan_device.open_device(wanted, features=features, imports=imports, validation=validation)


def messages_of(device: Device) -> list[str]:
    """What the validation layer said so far; nothing where there is none."""
    instance = getattr(device, "instance", None)
    return list(instance.messages) if instance is not None else []
