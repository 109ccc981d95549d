"""Sphinx extension: directives that turn records into tables and charts.

In ``conf.py``::

    extensions = ["bench_lib.sphinx_ext"]
    bench_lib_results = "../results"    # from the directory of conf.py
    bench_lib_reports = "../reports"    # Nsight Compute reports; default: none

Warnings have type ``bench_lib``: ``damaged-record``, ``unusable-record`` and ``damaged-report``. Nothing
here imports torch, and matplotlib is imported only when a chart is drawn.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from bench_lib import __version__
from bench_lib.roofline.launch_table import STATIC as TABLE_STATIC
from bench_lib.sphinx_ext import (
    chart_node,
    fsdp2,
    fsdp2_depth,
    overview,
    roofline,
    roofline_tracked,
    value_node,
)
from bench_lib.sphinx_ext.loading import find_outdated, read_records

_STATIC: Final = Path(__file__).parent / "static"

DIRECTIVES: Final = {
    "bench-fsdp2-table": fsdp2.FsdpTable,
    "bench-fsdp2-chart": fsdp2.FsdpChart,
    "bench-fsdp2-results": fsdp2.FsdpResults,
    "bench-fsdp2-memory": fsdp2_depth.FsdpMemory,
    "bench-fsdp2-variants": fsdp2_depth.FsdpVariants,
    "bench-fsdp2-timelines": fsdp2_depth.FsdpTimelines,
    "bench-hardware": overview.Devices,
    "bench-measured-hardware": overview.MeasuredHardware,
    "bench-runs": overview.RunsWithoutFigures,
    "bench-roofline": roofline.Roofline,
    "bench-roofline-tracked": roofline_tracked.TrackedKernels,
    "bench-metrics": overview.Metrics,
    "bench-record-fields": overview.RecordFields,
}


def _start(app: Sphinx) -> None:
    app.config.html_static_path += [str(_STATIC), str(TABLE_STATIC)]
    read_records(app)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register everything with Sphinx."""
    app.add_config_value("bench_lib_results", "../results", "env", types=frozenset({str}))
    app.add_config_value("bench_lib_reports", "", "env", types=frozenset({str}))
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    chart_node.setup_node(app)
    value_node.setup_node(app)
    app.add_css_file("bench.css")
    app.connect("builder-inited", _start)
    app.connect("html-page-context", roofline.add_script)
    app.connect("env-get-outdated", find_outdated)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
