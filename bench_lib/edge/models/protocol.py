"""What a model's process is told and answers: JSON, a message at a time, over a pipe of its own.

Native libraries print to standard output, so that is no channel.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from bench_lib.edge.frameworks import Case, Detail

#: Samples of one round, by what they time; seconds.
Samples = dict[str, list[float]]


class Export(msgspec.Struct, frozen=True, tag="export"):
    """Write the artefact into ``folder``."""

    case: Case
    folder: str


class Prepare(msgspec.Struct, frozen=True, tag="prepare"):
    """Load the artefact, run it once cold, and compare its output with the reference."""

    case: Case
    artefact: str


class Round(msgspec.Struct, frozen=True, tag="round"):
    """Take samples."""

    num_samples: int


class End(msgspec.Struct, frozen=True, tag="end"):
    """Tell the peak and end."""


Request = Export | Prepare | Round | End


class Exported(msgspec.Struct, frozen=True, tag="exported"):
    """Name of what was written."""

    name: str


class Prepared(msgspec.Struct, frozen=True, tag="prepared"):
    """What loading and the first inference took and showed."""

    load_time_s: float
    first_inference_time_s: float
    rss_before_load_bytes: int
    error: float | None
    tokens: tuple[int, ...]
    fault: str
    device: str
    device_name: str
    is_software: bool
    facts: dict[str, Detail]
    version: str


class Sampled(msgspec.Struct, frozen=True, tag="sampled"):
    """Samples of a round, wall and process time apart."""

    wall_s: Samples
    cpu_s: Samples


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The peak resident set since the process began."""

    peak_rss_bytes: int


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """Why it was not done: ``skipped`` where this machine cannot, ``failed`` where something went wrong."""

    status: Literal["skipped", "failed"]
    code: str
    reason: str


Reply = Exported | Prepared | Sampled | Ended | Refused

#: Environment variable with the descriptor of the pipe.
DESCRIPTOR_VARIABLE: Final = "BENCH_LIB_MODEL_PIPE"
