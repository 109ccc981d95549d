"""The environment ``bench_lib_uv``: built for each commit with ``uv pip``, on hard links.

asv's ``virtualenv`` copies torch into every environment, and its ``uv`` seeds pip and installs
with that. Files that uv links from its cache cost their disk once, however many environments.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from asv import environment, util
from asv.console import log

from bench_lib import pip_config
from bench_lib.asv_bridge import RESULTS_VARIABLE
from bench_lib.files import write_whole

NAME = "bench_lib_uv"
CONSTRAINTS = "constraints.txt"

_NAME_OF_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


def find_uv() -> str | None:
    """uv's binary: that of the PyPI package ``uv``, else the one on ``PATH``."""
    try:
        import uv
    except ImportError:
        return shutil.which("uv")
    try:
        return str(uv.find_uv_bin())
    except FileNotFoundError:
        return shutil.which("uv")


def canonical(name: str) -> str:
    """A distribution's name as packaging compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement(key: str, value: str) -> str:
    """A matrix entry as a requirement: a bare version is exact, none takes the newest allowed."""
    name = key.removeprefix("pip+")
    if not value:
        return name
    return f"{name}{value}" if value[0] in "=<>!~@" else f"{name}=={value}"


def constraints_without(text: str, names: set[str]) -> str:
    """Lines of a constraints file, less those for ``names``: the matrix wins over the file."""
    kept = []
    for line in text.splitlines():
        match = _NAME_OF_REQUIREMENT.match(line)
        if match is None or canonical(match[1]) not in names:
            kept.append(line)
    return "\n".join(kept) + "\n"


class UvEnvironment(environment.Environment):  # type: ignore[misc]
    """One environment for a Python and a combination of requirements; the project changes in it.

    ``asv.conf.json`` may name extras of the project to install: ``"project_extras": ["fsdp2"]``.
    """

    tool_name = NAME
    matches_python_fallback = False

    def __init__(
        self, conf: Any, python: str, requirements: dict[str, str], tagged_env_vars: dict[Any, str]
    ) -> None:
        found = find_uv()
        if found is None:
            raise environment.EnvironmentUnavailable(
                f"{NAME}: found no uv. Install it (python -m pip install 'bench-lib[asv-env]'), or run "
                "in the current environment: asv run -E bench_lib_current"
            )
        self._uv_path = found
        if python == "same":
            python = f"{sys.version_info[0]}.{sys.version_info[1]}"
        self._requirements = requirements  # asv's constructor already asks for the name
        super().__init__(conf, python, requirements, tagged_env_vars)
        # uv builds the project itself: asv's default would bring pip and build.
        self._base_requirements.pop("pip+build", None)
        self._extras = [str(extra) for extra in getattr(conf, "project_extras", [])]
        self._root = Path.cwd()
        self._results_dir = str(Path(conf.results_dir).resolve())

    @classmethod
    def matches(cls, python: str) -> bool:
        return False

    @property
    def _executable(self) -> str:
        return str(Path(self._path) / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))

    def check_presence(self) -> bool:
        """Whether the environment is there, complete, and made from the same description."""
        try:
            info = self.load_info_file(self._path)
            self.run_executable("python", ["-c", "pass"])
        except (util.UserError, util.ProcessError, OSError):
            return False
        expected = {
            "tool_name": self.tool_name,
            "python": self._python,
            "requirements": self._requirements,
            "build_env_vars": self.build_env_vars,
        }
        return bool(info == expected)

    def _uv(self, *arguments: str, extra: dict[str, str] | None = None) -> str:
        environ = dict(os.environ, **self.build_env_vars, **(extra or {}))
        # What asv's own process was started in must not decide where uv installs.
        for inherited in ("VIRTUAL_ENV", "PYTHONPATH", "UV_SYSTEM_PYTHON"):
            environ.pop(inherited, None)
        output: str = util.check_output(
            [self._uv_path, *arguments],
            timeout=self._install_timeout,
            env=environ,
            dots=False,
            display_error=False,
        )
        return output

    def _cache_options(self) -> list[str]:
        """Keep uv's cache on the file system of the environments: hard links do not cross."""
        default = Path(self._uv("cache", "dir").strip())
        nearest = next(p for p in (default, *default.parents) if p.exists())
        own = Path(self._env_dir).resolve()
        own.mkdir(parents=True, exist_ok=True)
        if nearest.stat().st_dev == own.stat().st_dev:
            return []
        return ["--cache-dir", str(own / "uv-cache")]

    def _constraints(self) -> list[str]:
        file = self._root / CONSTRAINTS
        if not file.is_file():
            return []
        named = {canonical(key.removeprefix("pip+")) for key in self._requirements}
        filtered = Path(self._path) / CONSTRAINTS
        write_whole(filtered, constraints_without(file.read_text(encoding="utf-8"), named))
        return ["--constraint", str(filtered)]

    def _install(self, *requirements: str) -> None:
        """Install from uv's cache alone where it can; else ask the indexes.

        The cache first: that works without a network, costs no look-ups, and gives the next
        environment what the last one has.
        """
        settings = pip_config.read()
        arguments = [
            "pip",
            "install",
            "--python",
            self._executable,
            "--link-mode",
            "hardlink",
            *self._cache_options(),
            *pip_config.uv_options(settings),
            *self._constraints(),
        ]
        extra = pip_config.uv_environment(settings)
        try:
            self._uv(*arguments, "--offline", *requirements, extra=extra)
        except util.ProcessError:
            self._uv(*arguments, *requirements, extra=extra)

    def _pinned(self) -> list[str]:
        return [requirement(key, value) for key, value in self._requirements.items()]

    def _setup(self) -> None:
        """Make the environment and install the requirements.

        Raises
        ------
        asv.util.UserError
            uv could not; the message is uv's own.
        """
        log.info(f"Creating environment for {self.name}")
        here = f"{sys.version_info[0]}.{sys.version_info[1]}"
        interpreter = sys.executable if self._python == here else self._python
        venv = ("venv", "--quiet", "--no-project", "--no-python-downloads", "--python", interpreter)
        base = [requirement(key, value) for key, value in self._base_requirements.items()]
        try:
            self._uv(*venv, self._path)
            log.info(f"Installing requirements for {self.name}")
            self._install(*self._pinned(), *base)
        except util.ProcessError as error:
            raise util.UserError(
                f"{NAME}: uv could not make {self.name}:\n{error.stderr.strip()}\n"
                "Change the matrix, or tell pip's configuration where the release is."
            ) from error

    def _build_project(self, repo: Any, commit_hash: str, build_dir: str) -> None:
        if self._build_command is not None:
            super()._build_project(repo, commit_hash, build_dir)
            return
        log.info(f"Building {repo.get_decorated_hash(commit_hash, 8)} for {self.name}")
        # In the environment itself, which has the build requirements: an isolated build would
        # make an environment of its own for every commit.
        self._uv(
            "build",
            "--quiet",
            "--wheel",
            "--no-build-isolation",
            "--python",
            self._executable,
            "--out-dir",
            self._global_env_vars["ASV_BUILD_CACHE_DIR"],
            build_dir,
        )

    def _install_project(self, repo: Any, commit_hash: str, build_dir: str) -> None:
        if self._install_command is not None:
            super()._install_project(repo, commit_hash, build_dir)
            return
        log.info(f"Installing {repo.get_decorated_hash(commit_hash, 8)} into {self.name}")
        wheels = sorted(Path(self._global_env_vars["ASV_BUILD_CACHE_DIR"]).glob("*.whl"))
        if len(wheels) != 1:
            raise util.UserError(f"{NAME}: found {len(wheels)} wheels of the project, expected one.")
        name = wheels[0].name.partition("-")[0]
        extras = f"[{','.join(self._extras)}]" if self._extras else ""
        # Commits share a version, so uv must be told that the wheel is new.
        project = f"{name}{extras} @ {wheels[0].as_uri()}"
        try:
            self._install("--reinstall-package", name, project, *self._pinned())
        except util.ProcessError as error:
            # asv files a failed build as failed benchmarks and keeps the cause to itself.
            log.error(f"{NAME}: uv could not install the project:\n{error.stderr.strip()}")
            raise

    def _uninstall_project(self) -> None:
        if self._uninstall_command is not None:
            super()._uninstall_project()
            return
        # Mark the installation invalid first: a build that fails must not leave the last commit.
        self._set_installed_commit_hash(None)
        self._uv("pip", "uninstall", "--quiet", "--python", self._executable, self._project)

    def run(self, args: Sequence[str], **kwargs: Any) -> Any:
        """Run the environment's interpreter with ``args``."""
        environ = dict(kwargs.pop("env", None) or os.environ)
        environ.setdefault(RESULTS_VARIABLE, self._results_dir)
        return self.run_executable("python", list(args), env=environ, **kwargs)
