"""Figures of table rows, worked by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from docutils import nodes

from bench_lib.model import Environment, Measurement, Run
from bench_lib.sphinx_ext import scaling
from bench_lib.sphinx_ext.nodes import clean
from bench_lib.sphinx_ext.series_charts import make_chart
from bench_lib.sphinx_ext.series_table import cells, commit_text, date_text, interval_text, spread

ENVIRONMENT = Environment(
    commit="a" * 40, dirty=False, python="3.11.9", os="Linux", started="2026-01-02T03:04:05+00:00", num_cpus=2
)


def run(num_ranks: int, samples: tuple[float, ...], **changes: object) -> Run:
    made = Run(
        benchmark="fsdp2.TrainStep",
        version="1",
        params={"preset": "small", "num_ranks": num_ranks},
        hardware="cpu",
        environment=ENVIRONMENT,
        status="ok",
        measurements=(
            Measurement("step_time", samples),
            Measurement("loss", (3.0, 2.5)),
            Measurement("peak_allocated", (1024.0**2 * 10,)),
            Measurement("peak_rss", (1024.0**2 * 300,)),
        ),
        details={"tokens_per_step": 100 * num_ranks, "device": "cpu", "batch_per_rank": 1},
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def texts(row: scaling.Row) -> list[str]:
    def text(cell: object) -> str:
        return cell if isinstance(cell, str) else " ".join(n.astext() for n in cell)  # type: ignore[attr-defined]

    return [text(cell) for cell in cells(row)]


def test_efficiency_and_tokens_by_hand() -> None:
    (series,) = scaling.group([run(4, (0.5, 0.5, 0.5)), run(1, (0.2, 0.2, 0.2))])
    one, four = series.rows
    assert (one.num_ranks, four.num_ranks) == (1, 4)
    assert one.tokens_per_s is not None and one.tokens_per_s.value == pytest.approx(500)
    assert four.tokens_per_s is not None and four.tokens_per_s.value == pytest.approx(800)
    assert one.baseline and one.efficiency == scaling.Ratio(1, 1, 1)
    assert four.efficiency is not None and four.efficiency.value == pytest.approx(0.4)
    assert texts(four)[:2] == ["4", "500 ms [500.0, 500.0]"]
    assert texts(four)[2:] == ["3", "800 [800.0, 800.0]", "40 % [40.0, 40.0]", "10 MiB", "300 MiB", "2.5000"]


def test_median_is_used_not_mean() -> None:
    (series,) = scaling.group([run(1, (0.1, 0.2, 9.0))])
    assert series.rows[0].step_time is not None
    assert series.rows[0].step_time.median == 0.2
    assert series.rows[0].tokens_per_s is not None
    assert series.rows[0].tokens_per_s.value == pytest.approx(500)


def test_one_sample_has_no_interval() -> None:
    (series,) = scaling.group([run(1, (0.2,)), run(2, (0.4,))])
    assert texts(series.rows[0])[1] == "200 ms interval unbounded"
    assert texts(series.rows[1])[4] == "50 % interval unbounded"


def test_efficiency_needs_the_same_work() -> None:
    other = run(2, (0.4,), details={"tokens_per_step": 400, "device": "cpu", "batch_per_rank": 2})
    (series,) = scaling.group([run(1, (0.2,)), other])
    assert series.rows[1].efficiency is None
    assert texts(series.rows[1])[4] == "unknown"


def test_reserved_memory_is_shown_where_there_is_some() -> None:
    made = run(1, (0.2,))
    reserved = Measurement("peak_reserved", (1024.0**2 * 16,))
    (series,) = scaling.group([replace(made, measurements=(*made.measurements, reserved))])
    assert texts(series.rows[0])[5] == "10 MiB reserved 16 MiB"


def test_efficiency_needs_a_baseline() -> None:
    skipped = run(1, (), status="skipped", reason="no room", measurements=())
    (series,) = scaling.group([skipped, run(2, (0.4,))])
    assert series.rows[1].efficiency is None
    assert texts(series.rows[0]) == ["1", "skipped : no room"]
    assert make_chart(series, "scaling_efficiency") is None


@pytest.mark.parametrize(
    "change",
    [
        {"hardware": "other"},
        {"origin": "simulated"},
        {"version": "2"},
        {"environment": replace(ENVIRONMENT, commit="b" * 40)},
        {"environment": replace(ENVIRONMENT, dirty=True)},
        {"environment": replace(ENVIRONMENT, torch="9")},
        {"environment": replace(ENVIRONMENT, python="3.12")},
        {"params": {"preset": "tiny", "num_ranks": 2}},
        {"details": {"param_dtype": "float32"}},
        {"details": {"threads_per_rank": 2}},
    ],
)
def test_series_are_not_mixed(change: dict[str, object]) -> None:
    series = scaling.group([run(1, (0.2,)), run(2, (0.4,), **change)])
    assert [len(s.rows) for s in series] == [1, 1]


def test_newest_first_and_measured_before_simulated() -> None:
    later = replace(ENVIRONMENT, commit="b" * 40, started="2026-02-01T00:00:00+00:00")
    latest = replace(ENVIRONMENT, commit="c" * 40, started="2026-03-01T00:00:00+00:00")
    runs = [run(1, (1.0,)), run(1, (1.0,), environment=later)]
    runs.append(run(1, (1.0,), environment=latest, origin="simulated"))
    assert [s.environment.commit[:1] for s in scaling.group(runs) if s.environment.commit] == ["b", "a", "c"]


def test_crowded_only_on_cpu_beyond_its_cpus() -> None:
    runs = [run(n, (1.0,)) for n in (1, 2, 4)]
    assert scaling.group(runs)[0].crowded == (4,)
    two_threads = [replace(r, details={**r.details, "threads_per_rank": 2}) for r in runs]
    assert scaling.group(two_threads)[0].crowded == (2, 4)
    two_hosts = [replace(r, details={**r.details, "num_nodes": 2}) for r in runs]
    assert scaling.group(two_hosts)[0].crowded == ()
    on_gpu = [replace(r, details={**r.details, "device": "cuda"}) for r in runs]
    assert scaling.group(on_gpu)[0].crowded == ()


@pytest.mark.parametrize(
    "bad",
    [
        run(0, (1.0,)),
        run(2**30, (1.0,)),
        run(1, (1.0,), params={"preset": "small", "num_ranks": True}),
        run(1, (1.0,), params={"preset": "small", "num_ranks": "1"}),
        run(1, (1.0,), params={"preset": 7, "num_ranks": 1}),
        run(1, (1.0,), params={}),
        run(1, ()),
        run(1, (0.0,)),
        run(1, (-1.0,)),
        run(1, (math.nan,)),
    ],
)
def test_unusable_runs_are_named_and_left_out(bad: Run) -> None:
    assert scaling.unusable(bad)
    assert scaling.group([bad]) == []


@pytest.mark.parametrize("tokens", ["x", True, 0, -1, math.inf, 10**400, None])
def test_unusable_tokens_are_unknown(tokens: object) -> None:
    (series,) = scaling.group([run(1, (0.2,), details={"tokens_per_step": tokens})])
    assert texts(series.rows[0])[3] == "unknown"


def test_chart_has_every_sample() -> None:
    (series,) = scaling.group([run(1, (0.2, 0.25, 0.3)), run(2, (0.4, 0.5, 0.6))])
    step_time, efficiency = make_chart(series, "step_time"), make_chart(series, "scaling_efficiency")
    assert step_time is not None and efficiency is not None
    assert [p.samples for p in step_time.lines[0].points] == [(0.2, 0.25, 0.3), (0.4, 0.5, 0.6)]
    assert efficiency.lines[0].points[1].samples == pytest.approx((0.625, 0.5, 0.25 / 0.6))
    assert step_time.reference == ((1, 0.25), (2, 0.25))
    tokens = make_chart(series, "tokens_per_s")
    assert tokens is not None
    assert tokens.reference == ((1, pytest.approx(400)), (2, pytest.approx(800)))


def test_texts() -> None:
    assert interval_text(0.2, -math.inf, math.inf, "s") == "interval unbounded"
    assert interval_text(0.2, 0.19, 0.21, "s") == "[190.0, 210.0]"
    assert date_text("2026-01-02T03:04:05+00:00") == "2026-01-02 03:04 UTC"
    assert date_text("<b>") == "<b>"
    assert commit_text("a" * 40) == "a" * 10
    assert commit_text(None) == "unknown commit"


def test_clean_leaves_no_control_character() -> None:
    assert clean("a\x1b[31m\n\tb\x00\u202ec") == "a�[31m b��c"
    assert len(clean("x" * 5000)) < 2100


def test_nodes_hold_text_only() -> None:
    failed = run(1, (), status="failed", reason="<b>`x` {{ y }}</b>", measurements=())
    cell = cells(scaling.group([failed])[0].rows[0])[1]
    assert all(isinstance(n, nodes.Text | nodes.strong) for n in cell)


def test_launches_of_different_sessions_are_never_divided() -> None:
    found = scaling.group([run(1, (0.2,), session="a"), run(2, (0.4,), session="b")])
    assert [len(s.rows) for s in found] == [1, 1]
    assert all(row.efficiency is None or row.baseline for s in found for row in s.rows)


def at(commit_time: str, started: str) -> Environment:
    return replace(ENVIRONMENT, commit_time=commit_time, started=started)


def test_the_newest_commit_stands_first_then_the_most_complete_session() -> None:
    old, new = "2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00"
    runs = [
        run(1, (0.1,), session="new, one row, last", environment=at(new, "2026-01-03T09:00:00+00:00")),
        run(1, (0.1,), session="new, whole", environment=at(new, "2026-01-03T08:00:00+00:00")),
        run(2, (0.1,), session="new, whole", environment=at(new, "2026-01-03T08:01:00+00:00")),
        # Measured last of all, as asv does when it walks a range from its newest commit to its oldest.
        run(1, (0.1,), session="old", environment=at(old, "2026-01-03T10:00:00+00:00")),
    ]
    found = [s.rows[0].run.session for s in scaling.group(runs)]
    assert found == ["new, whole", "new, one row, last", "old"]


@pytest.mark.parametrize(
    ("load", "cpu_s", "signs"),
    [
        (1.0, 0.19, ""),
        (2.5, 0.19, "the load average was 2.5 on 2 CPUs as it started"),
        (1.0, 0.1, "a step took 2 times its processor time"),
        (None, 0.19, ""),
    ],
)
def test_other_work_on_the_machine_is_noticed(load: float | None, cpu_s: float, signs: str) -> None:
    alone = run(1, (0.2, 0.2, 0.2), environment=replace(ENVIRONMENT, load_average=load))
    measured = (*alone.measurements, Measurement("cpu_time", (cpu_s,), number=3, rank=0))
    (series,) = scaling.group([replace(alone, measurements=measured)])
    assert series.busy == signs


def test_launches_of_one_commit_are_summed_up() -> None:
    found = scaling.group([run(1, (0.2,), session="a"), run(1, (0.5,), session="b")])
    (line,) = spread(found)
    assert (
        line.astext() == "Median steps of all launches at this commit: 1 rank: 200 ms to 500 ms (2 launches)."
    )
    assert spread(found[:1]) == []
