"""``bench-lib ceilings``: what this machine reaches."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import cast

import click

from bench_lib.roofline.ceilings import SCHEMA, Device, measure, place
from bench_lib.units import format_value


@click.command()
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option(
    "--place",
    "kernel",
    type=(float, float, float),
    metavar="FLOP BYTES SECONDS",
    help="Also place a kernel of that work and duration.",
)
@click.option("--precision", default="fp32", show_default=True, help="Precision of the kernel to place.")
def ceilings(device: str, as_json: bool, kernel: tuple[float, float, float] | None, precision: str) -> None:
    """Measure copy bandwidth and matrix-product rate, the roofs of this machine."""
    found = measure(device=cast(Device, device))
    placement = None
    if kernel is not None:
        flop, num_bytes, duration_s = kernel
        placement = place(found, flop=flop, num_bytes=num_bytes, duration_s=duration_s, precision=precision)
    if as_json:
        document = {
            "schema": SCHEMA,
            "ceilings": asdict(found),
            "placement": asdict(placement) if placement else None,
        }
        click.echo(json.dumps(document, allow_nan=False))
        return
    click.echo(found.name)
    click.echo(f"copy: {format_value(found.copy_bytes_per_s, 'B/s')} (read and written)")
    for name, rate in found.flop_per_s.items():
        ridge = found.roofs.ridge_flop_per_byte(name)
        click.echo(f"{name} matrix product: {format_value(rate, 'FLOP/s')}, ridge at {ridge:.1f} FLOP/byte")
    if placement is not None:
        click.echo(
            f"kernel: {placement.arithmetic_intensity_flop_per_byte:.3g} FLOP/byte, on the "
            f"{placement.side} side, at {placement.share_of_roof:.0%} of its roof"
        )
