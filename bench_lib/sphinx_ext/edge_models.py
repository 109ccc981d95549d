"""The directive that shows one small model on many frameworks, fastest first, with error and bytes beside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from docutils import nodes

from bench_lib.edge.models import decoder
from bench_lib.edge.models.present import MAIN_METRIC, is_software, relative
from bench_lib.model import Run
from bench_lib.sphinx_ext.edge_sessions import summary
from bench_lib.sphinx_ext.loading import BenchDirective, nothing_yet, rejected_note, skips
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, note, paragraph, table, two_lines
from bench_lib.sphinx_ext.series_table import (
    commit_text,
    date_text,
    hardware_title,
    interval_text,
)
from bench_lib.units import Unit, format_value

COMMAND: Final = "bench-lib edge models --workload all --results results"
_TITLES: Final = {"edge_models.Decoder": "Decoder", "edge_models.Block": "Transformer block"}
_NONE: Final = "–"
_SOFTWARE: Final = (
    "Software devices run on the processor: the figures show that a back end works there and how it changes "
    "from commit to commit, not what a GPU does. They are compared with each other only."
)
_COUNTS: Final = ("delegates", "nodes_not_delegated", "dispatches")


@dataclass(frozen=True)
class Group:
    """Runs that a table compares: of one workload, machine and kind of device.

    ``is_interleaved`` tells whether one session took their samples in turns; else they come from one commit,
    one after another.
    """

    benchmark: str
    hardware: str
    is_software: bool
    is_interleaved: bool
    runs: tuple[Run, ...]

    @property
    def good(self) -> tuple[Run, ...]:
        """Those with figures, fastest first."""
        metric = MAIN_METRIC[self.benchmark]
        timed = [(found.median, r) for r in self.runs if (found := summary(r, metric))]
        return tuple(r for _, r in sorted(timed, key=lambda pair: pair[0]))


def groups(runs: Iterable[Run]) -> tuple[Group, ...]:
    """What each table holds: of a machine, the newest session of several cases, or else the newest commit."""
    by_place: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        if run.benchmark in MAIN_METRIC and run.origin == "measured":
            by_place.setdefault((run.benchmark, run.hardware), []).append(run)
    made: list[Group] = []
    for (benchmark, hardware), members in sorted(by_place.items(), key=lambda item: _order(item[0])):
        chosen, is_interleaved = _comparable(members)
        for software in (False, True):
            own = tuple(r for r in chosen if is_software(r) is software)
            if own:
                made.append(Group(benchmark, hardware, software, is_interleaved, own))
    return tuple(made)


def _was_in_turns(run: Run) -> bool:
    count = run.details.get("cases_in_turns")
    return isinstance(count, int) and count > 1


def _order(place: tuple[str, str]) -> tuple[int, str]:
    return list(MAIN_METRIC).index(place[0]), place[1]


def _comparable(members: Sequence[Run]) -> tuple[list[Run], bool]:
    sessions: dict[str, list[Run]] = {}
    for run in members:
        sessions.setdefault(run.session, []).append(run)
    several = [s for name, s in sessions.items() if name and all(map(_was_in_turns, s))]
    if several:
        return max(several, key=lambda s: max(r.environment.started for r in s)), True
    newest = max(members, key=lambda r: r.environment.started)
    cases: dict[str, Run] = {}
    for run in sorted(members, key=lambda r: r.environment.started):
        same = (run.environment.commit, run.environment.torch) == (
            newest.environment.commit,
            newest.environment.torch,
        )
        if same:
            cases[repr(sorted(run.params.items()))] = run
    return list(cases.values()), False


class EdgeModels(BenchDirective):
    """``bench-edge-models``: a table a workload, machine and kind of device."""

    def run(self) -> list[nodes.Node]:
        loaded = self.records()
        made = rejected_note(loaded)
        found = groups(loaded.runs)
        if not found:
            return self.placed(*made, nothing_yet("records of small models", COMMAND))
        for group in found:
            title = f"{_TITLES[group.benchmark]}: {hardware_title(group.hardware)}"
            if group.is_software:
                title += ", software devices"
            section = self.section(title)
            section.extend(_group_nodes(group))
            made.append(section)
        return self.placed(*made)


def _group_nodes(group: Group) -> list[nodes.Node]:
    made: list[nodes.Node] = [_provenance(group)]
    if group.is_software:
        made.append(note(paragraph(_SOFTWARE)))
    good = group.good
    if good:
        header = _DECODER if group.benchmark == "edge_models.Decoder" else _BLOCK
        rows = [_row(run, good) for run in good]
        made.append(table(header, rows, classes=["bench-figures"]))
    drifting = [r for r in good if r.details.get("drifts")]
    if drifting:
        names = ", ".join(_case(r) for r in drifting)
        made.append(note(paragraph(f"Samples have a trend: {names}."), title="Drift"))
    rest = [r for r in group.runs if r not in good]
    if rest:
        made.append(_without_figures(rest))
    return made


def _provenance(group: Group) -> nodes.paragraph:
    run = max(group.runs, key=lambda r: r.environment.started)
    e = run.environment
    how = "samples taken in turns" if group.is_interleaved else "one case after another"
    threads = run.details.get("threads", "unknown")
    parts: list[str | nodes.Node] = [
        f"measured {date_text(e.started)} · commit ",
        literal(commit_text(e.commit)),
        " with uncommitted changes" if e.dirty else "",
        f" · {how} · {clean(threads)} {'thread' if threads == 1 else 'threads'}",
    ]
    return paragraph(*parts, classes=["bench-provenance"])


def _case(run: Run) -> str:
    return clean(run.params.get("case", ""))


_FIRST: Final[tuple[Cell, ...]] = (
    two_lines("Framework", "version"),
    two_lines("Device", "observed"),
    "Precision",
)
# Error and bytes stand beside the speed that they pay for.
_BESIDE: Final[tuple[Cell, ...]] = (
    two_lines("To fastest", "1 is the fastest"),
    two_lines("Error", "relative, to float64"),
    two_lines("Model", "bytes on disk"),
)
_LAST: Final[tuple[Cell, ...]] = (
    two_lines("Load", "first inference"),
    two_lines("Peak RSS", "of the process"),
    "Counts",
)
_DECODER: Final[tuple[Cell, ...]] = (
    *_FIRST,
    two_lines("Decode", "a token [99 %]"),
    *_BESIDE,
    two_lines("Decode", "tokens/s"),
    two_lines("Prefill", "tokens/s"),
    two_lines("First token", "median"),
    *_LAST,
)
_BLOCK: Final[tuple[Cell, ...]] = (*_FIRST, two_lines("Latency", "median [99 %]"), *_BESIDE, *_LAST)


def _row(run: Run, runs: Sequence[Run]) -> list[Cell]:
    main = MAIN_METRIC[run.benchmark]
    ratio = relative(run, runs)
    row: list[Cell] = [
        two_lines(clean(run.details.get("framework", "")), clean(run.details.get("framework_version", ""))),
        two_lines(clean(run.details.get("device_observed", "")), clean(run.details.get("device_name", ""))),
        clean(run.details.get("precision", "")),
        _time(run, main),
        _NONE if ratio is None else f"{ratio:.2f}",
        _error(run),
        _value(run, "artefact_size", "B"),
    ]
    if run.benchmark == "edge_models.Decoder":
        row += [
            _rate(run, "decode_time", 1),
            _rate(run, "prefill_time", decoder.PROMPT_LENGTH),
            _value(run, "time_to_first_token", "s"),
        ]
    return [
        *row,
        two_lines(_value(run, "model_load_time", "s"), _value(run, "first_inference_time", "s")),
        _value(run, "peak_rss", "B"),
        _counts(run),
    ]


def _time(run: Run, metric: str) -> Cell:
    found = summary(run, metric)
    if found is None:
        return _NONE
    return two_lines(format_value(found.median, "s"), interval_text(found.median, found.low, found.high, "s"))


def _rate(run: Run, metric: str, num_tokens: int) -> str:
    found = summary(run, metric)
    if found is None:
        return _NONE
    rate = num_tokens / found.median
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def _value(run: Run, metric: str, unit: Unit) -> str:
    found = summary(run, metric)
    return _NONE if found is None else format_value(found.median, unit, digits=3)


def _error(run: Run) -> str:
    found = run.measurement("output_error")
    # An error of nothing at all is right, and no time: `summary` would refuse it.
    return "unknown" if found is None or not found.samples else f"{found.samples[0]:.1g}"


def _counts(run: Run) -> str:
    counts = [
        f"{clean(key).replace('_', ' ')} {clean(value)}"
        for key, value in sorted(run.details.items())
        if key.endswith(_COUNTS)
    ]
    return ", ".join(counts) or _NONE


def _without_figures(runs: Sequence[Run]) -> nodes.Element:
    def reason(run: Run) -> Cell:
        return [paragraph(clean(run.reason)), paragraph(_kept(run), classes=["bench-detail"])]

    return skips([(run, _case(run), reason(run)) for run in runs], what="Case", widths=(26, 10, 20, 44))


def _kept(run: Run) -> str:
    size = run.details.get("artefact_bytes")
    if not isinstance(size, int | float) or isinstance(size, bool):
        return ""
    counts = _counts(run)
    return f"lowered: {format_value(size, 'B', digits=3)}" + (f", {counts}" if counts != _NONE else "")
