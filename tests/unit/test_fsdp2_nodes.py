"""Nodes on one machine, without making any: lines, predictions and names worked by hand."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench_lib.cli import cli
from bench_lib.errors import BenchLibError, UnavailableError, UsageError
from bench_lib.fsdp2 import nodes_command
from bench_lib.fsdp2.nodes import namespaces
from bench_lib.fsdp2.nodes.launch import torchrun
from bench_lib.fsdp2.nodes.namespaces import Cluster, LinkShape, Node
from bench_lib.fsdp2.nodes.study import Line, Study, communication_s, evaluate, fit_line
from bench_lib.fsdp2.nodes.work import order
from bench_lib.model import Environment

GIGABIT = 125e6


def sweep(alpha: float, beta: float) -> list[list[float]]:
    return [[size, *(alpha + beta * size,) * 3] for size in (4096.0, 1e6, 8e6)]


class TestLine:
    def test_a_line_is_found_again(self) -> None:
        line = fit_line(sweep(2e-3, 1e-8))
        assert line.seconds == pytest.approx(2e-3)
        assert line.seconds_per_byte == pytest.approx(1e-8)
        assert line.spread < 1e-9

    def test_the_median_of_a_size_counts(self) -> None:
        rows = sweep(2e-3, 1e-8)
        rows[1][1] = 5.0
        assert fit_line(rows).seconds == pytest.approx(2e-3)

    def test_neither_part_is_negative(self) -> None:
        falling = fit_line([[1e6, 2e-3], [2e6, 1e-3]])
        assert falling.seconds_per_byte == 0
        assert falling.seconds > 0
        steep = fit_line([[1e6, 1e-3], [2e6, 3e-3]])
        assert steep.seconds == 0
        assert steep.seconds_per_byte > 0

    def test_a_shape_adds_its_latency_for_each_hop_and_takes_the_slower_rate(self) -> None:
        line = Line(1e-3, 1e-9, 0.0)
        # Two ranks, one pass: one hop, for which gloo takes the latency twice; half of the bytes cross.
        gather = line.on_link(LinkShape(GIGABIT, 10e-3), num_ranks=2, passes=1)
        assert gather.seconds == pytest.approx(21e-3)
        assert gather.seconds_per_byte == pytest.approx(0.5 / GIGABIT)
        # Four ranks, two passes: six hops, six quarters of the bytes.
        reduce = line.on_link(LinkShape(GIGABIT, 1e-3), num_ranks=4, passes=2)
        assert reduce.seconds == pytest.approx(13e-3)
        assert reduce.seconds_per_byte == pytest.approx(1.5 / GIGABIT)

    def test_an_unlimited_link_changes_nothing(self) -> None:
        line = Line(1e-3, 1e-8, 0.0)
        assert line.on_link(LinkShape(), num_ranks=2, passes=1) == line
        assert line.on_link(LinkShape(1e12), num_ranks=2, passes=1) == line


def test_blocks_are_gathered_twice_and_the_root_once() -> None:
    gather, reduce = Line(1.0, 0.0, 0.0), Line(10.0, 0.0, 0.0)
    # Three blocks and the root: 3 + 3 + 1 gathers, 4 reductions.
    assert communication_s([5, 5, 5, 9], gather=gather, reduce=reduce, compute=100.0) == 147


def test_bytes_are_float32() -> None:
    gather, reduce = Line(0.0, 1.0, 0.0), Line(0.0, 0.0, 0.0)
    assert communication_s([10, 3], gather=gather, reduce=reduce) == 4 * (10 + 10 + 3)


def raw() -> dict[str, Any]:
    def phase(round_: int, shape: int, alpha: float, step: float) -> dict[str, Any]:
        return {
            "shape": shape,
            "round": round_,
            "step_time_s": [step, step],
            "all_gather": sweep(alpha, 1e-9),
            "reduce_scatter": sweep(2 * alpha, 2e-9),
        }

    # One block and the root of a million parameters (4 MB): three gathers, two reductions.
    # The second round meets a machine on which computation takes 0.1 s more.
    phases = [
        phase(0, 0, 1e-3, 0.5),
        phase(0, 1, 21e-3, 0.64),
        phase(1, 1, 21e-3, 0.74),
        phase(1, 0, 1e-3, 0.6),
    ]
    return {"phases": phases, "facts": {"group_parameters": [1_000_000, 1_000_000], "torch": "2.13.0"}}


def study() -> Study:
    links = [LinkShape(), LinkShape(None, 10e-3)]
    return evaluate(raw(), links=links, num_nodes=2, ranks_per_node=1, delays="relay")


class TestStudy:
    def test_computation_is_what_the_reference_leaves(self) -> None:
        # 0.5 s - 3 · (1 + 4) ms - 2 · (2 + 8) ms, and 0.1 s more.
        assert study().compute_s == pytest.approx(0.515)

    def test_rounds_are_put_together(self) -> None:
        assert len(study().links[1].step_times) == 4
        assert len(study().links[1].sweep["all_gather"][0]) == 1 + 6

    def test_the_reference_predicts_itself(self) -> None:
        first = study().links[0]
        assert first.predicted_from_sweep == pytest.approx(first.measured)
        assert first.predicted_from_shape == pytest.approx(first.measured)

    def test_a_link_is_predicted_from_its_sweep_and_from_its_shape(self) -> None:
        second = study().links[1]
        # 0.465 + 3 · (21 + 4) ms + 2 · (42 + 8) ms.
        assert second.from_sweep == pytest.approx((0.64, 0.74))
        # Reference lines and 10 ms: 1 + 20 ms a gather, 2 + 40 ms a reduction.
        assert second.from_shape == pytest.approx((0.64, 0.74))
        assert second.predicted_from_sweep == pytest.approx(0.69)

    def test_each_round_is_compared_with_itself(self) -> None:
        assert study().links[1].error(study().links[1].from_sweep) == pytest.approx(0)

    def test_links_are_gone_through_there_and_back(self) -> None:
        assert [order(3, round_=r) for r in range(3)] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]

    def test_records_keep_measured_and_simulated_apart(self) -> None:
        environment = Environment(None, None, "3.11", "Linux", "2026-12-02T00:00:00Z")
        runs = nodes_command.runs_of(
            study(), preset="tiny", hardware="cpu", environment=environment, session="s"
        )
        assert [run.origin for run in runs] == ["measured", "simulated", "simulated"] * 2
        assert len({json.dumps(sorted(run.params.items())) for run in runs}) == 6
        assert {run.params["latency_s"] for run in runs} == {0.0, 10e-3}

    def test_json_and_text_say_what_is_simulated(self) -> None:
        document = nodes_command.as_json(study(), preset="tiny")
        assert [link["origin"] for link in document["links"]] == ["measured"] * 2
        assert {link["predicted"]["origin"] for link in document["links"]} == {"simulated"}
        json.dumps(document, allow_nan=False)
        assert "simulated" in nodes_command.as_text(study(), preset="tiny")


class TestLinks:
    def test_the_unlimited_link_comes_first_and_once(self) -> None:
        links = nodes_command.links_of(("none", "1Gbit"), ("0s", "1ms"))
        assert links == [
            LinkShape(),
            LinkShape(None, 1e-3),
            LinkShape(GIGABIT, 0.0),
            LinkShape(GIGABIT, 1e-3),
        ]

    @pytest.mark.parametrize(
        "arguments",
        [
            ("--bandwidth", "fast"),
            ("--bandwidth", "1bit"),
            ("--bandwidth", "-1Gbit"),
            ("--latency", "1"),
            ("--latency", "1h"),
            ("--latency", "11s"),
            ("--nodes", "0"),
            ("--nodes", "1"),
            ("--nodes", "99"),
            ("--ranks-per-node", "0"),
            ("--rounds", "0"),
            ("--steps", "-1"),
            ("--timeout", "nan"),
        ],
    )
    def test_bad_input_is_refused(self, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(namespaces, "_run", lambda argv: pytest.fail(f"made something: {argv}"))
        done = CliRunner().invoke(cli, ["fsdp2", "nodes", *arguments])
        assert isinstance(done.exception, BenchLibError), done.output


class TestNamespaces:
    def test_without_root_the_reason_is_given(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        monkeypatch.setattr(namespaces.shutil, "which", lambda name: f"/sbin/{name}")
        with pytest.raises(UnavailableError, match="root"):
            namespaces.require_namespaces()

    def test_without_iproute2_the_package_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(namespaces.shutil, "which", lambda name: None)
        with pytest.raises(UnavailableError, match="iproute2"):
            namespaces.require_namespaces()

    def test_only_names_of_a_process_that_is_gone_are_stale(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(namespaces, "DIRECTORY", tmp_path)
        own = namespaces._started(os.getpid())
        alive = f"bench-lib-{os.getpid()}-{own}-node0"
        reused = f"bench-lib-{os.getpid()}-{own - 1 if own else 0}-node0"
        gone = "bench-lib-4194303-1-switch"
        for name in (alive, reused, gone, "mine", "bench-lib-x-1-node0", "bench-lib-1-1-node0-more"):
            (tmp_path / name).touch()
        assert namespaces.stale() == sorted([reused, gone])

    @pytest.mark.parametrize("name", ["mine", "../etc", "bench-lib-1-1-node0;ls", ""])
    def test_a_namespace_of_others_is_never_removed(self, name: str) -> None:
        with pytest.raises(UsageError):
            namespaces.remove([name])

    @pytest.mark.parametrize(("rate", "delay"), [(0.0, 0.0), (1e13, 0.0), (float("nan"), 0.0), (None, -1.0)])
    def test_links_are_within_reason(self, rate: float | None, delay: float) -> None:
        with pytest.raises(UsageError):
            LinkShape(rate, delay)

    def test_only_the_first_node_holds_the_meeting_point(self) -> None:
        nodes = [Node("a", "10.213.0.1"), Node("b", "10.213.0.2")]
        commands = [
            torchrun(node, index=i, nodes=nodes, ranks_per_node=2, arguments=["module"])
            for i, node in enumerate(nodes)
        ]
        hosts = [re.findall(r"is_host=([01])", " ".join(c)) for c in commands]
        assert hosts == [["1"], ["0"]]
        assert all("--rdzv-endpoint=10.213.0.1:29400" in c for c in commands)
        assert "--local-addr=10.213.0.2" in commands[1]


class TestNetem:
    """Kernels with ``sch_netem``: what ``tc`` would be asked for, as its manual spells it."""

    @pytest.fixture
    def asked(self, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
        found: list[list[str]] = []

        def note(argv: Sequence[str], **settings: object) -> subprocess.CompletedProcess[str]:
            found.append(list(argv))
            return subprocess.CompletedProcess(list(argv), 0, "", "")

        monkeypatch.setattr(namespaces.subprocess, "run", note)
        return found

    def test_a_delay_hangs_below_the_bucket(self, asked: list[list[str]]) -> None:
        node = Node("n", "10.213.0.1")
        Cluster((node,), Path(), "netem").shape(LinkShape(125e6, 1e-3))
        of_device = ["tc", "-n", "n", "qdisc"]
        assert asked[0] == [*of_device, "del", "dev", "bench0", "root"]
        assert asked[1][:10] == [*of_device, "add", "dev", "bench0", "root", "handle", "1:"]
        # 1 Gbit/s; the bucket holds two of the largest packets.
        assert asked[1][10:] == ["tbf", "rate", "1000000000bit", "burst", "130200", "latency", "400ms"]
        below = [*of_device, "add", "dev", "bench0", "parent", "1:1", "handle", "10:"]
        assert asked[2] == [*below, "netem", "delay", "1000us", "limit", "100000"]

    def test_a_delay_alone_is_the_root(self, asked: list[list[str]]) -> None:
        Cluster((Node("n", "10.213.0.1"),), Path(), "netem").shape(LinkShape(None, 10e-3))
        (_, made) = asked
        assert made[7:] == ["root", "handle", "1:", "netem", "delay", "10000us", "limit", "100000"]

    def test_without_a_delay_there_is_none(self, asked: list[list[str]]) -> None:
        Cluster((Node("n", "10.213.0.1"),), Path(), "netem").shape(LinkShape(125e6, 0))
        assert not any("netem" in argv for argv in asked)

    @pytest.mark.parametrize("works", [True, False])
    def test_the_kernel_is_asked(self, works: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        """And what was tried is taken away again."""
        actions = []

        def answer(argv: Sequence[str], **settings: object) -> subprocess.CompletedProcess[str]:
            actions.append(argv[argv.index("qdisc") + 1])
            return subprocess.CompletedProcess(list(argv), 0 if works else 2, "", "unknown qdisc")

        monkeypatch.setattr(namespaces.subprocess, "run", answer)
        assert namespaces.has_netem("n") is works
        assert actions == (["add", "del"] if works else ["add"])
