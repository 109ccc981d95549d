"""The profiled step of every rank: its shape, its figures, and the file that keeps it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
from slugify import slugify

from bench_lib.errors import DamagedFileError
from bench_lib.files import write_whole
from bench_lib.fsdp2.charts import Lane
from bench_lib.fsdp2.trace import Collective, Interval, StepTrace, bus_bytes, merged, without
from bench_lib.results.records import DIRECTORY
from bench_lib.stats import summarize

#: Not ``.json``: asv reads every such file below its results as one of its own.
SUFFIX: Final = ".fsdp2-profile"
_EXPECTED: Final = "a profile that bench-lib fsdp2 communication wrote"
#: More than any step here has; a file with more is damaged, or would make a chart that nobody can read.
MAX_MARKS: Final = 200_000


@dataclass(frozen=True)
class Profile:
    """One step of a group of ranks under the profiler, which itself slows it by some percent."""

    preset: str
    variant: str
    num_ranks: int
    hardware: str
    backend: str
    started: str
    ranks: tuple[StepTrace, ...]
    schema: int = 1


@dataclass(frozen=True)
class Total:
    """Collectives of one kind in one step, over ranks: medians of the ranks' sums.

    ``bus_bytes_per_s`` is of the median rank as well: its bus bytes over its time.
    """

    kind: str
    number: int
    num_bytes: int
    duration_s: float
    exposed_s: float
    bus_bytes_per_s: float

    @property
    def exposed_share(self) -> float:
        return self.exposed_s / self.duration_s


def totals(profile: Profile) -> list[Total]:
    """Figures by kind of collective; ranks wait for each other, so a median of ranks stands for them."""
    made = []
    for kind in sorted({c.kind for rank in profile.ranks for c in rank.collectives}):
        of_ranks = [[c for c in rank.collectives if c.kind == kind] for rank in profile.ranks]
        of_ranks = [found for found in of_ranks if found]

        def middle(values: Sequence[float]) -> float:
            return summarize(values).median

        made.append(
            Total(
                kind=kind,
                number=round(middle([float(len(found)) for found in of_ranks])),
                num_bytes=round(middle([float(sum(c.num_bytes for c in found)) for found in of_ranks])),
                duration_s=middle([sum(c.duration_s for c in found) for found in of_ranks]),
                exposed_s=middle([sum(c.exposed_s for c in found) for found in of_ranks]),
                bus_bytes_per_s=middle([_bus_rate(found) for found in of_ranks]),
            )
        )
    return made


def _bus_rate(found: Sequence[Collective]) -> float:
    carried = sum(bus_bytes(c.kind, c.num_bytes, c.group_size) for c in found)
    return carried / sum(c.duration_s for c in found)


def exposed_share_of_step(rank: StepTrace) -> float:
    """Share of a step in which a collective runs and nothing is computed."""
    running = merged((c.start_s, c.start_s + c.duration_s) for c in rank.collectives)
    return sum(b - a for a, b in without(running, rank.compute)) / rank.duration_s


def lanes(rank: StepTrace) -> list[Lane]:
    """A timeline: computation between the two directions of communication."""
    made = []
    for title, kinds in (
        ("all-gather", ("all-gather",)),
        ("compute", ()),
        ("reduce-scatter", ("reduce-scatter",)),
        ("all-reduce", ("all-reduce",)),
    ):
        if not kinds:
            made.append(Lane(title, tuple((a, b, "compute") for a, b in rank.compute)))
            continue
        spans = merged((c.start_s, c.start_s + c.duration_s) for c in rank.collectives if c.kind in kinds)
        exposed = without(spans, rank.compute)
        hidden = without(spans, exposed)
        marks = [(a, b, "exposed") for a, b in exposed] + [(a, b, "overlapped") for a, b in hidden]
        if marks:
            made.append(Lane(title, tuple(sorted(marks))))
    return made


def path_of(profile: Profile, results_dir: Path) -> Path:
    """Where ``profile`` is stored; one a preset, variant, rank count and hardware, the newest."""
    identity = json.dumps([profile.preset, profile.variant, profile.num_ranks, profile.hardware])
    digest = hashlib.sha256(identity.encode()).hexdigest()[:16]
    folder = slugify(profile.hardware)[:100] or "unknown"
    return results_dir / DIRECTORY / folder / f"fsdp2-step-{digest}{SUFFIX}"


def iter_paths(results_dir: Path) -> Iterator[Path]:
    """All profiles below ``results_dir``, in a stable order."""
    yield from sorted((results_dir / DIRECTORY).glob(f"*/*{SUFFIX}"))


def write(profile: Profile, path: Path) -> None:
    """Store ``profile``."""
    write_whole(path, msgspec.json.encode(profile))


def read(path: Path) -> Profile:
    """Read what :func:`write` stored.

    Raises
    ------
    DamagedFileError
        It is something else, or its figures cannot be.
    """
    try:
        profile = msgspec.json.decode(path.read_bytes(), type=Profile)
    except (OSError, ValueError) as error:
        raise DamagedFileError(path, found=str(error), expected=_EXPECTED) from error
    problem = _problem(profile)
    if problem:
        raise DamagedFileError(path, found=problem, expected=_EXPECTED)
    return profile


def _problem(profile: Profile) -> str:
    if profile.schema != 1 or not profile.ranks:
        return f"schema {profile.schema} with {len(profile.ranks)} ranks"
    if sum(len(r.compute) + len(r.collectives) for r in profile.ranks) > MAX_MARKS:
        return f"more than {MAX_MARKS} intervals"
    for rank in profile.ranks:
        times = [rank.duration_s, *(c.duration_s for c in rank.collectives)]
        if not all(0 < t < 1e6 for t in times):
            return "a duration that is no time of a step"
        spans: list[Interval] = [*rank.compute, *((c.start_s, c.exposed_s) for c in rank.collectives)]
        if not all(abs(a) < 1e6 and abs(b) < 1e6 for a, b in spans):
            return "an interval outside of a step"
        if not all(c.num_bytes >= 0 and c.group_size >= 1 for c in rank.collectives):
            return "a collective of no ranks or a negative size"
    return ""
