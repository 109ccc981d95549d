"""The modules of pyobjc that the runtime needs, or why there are none."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from typing import Any

from bench_lib.errors import UnavailableError


@dataclass(frozen=True)
class Binding:
    """``Metal``, ``Foundation`` and ``objc`` as imported."""

    metal: Any
    foundation: Any
    objc: Any


def load() -> Binding:
    """Import pyobjc.

    Raises
    ------
    UnavailableError
        ``not-macos`` on another system; ``no-binding`` where pyobjc is not installed.
    """
    if sys.platform != "darwin":
        raise UnavailableError(
            "not-macos", f"Metal comes with macOS; this machine runs {platform.system() or sys.platform}."
        )
    try:
        import Foundation
        import Metal
        import objc
    except ImportError as error:
        raise UnavailableError(
            "no-binding",
            f"the Python package pyobjc-framework-Metal did not import ({error}).",
            remedy="pip install 'bench-lib[edge]'",
        ) from error
    return Binding(metal=Metal, foundation=Foundation, objc=objc)
