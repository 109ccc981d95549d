"""asv.conf.json of results that asv left: where it lies, and what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def config_near(directory: Path) -> Path | None:
    """The nearest asv.conf.json: in ``directory``, or in a folder above it, up to two."""
    for folder in (directory, *directory.absolute().parents[:2]):
        path = folder / "asv.conf.json"
        if path.is_file():
            return path
    return None


def parse_config(text: str) -> dict[str, Any] | None:
    """JSON with comments, as asv reads it; ``None`` where it is something else."""
    # Here, because few look-ups need it.
    import json5

    try:
        found = json5.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
