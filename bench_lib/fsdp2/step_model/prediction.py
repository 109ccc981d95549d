"""A step's time, throughput and memory on hardware that is not at hand, with an interval. Simulated."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Final

from bench_lib.errors import UsageError
from bench_lib.fsdp2.step_model.collectives import NCCL_INTER_LATENCY_S, NCCL_INTRA_LATENCY_S, Nccl
from bench_lib.fsdp2.step_model.compute import CONSTANT_NAMES, Ceilings, ComputeModel, Constants
from bench_lib.fsdp2.step_model.constants import Calibration
from bench_lib.fsdp2.step_model.peak_memory import (
    MemoryOverhead,
    PeakMemory,
    Segments,
    peak_memory,
    segments,
)
from bench_lib.fsdp2.step_model.schedule import Timeline
from bench_lib.fsdp2.step_model.setup import TrainingSetup
from bench_lib.fsdp2.step_model.step import Machine, timeline
from bench_lib.fsdp2.step_model.topology import Link, Topology
from bench_lib.model import Hardware

LEVEL: Final = 0.9

#: Share of its rate that computation loses beside a collective. One figure for all devices: NCCL's kernels
#: hold some 16 to 32 of about 110 to 130 multiprocessors, and memory bandwidth.
CONTENTION: Final = 0.2

#: Standard deviation of the logarithm of the latencies, which no published row measures.
LATENCY_SD: Final = 0.5

#: Spread between two runs of one training, seen between published rows that differ in nothing but ranks or
#: date.
ANCHOR_SD: Final = 0.03

#: Fewer rows than this leave the constants near the prior.
FEW_ROWS: Final = 5

#: Links beyond these are slips, and their times would leave the range of numbers.
LEAST_BYTES_PER_S: Final = 1e3
MOST_BYTES_PER_S: Final = 1e15
MOST_LATENCY_S: Final = 60.0

#: The same of a measured rate.
LEAST_TOKENS_PER_S: Final = 1e-3
MOST_TOKENS_PER_S: Final = 1e9

_STEP: Final = 0.02


@dataclass(frozen=True)
class Network:
    """The links of a cluster as a rank has them, before the share of them that collectives reach."""

    ranks_per_node: int
    intra_bytes_per_s: float
    inter_bytes_per_s: float
    intra_latency_s: float = NCCL_INTRA_LATENCY_S
    inter_latency_s: float = NCCL_INTER_LATENCY_S

    def __post_init__(self) -> None:
        for flag, rate in (
            ("--intra-bandwidth", self.intra_bytes_per_s),
            ("--inter-bandwidth", self.inter_bytes_per_s),
        ):
            if not LEAST_BYTES_PER_S <= rate <= MOST_BYTES_PER_S:
                expected = f"from {LEAST_BYTES_PER_S:,.0f} B/s to {MOST_BYTES_PER_S:.0e} B/s"
                raise UsageError.of(flag, found=f"{rate:g} B/s", expected=expected)
        for flag, delay in (
            ("--intra-latency", self.intra_latency_s),
            ("--inter-latency", self.inter_latency_s),
        ):
            if not 0 <= delay <= MOST_LATENCY_S:
                raise UsageError.of(flag, found=f"{delay:g} s", expected=f"from 0 s to {MOST_LATENCY_S:g} s")

    def topology(self, num_ranks: int, *, efficiency: float) -> Topology:
        """Nodes and links for ``num_ranks``."""
        return Topology(
            num_ranks,
            self.ranks_per_node,
            Link(self.intra_bytes_per_s * efficiency, self.intra_latency_s),
            Link(self.inter_bytes_per_s * efficiency, self.inter_latency_s),
        )


@dataclass(frozen=True)
class Interval:
    """A value and where it lies with probability ``LEVEL``."""

    value: float
    low: float
    high: float

    def inverted(self, numerator: float) -> Interval:
        """``numerator`` over it."""
        return Interval(numerator / self.value, numerator / self.high, numerator / self.low)


@dataclass(frozen=True)
class Anchor:
    """A run of the same training that was measured on the target: predictions are scaled to meet it."""

    num_ranks: int
    tokens_per_s_per_rank: float

    def __post_init__(self) -> None:
        if not LEAST_TOKENS_PER_S <= self.tokens_per_s_per_rank <= MOST_TOKENS_PER_S:
            raise UsageError.of(
                "--anchor",
                found=f"{self.tokens_per_s_per_rank:g} tokens/s",
                expected=f"from {LEAST_TOKENS_PER_S:g} to {MOST_TOKENS_PER_S:.0e} tokens/s of one rank",
            )


@dataclass(frozen=True)
class Prediction:
    """What a step takes, by the model.

    ``origin`` is ``simulated`` and nothing else. ``notes`` say what the reader should doubt.
    """

    num_ranks: int
    step_time_s: Interval
    tokens_per_s_per_rank: Interval
    memory: PeakMemory
    peak_reserved_bytes: Interval
    timeline: Timeline
    notes: tuple[str, ...] = ()
    origin: str = "simulated"


def ceilings(hardware: Hardware, *, setup: TrainingSetup) -> Ceilings:
    """What the data sheet allows.

    Raises
    ------
    UsageError
        The device's file lacks a figure that the setup needs.
    """
    rate = "tf32" if setup.param_dtype == "float32" else "bfloat16"
    matmul = hardware.peak_flop_per_s.get(rate)
    float8 = hardware.peak_flop_per_s.get("float8")
    if matmul is None or hardware.memory_bandwidth_bytes_per_s is None:
        raise UsageError.of(
            "--hardware", found=hardware.slug, expected=f"a device whose {rate} peak and bandwidth are known"
        )
    if setup.is_float8 and float8 is None:
        raise UsageError.of("--float8", found=hardware.slug, expected="a device that computes in float8")
    return Ceilings(matmul, float8, hardware.memory_bandwidth_bytes_per_s)


def network_of(
    hardware: Hardware,
    *,
    ranks_per_node: int = 8,
    intra_bytes_per_s: float | None = None,
    inter_bytes_per_s: float | None = None,
    intra_latency_s: float | None = None,
    inter_latency_s: float | None = None,
) -> Network:
    """Links of ``hardware``: what the caller names, else the vendor's own node.

    Raises
    ------
    UsageError
        Neither says how fast a link is.
    """
    intra = hardware.link_bytes_per_s if intra_bytes_per_s is None else intra_bytes_per_s
    inter = hardware.node_network_bytes_per_s if inter_bytes_per_s is None else inter_bytes_per_s
    for flag, value in (("--intra-bandwidth", intra), ("--inter-bandwidth", inter)):
        if value is None:
            raise UsageError.of(
                flag, found="nothing", expected=f"bytes/s a rank: the file of {hardware.slug} has no figure"
            )
    assert intra is not None and inter is not None
    return Network(
        ranks_per_node,
        intra,
        inter,
        NCCL_INTRA_LATENCY_S if intra_latency_s is None else intra_latency_s,
        NCCL_INTER_LATENCY_S if inter_latency_s is None else inter_latency_s,
    )


def play(
    setup: TrainingSetup, *, num_ranks: int, peaks: Ceilings, network: Network, constants: Constants
) -> Timeline:
    """The step at given constants, without uncertainty."""
    topology = network.topology(num_ranks, efficiency=constants.network)
    compute = ComputeModel(peaks, constants)
    return timeline(setup, machine=Machine(compute, Nccl(), topology, contention=CONTENTION))


def log_gradient(
    setup: TrainingSetup, *, num_ranks: int, peaks: Ceilings, network: Network, constants: Constants
) -> list[float]:
    """Derivative of the logarithm of the step's time by that of each constant, by central differences."""

    def at(name: str, factor: float) -> float:
        moved = replace(constants, **{name: getattr(constants, name) * factor})
        return math.log(
            play(setup, num_ranks=num_ranks, peaks=peaks, network=network, constants=moved).step_time_s
        )

    up, down = math.exp(_STEP), math.exp(-_STEP)
    return [(at(name, up) - at(name, down)) / (2 * _STEP) for name in CONSTANT_NAMES]


def predict(
    setup: TrainingSetup,
    *,
    num_ranks: int,
    hardware: Hardware,
    network: Network,
    calibration: Calibration,
    overhead: MemoryOverhead,
    anchor: Anchor | None = None,
) -> Prediction:
    """Predict one step.

    The interval holds three causes: what rows that were left out of the fit missed by, the fit's own
    covariance carried
    through the model, and latencies that no row measures. It is symmetric in the logarithm. With an anchor
    only
    the difference between the two rank counts counts, and the noise of two measurements.

    Raises
    ------
    UsageError
        The ranks do not fill nodes, the replicas do not divide them, or the device lacks a figure.
    """
    peaks = ceilings(hardware, setup=setup)
    constants = calibration.constants

    def response(ranks: int) -> tuple[Timeline, list[float]]:
        """The step, and by how much its logarithm moves with each uncertain input."""
        given: dict[str, Any] = {"num_ranks": ranks, "peaks": peaks, "constants": constants}
        played = play(setup, network=network, **given)
        slower = replace(
            network,
            intra_latency_s=network.intra_latency_s * math.exp(LATENCY_SD),
            inter_latency_s=network.inter_latency_s * math.exp(LATENCY_SD),
        )
        late = play(setup, network=slower, **given)
        moved = log_gradient(setup, network=network, **given)
        return played, [*moved, math.log(late.step_time_s / played.step_time_s)]

    played, moved = response(num_ranks)
    value, own = played.step_time_s, calibration.residual_sd**2
    if anchor is not None:
        measured, at_anchor = response(anchor.num_ranks)
        value *= setup.tokens_per_step / anchor.tokens_per_s_per_rank / measured.step_time_s
        moved = [a - b for a, b in zip(moved, at_anchor, strict=True)]
        own = 2 * ANCHOR_SD**2
    variance = own + moved[-1] ** 2
    for i, row in enumerate(calibration.covariance):
        variance += sum(moved[i] * moved[j] * entry for j, entry in enumerate(row))
    width = math.exp(NormalDist().inv_cdf((1 + LEVEL) / 2) * math.sqrt(variance))
    step = Interval(value, value / width, value * width)
    topology = network.topology(num_ranks, efficiency=1.0)
    memory = peak_memory(setup, topology=topology)
    pools = segments(setup, topology=topology)
    return Prediction(
        num_ranks,
        step,
        step.inverted(setup.tokens_per_step),
        memory,
        reserved_bytes(pools, allocated=memory.allocated, overhead=overhead),
        played,
        _notes(num_ranks, setup=setup, calibration=calibration, anchor=anchor),
    )


def reserved_bytes(pools: Segments, *, allocated: float, overhead: MemoryOverhead) -> Interval:
    """What the allocator holds at its peak; nothing can be reserved below what is ``allocated``."""
    value = max(allocated, overhead.reserved(pools))
    spread = math.exp(NormalDist().inv_cdf((1 + LEVEL) / 2) * overhead.relative_sd)
    return Interval(value, max(allocated, value / spread), value * spread)


def _notes(
    num_ranks: int, *, setup: TrainingSetup, calibration: Calibration, anchor: Anchor | None
) -> tuple[str, ...]:
    notes = []
    if num_ranks > calibration.largest_ranks:
        notes.append(
            f"beyond {calibration.largest_ranks} ranks nothing was compared with the model on this device"
        )
    if calibration.num_rows < FEW_ROWS and anchor is None:
        notes.append(f"only {calibration.num_rows} published rows of this device were there to fit")
    if setup.param_dtype == "float32":
        notes.append("no float32 row was there to compare with")
    return tuple(notes)
