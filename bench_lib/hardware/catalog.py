"""The device files: peaks, bandwidth and memory, each with its source."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

import msgspec

from bench_lib.errors import DamagedFileError
from bench_lib.model import Hardware

DEVICES_DIR = Path(__file__).parent / "devices"


def load_device(path: Path) -> Hardware:
    """Read one device file.

    Raises
    ------
    DamagedFileError
        The file is not TOML, lacks a field, or has one that is not known.
    """
    expected = "a device as docs/how-to/add-a-device.md describes"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DamagedFileError(path, found=str(error), expected=expected) from error
    table.setdefault("slug", path.stem)
    unknown = sorted(set(table) - set(Hardware.__dataclass_fields__))
    if unknown or table["slug"] != path.stem:
        found = f"unknown keys {unknown}" if unknown else f"slug {table['slug']!r}"
        raise DamagedFileError(path, found=found, expected=expected)
    try:
        return msgspec.convert(table, Hardware)
    except msgspec.ValidationError as error:
        raise DamagedFileError(path, found=str(error), expected=expected) from error


@functools.cache
def all_hardware() -> tuple[Hardware, ...]:
    """Every device that has a file, by slug."""
    return tuple(load_device(path) for path in sorted(DEVICES_DIR.glob("*.toml")))


def find(name: str) -> Hardware | None:
    """The device with this slug, name or alias, compared whole and without regard to case.

    Never a part of a name: two parts that share a prefix can differ twofold in bandwidth, so a
    device that has no file is ``None`` and its peaks are unknown.
    """
    wanted = name.strip().casefold()
    for hardware in all_hardware():
        if wanted in {n.casefold() for n in (hardware.slug, hardware.name, *hardware.aliases)}:
            return hardware
    return None
