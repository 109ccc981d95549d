"""Start ``torchrun`` in every node, and wait for all of them: a failure of one ends the rest."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from bench_lib.errors import UnavailableError
from bench_lib.files import write_whole
from bench_lib.fsdp2.nodes.namespaces import DEVICE, Cluster, LinkShape, Node, connected_nodes
from bench_lib.fsdp2.nodes.work import CONFIG, RESULT, NodesWork, order, phase_file

_PORT: Final = 29400
_POLL_S: Final = 0.1
_LAST: Final = 6


def torchrun(
    node: Node, *, index: int, nodes: Sequence[Node], ranks_per_node: int, arguments: Sequence[str]
) -> list[str]:
    """The command of one node; node 0 holds the meeting point."""
    return node.command(
        [
            sys.executable,
            "-P",
            "-m",
            "torch.distributed.run",
            f"--nnodes={len(nodes)}",
            f"--nproc-per-node={ranks_per_node}",
            f"--node-rank={index}",
            "--rdzv-backend=c10d",
            f"--rdzv-endpoint={nodes[0].address}:{_PORT}",
            "--rdzv-id=bench-lib-nodes",
            # A node cannot tell that the endpoint is itself: namespaces share the host's name.
            f"--rdzv-conf=is_host={1 if index == 0 else 0}",
            f"--local-addr={node.address}",
            "--max-restarts=0",
            "-m",
            *arguments,
        ]
    )


@contextlib.contextmanager
def _processes(commands: Sequence[list[str]], directory: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    environment = dict(os.environ)
    environment.update(OMP_NUM_THREADS="1", GLOO_SOCKET_IFNAME=DEVICE)
    started: list[subprocess.Popen[bytes]] = []
    try:
        for index, command in enumerate(commands):
            with (directory / f"node-{index}.log").open("wb") as log:
                started.append(
                    subprocess.Popen(
                        command,
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=subprocess.STDOUT,
                        env=environment,
                        start_new_session=True,
                    )
                )
        yield started
    finally:
        for process in started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait(processes: Sequence[subprocess.Popen[bytes]], *, tick: Callable[[], None], timeout_s: float) -> str:
    """Empty where all ended well, else what went wrong; calls ``tick`` meanwhile."""
    deadline = time.monotonic() + timeout_s
    while True:
        tick()
        codes = [p.poll() for p in processes]
        bad = next((i for i, code in enumerate(codes) if code), None)
        if bad is not None:
            return f"node {bad} ended with exit code {codes[bad]}"
        if all(code == 0 for code in codes):
            return ""
        if time.monotonic() > deadline:
            return f"the nodes did not finish within {timeout_s:g} s"
        time.sleep(_POLL_S)


@dataclass
class _Phases:
    """Shapes the links whenever rank 0 asks."""

    directory: Path
    cluster: Cluster
    links: Sequence[LinkShape]
    num_rounds: int
    report: Callable[[str], None]
    done: int = 0

    def tick(self) -> None:
        if self.done == self.num_rounds * len(self.links):
            return
        round_, place = divmod(self.done, len(self.links))
        shape = order(len(self.links), round_=round_)[place]
        if not phase_file(self.directory, round_=round_, shape=shape, done=False).exists():
            return
        self.cluster.shape(self.links[shape])
        write_whole(phase_file(self.directory, round_=round_, shape=shape, done=True), "")
        self.done += 1
        self.report(f"round {round_ + 1} of {self.num_rounds}, link {place + 1} of {len(self.links)}")


def run_on_nodes(
    work: NodesWork,
    *,
    links: Sequence[LinkShape],
    num_nodes: int,
    ranks_per_node: int,
    timeout_s: float,
    report: Callable[[str], None] = lambda line: None,
) -> tuple[dict[str, Any], Cluster]:
    """Run the work on every rank of new nodes; what rank 0 wrote, and the nodes as they were.

    Raises
    ------
    UnavailableError
        Nodes cannot be made here, or a rank failed; the last lines of its node are in the message.
    """
    with connected_nodes(num_nodes, can_delay=any(link.latency_s for link in links)) as cluster:
        directory = cluster.directory
        write_whole(directory / CONFIG, msgspec.json.encode(work))
        commands = [
            torchrun(
                node,
                index=index,
                nodes=cluster.nodes,
                ranks_per_node=ranks_per_node,
                arguments=["bench_lib.fsdp2.nodes.worker", str(directory)],
            )
            for index, node in enumerate(cluster.nodes)
        ]
        phases = _Phases(directory, cluster, links, work.num_rounds, report)
        report("starting ranks")
        with _processes(commands, directory) as processes:
            wrong = _wait(processes, tick=phases.tick, timeout_s=timeout_s)
        result = directory / RESULT
        if wrong or not result.is_file():
            raise UnavailableError("nodes-failed", f"{wrong or 'no result'}; {_evidence(directory)}")
        return msgspec.json.decode(result.read_bytes(), type=dict[str, Any]), cluster


def _evidence(directory: Path) -> str:
    """The last lines of the first node that says anything of an error."""
    logs = [p.read_text(encoding="utf-8", errors="replace") for p in sorted(directory.glob("node-*.log"))]
    told = next((text for text in logs if "Error" in text), logs[0] if logs else "")
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    return " | ".join(lines[-_LAST:]) or "nothing was logged"
