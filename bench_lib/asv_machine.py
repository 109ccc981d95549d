"""The machine as asv files it: hardware facts under the hardware slug, and no host name.

asv names a machine after its host and keeps what it knows in ``~/.asv-machine.json``. Results
are published, so here the name is the slug and the facts are detected anew. A user's own file is
read where ``--machine NAME`` asks for one of its entries, and is not written.
"""

from __future__ import annotations

import functools
import os
import platform
from typing import Any

from asv import machine as asv_machine

from bench_lib.asv_bridge import MACHINE_VARIABLE
from bench_lib.edge import tracked
from bench_lib.hardware import Machine, detect


@functools.cache
def _detected() -> Machine:
    return detect()


def facts(machine: Machine) -> dict[str, str]:
    """What ``machine.json`` holds for this machine.

    Every key selects a series: two hosts with the same parts must agree in all of them, and an
    upgrade of a driver or a kernel must change none. Memory is therefore rounded to GiB, and the
    operating system is its family alone.
    """
    found = {
        "machine": tracked.machine_name(machine),
        "os": platform.system(),
        "arch": platform.machine(),
        "cpu": machine.cpu.name,
        "num_cpu": str(machine.cpu.num_cpus),
        "ram": f"{round(machine.cpu.memory_bytes / 2**30)} GiB",
    }
    if tracked.wanted_device() is not None:
        found["edge_device"] = tracked.machine_name(machine)
    if machine.gpus:
        found["gpu"] = machine.gpus[0].name
    return found


def install() -> None:
    """Make asv, in this process, name the machine by its hardware slug.

    Detection waits until asv asks: ``asv publish`` never does.
    """
    collection = asv_machine.MachineCollection
    if hasattr(collection, "bench_lib_installed"):
        return
    load, save = collection.load, collection.save

    def load_facts(machine_name: str, _path: str | None = None) -> dict[str, Any]:
        # asv asks for the machine that it is about to file results under, and benchmarks inherit this.
        os.environ[MACHINE_VARIABLE] = machine_name
        own = facts(_detected())
        if machine_name == own["machine"]:
            return own
        found: dict[str, Any] = load(machine_name, _path=_path)
        return found

    def save_others(machine_name: str, machine_info: dict[str, Any], _path: str | None = None) -> None:
        # What is detected needs no file; `asv machine` still stores what a user types.
        if machine_name != tracked.machine_name(_detected()):
            save(machine_name, machine_info, _path=_path)

    collection.load = staticmethod(load_facts)
    collection.save = staticmethod(save_others)
    asv_machine.Machine.get_unique_machine_name = staticmethod(lambda: tracked.machine_name(_detected()))
    collection.bench_lib_installed = True
