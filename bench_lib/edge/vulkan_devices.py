"""Devices of this machine, listed in a process of its own: a driver can crash the one that loads it."""

from __future__ import annotations

import json
import sys
from typing import Final

import msgspec

from bench_lib.edge.isolated import ask, require_loader
from bench_lib.edge.jobs import DevicesJob
from bench_lib.edge.runtime import DeviceFacts
from bench_lib.errors import UnavailableError

#: Seconds in which drivers have to say what devices they offer.
TIMEOUT_S: Final = 60.0


def list_devices(*, timeout_s: float = TIMEOUT_S) -> tuple[DeviceFacts, ...]:
    """Every device that a driver of this machine offers.

    Parameters
    ----------
    timeout_s
        The process that loads the drivers is killed after that long.

    Raises
    ------
    UnavailableError
        ``no-loader``, ``no-binding``, ``incompatible-driver`` (no driver was found), ``driver-crashed`` or
        ``driver-hung``, each with the command that mends it where one does.
    """
    require_loader()
    found = ask(DevicesJob(), timeout_s=timeout_s)
    if found.status == "timed_out":
        raise UnavailableError("driver-hung", f"no answer from the drivers in {timeout_s:g} s.")
    if found.status != "ok":
        raise UnavailableError(found.code, found.reason, remedy=found.remedy)
    return found.devices


def main() -> None:
    """Print what :func:`list_devices` finds, or why it finds nothing, as one JSON document."""
    try:
        document: object = {"devices": list_devices()}
    except UnavailableError as error:
        document = {"code": error.code, "detail": error.detail, "remedy": error.remedy}
    json.dump(msgspec.to_builtins(document, order="sorted"), sys.stdout)


if __name__ == "__main__":
    main()
