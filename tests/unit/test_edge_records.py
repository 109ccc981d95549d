"""Devices by name, roofs, break-even and options: pure parts of the edge family."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from bench_lib.edge.break_even import break_even_bytes, medians
from bench_lib.edge.choosing import choose
from bench_lib.edge.commands import edge, parse_bytes, parse_sizes
from bench_lib.edge.device_roofs import DeviceRoofs, placement, roofs_of
from bench_lib.edge.isolated import _of_exit
from bench_lib.edge.runtime import DeviceFacts
from bench_lib.errors import UnavailableError, UsageError
from bench_lib.model import Environment, Measurement, Run
from bench_lib.placement import place_under

FACTS = DeviceFacts(
    api="vulkan",
    slug="acme-one",
    selector="acme-one",
    name="Acme One",
    kind="gpu",
    driver="acme 1",
    api_version="1.3.0",
    unified_memory=False,
    features=frozenset(),
    subgroup_size=32,
    max_workgroup_size=(1, 1, 1),
    max_workgroup_invocations=1,
    max_groups=(1, 1, 1),
    shared_memory_bytes=0,
    max_buffer_bytes=0,
    memory_bytes=0,
    max_push_constant_bytes=128,
    timestamp_period_s=None,
    start_is_known=False,
    import_alignment_bytes=None,
)
SOFTWARE = replace(
    FACTS, name="llvmpipe", slug="lavapipe-x", selector="lavapipe-x", kind="software", aliases=("lavapipe",)
)
TWINS = [replace(FACTS, selector="acme-one:0"), SOFTWARE, replace(FACTS, selector="acme-one:1", driver="2")]


def test_a_device_is_chosen_by_slug_name_alias_or_place() -> None:
    found = [FACTS, SOFTWARE]
    assert choose(found, "acme-one") == 0
    assert choose(found, " ACME one ") == 0
    assert choose(found, "lavapipe") == 1
    assert choose(found, "vulkan/lavapipe") == 1
    assert choose(TWINS, "acme-one:1") == 2
    assert choose(TWINS, "acme-one:0") == 0


def test_without_a_name_the_only_gpu_is_meant_and_a_software_device_never_beside_one() -> None:
    assert choose([SOFTWARE, FACTS], None) == 1
    assert choose([SOFTWARE], None) == 0
    for several in (TWINS, [SOFTWARE, SOFTWARE]):
        with pytest.raises(UnavailableError, match=several[0].selector) as error:
            choose(several, None)
        assert error.value.code == "device-not-named"


def test_a_name_that_several_have_lists_them_with_their_drivers() -> None:
    with pytest.raises(UsageError, match=r"acme-one:0 \(acme 1\), acme-one:1 \(2\)"):
        choose(TWINS, "acme-one")


@pytest.mark.parametrize(
    "wanted", ["acme", "acme-one:2", "", ":0", "metal/acme-one", "acme-one:-1", "acme-one:x"]
)
def test_a_name_that_none_has_is_refused(wanted: str) -> None:
    with pytest.raises(UsageError):
        choose([FACTS, SOFTWARE, FACTS], wanted)


def test_no_device_is_a_reason_of_its_own() -> None:
    with pytest.raises(UnavailableError) as error:
        choose([], "acme-one")
    assert error.value.code == "no-device"


def run(
    benchmark: str, params: dict[str, Any], metric: str, samples: tuple[float, ...], **details: Any
) -> Run:
    return Run(
        benchmark=benchmark,
        version="1",
        params=params,
        hardware="acme-one",
        environment=Environment(commit=None, dirty=None, python="3.11", os="Linux", started="2026-01-01"),
        status="ok",
        measurements=(Measurement(metric, samples),),
        details=details,
    )


COPY = run("edge.Roof", {"roof": "copy"}, "dispatch_time", (0.2, 0.1), bytes_moved=100)
MATRIX = run("edge.Roof", {"roof": "matrix-fp32"}, "dispatch_time", (2.0, 4.0), flop=8000)


def test_roofs_are_the_best_samples() -> None:
    assert roofs_of([COPY, MATRIX]) == DeviceRoofs(1000.0, {"fp32": 4000.0})
    assert roofs_of([MATRIX]) is None
    assert roofs_of([]) is None


def test_a_kernel_is_placed_under_the_longer_of_two_least_times() -> None:
    roofs = DeviceRoofs(1000.0, {"fp32": 4000.0})
    # 500 bytes need 0.5 s, 1000 FLOP 0.25 s; it took 1 s: half of the memory roof.
    memory = run("edge.Kernel", {"dtype": "fp32"}, "dispatch_time", (1.0,), bytes_moved=500, flop=1000)
    placed = placement(memory, roofs)
    assert placed is not None and (placed.side, placed.share_of_roof) == ("memory", 0.5)
    compute = run("edge.Kernel", {"dtype": "fp32"}, "dispatch_time", (4.0,), bytes_moved=500, flop=12000)
    placed = placement(compute, roofs)
    assert placed is not None and (placed.side, placed.share_of_roof) == ("compute", 0.75)


@pytest.mark.parametrize(
    "details",
    [{}, {"bytes_moved": 0, "flop": 0}, {"bytes_moved": "500", "flop": 1}, {"bytes_moved": True, "flop": 1}],
)
def test_work_that_is_not_known_has_no_place(details: dict[str, Any]) -> None:
    found = run("edge.Kernel", {"dtype": "fp32"}, "dispatch_time", (1.0,), **details)
    assert placement(found, DeviceRoofs(1000.0)) is None


def test_placement_refuses_what_is_not_positive() -> None:
    for values in ({"num_bytes": 0.0}, {"duration_s": -1.0}, {"flop": -1.0}, {"peak_flop_per_s": 0.0}):
        given: dict[str, Any] = {
            **{"flop": 1.0, "num_bytes": 1.0, "duration_s": 1.0, "bytes_per_s": 1.0, "peak_flop_per_s": None},
            **values,
        }
        with pytest.raises(UsageError):
            place_under(**given)


def test_break_even_holds_from_a_size_up() -> None:
    imported = {4096: 80.0, 65536: 80.0, 1048576: 80.0}
    assert break_even_bytes(imported, {4096: 1.0, 65536: 100.0, 1048576: 900.0}) == 65536
    # Faster at one size in the middle only is no break-even.
    assert break_even_bytes(imported, {4096: 1.0, 65536: 100.0, 1048576: 10.0}) is None
    assert break_even_bytes(imported, {4096: 99.0}) == 4096
    assert break_even_bytes(imported, {}) is None


def test_transfers_are_grouped_by_mode_and_size() -> None:
    runs = [
        run("edge.Transfer", {"mode": "mapped", "num_bytes": 4096}, "transfer_time", (3.0, 1.0, 2.0)),
        run("edge.Transfer", {"mode": "mapped", "num_bytes": "x"}, "transfer_time", (3.0,)),
        COPY,
    ]
    assert medians(runs) == {"mapped": {4096: 2.0}}


def test_sizes_and_bytes_are_parsed() -> None:
    assert parse_sizes("m=5, n=7") == {"m": 5, "n": 7}
    assert parse_sizes("") == {}
    assert parse_bytes("4096, 64KiB,16 MiB,1GiB") == (4096, 65536, 16 * 2**20, 2**30)


@pytest.mark.parametrize("text", ["m", "m=", "m=-1", "m=1,m=2", "m=1,,n=2", "m=1;n=2", "m=1e3", "=1"])
def test_sizes_of_another_form_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_sizes(text)


@pytest.mark.parametrize("text", ["", "x", "-1", "4KB", "1,,2", "1.5MiB"])
def test_bytes_of_another_form_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_bytes(text)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "--op", "nonsuch"], "Kernel"),
        (["run", "--op", "saxpy", "--sizes", "q=1"], "Sizes of saxpy"),
        (["run", "--op", "saxpy", "--dtype", "fp99"], "Variant of saxpy"),
        (["run", "--op", "saxpy", "--variant", "nonsuch"], "Variant of saxpy"),
        (["run", "--op", "saxpy", "--samples", "0"], "num_samples"),
        (["run", "--op", "saxpy", "--cool-down", "-1"], "cool_down_s"),
        (["run", "--op", "saxpy", "--timeout", "0"], "timeout"),
        (["run", "--op", "saxpy", "--seed", "-1"], "--seed"),
        (["memory", "--bytes", "5 apples"], "--bytes"),
    ],
)
def test_bad_use_is_refused_before_a_driver_is_loaded(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_process(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr("bench_lib.edge.measure.ask", no_process)
    monkeypatch.setattr("bench_lib.edge.measure.list_devices", no_process)
    done = CliRunner().invoke(edge, arguments)
    assert isinstance(done.exception, UsageError)
    assert said in str(done.exception)


def test_how_a_process_ended_is_a_reason() -> None:
    assert (_of_exit(-11, "").code, _of_exit(-6, "").code) == ("driver-crashed", "driver-crashed")
    killed = _of_exit(-9, " (last words)")
    assert killed.code == "process-killed" and "SIGKILL" in killed.reason and "last words" in killed.reason
    assert _of_exit(3, "").code == "process-failed"
    assert "signal 99" in _of_exit(-99, "").reason


@pytest.mark.parametrize("dtype", ["fp99", "", "<b>"])
def test_roofs_of_no_data_type_are_refused(dtype: str) -> None:
    done = CliRunner().invoke(edge, ["roofs", "--dtype", dtype])
    assert done.exit_code == 2
    assert "fp16" in done.output
