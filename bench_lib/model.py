"""Frozen records shared by all families. Values are in SI units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Status = Literal["ok", "skipped", "failed", "timed_out"]
Origin = Literal["measured", "simulated", "imported"]
HardwareKind = Literal["gpu", "cpu", "software"]

#: Version of the stored form of :class:`Run`. Every past version still loads: ``results.records``.
SCHEMA: Final = 1

#: Details that tell under which name, parameters (JSON) and machine asv files a run, where it is not as here.
ASV_BENCHMARK: Final = "asv_benchmark"
ASV_PARAMS: Final = "asv_params"
ASV_MACHINE: Final = "asv_machine"


def status_words(status: str) -> str:
    """A status for a reader."""
    return status.replace("_", " ")


@dataclass(frozen=True)
class Hardware:
    """A device model, not one machine: two hosts with the same part share a slug.

    Parameters
    ----------
    slug
        Stable identifier, lower case, such as ``nvidia-h100-sxm``.
    name
        The vendor's name.
    kind
        ``software`` marks a device emulated on a CPU (lavapipe); it is never ranked beside a GPU.
    aliases
        Names that drivers report for this part.
    peak_flop_per_s
        Peak rate by data type, dense (without structured sparsity), in FLOP/s.
    memory_bandwidth_bytes_per_s, memory_bytes
        As the data sheet gives them; ``None`` is unknown, never zero.
    link_bytes_per_s
        Bytes per second to other devices of the node, in one direction (NVLink: half of the sum that data
        sheets print).
    node_network_bytes_per_s
        A device's share of the network of the vendor's own eight-device node, in one direction.
    source, date
        Where the figures come from, and when they were entered (ISO date).
    """

    slug: str
    name: str
    kind: HardwareKind
    aliases: tuple[str, ...] = ()
    peak_flop_per_s: Mapping[str, float] = field(default_factory=dict)
    memory_bandwidth_bytes_per_s: float | None = None
    memory_bytes: float | None = None
    link_bytes_per_s: float | None = None
    node_network_bytes_per_s: float | None = None
    source: str = ""
    date: str = ""


@dataclass(frozen=True)
class Environment:
    """Software and state of the machine during a run. It never selects a series.

    ``commit`` is the project's commit, ``dirty`` whether its code differed from that, ``commit_time``
    when it was made (ISO). ``load_average`` is the machine's of the last minute, as the run started.
    No host name, user name or path belongs here: records are published.
    """

    commit: str | None
    dirty: bool | None
    python: str
    os: str
    started: str
    torch: str | None = None
    driver: str | None = None
    ncu: str | None = None
    clocks_locked: bool | None = None
    num_cpus: int | None = None
    load_average: float | None = None
    commit_time: str | None = None
    tuning: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measurement:
    """Samples of one metric.

    Parameters
    ----------
    metric
        A key of :data:`bench_lib.metrics.METRICS`.
    samples
        Values in the metric's SI unit, in the order they were taken; each is already per iteration.
    number
        Iterations that each sample averages over.
    warmup
        Iterations run before the first sample.
    clock
        Which clock or counter gave the values.
    discarded
        Samples taken and dropped, for a stated cause.
    rank
        The rank measured; ``None`` for the whole group.
    """

    metric: str
    samples: tuple[float, ...]
    number: int = 1
    warmup: int = 0
    clock: str = ""
    discarded: int = 0
    rank: int | None = None


@dataclass(frozen=True)
class Run:
    """One attempt at one benchmark with one set of parameters, whatever came of it.

    ``reason`` is empty only where ``status`` is ``ok``. ``failed_rank`` and ``traceback`` tell
    which rank was the first cause, where a group failed. ``details`` holds facts that are
    neither parameters nor measurements (backend, device, data type). ``session`` is the same for runs
    that were made one after another in one go; only those may be divided by each other.
    """

    benchmark: str
    version: str
    params: Mapping[str, str | int | float | bool]
    hardware: str
    environment: Environment
    status: Status
    reason: str = ""
    measurements: tuple[Measurement, ...] = ()
    origin: Origin = "measured"
    details: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
    failed_rank: int | None = None
    traceback: str = ""
    session: str = ""
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        if self.status != "ok" and not self.reason:
            raise ValueError(f"a run that is {self.status} needs a reason")

    def measurement(self, metric: str, *, rank: int | None = None) -> Measurement | None:
        """The measurement of ``metric`` on ``rank``, or of the group; ``None`` where there is none."""
        for m in self.measurements:
            if m.metric == metric and m.rank == rank:
                return m
        return None


@dataclass(frozen=True)
class Verdict:
    """A classification with the figures that decided it."""

    subject: str
    label: str
    reason_code: str
    message: str
    evidence: Mapping[str, float | str | None]
    rule_version: str
