"""``bench-lib edge``: commands of this family, each loaded when it is called."""

from __future__ import annotations

import importlib
from typing import Final

import click

#: Command → where it is.
COMMANDS: Final[dict[str, str]] = {
    "android": "bench_lib.edge.android:android",
}


class LazyGroup(click.Group):
    """A group whose commands are imported on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        target = COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.group(cls=LazyGroup)
def edge() -> None:
    """Kernels and small models on Vulkan, Metal and phones."""
