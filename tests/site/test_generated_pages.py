"""Pages made from results: their names, their data, when they are written, and what search knows of them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from bench_lib.results import synthetic
from bench_lib.results_site import build_results_site
from bench_lib.sphinx_ext.generated_pages import _without_indentation
from bench_lib.sphinx_ext.page_names import MAX_LENGTH, file_names
from bench_lib.sphinx_ext.script_data import data_element, data_script, finite, script_json
from bench_lib.sphinx_ext.site_data import SiteData, digest_of, read_project, web_address


def test_a_plain_name_is_its_own_file_name() -> None:
    assert file_names(["suite.Case.time_it"]) == {"suite.Case.time_it": "suite.case.time_it"}
    assert file_names(["suite.time_it"]) == {"suite.time_it": "suite.time_it"}


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "con",
        "a b",
        "",
        ".",
        "..",
        "é.time",
        "x" * 400,
        "a/b\\c",
        "<b>",
        "a\x00b",
        "COM1.x",
    ],
)
def test_odd_names_stay_in_their_folder(name: str) -> None:
    (file,) = file_names([name]).values()
    assert set(file) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    assert len(file) <= MAX_LENGTH + 11
    assert not file.startswith(".") and file.partition(".")[0] not in ("con", "com1", "")


def test_names_that_differ_by_case_or_by_lost_characters_have_files_of_their_own() -> None:
    names = ["a.Time", "a.time", "a.tIme", "a b", "a-b", "a_b", "a<b"]
    files = file_names(names)
    assert len({f.lower() for f in files.values()}) == len(names)
    assert files["a_b"] == "a_b"


def test_script_json_has_nothing_that_ends_a_script() -> None:
    text = "</script><!--\u2028\u2029&amp;\ud800"
    found = script_json({text: [text, float("nan"), float("inf"), 1.5]})
    assert not set("<>&\u2028\u2029") & set(found)
    ((key, values),) = json.loads(found).items()
    assert key == values[0] == text.replace("\ud800", "\ufffd" * 3)
    assert values[1:] == [None, None, 1.5]
    assert data_element(text, name='a"b').startswith('<script type="application/json" id="a&quot;b">"')
    assert "</script>" not in data_script(text, name="</script>")


def test_finite_keeps_six_digits() -> None:
    assert finite(1.23456789e-7) == 1.23457e-07
    assert finite(float("nan")) is None and finite(float("-inf")) is None


@pytest.mark.parametrize(
    "text", ["javascript:alert(1)", "//e.example", "https://", "https://a b/", 'https://a/"', "x"]
)
def test_only_web_addresses_become_links(text: str) -> None:
    assert web_address(text) == ""
    assert web_address("https://example.org/commit/") == "https://example.org/commit/"


def test_project_of_asv_conf_with_comments_and_hostile_addresses(tmp_path: Path) -> None:
    path = tmp_path / "asv.conf.json"
    path.write_text(
        '{// a comment\n"project": "X", "project_url": "javascript:1", "show_commit_url": "http://e.org/c/",}'
    )
    project = read_project(path)
    assert (project.name, project.url, project.show_commit_url) == ("X", "", "http://e.org/c/")
    (tmp_path / "results").mkdir()
    data = SiteData(tmp_path / "results")
    assert data.commit_url("0123456789abcdef") == "http://e.org/c/0123456789abcdef"
    assert data.commit_url("+changes") == "" and data.commit_url("../x") == ""
    path.write_text("[")
    assert read_project(path).name == ""


def test_digest_changes_with_names_and_contents_only(tmp_path: Path) -> None:
    assert digest_of(tmp_path / "none") == digest_of(tmp_path)
    (tmp_path / "a").write_text("1")
    first = digest_of(tmp_path)
    (tmp_path / "a").write_text("1")
    assert digest_of(tmp_path) == first
    (tmp_path / "a").rename(tmp_path / "b")
    assert digest_of(tmp_path) != first


class Project:
    """A Sphinx project with one document, and results beside it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.html = root / "html"
        (root / "src").mkdir()
        self.conf = root / "src" / "conf.py"
        self.conf.write_text('extensions = ["bench_lib.sphinx_ext"]\nhtml_theme = "furo"\n')
        (root / "src" / "index.rst").write_text("Title\n=====\n\nText\n")

    def build(self, *options: str, code: int = 0) -> str:
        command = [sys.executable, "-m", "sphinx", "-W", "-b", "html", *options]
        command += [str(self.root / "src"), str(self.html)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        # Sphinx colours its output on a machine that says it is one of continuous integration.
        return re.sub(r"\x1b\[[\d;]*m", "", done.stderr)

    def times(self) -> dict[str, int]:
        return {p.name: p.stat().st_mtime_ns for p in sorted((self.html / "benchmarks").glob("*.html"))}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    synthetic.write_store(tmp_path / "results", num_machines=2, num_commits=12, num_benchmarks=3)
    return Project(tmp_path)


def test_pages_are_written_when_they_change_and_removed_when_nothing_makes_them(project: Project) -> None:
    project.build()
    first = project.times()
    assert len(first) == 3
    assert "time_case_1" in (project.html / "searchindex.js").read_text()
    project.build()
    assert project.times() == first
    assert "time_case_1" in (project.html / "searchindex.js").read_text(), "search forgot the pages"
    for path in (project.root / "results").rglob("*-virtualenv-py3.11.json"):
        content = json.loads(path.read_text())
        del content["results"]["bench_0.Suite.time_case_2"]
        path.write_text(json.dumps(content))
    project.build()
    left = project.times()
    assert sorted(left) == sorted(first)[:2]
    assert all(left[name] == first[name] for name in left), "pages were rewritten that did not change"
    assert "benchmarks/bench_0.suite.time_case_2" not in (project.html / "searchindex.js").read_text()
    # Nothing is left that a fresh build would not make: no word, no folder.
    (project.html / "benchmarks" / "of-before").mkdir()
    built = tree(project.html)
    assert built.pop("benchmarks/of-before") == b"", "not ours"
    project.html = project.root / "fresh"
    project.build()
    assert tree(project.html) == built


def tree(folder: Path) -> dict[str, bytes]:
    """Content of each file of a site, and each folder; not what Sphinx keeps for the next build."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
        if not path.relative_to(folder).parts[0].startswith(".")
    }


def test_a_page_that_was_lost_comes_back(project: Project) -> None:
    project.build()
    before = {p.name: p.read_bytes() for p in (project.html / "benchmarks").iterdir()}
    for name in before:
        (project.html / "benchmarks" / name).unlink()
    project.build()
    assert {p.name: p.read_bytes() for p in (project.html / "benchmarks").iterdir()} == before


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            'bench_lib_pages = ["nonesuch"]',
            "bench_lib_pages: found ['nonesuch'], expected True, False, or a list",
        ),
        ("bench_lib_pages = 3", "bench_lib_pages: found 3, expected True"),
        ('bench_lib_show_commit_url = "javascript:x"', "bench_lib_show_commit_url: found 'javascript:x'"),
        ("bench_lib_results = 7", "bench_lib_results: found 7, expected a path, as text"),
    ],
)
def test_a_bad_value_is_one_clear_error(project: Project, value: str, message: str) -> None:
    project.conf.write_text(project.conf.read_text() + value + "\n")
    errors = project.build(code=2)
    assert message in errors
    assert errors.lstrip().startswith("Configuration error")


def test_other_formats_have_no_such_pages(project: Project) -> None:
    project.conf.write_text(project.conf.read_text().replace('html_theme = "furo"', ""))
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "text", str(project.root / "src")]
    subprocess.run([*command, str(project.root / "text")], check=True)
    assert not (project.root / "text" / "benchmarks").exists()


def test_dirhtml_pages_find_their_files(project: Project) -> None:
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "dirhtml", str(project.root / "src")]
    subprocess.run([*command, str(project.root / "dir")], check=True)
    (first, *_) = sorted((project.root / "dir" / "benchmarks").iterdir())
    text = (first / "index.html").read_text()
    assert 'href="../../_static/' in text


def test_without_results_nothing_is_made(tmp_path: Path) -> None:
    made = Project(tmp_path)
    made.build()
    assert not (made.html / "benchmarks").exists()


def test_indentation_goes_where_no_browser_shows_it() -> None:
    assert _without_indentation("<p>\n    a\n\n  <b>c</b></p>\n") == "<p>\na\n<b>c</b></p>\n"
    for shown in ("<pre>\n  a</pre>\n", "<textarea>\n  a</textarea>\n", "<script>`\n  a`</script>\n"):
        assert _without_indentation(shown) == shown


def test_a_title_with_markup_in_it_is_text(tmp_path: Path) -> None:
    synthetic.write_store(tmp_path / "results", num_machines=1, num_commits=3, num_benchmarks=1)
    title = "<script>alert(1)</script> & <b>x</b>\u202e"
    (tmp_path / "asv.conf.json").write_text(json.dumps({"project": title}), encoding="utf-8")
    build_results_site(tmp_path / "results", output=tmp_path / "html")
    for page in (tmp_path / "html").rglob("*.html"):
        soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
        brand, head = soup.select_one(".sidebar-brand-text"), soup.title
        assert brand is not None and brand.get_text() == "<script>alert(1)</script> & <b>x</b>\ufffd"
        assert head is not None and not soup.select("title *, .brand *, .sidebar-brand-text *")
