"""Sphinx extension: directives that turn records into tables and charts.

In ``conf.py``::

    extensions = ["bench_lib.sphinx_ext"]
    bench_lib_results = "../results"    # from the directory of conf.py
    bench_lib_reports = "../reports"    # Nsight Compute reports; default: none
    bench_lib_pages = True              # pages made from results: all, none (False), or a list of names
    bench_lib_pages_title = "Results"   # their heading in the navigation
    bench_lib_min_change = 0.01         # smaller steps are left out
    bench_lib_show_commit_url = ""      # default: what asv.conf.json near the results says

Warnings have type ``bench_lib``: ``damaged-record``, ``unusable-record``, ``damaged-report``,
``damaged-result`` and ``unknown-result``. Nothing here imports torch, and matplotlib is
imported only when a chart of records is drawn.
"""

from __future__ import annotations

from typing import Final

from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from bench_lib import __version__
from bench_lib.sphinx_ext import (
    benchmark_lists,
    chart_node,
    edge,
    edge_models,
    fsdp2,
    fsdp2_depth,
    fsdp2_model,
    fsdp2_nodes,
    imported,
    overview,
    result_directives,
    roofline,
    roofline_tracked,
    site_table,
    value_node,
)
from bench_lib.sphinx_ext.assets import BASE_STYLE, write_assets
from bench_lib.sphinx_ext.fragments import setup_fragments
from bench_lib.sphinx_ext.loading import find_outdated, read_records
from bench_lib.sphinx_ext.site_config import setup_pages
from bench_lib.sphinx_ext.site_navigation import setup_navigation

DIRECTIVES: Final[dict[str, type[SphinxDirective]]] = {
    "bench-overview": benchmark_lists.Overview,
    "bench-benchmarks": benchmark_lists.BenchmarkList,
    "bench-chart": result_directives.BenchChart,
    "bench-table": result_directives.BenchTable,
    "bench-comparison": result_directives.BenchComparison,
    "bench-fsdp2-table": fsdp2.FsdpTable,
    "bench-fsdp2-chart": fsdp2.FsdpChart,
    "bench-fsdp2-results": fsdp2.FsdpResults,
    "bench-fsdp2-model-scores": fsdp2_model.ModelScores,
    "bench-fsdp2-model-constants": fsdp2_model.ModelConstants,
    "bench-fsdp2-model-rows": fsdp2_model.ModelRows,
    "bench-fsdp2-model-left-out": fsdp2_model.ModelLeftOut,
    "bench-fsdp2-model-chart": fsdp2_model.ModelChart,
    "bench-fsdp2-model-scaling": fsdp2_model.ModelScaling,
    "bench-fsdp2-nodes": fsdp2_nodes.NodesResults,
    "bench-edge-results": edge.EdgeResults,
    "bench-edge-models": edge_models.EdgeModels,
    "bench-fsdp2-memory": fsdp2_depth.FsdpMemory,
    "bench-fsdp2-variants": fsdp2_depth.FsdpVariants,
    "bench-fsdp2-timelines": fsdp2_depth.FsdpTimelines,
    "bench-hardware": overview.Devices,
    "bench-measured-hardware": overview.MeasuredHardware,
    "bench-runs": overview.RunsWithoutFigures,
    "bench-roofline": roofline.Roofline,
    "bench-roofline-tracked": roofline_tracked.TrackedKernels,
    "bench-imported": imported.ImportedResults,
    "bench-metrics": overview.Metrics,
    "bench-record-fields": overview.RecordFields,
}


def _start(app: Sphinx) -> None:
    write_assets(app)
    read_records(app)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register everything with Sphinx."""
    setup_pages(app)
    setup_fragments(app)
    setup_navigation(app)
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    chart_node.setup_node(app)
    value_node.setup_node(app)
    app.add_css_file(BASE_STYLE)
    app.connect("builder-inited", _start)
    app.connect("html-page-context", site_table.add_script)
    app.connect("env-get-outdated", find_outdated)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
