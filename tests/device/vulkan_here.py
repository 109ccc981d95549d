"""Which Vulkan devices the tests can use, and how a test gets one."""

from __future__ import annotations

import functools
import os
import shutil
from pathlib import Path

import pytest

from bench_lib.edge.vulkan_devices import list_devices
from bench_lib.errors import UnavailableError

#: Where Debian's chromium keeps SwiftShader; the loader does not look there.
SWIFTSHADER = Path("/usr/lib/chromium/vk_swiftshader_icd.json")


def add_swiftshader() -> None:
    """Tell the loader of SwiftShader, beside whatever else it was told of."""
    if SWIFTSHADER.is_file() and "VK_DRIVER_FILES" not in os.environ:
        told = [p for p in os.environ.get("VK_ADD_DRIVER_FILES", "").split(os.pathsep) if p]
        if str(SWIFTSHADER) not in told:
            os.environ["VK_ADD_DRIVER_FILES"] = os.pathsep.join([*told, str(SWIFTSHADER)])


@functools.cache
def selectors() -> tuple[str, ...]:
    """Selector of every device here; none where there is no driver."""
    add_swiftshader()
    try:
        return tuple(d.selector for d in list_devices())
    except UnavailableError:
        return ()


def require_device() -> str:
    """The first device's selector; skips the test where there is none."""
    if not selectors():
        pytest.skip("no Vulkan device: apt-get install libvulkan1 mesa-vulkan-drivers")
    return selectors()[0]


def require_validation() -> None:
    """Skips the test where the validation layer is not installed."""
    from bench_lib.edge.vulkan.instance import VALIDATION_LAYER, binding

    if VALIDATION_LAYER not in {layer.layerName for layer in binding().vkEnumerateInstanceLayerProperties()}:
        pytest.skip("no validation layer: apt-get install vulkan-validationlayers")


def require_compiler() -> str:
    """A C compiler; skips the test where there is none."""
    found = shutil.which("gcc") or shutil.which("cc")
    if found is None:
        pytest.skip("no C compiler")
    return found
