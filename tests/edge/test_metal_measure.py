"""What measures on Vulkan measures on Metal unchanged: the measuring process on a stand-in for a Mac."""

from __future__ import annotations

import sys
import types

import fake_metal
import msl_host
import pytest

from bench_lib.edge import opening, worker
from bench_lib.edge.jobs import DevicesJob, KernelJob, TransferJob
from bench_lib.edge.metal import binding
from bench_lib.edge.timing import TimingPlan

pytestmark = pytest.mark.skipif(not msl_host.available(), reason="no g++ on this machine")

SHORT = TimingPlan(num_samples=1, sample_s=0, series_s=0, max_count=2)


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> fake_metal.Device:
    device = fake_metal.Device("Apple M3")
    monkeypatch.setattr(binding, "sys", types.SimpleNamespace(platform="darwin"))
    monkeypatch.setattr(opening, "platform", types.SimpleNamespace(system=lambda: "Darwin"))
    for name, module in fake_metal.modules(device).items():
        monkeypatch.setitem(sys.modules, name, module)
    # A Mac has no Vulkan of its own.
    monkeypatch.setitem(sys.modules, "vulkan", None)
    return device


def test_a_mac_without_vulkan_lists_its_gpu(mac: fake_metal.Device) -> None:
    answer = worker.answer(DevicesJob())
    assert answer.status == "ok", answer
    assert [(d.api, d.name) for d in answer.devices] == [("metal", "Apple M3")]


def test_a_kernel_is_verified_and_timed(mac: fake_metal.Device) -> None:
    answer = worker.answer(
        KernelJob(device="Apple M3", kernel="saxpy", dtype="fp32", sizes={"n": 999}, plan=SHORT, cold=False)
    )
    assert answer.status == "ok", answer
    (part,) = answer.parts
    found = {m.metric: m for m in part.measurements}
    assert {"pipeline_creation", "first_run", "round_trip", "submit_to_start", "dispatch_time"} <= set(found)
    assert found["dispatch_time"].clock == "metal-gpu"
    assert part.details["memory_type"] == "MTLStorageModePrivate"
    assert part.details["output_error"] <= 1


def test_a_wrong_kernel_is_a_failure_and_never_timed(
    mac: fake_metal.Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = msl_host.run

    def wrong(*arguments: object, **more: object) -> dict[int, bytes]:
        return {slot: bytes(len(content)) for slot, content in run(*arguments, **more).items()}

    monkeypatch.setattr(msl_host, "run", wrong)
    answer = worker.answer(
        KernelJob(device="Apple M3", kernel="saxpy", dtype="fp32", sizes={"n": 64}, plan=SHORT)
    )
    assert (answer.status, answer.code, answer.parts) == ("failed", "output-wrong", ())


def test_a_gpu_that_is_lost_gives_its_reason(mac: fake_metal.Device) -> None:
    mac._next_error = fake_metal.Error("MTLCommandBufferErrorDomain", 11, "the GPU was removed")
    answer = worker.answer(
        KernelJob(device="Apple M3", kernel="saxpy", dtype="fp32", sizes={"n": 64}, plan=SHORT)
    )
    assert (answer.status, answer.code) == ("failed", "device-lost")


def test_transfers_name_metals_memory_modes(mac: fake_metal.Device) -> None:
    answer = worker.answer(TransferJob(device="Apple M3", num_bytes=(4096, 65536), plan=SHORT))
    assert answer.status == "ok", answer
    assert {part.params["mode"] for part in answer.parts} == {"mapped", "imported", "staged"}
    assert all(part.status == "ok" for part in answer.parts), answer.parts
