"""The step on nodes of this machine under links of several shapes, beside what the model says of it.

The model is the one of :mod:`bench_lib.fsdp2.step_model`, without overlap: gloo on a CPU has none. Its
computation is what
the reference link leaves of the measured step; its collectives come in two ways. *Sweep*: a line (seconds and
seconds a byte) through all-gathers and reduce-scatters that were timed on the same link. *Shape*: the
reference link's lines,
and nothing else of the link than the bandwidth and latency that it was given.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bench_lib.errors import UsageError
from bench_lib.fsdp2.nodes.launch import run_on_nodes
from bench_lib.fsdp2.nodes.namespaces import LinkShape
from bench_lib.fsdp2.nodes.work import NodesWork
from bench_lib.fsdp2.step_model.collectives import GLOO_LATENCIES_A_HOP
from bench_lib.fsdp2.step_model.schedule import Unit, simulate

#: Passes of gloo's ring: its reduce-scatter is an all-reduce.
#: **Source**: see :class:`bench_lib.fsdp2.step_model.collectives.Gloo`.
GATHER_PASSES, REDUCE_PASSES = 1, 2

MAX_LINKS = 12


@dataclass(frozen=True)
class Line:
    """Time of a collective of a tensor's whole size; ``spread`` is what the line missed by, relative."""

    seconds: float
    seconds_per_byte: float
    spread: float

    def at(self, num_bytes: float) -> float:
        """Seconds for ``num_bytes``."""
        return self.seconds + self.seconds_per_byte * num_bytes

    def on_link(self, link: LinkShape, *, num_ranks: int, passes: int) -> Line:
        """The same collective on a link of that shape: each hop waits, and the slower rate counts.

        What the reference takes for a byte is software, which goes on while earlier bytes are on the wire.
        How far
        TCP's window lags behind a long link is not in it.
        """
        hops = passes * (num_ranks - 1)
        rate = link.bandwidth_bytes_per_s
        wire = 0.0 if rate is None else hops / num_ranks / rate
        waits = hops * GLOO_LATENCIES_A_HOP * link.latency_s
        return Line(self.seconds + waits, max(self.seconds_per_byte, wire), self.spread)


def fit_line(sizes_and_times: Sequence[Sequence[float]]) -> Line:
    """Least relative squares through the median of each size; neither part is below zero."""
    import numpy as np

    sizes = np.array([row[0] for row in sizes_and_times])
    times = np.array([statistics.median(row[1:]) for row in sizes_and_times])
    design = np.column_stack([np.ones_like(sizes), sizes]) / times[:, None]
    (seconds, per_byte), *_ = np.linalg.lstsq(design, np.ones_like(times), rcond=None)
    # The best line with one part left out, where the free one would make it negative.
    if seconds < 0:
        seconds, per_byte = 0.0, np.sum(sizes / times) / np.sum((sizes / times) ** 2)
    elif per_byte < 0:
        seconds, per_byte = np.sum(1 / times) / np.sum(1 / times**2), 0.0
    missed = (seconds + per_byte * sizes) / times - 1
    return Line(float(seconds), float(per_byte), float(np.sqrt(np.mean(missed**2))))


@dataclass(frozen=True)
class LinkResult:
    """One shape: what was measured, and what the model said. Times in seconds; predictions are simulated.

    Parameters
    ----------
    rounds
        Steps of each round.
    from_sweep, from_shape
        A prediction a round: its computation is what the reference left in that round.
    """

    link: LinkShape
    rounds: tuple[tuple[float, ...], ...]
    gather: Line
    reduce: Line
    sweep: dict[str, list[list[float]]]
    from_sweep: tuple[float, ...]
    from_shape: tuple[float, ...]

    @property
    def step_times(self) -> tuple[float, ...]:
        """Every step."""
        return tuple(step for steps in self.rounds for step in steps)

    @property
    def measured(self) -> float:
        """Median of the steps."""
        return statistics.median(self.step_times)

    @property
    def predicted_from_sweep(self) -> float:
        """Median over the rounds."""
        return statistics.median(self.from_sweep)

    @property
    def predicted_from_shape(self) -> float:
        """Median over the rounds."""
        return statistics.median(self.from_shape)

    def error(self, predictions: Sequence[float]) -> float:
        """Predicted over measured, minus 1: the median over rounds, each compared with itself."""
        pairs = zip(predictions, self.rounds, strict=True)
        return statistics.median(made / statistics.median(steps) - 1 for made, steps in pairs)


@dataclass(frozen=True)
class Study:
    """All shapes, the reference first. ``compute_s`` is what the reference link leaves of its step."""

    links: tuple[LinkResult, ...]
    compute_s: float
    num_nodes: int
    ranks_per_node: int
    delays: str
    facts: dict[str, Any]


def communication_s(groups: Sequence[int], *, gather: Line, reduce: Line, compute: float = 0.0) -> float:
    """A step without overlap; ``groups`` are the parameters of each block, then of the root, in float32."""

    def unit(parameters: int, forward: float) -> Unit:
        size = 4 * parameters
        times = {"all_gather": gather.at(size), "reduce_scatter": reduce.at(size)}
        return Unit(forward, 0.0, 0.0, times["all_gather"], times["reduce_scatter"], 0.0, 0.0, 0.0, 0.0)

    *blocks, root = groups
    made = simulate(
        [unit(size, 0.0) for size in blocks], root=unit(root, compute), optimizer=0.0, overlaps=False
    )
    return made.step_time_s


def evaluate(
    raw: dict[str, Any], *, links: Sequence[LinkShape], num_nodes: int, ranks_per_node: int, delays: str
) -> Study:
    """Lines, computation and predictions from what rank 0 wrote. Pure."""
    groups = [int(g) for g in raw["facts"]["group_parameters"]]
    ranks = num_nodes * ranks_per_node
    steps: list[list[tuple[float, ...]]] = [[] for _ in links]
    sweeps: list[dict[str, list[list[float]]]] = [{} for _ in links]
    for phase in sorted(raw["phases"], key=lambda p: int(p["round"])):
        shape = int(phase["shape"])
        steps[shape].append(tuple(phase["step_time_s"]))
        for name in ("all_gather", "reduce_scatter"):
            known = sweeps[shape].setdefault(name, [])
            for index, row in enumerate(phase[name]):
                if index < len(known):
                    known[index] += row[1:]
                else:
                    known.append(list(row))
    gathers = [fit_line(s["all_gather"]) for s in sweeps]
    reduces = [fit_line(s["reduce_scatter"]) for s in sweeps]
    sent = communication_s(groups, gather=gathers[0], reduce=reduces[0])
    compute = [max(0.0, statistics.median(of_round) - sent) for of_round in steps[0]]
    found = []
    for index, link in enumerate(links):
        from_sweep = communication_s(groups, gather=gathers[index], reduce=reduces[index])
        from_shape = communication_s(
            groups,
            gather=gathers[0].on_link(link, num_ranks=ranks, passes=GATHER_PASSES),
            reduce=reduces[0].on_link(link, num_ranks=ranks, passes=REDUCE_PASSES),
        )
        found.append(
            LinkResult(
                link,
                tuple(steps[index]),
                gathers[index],
                reduces[index],
                sweeps[index],
                tuple(c + from_sweep for c in compute),
                tuple(c + from_shape for c in compute),
            )
        )
    return Study(tuple(found), statistics.median(compute), num_nodes, ranks_per_node, delays, raw["facts"])


def study(
    preset: str,
    *,
    links: Sequence[LinkShape],
    num_nodes: int = 2,
    ranks_per_node: int = 1,
    num_rounds: int = 6,
    steps_per_round: int = 3,
    timeout_s: float = 600.0,
    report: Callable[[str], None] = lambda line: None,
) -> Study:
    """Measure and predict.

    Parameters
    ----------
    links
        Shapes to compare; the first is the reference that computation is taken from.

    Raises
    ------
    UnavailableError
        Nodes cannot be made here, or a rank failed.
    UsageError
        A number is out of range.
    """
    for flag, value, most in (
        ("--ranks-per-node", ranks_per_node, 16),
        ("--rounds", num_rounds, 100),
        ("--steps", steps_per_round, 1000),
        ("links", len(links), MAX_LINKS),
    ):
        if not 1 <= value <= most:
            raise UsageError.of(flag, found=value, expected=f"from 1 to {most}")
    if num_nodes * ranks_per_node < 2:
        raise UsageError.of("--nodes", found=num_nodes, expected="two ranks together, or there is no link")
    work = NodesWork(
        preset=preset,
        num_shapes=len(links),
        num_rounds=num_rounds,
        sweep_samples=3,
        steps_per_round=steps_per_round,
        num_warmup=10,
        seed=0,
        timeout_s=timeout_s,
    )
    raw, cluster = run_on_nodes(
        work,
        links=links,
        num_nodes=num_nodes,
        ranks_per_node=ranks_per_node,
        timeout_s=timeout_s,
        report=report,
    )
    return evaluate(
        raw, links=links, num_nodes=num_nodes, ranks_per_node=ranks_per_node, delays=cluster.delays
    )
