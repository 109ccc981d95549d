"""uv's options from pip's configuration.

uv reads none of it: wheels, indexes and constraints that only pip is told of do not exist for uv.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Mapping

#: pip's setting → uv's option, and whether the setting holds several values.
_OPTIONS = {
    "index-url": ("--default-index", False),
    "extra-index-url": ("--index", True),
    "find-links": ("--find-links", True),
    "constraint": ("--constraint", True),
    "trusted-host": ("--allow-insecure-host", True),
}
#: Sections in rising order of precedence. Environment variables come last.
_SECTIONS = ("global", "install", ":env:")


def parse(listing: str) -> dict[str, str]:
    """Settings in the text that ``pip config list`` prints, with the stronger section winning."""
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for line in listing.splitlines():
        name, separator, quoted = line.partition("=")
        section, _, key = name.rpartition(".")
        if not separator or section not in found:
            continue
        try:
            value = ast.literal_eval(quoted)
        except (SyntaxError, ValueError):
            continue
        found[section][key] = str(value)
    merged: dict[str, str] = {}
    for section in _SECTIONS:
        merged.update(found[section])
    return merged


def read() -> dict[str, str]:
    """pip's settings for this interpreter; empty where it has no pip."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    return parse(done.stdout) if done.returncode == 0 else {}


def uv_options(settings: Mapping[str, str]) -> list[str]:
    """Options of ``uv pip install`` with the meaning that ``settings`` have for pip."""
    options: list[str] = []
    for key, (option, is_list) in _OPTIONS.items():
        value = settings.get(key, "")
        for one in value.split() if is_list else [value]:
            if one:
                options += [option, one]
    if settings.get("no-index", "").lower() in {"1", "true", "yes", "on"}:
        options.append("--no-index")
    if settings.get("extra-index-url"):
        # pip takes the best version of all indexes; uv by default only looks in the first that
        # has the package at all.
        options += ["--index-strategy", "unsafe-best-match"]
    return options


def uv_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Environment variables that uv needs for the same certificates as pip."""
    cert = settings.get("cert", "")
    return {"SSL_CERT_FILE": cert} if cert else {}
