"""Vulkan devices of this machine, listed in a process of its own.

A driver can crash the process that loads it, and a fork after a device exists hangs the child: so
:func:`list_devices` asks a fresh interpreter, which prints JSON.
"""

from __future__ import annotations

import ctypes.util
import json
import subprocess
import sys
from dataclasses import dataclass

from bench_lib.errors import UnavailableError
from bench_lib.model import HardwareKind

_TIMEOUT_S = 60

DEBIAN_PACKAGES = "libvulkan1 mesa-vulkan-drivers"


@dataclass(frozen=True)
class VulkanDevice:
    """A physical device as its driver describes it. ``kind`` is ``software`` for a CPU implementation."""

    name: str
    kind: HardwareKind
    api_version: str
    driver_version: int


def list_devices() -> tuple[VulkanDevice, ...]:
    """Every physical device that the Vulkan loader offers.

    Raises
    ------
    UnavailableError
        ``no-loader``, ``no-binding``, ``incompatible-driver`` (no driver was found) or
        ``driver-crashed``, each with the command that mends it.
    """
    if ctypes.util.find_library("vulkan") is None:
        raise UnavailableError(
            "no-loader",
            "no Vulkan loader (libvulkan) was found.",
            remedy=f"Install one: apt-get install {DEBIAN_PACKAGES}",
        )
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "bench_lib.edge.vulkan_devices"],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UnavailableError("driver-hung", f"no answer from the driver in {_TIMEOUT_S} s.") from error
    try:
        document = json.loads((done.stdout.strip().splitlines() or [""])[-1])
    except ValueError as error:
        raise UnavailableError(
            "driver-crashed", f"listing devices ended with exit code {done.returncode}."
        ) from error
    if "code" in document:
        raise UnavailableError(document["code"], document["detail"], remedy=document["remedy"])
    return tuple(VulkanDevice(**device) for device in document["devices"])


def _enumerate() -> dict[str, object]:
    try:
        import vulkan as vk
    except ImportError:
        return {
            "code": "no-binding",
            "detail": "the Python package vulkan is not installed.",
            "remedy": "pip install 'bench-lib[edge]'",
        }
    except OSError as error:
        return {
            "code": "no-loader",
            "detail": f"the Vulkan loader did not load: {error}.",
            "remedy": f"Install one: apt-get install {DEBIAN_PACKAGES}",
        }
    application = vk.VkApplicationInfo(pApplicationName="bench-lib", apiVersion=vk.VK_MAKE_VERSION(1, 1, 0))
    try:
        instance = vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=application), None)
    except vk.VkErrorIncompatibleDriver:
        return {
            "code": "incompatible-driver",
            "detail": "the Vulkan loader found no driver.",
            "remedy": f"Install one: apt-get install {DEBIAN_PACKAGES}",
        }
    devices: list[dict[str, object]] = []
    try:
        for physical in vk.vkEnumeratePhysicalDevices(instance):
            properties = vk.vkGetPhysicalDeviceProperties(physical)
            is_cpu = properties.deviceType == vk.VK_PHYSICAL_DEVICE_TYPE_CPU
            version = properties.apiVersion
            devices.append(
                {
                    "name": str(properties.deviceName),
                    "kind": "software" if is_cpu else "gpu",
                    "api_version": f"{version >> 22 & 0x7F}.{version >> 12 & 0x3FF}.{version & 0xFFF}",
                    "driver_version": int(properties.driverVersion),
                }
            )
    finally:
        vk.vkDestroyInstance(instance, None)
    return {"devices": devices}


if __name__ == "__main__":
    json.dump(_enumerate(), sys.stdout)
