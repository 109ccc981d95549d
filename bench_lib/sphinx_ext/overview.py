"""Directives that show devices, runs without figures, metrics and the fields of a record."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import ClassVar, Final

from docutils import nodes

from bench_lib import model
from bench_lib.hardware import all_hardware, find
from bench_lib.metrics import METRICS
from bench_lib.model import Run, status_words
from bench_lib.sphinx_ext.device_names import KINDS
from bench_lib.sphinx_ext.fsdp2 import COMMAND
from bench_lib.sphinx_ext.imported import is_of_another_tool
from bench_lib.sphinx_ext.loading import BenchDirective, nothing_yet, rejected_note
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, paragraph, table, two_lines, with_code
from bench_lib.sphinx_ext.series_table import commit_text, date_text
from bench_lib.units import format_value

_DTYPES: Final = ("float64", "float64_tensor", "float32", "tf32", "bfloat16", "float16", "float8")


class Devices(BenchDirective):
    """``bench-hardware``: every device with a file, one table a kind, with its peaks and source."""

    def run(self) -> list[nodes.Node]:
        made: list[nodes.Node] = []
        for kind, title in KINDS.items():
            devices = [h for h in all_hardware() if h.kind == kind]
            if not devices:
                continue
            dtypes = [d for d in _DTYPES if any(d in h.peak_flop_per_s for h in devices)]
            rest = sorted({d for h in devices for d in h.peak_flop_per_s} - set(dtypes))
            header: list[Cell] = [title, "Memory", "Bandwidth"]
            for dtype in (*dtypes, *rest):
                plain = dtype.removesuffix("_tensor")
                header.append(plain if plain == dtype else two_lines(plain, "tensor"))
            rows: list[list[Cell]] = []
            for h in sorted(devices, key=lambda h: h.name):
                row: list[Cell] = [
                    [paragraph(h.name), paragraph(literal(h.slug), classes=["bench-detail"])],
                    format_value(h.memory_bytes, "B", digits=3),
                    format_value(h.memory_bandwidth_bytes_per_s, "B/s"),
                ]
                row += [_tera(h.peak_flop_per_s.get(d)) for d in (*dtypes, *rest)]
                rows.append(row)
            widths = (26, 10, 12, *(9 for _ in (*dtypes, *rest)))
            made.append(table(header, rows, classes=["bench-figures", "bench-devices"], widths=widths))
            sources = [
                nodes.list_item("", paragraph(f"{h.name}: {h.source} (entered {h.date}).")) for h in devices
            ]
            made += [nodes.rubric("", "Sources"), nodes.bullet_list("", *sources)]
        return self.placed(*made)


def _tera(value: float | None) -> str:
    return "–" if value is None else f"{value / 1e12:.4g}"


class MeasuredHardware(BenchDirective):
    """``bench-measured-hardware``: the hardware that records were made on, and how many of each status."""

    def run(self) -> list[nodes.Node]:
        loaded = self.records()
        if not loaded.runs:
            return self.placed(*rejected_note(loaded), nothing_yet("records", COMMAND))
        rows: list[list[Cell]] = []
        # What is simulated was made on no hardware.
        made_here = [r for r in loaded.runs if r.origin != "simulated"]
        for slug in sorted({r.hardware for r in made_here}):
            runs = [r for r in made_here if r.hardware == slug]
            known = find(slug)
            # A run that was skipped may not say what it would have run on; the others do.
            kinds = sorted({_kind(r) for r in runs} - {"unknown"}) or ["unknown"]
            counts = Counter(r.status for r in runs)
            statuses = ", ".join(f"{counts[s]} {status_words(s)}" for s in sorted(counts))
            rows.append(
                [
                    [literal(slug)],
                    known.name if known else "no device file: peaks unknown",
                    ", ".join(kinds),
                    statuses,
                    date_text(max(r.environment.started for r in runs)),
                ]
            )
        header = ("Hardware", "Device file", "Kind", "Records", "Latest")
        return self.placed(*rejected_note(loaded), table(header, rows, widths=(26, 24, 10, 18, 22)))


def _kind(run: Run) -> str:
    known = find(run.hardware)
    if known is not None:
        return KINDS[known.kind]
    device_kind = run.details.get("device_kind")
    if device_kind in KINDS:
        return KINDS[str(device_kind)]
    return {"cpu": "CPU", "cuda": "GPU"}.get(str(run.details.get("device")), "unknown")


class RunsWithoutFigures(BenchDirective):
    """``bench-runs``: every run of ours that was skipped, failed or timed out, and why.

    What another tool left out is on the page of imported results, beside what it measured.
    """

    def run(self) -> list[nodes.Node]:
        loaded = self.records()
        ours = [r for r in loaded.runs if not is_of_another_tool(r)]
        runs = sorted(
            (r for r in ours if r.status != "ok"),
            key=lambda r: (r.status, r.benchmark, r.hardware, _params(r)),
        )
        made = rejected_note(loaded)
        if not ours:
            return self.placed(*made, nothing_yet("records", COMMAND))
        if not runs:
            text = f"All {len(ours)} runs on record gave figures."
            return self.placed(*made, paragraph(text))
        rows: list[list[Cell]] = []
        for r in runs:
            status = status_words(r.status)
            if r.failed_rank is not None:
                status += f", rank {r.failed_rank} first"
            e = r.environment
            when = [
                paragraph(date_text(e.started)),
                paragraph(literal(commit_text(e.commit)), classes=["bench-detail"]),
            ]
            what = [
                paragraph(literal(r.benchmark)),
                paragraph(_params(r), classes=["bench-detail"]),
            ]
            rows.append([what, status, clean(r.reason), [literal(r.hardware)], when])
        header = ("Benchmark", "Status", "Reason", "Hardware", "Started")
        return self.placed(*made, table(header, rows, classes=["bench-runs"], widths=(20, 12, 34, 18, 16)))


def _params(run: Run) -> str:
    return ", ".join(f"{clean(k)}={clean(v)}" for k, v in sorted(run.params.items()))


class Metrics(BenchDirective):
    """``bench-metrics``: every metric, from :data:`bench_lib.metrics.METRICS`."""

    def run(self) -> list[nodes.Node]:
        rows: list[list[Cell]] = [
            [
                [paragraph(m.title), paragraph(literal(m.name), classes=["bench-detail"])],
                "none" if m.unit == "1" else [literal(m.unit)],
                m.better,
                with_code(m.description),
            ]
            for m in METRICS.values()
        ]
        return self.placed(table(("Metric", "Unit", "Better", "What it is"), rows, widths=(20, 9, 9, 62)))


class RecordFields(BenchDirective):
    """``bench-record-fields``: the fields of one dataclass of :mod:`bench_lib.model`, named as argument."""

    required_arguments = 1
    option_spec: ClassVar = {}

    def run(self) -> list[nodes.Node]:
        kind = getattr(model, self.arguments[0], None)
        if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
            raise self.error(f"no dataclass {self.arguments[0]!r} in bench_lib.model")
        rows: list[list[Cell]] = []
        for f in dataclasses.fields(kind):
            if f.default is not dataclasses.MISSING:
                default: Cell = [literal(repr(f.default))]
            else:
                default = "required" if f.default_factory is dataclasses.MISSING else "empty"
            rows.append([[literal(f.name)], [literal(f.type)], default])
        return self.placed(table(("Field", "Type", "Default"), rows, widths=(25, 55, 20)))
