"""The records that one build shows: read once, their damage reported, their files depended upon."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from bench_lib.model import Run, status_words
from bench_lib.results import records
from bench_lib.sphinx_ext import scaling
from bench_lib.sphinx_ext.nodes import Cell, clean, literal, note, paragraph, table

logger = logging.getLogger(__name__)

#: Every page with a directive of ours depends on this file, which is how such pages are found again.
_MARK = Path(__file__)


@dataclass(frozen=True)
class Records:
    """What was read, and what could not be used: (path within the results directory, cause)."""

    runs: tuple[Run, ...]
    rejected: tuple[tuple[str, str], ...]
    paths: tuple[Path, ...]

    @property
    def digest(self) -> str:
        """Changes when a record is added or removed; a change in one is seen by its own file."""
        return hashlib.sha256("\n".join(map(str, self.paths)).encode()).hexdigest()


_records: WeakKeyDictionary[BuildEnvironment, Records] = WeakKeyDictionary()


def results_dir(app: Sphinx) -> Path:
    """The configured results directory, made absolute from the directory of ``conf.py``."""
    return Path(app.confdir, str(app.config.bench_lib_results)).resolve()


def read_records(app: Sphinx) -> None:
    """Read the records before any page is, so that forked readers share them; warn of damage once."""
    root = results_dir(app)
    loaded = records.load(root)
    rejected = []
    for error in loaded.damaged:
        # Pages are published: they carry no path of the machine that built them.
        relative = clean(error.path.relative_to(root))
        cause = clean(str(error).replace(f"{error.path}: ", "").replace(str(root), "results"))
        logger.warning("damaged record %s: %s", relative, cause, type="bench_lib", subtype="damaged-record")
        rejected.append((relative, cause))
    for run, path in zip(loaded.runs, loaded.paths, strict=True):
        cause = clean(scaling.unusable(run)) if run.benchmark == scaling.BENCHMARK else ""
        if cause:
            relative = clean(path.relative_to(root))
            logger.warning(
                "unusable record %s: %s", relative, cause, type="bench_lib", subtype="unusable-record"
            )
            rejected.append((relative, cause))
    _records[app.env] = Records(loaded.runs, tuple(rejected), tuple(records.iter_paths(root)))


def find_outdated(app: Sphinx, env: BuildEnvironment, *_: Any) -> list[str]:
    """Pages that show records, where records came or went since the last build."""
    digest = _records[env].digest
    before, env.bench_lib_digest = getattr(env, "bench_lib_digest", digest), digest  # type: ignore[attr-defined]
    if before == digest:
        return []
    return [
        name
        for name, dependencies in env.dependencies.items()
        if any((Path(env.srcdir) / d).resolve() == _MARK.resolve() for d in dependencies)
    ]


class BenchDirective(SphinxDirective):
    """Base of our directives: gives them the records and notes what the page depends on."""

    has_content = False

    def records(self) -> Records:
        """All records; the page is read again when one of them changes."""
        loaded = _records[self.env]
        for path in (_MARK, *loaded.paths):
            self.env.note_dependency(str(path))
        return loaded

    def section(self, title: str) -> nodes.section:
        """An empty section that can be linked to by its title."""
        made = nodes.section("", nodes.title(title, title), names=[nodes.fully_normalize_name(title)])
        self.state.document.note_implicit_target(made, made)
        return made

    def placed(self, *made: nodes.Node) -> list[nodes.Node]:
        """``made``, with the place in the source that messages about it should name."""
        for node in made:
            self.set_source_info(node)
        return list(made)


def rejected_note(loaded: Records) -> list[nodes.Node]:
    """A warning that names each record which could not be used; nothing where there is none."""
    return rejected_list(loaded.rejected, what="records", title="Damaged records")


def rejected_list(rejected: Sequence[tuple[str, str]], *, what: str, title: str) -> list[nodes.Node]:
    """A warning that names each of ``rejected``, (name, cause); nothing where there is none."""
    if not rejected:
        return []
    entries = [nodes.list_item("", paragraph(literal(name), ": " + cause)) for name, cause in rejected]
    text = paragraph(f"The {what} below could not be used, so their figures are missing here.")
    return [note(text, nodes.bullet_list("", *entries), title=title, kind="warning")]


def skips(
    cases: Sequence[tuple[Run, Cell, Cell]], *, what: str, widths: tuple[int, int, int, int]
) -> nodes.Element:
    """A folded table of runs without figures, each (run, what it is, reason); ``what`` heads it."""
    rows: list[list[Cell]] = [
        [case, status_words(run.status), [literal(run.details.get("reason_code") or "none given")], reason]
        for run, case, reason in cases
    ]
    classes = ["bench-runs", "bench-skips"]
    shown = table((what, "Status", "Code", "Reason"), rows, classes=classes, widths=widths)
    made = note(shown, title=f"Skipped or failed ({len(rows)})", kind="bench-earlier")
    made["collapsible"] = "closed"
    return made


def nothing_yet(what: str, command: str) -> nodes.Node:
    """Says that there is no record, and which command makes one."""
    return note(
        paragraph(f"No {what} yet. To measure on this machine and build the site: ", literal(command), ".")
    )
