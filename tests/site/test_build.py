"""The whole site: warnings are errors, the same bytes twice, nothing from elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from sample_records import REPOSITORY, build_site

#: Attributes through which a page makes a browser load something.
LOADING = {
    "script": ["src"],
    "link": ["href"],
    "img": ["src", "srcset"],
    "source": ["src", "srcset"],
    "iframe": ["src"],
    "video": ["src", "poster"],
    "audio": ["src"],
    "object": ["data"],
    "embed": ["src"],
    "use": ["href", "xlink:href"],
    "image": ["href", "xlink:href"],
}


def html_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


def soup(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def loads(page: BeautifulSoup) -> Iterator[str]:
    for tag, attributes in LOADING.items():
        for element in page.find_all(tag):
            for attribute in attributes:
                value = element.get(attribute)
                if isinstance(value, str):
                    yield value


def content(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_built_twice_to_the_same_bytes(site: Path, results: Path, tmp_path: Path) -> None:
    done = build_site(results, tmp_path / "again")
    assert done.returncode == 0, done.stderr
    first, second = content(site), content(tmp_path / "again")
    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    assert len(html_files(site)) > 12
    for path in html_files(site):
        found = [url for url in loads(soup(path)) if urlsplit(url).scheme or url.startswith("//")]
        assert found == [], path
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert "@import" not in text and "url(http" not in text and "url(//" not in text, path
    for path in site.rglob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert "<script" not in text and 'href="http' not in text, path


def test_everything_loaded_is_there(site: Path) -> None:
    for path in html_files(site):
        for url in loads(soup(path)):
            target = urlsplit(url).path
            assert not target or (path.parent / target).is_file(), f"{path.name}: {url}"


def test_pages_name_no_path_of_this_machine(site: Path, results: Path) -> None:
    for name, data in content(site).items():
        assert str(results).encode() not in data and str(REPOSITORY).encode() not in data, name


def section(page: BeautifulSoup, name: str) -> Tag:
    found = page.find("section", id=name)
    assert isinstance(found, Tag), name
    return found


def test_fsdp2_page_shows_figures_reasons_and_origin(site: Path) -> None:
    page = soup(site / "results" / "fsdp2.html")
    cpu = section(page, "example-cpu-2cpu")
    assert "not-enough-memory: 11.0 GiB needed" in cpu.get_text()
    assert "failed: rank 3 was killed by SIGKILL" in cpu.get_text()
    assert "ranks share the 2 CPUs" in cpu.get_text()
    assert "with uncommitted changes" in cpu.get_text()
    gpu = section(page, "nvidia-h100-sxm")
    assert "simulated, not measured" in gpu.get_text()
    assert "simulated" not in cpu.get_text()
    for table in page.select("table.bench-figures"):
        assert len(table.select("thead th")) == 8
        assert "table-wrapper" in (table.parent.get("class") or []) if table.parent else False
    small = section(page, "small-preset")
    first = small.select_one("table.bench-figures tbody tr")
    assert first is not None and "100 %" in first.get_text() and "baseline" in first.get_text()


def test_charts_say_in_words_what_they_show(site: Path) -> None:
    page = soup(site / "results" / "fsdp2.html")
    images = page.select(".bench-chart img")
    assert len(images) == 2 * 12
    for image in images:
        alt = str(image.get("alt"))
        assert "rank" in alt and any(unit in alt for unit in (" ms", " s", "token/s", " %", "MiB")), alt
        assert {"only-light", "only-dark"} & set(image.get("class") or [])
    simulated = [str(i.get("alt")) for i in images if "H100" in str(i.get("alt"))]
    assert simulated and all("(simulated, not measured)" in alt for alt in simulated)


def test_reference_is_generated(site: Path) -> None:
    python = (site / "reference" / "python.html").read_text(encoding="utf-8")
    for name in ("bench_lib.stats.summarize", "bench_lib.model.Run", "bench_lib.results.records.load"):
        assert f'id="{name}"' in python
    command = soup(site / "reference" / "cli.html").get_text()
    assert "--results" in command and "--allow-damaged" in command
    fields = soup(site / "reference" / "records.html").get_text()
    assert "failed_rank" in fields and "Literal" not in fields.split("Read them")[1]
    metrics = soup(site / "explanation" / "method.html").get_text()
    assert "peak_reserved" in metrics


def test_names_in_the_menu_are_told_apart(site: Path) -> None:
    menu = soup(site / "index.html").select_one(".sidebar-tree")
    assert menu is not None
    groups = [caption.get_text() for caption in menu.select(".caption-text")]
    titles = [link.get_text() for link in menu.select("li.toctree-l1 > a")]
    assert {"Results", "All benchmarks"} <= set(groups) and {"Devices and peaks", "Hardware"} <= set(titles)
    assert len(set(groups)) == len(groups) and len(set(titles)) == len(titles)


def test_search_index_covers_the_pages(site: Path) -> None:
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").rstrip().removesuffix(")"))
    assert {"results/fsdp2", "glossary"} <= set(index["docnames"])


def test_without_records_the_page_says_how_to_make_some(tmp_path: Path) -> None:
    done = build_site(tmp_path / "nowhere", tmp_path / "html")
    assert done.returncode == 0, done.stderr
    for name in ("index", "results/fsdp2", "results/hardware", "results/runs"):
        text = soup(tmp_path / "html" / f"{name}.html").get_text()
        assert "records" in text and "yet. To measure on this machine and build the site: make report" in text


@pytest.mark.parametrize("module", ["bench_lib.sphinx_ext", "bench_lib.site"])
def test_imports_stay_light(module: str) -> None:
    code = f"import sys, {module}; print(*sorted({{'torch', 'matplotlib', 'numpy'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() in ([], ["numpy"])
