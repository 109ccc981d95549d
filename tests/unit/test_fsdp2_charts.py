"""Charts of the family at odd sizes and with names of any length."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench_lib.cli import cli
from bench_lib.errors import UsageError
from bench_lib.fsdp2 import charts
from bench_lib.fsdp2.charts import Bar, Lane, Reading

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'bench-lib[charts]'")

LONG = "$x_1^2$ <script>alert(1)</script> & " + "a-name-of-ones-own " * 12
READINGS = [Reading(2**i, 0.1, 0.09, 0.12) for i in range(7)]


@pytest.mark.parametrize("title", [LONG, "x" * 5000, "two\nlines " * 30, ""])
@pytest.mark.parametrize("ink", [charts.PAPER, charts.DARK])
def test_a_name_of_any_length_leaves_the_drawing_its_room(title: str, ink: charts.Ink) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = [
            charts.by_ranks(
                READINGS, title=title, label="step time (s)", ideal=[(1, 0.1), (64, 0.1)], ink=ink
            ),
            charts.timeline([Lane("all-gather", ((0, 1, "exposed"),))], title=title, ink=ink),
            charts.stacked_memory([Bar("1", {"activations": 1e9})], title=title, ink=ink),
        ]
    for svg in drawn:
        assert "<script>" not in svg
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
        assert max(len(t) for t in texts) <= 120
        if title == LONG:
            assert any(t.startswith("$x_1^2$ &lt;script&gt;") and "…" in t for t in texts)


def test_the_axes_keep_their_width_under_a_long_name() -> None:
    def width(title: str) -> float:
        svg = charts.by_ranks(READINGS, title=title, label="step time (s)")
        at = [float(x) for x in re.findall(r'<use xlink:href="#m\w+" x="([\d.]+)"', svg)]
        return max(at) - min(at)

    assert width(LONG) == pytest.approx(width("tiny"))


def test_numbers_below_an_axis_keep_apart() -> None:
    # log2 of 1, 2, 60, 63, 64: the last three are 0.09 of 6 apart.
    assert charts.ticks_apart([0, 1, 5.907, 5.977, 6]) == [0, 1, 4]
    assert charts.ticks_apart([3]) == [0]
    svg = charts.by_ranks([Reading(n, 1, 1, 1) for n in (1, 2, 60, 63, 64)], title="t", label="l")
    assert ">64<" in svg
    assert ">63<" not in svg


def test_a_chart_that_cannot_be_written_is_refused_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(*args: object, **kwargs: object) -> None:
        raise AssertionError("ranks were started")

    monkeypatch.setattr("bench_lib.fsdp2.group.run", measured)
    (tmp_path / "file").write_text("")
    chart = f"--chart={tmp_path / 'file' / 'chart.svg'}"
    arguments = ["fsdp2", "communication", "--preset=tiny", "--ranks=2", chart]
    found = CliRunner().invoke(cli, arguments)
    assert isinstance(found.exception, UsageError)
    assert str(found.exception).startswith("--chart: found")
    charts.require_chart(None)
    charts.require_chart(tmp_path / "new" / "chart.svg")


@pytest.mark.parametrize("number", [1, 13, 40])
def test_any_number_of_bars(number: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = charts.stacked_memory(
            [Bar(str(2**i), {"activations": 1e9 + i}) for i in range(number)], title="tiny"
        )
    assert f">{2 ** (number - 1)}<" in svg
