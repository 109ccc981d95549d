"""What a record may say of a process that ended badly: its signal, and words that name nobody."""

from __future__ import annotations

import re
import signal
import socket
import sys
import tempfile
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent

#: Longest traceback kept, from its end.
MAX_TRACEBACK = 8000


def scrub(text: str) -> str:
    """``text`` without what names this machine or its user: paths, host name, addresses.

    Tracebacks are stored in records, and records are published. A file keeps its path below this project's
    package or the installed packages, else only its name.
    """

    def shorten(match: re.Match[str]) -> str:
        path = match.group(1)
        _, installed, below = path.rpartition("-packages/")
        if path.startswith(f"{_PACKAGE}/"):
            below = path.removeprefix(f"{_PACKAGE.parent}/")
        elif not installed:
            below = Path(path).name
        return f'File "{below}"'

    text = re.sub(r'File "([^"\n]*)"', shorten, text)
    # Known folders first: their names may hold spaces, where no pattern can tell a path's end.
    known = {str(Path.home()), str(Path.cwd()), str(_PACKAGE.parent), tempfile.gettempdir(), sys.prefix}
    for folder in sorted(known, key=len, reverse=True):
        if len(folder) > 1:
            text = text.replace(f"{folder}/", "")
    for secret, name in ((str(Path.home()), "~"), (socket.gethostname(), "<host>")):
        if len(secret) > 1 and secret != "localhost":
            # A host may be called like a part of a word.
            text = re.sub(rf"(?<![\w-]){re.escape(secret)}(?![\w-])", name, text)
    # In quotes a path ends with them; a person's folder may have a space in its name.
    text = re.sub(r"(['\"])/[^'\"\n]*/([^'\"\n/]*)\1", r"\1\2\1", text)
    text = re.sub(r"/(?:Users|home)/[^/\n]+/", "/home/", text)
    text = re.sub(r"(?<![\w.])/(?:[\w.+@-]+/)+", "", text)
    text = re.sub(r"\[?\b\d{1,3}(?:\.\d{1,3}){3}\b\]?(?::\d+)?", "<address>", text)
    return text[-MAX_TRACEBACK:]


def signal_name(number: int) -> str:
    """``SIGKILL`` for 9."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
