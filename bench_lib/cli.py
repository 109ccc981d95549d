"""``bench-lib``: the command line. Each family brings its own commands, loaded when called."""

from __future__ import annotations

import importlib
import sys
from typing import Final

import click

from bench_lib import __version__
from bench_lib.errors import EXIT_USAGE, BenchLibError

#: Command → where it is. A command's module, and what it imports, loads only when it is called,
#: so that a look-up never waits for torch.
COMMANDS: Final[dict[str, str]] = {
    "ceilings": "bench_lib.roofline.ceilings_command:ceilings",
    "changes": "bench_lib.results.commands:changes",
    "classify": "bench_lib.roofline.commands:classify",
    "compare": "bench_lib.results.commands:compare",
    "doctor": "bench_lib.doctor:doctor",
    "edge": "bench_lib.edge.commands:edge",
    "fsdp2": "bench_lib.fsdp2.commands:fsdp2",
    "hardware": "bench_lib.results.commands:hardware",
    "import": "bench_lib.results.imports.command:import_results",
    "kernels": "bench_lib.roofline.history_command:kernels",
    "lookup": "bench_lib.results.commands:lookup",
    "ncu": "bench_lib.roofline.ncu_commands:ncu",
    "run": "bench_lib.asv_run:run",
    "site": "bench_lib.site:site",
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


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bench-lib")
def cli() -> None:
    """Benchmarks for sharded training, GPU kernels and edge compute.

    Exit codes: 0 success, 1 a verdict (a run failed, a regression), 2 bad use or bad input.
    """


def main() -> None:
    """Entry point: errors raised on purpose become one line on stderr and exit code 2."""
    try:
        cli.main(prog_name="bench-lib")
    except BenchLibError as error:
        click.echo(f"bench-lib: {error}", err=True)
        sys.exit(EXIT_USAGE)


if __name__ == "__main__":
    main()
