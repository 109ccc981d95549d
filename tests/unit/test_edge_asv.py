"""How asv tracks the edge family: parameters without a machine, and one series a device."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from asv.machine import MachineCollection

from bench_lib import asv_bridge, asv_machine
from bench_lib.edge import tracked
from bench_lib.errors import UsageError
from bench_lib.hardware import detect
from bench_lib.model import Environment, Measurement, Run
from bench_lib.results import records

ENVIRONMENT = Environment(commit=None, dirty=None, python="3.11", os="Linux", started="2026-01-01")


def roof_run(roof: str) -> Run:
    return Run(
        benchmark="edge.Roof",
        version="1",
        params={"roof": roof},
        hardware="acme-one",
        environment=ENVIRONMENT,
        status="ok",
        measurements=(Measurement("time_per_giga", (0.5,)),),
    )


def test_one_launch_serves_every_parameter_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(asv_bridge.RESULTS_VARIABLE, str(tmp_path / "results"))
    cache = tmp_path / "cache"
    cache.mkdir()
    launches: list[int] = []

    def launch() -> list[Run]:
        launches.append(1)
        return [roof_run("copy"), roof_run("matrix-fp32")]

    second = asv_bridge.once_of(str(cache), {"roof": "matrix-fp32"}, launch)
    first = asv_bridge.once_of(str(cache), {"roof": "copy"}, launch)
    assert len(launches) == 1
    assert (first.params, second.params) == ({"roof": "copy"}, {"roof": "matrix-fp32"})
    assert first.session == second.session != ""
    stored = records.load(tmp_path / "results").runs
    assert {r.params["roof"] for r in stored} == {"copy", "matrix-fp32"}


def test_the_record_tells_what_asv_calls_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(asv_bridge.MACHINE_VARIABLE, "box")
    plain = asv_bridge.once(str(tmp_path), {"roof": "copy"}, lambda: roof_run("copy"))
    assert dict(plain.details) == {"asv_machine": "box"}
    run = replace(roof_run("copy"), params={"op": "saxpy", "sizes": "n=5"})
    named = asv_bridge.once(str(tmp_path), {"kernel": "saxpy"}, lambda: run, benchmark="e.Kernel")
    assert dict(named.details) == {
        "asv_benchmark": "e.Kernel",
        "asv_params": '{"kernel": "saxpy"}',
        "asv_machine": "box",
    }
    monkeypatch.delenv(asv_bridge.MACHINE_VARIABLE)
    asv_machine.install()
    name = MachineCollection.load(tracked.machine_name(detect()))["machine"]
    assert os.environ[asv_bridge.MACHINE_VARIABLE] == name


def test_a_single_run_is_found_by_the_benchmarks_parameters(tmp_path: Path) -> None:
    # The record names sizes, which asv's parameter does not.
    run = replace(roof_run("copy"), params={"op": "saxpy", "sizes": "n=5"})
    for _ in range(2):
        assert asv_bridge.once(str(tmp_path), {"kernel": "saxpy fp32"}, lambda: run).params == run.params


def test_parameters_name_work_and_no_device() -> None:
    names = tracked.kernel_names()
    assert "saxpy fp32" in names and len(names) == len(set(names))
    assert tracked.TRANSFERS[1][0] == 4096 and tracked.TRANSFERS[1][-1] == 256 * 2**20


def test_a_named_device_is_a_machine_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    machine: Any = SimpleNamespace(hardware=SimpleNamespace(slug="cpu-2cpu"))
    monkeypatch.delenv(tracked.DEVICE_VARIABLE, raising=False)
    assert tracked.machine_name(machine) == "cpu-2cpu"
    monkeypatch.setattr(tracked, "_selector", lambda wanted: {"acme:1": "acme-one:1"}[wanted])
    monkeypatch.setenv(tracked.DEVICE_VARIABLE, "acme:1")
    assert tracked.machine_name(machine) == "acme-one-1"


def test_a_named_device_that_is_not_there_is_bad_use(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_there(wanted: str | None) -> None:
        raise UsageError.of("device", found=wanted, expected="one of lavapipe")

    monkeypatch.setattr(tracked, "find_device", none_there)
    monkeypatch.setenv(tracked.DEVICE_VARIABLE, "no-such-device-here")
    with pytest.raises(UsageError, match="no-such-device-here"):
        tracked.machine_name(SimpleNamespace())  # type: ignore[arg-type]
