"""What asv says about benchmarks and machines: ``benchmarks.json`` and each ``machine.json``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench_lib.errors import DamagedFileError
from bench_lib.metrics import METRICS, Better
from bench_lib.results import records
from bench_lib.results.asv_files import decode

#: asv's own default for the package that holds benchmarks.
PACKAGE: Final = "benchmarks"
_UNITS: Final = {"seconds": "s", "bytes": "B"}
_PREFIXES: Final = (
    # Longest first: timeraw_ also begins with time.
    ("timeraw_", "time", "s"),
    ("time_", "time", "s"),
    ("peakmem_", "peak_memory", "B"),
    ("mem_", "memory", "B"),
    ("track_", "track", ""),
)


@dataclass(frozen=True)
class Benchmark:
    """What is known of a benchmark, by asv's index or else by its name.

    ``version`` is the current one, ``None`` where no index says; ``code`` the source of that version.
    ``metric`` is a name of :data:`bench_lib.metrics.METRICS`, or ``time``, ``memory``, ``peak_memory`` or
    ``track``.
    """

    name: str
    metric: str
    unit: str
    better: Better
    version: str | None = None
    param_names: tuple[str, ...] = ()
    pretty_name: str = ""
    code: str = ""

    @property
    def family(self) -> str:
        """First part of the name: asv's module, or the family of our own benchmarks.

        Functions of the package itself have no module in their names; they are one family.
        """
        module, dot, _ = self.name.partition(".")
        return module if dot else PACKAGE

    def parameters(self, values: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """(name, value) of each parameter; where names are not known, ``param1`` and so on, as asv has it.

        asv lets two have one name; here the second is called ``n (2)``, so that none is taken for another.
        """
        names = [*self.param_names[: len(values)]]
        names += [f"param{i + 1}" for i in range(len(names), len(values))]
        if len(set(names)) < len(names):
            names = _unique(names)
        return tuple(zip(names, values, strict=True))


def _unique(names: Sequence[str]) -> list[str]:
    made: list[str] = []
    for name in names:
        number, other = 2, name
        while other in made:
            number, other = number + 1, f"{name} ({number})"
        made.append(other)
    return made


def describe(name: str, entry: dict[str, Any] | None = None) -> Benchmark:
    """What ``entry`` of asv's index says of the benchmark ``name``, the rest told by the name."""
    entry = entry or {}
    method = name.rsplit(".", 1)[-1]
    _, metric, unit = next((p for p in _PREFIXES if method.startswith(p[0])), ("", "track", ""))
    tracked = method.removeprefix("track_")
    better: Better = "lower"
    if metric == "track" and tracked in METRICS:
        metric, unit, better = tracked, METRICS[tracked].unit, METRICS[tracked].better
    stated = str(entry.get("unit") or "")
    if stated and stated != "unit":
        unit = _UNITS.get(stated, stated)
    if metric == "track" and unit.endswith("/s"):
        # asv calls every step up a regression, also of a rate. A rate that falls is one.
        better = "higher"
    version = entry.get("version")
    names = entry.get("param_names")
    return Benchmark(
        name=name,
        metric=metric,
        unit=unit,
        better=better,
        version=str(version) if version else None,
        param_names=tuple(map(str, names)) if isinstance(names, list) else (),
        pretty_name=str(entry.get("pretty_name") or ""),
        code=str(entry.get("code") or ""),
    )


def read_benchmarks(results_dir: Path, damaged: list[DamagedFileError]) -> dict[str, Benchmark]:
    """asv's index; empty where there is none. What cannot be read is added to ``damaged``."""
    path = results_dir / "benchmarks.json"
    if not _is_file(path):
        return {}
    found = _read_object(path, "asv's index of benchmarks", damaged)
    return {
        name: describe(name, entry)
        for name, entry in found.items()
        if name != "version" and isinstance(entry, dict)
    }


def machine_folders(results_dir: Path) -> list[Path]:
    """Folders of machines, by name. Our own records lie beside them, in folders of folders."""
    return sorted(
        path
        for path in results_dir.iterdir()
        if path.is_dir() and (path.name != records.DIRECTORY or any(path.glob("*.json")))
    )


def read_machines(results_dir: Path, damaged: list[DamagedFileError]) -> dict[str, dict[str, str]]:
    """Facts of each machine by its name; a folder without machine.json has none."""
    machines: dict[str, dict[str, str]] = {}
    for folder in machine_folders(results_dir):
        path = folder / "machine.json"
        if _is_file(path):
            facts = _read_object(path, "asv's facts of a machine", damaged)
            facts.pop("version", None)
            name = str(facts.get("machine") or folder.name)
            machines[name] = {str(key): str(value) for key, value in facts.items()}
    return machines


def _is_file(path: Path) -> bool:
    """Also no where its folder cannot be read: that is told once, with the results in it."""
    try:
        return path.is_file()
    except OSError:
        return False


def _read_object(path: Path, expected: str, damaged: list[DamagedFileError]) -> dict[str, Any]:
    try:
        found = decode(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        damaged.append(DamagedFileError(path, found=str(error)[:300], expected=expected))
        return {}
    if not isinstance(found, dict):
        damaged.append(DamagedFileError(path, found=type(found).__name__, expected=expected))
        return {}
    return found
