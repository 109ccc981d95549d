"""Records are not trusted: whatever they hold reaches a page as text."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bs4 import BeautifulSoup
from sample_records import ENVIRONMENT, HOSTILE, REPOSITORY, build_site, make_run

from bench_lib.model import Measurement
from bench_lib.results import records

EVERYTHING = """# Page

```{bench-fsdp2-results}
```

```{bench-fsdp2-table}
```

```{bench-fsdp2-chart}
:metric: step_time
```

```{bench-runs}
```

```{bench-measured-hardware}
```
"""


def test_hostile_text_stays_text(pages: Callable[..., Path]) -> None:
    base = make_run(1)
    environment = replace(ENVIRONMENT, commit=HOSTILE, torch=HOSTILE, python=HOSTILE, started=HOSTILE)
    details = {**base.details, "backend": HOSTILE, "batch_per_rank": HOSTILE, "param_dtype": HOSTILE}
    runs = [
        replace(
            base,
            hardware=HOSTILE,
            version=HOSTILE,
            params={"preset": HOSTILE, "num_ranks": 1},
            environment=environment,
            details=details,
        ),
        replace(
            make_run(2),
            status="failed",
            reason=HOSTILE,
            traceback=HOSTILE,
            hardware=HOSTILE,
            params={"preset": HOSTILE, "num_ranks": 2, HOSTILE: HOSTILE},
            measurements=(),
        ),
        replace(make_run(4), benchmark=HOSTILE, status="skipped", reason=HOSTILE, measurements=()),
    ]
    html = pages(EVERYTHING, runs)
    clean_html = pages_without_records(html)
    for name in ("index.html", "search.html", "genindex.html"):
        text = (html / name).read_text(encoding="utf-8")
        page = BeautifulSoup(text, "html.parser")
        # A page with tables loads the script of the tables, and nothing else of its own.
        own = page.select('script[src^="_static/bench-table.js"]')
        assert len(own) == bool(page.select("article table"))
        assert len(page.find_all("script")) - len(own) == clean_html[name], name
        assert not page.select("img[onerror], [href^='javascript:'], [src^='http']")
        assert "\x1b" not in text and "\x00" not in text and "\u202e" not in text
    body = BeautifulSoup((html / "index.html").read_text(encoding="utf-8"), "html.parser").select_one(
        "article"
    )
    assert body is not None
    assert not body.find_all(["script", "b", "i", "em", "iframe"])
    shown = body.get_text()
    for piece in (
        "{{ 7*7 }}",
        "|pipe|",
        "`code`",
        "**bold**",
        "[a](javascript:alert(1))",
        ":ref:`index`",
        "$x^2$",
        "&amp;",
    ):
        assert piece in shown, piece
    assert "49" not in re.findall(r"\{\{ (\S+) \}\}", shown)


def test_extreme_numbers_do_not_break_the_page(pages: Callable[..., Path]) -> None:
    base = make_run(1)
    huge = {"num_parameters": 10**400, "tokens_per_step": 10**400, "num_nodes": 10**400}
    runs = [
        base,
        replace(make_run(2), details={**base.details, **huge, "threads_per_rank": HOSTILE}),
        replace(
            make_run(4),
            measurements=(
                Measurement("step_time", (1e308, 1e308, 1e300), clock=HOSTILE, warmup=-5),
                Measurement("loss", ()),
                Measurement("peak_rss", (-1e300,)),
                Measurement(HOSTILE, (1.0,)),
            ),
        ),
        replace(make_run(8), measurements=(Measurement("step_time", (1e-320, 1e-310)),)),
        replace(base, params={"preset": "x", "num_ranks": 2**20}, failed_rank=10**400),
        replace(base, params={"preset": "y", "num_ranks": 1}, details=huge),
    ]
    text = (pages(EVERYTHING, runs) / "index.html").read_text(encoding="utf-8")
    assert "1048576" in text and "unknown" in text


def pages_without_records(html: Path) -> dict[str, int]:
    """Number of scripts that the theme itself puts into each page, from a build without records."""
    source, empty = html.parent / "src", html.parent / "empty"
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-E", "-D", "bench_lib_results=../none"]
    subprocess.run([*command, "-d", str(html.parent / "d"), str(source), str(empty)], check=True)
    return {
        p.name: len(BeautifulSoup(p.read_text(encoding="utf-8"), "html.parser").find_all("script"))
        for p in empty.glob("*.html")
    }


def test_damaged_record_is_named_and_stops_the_build(results: Path, tmp_path: Path) -> None:
    copy = tmp_path / "results"
    shutil.copytree(results, copy)
    bad = copy / "records" / "example-cpu-2cpu" / "bad<b>.record"
    bad.write_text('{"benchmark": 7}', encoding="utf-8")
    stopped = build_site(copy, tmp_path / "one")
    assert stopped.returncode != 0
    assert "damaged record" in stopped.stderr and "bad<b>.record" in stopped.stderr
    assert "bench_lib.damaged-record" in stopped.stderr
    passed = build_site(copy, tmp_path / "two", "-D", "suppress_warnings=bench_lib.damaged-record")
    assert passed.returncode == 0, passed.stderr
    for name in ("fsdp2", "hardware", "runs"):
        text = (tmp_path / "two" / "results" / f"{name}.html").read_text(encoding="utf-8")
        assert "bad&lt;b&gt;.record" in text and "Damaged records" in text
        assert str(tmp_path) not in text


def test_unusable_record_is_named(tmp_path: Path) -> None:
    run = replace(make_run(1), params={"preset": "small", "num_ranks": "\x1b[31mmany"})
    path = records.write(run, tmp_path / "results")
    # A record keeps its figures under whatever name a person gave its file: that name is told.
    path = path.rename(path.with_name("kept-from-an-older-machine.record"))
    done = build_site(tmp_path / "results", tmp_path / "html")
    assert done.returncode != 0
    assert "unusable record" in done.stderr and "not a whole number" in done.stderr
    assert path.name in done.stderr
    assert "\x1b[31mmany" not in done.stderr


def test_new_changed_and_removed_records_rebuild_their_pages(pages: Callable[..., Path]) -> None:
    html = pages("# Page\n\n```{bench-fsdp2-results}\n```\n", [])
    root = html.parent

    def rebuild() -> tuple[str, str]:
        command = [sys.executable, "-m", "sphinx", "-W", "-b", "html", str(root / "src"), str(html)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return (html / "index.html").read_text(encoding="utf-8"), done.stdout

    assert "0 changed" in rebuild()[1]
    path = records.write(make_run(1), root / "results")
    assert "example-cpu-2cpu" in rebuild()[0]
    assert "0 changed" in rebuild()[1]
    path.write_text(path.read_text().replace("example-cpu-2cpu", "renamed-cpu"), encoding="utf-8")
    assert "renamed-cpu" in rebuild()[0]
    assert len(list((html / "_images").glob("*.svg"))) == 8
    path.write_text(path.read_text().replace("0.2", "0.3"), encoding="utf-8")
    rebuild()
    assert len(list((html / "_images").glob("*.svg"))) == 8, "charts of the earlier figures are left"
    path.unlink()
    assert "No FSDP2 records yet" in rebuild()[0]
    assert not list((html / "_images").glob("*.svg"))


def test_other_formats_get_the_description(pages: Callable[..., Path]) -> None:
    html = pages("# Page\n\n```{bench-fsdp2-chart}\n:metric: memory\n```\n", [make_run(1), make_run(2)])
    out = html.parent / "text"
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "-q",
        "-b",
        "text",
        "-E",
        str(html.parent / "src"),
        str(out),
    ]
    subprocess.run(command, check=True)
    assert "Peak memory a rank by number of ranks" in " ".join((out / "index.txt").read_text().split())


def test_unknown_option_is_an_error_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text('extensions = ["myst_parser", "bench_lib.sphinx_ext"]\n')
    (tmp_path / "index.md").write_text("# P\n\n```{bench-fsdp2-chart}\n:metric: speed\n```\n")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", str(tmp_path), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY)
    assert done.returncode != 0
    assert "step_time, tokens_per_s" in done.stderr
