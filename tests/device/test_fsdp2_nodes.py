"""Nodes for real: ranks in namespaces, and nothing left behind however it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bench_lib.errors import UnavailableError
from bench_lib.fsdp2.nodes import namespaces

try:
    namespaces.require_namespaces()
except UnavailableError as error:
    pytest.skip(str(error), allow_module_level=True)

#: Patience with a machine that is busy with other things.
PATIENCE_S = 60.0


def names() -> set[str]:
    if not namespaces.DIRECTORY.is_dir():
        return set()
    return {p.name for p in namespaces.DIRECTORY.iterdir() if p.name.startswith(namespaces.PREFIX)}


def until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture
def before() -> set[str]:
    return names()


@pytest.mark.parametrize("can_delay", [False, True])
def test_nodes_reach_each_other_and_are_taken_down(before: set[str], can_delay: bool) -> None:
    send = "import socket; s = socket.create_connection(('10.213.0.2', 5001)); s.sendall(b'x' * 100_000)"
    receive = (
        "import socket; s = socket.create_server(('', 5001)); print('ready', flush=True); c, _ = s.accept()\n"
        "n = 0\nwhile part := c.recv(1 << 16): n += len(part)\nprint(n)"
    )
    with namespaces.connected_nodes(2, can_delay=can_delay) as cluster:
        cluster.shape(namespaces.LinkShape(125e6, 1e-3 if can_delay else 0.0))
        assert len(names() - before) == 3
        first, second = cluster.nodes
        receiver = subprocess.Popen(
            second.command([sys.executable, "-c", receive]), stdout=subprocess.PIPE, text=True
        )
        assert receiver.stdout is not None and receiver.stdout.readline() == "ready\n"
        subprocess.run(first.command([sys.executable, "-c", send]), check=True, timeout=PATIENCE_S)
        assert receiver.communicate(timeout=PATIENCE_S)[0] == "100000\n"
    assert names() <= before


def test_a_link_cannot_be_delayed_where_nothing_can(before: set[str]) -> None:
    with (
        pytest.raises(UnavailableError, match="delay"),
        namespaces.connected_nodes(2, can_delay=False) as cluster,
    ):
        cluster.shape(namespaces.LinkShape(None, 1e-3))
    assert names() <= before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_the_command_is_ended(
    before: set[str], number: signal.Signals, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "bench_lib.cli", "fsdp2", "nodes", "--latency", "1ms"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    try:
        mine = f"{namespaces.PREFIX}-{process.pid}-"
        assert until(lambda: any(n.startswith(mine) for n in names())), "no namespace was made"

        def inside() -> list[str]:
            found: list[str] = []
            for name in names():
                if name.startswith(mine):
                    listed = subprocess.run(
                        ["ip", "netns", "pids", name], capture_output=True, text=True, check=False
                    )
                    found += listed.stdout.split()
            return found

        # The relay, and torchrun in each of two nodes.
        assert until(lambda: len(inside()) >= 3), "torchrun did not start"
        held = inside()
        os.kill(process.pid, number)
        process.wait(timeout=PATIENCE_S)
        assert until(lambda: not any(n.startswith(mine) for n in names())), names()
        assert until(lambda: not any(_alive(int(pid)) for pid in held)), held
        assert until(lambda: not list(tmp_path.iterdir())), list(tmp_path.iterdir())
    finally:
        process.kill()
        process.wait()
    assert names() <= before


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_what_a_killed_maker_left_is_named_and_removed(before: set[str]) -> None:
    name = f"{namespaces.PREFIX}-4194303-1-node0"
    subprocess.run(["ip", "netns", "add", name], check=True)
    try:
        assert name in namespaces.stale()
        done = subprocess.run(
            [sys.executable, "-m", "bench_lib.cli", "fsdp2", "nodes", "--remove-stale"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert name in done.stderr
        assert name not in names()
    finally:
        subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


def test_a_step_on_two_nodes_is_measured_and_predicted(before: set[str]) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'bench-lib[fsdp2]'")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "bench_lib.cli", "fsdp2", "nodes", "--latency", "50ms"),
            *("--rounds", "1", "--steps", "2", "--json"),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=10 * PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    plain, delayed = document["links"]
    assert (plain["latency_s"], delayed["latency_s"]) == (0.0, 0.05)
    # Nine gathers and ten passes of reductions wait 50 ms at least once each: below that, nothing was
    # delayed.
    assert delayed["median_step_time_s"] > 19 * 0.05
    assert delayed["all_gather"]["alpha_s"] > 0.05
    assert delayed["predicted"]["origin"] == "simulated"
    assert delayed["predicted"]["step_time_from_shape_s"] > 19 * 0.05
    assert names() <= before
