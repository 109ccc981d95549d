"""Numbers and cells that pages carry packed, read again by their script in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from screenshot import CHROMIUM, browser

from bench_lib.sphinx_ext.assets import BUNDLES, bundle
from bench_lib.sphinx_ext.figures import day_cell
from bench_lib.sphinx_ext.number_text import ALPHABET, number_text
from bench_lib.sphinx_ext.script_data import data_script
from bench_lib.sphinx_ext.site_table import Column, SiteTable, TextCell, number_cell, table_data, table_html
from bench_lib.table_script import SCRIPT

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no browser at {CHROMIUM}")


def number_lists() -> list[list[Any]]:
    random = np.random.default_rng(7)
    lists: list[list[Any]] = [[], [0], [None], [0, None, -1, None, None, 7], [1.5, 2], [True, False], [2**52]]
    lists += [random.normal(0, 10**digits, 300).astype(np.int64).tolist() for digits in range(13)]
    # Rising, with outliers: differences are shorter.
    lists.append((np.arange(1000) * 86_400 + 1_600_000_000).tolist())
    # Around the numbers where one more character is needed.
    for short in (0, 24, 48, 72, 80):
        two = short + (84 - short) * 90
        edges = [short, two, two + 3 * 90**2, two + 3 * 90**2 + 90**3]
        near = [edge + step for edge in edges for step in (-1, 0, 1) if edge + step >= 0]
        lists.append([n // 2 if n % 2 == 0 else -(n + 1) // 2 for n in near])
    return lists


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    path = tmp_path_factory.mktemp("packed") / "page.html"
    path.write_text(
        f"<!DOCTYPE html><title>T</title><script>{bundle(BUNDLES[SCRIPT])}</script>", encoding="utf-8"
    )
    with browser(width=1200, height=800) as context:
        opened = context.new_page()
        opened.goto(path.as_uri())
        yield opened


def test_numbers_are_the_same_when_read_again(page: Any) -> None:
    lists = number_lists()
    texts = [number_text(numbers) for numbers in lists]
    # As they come from a page: through JSON.
    read = page.evaluate(
        "texts => JSON.stringify(JSON.parse(texts).map(self.benchLib.numbers))", json.dumps(texts)
    )
    assert json.loads(read) == lists
    for text in texts:
        assert isinstance(text, list) or set(text) <= set(ALPHABET)


def test_text_of_small_numbers_is_short_and_safe() -> None:
    numbers = np.random.default_rng(3).normal(0, 500, 1000).astype(int).tolist()
    text = number_text(numbers)
    assert isinstance(text, str) and len(text) < 2.1 * len(numbers)
    assert not set(ALPHABET) & set('"\\<>&') and len(ALPHABET) == 90


def cells() -> list[list[Any]]:
    made: list[list[Any]] = []
    for i in range(60):
        full = f"{i * 7919:040x}"[::-1]
        name = f"Suite{i % 7}.time_{i % 3}"
        made.append(
            [
                TextCell(name, href=f"page:benchmarks/{name.lower()}#machine=a%20b&at={i}"),
                TextCell(full[:8], href=f"https://example.org/commit/{full}", hover=full, mark="bench-code"),
                day_cell(
                    pd.Timestamp("2024-02-29T23:59:58Z") + i * pd.Timedelta("1.5D") if i % 9 else pd.NaT
                ),
                number_cell(f"{i} ms", i / 1000) if i % 5 else number_cell("skipped", None, hover="why <b>"),
                TextCell("regression" if i % 2 else "improvement", mark="bench-worse" if i % 2 else ""),
                TextCell("<i>x</i>\u202e\t&", href="page:devices/x" if i % 4 else ""),
                "same" if i % 10 else "",
                TextCell("2024-01-01", key="2024-01-01T00:00:00+00:00", hover="another text"),
                TextCell(f"x{i}", href=f"https://example.org/{'a' * i}"),
            ]
        )
    return made


def test_cells_from_data_are_those_of_the_page(page: Any, tmp_path: Path) -> None:
    columns = [Column(f"c{i}", f"C{i}", kind="number" if i == 3 else "text") for i in range(9)]
    table = SiteTable("t", "T", columns, cells())
    whole = re.sub("\ue000p:(.*?)\ue001", r"\1.html", table_html(table, limit=60))
    data = data_script(table_data(table), name="table:t")
    plain = sum(
        len(str(cell.plain() if isinstance(cell, TextCell) else cell)) for row in cells() for cell in row
    )
    assert len(data) < 0.75 * plain
    first = re.sub("\ue000p:(.*?)\ue001", r"\1.html", table_html(table, limit=2))
    path = tmp_path / "table.html"
    script = f"<script>{data}</script><script>{bundle(BUNDLES[SCRIPT])}</script>"
    path.write_text(
        f"<!DOCTYPE html><meta charset=utf-8><article>{first}</article>{script}", encoding="utf-8"
    )
    page.goto(path.as_uri())
    inner = (
        "html => { const e = document.createElement('div'); e.innerHTML = html; const facts = c => "
        "[c.textContent, c.dataset.key ?? '', c.title, c.className.replace('stub', '').trim(), "
        "c.querySelector('a')?.getAttribute('href') ?? '']; "
        "return [...e.querySelectorAll('tbody tr')].map(r => [...r.cells].map(facts)); }"
    )
    shown = page.evaluate(inner, page.locator("table").evaluate("t => t.outerHTML"))
    expected = page.evaluate(inner, whole)
    assert len(shown) == 60

    def same(row: list[list[str]]) -> list[list[str]]:
        # A number may be written in several ways.
        return [
            [c[0], str(float(c[1])) if c[1].replace(".", "").isdigit() else c[1], *map(str.strip, c[2:])]
            for c in row
        ]

    assert [same(row) for row in shown] == [same(row) for row in expected]
