"""The directive that shows edge records: kernels by device, roofs, transfers, and what was skipped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docutils import nodes

from bench_lib.edge.break_even import break_even_bytes, medians
from bench_lib.edge.device_roofs import has_work, placement
from bench_lib.model import Run
from bench_lib.sphinx_ext.edge_sessions import Session, by_device, kernel_label, sessions, summary
from bench_lib.sphinx_ext.loading import BenchDirective, nothing_yet, rejected_note, skips
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, note, paragraph, table, two_lines
from bench_lib.sphinx_ext.series_table import (
    commit_text,
    date_text,
    hardware_title,
    interval_text,
)
from bench_lib.units import format_value

COMMAND: Final = "make report"
_MODES: Final = ("mapped", "imported", "staged")
_NONE: Final = "–"
_SOFTWARE: Final = (
    "Software devices run on the processor. Their figures show that the kernels are right and how they "
    "change from commit to commit; they are not compared with a GPU's."
)
_MAX_EARLIER: Final = 10


class EdgeResults(BenchDirective):
    """``bench-edge-results``: kernels × devices, then a section a device."""

    def run(self) -> list[nodes.Node]:
        loaded = self.records()
        found = sessions(loaded.runs)
        made = rejected_note(loaded)
        if not found:
            return self.placed(*made, nothing_yet("edge records", COMMAND))
        devices = by_device(found)
        newest = [next((s for s in members if s.kernels), members[0]) for members in devices.values()]
        for title, chosen in (
            ("GPUs", [s for s in newest if not s.is_software and s.kernels]),
            ("Software devices", [s for s in newest if s.is_software and s.kernels]),
        ):
            if chosen:
                section = self.section(
                    f"Kernels by device: {title}" if len(newest) > 1 else "Kernels by device"
                )
                if title != "GPUs":
                    section += note(paragraph(_SOFTWARE))
                section += _matrix(chosen)
                made.append(section)
        for members in devices.values():
            made.append(self._device(members))
        return self.placed(*made)

    def _device(self, members: Sequence[Session]) -> nodes.section:
        first = members[0]
        made = self.section(hardware_title(first.hardware))
        kind = "software device" if first.is_software else "GPU"
        made += paragraph("Hardware ", literal(first.hardware), f" · {kind}", classes=["bench-provenance"])
        shown = [s for s in members if s.kernels][:1] + [s for s in members if s.transfers][:1]
        shown = list({id(s): s for s in shown}.values()) or [first]
        for session in shown:
            made.extend(session_nodes(session))
        earlier = [s for s in members if s not in shown and (s.kernels or s.transfers)]
        if earlier:
            inside = [n for s in earlier[:_MAX_EARLIER] for n in session_nodes(s)]
            folded = note(*inside, title=f"Earlier sessions ({len(earlier)})", kind="bench-earlier")
            folded["collapsible"] = "closed"
            made += folded
        return made


def session_nodes(session: Session) -> list[nodes.Node]:
    """Everything that one session measured."""
    made: list[nodes.Node] = [provenance(session)]
    if session.kernels:
        made += [*_roofs(session), _kernel_table(session), *_drift(session)]
    if session.transfers:
        made += _transfers(session)
    if session.without_figures:
        made.append(_without_figures(session))
    return made


def provenance(session: Session) -> nodes.paragraph:
    """Where the figures come from, in one line."""
    run = max(session.runs, key=lambda r: r.environment.started)
    e = run.environment
    parts: list[str | nodes.Node] = []
    if run.origin != "measured":
        parts += [nodes.inline("", run.origin, classes=["bench-origin"]), ", not measured · "]
    else:
        parts.append("measured ")
    parts += [date_text(e.started), " · commit ", literal(commit_text(e.commit))]
    if e.dirty:
        parts.append(" with uncommitted changes")
    api, version = run.details.get("api"), run.details.get("api_version")
    if api is not None:
        parts.append(f" · {clean(str(api).capitalize())} {clean(version)}")
    parts.append(f" · {clean(e.driver or 'unknown driver')}")
    if e.num_cpus is not None and session.is_software:
        parts.append(f" · {e.num_cpus} CPUs")
    return paragraph(*parts, classes=["bench-provenance"])


def _time(run: Run, metric: str) -> Cell:
    found = summary(run, metric)
    if found is None:
        return _NONE
    if found.num_samples == 1:
        return format_value(found.median, "s")
    bounds = interval_text(found.median, found.low, found.high, "s")
    return two_lines(format_value(found.median, "s"), bounds)


def _share(run: Run, session: Session, metric: str) -> str:
    if summary(run, metric) is None or not has_work(run):
        return _NONE
    placed = placement(run, session.roofs, metric=metric)
    return "unknown" if placed is None else f"{placed.share_of_roof:.0%}"


def _best_metric(run: Run) -> str:
    """The cold figure where there is one: the warm one may be of a cache."""
    return "dispatch_time_cold" if summary(run, "dispatch_time_cold") else "dispatch_time"


def _matrix(chosen: Sequence[Session]) -> nodes.table:
    keys: dict[tuple[str, str], None] = {}
    for session in chosen:
        for run in session.kernels:
            keys[(kernel_label(run), str(run.params.get("sizes")))] = None
    rows: list[list[Cell]] = []
    for label, sizes in sorted(keys):
        row: list[Cell] = [two_lines(clean(label), clean(sizes))]
        for session in chosen:
            matching = [
                r for r in session.kernels if (kernel_label(r), str(r.params.get("sizes"))) == (label, sizes)
            ]
            if not matching:
                row.append(_NONE)
                continue
            run = matching[0]
            metric = _best_metric(run)
            found = summary(run, metric)
            assert found is not None
            share = _share(run, session, metric)
            caches = "cold" if metric.endswith("cold") else "warm"
            place = caches if share == _NONE else f"{share} of roof, {caches}"
            row.append(two_lines(format_value(found.median, "s"), place))
        rows.append(row)
    header: list[Cell] = ["Kernel", *(clean(hardware_title(s.hardware)) for s in chosen)]
    return table(header, rows, classes=["bench-figures"])


_HEADER: Final[tuple[Cell, ...]] = (
    two_lines("Kernel", "sizes"),
    two_lines("Warm", "median [99 %]"),
    two_lines("Of roof", "warm"),
    two_lines("Cold", "median [99 %]"),
    two_lines("Of roof", "cold"),
    two_lines("Submit → start", "one run"),
    two_lines("Round trip", "one run"),
    two_lines("Pipeline", "cold creation"),
    two_lines("First run", "in a process"),
    two_lines("CPU time", "a warm run"),
    two_lines("Clock", "variant"),
)


def _kernel_table(session: Session) -> nodes.table:
    rows: list[list[Cell]] = []
    for run in session.kernels:
        found = run.measurement("dispatch_time")
        rows.append(
            [
                two_lines(clean(kernel_label(run)), clean(run.params.get("sizes", ""))),
                _time(run, "dispatch_time"),
                _share(run, session, "dispatch_time"),
                _time(run, "dispatch_time_cold"),
                _share(run, session, "dispatch_time_cold"),
                _time(run, "submit_to_start"),
                _time(run, "round_trip"),
                _time(run, "pipeline_creation"),
                _time(run, "first_run"),
                _time(run, "dispatch_cpu_time"),
                two_lines(clean(found.clock if found else ""), clean(run.details.get("variant") or "")),
            ]
        )
    return table(_HEADER, rows, classes=["bench-figures"])


def _roofs(session: Session) -> list[nodes.Node]:
    roofs = session.roofs
    if roofs is None:
        return [paragraph("This session measured no roofs, so no share of them is known.")]
    parts = [f"copy {format_value(roofs.bytes_per_s, 'B/s')}"]
    parts += [
        f"{clean(d)} matrix product {format_value(r, 'FLOP/s')}" for d, r in sorted(roofs.flop_per_s.items())
    ]
    ways = sorted({clean(r.details["way"]) for r in session.roof_runs if r.details.get("way")})
    text = f"Roofs of this device, measured in this session: {'; '.join(parts)} (by {', '.join(ways)})."
    return [paragraph(text, classes=["bench-work"])]


def _drift(session: Session) -> list[nodes.Node]:
    entries = []
    for run in session.drifting:
        words = []
        for flag, change, name in (("drifts", "drift", "warm"), ("cold_drifts", "cold_drift", "cold")):
            value = run.details.get(change)
            if run.details.get(flag) and isinstance(value, int | float):
                words.append(f"{name} samples moved by {value:+.0%}")
        entries.append(nodes.list_item("", paragraph(f"{clean(kernel_label(run))}: {', '.join(words)}")))
    if not entries:
        return []
    text = paragraph(
        "Samples of these kernels have a trend, as of a device that heats up, changes its clock or is "
        "shared. Measure again with ",
        literal("--cool-down"),
        ".",
    )
    return [note(text, nodes.bullet_list("", *entries), title="Drift")]


def _transfers(session: Session) -> list[nodes.Node]:
    times = medians(session.transfers)
    with_read = medians(session.transfers, metric="transfer_and_read_time")
    names = {str(r.params.get("mode")): str(r.details.get("memory_type") or "") for r in session.transfers}
    modes = [m for m in _MODES if m in times]
    header: list[Cell] = ["Bytes", *(two_lines(m, clean(names.get(m, ""))) for m in modes)]
    rows: list[list[Cell]] = []
    for size in sorted({s for of_mode in times.values() for s in of_mode}):
        row: list[Cell] = [format_value(size, "B")]
        for mode in modes:
            alone, read = times[mode].get(size), with_read.get(mode, {}).get(size)
            row.append(
                _NONE
                if alone is None
                else two_lines(format_value(alone, "s"), f"{format_value(read, 's')} with a read")
            )
        rows.append(row)
    unified = {r.details.get("unified_memory") for r in session.transfers}
    where = "unified with the host's" if unified == {True} else "the device's own"
    made: list[nodes.Node] = [
        paragraph(
            nodes.strong("", "From the host to the device"),
            f", median; memory is {where}. Below each, with one read of all bytes by the device.",
            classes=["bench-label"],
        ),
        table(header, rows, classes=["bench-figures", "bench-transfers"]),
    ]
    sentences = []
    # Only with the device's read does every mode pay for a bus between the two.
    compared = times if unified == {True} else with_read
    for mode in modes:
        if mode == "mapped" or "mapped" not in compared or mode not in compared:
            continue
        at = break_even_bytes(compared[mode], compared["mapped"])
        where = f"from {format_value(at, 'B')} up" if at is not None else "at no size measured"
        sentences.append(f"{mode} costs less than a mapped write {where}")
    if sentences:
        made.append(paragraph(f"Break-even: {'; '.join(sentences)}.", classes=["bench-work"]))
    return made


def _without_figures(session: Session) -> nodes.Element:
    def case(run: Run) -> Cell:
        parameters = ", ".join(f"{clean(k)}={clean(v)}" for k, v in sorted(run.params.items()))
        return two_lines(clean(run.benchmark.removeprefix("edge.")), parameters)

    return skips(
        [(run, case(run), clean(run.reason)) for run in session.without_figures],
        what="What",
        widths=(26, 10, 24, 40),
    )
