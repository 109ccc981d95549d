"""How far the model is off on rows that its constants were not fitted on.

Folds
-----
row
    All other rows of the device type were fitted.
source
    All rows of other documents were fitted; a device that only one document reports is left with the prior.
small
    Rows up to 64 ranks were fitted, and those from 128 up are judged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bench_lib.fsdp2.step_model.calibration import (
    Observation,
    calibrate,
    fit_constants,
    fit_overhead,
    fit_without_each,
    residual_sd,
)
from bench_lib.fsdp2.step_model.compute import Constants
from bench_lib.fsdp2.step_model.constants import Calibration, CalibrationFile
from bench_lib.fsdp2.step_model.peak_memory import Segments, peak_memory, segments
from bench_lib.fsdp2.step_model.prediction import predict
from bench_lib.fsdp2.step_model.published import PublishedRow

SMALL_RANKS: Final = 64
LARGE_RANKS: Final = 128


@dataclass(frozen=True)
class JudgedRow:
    """A published row and what the model said of it; errors are predicted over published, minus 1.

    ``None`` where the fold does not judge the row. ``low`` and ``high`` bound the prediction of the ``row``
    fold.
    """

    source: str
    stack: str
    model: str
    hardware: str
    num_ranks: str
    sequence_length: int
    description: str
    tokens_per_s_per_rank: float
    left_out: str = ""
    predicted: float | None = None
    low: float | None = None
    high: float | None = None
    error_row: float | None = None
    error_source: float | None = None
    error_small: float | None = None
    error_anchored: float | None = None
    error_perfect: float | None = None
    reserved_bytes: float | None = None
    allocated_predicted: float | None = None
    error_reserved: float | None = None


@dataclass(frozen=True)
class Score:
    """Mean and largest absolute error of the rows that a goal is about."""

    name: str
    num_rows: int
    mean: float
    largest: float
    goal: float | None = None


@dataclass(frozen=True)
class Report:
    """Everything that the page shows: derived figures. The files behind them are not part of this project."""

    rows: tuple[JudgedRow, ...]
    scores: tuple[Score, ...]
    coverage: float
    calibration_rows: dict[str, int]


Errors = dict[int, float]


def _indexed(rows: Sequence[PublishedRow]) -> dict[str, list[tuple[int, Observation, str]]]:
    """(place in ``rows``, observation, source) of every row that counts, by device."""
    by_device: dict[str, list[tuple[int, Observation, str]]] = {}
    for index, row in enumerate(rows):
        if row.observation is not None and not row.left_out:
            by_device.setdefault(row.hardware, []).append((index, row.observation, row.source))
    return by_device


def _relative(log_error: float) -> float:
    return math.exp(log_error) - 1


def judge_by_row(
    rows: Sequence[PublishedRow], *, report: Callable[[str], None]
) -> tuple[Errors, dict[str, Calibration], dict[int, Constants]]:
    """Leave one row out; also the calibration of each device on all of its rows."""
    errors: Errors = {}
    calibrations: dict[str, Calibration] = {}
    fitted: dict[int, Constants] = {}
    for device, members in _indexed(rows).items():
        report(f"{device}: {len(members)} rows, each left out once")
        observations = [o for _, o, _ in members]
        start, _ = fit_constants(observations, hardware=device)
        without = fit_without_each(observations, hardware=device, start=start)
        for (index, observation, _), left in zip(members, without, strict=True):
            fitted[index] = left
            errors[index] = observation.log_error(left)
        calibrations[device] = calibrate(
            observations, hardware=device, errors=[errors[i] for i, _, _ in members]
        )
    return errors, calibrations, fitted


def judge_by_source(rows: Sequence[PublishedRow]) -> Errors:
    """Leave all rows of one document out."""
    errors: Errors = {}
    for device, members in _indexed(rows).items():
        for source in sorted({s for _, _, s in members}):
            constants, _ = fit_constants([o for _, o, s in members if s != source], hardware=device)
            errors.update({i: o.log_error(constants) for i, o, s in members if s == source})
    return errors


def judge_small_to_large(rows: Sequence[PublishedRow]) -> tuple[Errors, Errors, Errors]:
    """Fit up to 64 ranks, judge from 128 up: (model, anchored model, perfect scaling).

    The last two are given the published figure of the same training on the fewest ranks, where there is one:
    perfect
    scaling repeats it, the anchored model multiplies it by the predicted ratio.
    """
    errors: Errors = {}
    anchored: Errors = {}
    perfect: Errors = {}
    for device, members in _indexed(rows).items():
        small = [o for _, o, _ in members if o.num_ranks <= SMALL_RANKS]
        constants, _ = fit_constants(small, hardware=device)
        for index, row, _ in members:
            if row.num_ranks < LARGE_RANKS:
                continue
            errors[index] = row.log_error(constants)
            alike = [o for o in small if _same_training(o, row)]
            if alike:
                anchor = min(alike, key=lambda o: o.num_ranks)
                anchored[index] = row.log_error(constants) - anchor.log_error(constants)
                perfect[index] = math.log(anchor.tokens_per_s_per_rank / row.tokens_per_s_per_rank)
    return errors, anchored, perfect


def _same_training(one: Observation, other: Observation) -> bool:
    """Whether both train the same model in the same way; batch and accumulation change with the ranks."""
    a, b = one.setup, other.setup
    return (a.shape.name, a.sequence_length, a.activation_checkpointing, a.is_compiled, a.is_float8) == (
        b.shape.name,
        b.sequence_length,
        b.activation_checkpointing,
        b.is_compiled,
        b.is_float8,
    )


@dataclass(frozen=True)
class JudgedMemory:
    """Errors of reserved memory by row and by document, allocated bytes predicted, and what to fit."""

    by_row: Errors
    by_source: Errors
    allocated: dict[int, float]
    pairs: list[tuple[Segments, float]]


def judge_reserved(rows: Sequence[PublishedRow]) -> JudgedMemory:
    """Leave one row out, and each document's rows, of those that say what the allocator held."""
    pools: dict[int, Segments] = {}
    allocated: dict[int, float] = {}
    held: dict[int, float] = {}
    for index, row in enumerate(rows):
        if row.observation is not None and row.reserved_bytes is not None:
            o = row.observation
            topology = o.network.topology(o.num_ranks, efficiency=1.0)
            pools[index] = segments(o.setup, topology=topology)
            allocated[index] = peak_memory(o.setup, topology=topology).allocated
            held[index] = row.reserved_bytes

    def error(index: int, others: Iterable[int]) -> float:
        overhead = fit_overhead([(pools[other], held[other]) for other in others])
        return math.log(overhead.reserved(pools[index]) / held[index])

    def elsewhere(index: int) -> list[int]:
        document = _document(rows[index].source)
        return [other for other in pools if _document(rows[other].source) != document]

    return JudgedMemory(
        {i: error(i, [other for other in pools if other != i]) for i in pools} if len(pools) > 1 else {},
        {i: error(i, others) for i in pools if (others := elsewhere(i))},
        allocated,
        [(pools[i], held[i]) for i in pools],
    )


def _document(source: str) -> str:
    """A source without the commit at which it was read: two readings of a page are one document."""
    return source.partition(" @")[0]


def _score(name: str, errors: Iterable[float], goal: float | None) -> Score:
    sizes = [abs(_relative(e)) for e in errors]
    return (
        Score(name, len(sizes), sum(sizes) / len(sizes), max(sizes), goal)
        if sizes
        else Score(name, 0, 0, 0, goal)
    )


def validate(
    rows: Sequence[PublishedRow], *, report: Callable[[str], None] = lambda line: None
) -> tuple[Report, CalibrationFile]:
    """Judge every row, and fit what ships."""
    by_row, calibrations, fitted = judge_by_row(rows, report=report)
    report("each document left out once")
    by_source = judge_by_source(rows)
    report(f"fitted up to {SMALL_RANKS} ranks, judged from {LARGE_RANKS}")
    small, anchored, perfect = judge_small_to_large(rows)
    memory = judge_reserved(rows)
    overhead = fit_overhead(memory.pairs)
    judged: list[JudgedRow] = []
    inside = 0
    members = _indexed(rows)
    for index, row in enumerate(rows):
        figures: dict[str, float | None] = {}
        if index in by_row and row.observation is not None:
            o = row.observation
            others = [by_row[i] for i, _, _ in members[row.hardware] if i != index]
            left = Calibration(
                fitted[index],
                calibrations[row.hardware].covariance,
                residual_sd(others),
                len(others),
                LARGE_RANKS,
            )
            made = predict(
                o.setup,
                num_ranks=o.num_ranks,
                hardware=o.hardware,
                network=o.network,
                calibration=left,
                overhead=overhead,
            ).tokens_per_s_per_rank
            inside += made.low <= row.tokens_per_s_per_rank <= made.high
            figures.update(predicted=made.value, low=made.low, high=made.high)
        for name, errors in (
            ("error_row", by_row),
            ("error_source", by_source),
            ("error_small", small),
            ("error_anchored", anchored),
            ("error_perfect", perfect),
            ("error_reserved", memory.by_row),
        ):
            figures[name] = _relative(errors[index]) if index in errors else None
        judged.append(
            JudgedRow(
                row.source,
                row.stack,
                row.model,
                row.hardware,
                row.num_ranks,
                row.sequence_length,
                row.description,
                row.tokens_per_s_per_rank,
                row.left_out,
                reserved_bytes=row.reserved_bytes,
                allocated_predicted=memory.allocated.get(index),
                **figures,
            )
        )
    fsdp2 = {i for i, row in enumerate(rows) if row.stack == "FSDP2"}
    scores = (
        _score("FSDP2 rows, each left out once", [e for i, e in by_row.items() if i in fsdp2], 0.035),
        _score("All rows, each left out once", by_row.values(), None),
        _score("FSDP2 rows, each document left out", [e for i, e in by_source.items() if i in fsdp2], None),
        _score("All rows, each document left out", by_source.values(), None),
        _score(f"Fitted up to {SMALL_RANKS} ranks, judged from {LARGE_RANKS}", small.values(), 0.05),
        _score("Of these, rows with a smaller run of the same training", [small[i] for i in anchored], None),
        _score("The same rows, anchored on the smaller run", anchored.values(), None),
        _score("The same rows, perfect scaling", perfect.values(), None),
        _score("Reserved memory, each row left out once", memory.by_row.values(), 0.05),
        _score("Reserved memory, each document left out", memory.by_source.values(), None),
    )
    counts = {device: len(found) for device, found in members.items()}
    sources = "; ".join(sorted({row.source for row in rows if not row.left_out}))
    made_report = Report(tuple(judged), scores, inside / max(1, len(by_row)), counts)
    return made_report, CalibrationFile(calibrations, overhead, sources)
