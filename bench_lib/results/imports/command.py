"""``bench-lib import``: results of other benchmarks become records of this store."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--hardware", required=True, metavar="SLUG", help="Hardware that the files were made on.")
@click.option(
    "--device", default="", help="Of a file with several devices, only this one, by its name in the file."
)
@click.option(
    "--source", default="", help="Where the files come from, such as an address; shown with the results."
)
@click.option(
    "--keep-mismatch", is_flag=True, help="Import although the file names another device, and mark it."
)
@click.option(
    "--results",
    "results_dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("results"),
    show_default=True,
    help="Results directory to write to.",
)
def import_results(
    *,
    files: tuple[Path, ...],
    hardware: str,
    device: str,
    source: str,
    keep_mismatch: bool,
    results_dir: Path,
) -> None:
    """Import results of llama-bench, test-backend-ops, Google Benchmark, iree-benchmark-module, uVkCompute,
    vkpeak and clpeak.

    The tool and the form are told by what a file contains. Every file is read before anything is written; a
    result that is there already is not written twice.
    """
    from bench_lib.results.imports.devices import target
    from bench_lib.results.imports.filing import file_runs, runs_of, select
    from bench_lib.results.imports.formats import read_file
    from bench_lib.results.imports.reading import clean

    where = target(hardware)
    now = datetime.now(UTC)
    runs = []
    for path in files:
        form, readings = read_file(path)
        kept = select(path, readings, where=where, device=device, keep_mismatch=keep_mismatch)
        new = runs_of(path, form, kept, where=where, source=clean(source), now=now)
        runs += new
        values = sum(run.status == "ok" for run in new)
        left = len(readings) - len(kept)
        more = f", {left} of other devices left out" if left else ""
        click.echo(f"{path}: {form.name}, {values} values, {len(new) - values} without a value{more}")
    written, known = file_runs(runs, results_dir)
    click.echo(f"{len(written)} records written to {results_dir}, {known} already there")
