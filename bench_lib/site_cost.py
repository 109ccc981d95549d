"""What publishing results costs, here and with ``asv publish``: processor time, memory, files, bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench_lib.errors import BenchLibError
from bench_lib.results import records, synthetic
from bench_lib.results.store import CACHE_VARIABLE


@dataclass(frozen=True)
class SiteCost:
    """Cost of one build, of its process and all that it started; size of what it wrote."""

    cpu_time_s: float
    peak_rss_bytes: int
    num_files: int
    num_bytes: int


def write_published_store(directory: Path, *, num_commits: int, num_benchmarks: int = 200) -> None:
    """A project as asv publishes it: results of 3 machines, a repository of their commits, a configuration.

    The repository is ``repository``, the results ``results``; commits are empty, a day apart.
    """
    synthetic.write_store(directory / "results", num_commits=num_commits, num_benchmarks=num_benchmarks)
    _give_repository(directory)


def copy_published_store(results: Path, *, directory: Path) -> None:
    """A project with asv's files of ``results``, and a made-up repository of their commits.

    asv draws only commits of a repository, which published results seldom bring. The commits here have the
    dates of those of the results and stand for them: each hash is replaced wherever a results file has it.
    """
    for path in (p for p in results.rglob("*.json") if p.relative_to(results).parts[0] != records.DIRECTORY):
        target = directory / "results" / path.relative_to(results)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    _give_repository(directory)


def _give_repository(directory: Path) -> None:
    results = directory / "results"
    dates: dict[str, int] = {}
    paths: dict[str, list[Path]] = {}
    for path in sorted(results.glob("*/*.json")):
        content = json.loads(path.read_bytes())
        if "commit_hash" in content:
            dates[content["commit_hash"]] = int(content["date"]) // 1000
            paths.setdefault(content["commit_hash"], []).append(path)
    commits = sorted(dates, key=lambda commit: (dates[commit], commit))
    hashes = _write_repository(directory / "repository", [dates[commit] for commit in commits])
    for old, new in zip(commits, hashes, strict=True):
        for path in paths[old]:
            content_bytes = path.read_bytes().replace(old.encode(), new.encode())
            path.unlink()
            path.with_name(path.name.replace(old[:8], new[:8])).write_bytes(content_bytes)
    configuration = {
        "version": 1,
        "project": directory.name,
        "repo": "repository",
        "branches": ["main"],
        "results_dir": "results",
        "html_dir": "asv-html",
        "show_commit_url": "https://example.org/commit/",
    }
    (directory / "asv.conf.json").write_text(json.dumps(configuration), encoding="utf-8")


def _write_repository(folder: Path, dates_s: Sequence[int]) -> list[str]:
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    parts = []
    for i, date_s in enumerate(dates_s):
        who = f"Nobody <nobody@example.org> {date_s} +0000"
        parts.append(f"commit refs/heads/main\nauthor {who}\ncommitter {who}\ndata 2\n{i % 10}\n\n")
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "fast-import", "--quiet"], input="".join(parts).encode(), check=True)
    listed = subprocess.run(
        # The dates of commits may repeat: their order is that of parents.
        [*git, "rev-list", "--reverse", "--topo-order", "main"],
        capture_output=True,
        text=True,
        check=True,
    )
    return listed.stdout.split()


def measure(directory: Path | str) -> dict[str, SiteCost]:
    """Costs of publishing ``directory`` with nothing cached, of building it again, and of ``asv publish``.

    Parameters
    ----------
    directory
        A project: ``results`` in it and, for asv, its asv.conf.json and a repository.

    Returns
    -------
    dict
        ``cold`` and ``unchanged``: ``bench-lib site``. ``asv``: ``asv publish``; missing where ``directory``
        has no asv.conf.json.

    Raises
    ------
    BenchLibError
        A build failed, or this system does not say its peak memory in KiB.
    """
    if sys.platform == "darwin":
        raise BenchLibError("site cost: found macOS, expected Linux, where ru_maxrss counts KiB.")
    root = Path(directory).resolve()
    costs = {}
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch, "html")
        command = [sys.executable, "-m", "bench_lib.cli", "site", "--results-only"]
        command += ["--results", str(root / "results"), "--output", str(output)]
        for name in ("cold", "unchanged"):
            costs[name] = _cost(command, folder=scratch, output=output, cache=str(Path(scratch, "cache")))
        if (root / "asv.conf.json").is_file():
            command = [sys.executable, "-m", "asv", "publish", "--html-dir", str(Path(scratch, "asv"))]
            command += ["--config", str(root / "asv.conf.json")]
            costs["asv"] = _cost(command, folder=str(root), output=Path(scratch, "asv"), cache=scratch)
    return costs


def _cost(command: Sequence[str], *, folder: str, output: Path, cache: str) -> SiteCost:
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, CACHE_VARIABLE: cache},
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        code = process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    if code != 0:
        raise BenchLibError(f"site cost: {command[2]} ended with code {code}: {text[-500:]}")
    files = [p for p in output.rglob("*") if p.is_file()]
    return SiteCost(
        cpu_time_s=usage.ru_utime + usage.ru_stime,
        peak_rss_bytes=usage.ru_maxrss * 1024,
        num_files=len(files),
        num_bytes=sum(p.stat().st_size for p in files),
    )


def main() -> None:
    """Print the costs of publishing the projects that are named, as JSON."""
    for name in sys.argv[1:]:
        print(json.dumps({"project": name} | {k: asdict(v) for k, v in measure(name).items()}))


if __name__ == "__main__":
    main()
