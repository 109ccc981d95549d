"""The environment ``bench_lib_current``: the interpreter that runs asv, for the checked-out commit.

asv's own ``existing:same`` writes the interpreter's path into file names, drops the requirements
and saves nothing without ``--set-commit-hash``. This one has a name that can be published and
saves for HEAD. It cannot measure another commit, and says so before it measures anything.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from asv import environment, util
from asv.console import log

from bench_lib.asv_bridge import RESULTS_VARIABLE
from bench_lib.hardware.environment import distribution_version, git

NAME = "bench_lib_current"

_LOCATE = """
import importlib.util, sys
spec = importlib.util.find_spec(sys.argv[1])
print(spec.submodule_search_locations[0] if spec and spec.submodule_search_locations else "")
"""


def benchmark_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """``environ`` as a benchmark's process is to see it: ``PYTHONPATH`` is ``ASV_PYTHONPATH`` or gone.

    asv takes ``PYTHONPATH`` out of ``sys.path`` in that process, but leaves the variable for the
    processes that it starts: a benchmark and its ranks would import different code.
    """
    seen = dict(environ)
    if "ASV_PYTHONPATH" in seen:
        seen["PYTHONPATH"] = seen["ASV_PYTHONPATH"]
    else:
        seen.pop("PYTHONPATH", None)
    return seen


def installed_location(package: str) -> Path | None:
    """Folder that a benchmark's process imports ``package`` from."""
    with tempfile.TemporaryDirectory() as neutral:
        done = subprocess.run(
            [sys.executable, "-c", _LOCATE, package],
            capture_output=True,
            text=True,
            check=True,
            cwd=neutral,
            env=benchmark_environ(os.environ),
        )
    return Path(done.stdout.strip()).resolve() if done.stdout.strip() else None


def uncommitted_files(root: Path, package: str) -> list[str]:
    """Files of the installed project at ``root`` that differ from HEAD, or that HEAD lacks.

    Files elsewhere do not count: asv takes ``benchmarks/`` from the working tree for every
    commit, and documents and results change nothing that is measured.
    """
    changed = git(root, "status", "--porcelain", "--", package, "pyproject.toml") or ""
    return [line[3:] for line in changed.splitlines()]


def public_version(version: str) -> str:
    """``version`` without its local part: ``2.13.0+cpu`` and ``2.13.0`` are one series."""
    return version.partition("+")[0]


def _is_first_combination(conf: Any, requirements: dict[str, str]) -> bool:
    table = conf.matrix.get("req", conf.matrix) if isinstance(conf.matrix, dict) else {}
    for key, values in table.items():
        offered = values if isinstance(values, list) else [values]
        if key in requirements and offered and requirements[key] != offered[0]:
            return False
    return True


class CurrentEnvironment(environment.Environment):  # type: ignore[misc]
    """The running interpreter, filed under the versions that it really has."""

    tool_name: str | None = NAME
    # Never chosen for `--python=X`: only by name.
    matches_python_fallback = False

    def __new__(cls, conf: Any, *args: Any, **kwargs: Any) -> CurrentEnvironment:
        changed = uncommitted_files(Path.cwd(), conf.project)
        kind: type[CurrentEnvironment] = cls
        if changed and cls is CurrentEnvironment:
            shown = ", ".join(changed[:3]) + (" and others" if len(changed) > 3 else "")
            log.warning(
                f"{NAME}: found changes that are in no commit ({shown}). asv will show the results "
                "and save none of them under HEAD; commit first to save."
            )
            kind = UncommittedEnvironment
        new: CurrentEnvironment = object.__new__(kind)
        return new

    def __init__(
        self, conf: Any, python: str, requirements: dict[str, str], tagged_env_vars: dict[Any, str]
    ) -> None:
        here = f"{sys.version_info[0]}.{sys.version_info[1]}"
        if python not in {here, "same"}:
            raise environment.EnvironmentUnavailable(
                f"{NAME}: found Python {here}, asked for {python}. Use an environment that is built."
            )
        if not _is_first_combination(conf, requirements):
            asked = ", ".join(f"{k} {v}" for k, v in sorted(requirements.items()))
            raise environment.EnvironmentUnavailable(
                f"{NAME}: this interpreter is one environment; leaving out {asked}. "
                "To run every combination, use an environment that is built."
            )
        self._python = here
        # What is installed, whatever the matrix asks for: a result says what was measured.
        found = {key: distribution_version(key.removeprefix("pip+")) for key in requirements}
        self._requirements = {
            key.removeprefix("pip+"): public_version(version) for key, version in found.items() if version
        }
        self._root = Path.cwd()
        environment.Environment.__init__(self, conf, here, self._requirements, tagged_env_vars)
        for inapplicable in ("ASV_ENV_DIR", "ASV_COMMIT"):
            self._global_env_vars.pop(inapplicable, None)
        self._global_env_vars["ASV_ENV_TYPE"] = NAME
        self._results_dir = str(Path(conf.results_dir).resolve())

    @property
    def name(self) -> str:
        """Name of the environment: no path, host or user in it."""
        name: str = environment.get_env_name(NAME, self._python, self._requirements, self._tagged_env_vars)
        return name

    @property
    def installed_commit_hash(self) -> None:
        """Unknown until :meth:`install_project` has looked."""

    @classmethod
    def matches(cls, python: str) -> bool:
        return False

    def check_presence(self) -> bool:
        return True

    def create(self) -> None:
        pass

    def checkout_project(self, repo: Any, commit_hash: str) -> None:
        self.install_project(None, repo, commit_hash)

    def can_install_project(self) -> bool:
        """asv asks only where it was given a range of commits: refuse it before anything runs."""
        raise util.UserError(
            f"{NAME} measures the checked-out commit, and takes no range of commits. Leave the range "
            "out, or use environments that are built for each commit: asv run -E bench_lib_uv RANGE"
        )

    def install_project(self, conf: Any, repo: Any, commit_hash: str | None = None) -> None:
        """Check that the code of ``commit_hash`` is what this interpreter runs.

        Raises
        ------
        asv.util.UserError
            It is another commit's, or the project is installed from elsewhere.
        """
        if commit_hash is not None and commit_hash != (head := repo.get_hash_from_name("HEAD")):
            raise util.UserError(
                f"{NAME}: found commit {head[:8]} checked out, asked to measure {commit_hash[:8]}. "
                "Check that commit out, or use environments that are built: asv run -E bench_lib_uv"
            )
        package = re.sub(r"\W", "_", self._project)
        expected = (self._root / package).resolve()
        if expected.is_dir() and (found := installed_location(package)) != expected:
            raise util.UserError(
                f"{NAME}: this interpreter has {package} from {found or 'nowhere'}, which is not the "
                "checkout that asv runs in. Install the checkout: python -m pip install -e ."
            )

    def run(self, args: Sequence[str], **kwargs: Any) -> Any:
        """Run this interpreter with ``args`` and the variables that asv promises to benchmarks."""
        environ = benchmark_environ(kwargs.pop("env", None) or os.environ)
        environ.update(self._global_env_vars)
        environ.setdefault(RESULTS_VARIABLE, self._results_dir)
        return util.check_output([sys.executable, *args], env=environ, **kwargs)


class UncommittedEnvironment(CurrentEnvironment, environment.ExistingEnvironment):  # type: ignore[misc]
    """The same where the project differs from HEAD.

    asv saves nothing for an ``ExistingEnvironment`` unless it is told the commit, which is what
    is right here: these results belong to no commit.
    """

    # Found by asv through its base only.
    tool_name = None
