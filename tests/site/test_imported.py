"""The page of imported results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bs4 import BeautifulSoup
from sample_records import ENVIRONMENT, HOSTILE

from bench_lib.model import Measurement, Run

PAGE = "# Page\n\n```{bench-imported}\n```\n\n```{bench-runs}\n```\n"

RUN = Run(
    benchmark="llama_bench",
    version="1",
    params={"model": "tiny Q4_0", "n_prompt": 512},
    hardware="google-pixel-9",
    environment=replace(ENVIRONMENT, commit=None, python="", torch=None),
    status="ok",
    measurements=(Measurement("prefill_tokens_per_s", (200.0, 210.0, 190.0)),),
    origin="imported",
    details={
        "tool": "llama-bench JSON",
        "device": "Mali-G715",
        "device_matches": None,
        "build_number": 6123,
        "source": "https://example.org/results",
    },
)


def text_of(folder: Path) -> str:
    return BeautifulSoup((folder / "index.html").read_text(encoding="utf-8"), "html.parser").article.get_text(
        " "
    )


def test_a_row_says_what_where_and_that_it_is_imported(pages: Callable[..., Path]) -> None:
    skipped = replace(
        RUN,
        benchmark="vkpeak",
        params={"test": "fp16-matrix"},
        status="skipped",
        reason="not-supported",
        measurements=(),
    )
    wrong = replace(
        RUN, params={"n_prompt": 1}, details={**RUN.details, "device_matches": False, "throttled": True}
    )
    shown = " ".join(text_of(pages(PAGE, [RUN, skipped, wrong])).split())
    assert "200 token/s" in shown and "median of 3" in shown
    assert "imported llama-bench JSON, 6123" in shown
    assert "https://example.org/results" in shown
    assert "by the file: Mali-G715" in shown
    assert "the file names another device: Mali-G715" in shown
    assert "not-supported" in shown
    assert "warmer meanwhile" in shown


def test_what_another_tool_left_out_is_no_failure_of_ours(pages: Callable[..., Path]) -> None:
    skipped = replace(RUN, status="skipped", reason="not-supported", measurements=())
    ours = replace(RUN, origin="measured", hardware="ours", details={})
    assert "All 1 runs on record gave figures" in text_of(pages(PAGE, [skipped, ours]))


def test_without_imports_the_command_is_named(pages: Callable[..., Path]) -> None:
    shown = " ".join(text_of(pages(PAGE, [replace(RUN, origin="measured")])).split())
    assert "To add some: bench-lib import FILE --hardware SLUG" in shown


def test_hostile_text_of_a_file_stays_text(pages: Callable[..., Path]) -> None:
    run = replace(
        RUN,
        benchmark=HOSTILE,
        params={HOSTILE: HOSTILE},
        hardware=HOSTILE,
        details={
            **RUN.details,
            "tool": HOSTILE,
            "device": HOSTILE,
            "source": HOSTILE,
            "build_number": HOSTILE,
        },
    )
    page = BeautifulSoup(
        (pages(PAGE, [run]) / "index.html").read_text(encoding="utf-8"), "html.parser"
    ).article
    assert page.find("img") is None and "alert(1)" in page.get_text()
    assert not [s for s in page.find_all("script") if "alert" in s.get_text()]
