"""Metrics of one launch in a ``.ncu-rep`` file, decoded when they are looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bench_lib.errors import DamagedFileError
from bench_lib.roofline.launch import MetricValue

EXPECTED: Final = "a whole Nsight Compute report (.ncu-rep)"
HINT: Final = "Profile again, or copy the file again."


def damaged_report(path: Path, found: str, *, hint: str = HINT) -> DamagedFileError:
    """The error for a file that is no report, or not a whole one."""
    return DamagedFileError(path, found=found, expected=EXPECTED, hint=hint)


class ReportMetrics(Mapping[str, MetricValue]):
    """Metrics of one launch, decoded when looked up."""

    def __init__(self, result: Any, strings: list[str], *, path: Path) -> None:
        self.path = path
        self._by_name: dict[str, Any] = {}
        self.conflicts: set[str] = set()
        num_strings = len(strings)
        for metric in result.metrics:
            index = metric.name
            if not metric.HasField("name") or index >= num_strings:
                raise damaged_report(path, f"a metric whose name is entry {index} of {num_strings}")
            name = strings[index]
            earlier = self._by_name.get(name)
            # Some versions write a few metrics twice, with the same value. NVIDIA's reader takes the last.
            if earlier is not None and earlier.value != metric.value:
                self.conflicts.add(name)
            self._by_name[name] = metric

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __getitem__(self, name: str) -> MetricValue:
        metric = self._by_name[name]
        return self._decode(metric.value, name) if metric.HasField("value") else None

    def num_instances(self, name: str) -> int:
        """How many instances (one an instruction, one a device unit) the metric has."""
        return len(self._by_name[name].instances)

    def instances(self, name: str) -> list[tuple[MetricValue, MetricValue]]:
        """(correlation id, value) of each instance of the metric.

        Raises
        ------
        DamagedFileError
            An instance has a value of a kind that is not known.
        """
        return [
            (self._decode(instance.correlation, name), self._decode(instance.value, name))
            for instance in self._by_name[name].instances
        ]

    def _decode(self, value: Any, name: str) -> MetricValue:
        kind = value.WhichOneof("kind")
        if kind is None:
            if value.ByteSize():
                raise damaged_report(self.path, f"a value of {name} of a kind not known")
            return None
        found: bytes | float | int = getattr(value, kind)
        return found.decode("utf-8", errors="replace") if isinstance(found, bytes) else found
