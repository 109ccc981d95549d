"""What all SVG charts drawn by matplotlib share: their style, their font, and the reason without it."""

from __future__ import annotations

import io
import re
from typing import Any, Final

from bench_lib.errors import UnavailableError

#: Same bytes at every build; text stays text, and is never mathematics.
STYLE: Final[Any] = {
    "svg.hashsalt": "bench_lib",
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.parse_math": False,
}
#: Drawn with thinner axes.
FINE_STYLE: Final[Any] = {**STYLE, "axes.linewidth": 0.8}
_PAGE_FONT: Final = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
)


def svg_of(figure: Any, *, is_transparent: bool) -> str:
    """A figure of matplotlib as SVG, without the time and the program that made it."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None}, transparent=is_transparent)
    return stream.getvalue()


def in_page_font(svg: str) -> str:
    """``svg`` without metadata, its text in the font of the page around it, where the reader has that."""
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    return svg.replace("'DejaVu Sans'", _PAGE_FONT)


def require_matplotlib() -> Any:
    """The module matplotlib.

    Raises
    ------
    UnavailableError
        ``matplotlib-missing``.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise UnavailableError(
            "matplotlib-missing", "charts need matplotlib.", remedy="pip install 'bench-lib[charts]'"
        ) from error
    return matplotlib
