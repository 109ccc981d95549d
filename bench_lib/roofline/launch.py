"""One profiled kernel launch, whatever it was read from."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

#: A value as the profiler stored it; ``None`` where it stored a metric without a value.
MetricValue = str | float | int | None


@runtime_checkable
class HasInstances(Protocol):
    """Metrics that also give a metric's instances, such as counts by opcode."""

    path: Path

    def instances(self, name: str) -> list[tuple[MetricValue, MetricValue]]:
        """(correlation id, value) of each instance."""
        ...


@dataclass(frozen=True)
class Launch:
    """A kernel launch and its metrics.

    Parameters
    ----------
    index
        Position in its report, from 0.
    function, demangled
        The kernel's name, without and with its arguments. Either can be empty, not both.
    metrics
        Values by the profiler's own metric names.
    nvidia_rule
        Title that NVIDIA's SOLBottleneck rule left in the report; ``None`` where it left none.
    clocks_locked
        Whether the profiler held the clocks; ``None`` where the report does not say.
    conflicts
        Names that the report gives twice with different values.
    """

    index: int
    function: str
    demangled: str
    metrics: Mapping[str, MetricValue]
    nvidia_rule: str | None = None
    clocks_locked: bool | None = None
    conflicts: frozenset[str] = frozenset()

    @property
    def kernel(self) -> str:
        """The full name where there is one, else the function's."""
        return self.demangled or self.function

    def number(self, name: str) -> float | None:
        """The metric as a finite number, or ``None``: absent, no value, text, NaN or given twice."""
        value = None if name in self.conflicts else self.metrics.get(name)
        if value is None or isinstance(value, str):
            return None
        try:
            number = float(value)
        except OverflowError:
            return None
        return number if math.isfinite(number) else None

    def text(self, name: str) -> str | None:
        """The metric as text, or ``None``."""
        value = self.metrics.get(name)
        return value if isinstance(value, str) else None


@dataclass(frozen=True)
class SourceFacts:
    """What a report says of itself. Only the whitelist in ``present`` is ever published.

    ``command_line`` names paths and people: it is kept out of every output unless asked for.
    """

    gpu: str | None = None
    compute_capability: str | None = None
    ncu_version: str | None = None
    clocks_locked: bool | None = None
    command_line: str | None = None


_CLOCK_OPTION = re.compile(r"--clock-control[= ]\s*(?P<mode>[a-z]+)")


def clock_control_option(command_line: str) -> str | None:
    """Value of ``--clock-control`` in a command line; ``None`` where it is not given."""
    match = _CLOCK_OPTION.search(command_line)
    return match["mode"] if match else None
