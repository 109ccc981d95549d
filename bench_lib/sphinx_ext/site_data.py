"""The results that one build shows: read once, when first asked for, and shared by all its pages."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from bench_lib.errors import UsageError
from bench_lib.results import records
from bench_lib.results.asv_config import config_near, parse_config
from bench_lib.results.store import content_digest
from bench_lib.results.tags import Tag, local_repository, read_tags
from bench_lib.sphinx_ext.page_names import file_names

if TYPE_CHECKING:
    import pandas as pd

    from bench_lib.results.frames import Results

#: Folder of the pages of benchmarks.
BENCHMARKS: Final = "benchmarks"
_HASH: Final = re.compile(r"[0-9a-f]{7,64}")
_WEB: Final = ("http", "https")


@dataclass(frozen=True)
class Project:
    """What ``asv.conf.json`` says of the benchmarked project; empty where there is none.

    ``repository`` is where it lies on this machine, which pages do not show.
    """

    name: str = ""
    url: str = ""
    show_commit_url: str = ""
    repository: Path | None = None


class SiteData:
    """Results of ``directory`` as pages use them; nothing is read before it is asked for.

    Parameters
    ----------
    directory
        asv's results, our records, or both. A directory that does not exist has nothing in it.
    show_commit_url
        What the hash of a commit is appended to; empty: as asv.conf.json beside the results says.
    min_change
        Steps that change a level by less than this part of it are left out of :attr:`changes`.
    sources
        Names of the page sources of this build; ``None``: all. Nothing links to pages of others.
    """

    def __init__(
        self,
        directory: Path,
        *,
        show_commit_url: str = "",
        min_change: float = 0.01,
        sources: Collection[str] | None = None,
    ) -> None:
        self.directory = directory
        self._sources = None if sources is None else frozenset(sources)
        self.min_change = min_change
        self._show_commit_url = show_commit_url

    def makes(self, source: str) -> bool:
        """Whether this build makes the pages of ``source``, so that they can be linked to."""
        return self._sources is None or source in self._sources

    @cached_property
    def digest(self) -> str:
        """Changes with the name or content of any file of the results, asv.conf.json, and with tags."""
        path = config_near(self.directory)
        config = digest_of_file(path) if path is not None else ""
        tags = hashlib.blake2b(repr(self.tags).encode(errors="replace"), digest_size=8).hexdigest()
        # A folder without results may be anybody's, and large: it is not read.
        return digest_of(self.directory if self.seems_to_have_results else None) + config + tags

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        """Tags of the project's commits, where its repository lies on this machine."""
        return read_tags(self.project.repository) if self.project.repository is not None else ()

    @cached_property
    def results(self) -> Results:
        """Everything that could be read, and what could not: :func:`bench_lib.results.read`."""
        from bench_lib.results.frames import read_results

        directory = self.directory
        if not directory.is_dir():
            raise UsageError.of("results directory", found=str(directory), expected="a folder with results")
        return read_results(directory, samples=True, cache=True)

    @cached_property
    def has_results(self) -> bool:
        """Whether there is at least one row."""
        return self.directory.is_dir() and len(self.results.frame) > 0

    @cached_property
    def seems_to_have_results(self) -> bool:
        """Whether there are files of results, told without reading them."""
        if not self.directory.is_dir():
            return False
        files = (p for p in self.directory.glob("*/*.json") if p.name != "machine.json")
        return next(files, None) is not None or any(records.iter_paths(self.directory))

    @property
    def frame(self) -> pd.DataFrame:
        """All rows, as :mod:`bench_lib.results.frames` describes them."""
        return self.results.frame

    @cached_property
    def newest(self) -> pd.DataFrame:
        """The newest row of each series, whatever its status."""
        from bench_lib.results.lookup import newest

        return newest(self.frame)

    @cached_property
    def without_value(self) -> pd.DataFrame:
        """Rows of runs that were skipped, failed or timed out, with their reasons; the newest first."""
        rows = self.frame[(self.frame["status"] != "ok").to_numpy()]
        return rows.sort_values("date", ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def changes(self) -> pd.DataFrame:
        """Relevant steps in every series, the newest first, as ``bench-lib changes`` gives them."""
        from bench_lib.results.series_changes import find_changes

        found = find_changes(self.frame, self.results.benchmarks, min_change=self.min_change)
        return self.results.rules.applied(found, frame=self.frame, parameters=self.results.parameters)

    @cached_property
    def commits(self) -> pd.DataFrame:
        """Each commit once, with its ``date``, in the order of dates: what the x axes of charts count."""
        pairs = self.frame[["commit", "date"]]
        # Of several dates, the earliest: asv gives one commit one date, a clock that was wrong does not.
        first = pairs.groupby("commit", observed=True)["date"].min().reset_index()
        first["commit"] = first["commit"].astype(str)
        return first.sort_values(["date", "commit"], kind="stable", ignore_index=True)

    @cached_property
    def page_names(self) -> Mapping[str, str]:
        """Benchmark → name of its page, such as ``benchmarks/module.suite.time_it``, made or not."""
        files = file_names(self.results.benchmarks)
        return {name: f"{BENCHMARKS}/{file}" for name, file in files.items()}

    @cached_property
    def project(self) -> Project:
        """What the nearest asv.conf.json says: in the results, or in a folder above them, up to two."""
        path = config_near(self.directory)
        return Project() if path is None else read_project(path)

    def commit_url(self, commit: str) -> str:
        """Where ``commit`` can be read; empty where nothing says, or where it is no hash."""
        base = self.commit_url_base
        return base + commit if base and _HASH.fullmatch(commit) else ""

    @cached_property
    def commit_url_base(self) -> str:
        """What the hash of a commit is appended to; empty where nothing says."""
        return self._show_commit_url or self.project.show_commit_url


def read_project(path: Path) -> Project:
    """What asv's configuration says of the project; what is not understood is left out."""
    try:
        found = parse_config(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Project()
    if found is None:
        return Project()
    return Project(
        name=_text(found.get("project")),
        url=web_address(_text(found.get("project_url"))),
        show_commit_url=web_address(_text(found.get("show_commit_url"))),
        repository=local_repository(
            path.parent, repo=_text(found.get("repo")), project=_text(found.get("project"))
        ),
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def web_address(text: str) -> str:
    """``text`` where it is an address of the web, else nothing: ``javascript:`` is no link."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    is_plain = not re.search(r"[\s\x00-\x1f\"'<>\\^`{|}]", text)
    return text if parts.scheme in _WEB and parts.netloc and is_plain else ""


def digest_of(directory: Path | None) -> str:
    """Hash over the names and contents of all files below ``directory``; of nothing where it is missing."""
    total = hashlib.blake2b(digest_size=16)
    for folder, folders, names in os.walk(directory) if directory is not None else ():
        folders.sort()
        inside = os.path.relpath(folder, directory)
        for name in sorted(names):
            path = Path(folder, name)
            try:
                status = path.stat()
                if not stat.S_ISREG(status.st_mode):
                    continue
                digest = content_digest(path, status)
            except OSError:
                digest = b"unreadable"
            total.update(f"{inside}/{name}\0".encode(errors="surrogateescape") + digest)
    return total.hexdigest()


def digest_of_file(path: Path) -> str:
    """Hash over the content of ``path``; a word where it cannot be read."""
    try:
        return content_digest(path, path.stat()).hex()
    except OSError:
        return "unreadable"
