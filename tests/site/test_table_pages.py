"""Pages of hardware, comparison, changes, inventory and downloads: their figures, and bad input."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pandas as pd
import pytest
from bs4 import BeautifulSoup, Tag
from click.testing import CliRunner
from sample_asv import HOSTILE, build_tables, commit, write_results

from bench_lib.cli import cli

PAGES = ("changes", "compare", "downloads", "hardware", "inventory")


def soup(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def table_rows(page: BeautifulSoup, id: str) -> list[dict[str, str]]:
    table = page.select_one(f"table#{id}")
    assert isinstance(table, Tag)
    names = [str(th["data-column"]) for th in table.select("thead th")]
    return [
        dict(zip(names, (cell.get_text() for cell in row.find_all(["th", "td"])), strict=True))
        for row in table.select("tbody tr")
    ]


def command(root: Path, *arguments: str) -> str:
    # To a file: on its way to a terminal, click takes control characters out.
    printed = root / "printed"
    done = CliRunner().invoke(cli, [*arguments, "--results", str(root / "results"), "--output", str(printed)])
    assert done.exit_code == 0, done.output
    return printed.read_bytes().decode()


def as_frame(root: Path, *arguments: str) -> pd.DataFrame:
    return pd.DataFrame(json.loads(command(root, *arguments, "--json")))


def test_a_device_has_a_page_with_the_newest_figures(asv_root: Path, html: Path) -> None:
    page = soup(html / "devices" / "nvidia-h100-sxm.html")
    heading = page.select_one("h1")
    assert heading is not None and "H100" in heading.get_text()
    facts = page.select_one(".bench-device-facts")
    assert facts is not None and "data sheet" in facts.get_text() and "entered 20" in facts.get_text()
    shown = table_rows(page, "figures")
    expected = as_frame(asv_root, "lookup", "--hardware", "nvidia-h100-sxm")
    assert len(shown) == len(expected) == 9
    keys = page.select("table#figures td.bench-number[data-key]")
    assert {float(str(k["data-key"])) for k in keys if k["data-key"]} >= set(expected["value"].dropna())


def test_a_machine_without_machine_json_says_so(html: Path) -> None:
    text = (html / "devices" / "nofacts.html").read_text(encoding="utf-8")
    assert "no machine.json" in text and "no device file" in text


def test_a_software_device_is_marked(html: Path) -> None:
    page = soup(html / "devices" / "software.html")
    note = page.select_one(".bench-software-note")
    assert note is not None and "CPU emulates" in note.get_text()
    kinds = {r["device"]: r["kind"] for r in table_rows(soup(html / "bench" / "hardware.html"), "hardware")}
    assert kinds["software"] == "software device" and kinds["NVIDIA H100 SXM"] == "GPU"


def test_changes_are_those_of_the_command(asv_root: Path, html: Path) -> None:
    shown = table_rows(soup(html / "bench" / "changes.html"), "changes")
    expected = as_frame(asv_root, "changes", "--possible")
    assert len(shown) == len(expected) > 0
    assert [r["effect"] for r in shown] == list(expected["effect"])
    assert [r["change"] for r in shown] == [f"{100 * (r - 1):+.1f} %" for r in expected["ratio"]]
    # In sight on a phone, which shows the first two columns.
    assert [str(h["data-column"]) for h in soup(html / "bench" / "changes.html").select("#changes thead th")][
        :2
    ] == ["benchmark", "change"]
    (planted,) = [r for r in shown if r["benchmark"] == "suite.time_it" and r["machine"] == "alpha"]
    assert planted["commits"] == f"{commit(11)[:8]}..{commit(12)[:8]}" and planted["effect"] == "regression"
    links = [
        str(a["href"]) for a in soup(html / "bench" / "changes.html").select("table#changes a[href^=https]")
    ]
    assert f"https://github.com/example/project/compare/{commit(11)}...{commit(12)}" in links


def test_the_feed_is_valid_and_stable(asv_root: Path, html: Path) -> None:
    feedparser = pytest.importorskip("feedparser", reason="feedparser is not installed")
    text = (html / "bench" / "changes.atom").read_text(encoding="utf-8")
    ET.fromstring(text)
    found = feedparser.parse(text)
    assert not found.bozo and found.version == "atom10"
    confirmed = as_frame(asv_root, "changes")
    confirmed = confirmed[confirmed["kind"] == "confirmed"]
    assert len(found.entries) == len(confirmed) > 0
    assert len({e.id for e in found.entries}) == len(found.entries)
    assert all(e.id.startswith("urn:uuid:") for e in found.entries)
    # Dates are those of commits, whenever the site is built.
    assert found.feed.updated == max(e.updated for e in found.entries)
    assert found.feed.updated.startswith("2020-")
    assert all("<" not in e.title.replace("</script>", "").replace("<img", "") for e in found.entries)
    assert all(not e.link.startswith("javascript:") for e in found.entries)


def test_the_feed_names_whole_addresses_where_the_site_is_known(asv_root: Path, tmp_path: Path) -> None:
    write_results(tmp_path / "results")
    output = build_tables(tmp_path, "-D", "html_baseurl=https://example.org/bench/sub/")
    root = ET.parse(output / "bench" / "changes.atom").getroot()
    atom = "{http://www.w3.org/2005/Atom}"
    links = [str(link.get("href")) for link in root.iter(f"{atom}link")]
    assert "https://example.org/bench/sub/bench/changes.atom" in links
    assert all(link.startswith("https://example.org/bench/sub/") for link in links)
    for link in links:
        assert (output / link.removeprefix("https://example.org/bench/sub/").partition("#")[0]).is_file()


def test_inventory_names_gaps_damage_and_versions(html: Path) -> None:
    page = soup(html / "bench" / "inventory.html")
    gaps = table_rows(page, "gaps")
    assert {(r["benchmark"], r["status"], r["still"]) for r in gaps} >= {
        ("suite.mem_table", "skipped", "yes"),
        ("suite.time_grid", "failed", "yes"),
    }
    assert all(r["reason"] for r in gaps)
    (damaged,) = [r for r in table_rows(page, "damage") if r["file"] != "note"]
    assert damaged["file"] == "alpha/half<i>.json"
    assert [r["benchmark"] for r in table_rows(page, "unmeasured")] == ["suite.time_never"]
    assert {r["version"] for r in table_rows(page, "versions") if r["benchmark"] == "suite.time_it"} == {
        "1",
        "2",
    }
    assert "nofacts" in {r["machine"] for r in table_rows(page, "machines")}
    assert {r["environment"] for r in table_rows(page, "environments")} == {"py3.11", "py3.12"}


def test_downloads_are_linked_and_parquet_has_every_value(asv_root: Path, html: Path) -> None:
    folder = html / "bench" / "downloads"
    parquet = pd.read_parquet(folder / "newest.parquet")
    printed = as_frame(asv_root, "lookup")
    assert list(parquet["value"].dropna()) == list(printed["value"].dropna())
    assert list(parquet["benchmark"]) == list(printed["benchmark"])
    assert list(parquet["date"].dt.tz_convert("UTC").dropna()) == list(
        pd.to_datetime(printed["date"].dropna())
    )
    listed = {str(a["href"]) for a in soup(html / "bench" / "downloads.html").select("a[download]")}
    assert listed == {f"downloads/{p.name}" for p in folder.iterdir() if p.suffix != ".js"}


def test_nothing_of_results_becomes_markup(asv_root: Path, html: Path) -> None:
    pages = [*(html / "bench").glob("*.html"), *(html / "devices").glob("*.html")]
    assert {p.stem for p in pages} >= set(PAGES) and len(pages) >= len(PAGES) + 5
    for path in pages:
        text = path.read_text(encoding="utf-8")
        page = BeautifulSoup(text, "html.parser")
        body = page.select_one("article")
        assert body is not None
        assert not body.select("img, b, i, iframe"), path
        assert not page.select("[onerror], [href^='javascript:'], [src^='javascript:']"), path
        assert not set("\x1b\u202e\x00") & set(text), path
        assert str(asv_root) not in text
    for path in html.rglob("*.js"):
        if path.is_relative_to(html / "bench"):
            assert not re.search("[<>]|\u202e", path.read_text(encoding="utf-8")), path
    assert all(
        set(p.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-") for p in (html / "devices").iterdir()
    )
    names = {r["benchmark"] for r in table_rows(soup(html / "bench" / "inventory.html"), "gaps")}
    assert names and HOSTILE in set(
        pd.read_parquet(html / "bench" / "downloads" / "newest.parquet")["machine"]
    )


def test_every_link_leads_to_a_file(html: Path) -> None:
    for folder in ("bench", "devices"):
        for path in (html / folder).glob("*.html"):
            for element in soup(path).select("article a[href], article script[src]"):
                address = str(element.get("href") or element.get("src")).partition("#")[0].partition("?")[0]
                if address and not address.startswith("https:"):
                    assert (path.parent / address).is_file(), f"{path.name}: {address}"


def test_built_twice_the_bytes_are_the_same(asv_root: Path, html: Path) -> None:
    again = build_tables(asv_root, "-E", output="again")
    for path in (*(html / "bench").rglob("*"), *(html / "devices").rglob("*")):
        if path.is_file():
            assert path.read_bytes() == (again / path.relative_to(html)).read_bytes(), path


def test_a_site_without_results_has_none_of_these_pages(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    output = build_tables(tmp_path)
    assert not (output / "bench").exists() and not (output / "devices").exists()


def test_one_machine_has_nothing_to_be_compared_with(tmp_path: Path) -> None:
    from sample_asv import cell, write_file, write_machine

    write_machine(tmp_path / "results", "alone")
    write_file(tmp_path / "results", "alone", 1, {"suite.time_it": cell(1.0)})
    output = build_tables(tmp_path)
    assert "nothing to compare" in (output / "bench" / "compare.html").read_text(encoding="utf-8")
    assert "No series has a step" in (output / "bench" / "changes.html").read_text(encoding="utf-8")
