"""bench_lib's plugin for asv: ``"plugins": [".bench_lib.asv_plugin"]`` in ``asv.conf.json``.

The leading dot is asv's way to say a module rather than one of its own plugins; without it asv
ignores the entry and says nothing. Two environment types come with it, ``bench_lib_current``
and ``bench_lib_uv``, and the machine's name becomes its hardware slug.
"""

from __future__ import annotations

from bench_lib import asv_machine
from bench_lib.asv_build import UvEnvironment
from bench_lib.asv_current import CurrentEnvironment

__all__ = ["CurrentEnvironment", "UvEnvironment", "setup"]


def setup() -> None:
    """Called by asv once, when it has read its configuration."""
    asv_machine.install()
