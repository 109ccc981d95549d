"""The page of small models: compared within a session, marked where a processor emulates a device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from sample_records import ENVIRONMENT, HOSTILE

from bench_lib.model import Measurement, Run
from bench_lib.sphinx_ext.edge_models import groups

PAGE = "# Page\n\n```{bench-edge-models}\n```\n"


def model_run(framework: str, decode_s: float, *, session: str = "s1", **own: Any) -> Run:
    """One token in ``decode_s``, a prompt of 32 tokens in eight times that."""
    details = {
        "framework": framework,
        "precision": "f32",
        "cases_in_turns": own.get("cases", 4),
        "device_observed": own.get("device", "cpu"),
        "device_name": "CPU",
        "software_device": own.get("software", False),
        "framework_version": "1.2",
        "threads": 1,
        "decode_delegates": 3,
        **own.get("details", {}),
    }
    measured = {
        "decode_time": (decode_s,) * 20,
        "prefill_time": (8 * decode_s,) * 20,
        "time_to_first_token": (9 * decode_s,) * 20,
        "output_error": (0.0,),
        "artefact_size": (13 * 2.0**20,),
        "model_load_time": (0.25,),
        "first_inference_time": (0.5,),
        "peak_rss": (200 * 2.0**20,),
    }
    return Run(
        benchmark="edge_models.Decoder",
        version="1",
        params={"case": f"{framework} cpu f32"},
        hardware="example-cpu-2cpu",
        environment=replace(ENVIRONMENT, **own.get("environment", {})),
        status="ok",
        measurements=tuple(Measurement(m, s) for m, s in measured.items()),
        details=details,
        session=session,
    )


def skipped(framework: str, reason: str, **details: Any) -> Run:
    made = model_run(framework, 1.0)
    return replace(made, status="skipped", reason=reason, measurements=(), details=details)


def soup_of(folder: Path) -> BeautifulSoup:
    return BeautifulSoup((folder / "index.html").read_text(encoding="utf-8"), "html.parser")


def test_fastest_first_with_error_and_bytes(pages: Callable[..., Path]) -> None:
    runs = [
        model_run("slow", 4e-3),
        model_run("fast", 2e-3),
        model_run("emulated", 1e-3, device="vulkan", software=True),
        skipped(
            "lowered", "no runtime", reason_code="no-runtime", artefact_bytes=3 * 2**20, forward_delegates=7
        ),
    ]
    soup = soup_of(pages(PAGE, runs))
    main, emulated, rest = (
        [[cell.get_text(" ", strip=True) for cell in row.find_all(["th", "td"])] for row in t.find_all("tr")]
        for t in (*soup.find_all("table", class_="bench-figures"), soup.find("table", class_="bench-runs"))
    )
    assert [row[0] for row in main[1:]] == ["fast 1.2", "slow 1.2"]
    # 1 / 2 ms; 32 / 16 ms; 9 · 2 ms; half the speed of the fastest.
    assert main[1][7:10] == ["500", "2,000", "18 ms"]
    assert [row[4] for row in main[1:]] == ["1.00", "2.00"]
    assert main[1][5:7] == ["0", "13 MiB"]
    assert main[1][10:] == ["250 ms 500 ms", "200 MiB", "decode delegates 3"]
    # Faster than all, on a device of another kind.
    assert emulated[1][0] == "emulated 1.2" and emulated[1][4] == "1.00"
    assert rest[1][2:] == ["no-runtime", "no runtime lowered: 3 MiB, forward delegates 7"]


def test_a_session_of_several_is_compared_before_newer_single_ones() -> None:
    later = {"started": "2026-12-01T10:15:00+00:00"}
    pair = [model_run("a", 1.0), model_run("b", 2.0)]
    (group,) = groups([*pair, model_run("a", 9.0, session="s2", cases=1, environment=later)])
    assert group.is_interleaved and [r.details["framework"] for r in group.good] == ["a", "b"]


def test_single_sessions_are_compared_at_one_commit() -> None:
    old = {"commit": "0" * 40, "started": "2026-11-01T00:00:00+00:00"}
    runs = [
        model_run("a", 1.0, cases=1),
        model_run("b", 2.0, cases=1),
        model_run("c", 3.0, session="s3", cases=1, environment=old),
    ]
    (group,) = groups(runs)
    assert not group.is_interleaved and [r.details["framework"] for r in group.good] == ["a", "b"]


def test_records_are_not_trusted(pages: Callable[..., Path]) -> None:
    bad = model_run(
        HOSTILE, 1e-3, details={"device_name": HOSTILE, "framework_version": HOSTILE, "threads": HOSTILE}
    )
    zero = model_run("zero", 0.0)
    soup = soup_of(pages(PAGE, [bad, zero, skipped("x", HOSTILE, artefact_bytes=HOSTILE)]))
    article = soup.find("article")
    assert article is not None
    assert not article.find_all(["script", "img", "i"])
    assert "onerror" in article.get_text()


def test_nothing_yet(pages: Callable[..., Path]) -> None:
    assert "bench-lib edge models" in soup_of(pages(PAGE, [])).get_text()
