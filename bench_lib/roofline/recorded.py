"""The launches that the project ships: figures from public reports, each with its source.

They let the family run where there is neither a GPU nor ncu. What is made of them is marked
``imported``.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench_lib.errors import DamagedFileError, UsageError
from bench_lib.roofline.launch import Launch, MetricValue

RECORDED: Final = Path(__file__).with_name("recorded.json")


class RecordedMetrics(dict[str, MetricValue]):
    """Metrics of a recorded launch, with the instances of the few that have any."""

    def __init__(
        self, values: Mapping[str, MetricValue], tables: Mapping[str, Mapping[str, float]], *, path: Path
    ) -> None:
        super().__init__(values)
        self.path = path
        self._tables = tables

    def instances(self, name: str) -> list[tuple[MetricValue, MetricValue]]:
        """(opcode, count) rows of a recorded table; none for other metrics."""
        return list(self._tables.get(name, {}).items())


@dataclass(frozen=True)
class RecordedLaunch:
    """A launch from a public report.

    Parameters
    ----------
    name
        Identifier, used as a benchmark's parameter.
    source
        Repository, path, commit and licence of the report.
    """

    name: str
    gpu: str | None
    ncu_version: str | None
    source: str
    launch: Launch


def _from_json(entry: Mapping[str, Any], path: Path) -> RecordedLaunch:
    source = entry["source"]
    return RecordedLaunch(
        name=str(entry["name"]),
        gpu=entry["gpu"],
        ncu_version=entry["ncu_version"],
        source=f"{source['repository']}, {source['path']} at {source['commit']} ({source['licence']})",
        launch=Launch(
            index=int(entry["index"]),
            function=str(entry["kernel"]),
            demangled="",
            metrics=RecordedMetrics(entry["metrics"], entry["tables"], path=path),
            nvidia_rule=entry["nvidia_rule"],
            clocks_locked=entry["clocks_locked"],
        ),
    )


@functools.cache
def recorded_launches(path: Path = RECORDED) -> tuple[RecordedLaunch, ...]:
    """All recorded launches, in the order of the file.

    Raises
    ------
    DamagedFileError
        The file is not what this version ships.
    """
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["launches"]
        return tuple(_from_json(entry, path) for entry in entries)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedFileError(
            path, found=str(error), expected="the recorded launches", hint="Install the package again."
        ) from error


def recorded(name: str) -> RecordedLaunch:
    """One recorded launch by its name."""
    for entry in recorded_launches():
        if entry.name == name:
            return entry
    names = ", ".join(e.name for e in recorded_launches())
    raise UsageError.of("recorded launch", found=name, expected=f"one of {names}")
