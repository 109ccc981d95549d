"""FSDP2 runs as scaling series: which runs belong together, and the figures derived from them. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bench_lib.errors import UsageError
from bench_lib.model import Environment, Measurement, Origin, Run
from bench_lib.stats import Summary, ratio_interval, summarize

BENCHMARK: Final = "fsdp2.TrainStep"

#: Presets from the smallest model up; others follow by name.
PRESETS: Final = ("tiny", "small", "minillm")

#: A single rank whose steps take so many times their processor time waited for a core.
BUSY_RATIO: Final = 1.5

_MAX_RANKS: Final = 2**20
_MAX_COUNT: Final = 10**18

#: Settings that are stored with every run, skipped ones too; a difference makes another series.
_SETTINGS: Final = (
    "param_dtype",
    "reduce_dtype",
    "reshard_after_forward",
    "threads_per_rank",
    "num_nodes",
    "seed",
)

#: Facts known once a run has started, which must also agree before two step times are divided.
_WORK: Final = ("backend", "device", "batch_per_rank", "sequence_length", "num_parameters")


@dataclass(frozen=True)
class Ratio:
    """A ratio of medians with the interval that the medians' intervals allow."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Row:
    """One run at one rank count, with what is derived from it; ``None`` is unknown.

    ``efficiency`` is weak scaling: step time at 1 rank over step time here, at the same work a rank.
    ``baseline`` marks the run that the others are compared with.
    """

    num_ranks: int
    run: Run
    step_time: Summary | None = None
    tokens_per_s: Ratio | None = None
    efficiency: Ratio | None = None
    baseline: bool = False
    peak_allocated: float | None = None
    peak_reserved: float | None = None
    peak_rss: float | None = None
    last_loss: float | None = None


@dataclass(frozen=True)
class Series:
    """Runs that may stand in one table and on one line of a chart.

    They share hardware, preset, origin, benchmark version, commit, torch, Python, the settings of
    the launch, and the session. Anything that differs there may move a figure by itself, so it makes
    another series.
    """

    hardware: str
    preset: str
    origin: Origin
    version: str
    environment: Environment
    rows: tuple[Row, ...]

    @property
    def newest(self) -> str:
        """When the last of the runs started."""
        return max(row.run.environment.started for row in self.rows)

    @property
    def num_figures(self) -> int:
        """Rank counts that have a step time."""
        return sum(row.step_time is not None for row in self.rows)

    @property
    def busy(self) -> str:
        """What says that other work disturbed these runs; empty where nothing does.

        Only the single rank can tell: more ranks wait for each other, and are load themselves.
        """
        alone = next((row for row in self.rows if row.num_ranks == 1 and row.step_time), None)
        if alone is None or alone.step_time is None or self.detail("device") != "cpu":
            return ""
        e, signs = alone.run.environment, []
        if e.load_average is not None and e.num_cpus is not None and e.load_average > e.num_cpus:
            signs.append(f"the load average was {e.load_average:g} on {e.num_cpus} CPUs as it started")
        cpu = summary_of(alone.run.measurement("cpu_time", rank=0))
        if cpu is not None and 0 < cpu.median * BUSY_RATIO < alone.step_time.median:
            ratio = alone.step_time.median / cpu.median
            signs.append(f"a step took {ratio:.2g} times its processor time")
        return " and ".join(signs)

    def detail(self, name: str) -> str | int | float | bool | None:
        """A fact stored with the first run that has it."""
        return next((r.run.details[name] for r in self.rows if r.run.details.get(name) is not None), None)

    @property
    def crowded(self) -> tuple[int, ...]:
        """Rank counts at which CPU ranks have more threads than their host has CPUs for them."""
        num_cpus = self.environment.num_cpus
        if num_cpus is None or self.detail("device") != "cpu":
            return ()
        threads, nodes = self._count("threads_per_rank"), self._count("num_nodes")
        ranks = {row.num_ranks for row in self.rows}
        return tuple(sorted(n for n in ranks if math.ceil(n / nodes) * threads > num_cpus))

    def _count(self, name: str) -> int:
        value = self.detail(name)
        return (
            value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _MAX_COUNT else 1
        )


def unusable(run: Run) -> str:
    """Why ``run`` cannot stand in a scaling table; empty where it can."""
    num_ranks, preset = run.params.get("num_ranks"), run.params.get("preset")
    if isinstance(num_ranks, bool) or not isinstance(num_ranks, int) or not 1 <= num_ranks <= _MAX_RANKS:
        return f"num_ranks is {num_ranks!r}, not a whole number from 1 to {_MAX_RANKS}"
    if not isinstance(preset, str) or not preset:
        return f"preset is {preset!r}, not a name"
    step_time = run.measurement("step_time")
    if run.status == "ok" and (step_time is None or not _usable(step_time)):
        return "it is ok, but has no positive step times"
    return ""


def _usable(measurement: Measurement) -> bool:
    return bool(measurement.samples) and all(math.isfinite(s) and s > 0 for s in measurement.samples)


def summary_of(measurement: Measurement | None) -> Summary | None:
    """Summary of a measurement; ``None`` where there is none, or no usable sample."""
    if measurement is None:
        return None
    try:
        return summarize(measurement.samples)
    except UsageError:
        return None


def _largest(run: Run, metric: str) -> float | None:
    measurement = run.measurement(metric)
    values = [s for s in measurement.samples if math.isfinite(s)] if measurement else []
    return max(values, default=None)


def tokens_of(run: Run) -> float | None:
    """Tokens of all ranks in one step, as the run stored them."""
    tokens = run.details.get("tokens_per_step")
    if isinstance(tokens, bool) or not isinstance(tokens, int | float):
        return None
    # Compared, not converted: JSON has whole numbers that no float can hold.
    return float(tokens) if 0 < tokens < _MAX_COUNT else None


def _throughput(run: Run, step_time: Summary) -> Ratio | None:
    tokens = tokens_of(run)
    if tokens is None:
        return None
    low = tokens / step_time.high if math.isfinite(step_time.high) else 0.0
    high = tokens / step_time.low if step_time.low > 0 else math.inf
    return Ratio(tokens / step_time.median, low, high)


def same_work(run: Run, other: Run) -> bool:
    """Whether both runs gave each rank the same work in the same way."""
    return all(run.details.get(name) == other.details.get(name) for name in _WORK)


def _row(run: Run, baseline: Run | None) -> Row:
    num_ranks = int(run.params["num_ranks"])
    step_time = summary_of(run.measurement("step_time")) if run.status == "ok" else None
    if step_time is None:
        return Row(num_ranks, run)
    efficiency = None
    base = summary_of(baseline.measurement("step_time")) if baseline else None
    if baseline is not None and base is not None and same_work(run, baseline):
        efficiency = Ratio(1.0, 1.0, 1.0) if run is baseline else Ratio(*ratio_interval(base, step_time))
    loss = run.measurement("loss")
    last_loss = loss.samples[-1] if loss and loss.samples and math.isfinite(loss.samples[-1]) else None
    return Row(
        num_ranks,
        run,
        step_time=step_time,
        tokens_per_s=_throughput(run, step_time),
        efficiency=efficiency,
        baseline=run is baseline,
        peak_allocated=_largest(run, "peak_allocated"),
        peak_reserved=_largest(run, "peak_reserved"),
        peak_rss=_largest(run, "peak_rss"),
        last_loss=last_loss,
    )


def _series(runs: Sequence[Run]) -> Series:
    ordered = sorted(runs, key=lambda r: (int(r.params["num_ranks"]), r.environment.started))
    alone = [r for r in ordered if r.params["num_ranks"] == 1 and r.status == "ok"]
    baseline = alone[-1] if alone else None
    first = ordered[0]
    return Series(
        hardware=first.hardware,
        preset=str(first.params["preset"]),
        origin=first.origin,
        version=first.version,
        environment=first.environment,
        rows=tuple(_row(run, baseline) for run in ordered),
    )


def _identity(run: Run) -> tuple[str, ...]:
    e = run.environment
    software = (e.commit, e.dirty, e.torch, e.python, sorted(e.tuning.items()))
    settings = (run.details.get(name) for name in _SETTINGS)
    parts = (run.hardware, run.params["preset"], run.origin, run.version, run.session, *software, *settings)
    return tuple(repr(part) for part in parts)


def preset_order(preset: str) -> tuple[int, str]:
    """Sort key of a preset: known ones by size, the others by name."""
    return (PRESETS.index(preset) if preset in PRESETS else len(PRESETS), preset)


def group(runs: Iterable[Run]) -> list[Series]:
    """Scaling series of the FSDP2 runs among ``runs``.

    By hardware, then preset, then origin (measured first), then the newest commit, the most rank counts,
    and the newest run first. Runs that
    :func:`unusable` objects to are left out: the caller says so.
    """
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        if run.benchmark == BENCHMARK and not unusable(run):
            groups.setdefault(_identity(run), []).append(run)
    made = [_series(members) for _, members in sorted(groups.items())]
    made.sort(key=lambda s: (s.environment.commit_time or "", s.num_figures, s.newest), reverse=True)
    made.sort(key=lambda s: (s.hardware, preset_order(s.preset), s.origin != "measured", s.origin))
    return made
