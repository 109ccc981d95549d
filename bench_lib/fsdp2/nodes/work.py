"""What launcher and ranks on nodes tell each other: the work, and by which files. No torch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

CONFIG: Final = "nodes.json"
RESULT: Final = "nodes-result.json"


@dataclass(frozen=True)
class NodesWork:
    """What every rank is asked for: rounds over all link shapes, so that a busy moment meets each alike.

    ``sweep_samples`` are timed collectives of each size. ``num_warmup`` steps come before the first round,
    and one
    after each change of the links.
    """

    preset: str
    num_shapes: int
    num_rounds: int
    sweep_samples: int
    steps_per_round: int
    num_warmup: int
    seed: int
    timeout_s: float


def phase_file(directory: Path, *, round_: int, shape: int, done: bool) -> Path:
    """By which rank 0 asks for a shape of the links, and the launcher says that they have it."""
    return directory / f"phase-{round_}-{shape}.{'go' if done else 'ask'}"


def order(num_shapes: int, *, round_: int) -> list[int]:
    """Shapes in the order of that round: there and back, so that a drift of the machine meets all alike."""
    forward = list(range(num_shapes))
    return forward if round_ % 2 == 0 else forward[::-1]
