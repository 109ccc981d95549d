"""Which of a machine's devices a name means."""

from __future__ import annotations

from collections.abc import Sequence

from bench_lib.edge.runtime import DeviceFacts
from bench_lib.errors import UnavailableError, UsageError


def choose(found: Sequence[DeviceFacts], wanted: str | None) -> int:
    """Index of the device that ``wanted`` names.

    A slug or an alias (``lavapipe``), with ``:N`` for the N-th of those that share it, from 0, and with
    ``vulkan/`` or ``metal/`` before it where both have one. ``None`` is the only GPU, or the only device
    where there is no GPU.

    Raises
    ------
    UsageError
        None has that name, or several do.
    UnavailableError
        ``no-device``: there is no device at all. ``device-not-named``: there are several.
    """
    listed = ", ".join(f.selector for f in found)
    if not found:
        raise UnavailableError("no-device", "the drivers list no device with a compute queue.")
    if wanted is None:
        usable = [i for i, f in enumerate(found) if f.kind == "gpu"] or list(range(len(found)))
        if len(usable) == 1:
            return usable[0]
        raise UnavailableError(
            "device-not-named", f"this machine has several devices: {listed}.", remedy="Name one of them."
        )
    text = wanted.strip().casefold()
    api, slash, rest = text.partition("/")
    if slash and api in ("vulkan", "metal"):
        text = rest
    else:
        api = ""
    name, colon, place = text.rpartition(":")
    if not colon or not place.isdecimal():
        name, place = text, ""
    matching = [
        i
        for i, f in enumerate(found)
        if api in ("", f.api) and name in {n.casefold() for n in (f.slug, f.name, *f.aliases)}
    ]
    if place and int(place) < len(matching):
        return matching[int(place)]
    if len(matching) == 1 and not place:
        return matching[0]
    if matching and not place:
        which = ", ".join(f"{found[i].selector} ({found[i].driver})" for i in matching)
        raise UsageError.of("device", found=wanted, expected=f"which of them: {which}")
    raise UsageError.of("device", found=wanted, expected=f"one of {listed}")
