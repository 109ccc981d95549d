"""The fitted constants of each device type, read from ``constants.toml``, and how sure they are."""

from __future__ import annotations

import functools
import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from bench_lib.errors import DamagedFileError, UsageError
from bench_lib.fsdp2.step_model.compute import CONSTANT_NAMES, Constants
from bench_lib.fsdp2.step_model.peak_memory import MemoryOverhead

PATH: Final = Path(__file__).parent / "constants.toml"

#: Where a fit starts and what it is drawn to where rows say little. The same round figures for every device,
#: but for
#: attention: PyTorch's kernel reaches over half of an A100's peak and a third of an H100's, and the early
#: one, written for the A100, does not use what the H100 has more.
#: **Source**: Dao 2023, FlashAttention-2, section 4.1 (both devices).
_AMPERE: Final = Constants(matmul=0.65, memory=0.7, attention=0.55, early_attention=0.3, network=0.8)
_HOPPER: Final = Constants(matmul=0.65, memory=0.7, attention=0.3, early_attention=0.2, network=0.8)
PRIORS: Final = {
    "nvidia-a100-sxm-40gb": _AMPERE,
    "nvidia-a100-sxm-80gb": _AMPERE,
    "nvidia-h100-sxm": _HOPPER,
    "nvidia-h100-sxm-96gb-500w": _HOPPER,
    "nvidia-h200-sxm": _HOPPER,
}

#: Standard deviation of the logarithm of each constant around it.
PRIOR_SD: Final = 0.2


def prior_of(slug: str) -> Constants:
    """Where a fit for this device starts; the newer device's where it has no entry."""
    return PRIORS.get(slug, _HOPPER)


@dataclass(frozen=True)
class Calibration:
    """Constants of one device type, with their uncertainty.

    Parameters
    ----------
    constants
        Fitted values.
    covariance
        Of their logarithms, in the order of ``CONSTANT_NAMES``.
    residual_sd
        Of the logarithm of a row's tokens/s that was left out of the fit: its 90th percentile over 1.645.
    num_rows
        Rows fitted.
    largest_ranks
        The largest number of ranks among them.
    """

    constants: Constants
    covariance: tuple[tuple[float, ...], ...]
    residual_sd: float
    num_rows: int
    largest_ranks: int

    def __post_init__(self) -> None:
        size = len(CONSTANT_NAMES)
        values = [getattr(self.constants, name) for name in CONSTANT_NAMES]
        square = len(self.covariance) == size and all(len(row) == size for row in self.covariance)
        if not square or not all(math.isfinite(v) and v > 0 for v in [*values, self.residual_sd]):
            raise ValueError(f"expected {size} constants above 0, a square covariance and a spread above 0")


@dataclass(frozen=True)
class CalibrationFile:
    """All device types by slug, and what is shared by them."""

    devices: dict[str, Calibration]
    reserved_memory: MemoryOverhead
    source: str


def load(path: Path) -> CalibrationFile:
    """Read a calibration.

    Raises
    ------
    DamagedFileError
        The file is not one.
    """
    expected = "a calibration as docs/how-to/predict-a-step.md describes"
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), CalibrationFile)
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise DamagedFileError(path, found=str(error), expected=expected) from error


@functools.cache
def built_in() -> CalibrationFile:
    """The calibration that ships with this project, fitted on published rows."""
    return load(PATH)


def of_device(slug: str, *, calibration: CalibrationFile) -> Calibration:
    """The constants of ``slug``.

    Raises
    ------
    UsageError
        Nothing was fitted for it, and constants of another device would be a guess.
    """
    try:
        return calibration.devices[slug]
    except KeyError:
        raise UsageError.of(
            "--hardware",
            found=slug,
            expected="a device that the model is calibrated for: " + ", ".join(sorted(calibration.devices)),
            hint="Fit your own measurements: bench-lib fsdp2 calibrate.",
        ) from None


def to_toml(calibration: CalibrationFile) -> str:
    """The file's text. Only numbers, slugs and our own words: nothing in it needs escaping."""
    overhead = calibration.reserved_memory
    lines = [
        "# Written by `bench-lib fsdp2 calibrate`; do not edit.",
        f"source = {msgspec.json.encode(calibration.source).decode()}",
        "",
        "[reserved_memory]",
        f"passing_slope = {overhead.passing_slope:.6g}",
        f"relative_sd = {overhead.relative_sd:.6g}",
    ]
    for slug, device in sorted(calibration.devices.items()):
        lines += [
            "",
            f'[devices."{slug}"]',
            f"residual_sd = {device.residual_sd:.6g}",
            f"num_rows = {device.num_rows}",
            f"largest_ranks = {device.largest_ranks}",
            "covariance = [",
            *("  [" + ", ".join(f"{v:.6g}" for v in row) + "]," for row in device.covariance),
            "]",
            "",
            f'[devices."{slug}".constants]',
            *(f"{name} = {getattr(device.constants, name):.6g}" for name in CONSTANT_NAMES),
        ]
    return "\n".join(lines) + "\n"
