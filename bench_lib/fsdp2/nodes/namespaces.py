"""Namespaces that stand for nodes: made, joined by shaped links, and always taken down.

Names hold the process that made them, so that two measurements never share one and a namespace whose maker
is gone is
recognised. A guardian process takes them down when the maker ends without doing so, SIGKILL included.
Linux, iproute2 and root are needed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import psutil

from bench_lib.errors import UnavailableError, UsageError

PREFIX: Final = "bench-lib"
#: Where iproute2 keeps named namespaces.
DIRECTORY: Final = Path("/run/netns")
_NAME: Final = re.compile(rf"{PREFIX}-([0-9]+)-([0-9]+)-(?:node[0-9]+|switch)")

#: Device inside a node, whatever carries it.
DEVICE: Final = "bench0"
MAX_NODES: Final = 16

#: One packet carries up to 64 KiB, so that a relay in Python handles few of them.
RELAY_MTU: Final = 65000


@dataclass(frozen=True)
class LinkShape:
    """What every node's link is limited to, in each direction; ``None`` and 0 leave it as fast as it is."""

    bandwidth_bytes_per_s: float | None = None
    latency_s: float = 0.0

    def __post_init__(self) -> None:
        if self.bandwidth_bytes_per_s is not None and not 1e4 <= self.bandwidth_bytes_per_s <= 1e12:
            raise UsageError.of(
                "--bandwidth", found=self.bandwidth_bytes_per_s, expected="from 100kbit/s to 8 Tbit/s"
            )
        if not 0 <= self.latency_s <= 10:
            raise UsageError.of("--latency", found=self.latency_s, expected="from 0s to 10s")


@dataclass(frozen=True)
class Node:
    """A namespace and its address."""

    namespace: str
    address: str

    def command(self, argv: Sequence[str]) -> list[str]:
        """``argv``, run inside."""
        return ["ip", "netns", "exec", self.namespace, *argv]


def require_namespaces() -> None:
    """Refuse where namespaces cannot be made.

    Raises
    ------
    UnavailableError
        With code ``no-namespaces``: not Linux, not root, or no iproute2.
    """
    missing = ""
    if sys.platform != "linux":
        missing = f"they are Linux's, and this is {sys.platform}"
    elif shutil.which("ip") is None or shutil.which("tc") is None:
        missing = "ip and tc are not installed"
    elif os.geteuid() != 0:
        missing = "they need root"
    if missing:
        raise UnavailableError(
            "no-namespaces",
            f"nodes are network namespaces: {missing}.",
            remedy="On Debian, as root: apt-get install iproute2; then run as root.",
        )


def _run(argv: Sequence[str]) -> str:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnavailableError(
            "namespace-failed", f"`{' '.join(argv)}`: {done.stderr.strip() or 'no message'}."
        )
    return done.stdout


def _started(pid: int) -> int | None:
    try:
        return int(psutil.Process(pid).create_time() * 100)
    except psutil.Error:
        return None


def stale() -> list[str]:
    """Namespaces of this project whose maker is gone: a process id alone may have been given out again."""
    if not DIRECTORY.is_dir():
        return []
    found = []
    for path in sorted(DIRECTORY.iterdir()):
        match = _NAME.fullmatch(path.name)
        if match and _started(int(match[1])) != int(match[2]):
            found.append(path.name)
    return found


def remove(names: Sequence[str]) -> None:
    """End what runs inside, then delete; names that are gone are no error."""
    for name in names:
        if not _NAME.fullmatch(name):
            raise UsageError.of("namespace", found=name, expected="one that this project made")
        inside = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True, check=False)
        for pid in inside.stdout.split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), 9)
    for name in names:
        subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


def has_netem(namespace: str) -> bool:
    """Whether the kernel can delay packets itself."""
    test = [
        "ip",
        "netns",
        "exec",
        namespace,
        "tc",
        "qdisc",
        "add",
        "dev",
        "lo",
        "root",
        "netem",
        "delay",
        "1ms",
    ]
    works = subprocess.run(test, capture_output=True, check=False).returncode == 0
    if works:
        _run(["ip", "netns", "exec", namespace, "tc", "qdisc", "del", "dev", "lo", "root"])
    return works


@contextlib.contextmanager
def _guardian(names: Sequence[str], *, directory: Path) -> Iterator[None]:
    """A process that removes both when its standard input closes, however this process ends."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "bench_lib.fsdp2.nodes.guardian", str(directory), *names],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait()


@dataclass(frozen=True)
class Cluster:
    """Nodes that reach each other, and a way to shape their links while they run.

    Parameters
    ----------
    directory
        A folder that goes when the nodes go.
    delays
        What can delay packets: ``none``, ``netem`` or ``relay``.
    relay
        The process that passes packets on, where that is ``relay``.
    """

    nodes: tuple[Node, ...]
    directory: Path
    delays: Literal["none", "netem", "relay"]
    relay: subprocess.Popen[str] | None = None

    def shape(self, link: LinkShape) -> None:
        """Limit what each node sends to the bandwidth, and let each packet take the latency, one way.

        Raises
        ------
        UnavailableError
            The kernel refuses, or the nodes were made without a way to delay packets.
        """
        if link.latency_s and self.delays == "none":
            raise UnavailableError("no-delay", "these nodes were made without a way to delay packets.")
        for node in self.nodes:
            _shape(node, link=link, uses_netem=self.delays == "netem")
        if self.relay is not None and self.relay.stdin is not None:
            self.relay.stdin.write(f"{link.latency_s!r}\n")
            self.relay.stdin.flush()


@contextlib.contextmanager
def connected_nodes(num_nodes: int, *, can_delay: bool) -> Iterator[Cluster]:
    """Namespaces that reach each other, taken down on the way out.

    Where packets must be delayed and the kernel cannot, a process passes every packet on, undelayed ones
    too: so
    that shapes differ in nothing but their bandwidth and latency.

    Raises
    ------
    UnavailableError
        They cannot be made here.
    """
    if not 1 <= num_nodes <= MAX_NODES:
        raise UsageError.of("--nodes", found=num_nodes, expected=f"from 1 to {MAX_NODES}")
    require_namespaces()
    maker = f"{PREFIX}-{os.getpid()}-{_started(os.getpid())}"
    nodes = tuple(Node(f"{maker}-node{i}", f"10.213.0.{i + 1}") for i in range(num_nodes))
    switch = f"{maker}-switch"
    names = [*(n.namespace for n in nodes), switch]
    with contextlib.ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-lib-")))
        stack.enter_context(_guardian(names, directory=directory))
        for name in names:
            _run(["ip", "netns", "add", name])
            _run(["ip", "-n", name, "link", "set", "lo", "up"])
        if can_delay and not has_netem(switch):
            relay = stack.enter_context(_relay(nodes))
            cluster = Cluster(nodes, directory, "relay", relay)
        else:
            _bridge(nodes, switch=switch)
            cluster = Cluster(nodes, directory, "netem" if can_delay else "none")
        for node in nodes:
            _address(node, mtu=RELAY_MTU if cluster.delays == "relay" else 1500)
            _keep_window(node)
        yield cluster


def _bridge(nodes: Sequence[Node], *, switch: str) -> None:
    """A pair of virtual Ethernet devices a node, whose other ends a bridge joins."""
    _run(["ip", "-n", switch, "link", "add", "bridge0", "type", "bridge"])
    _run(["ip", "-n", switch, "link", "set", "bridge0", "up"])
    for index, node in enumerate(nodes):
        port = f"port{index}"
        _run(
            [
                *("ip", "-n", switch, "link", "add", port, "type", "veth"),
                *("peer", "name", DEVICE, "netns", node.namespace),
            ]
        )
        _run(["ip", "-n", switch, "link", "set", port, "master", "bridge0", "up"])


def _address(node: Node, *, mtu: int) -> None:
    _run(["ip", "-n", node.namespace, "addr", "add", f"{node.address}/24", "dev", DEVICE])
    _run(["ip", "-n", node.namespace, "link", "set", DEVICE, "mtu", str(mtu), "up"])


def _keep_window(node: Node) -> None:
    """Let a connection keep its window between bursts: a step's collectives come after computation."""
    setting = "/proc/sys/net/ipv4/tcp_slow_start_after_idle"
    _run(node.command(["sh", "-c", f"echo 0 > {setting}"]))


def _shape(node: Node, *, link: LinkShape, uses_netem: bool) -> None:
    """Limit what the node sends. The bucket holds 1 ms of the rate, at least two of the largest packets."""
    device = ["dev", DEVICE]
    subprocess.run(
        ["tc", "-n", node.namespace, "qdisc", "del", *device, "root"], capture_output=True, check=False
    )
    inside = ["tc", "-n", node.namespace, "qdisc", "add", *device]
    parent = ["root", "handle", "1:"]
    if link.bandwidth_bytes_per_s is not None:
        rate = link.bandwidth_bytes_per_s
        burst = int(max(rate * 1e-3, 2 * (RELAY_MTU + 100)))
        limits = ["rate", f"{int(rate * 8)}bit", "burst", str(burst), "latency", "400ms"]
        _run([*inside, *parent, "tbf", *limits])
        parent = ["parent", "1:1", "handle", "10:"]
    if uses_netem and link.latency_s:
        _run([*inside, *parent, "netem", "delay", f"{link.latency_s * 1e6:.0f}us", "limit", "100000"])


@contextlib.contextmanager
def _relay(nodes: Sequence[Node]) -> Iterator[subprocess.Popen[str]]:
    """Start the relay process, and wait until it has made its devices."""
    pairs = [f"{node.namespace}={node.address}" for node in nodes]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "bench_lib.fsdp2.nodes.relay", *pairs],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None and process.stderr is not None
        if process.stdout.readline().strip() != "ready":
            raise UnavailableError(
                "no-relay",
                f"packets cannot be delayed: {process.stderr.read().strip() or 'the relay ended'}.",
                remedy="A kernel with sch_netem or TUN devices can.",
            )
        yield process
    finally:
        # It ends when its input closes.
        process.communicate()
