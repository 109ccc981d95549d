"""Where links on generated pages lead: to other pages of the site, and to commits at a project's host."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from bench_lib.sphinx_ext.commit_list import address_of
from bench_lib.sphinx_ext.device_names import device_pages_of
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.site_data import SiteData, web_address
from bench_lib.sphinx_ext.site_table import page

#: Ends of addresses of one commit → what shows all between two.
_RANGES: Final = (("/-/commit/", "/-/compare/"), ("/commit/", "/compare/"))
#: Hosts whose addresses of commits end alike, and whose comparisons are written otherwise.
_OTHERWISE: Final = ("bitbucket.org",)


class Links:
    """Addresses for cells of tables (:func:`.site_table.page`); empty for a place that there is not."""

    def __init__(self, data: SiteData) -> None:
        self._data = data
        #: Benchmark → name of its page, of those that are made.
        self.benchmark_pages: Mapping[str, str] = data.page_names if data.makes("benchmarks") else {}

    def benchmark(self, row: Mapping[str, Any]) -> str:
        """Page of the benchmark of a row, at its parameters, machine and environment."""
        name = self.benchmark_pages.get(str(row["benchmark"]), "")
        pairs = self._data.results.parameters.get(str(row.get("parameters", "")), ())
        state = {f"p.{clean(key)}": clean(value) for key, value in pairs}
        state |= {key: clean(row[key]) for key in ("machine", "environment") if key in row}
        return page(name, **state, at=address_of(self._data, str(row.get("commit", ""))))

    @cached_property
    def _machines(self) -> Mapping[str, str]:
        return device_pages_of(self._data.results) if self._data.makes("hardware") else {}

    def machine(self, name: str) -> str:
        """Page of a machine, or of the device that it is."""
        return page(self._machines.get(str(name), ""))

    def commit(self, commit: str) -> str:
        """Address of a commit."""
        return self._data.commit_url(commit.removesuffix("+changes"))

    def commits(self, before: str, after: str) -> str:
        """Address of what is between two commits; that of the later one where the host has none."""
        one, two = before.removesuffix("+changes"), after.removesuffix("+changes")
        return range_address(self._data.commit_url(one), one, self._data.commit_url(two), two)


def range_address(address_of_one: str, one: str, address_of_two: str, two: str) -> str:
    """The comparison of two commits, at hosts whose addresses of commits tell where it is."""
    base = address_of_two.removesuffix(two)
    if address_of_one and address_of_two and not any(host in base for host in _OTHERWISE):
        for end, instead in _RANGES:
            if base.endswith(end):
                return web_address(f"{base.removesuffix(end)}{instead}{one}...{two}")
    return address_of_two
