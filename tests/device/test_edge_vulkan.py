"""The Vulkan runtime on every device here, under the validation layer."""

from __future__ import annotations

import mmap
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from vulkan_here import require_device, require_validation, selectors

import bench_lib.edge.vulkan
from bench_lib.edge.jobs import KernelJob, RoofJob, TransferJob
from bench_lib.edge.kernel_reader import load_kernel
from bench_lib.edge.measure import measure_kernel, measure_roofs, measure_transfers
from bench_lib.edge.prepared import PreparedKernel, WrongOutputError
from bench_lib.edge.runtime import Copy, Dispatch, MemoryMode
from bench_lib.edge.timing import TimingPlan
from bench_lib.edge.vulkan.device import VulkanDevice, open_device
from bench_lib.edge.vulkan.instance import binding
from bench_lib.errors import UnavailableError, UsageError

QUICK = TimingPlan(num_samples=3, sample_s=0.0, series_s=0.5)


@pytest.fixture(scope="module", params=selectors() or ("none",))
def device(request: pytest.FixtureRequest) -> Iterator[VulkanDevice]:
    require_device()
    require_validation()
    made = open_device(request.param, imports=True, validation=True)
    yield made
    instance = made.instance
    made.close()
    assert instance.messages == []


@pytest.fixture(autouse=True)
def no_message(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "device" in request.fixturenames:
        assert request.getfixturevalue("device").instance.messages == []


def test_every_constant_that_is_used_has_a_value() -> None:
    # The binding has names whose value is None, and passes them as 0.
    require_device()
    vk = binding()
    folder = Path(bench_lib.edge.vulkan.__file__).parent
    used = {n for p in folder.glob("*.py") for n in re.findall(r"\bvk\.(VK_\w+)", p.read_text())}
    assert len(used) > 30
    assert {n for n in used if getattr(vk, n, None) is None} == set()


def test_facts_are_those_of_a_device(device: VulkanDevice) -> None:
    facts = device.facts
    assert facts.slug and facts.driver and facts.subgroup_size >= 1
    assert facts.max_workgroup_invocations >= 128
    assert facts.timestamp_period_s is None or facts.timestamp_period_s > 0
    assert set(facts.memory) >= {"mapped", "staged"}
    if facts.kind == "software":
        assert facts.unified_memory and facts.aliases


@pytest.mark.parametrize("n", [1, 2, 3, 5, 63, 64, 65, 1023, 1025, 262147])
@pytest.mark.parametrize("mode", ["staged", "mapped"])
def test_saxpy_is_right_at_odd_sizes(device: VulkanDevice, n: int, mode: MemoryMode) -> None:
    kernel = load_kernel("saxpy")
    prepared = PreparedKernel(
        device,
        kernel,
        kernel.variant("fp32"),
        sizes={"n": n},
        mode="mapped" if mode == "mapped" else "staged",
    )
    batch = device.batch(prepared.sets(1)[0], count=3)
    timing = batch.run()
    assert prepared.check(0) <= 1
    assert timing.device_s is None or 0 < timing.device_s <= 1.05 * timing.round_trip_s
    assert timing.submit_to_start_s is None or timing.submit_to_start_s < timing.round_trip_s
    batch.close()
    prepared.close()


def test_an_output_that_was_not_written_is_wrong(device: VulkanDevice) -> None:
    kernel = load_kernel("saxpy")
    prepared = PreparedKernel(device, kernel, kernel.variant("fp32"), sizes={"n": 100})
    prepared.sets(1)
    with pytest.raises(WrongOutputError, match=r"result\[0\] is nan"):
        prepared.check(0)
    prepared.close()


def test_a_copy_moves_every_byte_between_memory_modes(device: VulkanDevice) -> None:
    data = np.random.default_rng(0).integers(0, 256, 12345, dtype=np.uint8).tobytes()
    source, middle, target = device.buffer(12345), device.buffer(12345, mode="staged"), device.buffer(12345)
    source.write(data)
    batch = device.batch([Copy(source, middle, 12345), Copy(middle, target, 12345)])
    batch.run()
    assert target.read() == data == middle.read()
    batch.close()


def test_the_hosts_pages_are_read_without_a_copy(device: VulkanDevice) -> None:
    if device.facts.import_alignment_bytes is None:
        pytest.skip("feature-missing:VK_EXT_external_memory_host")
    memory = mmap.mmap(-1, 4 * mmap.PAGESIZE)
    imported, target = device.import_buffer(memory), device.buffer(len(memory))
    batch = device.batch([Copy(imported, target, len(memory))])
    # What the host writes after the import is what the device sees.
    memory[:5] = b"fresh"
    batch.run()
    assert target.read()[:5] == b"fresh"
    batch.close()
    imported.close()


def test_memory_that_lies_wrong_is_not_imported(device: VulkanDevice) -> None:
    memory = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    with pytest.raises(UsageError, match="divisible"):
        device.import_buffer(memoryview(memory)[1:])
    with pytest.raises(UsageError, match="divisible"):
        device.import_buffer(memoryview(memory)[:0])


def test_a_dispatch_that_does_not_fit_its_pipeline_is_refused(device: VulkanDevice) -> None:
    variant = load_kernel("saxpy").variant("fp32")
    step = variant.passes[0]
    pipeline = device.pipeline(
        variant.spirv,
        entry_point=step.entry_point,
        num_buffers=3,
        push_constant_bytes=step.push_constant_bytes,
    )
    buffers = [device.buffer(64) for _ in range(3)]
    constants = variant.push_constants({"n": 16})
    good = Dispatch(pipeline, buffers, (1, 1, 1), constants)
    for bad in (
        Dispatch(pipeline, buffers[:2], (1, 1, 1), constants),
        Dispatch(pipeline, buffers, (1, 1, 1), constants[:-4]),
        Dispatch(pipeline, buffers, (0, 1, 1), constants),
        Dispatch(pipeline, buffers, (2**31, 1, 1), constants),
    ):
        with pytest.raises(UsageError):
            device.batch([bad])
    with pytest.raises(UsageError):
        device.batch([])
    with pytest.raises(UsageError):
        device.batch([good], count=0)
    device.batch([good], count=2).run()


@pytest.mark.parametrize("num_bytes", [0, -1])
def test_buffers_have_a_size(device: VulkanDevice, num_bytes: int) -> None:
    with pytest.raises(UsageError):
        device.buffer(num_bytes)


def test_more_bytes_than_a_buffer_has_are_refused(device: VulkanDevice) -> None:
    for mode in ("mapped", "staged"):
        with pytest.raises(UsageError):
            device.buffer(4, mode=mode).write(b"12345")  # type: ignore[arg-type]


def test_a_damaged_module_never_reaches_the_driver(device: VulkanDevice) -> None:
    code = load_kernel("saxpy").variant("fp32").spirv
    for damaged in (b"", code[:100], code[:-2], struct.pack("<I", 1) + code[4:]):
        with pytest.raises(UsageError):
            device.pipeline(damaged, entry_point="saxpy", num_buffers=3, push_constant_bytes=12)


def test_a_feature_that_a_device_lacks_is_named() -> None:
    found = require_device()
    with pytest.raises(UnavailableError) as error:
        open_device(found, features={"noSuchFeature"})
    assert error.value.code == "feature-missing:noSuchFeature"


@pytest.mark.parametrize("selector", selectors() or ("none",))
@pytest.mark.parametrize("dtype", ["fp32", "fp16"])
def test_a_kernel_is_measured_or_skipped_with_the_feature_it_lacks(selector: str, dtype: str) -> None:
    require_device()
    require_validation()
    job = KernelJob(
        device=selector,
        kernel="saxpy",
        dtype=dtype,
        sizes={"n": 4099},
        plan=QUICK,
        cold=False,
        validation=True,
    )
    run = measure_kernel(job)
    if run.status == "skipped":
        assert dtype == "fp16"
        assert run.details["reason_code"] == "feature-missing:shaderFloat16"
        return
    assert (run.status, run.reason) == ("ok", "")
    assert run.params == {"op": "saxpy", "dtype": dtype, "sizes": "n=4099"}
    made = {m.metric for m in run.measurements}
    assert made >= {"dispatch_time", "round_trip", "first_run", "pipeline_creation", "dispatch_cpu_time"}
    assert run.details["device_kind"] in ("software", "gpu")
    dispatch, round_trip = run.measurement("dispatch_time"), run.measurement("round_trip")
    assert dispatch is not None and round_trip is not None
    assert all(s > 0 for s in dispatch.samples) and dispatch.clock in ("vulkan-timestamp", "host")


def test_transfers_and_roofs_are_measured(tmp_path: Path) -> None:
    selector = require_device()
    runs = measure_transfers(TransferJob(device=selector, num_bytes=(4096,), plan=QUICK))
    assert [r.params["mode"] for r in runs] == ["mapped", "staged", "imported"]
    assert all(r.status == "ok" or r.details["reason_code"] for r in runs)
    (copy, matrix) = measure_roofs(RoofJob(device=selector, dtypes=("no-such-type",), plan=QUICK))
    assert copy.status == "ok" and copy.details["bytes_per_s"]
    assert matrix.status == "skipped"


def test_a_device_that_none_has_is_bad_use() -> None:
    require_device()
    with pytest.raises(UsageError, match="no-such-device"):
        measure_kernel(KernelJob(device="no-such-device", kernel="saxpy"))
