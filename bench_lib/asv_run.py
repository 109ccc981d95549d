"""``bench-lib run``: asv, with the environment and the machine named as results need them."""

from __future__ import annotations

import ctypes
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from bench_lib import measured_content
from bench_lib.asv_bridge import RESULTS_VARIABLE
from bench_lib.asv_current import NAME as CURRENT
from bench_lib.edge.tracked import machine_name
from bench_lib.errors import UnavailableError, UsageError
from bench_lib.files import current_directory
from bench_lib.hardware import Machine, detect
from bench_lib.hardware.environment import git

CONFIG: Final = "asv.conf.json"
TORCH_MATRIX_CONFIG: Final = "asv.torch-matrix.conf.json"
BUILT: Final = "bench_lib_uv"

#: asv's exit codes → ours. asv says 1 for bad use and 2 for benchmarks or builds that failed.
_EXIT_CODES: Final = {0: 0, 1: 2, 2: 1}


@dataclass(frozen=True)
class Checkout:
    """A git checkout with asv's configuration at ``root``."""

    root: Path
    results: Path


def find_checkout(start: Path) -> Checkout:
    """The checkout that ``start`` lies in.

    Raises
    ------
    UsageError
        No folder from ``start`` upwards has asv's configuration, or it is no git checkout.
    UnavailableError
        git is not installed.
    """
    for folder in (start, *start.parents):
        if (folder / CONFIG).is_file():
            root = folder
            break
    else:
        raise UsageError(
            f"Found no {CONFIG} in {start} or above it, expected a checkout of the project. "
            "Change to one, or clone the project first."
        )
    if shutil.which("git") is None:
        raise UnavailableError(
            "no-git",
            "git was not found on the PATH, and results are filed under commits.",
            remedy="Install git; on Debian: apt-get install git",
        )
    if git(root, "rev-parse", "--verify", "HEAD^{commit}") is None:
        raise UsageError(
            f"Found no commit of a git checkout at {root}, expected one: results are filed under "
            "commits. Clone the project with git."
        )
    return Checkout(root=root, results=_results_dir(root / CONFIG))


def _results_dir(config: Path) -> Path:
    from asv import util
    from asv.config import Config

    try:
        found = Config.load(str(config)).results_dir
    except util.UserError as error:
        raise UsageError(f"{config}: asv cannot read it: {error}") from error
    return (config.parent / str(found)).resolve()


@dataclass(frozen=True)
class Request:
    """What the caller asked for, checked to make sense as a whole."""

    range: str | None
    environment: str
    config: str
    bench: tuple[str, ...]
    quick: bool
    skip_existing: bool
    show_stderr: bool

    def command(self, root: Path, *, slug: str) -> list[str]:
        """asv's command line.

        Options carry their value after ``=``, so that none is taken for another option. Samples
        are recorded, which adds to the file and changes nothing that is measured.
        """
        command = [sys.executable, "-m", "asv", "run", f"--config={root / self.config}"]
        command += [f"--environment={self.environment}", f"--machine={slug}", "--record-samples"]
        command += [f"--bench={pattern}" for pattern in self.bench]
        if self.quick:
            # asv says that --quick saves nothing, and 0.6.6 saves it.
            command += ["--quick", "--dry-run"]
        if self.skip_existing:
            command.append("--skip-existing")
        if self.show_stderr:
            command.append("--show-stderr")
        if self.range is not None:
            command += ["--", self.range]
        return command


def environment_of(commits: str | None, *, chosen: str | None, torch_matrix: bool) -> str:
    """The asv environment type for a request.

    Raises
    ------
    UsageError
        The current environment was asked for something that only built ones can do.
    """
    if chosen == "current" and torch_matrix:
        raise UsageError.of(
            "--env with --torch-matrix",
            found="current",
            expected="build",
            hint="The current environment has one torch. Leave --env out.",
        )
    if chosen == "current" and commits is not None:
        raise UsageError.of(
            "RANGE with --env current",
            found=commits,
            expected="no range, which measures the checked-out commit",
            hint="Leave RANGE out, or use --env build.",
        )
    builds = chosen == "build" or (chosen is None and (commits is not None or torch_matrix))
    return BUILT if builds else CURRENT


def _absolute_hash_file(commits: str | None) -> str | None:
    prefix, _, name = (commits or "").partition(":")
    if prefix == "HASHFILE" and name != "-":
        return f"{prefix}:{Path(name).resolve()}"
    return commits


def shell_line(results: Path | str, command: Sequence[str]) -> str:
    """``command`` as a shell takes it; only the value is quoted, or it would be a command's name."""
    return f"{RESULTS_VARIABLE}={shlex.quote(str(results))} {shlex.join(command)}"


#: Words that asv takes in place of a range.
_ASV_RANGES: Final = frozenset({"NEW", "MISSING", "EXISTING", "ALL", "TAGS", "BASELINE"})


def check_range(root: Path, commits: str) -> str:
    """``commits`` as asv is to be given it.

    A single revision means that commit alone; git would add all of its ancestors.

    Raises
    ------
    UsageError
        git finds no commit there.
    """
    if commits in _ASV_RANGES or commits.startswith("HASHFILE:"):
        return commits
    single = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commits}^{{commit}}")
    wanted = f"{single}^!" if single else commits
    found = None if wanted.startswith("-") else git(root, "rev-list", "--max-count=1", wanted, "--")
    if not found:
        raise UsageError.of(
            "RANGE", found=commits, expected="commits of this checkout, such as HEAD~3..HEAD, HEAD or a tag"
        )
    return wanted


def check_patterns(patterns: Sequence[str]) -> tuple[str, ...]:
    """``patterns``, each one that asv can look for.

    Raises
    ------
    UsageError
        One is no regular expression.
    """
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise UsageError.of(
                "--bench",
                found=pattern,
                expected=f"a regular expression ({error})",
                hint="Put a backslash before ( ) [ ] that stand for themselves.",
            ) from error
    return tuple(patterns)


_SET_PARENT_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG of linux/prctl.h


def _prepare_asv() -> None:
    # A shell starts background jobs with Ctrl-C ignored; asv would inherit that, and know no way to end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform == "linux":
        # A parent that is killed cannot tell asv to stop; the kernel can.
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGINT)


def _run_asv(command: list[str], *, root: Path, environ: dict[str, str]) -> int:
    # asv's own output goes straight to the terminal. Ctrl-C reaches asv too, unless we are a background
    # job, which Ctrl-C must not end: let it finish.
    in_background = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    process = subprocess.Popen(
        command,
        cwd=root,
        env=environ,
        preexec_fn=_prepare_asv,  # noqa: PLW1509 - this command has one thread
        process_group=0 if in_background else None,
    )
    # asv ends its benchmarks on Ctrl-C only; on SIGTERM it would leave them running.
    signal.signal(signal.SIGTERM, lambda number, frame: process.send_signal(signal.SIGINT))
    while True:
        try:
            code = process.wait()
            break
        except KeyboardInterrupt:
            continue
    return 128 - code if code < 0 else _EXIT_CODES.get(code, 2)


def _run_stamped(
    request: Request, checkout: Checkout, *, machine: Machine, command: list[str], environ: dict[str, str]
) -> int:
    key = measured_content.digest(checkout.root, machine=machine, selection=request.bench, environ=environ)
    stamp = measured_content.find(checkout.root, key, results=checkout.results)
    if stamp is not None:
        click.echo(
            f"bench-lib: not run: the same content was measured here at commit {stamp.commit[:8]} "
            f"({', '.join(stamp.benchmarks)})."
        )
        return 0
    slug = machine_name(machine)
    before = measured_content.asv_results(checkout.results, slug)
    code = _run_asv(command, root=checkout.root, environ=environ)
    after = measured_content.asv_results(checkout.results, slug)
    commit = git(checkout.root, "rev-parse", "HEAD")
    if code == 0 and commit is not None:
        changed = [path for path, state in after.items() if before.get(path) != state]
        measured_content.make(checkout.root, key, results=checkout.results, commit=commit, changed=changed)
    return code


@click.command()
@click.argument("commits", metavar="[RANGE]", required=False)
@click.option("--bench", metavar="REGEX", multiple=True, help="Only benchmarks that match. Repeatable.")
@click.option("--quick", is_flag=True, help="Each benchmark once, to find errors. Nothing is saved.")
@click.option(
    "--env",
    "chosen",
    type=click.Choice(["current", "build"]),
    help="This interpreter and the checked-out commit (the default without RANGE), or environments "
    "built for each commit (the default with one).",
)
@click.option("--torch-matrix", is_flag=True, help=f"Each torch release of {TORCH_MATRIX_CONFIG}.")
@click.option("--skip-existing", is_flag=True, help="Leave out what already has results.")
@click.option(
    "--reuse",
    is_flag=True,
    help="Do not run where the same content was already measured in the same environment on this "
    "hardware, at whatever commit.",
)
@click.option("--show-stderr", is_flag=True, help="Show what benchmarks print.")
@click.option("--dry-run", is_flag=True, help="Print asv's command; run nothing.")
def run(
    *,
    commits: str | None,
    bench: tuple[str, ...],
    quick: bool,
    chosen: str | None,
    torch_matrix: bool,
    skip_existing: bool,
    reuse: bool,
    show_stderr: bool,
    dry_run: bool,
) -> None:
    """Run benchmarks with asv and save results for this machine's hardware.

    RANGE is what `git rev-list` takes (HEAD~3..HEAD), a single commit, or asv's NEW, ALL, EXISTING,
    TAGS, HASHFILE:NAME. Without it the checked-out commit is measured.

    Exit codes: 0 all ran, 1 a benchmark or a build failed, 2 bad use.
    """
    environment = environment_of(commits, chosen=chosen, torch_matrix=torch_matrix)
    if reuse and (environment != CURRENT or quick):
        raise UsageError.of(
            "--reuse",
            found="--quick" if quick else "environments that are built",
            expected="a whole run in the current environment",
            hint="Across commits use --skip-existing.",
        )
    checkout = find_checkout(current_directory())
    request = Request(
        range=_absolute_hash_file(check_range(checkout.root, commits) if commits else None),
        environment=environment,
        config=TORCH_MATRIX_CONFIG if torch_matrix else CONFIG,
        bench=check_patterns(bench),
        quick=quick,
        skip_existing=skip_existing,
        show_stderr=show_stderr,
    )
    machine = detect()
    command = request.command(checkout.root, slug=machine_name(machine))
    # Records of a run that is not saved go nowhere either.
    environ = dict(os.environ)
    environ[RESULTS_VARIABLE] = "" if quick else str(checkout.results)
    if dry_run:
        click.echo(shell_line(environ[RESULTS_VARIABLE], command))
        return
    if reuse:
        sys.exit(_run_stamped(request, checkout, machine=machine, command=command, environ=environ))
    sys.exit(_run_asv(command, root=checkout.root, environ=environ))
