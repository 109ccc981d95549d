"""A Vulkan instance, the driver's errors as ours, and the validation layer's messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from bench_lib.errors import DeviceError, UnavailableError

VALIDATION_LAYER: Final = "VK_LAYER_KHRONOS_validation"
DEBIAN_PACKAGES: Final = "libvulkan1 mesa-vulkan-drivers"
_API_VERSION: Final = (1, 3)

_CODES: Final = {
    "VkErrorDeviceLost": "device-lost",
    "VkErrorOutOfHostMemory": "out-of-host-memory",
    "VkErrorOutOfDeviceMemory": "out-of-device-memory",
    "VkErrorOutOfPoolMemory": "out-of-device-memory",
    "VkErrorMemoryMapFailed": "out-of-host-memory",
    "VkErrorInitializationFailed": "driver-failed",
    "VkTimeout": "device-hung",
}


def binding() -> Any:
    """The package ``vulkan``.

    Raises
    ------
    UnavailableError
        ``no-binding`` or ``no-loader``.
    """
    try:
        import vulkan
    except ImportError as error:
        raise UnavailableError(
            "no-binding",
            "the Python package vulkan is not installed.",
            remedy="pip install 'bench-lib[edge]'",
        ) from error
    except OSError as error:
        raise UnavailableError(
            "no-loader",
            f"the Vulkan loader did not load: {error}.",
            remedy=f"Install one: apt-get install {DEBIAN_PACKAGES}",
        ) from error
    return vulkan


@contextmanager
def driver_errors(doing: str) -> Iterator[None]:
    """Raise a driver's error codes as :class:`DeviceError`, whose message says what was being done.

    The binding raises ``KeyError`` for codes that it does not know, some of which it has under the
    wrong sign.
    """
    vk = binding()
    try:
        yield
    except (vk.VkException, vk.VkError) as error:
        name = type(error).__name__
        raise DeviceError(_CODES.get(name, "driver-failed"), f"{doing}: the driver says {name}.") from error
    except KeyError as error:
        raise DeviceError("driver-failed", f"{doing}: the driver says {error}.") from error


class Instance:
    """A Vulkan instance, with the validation layer where asked for.

    Parameters
    ----------
    validation
        Load the layer, with checks of synchronisation, and keep what it says in :attr:`messages`.

    Raises
    ------
    UnavailableError
        ``no-binding``, ``no-loader``, ``incompatible-driver`` or ``no-validation-layer``.
    """

    def __init__(self, *, validation: bool = False) -> None:
        self.vk = vk = binding()
        self.messages: list[str] = []
        self._messenger: Any = None
        application = vk.VkApplicationInfo(
            pApplicationName="bench-lib", apiVersion=vk.VK_MAKE_VERSION(*_API_VERSION, 0)
        )
        offered = {e.extensionName for e in vk.vkEnumerateInstanceExtensionProperties(None)}
        # Translation layers such as MoltenVK are listed only to those who ask.
        portability = "VK_KHR_portability_enumeration" in offered
        extensions = ["VK_KHR_portability_enumeration"] if portability else []
        layers: list[str] = []
        chain = None
        if validation:
            if VALIDATION_LAYER not in {layer.layerName for layer in vk.vkEnumerateInstanceLayerProperties()}:
                raise UnavailableError(
                    "no-validation-layer",
                    f"the layer {VALIDATION_LAYER} is not installed.",
                    remedy="Install it: apt-get install vulkan-validationlayers",
                )
            layers = [VALIDATION_LAYER]
            extensions += ["VK_EXT_debug_utils", "VK_EXT_validation_features"]
            chain = vk.VkValidationFeaturesEXT(
                enabledValidationFeatureCount=1,
                pEnabledValidationFeatures=[vk.VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT],
            )
        info = vk.VkInstanceCreateInfo(
            pNext=chain,
            flags=vk.VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR if portability else 0,
            pApplicationInfo=application,
            enabledLayerCount=len(layers),
            ppEnabledLayerNames=layers,
            enabledExtensionCount=len(extensions),
            ppEnabledExtensionNames=extensions,
        )
        try:
            with driver_errors("creating an instance"):
                self.handle: Any = vk.vkCreateInstance(info, None)
        except DeviceError as error:
            if isinstance(error.__cause__, vk.VkErrorIncompatibleDriver):
                raise UnavailableError(
                    "incompatible-driver",
                    "the Vulkan loader found no driver that works.",
                    remedy=f"Install one: apt-get install {DEBIAN_PACKAGES}",
                ) from error
            raise
        if validation:
            self._listen()

    def _listen(self) -> None:
        vk = self.vk
        severe = (
            vk.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
            | vk.VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
        )

        def keep(severity: int, kinds: int, data: Any, user: Any) -> int:
            del kinds, user
            level = "error" if severity & vk.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT else "warning"
            self.messages.append(f"{level}: {vk.ffi.string(data.pMessage).decode(errors='replace')}")
            return 0

        info = vk.VkDebugUtilsMessengerCreateInfoEXT(
            messageSeverity=severe,
            messageType=vk.VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT
            | vk.VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
            pfnUserCallback=keep,
        )
        create = vk.vkGetInstanceProcAddr(self.handle, "vkCreateDebugUtilsMessengerEXT")
        with driver_errors("creating a debug messenger"):
            self._messenger = create(self.handle, info, None)

    def function(self, name: str) -> Any:
        """A function of an extension as the driver has it, without the binding's wrapper."""
        address = self.vk.lib.vkGetInstanceProcAddr(self.handle, self.vk.ffi.new("char[]", name.encode()))
        return self.vk.ffi.cast(f"PFN_{name}", address)

    def physical_devices(self) -> tuple[Any, ...]:
        """Handles in the loader's order."""
        with driver_errors("listing devices"):
            return tuple(self.vk.vkEnumeratePhysicalDevices(self.handle))

    def close(self) -> None:
        """Destroy it; devices first."""
        if self.handle is None:
            return
        if self._messenger is not None:
            destroy = self.vk.vkGetInstanceProcAddr(self.handle, "vkDestroyDebugUtilsMessengerEXT")
            destroy(self.handle, self._messenger, None)
        self.vk.vkDestroyInstance(self.handle, None)
        self.handle = None
