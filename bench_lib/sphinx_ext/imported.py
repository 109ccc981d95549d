"""Results of other tools: one table a tool, every row marked as imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docutils import nodes

from bench_lib import stats
from bench_lib.metrics import METRICS
from bench_lib.model import Run, status_words
from bench_lib.sphinx_ext.loading import BenchDirective, rejected_note
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, note, paragraph, table
from bench_lib.sphinx_ext.series_table import date_text
from bench_lib.units import format_value

COMMAND: Final = "bench-lib import FILE --hardware SLUG"
_HEADER: Final = ("Measured", "Hardware", "Value", "Where from")
#: Facts that belong to the tool's build, in the order in which they are shown.
_BUILD: Final = (
    "build_number",
    "build_commit",
    "clpeak_version",
    "driver",
    "driver_version",
    "os",
    "phone",
    "soc",
)


def is_of_another_tool(run: Run) -> bool:
    """Whether ``bench-lib import`` made it; profilers' reports are imported too, and shown elsewhere."""
    return run.origin == "imported" and "tool" in run.details


class ImportedResults(BenchDirective):
    """``bench-imported``: records whose origin is ``imported``, apart from those of profilers' reports."""

    def run(self) -> list[nodes.Node]:
        loaded = self.records()
        runs = [r for r in loaded.runs if is_of_another_tool(r)]
        if not runs:
            empty = note(paragraph("No imported results yet. To add some: ", literal(COMMAND), "."))
            return self.placed(*rejected_note(loaded), empty)
        made: list[nodes.Node] = [*rejected_note(loaded)]
        for name in sorted({r.benchmark for r in runs}):
            mine = sorted((r for r in runs if r.benchmark == name), key=_order)
            rows = [_row(run) for run in mine]
            made.append(
                table(_HEADER, rows, title=clean(name), classes=["bench-imported"], widths=(38, 18, 20, 24))
            )
        return self.placed(*made)


def _order(run: Run) -> tuple[str, str, str]:
    return _params(run), run.hardware, run.environment.started


def _params(run: Run) -> str:
    return ", ".join(f"{clean(k)}={clean(v)}" for k, v in sorted(run.params.items()))


def _row(run: Run) -> Sequence[Cell]:
    device = clean(run.details.get("device") or "")
    match = run.details.get("device_matches")
    hardware: list[nodes.Node] = [paragraph(literal(run.hardware))]
    if match is False:
        hardware.append(paragraph(f"the file names another device: {device}", classes=["bench-detail"]))
    elif match is None and device:
        hardware.append(paragraph(f"by the file: {device}", classes=["bench-detail"]))
    return [paragraph(_params(run), classes=["bench-detail"])], hardware, _values(run), _provenance(run)


def _values(run: Run) -> list[nodes.Node]:
    if run.status != "ok":
        return [paragraph(f"{status_words(run.status)}: {clean(run.reason)}")]
    made: list[nodes.Node] = []
    for m in run.measurements:
        about = METRICS.get(m.metric)
        if about is None or not m.samples:
            continue
        value = format_value(stats.summarize(m.samples).median, about.unit)
        count = f"median of {len(m.samples)}" if len(m.samples) > 1 else "one value"
        made += [paragraph(value), paragraph(f"{about.title}, {count}", classes=["bench-detail"])]
    if run.details.get("throttled"):
        made.append(paragraph("it became warmer meanwhile", classes=["bench-detail"]))
    return made or [paragraph("no value")]


def _provenance(run: Run) -> list[nodes.Node]:
    origin = nodes.inline("", "imported", classes=["bench-origin"])
    facts = [str(run.details["tool"]), *(str(run.details[k]) for k in _BUILD if run.details.get(k))]
    made: list[nodes.Node] = [paragraph(origin, " " + clean(", ".join(facts)))]
    source, started = clean(run.details.get("source") or ""), date_text(run.environment.started)
    rest = ", ".join(text for text in (source, started) if text)
    if rest:
        made.append(paragraph(rest, classes=["bench-detail"]))
    return made
