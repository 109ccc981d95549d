"""Predictions: what they must obey whatever the constants, and that fits and intervals do what they say."""

from __future__ import annotations

import json
import math
import os
import random
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bench_lib.cli import cli
from bench_lib.errors import BenchLibError, DamagedFileError, UsageError
from bench_lib.fsdp2.step_model import charts, constants, published
from bench_lib.fsdp2.step_model.compute import CONSTANT_NAMES, Constants
from bench_lib.fsdp2.step_model.constants import Calibration, prior_of
from bench_lib.fsdp2.step_model.peak_memory import MemoryOverhead, Segments, segments
from bench_lib.fsdp2.step_model.prediction import Anchor, Prediction, network_of, predict
from bench_lib.fsdp2.step_model.schedule import CollectiveTotal
from bench_lib.fsdp2.step_model.setup import TrainingSetup
from bench_lib.fsdp2.step_model.shapes import find_shape
from bench_lib.fsdp2.step_model.validation import Report
from bench_lib.hardware import find
from bench_lib.sphinx_ext.fsdp2_model import REPORT, report

H100 = find("nvidia-h100-sxm")
assert H100 is not None
CALIBRATION = Calibration(
    Constants(0.65, 0.7, 0.4, 0.2, 0.8),
    tuple(tuple(1e-4 if i == j else 0.0 for j in range(5)) for i in range(5)),
    0.08,
    40,
    256,
)
#: Reserved memory as calibrations had it before: a slope of all that is allocated means something else.
A_LINE = 'source = ""\n[devices]\n[reserved_memory]\nslope = 1.05\nconstant_bytes = 5e9\nrelative_sd = 0.07'
NO_OVERHEAD = MemoryOverhead(1.0, 0.05)
SETUP = TrainingSetup(find_shape("llama3-8b"), 2, 8192, activation_checkpointing="selective")


def made(num_ranks: int, setup: TrainingSetup = SETUP, **more: object) -> Prediction:
    assert H100 is not None
    given = {
        "hardware": H100,
        "network": network_of(H100),
        "calibration": CALIBRATION,
        "overhead": NO_OVERHEAD,
        **more,
    }
    return predict(setup, num_ranks=num_ranks, **given)  # type: ignore[arg-type]


class TestPrediction:
    def test_every_prediction_is_simulated(self) -> None:
        assert made(8).origin == "simulated"

    def test_more_ranks_never_help_a_rank(self) -> None:
        steps = [made(n).step_time_s.value for n in (8, 64, 512, 4096, 16384)]
        assert steps == sorted(steps)

    def test_a_single_rank_communicates_nothing(self) -> None:
        alone = made(1).timeline
        assert (alone.communication_s, alone.exposed_communication_s) == (0, 0)
        assert alone.busy_s("copy_in") > 0

    def test_more_ranks_never_communicate_less(self) -> None:
        times = [made(n).timeline.communication_s for n in (1, 2, 4, 8, 64, 512, 4096)]
        assert times == sorted(times)

    def test_a_slower_network_never_helps(self) -> None:
        assert H100 is not None
        slow = network_of(H100, inter_bytes_per_s=1e9)
        assert made(64, network=slow).step_time_s.value > 2 * made(64).step_time_s.value

    def test_the_interval_grows_where_latency_matters(self) -> None:
        def width(p: Prediction) -> float:
            return p.step_time_s.high / p.step_time_s.low

        assert width(made(16384)) > 2 * width(made(64)) > 0

    def test_tokens_are_those_of_the_step(self) -> None:
        p = made(8)
        assert p.tokens_per_s_per_rank.value == pytest.approx(16384 / p.step_time_s.value)
        assert p.tokens_per_s_per_rank.low == pytest.approx(16384 / p.step_time_s.high)

    def test_an_anchor_is_met_and_narrows_the_interval(self) -> None:
        anchored = made(8, anchor=Anchor(8, 5762.0))
        assert anchored.tokens_per_s_per_rank.value == pytest.approx(5762)
        far = made(128, anchor=Anchor(8, 5762.0))
        assert far.tokens_per_s_per_rank.value / 5762 == pytest.approx(
            made(128).tokens_per_s_per_rank.value / made(8).tokens_per_s_per_rank.value
        )
        assert anchored.step_time_s.high / anchored.step_time_s.low < made(8).step_time_s.high / (
            made(8).step_time_s.low
        )

    def test_replicas_in_a_node_keep_the_slow_network_out_of_gathers(self) -> None:
        assert H100 is not None
        slow = network_of(H100, inter_bytes_per_s=0.5e9)
        plain = made(64, network=slow)
        hybrid = made(64, replace(SETUP, num_replicas=8), network=slow)
        assert hybrid.step_time_s.value < plain.step_time_s.value
        assert hybrid.memory.allocated > plain.memory.allocated

    def test_beyond_the_largest_compared_a_note_says_so(self) -> None:
        assert made(256).notes == ()
        assert "256 ranks" in made(512).notes[0]


class TestCollectives:
    """Bytes by kind, worked by hand from the parameters of Llama-3 8B: 32 blocks and the root."""

    root, block = 2 * 128_256 * 4096 + 4096, 218_112_000

    def by_kind(self, ranks: int, setup: TrainingSetup = SETUP) -> dict[str, CollectiveTotal]:
        return {total.kind: total for total in made(ranks, setup).timeline.collectives()}

    def test_blocks_are_gathered_twice_and_the_root_once(self) -> None:
        found = self.by_kind(64)
        assert set(found) == {"all-gather", "reduce-scatter"}
        gathers, reduces = found["all-gather"], found["reduce-scatter"]
        assert (gathers.number, gathers.group_size) == (65, 64)
        assert gathers.num_bytes == 2 * (self.root + 2 * 32 * self.block)
        # Gradients are reduced once, in float32.
        assert (reduces.number, reduces.num_bytes) == (33, 4 * (self.root + 32 * self.block))
        assert gathers.bus_bytes == gathers.num_bytes * 63 / 64

    def test_without_resharding_everything_is_gathered_once(self) -> None:
        gathers = self.by_kind(8, replace(SETUP, reshards_after_forward=False))["all-gather"]
        assert (gathers.number, gathers.num_bytes) == (33, 2 * (self.root + 32 * self.block))

    def test_every_pass_of_an_accumulation_gathers_and_reduces(self) -> None:
        one, three = self.by_kind(8), self.by_kind(8, replace(SETUP, num_accumulation=3))
        for kind, total in one.items():
            assert three[kind].number == 3 * total.number
            assert three[kind].num_bytes == 3 * total.num_bytes

    def test_copies_of_the_model_reduce_their_shards(self) -> None:
        found = self.by_kind(64, replace(SETUP, num_replicas=8))
        assert found["all-gather"].group_size == 8
        between = found["all-reduce"]
        assert (between.number, between.group_size) == (33, 8)
        assert between.num_bytes == pytest.approx(4 * (self.root + 32 * self.block) / 8)
        # A ring goes round twice: 2 (n - 1) / n of the shard.
        assert between.bus_bytes == pytest.approx(2 * 7 / 8 * between.num_bytes)

    def test_as_many_copies_as_ranks_gather_nothing(self) -> None:
        found = self.by_kind(8, replace(SETUP, num_replicas=8))
        assert set(found) == {"all-reduce"}
        assert found["all-reduce"].num_bytes == 4 * (self.root + 32 * self.block)

    def test_a_rank_alone_has_none(self) -> None:
        assert made(1).timeline.collectives() == ()

    @pytest.mark.parametrize("ranks", [2, 8, 64, 1024])
    def test_kinds_add_up_to_the_step(self, ranks: int) -> None:
        p = made(ranks, replace(SETUP, num_replicas=2))
        totals = p.timeline.collectives()
        assert sum(t.duration_s for t in totals) == pytest.approx(p.timeline.communication_s)
        assert sum(t.exposed_s for t in totals) == pytest.approx(p.timeline.exposed_communication_s)
        assert all(0 <= t.exposed_s <= t.duration_s for t in totals)

    def test_a_bus_is_never_faster_than_its_link(self) -> None:
        network = network_of(H100, inter_bytes_per_s=1e9)  # type: ignore[arg-type]
        for total in made(64, network=network).timeline.collectives():
            # Eight interfaces of a node carry what leaves it; of each, 0.8 is reached.
            assert total.bus_bytes / total.duration_s < 0.8 * 8 * 1e9

    def test_the_command_prints_them_with_the_keys_of_measured_ones(self) -> None:
        command = "fsdp2 predict --preset llama3-8b --hardware nvidia-h100-sxm --ranks 16 --json"
        shown = CliRunner().invoke(cli, command.split())
        gathers, reduces = json.loads(shown.output)["collectives"]
        assert gathers["num_bytes"] == 2 * (self.root + 2 * 32 * self.block)
        assert reduces["kind"] == "reduce-scatter"
        for total in (gathers, reduces):
            assert total["overlapped_s"] + total["exposed_s"] == pytest.approx(total["duration_s"])
            assert total["exposed_share"] == pytest.approx(total["exposed_s"] / total["duration_s"])
            bus = total["num_bytes"] * 15 / 16 / total["duration_s"]
            assert total["bus_bytes_per_s"] == pytest.approx(bus)


class TestFit:
    scipy = pytest.importorskip("scipy", reason="scipy is not installed: pip install 'bench-lib[step-model]'")

    def rows(self, truth: Constants, *, noise: float, seed: int = 0) -> list[object]:
        from bench_lib.fsdp2.step_model.calibration import Observation

        assert H100 is not None
        draw = random.Random(seed)
        found: list[object] = []
        for name, batch, sequence in (
            ("mpt-1b", 8, 2048),
            ("mpt-1b", 1, 16384),
            ("mpt-7b", 6, 2048),
            ("mpt-3b", 2, 8192),
            ("llama2-7b", 4, 4096),
            ("llama3-8b", 1, 8192),
            ("llama3-8b", 1, 32768),
            ("llama2-13b", 1, 2048),
        ):
            setup = TrainingSetup(find_shape(name), batch, sequence)
            row = Observation(setup, H100, 16, network_of(H100, inter_bytes_per_s=2e9), 1.0)
            rate = setup.tokens_per_step / row.step_time_s(truth)
            found.append(replace(row, tokens_per_s_per_rank=rate * math.exp(draw.gauss(0, noise))))
        return found

    def test_known_constants_are_found_again(self) -> None:
        from bench_lib.fsdp2.step_model.calibration import fit_constants

        truth = Constants(0.55, 0.6, 0.35, 0.22, 0.7)
        fitted, covariance = fit_constants(self.rows(truth, noise=0.0), hardware="nvidia-h100-sxm")  # type: ignore[arg-type]
        for index, name in enumerate(CONSTANT_NAMES):
            # Drawn to the prior by as much as its own uncertainty.
            miss = abs(math.log(getattr(fitted, name) / getattr(truth, name)))
            assert miss < max(0.02, 1.5 * math.sqrt(covariance[index][index])), name

    def test_without_rows_the_prior_comes_back_as_unsure_as_it_is(self) -> None:
        from bench_lib.fsdp2.step_model.calibration import fit_constants

        fitted, covariance = fit_constants([], hardware="nvidia-a100-sxm-80gb")
        assert fitted == prior_of("nvidia-a100-sxm-80gb")
        assert covariance[0][0] == pytest.approx(constants.PRIOR_SD**2)

    def test_one_row_far_off_moves_the_fit_little(self) -> None:
        from bench_lib.fsdp2.step_model.calibration import Observation, fit_constants

        truth = Constants(0.55, 0.6, 0.35, 0.22, 0.7)
        rows = self.rows(truth, noise=0.0)
        first = rows[0]
        assert isinstance(first, Observation)
        rows[0] = replace(first, tokens_per_s_per_rank=first.tokens_per_s_per_rank * 0.7)
        fitted, _ = fit_constants(rows, hardware="nvidia-h100-sxm")  # type: ignore[arg-type]
        others = [row.log_error(fitted) for row in rows[1:] if isinstance(row, Observation)]
        assert max(abs(e) for e in others) < 0.08

    def test_how_badly_passing_tensors_fill_their_pool_is_found_again(self) -> None:
        from bench_lib.fsdp2.step_model.calibration import fit_overhead

        truth = MemoryOverhead(1.2, 0.0)
        pools = [Segments(1e10, 3e9, 2e9, passing) for passing in (1e10, 3e10, 5e10)]
        fitted = fit_overhead([(p, truth.reserved(p)) for p in pools])
        assert fitted.passing_slope == pytest.approx(1.2)
        assert fitted.relative_sd < 1e-9
        # One row, by hand: (30e9 - 15e9) over the 10e9 that pass.
        assert fit_overhead([(pools[0], 30e9)]).passing_slope == pytest.approx(1.5)

    def test_memory_is_judged_without_the_row_and_without_its_document(self) -> None:
        from bench_lib.fsdp2.step_model.published import PublishedRow
        from bench_lib.fsdp2.step_model.validation import judge_reserved

        def row(source: str, slope: float) -> PublishedRow:
            observation = self.rows(Constants(0.5, 0.5, 0.5, 0.5, 0.5), noise=0)[6]
            pools = segments(observation.setup, topology=observation.network.topology(16, efficiency=1.0))  # type: ignore[attr-defined]
            return PublishedRow(
                source, "FSDP2", "m", "h", "16", 1, "", 1.0,
                observation=observation,  # type: ignore[arg-type]
                reserved_bytes=MemoryOverhead(slope, 0).reserved(pools),
            )  # fmt: skip

        judged = judge_reserved([row("a @1", 1.0), row("a @2", 1.0), row("b", 1.4)])
        # Without the third, both others say 1.0; without the first, 1.0 and 1.4 disagree.
        assert judged.by_row[2] < -0.1 < 0 < judged.by_row[0]
        # Two readings of one document are one: what judges the first is the third alone.
        assert judged.by_source[0] == judged.by_source[1] > judged.by_row[0]

    def test_the_spread_holds_nine_of_ten_new_errors(self) -> None:
        from bench_lib.fsdp2.step_model.calibration import residual_sd

        draw = random.Random(1)
        inside = 0
        for _ in range(2000):
            seen = [draw.gauss(0, 0.06) for _ in range(30)]
            inside += abs(draw.gauss(0, 0.06)) <= 1.645 * residual_sd(seen)
        assert 0.88 < inside / 2000 < 0.94


class TestShippedFigures:
    def test_constants_are_five_a_device_and_plausible(self) -> None:
        known = constants.built_in()
        assert len(CONSTANT_NAMES) == 5
        for device in known.devices.values():
            assert all(0 < getattr(device.constants, name) < 1 for name in CONSTANT_NAMES)

    def test_writing_and_reading_is_the_same(self, tmp_path: Path) -> None:
        path = tmp_path / "constants.toml"
        path.write_text(constants.to_toml(constants.built_in()), encoding="utf-8")
        assert constants.load(path) == constants.built_in()

    @pytest.mark.parametrize(
        "text",
        ["", "devices = 3", "\x00", '[devices."x"]\nresidual_sd = nan', "[reserved_memory]\nslope=1", A_LINE],
    )
    def test_a_damaged_calibration_is_named(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DamagedFileError, match=r"mine\.toml"):
            constants.load(path)

    def test_judged_rows_beat_perfect_scaling_and_most_intervals_hold(self) -> None:
        shipped: Report = report()
        scores = {score.name: score for score in shipped.scores}
        model = scores["Of these, rows with a smaller run of the same training"]
        perfect = scores["The same rows, perfect scaling"]
        assert model.num_rows == perfect.num_rows > 10
        assert model.mean < perfect.mean
        assert 0.85 <= shipped.coverage <= 0.97
        assert REPORT.is_file()


DATA = (
    Path(os.environ.get("BENCH_LIB_TEST_DATA", str(Path(__file__).parents[2].parent / "shared" / "data")))
    / "fsdp2"
)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"published rows are not at {DATA}")
class TestPublishedRows:
    def test_shipped_constants_stay_near_every_row_that_they_were_fitted_on(self) -> None:
        known = constants.built_in()
        rows = [r for r in published.read_all(DATA) if not r.left_out]
        errors = [
            abs(math.expm1(r.observation.log_error(known.devices[r.hardware].constants)))
            for r in rows
            if r.observation is not None
        ]
        assert len(errors) > 150
        assert sum(errors) / len(errors) < 0.05

    def test_every_row_is_read_and_each_that_is_left_out_says_why(self) -> None:
        rows = published.read_all(DATA)
        assert all(r.left_out for r in rows if r.observation is None)
        assert {r.stack for r in rows} == {"FSDP1", "FSDP2"}


@pytest.mark.parametrize("text", ["", "source\nx\n", "\x00\x01"])
def test_a_damaged_table_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "published.csv").write_text(text, encoding="utf-8")
    (tmp_path / "published_curated.json").write_text("[]", encoding="utf-8")
    with pytest.raises(DamagedFileError, match=r"published\.csv"):
        published.read_all(tmp_path)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"gpu": "H100"}]', "null", '{"a": 1}'])
def test_a_damaged_list_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "published_curated.json"
    path.write_text(text, encoding="utf-8")
    if text == "{}":
        assert published.read_list(path) == []
    else:
        with pytest.raises(DamagedFileError, match="published_curated"):
            published.read_list(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["fsdp2", "predict", *arguments])


BASE = ("--preset", "llama3-8b", "--hardware", "nvidia-h100-sxm")


class TestCommand:
    def test_one_count_prints_one_object(self) -> None:
        done = run(*BASE, "--ranks", "64", "--json")
        assert done.exit_code == 0, done.output
        document = json.loads(done.stdout)
        assert document["origin"] == "simulated"
        low, high = document["step_time_interval_s"]
        assert low < document["step_time_s"] < high
        assert document["tokens_per_s_per_rank"] == pytest.approx(8192 / document["step_time_s"])
        assert sum(document["peak_allocated_by_owner_bytes"].values()) == document["peak_allocated_bytes"]
        assert document["setup"]["batch_per_rank"] == 1

    def test_several_counts_print_a_list(self) -> None:
        document = json.loads(run(*BASE, "--ranks", "64,8", "--ranks", "16", "--json").stdout)
        assert [p["num_ranks"] for p in document["predictions"]] == [8, 16, 64]
        assert document["origin"] == "simulated"

    def test_an_alias_is_the_same_device(self) -> None:
        document = json.loads(
            run("--preset", "minillm", "--hardware", "nvidia-a100-80gb-sxm", "--ranks", "8", "--json").stdout
        )
        assert document["hardware"] == "nvidia-a100-sxm-80gb"

    def test_text_says_that_nothing_was_measured_and_what_does_not_fit(self) -> None:
        done = run("--preset", "llama3-70b", "--hardware", "nvidia-h100-sxm", "--ranks", "8")
        assert "simulated" in done.output
        assert "does not fit" in done.output

    @pytest.mark.parametrize(
        "arguments",
        [
            ("--preset", "llama9", "--hardware", "nvidia-h100-sxm", "--ranks", "8"),
            ("--preset", "llama3-8b", "--hardware", "nvidia-h100", "--ranks", "8"),
            ("--preset", "llama3-8b", "--hardware", "nvidia-l4", "--ranks", "8"),
            ("--preset", "llama3-8b", "--hardware", "nvidia-a100-sxm-80gb", "--ranks", "8", "--float8"),
            (*BASE, "--ranks", "12"),
            (*BASE, "--ranks", "-8"),
            (*BASE, "--ranks", "8,"),
            (*BASE, "--ranks", "1e3"),
            (*BASE, "--ranks", "9" * 30),
            (*BASE, "--ranks", "32768"),
            (*BASE, "--ranks", "64", "--replicas", "3"),
            (*BASE, "--ranks", "64", "--batch", "0"),
            (*BASE, "--ranks", "64", "--checkpointing", "some"),
            (*BASE, "--ranks", "64", "--inter-bandwidth", "0"),
            (*BASE, "--ranks", "64", "--inter-bandwidth", "nan"),
            (*BASE, "--ranks", "64", "--inter-bandwidth", "1B/s"),
            (*BASE, "--ranks", "64", "--intra-bandwidth", "1e300GB/s"),
            (*BASE, "--ranks", "64", "--inter-latency", "1e308s"),
            (*BASE, "--ranks", "64", "--anchor", "8:1e-320"),
            (*BASE, "--ranks", "64", "--anchor", "8:1e300"),
            (*BASE, "--ranks", "64", "--inter-latency", "1"),
            (*BASE, "--ranks", "64", "--inter-latency", "-1ms"),
            (*BASE, "--ranks", "64", "--anchor", "8"),
            (*BASE, "--ranks", "64", "--anchor", "8:nan"),
            (*BASE, "--ranks", "64", "--anchor", "7:1e3", "--ranks-per-node", "2"),
            (*BASE, "--ranks", "64", "--calibration", "/nowhere/at/all.toml"),
            (*BASE, "--ranks", "64", "--ranks-per-node", "0"),
        ],
    )
    def test_bad_input_is_refused(self, arguments: tuple[str, ...]) -> None:
        done = run(*arguments)
        assert isinstance(done.exception, BenchLibError), done.output

    def test_a_chart_that_cannot_be_written_is_refused(self, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        (tmp_path / "file").write_text("", encoding="utf-8")
        done = run(*BASE, "--ranks", "8", "--chart", str(tmp_path / "file" / "chart.svg"))
        assert isinstance(done.exception, UsageError)

    def test_a_chart_says_simulated_and_is_the_same_twice(self, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        texts = []
        for name in ("a.svg", "b.svg"):
            assert run(*BASE, "--ranks", "8,64", "--chart", str(tmp_path / name)).exit_code == 0
            texts.append((tmp_path / name).read_text(encoding="utf-8"))
        assert texts[0] == texts[1]
        assert "simulated" in texts[0]


def test_a_chart_of_pairs_shows_every_pair() -> None:
    pytest.importorskip("matplotlib")
    pairs = [charts.Pair("a", 100, 110), charts.Pair("b", 1000, 900)]
    svg = charts.draw_pairs(pairs, quantity="tokens/s")
    assert svg == charts.draw_pairs(pairs, quantity="tokens/s")
    assert svg.count("<use") >= 2
