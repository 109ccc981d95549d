"""Pages of hardware: what each device is, with sources, and what was measured on it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import pandas as pd

from bench_lib.results.frames import Results
from bench_lib.sphinx_ext.device_names import KINDS, UNKNOWN_KIND, slugs_of
from bench_lib.sphinx_ext.figures import day_cell, day_text, figures_table, records_of
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.site_links import Links
from bench_lib.sphinx_ext.site_table import Column, SiteTable, TableCell, TextCell, number_cell
from bench_lib.units import format_value

_PEAK: Final = "peak_"
_FACTS: Final = ("cpu", "gpu", "num_cpu", "ram", "os", "arch")


@dataclass(frozen=True)
class Device:
    """One row of :func:`~bench_lib.results.hardware_table.hardware_table`, and the machines it stands for."""

    row: Mapping[str, Any]
    machines: tuple[str, ...]

    @property
    def slug(self) -> str:
        """Slug of the device file, or the name of the machine that has none."""
        return str(self.row["slug"])

    @property
    def title(self) -> str:
        """Name for a heading."""
        name = str(self.row["name"] or "")
        return name if self.row["source"] and name else self.slug


def measured(results: Results, table: pd.DataFrame) -> tuple[Device, ...]:
    """The devices that the results name, those with most benchmarks first.

    ``table`` is that of :func:`bench_lib.results.hardware_table.hardware_table`.
    """
    of_device: dict[str, list[str]] = {}
    for machine, slug in slugs_of(results).items():
        of_device.setdefault(slug, []).append(machine)
    return tuple(
        Device(row, tuple(of_device[row["slug"]])) for row in records_of(table) if row["slug"] in of_device
    )


def hardware_index(shown: Sequence[Device], links: Links) -> SiteTable:
    """Table of devices."""
    rows: list[list[TableCell]] = []
    for device in shown:
        row = device.row
        address = links.machine(device.machines[0]) if device.machines else ""
        peaks = {c: row[c] for c in row if c.startswith(_PEAK) and not math.isnan(row[c])}
        best = max(peaks.values(), default=math.nan)
        listed = "; ".join(f"{_dtype(c)} {format_value(v, 'FLOP/s')}" for c, v in peaks.items())
        rows.append(
            [
                TextCell(device.title, href=address, hover=device.slug),
                TextCell(
                    KINDS.get(row["kind"], UNKNOWN_KIND),
                    mark="bench-software" if row["kind"] == "software" else "",
                ),
                number_cell(format_value(row["memory_bytes"], "B"), row["memory_bytes"]),
                number_cell(
                    format_value(row["memory_bandwidth_bytes_per_s"], "B/s"),
                    row["memory_bandwidth_bytes_per_s"],
                ),
                number_cell(format_value(best, "FLOP/s"), best, hover=listed),
                number_cell(str(row["num_benchmarks"]), row["num_benchmarks"]),
                number_cell(str(row["num_values"]), row["num_values"]),
                day_cell(row["newest"]) if device.machines else "not measured",
                row["source"] or "no device file",
            ]
        )
    columns = (
        Column("device", "Device", is_long=True),
        Column("kind", "Kind", filter="values"),
        Column("memory", "Memory", "number"),
        Column("bandwidth", "Bandwidth", "number"),
        Column("highest_peak", "Highest dense peak", "number", help="Of all data types, which show on hover"),
        Column("benchmarks", "Benchmarks", "number"),
        Column("values", "Values", "number"),
        Column("newest", "Newest"),
        Column("source", "Source of the figures", is_long=True),
    )
    return SiteTable("hardware", "Devices", columns, rows)


def _dtype(column: str) -> str:
    return column.removeprefix(_PEAK).removesuffix("_flop_per_s")


def facts_html(device: Device, results: Results) -> str:
    """What the device is: its file's figures with source and date, and what machine.json says."""
    row = device.row
    entries: list[tuple[str, str]] = []
    if row["source"]:
        entries += [
            ("Memory", format_value(row["memory_bytes"], "B")),
            ("Memory bandwidth", format_value(row["memory_bandwidth_bytes_per_s"], "B/s")),
        ]
        for column in (c for c in row if c.startswith(_PEAK) and not math.isnan(row[c])):
            entries.append((f"Dense peak, {_dtype(column)}", format_value(row[column], "FLOP/s")))
        entries.append(("Source", f"{row['source']}, entered {row['date']}"))
    for machine in device.machines:
        facts = results.machines.get(machine)
        which = f" of {machine}" if len(device.machines) > 1 else ""
        if facts is None:
            entries.append((f"Machine{which}", "no machine.json: its parts are unknown"))
            continue
        # What a file of others calls a fact is shown as it is.
        named = [(name, facts[name]) for name in _FACTS if facts.get(name)]
        more = sorted((n, v) for n, v in facts.items() if n not in (*_FACTS, "machine", "version") and v)
        entries += [(f"{name}{which}", value) for name, value in (*named, *more)]
        if not named and not more:
            entries.append((f"Machine{which}", "machine.json says nothing of its parts"))
    if not row["source"]:
        entries.append(("Peaks", "unknown: there is no device file with this name"))
    cells = "".join(f"<dt>{escape(clean(n))}</dt><dd>{escape(clean(v))}</dd>" for n, v in entries)
    return f'<dl class="bench-device-facts">{cells}</dl>\n'


def lead_html(device: Device) -> str:
    """One sentence on the device, and a mark where it is emulated."""
    row = device.row
    what = KINDS.get(row["kind"], UNKNOWN_KIND)
    mark = ""
    if row["kind"] == "software":
        mark = (
            '<p class="bench-software-note"><span class="bench-software">software device</span> '
            "A CPU emulates this device. Its figures say nothing about a GPU, and are never ranked beside "
            "one.</p>\n"
        )
    if not row["num_values"]:
        return f'{mark}<p class="bench-provenance">{what}. Nothing has been measured on it.</p>\n'
    text = (
        f"{what}. {row['num_values']} values of {row['num_benchmarks']} benchmarks, "
        f"the newest of a commit of {day_text(row['newest'])}."
    )
    return f'{mark}<p class="bench-provenance">{escape(text)}</p>\n'


def device_table(
    device: Device, newest: Mapping[str, pd.DataFrame], results: Results, links: Links
) -> SiteTable:
    """The newest figure of every benchmark on a device: what ``bench-lib lookup --hardware`` prints.

    ``newest`` has the newest rows of each machine.
    """
    # Of several machines, in the order of the whole list: by benchmark and parameters.
    rows = pd.concat([newest[m] for m in device.machines if m in newest]).sort_index()
    return figures_table(rows, results, links, id="figures", caption=f"Newest figures on {device.title}")
