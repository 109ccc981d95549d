"""Pass packets between namespaces after a delay.

``python -m bench_lib.fsdp2.nodes.relay NAME=ADDRESS…``.

Stands in for ``sch_netem`` where the kernel lacks it. Each namespace has a TUN device whose packets come
here and wait their time. It says ``ready`` when the devices exist, reads delays from its standard input,
and ends when that closes.
"""

from __future__ import annotations

import ctypes
import fcntl
import heapq
import os
import select
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Final

from bench_lib.fsdp2.nodes.namespaces import DEVICE, DIRECTORY, RELAY_MTU

_CLONE_NEWNET: Final = 0x40000000
_TUNSETIFF: Final = 0x400454CA
_IFF_TUN: Final = 0x0001
_IFF_NO_PI: Final = 0x1000


def open_device(namespace: str) -> int:
    """A TUN device in ``namespace``; this process is in it afterwards."""
    libc = ctypes.CDLL(None, use_errno=True)
    with (DIRECTORY / namespace).open("rb") as handle:
        if libc.setns(handle.fileno(), _CLONE_NEWNET):
            number = ctypes.get_errno()
            raise OSError(number, f"setns {namespace}: {os.strerror(number)}")
    device = os.open(Path("/dev/net/tun"), os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH22x", DEVICE.encode(), _IFF_TUN | _IFF_NO_PI))
    return device


def pass_on(devices: dict[bytes, int], *, control: int) -> None:
    """Hold each packet for the delay, then write it where it is meant to go.

    ``control`` gives the delay in seconds, a line a change, and ends everything when it closes.
    """
    waiting: list[tuple[float, int, int, bytes]] = []
    order, delay_s = 0, 0.0
    readers = [*devices.values(), control]
    while True:
        patience = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        ready, _, _ = select.select(readers, [], [], patience)
        if control in ready:
            text = os.read(control, 4096)
            if not text:
                return
            delay_s = float(text.splitlines()[-1])
        for device in ready:
            if device == control:
                continue
            packet = os.read(device, RELAY_MTU + 100)
            target = devices.get(packet[16:20])
            # IPv4 only; what goes elsewhere (IPv6 neighbour discovery) has nobody to answer it.
            if packet[0] >> 4 == 4 and target is not None:
                order += 1
                heapq.heappush(waiting, (time.monotonic() + delay_s, order, target, packet))
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, target, packet = heapq.heappop(waiting)
            try:
                os.write(target, packet)
            except BlockingIOError:
                # A full device drops packets, as a switch does; TCP sends them again.
                continue


def _come_first() -> None:
    """Run before ordinary processes: a network does not wait for a processor."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        # A container may forbid it; packets are then late by what the machine is busy.
        return


def main(argv: list[str]) -> None:
    """Make the devices, then pass packets on."""
    _come_first()
    devices: dict[bytes, int] = {}
    for pair in argv:
        namespace, _, address = pair.partition("=")
        devices[socket.inet_aton(address)] = open_device(namespace)
    print("ready", flush=True)
    pass_on(devices, control=0)


if __name__ == "__main__":
    main(sys.argv[1:])
