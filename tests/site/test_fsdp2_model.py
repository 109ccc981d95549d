"""Pages of the step model and of steps on nodes: what they show and mark, and what hostile records do."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from sample_records import ENVIRONMENT, HOSTILE

from bench_lib.fsdp2.step_model import constants
from bench_lib.model import Measurement, Run
from bench_lib.sphinx_ext.fsdp2_model import report
from bench_lib.sphinx_ext.fsdp2_nodes import rows_of

MODEL = """# Page

```{bench-fsdp2-model-scores}
```

```{bench-fsdp2-model-chart}
```

```{bench-fsdp2-model-scaling}
:preset: llama3-8b
:hardware: nvidia-h100-sxm
:ranks: 8 64
:checkpointing: selective
```

```{bench-fsdp2-model-constants}
```

```{bench-fsdp2-model-rows}
```

```{bench-fsdp2-model-left-out}
```
"""

NODES = """# Page

```{bench-fsdp2-nodes}
```
"""


def node_run(latency: float, step: float, **more: object) -> Run:
    params: dict[str, str | int | float | bool] = {
        "preset": "tiny",
        "num_ranks": 2,
        "num_nodes": 2,
        "bandwidth_bytes_per_s": 0,
        "latency_s": latency,
    }
    base = Run(
        benchmark="fsdp2.Nodes",
        version="1",
        params=params,
        hardware="example-cpu-2cpu",
        environment=ENVIRONMENT,
        status="ok",
        measurements=(Measurement("step_time", (step,) * 8),),
        details={"delays": "relay"},
        session="one",
    )
    return replace(base, **more)  # type: ignore[arg-type]


def predicted(run: Run, way: str, *steps: float) -> Run:
    return replace(
        run,
        params={**run.params, "predicted_from": way},
        origin="simulated",
        measurements=(Measurement("step_time", steps),),
        details={},
    )


def test_every_published_row_is_shown_once_with_its_error(pages: Callable[..., Path]) -> None:
    soup = BeautifulSoup((pages(MODEL, []) / "index.html").read_text("utf-8"), "html.parser")
    tables = soup.find_all("table")
    judged = [row for row in report().rows if not row.left_out]
    shown = sum(len(t.tbody.find_all("tr")) for t in tables[2:-1])
    assert shown == len(judged)
    assert len(tables[-1].tbody.find_all("tr")) == len(report().rows) - len(judged)
    assert len(tables[0].tbody.find_all("tr")) == len(report().scores)
    assert len(tables[1].tbody.find_all("tr")) == len(constants.built_in().devices)
    charts = [img["alt"] for img in soup.find_all("img")]
    assert len(charts) == 4
    assert all("simulated" in alt for alt in charts)


@pytest.mark.parametrize(
    "option", [":hardware: nvidia-l4", ":hardware: none", ":preset: llama9", ":ranks: x"]
)
def test_a_directive_that_names_nothing_known_is_an_error(pages: Callable[..., Path], option: str) -> None:
    page = MODEL.replace(
        re.findall(rf"^{option.split(maxsplit=1)[0]} .*$", MODEL, flags=re.MULTILINE)[0], option
    )
    with pytest.raises(AssertionError):
        pages(page, [])


def test_a_step_is_shown_beside_its_predictions(pages: Callable[..., Path]) -> None:
    plain, slow = node_run(0.0, 0.5), node_run(0.01, 0.8)
    runs = [plain, slow, predicted(slow, "sweep", 0.88, 0.88), predicted(slow, "shape", 0.72, 0.72)]
    text = BeautifulSoup((pages(NODES, runs) / "index.html").read_text("utf-8"), "html.parser").get_text(
        " ", strip=True
    )
    assert "simulated" in text
    assert "+10%" in text
    assert "-10%" in text
    assert "unlimited, 10 ms" in text


def test_rounds_are_compared_with_themselves() -> None:
    slow = node_run(0.01, 1.0, measurements=(Measurement("step_time", (1.0, 1.0, 2.0, 2.0)),))
    (row,) = rows_of([slow, predicted(slow, "sweep", 1.1, 2.2)])
    assert row.error("sweep") == pytest.approx(0.1)


def test_hostile_records_stay_text_and_broken_ones_stay_out(pages: Callable[..., Path]) -> None:
    huge = 10**400
    good = node_run(0.01, 0.8)
    runs = [
        good,
        replace(
            good, hardware=HOSTILE, params={**good.params, "preset": HOSTILE}, details={"delays": HOSTILE}
        ),
        replace(good, params={**good.params, "latency_s": huge}),
        replace(good, params={**good.params, "num_nodes": HOSTILE, "num_ranks": huge}),
        replace(good, session="two", measurements=()),
        replace(good, session="three", measurements=(Measurement("step_time", (0.0, -1.0)),)),
        predicted(good, HOSTILE, 1.0),
        predicted(good, "sweep"),
    ]
    page = (pages(NODES, runs) / "index.html").read_text("utf-8")
    soup = BeautifulSoup(page, "html.parser")
    assert "<script>alert" not in page
    assert not soup.find_all("img", src=re.compile("e.example"))
    assert "unlimited, 10 ms" in soup.get_text(" ", strip=True)
