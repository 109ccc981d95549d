"""The page of edge kernels: what is comparable stands together, and records are not trusted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from sample_records import ENVIRONMENT, HOSTILE

from bench_lib.model import Measurement, Run
from bench_lib.sphinx_ext.edge_sessions import kernel_label, sessions

PAGE = "# Page\n\n```{bench-edge-results}\n```\n\n```{bench-measured-hardware}\n```\n"


def edge_run(
    benchmark: str,
    params: dict[str, Any],
    measured: dict[str, tuple[float, ...]],
    *,
    hardware: str = "acme-one",
    kind: str = "gpu",
    session: str = "s1",
    **details: Any,
) -> Run:
    return Run(
        benchmark=f"edge.{benchmark}",
        version="1",
        params=params,
        hardware=hardware,
        environment=replace(ENVIRONMENT, driver="acme 1.0"),
        status="ok",
        measurements=tuple(Measurement(m, s, clock="vulkan-timestamp") for m, s in measured.items()),
        details={
            "device_kind": kind,
            "unified_memory": True,
            "api": "vulkan",
            "api_version": "1.3.0",
            **details,
        },
        session=session,
    )


def device_runs(hardware: str, kind: str, *, session: str = "s1") -> list[Run]:
    """A kernel that moves 1 MB in 4 ms cold and 2 ms warm, under a copy roof of 1 GB/s."""
    own: dict[str, Any] = {"hardware": hardware, "kind": kind, "session": session}
    times = {"dispatch_time": (2e-3,) * 9, "dispatch_time_cold": (4e-3,) * 9, "round_trip": (5e-3,) * 9}
    kernel = {"op": "saxpy", "dtype": "fp32", "sizes": "n=1000"}
    runs = [
        edge_run("Kernel", kernel, times, bytes_moved=10**6, flop=0, variant="fp32", **own),
        edge_run("Roof", {"roof": "copy"}, {"dispatch_time": (1e-3,)}, bytes_moved=10**6, way="copy", **own),
    ]
    for size, mapped, imported in ((4096, 1e-6, 50e-6), (65536, 60e-6, 50e-6)):
        for mode, value in (("mapped", mapped), ("imported", imported)):
            runs.append(
                edge_run("Transfer", {"mode": mode, "num_bytes": size}, {"transfer_time": (value,)}, **own)
            )
    return runs


def skipped(code: str, reason: str, **own: Any) -> Run:
    made = edge_run("Kernel", {"op": "gemm", "dtype": "fp16", "sizes": "m=1"}, {}, **own)
    return replace(made, status="skipped", reason=reason, details={**made.details, "reason_code": code})


def soup_of(folder: Path) -> BeautifulSoup:
    return BeautifulSoup((folder / "index.html").read_text(encoding="utf-8"), "html.parser")


def test_shares_break_even_and_skips_are_shown(pages: Callable[..., Path]) -> None:
    runs = [*device_runs("acme-one", "gpu"), skipped("feature-missing:shaderFloat16", "it lacks it")]
    text = soup_of(pages(PAGE, runs)).get_text(" ", strip=True)
    # 1 MB at 1 GB/s is 1 ms: half of the warm time, a quarter of the cold.
    assert "50%" in text and "25%" in text
    assert "25% of roof, cold" in text
    assert "imported costs less than a mapped write from 64 KiB up" in text
    assert "feature-missing:shaderFloat16" in text


def test_reasons_and_headings_are_readable_on_a_phone(pages: Callable[..., Path]) -> None:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    from screenshot import CHROMIUM, browser

    if not CHROMIUM.exists():
        pytest.skip(f"no browser at {CHROMIUM}")
    memory = "DEVICE_LOCAL | HOST_VISIBLE | HOST_COHERENT | HOST_CACHED"
    runs = [replace(r, details={**r.details, "memory_type": memory}) for r in device_runs("acme-one", "gpu")]
    runs.append(skipped("feature-missing:shaderFloat16", "the device has no shader arithmetic of 16 bits"))
    folder = pages(PAGE + "\n```{bench-runs}\n```\n", runs)
    with browser(width=360, height=740) as context:
        page = context.new_page()
        page.goto((folder / "index.html").as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        widths = "cells => cells.map(c => c.getBoundingClientRect().width)"
        reasons = page.eval_on_selector_all(
            ".bench-runs td:has(> p)",
            f"cells => ({widths})(cells.filter(c => c.innerText.includes('arithmetic')))",
        )
        # 13 rem on both tables, and as the only column that is that wide.
        assert len(reasons) == 2 and min(reasons) >= 13 * 16
        heads = page.eval_on_selector_all(".bench-transfers thead th:not(.stub)", widths)
        assert len(heads) == 2 and max(heads) < 360 / 2
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0


def test_a_null_dispatch_has_no_share_of_the_roof(pages: Callable[..., Path]) -> None:
    times = {"dispatch_time": (3e-6,) * 9, "dispatch_time_cold": (5e-6,) * 9}
    params = {"op": "null", "dtype": "none", "sizes": "n=1"}
    null = edge_run("Kernel", params, times, bytes_moved=4, flop=0)
    soup = soup_of(pages(PAGE, [*device_runs("acme-one", "gpu"), null]))
    rows = {
        (index, head.get_text(" ", strip=True)): [c.get_text(" ", strip=True) for c in line.find_all("td")]
        for index, table in enumerate(soup.select("table.bench-figures"))
        for line in table.select("tbody tr")
        if (head := line.find("th")) is not None
    }
    cells = [found for (_, head), found in rows.items() if head.startswith("null")]
    assert len(cells) == 2
    assert cells[0] == ["5 µs cold"]
    assert [cells[1][1], cells[1][3]] == ["–", "–"]


def test_a_software_device_never_stands_in_a_table_with_a_gpu(pages: Callable[..., Path]) -> None:
    runs = [*device_runs("acme-one", "gpu"), *device_runs("acme-two", "gpu")]
    runs += device_runs("lavapipe-cpu", "software")
    soup = soup_of(pages(PAGE, runs))
    heads = [t.thead.get_text(" ", strip=True) for t in soup.select("table.bench-figures") if t.thead]
    assert any("acme-one" in h and "acme-two" in h for h in heads)
    assert any("lavapipe-cpu" in h for h in heads)
    assert not any("acme" in h and "lavapipe" in h for h in heads)
    assert "software device" in soup.get_text(" ", strip=True)


def test_a_share_is_of_the_roof_of_its_own_session_only(pages: Callable[..., Path]) -> None:
    kernel = device_runs("acme-one", "gpu", session="s2")[0]
    roof = device_runs("acme-one", "gpu", session="s1")[1]
    text = soup_of(pages(PAGE, [kernel, roof])).get_text(" ", strip=True)
    assert "no share of them is known" in text and "50%" not in text


def test_a_record_that_names_no_kind_meets_no_gpu() -> None:
    unknown = device_runs("mystery", "")
    both = sessions([*unknown, *device_runs("acme-one", "gpu")])
    assert [(s.hardware, s.is_software) for s in both] == [("acme-one", False), ("mystery", True)]


def test_drift_is_told(pages: Callable[..., Path]) -> None:
    runs = device_runs("acme-one", "gpu")
    runs[0] = replace(runs[0], details={**runs[0].details, "drifts": True, "drift": 0.12})
    assert "warm samples moved by +12%" in soup_of(pages(PAGE, runs)).get_text(" ", strip=True)


@pytest.mark.parametrize("samples", [(), (float("nan"),), (float("inf"), 1.0), (-1.0,), (0.0, 0.0)])
def test_samples_that_are_no_times_are_no_figures(
    pages: Callable[..., Path], samples: tuple[float, ...]
) -> None:
    runs = device_runs("acme-one", "gpu")
    bad = tuple(replace(m, samples=samples) for m in runs[0].measurements)
    # JSON has no NaN and no infinity: those reach us from memory only.
    if all(math.isfinite(s) for s in samples):
        pages(PAGE, [replace(runs[0], measurements=bad), *runs[1:]])
    assert sessions([replace(runs[0], measurements=bad)])[0].kernels == ()


def test_hostile_records_stay_text(pages: Callable[..., Path]) -> None:
    own: dict[str, Any] = {"hardware": HOSTILE, "session": HOSTILE}
    details: dict[str, Any] = {"variant": HOSTILE, "way": HOSTILE, "memory_type": HOSTILE, "api": HOSTILE}
    details |= {"api_version": HOSTILE, "drifts": HOSTILE, "drift": 0.5, "bytes_moved": 5, "flop": 5}
    times = {"dispatch_time": (1.0,) * 9}
    kernel = {"op": HOSTILE, "dtype": HOSTILE, "sizes": HOSTILE, "algorithm": HOSTILE}
    runs = [
        edge_run("Kernel", kernel, times, **own, **details),
        edge_run("Roof", {"roof": "copy"}, times, **own, **details),
        edge_run("Roof", {"roof": f"matrix-{HOSTILE}"}, times, **own, **details),
        edge_run(
            "Transfer", {"mode": "mapped", "num_bytes": 4096}, {"transfer_time": (1.0,)}, **own, **details
        ),
        edge_run("Transfer", {"mode": HOSTILE, "num_bytes": -1}, {"transfer_time": (1.0,)}, **own, **details),
        skipped(HOSTILE, HOSTILE, **own),
    ]
    runs = [replace(r, environment=replace(ENVIRONMENT, driver=HOSTILE, commit=HOSTILE)) for r in runs]
    html = (pages(PAGE, runs) / "index.html").read_text(encoding="utf-8")
    soup = BeautifulSoup(html, "html.parser")
    assert not [s for s in soup.find_all("script") if "alert" in s.get_text()]
    assert not soup.find_all("img", src=lambda v: bool(v and "e.example" in v))
    assert not [a for a in soup.find_all("a", href=True) if str(a["href"]).startswith("javascript:")]
    assert "\x1b" not in html and "\u202e" not in html


def test_a_kernel_without_parameters_still_has_a_label() -> None:
    assert kernel_label(edge_run("Kernel", {}, {})) == "unknown"


def test_no_record_says_which_command_makes_one(pages: Callable[..., Path]) -> None:
    assert "make report" in soup_of(pages(PAGE, [])).get_text(" ", strip=True)
