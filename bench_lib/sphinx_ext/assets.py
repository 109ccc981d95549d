"""The scripts and styles of the pages: bundled, and without what only their authors need."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

from bench_lib.files import write_whole
from bench_lib.table_script import SCRIPT, STYLE
from bench_lib.table_script import STATIC as _TABLES

_STATIC: Final = Path(__file__).parent / "static"
_UPLOT: Final = _STATIC / "uplot"

_TYPES: Final = {".css": "text/css", ".js": "application/javascript"}

#: What every page loads; what one with a chart does, in this order; and the two other pages with scripts.
BASE_STYLE: Final = "bench.css"
CHART_STYLE: Final = "bench-chart.css"
CHART_SCRIPT: Final = "bench-chart.js"
LIST_SCRIPT: Final = "bench-list.js"
COMPARE_SCRIPT: Final = "bench-compare.js"

#: Name in ``_static`` → what it is made of. The library that draws charts may be missing: tables do without.
BUNDLES: Final[dict[str, Sequence[Path]]] = {
    BASE_STYLE: (_STATIC / "bench.css", _TABLES / STYLE),
    CHART_STYLE: (_UPLOT / "uPlot.min.css", _STATIC / "bench-chart.css"),
    CHART_SCRIPT: (
        _UPLOT / "LICENSE",
        _UPLOT / "uPlot.iife.min.js",
        _TABLES / "bench-numbers.js",
        _STATIC / "bench-format.js",
        _STATIC / "bench-series.js",
        _STATIC / "bench-parameter.js",
        _STATIC / "bench-chart.js",
        _STATIC / "bench-benchmark.js",
    ),
    LIST_SCRIPT: (_STATIC / "bench-list.js",),
    COMPARE_SCRIPT: (_STATIC / "bench-compare.js",),
    SCRIPT: (_TABLES / "bench-numbers.js", _TABLES / SCRIPT, _STATIC / "bench-download.js"),
}


def bundle(paths: Sequence[Path]) -> str:
    """Scripts, or styles, as one, in this order; a licence among them stays as a comment to be kept."""
    parts = []
    for path in paths:
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            if path.suffix in _TYPES:
                parts.append(_minified(text, _TYPES[path.suffix]))
            else:
                parts.append(f"/*!\n{text.strip().replace('*/', '* /')}\n*/")
    # A script that begins with a bracket would else be an argument of the one before it.
    separator = ";\n" if any(path.suffix == ".js" for path in paths) else "\n"
    return separator.join(parts) + "\n"


def _minified(text: str, type_: str) -> str:
    try:
        import minify
    except ImportError:
        # Pages work alike, and are larger.
        return text
    return str(minify.string(type_, text))


def write_assets(app: Sphinx) -> None:
    """Write the bundles where Sphinx takes static files from: beside the parsed documents of this build."""
    folder = Path(app.doctreedir, "bench_lib_static")
    for name, paths in BUNDLES.items():
        write_whole(folder / name, bundle(paths))
    app.config.html_static_path += [str(folder)]
