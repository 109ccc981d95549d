"""Files written whole (to a temporary name in the same folder, then renamed), and where we are."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from bench_lib.errors import UsageError


def current_directory() -> Path:
    """The current directory.

    Raises
    ------
    UsageError
        It was removed.
    """
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise UsageError("The current directory was removed; change to one that exists.") from error


def write_whole(path: Path, content: str | bytes) -> bool:
    """Write ``content`` so that a reader sees the old file or the new one, never a part.

    Returns ``False`` and leaves the file alone where it already has that content, so that
    tools which go by modification time do no work for nothing.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path.is_file() and path.read_bytes() == data:
        return False
    with whole_file(path) as stream:
        stream.write(data)
    return True


def require_writable_file(path: Path, *, flag: str) -> None:
    """Refuse, before work that takes long, a file that its result could not be written to.

    Raises
    ------
    UsageError
        It is a directory, or its folder cannot be made or takes no file.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        # The name with it: one that is too long only fails when it is used.
        with whole_file(path.with_name(f"{path.name}.try")):
            raise _Tried
    except _Tried:
        return
    except OSError as error:
        raise UsageError.of(
            flag, found=str(path), expected=f"a file to write to ({error.strerror or error})"
        ) from error


class _Tried(Exception):
    """Leaves a file unwritten."""


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose content takes the place of ``path`` when it closes without an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
        # mkstemp makes files private; results are meant to be read by others.
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
