"""Tags of the benchmarked project, where asv's configuration names a repository that lies here."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final, NamedTuple

_FORMAT: Final = (
    "%(objectname) %(*objectname) %(committerdate:unix) %(*committerdate:unix) %(refname:strip=2)"
)
_TIMEOUT_S: Final = 30


class Tag(NamedTuple):
    """A name of a commit, and the commit's date in seconds since 1970."""

    name: str
    commit: str
    date_s: int


def local_repository(folder: Path, *, repo: str, project: str) -> Path | None:
    """The git repository that asv.conf.json in ``folder`` means: ``repo`` itself, or asv's clone of it.

    Nothing is fetched: where neither lies here, there is none.
    """
    for name in (repo, project):
        try:
            path = Path(folder, name).absolute()
            is_bare = (path / "HEAD").is_file() and (path / "objects").is_dir()
            if name and (is_bare or (path / ".git").exists()):
                return path
        except (OSError, ValueError):
            # An address of the web, or a name that no file can have.
            continue
    return None


def read_tags(repository: Path) -> tuple[Tag, ...]:
    """Tags of commits in ``repository``, the oldest commit first; none where git cannot say."""
    command = ["git", "-C", str(repository), "for-each-ref", f"--format={_FORMAT}", "refs/tags"]
    try:
        done = subprocess.run(
            command, capture_output=True, check=True, timeout=_TIMEOUT_S, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return ()
    tags = []
    for line in done.stdout.decode(errors="replace").splitlines():
        own, commit, date, commit_date, name = line.split(" ", 4)
        # An annotated tag is an object of its own, which names the commit.
        date = commit_date or date
        if date.lstrip("-").isdigit():
            tags.append(Tag(name, commit or own, int(date)))
    return tuple(sorted(tags, key=lambda tag: (tag.date_s, tag.name)))
