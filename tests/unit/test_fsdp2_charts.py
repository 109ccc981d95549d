"""Charts of the family at odd sizes and with names of any length."""

from __future__ import annotations

import html
import re
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench_lib.cli import cli
from bench_lib.errors import UsageError
from bench_lib.fsdp2 import charts, link_chart
from bench_lib.fsdp2.charts import Bar, Lane, Reading
from bench_lib.fsdp2.links import Point
from bench_lib.fsdp2.step_model.charts import Pair, draw_pairs

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


@pytest.mark.parametrize("place", ["file/chart.svg", "folder", "x" * 300 + ".svg"])
@pytest.mark.parametrize(
    "command",
    [
        ["communication", "--preset=tiny", "--ranks=2"],
        ["links", "--ranks=2"],
        ["memory", "--preset=tiny", "--ranks=2"],
        ["nodes", "--preset=tiny"],
        ["scaling", "--preset=tiny", "--ranks=1,2"],
    ],
    ids=lambda command: command[0],
)
def test_a_chart_that_cannot_be_written_is_refused_before_anything_is_measured(
    command: list[str], place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(*args: object, **kwargs: object) -> None:
        raise AssertionError("something was measured")

    for work in ("group.run", "memory_command.track", "scaling_command.ask_flop", "nodes_command.study"):
        monkeypatch.setattr(f"bench_lib.fsdp2.{work}", measured)
    facts = {"batch_per_rank": 2, "sequence_length": 128}
    monkeypatch.setattr("bench_lib.fsdp2.scaling_command.ask_facts", lambda *given, **named: facts)
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    found = CliRunner().invoke(cli, ["fsdp2", *command, f"--chart={tmp_path / place}"])
    assert isinstance(found.exception, UsageError | SystemExit), found.exception
    assert "--chart" in (str(found.exception) if isinstance(found.exception, UsageError) else found.output)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.parametrize("flag", ["--output", "--report"])
def test_a_calibration_that_cannot_be_written_is_refused_before_it_is_fitted(
    flag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fitted(*args: object, **kwargs: object) -> None:
        raise AssertionError("runs were read")

    monkeypatch.setattr("bench_lib.fsdp2.step_model.published.read_all", fitted)
    files = {"--output": tmp_path / "mine.toml", "--report": tmp_path / "mine.json", flag: tmp_path}
    given = [f"{name}={path}" for name, path in files.items()]
    found = CliRunner().invoke(cli, ["fsdp2", "calibrate", str(tmp_path), *given])
    assert isinstance(found.exception, UsageError)
    assert str(found.exception).startswith(f"{flag}: found")
    assert list(tmp_path.iterdir()) == []


def test_a_chart_that_can_be_written_is_let_pass(tmp_path: Path) -> None:
    charts.require_chart(None)
    (tmp_path / "old.svg").write_text("old")
    charts.require_chart(tmp_path / "old.svg")
    assert [p.name for p in tmp_path.iterdir()] == ["old.svg"]
    assert (tmp_path / "old.svg").read_text() == "old"


def test_bandwidth_by_size_spans_the_sweep() -> None:
    # A ring of 2 carries half of the tensor: 512 bytes in 1 ms, 512 MiB in 0.5 s.
    points = [
        Point(kind, size, 2, times)
        for kind in ("all-gather", "reduce-scatter")
        for size, times in ((1024, (0.9e-3, 1e-3, 2e-3)), (2**30, (0.5, 0.5, 0.5)))
    ]
    svg = link_chart.bandwidth_by_size(points, title=LONG)
    assert "<script>" not in svg
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert {"1 KiB", "1 GiB", "all-gather", "reduce-scatter", "bus bandwidth"} <= set(texts)
    # From 256 kB/s, the slowest repeat, to 1.07 GB/s.
    decades = [t for t in texts if t.endswith("B/s")]
    assert (decades[0], decades[-1]) == ("100 kB/s", "10 GB/s")
    middles = re.findall(r'<use xlink:href="#m\w+" x="[\d.]+" y="([\d.]+)" style="fill: #', svg)
    assert len(middles) >= 4


def test_one_size_alone_is_drawn() -> None:
    points = [Point(kind, 1024, 2, (0.512,)) for kind in ("all-gather", "reduce-scatter")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "1 KiB" in link_chart.bandwidth_by_size(points, title="t")


@pytest.mark.parametrize("group", [LONG, "a-device-with-a-long-name" * 2, "short"])
def test_names_of_groups_stay_within_a_chart_of_pairs(group: str) -> None:
    pairs = [Pair(f"{group}{i}", 10.0 + i, 11.0 + i) for i in range(4)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = draw_pairs(pairs, quantity="tokens/s")
    width = float(re.findall(r'<svg[^>]* width="([\d.]+)pt"', svg)[0])
    names = [
        (float(x), html.unescape(text))
        for x, text in re.findall(r'<text[^>]* x="([\d.]+)"[^>]*>([^<]*)</text>', svg)
        if group[:5] in html.unescape(text)
    ]
    assert len(names) == 4
    # 8 points high: a character is about half as wide.
    assert all(x + 4.2 * len(text) <= width for x, text in names), (names, width)


@pytest.mark.parametrize("number", [1, 13, 40])
def test_any_number_of_bars(number: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = charts.stacked_memory(
            [Bar(str(2**i), {"activations": 1e9 + i}) for i in range(number)], title="tiny"
        )
    assert f">{2 ** (number - 1)}<" in svg
