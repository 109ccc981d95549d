"""Fit the constants of a device type to measured or published rows. Needs scipy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from bench_lib.errors import UnavailableError, UsageError
from bench_lib.fsdp2.step_model.compute import CONSTANT_NAMES, Constants
from bench_lib.fsdp2.step_model.constants import PRIOR_SD, Calibration, prior_of
from bench_lib.fsdp2.step_model.peak_memory import MemoryOverhead, Segments
from bench_lib.fsdp2.step_model.prediction import Network, ceilings, log_gradient, play
from bench_lib.fsdp2.step_model.setup import TrainingSetup
from bench_lib.model import Hardware

#: Noise that a row is expected to have; beyond it, a row counts less (soft L1): a few published rows are far
#: off.
NOISE: Final = 0.03

#: A change of a constant's logarithm up to which the model is as good as linear in it.
LINEAR: Final = 0.05

_LEVEL_90: Final = 1.645


@dataclass(frozen=True)
class Observation:
    """A row: a setup on hardware, and the tokens a second and rank that somebody measured."""

    setup: TrainingSetup
    hardware: Hardware
    num_ranks: int
    network: Network
    tokens_per_s_per_rank: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.tokens_per_s_per_rank) and self.tokens_per_s_per_rank > 0):
            raise UsageError.of("tokens/s", found=self.tokens_per_s_per_rank, expected="a number above 0")

    def log_error(self, constants: Constants) -> float:
        """Logarithm of predicted over observed tokens/s."""
        return math.log(self.setup.tokens_per_step / self.step_time_s(constants) / self.tokens_per_s_per_rank)

    def step_time_s(self, constants: Constants) -> float:
        """The model's step time."""
        return play(self.setup, constants=constants, **self._place()).step_time_s

    def gradient(self, constants: Constants) -> list[float]:
        """Derivative of the step time's logarithm by that of each constant."""
        return log_gradient(self.setup, constants=constants, **self._place())

    def _place(self) -> dict[str, Any]:
        return {
            "num_ranks": self.num_ranks,
            "peaks": ceilings(self.hardware, setup=self.setup),
            "network": self.network,
        }


def fit_constants(
    rows: Sequence[Observation], *, hardware: str, start: Constants | None = None
) -> tuple[Constants, tuple[tuple[float, ...], ...]]:
    """Constants by robust least squares on logarithms, drawn to the device's prior, and their covariance.

    Without rows, the prior itself comes back.

    Raises
    ------
    UnavailableError
        scipy is not installed.
    """
    centre = prior_of(hardware)
    prior = np.log([getattr(centre, name) for name in CONSTANT_NAMES])
    if not rows:
        return centre, _rows_of(np.eye(len(prior)) * PRIOR_SD**2)
    least_squares = _solver()

    def constants(x: Any) -> Constants:
        return Constants(*(float(v) for v in np.exp(x)))

    def misfit(x: Any) -> Any:
        errors = [row.log_error(constants(x)) / NOISE for row in rows]
        return np.array([*errors, *((x - prior) / PRIOR_SD)])

    first = prior if start is None else np.log([getattr(start, name) for name in CONSTANT_NAMES])
    solved = least_squares(misfit, first, loss="soft_l1", xtol=1e-3, ftol=1e-4, diff_step=1e-3)
    # jac is of the residuals as they are weighted, so its square is the curvature at the solution.
    covariance = np.linalg.inv(solved.jac.T @ solved.jac)
    return constants(solved.x), _rows_of(covariance)


def _solver() -> Any:
    try:
        from scipy.optimize import least_squares
    except ImportError as error:
        raise UnavailableError(
            "scipy-missing", "fitting needs scipy.", remedy="pip install 'bench-lib[step-model]'"
        ) from error
    return least_squares


def fit_without_each(rows: Sequence[Observation], *, hardware: str, start: Constants) -> list[Constants]:
    """Constants fitted without each row in turn, near ``start``, the fit of all.

    One row moves the constants little, so the model is taken as linear in their logarithms around ``start``;
    where
    one moves by more than :data:`LINEAR`, the fit is made again in full.
    """
    least_squares = _solver()
    prior = np.log([getattr(prior_of(hardware), name) for name in CONSTANT_NAMES])
    at = np.log([getattr(start, name) for name in CONSTANT_NAMES])
    errors = np.array([row.log_error(start) for row in rows])
    # Tokens/s fall as the step grows.
    slopes = -np.array([row.gradient(start) for row in rows])
    made = []
    for index in range(len(rows)):
        kept = np.arange(len(rows)) != index

        def misfit(x: Any, kept: Any = kept) -> Any:
            predicted = errors[kept] + slopes[kept] @ (x - at)
            return np.concatenate([predicted / NOISE, (x - prior) / PRIOR_SD])

        x = least_squares(misfit, at, loss="soft_l1").x
        if np.max(np.abs(x - at)) > LINEAR:
            others = [*rows[:index], *rows[index + 1 :]]
            made.append(fit_constants(others, hardware=hardware, start=start)[0])
        else:
            made.append(Constants(*(float(v) for v in np.exp(x))))
    return made


def _rows_of(matrix: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(v) for v in row) for row in matrix)


def residual_sd(errors: Sequence[float]) -> float:
    """Spread for an interval: a high quantile of what was missed, as if it were of a normal distribution.

    The quantile is the one that holds 90 % of new rows drawn like these (split conformal, n + 1); with
    fewer than nine rows, the largest and never less than the noise.
    """
    ranked = sorted(abs(e) for e in errors)
    if not ranked:
        return 0.15
    place = math.ceil(0.9 * (len(ranked) + 1)) - 1
    return max(NOISE, ranked[min(place, len(ranked) - 1)] / _LEVEL_90)


def calibrate(rows: Sequence[Observation], *, hardware: str, errors: Sequence[float]) -> Calibration:
    """Constants of one device type from its rows; ``errors`` are those of rows that were left out."""
    constants, covariance = fit_constants(rows, hardware=hardware)
    return Calibration(
        constants, covariance, residual_sd(errors), len(rows), max((row.num_ranks for row in rows), default=0)
    )


def fit_overhead(rows: Sequence[tuple[Segments, float]]) -> MemoryOverhead:
    """How badly passing tensors fill their pool, from (pools, reserved bytes), by least relative squares."""
    reserved = np.array([float(held) for _, held in rows])
    passing = np.array([pools.passing for pools, _ in rows]) / reserved
    rest = np.array([pools.state + pools.gradients + pools.gathered for pools, _ in rows]) / reserved
    slope = float(passing @ (1 - rest) / (passing @ passing))
    missed = np.log(rest + slope * passing)
    return MemoryOverhead(slope, float(np.sqrt(np.mean(missed**2))))
