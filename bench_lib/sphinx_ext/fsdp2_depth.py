"""Directives for variants, memory by owner, and the timeline of a step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from docutils import nodes
from sphinx.util import logging

from bench_lib.errors import DamagedFileError
from bench_lib.fsdp2 import charts, profile_record
from bench_lib.fsdp2.charts import Bar, Ink
from bench_lib.fsdp2.measure import VARIANT_BENCHMARK
from bench_lib.fsdp2.memory_command import BENCHMARK as MEMORY_BENCHMARK
from bench_lib.fsdp2.owners import OWNERS
from bench_lib.fsdp2.profile_record import Profile
from bench_lib.fsdp2.variants import BASELINE
from bench_lib.model import Run
from bench_lib.sphinx_ext import scaling
from bench_lib.sphinx_ext.chart_node import svg_node
from bench_lib.sphinx_ext.loading import BenchDirective, nothing_yet, rejected_list, results_dir
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, paragraph, table, two_lines
from bench_lib.sphinx_ext.series_table import hardware_title, interval_text, percent
from bench_lib.stats import ratio_interval
from bench_lib.units import format_value

logger = logging.getLogger(__name__)

_INKS: Final[tuple[tuple[str, Ink], ...]] = (("light", charts.LIGHT), ("dark", charts.DARK))
#: Beyond any memory; far from where axis arithmetic overflows.
_LARGEST: Final = 1e18
_MAX_RANKS: Final = 2**20


def _num_ranks(run: Run) -> int | None:
    found = run.params.get("num_ranks")
    usable = isinstance(found, int) and not isinstance(found, bool) and 1 <= found <= _MAX_RANKS
    return int(found) if usable else None  # type: ignore[arg-type]


def _owners(run: Run) -> dict[str, float]:
    """Bytes by owner; empty where the record has none that could be."""
    made: dict[str, float] = {}
    for owner in OWNERS:
        found = run.measurement(f"peak_{owner}")
        if found is None or not found.samples:
            continue
        value = found.samples[0]
        if not (math.isfinite(value) and 0 <= value < _LARGEST):
            return {}
        made[owner] = value
    return made if sum(made.values()) > 0 else {}


def _label(*parts: str) -> nodes.paragraph:
    return paragraph(nodes.strong("", " ".join(parts)), classes=["bench-label"])


class FsdpMemory(BenchDirective):
    """``bench-fsdp2-memory``: tracked memory by owner over ranks, one chart and table a configuration."""

    def run(self) -> list[nodes.Node]:
        groups: dict[tuple[str, ...], dict[int, Run]] = {}
        for run in sorted(self.records().runs, key=lambda r: r.environment.started):
            ranks = _num_ranks(run)
            if run.benchmark == MEMORY_BENCHMARK and run.status == "ok" and ranks and _owners(run):
                names = ("preset", "variant", "batch_per_rank", "sequence_length")
                key = (*(clean(run.params.get(name)) for name in names), run.origin)
                # The newest of each number of ranks: sorted by start, the last one stays.
                groups.setdefault(key, {})[ranks] = run
        made: list[nodes.Node] = []
        for (preset, variant, batch, length, origin), members in sorted(groups.items()):
            title = f"{preset}, {variant}, batch ({batch}, {length}) a rank: {origin}"
            made += [_label(title), *self._shown(title, dict(sorted(members.items())))]
        command = "bench-lib fsdp2 memory --preset minillm --ranks 1,8,64 --results results"
        return self.placed(*made) if made else self.placed(nothing_yet("memory by owner", command))

    def _shown(self, title: str, members: dict[int, Run]) -> list[nodes.Node]:
        bars = [Bar(str(ranks), _owners(run)) for ranks, run in members.items()]
        drawn = [(name, charts.stacked_memory(bars, title="", ink=ink)) for name, ink in _INKS]
        said = "; ".join(f"{b.label} ranks {format_value(sum(b.by_owner.values()), 'B')}" for b in bars)
        rows: list[list[Cell]] = [
            [
                bar.label,
                format_value(sum(bar.by_owner.values()), "B"),
                *(format_value(bar.by_owner.get(owner, 0.0), "B", digits=3) for owner in OWNERS),
            ]
            for bar in bars
        ]
        header = ("Ranks", "Peak", *OWNERS.values())
        methods = {clean(m.clock) for run in members.values() if (m := run.measurement("peak_allocated"))}
        return [
            svg_node(drawn, alt=f"Peak allocated by owner, {title}: {said}.", size_px=charts.SIZE_PX),
            table(header, rows, classes=["bench-memory"]),
            paragraph("; ".join(sorted(methods)) + ".", classes=["bench-provenance"]),
        ]


class FsdpVariants(BenchDirective):
    """``bench-fsdp2-variants``: variants of the step beside plain FSDP2 of the same session."""

    def run(self) -> list[nodes.Node]:
        sessions: dict[tuple[str, str, int, str], list[Run]] = {}
        for run in self.records().runs:
            ranks = _num_ranks(run)
            if run.benchmark == VARIANT_BENCHMARK and ranks:
                key = (run.hardware, clean(run.params.get("preset")), ranks, run.session)
                sessions.setdefault(key, []).append(run)
        newest: dict[tuple[str, str, int], list[Run]] = {}
        for key, runs in sorted(sessions.items(), key=lambda i: max(r.environment.started for r in i[1])):
            newest[key[:3]] = runs
        made: list[nodes.Node] = []
        for (hardware, preset, ranks), runs in sorted(newest.items()):
            plural = "s" if ranks != 1 else ""
            made += [
                _label(f"{preset} on {ranks} rank{plural}, {hardware_title(hardware)}"),
                self._table(runs),
            ]
        command = 'bench-lib run --bench "VariantStep"'
        return self.placed(*made) if made else self.placed(nothing_yet("variants", command))

    def _table(self, runs: Sequence[Run]) -> nodes.table:
        plain = next((r for r in runs if r.params.get("variant") == BASELINE and r.status == "ok"), None)
        base = scaling.summary_of(plain.measurement("step_time")) if plain else None
        rows: list[list[Cell]] = []
        for run in sorted(runs, key=lambda r: (r is not plain, clean(r.params.get("variant")))):
            name: Cell = [literal(run.params.get("variant"))]
            summary = scaling.summary_of(run.measurement("step_time")) if run.status == "ok" else None
            if summary is None:
                rows.append([name, f"{run.status.replace('_', ' ')}: {clean(run.reason)}"])
                continue
            ratio: Cell = "unknown"
            if run is plain:
                ratio = "1"
            elif base is not None:
                value, low, high = ratio_interval(summary, base)
                ratio = two_lines(percent(value), interval_text(value, low, high, "1"))
            allocated = run.measurement("peak_allocated")
            peak = (
                max((s for s in allocated.samples if math.isfinite(s)), default=None) if allocated else None
            )
            interval = interval_text(summary.median, summary.low, summary.high, "s")
            rows.append(
                [
                    name,
                    two_lines(format_value(summary.median, "s"), interval),
                    ratio,
                    format_value(peak, "B"),
                ]
            )
        header = ("Variant", "Step time", "Of plain FSDP2's", "Peak allocated")
        return table(header, rows, widths=(30, 26, 24, 20))


class FsdpTimelines(BenchDirective):
    """``bench-fsdp2-timelines``: one profiled step of rank 0, and its collectives by kind."""

    def run(self) -> list[nodes.Node]:
        self.records()
        root = results_dir(self.env.app)
        made: list[nodes.Node] = []
        rejected: list[tuple[str, str]] = []
        for path in profile_record.iter_paths(root):
            self.env.note_dependency(str(path))
            try:
                profile = profile_record.read(path)
            except DamagedFileError as error:
                cause = clean(str(error).replace(f"{path}: ", ""))
                relative = clean(path.relative_to(root))
                logger.warning(
                    "damaged profile %s: %s", relative, cause, type="bench_lib", subtype="damaged-record"
                )
                rejected.append((relative, cause))
                continue
            made += self._shown(profile)
        warning = rejected_list(rejected, what="profiles", title="Damaged profiles")
        command = "bench-lib fsdp2 communication --preset tiny --ranks 2 --results results"
        return self.placed(*warning, *(made or [nothing_yet("profiles of a step", command)]))

    def _shown(self, profile: Profile) -> list[nodes.Node]:
        title = f"{clean(profile.preset)}, {clean(profile.variant)}, rank 0 of {profile.num_ranks}"
        rank = profile.ranks[0]
        lanes = profile_record.lanes(rank)
        drawn = [(name, charts.timeline(lanes, title="", ink=ink)) for name, ink in _INKS]
        share = profile_record.exposed_share_of_step(rank)
        said = f"Timeline of one profiled step, {title}: communication is exposed for {percent(share)} of it."
        rows: list[list[Cell]] = [
            [
                total.kind,
                str(total.number),
                format_value(total.num_bytes, "B"),
                format_value(total.duration_s, "s"),
                percent(total.exposed_share),
                format_value(total.bus_bytes_per_s, "B/s", digits=3),
            ]
            for total in profile_record.totals(profile)
        ]
        made: list[Any] = [
            _label(title, "on", hardware_title(clean(profile.hardware))),
            svg_node(drawn, alt=said, size_px=charts.SIZE_PX),
            paragraph(said),
        ]
        if rows:
            header = ("Collective", "Number", "Bytes a step", "Time a step", "Exposed", "Bus bandwidth")
            made.append(table(header, rows))
        return made
