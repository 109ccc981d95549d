"""Whether a file's device is the hardware that its user named."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from slugify import slugify

from bench_lib.errors import UsageError
from bench_lib.hardware import catalog

Agreement = Literal["same", "unknown", "contradicts"]

#: Words of device strings that tell no two devices apart.
_NOISE = frozenset(
    {"gpu", "cpu", "processor", "graphics", "with", "and", "the", "series", "compute"}
    | {"unit", "units", "core", "cores"}
)


@dataclass(frozen=True)
class Target:
    """Hardware that results are filed under."""

    slug: str
    is_known: bool


def target(name: str) -> Target:
    """The device called ``name``: a slug, name or alias on file, or a new slug.

    Raises
    ------
    UsageError
        It is neither.
    """
    known = catalog.find(name)
    if known is not None:
        return Target(known.slug, is_known=True)
    if not name or slugify(name) != name or len(name) > 100:
        raise UsageError.of(
            "--hardware",
            found=name,
            expected="a device on file (bench-lib hardware lists them), or a new slug of lower-case letters, "
            "digits and hyphens",
            hint=f"For example {slugify(name)[:60]!r}." if slugify(name) else "",
        )
    return Target(name, is_known=False)


def agreement(device: str, where: Target) -> Agreement:
    """Whether ``device``, as a tool printed it, is ``where``.

    It contradicts where the catalogue knows it as another part, or where the two share a word of a make
    and bear different
    model numbers. A phone's slug and its GPU's name share nothing: that is unknown.
    """
    if not device:
        return "unknown"
    found = [known for name in _names(device) if (known := catalog.find(name)) is not None]
    if found:
        return "same" if any(known.slug == where.slug for known in found) else "contradicts"
    ours, theirs = _words(where.slug), _words(device)
    if ours <= theirs or theirs <= ours:
        return "same"
    models, others = _models(ours), _models(theirs)
    shared = {word for word in ours & theirs if word.isalpha() and len(word) >= 4}
    if shared and models and others:
        return "contradicts" if not models & others else "same"
    return "unknown"


def _names(device: str) -> list[str]:
    # llama-bench lists several devices in one text; drivers add theirs in brackets.
    parts = [part.strip() for part in device.split(",")]
    return [device, *parts, *(re.sub(r"\s*\([^()]*\)", "", part).strip() for part in parts)]


def _words(text: str) -> set[str]:
    return set(slugify(re.sub(r"\((?:r|tm|c)\)", " ", text, flags=re.IGNORECASE)).split("-")) - _NOISE - {""}


def _models(words: set[str]) -> set[str]:
    return {word for word in words if any(c.isdigit() for c in word)}
