"""The Metal runtime against a stand-in for pyobjc that runs kernels on the host. No Mac takes part."""

from __future__ import annotations

import mmap
import struct
import sys
import threading
import types

import fake_metal
import msl_host
import numpy as np
import pytest
from msl_samples import MATRIX, ROW_SUM

from bench_lib.edge.metal import binding, devices, families, faults, submission
from bench_lib.edge.metal.device import MetalDevice, open_device
from bench_lib.edge.runtime import Buffer, Copy, Device, Dispatch
from bench_lib.errors import DeviceError, UnavailableError, UsageError

needs_compiler = pytest.mark.skipif(not msl_host.available(), reason="no g++ on this machine")
THREADS = (128, 1, 1)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch):
    """Put devices into a machine that looks like a Mac."""

    def put(*found: fake_metal.Device, thermal: int = 0) -> None:
        monkeypatch.setattr(binding, "sys", types.SimpleNamespace(platform="darwin"))
        monkeypatch.setattr(devices, "_core_count", lambda: 19)
        for name, module in fake_metal.modules(*found, thermal=thermal).items():
            monkeypatch.setitem(sys.modules, name, module)

    return put


@pytest.fixture
def fake(install) -> fake_metal.Device:
    device = fake_metal.Device()
    install(device)
    return device


@pytest.fixture
def device(fake: fake_metal.Device):
    with open_device("Apple M2 Pro") as opened:
        yield opened


def row_sum(device: MetalDevice, **changes):
    settings = {"entry_point": "row_sum", "num_buffers": 2, "push_constant_bytes": 8, "workgroup": THREADS}
    return device.pipeline(ROW_SUM.encode(), **{**settings, **changes})


def test_another_system_says_so_and_imports_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "sys", types.SimpleNamespace(platform="linux"))
    with pytest.raises(UnavailableError) as caught:
        devices.list_devices()
    assert caught.value.code == "not-macos"
    assert "Metal" not in sys.modules


def test_a_mac_without_the_binding_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "sys", types.SimpleNamespace(platform="darwin"))
    monkeypatch.setitem(sys.modules, "Metal", None)
    with pytest.raises(UnavailableError) as caught:
        binding.load()
    assert caught.value.code == "no-binding"
    assert "pip install" in caught.value.remedy


def test_a_mac_without_a_gpu_says_so(install) -> None:
    install()
    with pytest.raises(UnavailableError, match="no-device"):
        devices.list_devices()


def test_facts_of_an_apple_gpu(fake: fake_metal.Device) -> None:
    (facts,) = devices.list_devices()
    assert facts.slug == facts.selector == "apple-m2-pro-19-core-gpu"
    assert facts.api_version == "Metal 3"
    assert facts.driver == "macOS Version 15.1 (Build 24B83)"
    assert (facts.subgroup_size, facts.max_workgroup_invocations, facts.shared_memory_bytes) == (
        32,
        1024,
        32768,
    )
    assert facts.unified_memory
    assert {
        "shaderFloat16",
        "subgroup-arithmetic",
        "cooperativeMatrix",
        "MTLGPUFamilyApple8",
    } <= facts.features
    assert {(m.m, m.n, m.k, m.a, m.result) for m in facts.cooperative_matrices} == {
        (8, 8, 8, "f16", "f16"),
        (8, 8, 8, "f16", "f32"),
        (8, 8, 8, "f32", "f32"),
    }
    assert facts.memory["mapped"] == "MTLStorageModeShared"


def test_facts_of_a_discrete_gpu(install) -> None:
    other = fake_metal.Device("AMD Radeon Pro 5500M", families=(2002, 5001), unified=False)
    other._simd_width = 64
    install(other)
    (facts,) = devices.list_devices()
    assert facts.slug == "amd-radeon-pro-5500m"
    assert facts.subgroup_size == 64
    assert facts.memory["mapped"] == "MTLStorageModeManaged"
    assert facts.cooperative_matrices == ()
    assert "cooperativeMatrix" not in facts.features


def test_two_equal_devices_are_told_apart_by_number(install) -> None:
    install(*(fake_metal.Device("AMD Radeon Pro W6800X", families=(2002,), unified=False) for _ in range(2)))
    assert [f.selector for f in devices.list_devices()] == [
        "amd-radeon-pro-w6800x:0",
        "amd-radeon-pro-w6800x:1",
    ]
    with pytest.raises(UsageError, match="only one of"):
        open_device("amd-radeon-pro-w6800x")
    open_device("amd-radeon-pro-w6800x:1").close()


def test_an_unknown_device_names_those_there_are(fake: fake_metal.Device) -> None:
    with pytest.raises(UsageError, match="apple-m2-pro-19-core-gpu"):
        open_device("apple-m9")


@pytest.mark.parametrize(
    ("names", "present", "absent"),
    [
        ({"MTLGPUFamilyApple5"}, {"shaderFloat16"}, {"subgroup-shuffle", "subgroup-arithmetic"}),
        ({"MTLGPUFamilyApple6"}, {"subgroup-shuffle"}, {"subgroup-arithmetic", "cooperativeMatrix"}),
        ({"MTLGPUFamilyApple10"}, {"subgroup-arithmetic", "cooperativeMatrix"}, set()),
        ({"MTLGPUFamilyMac2"}, {"subgroup-arithmetic"}, {"cooperativeMatrix"}),
    ],
)
def test_features_follow_the_family(names: set[str], present: set[str], absent: set[str]) -> None:
    found = families.features(frozenset(names))
    assert present <= found
    assert not absent & found


def test_the_thermal_state_is_named(install) -> None:
    install(fake_metal.Device(), thermal=2)
    with open_device("Apple M2 Pro") as opened:
        assert opened.thermal_state() == "serious"


@needs_compiler
def test_a_kernel_runs_with_its_arguments_where_the_source_has_them(device: MetalDevice) -> None:
    columns = 40
    x = np.random.default_rng(1).integers(-8, 9, size=(3, 4 * columns)).astype(np.float32)
    source, result = device.buffer(x.nbytes), device.buffer(6)
    source.write(x)
    result.write(bytes(6))
    push = struct.pack("<If", columns, 0.25)
    with_pipeline = row_sum(device)
    batch = device.batch([Dispatch(with_pipeline, [source, result], (3, 1, 1), push)])
    times = batch.run()
    np.testing.assert_array_equal(np.frombuffer(result.read(), np.float16), x.sum(axis=1) / 4)
    assert times.device_s is not None and 0 < times.device_s <= times.round_trip_s
    assert times.submit_to_start_s is not None
    assert with_pipeline.creation_s > 0
    assert batch.count == 1


@needs_compiler
@pytest.mark.parametrize("mode", ["mapped", "staged"])
@pytest.mark.parametrize("unified", [True, False])
def test_each_memory_mode_gives_the_same_numbers(install, mode: str, unified: bool) -> None:
    gpu = fake_metal.Device("GPU", families=(1008,) if unified else (2002,), unified=unified)
    install(gpu)
    rng = np.random.default_rng(2)
    a = rng.integers(-4, 5, size=(8, 16)).astype(np.float16)
    b = rng.integers(-4, 5, size=(16, 24)).astype(np.float16)
    with open_device("GPU") as opened:
        left, right, product = (opened.buffer(n, mode=mode) for n in (a.nbytes, b.nbytes, 4 * 8 * 24))
        left.write(a)
        right.write(b)
        pipeline = opened.pipeline(
            MATRIX.encode(), entry_point="matrix", num_buffers=3, push_constant_bytes=8, workgroup=(32, 1, 1)
        )
        push = struct.pack("<II", 16, 24)
        opened.batch([Dispatch(pipeline, [left, right, product], (1, 3, 1), push)]).run()
        got = np.frombuffer(product.read(), np.float32).reshape(8, 24)
    np.testing.assert_array_equal(got, a.astype(np.float32) @ b.astype(np.float32))


@pytest.mark.parametrize("mode", ["mapped", "staged"])
@pytest.mark.parametrize("unified", [True, False])
@pytest.mark.parametrize("offset", [0, 1, 3, 4, 6])
def test_a_part_of_a_buffer_is_written_and_the_rest_kept(
    install, mode: str, unified: bool, offset: int
) -> None:
    install(fake_metal.Device("GPU", families=(), unified=unified))
    with open_device("GPU") as opened:
        buffer = opened.buffer(11, mode=mode)
        buffer.write(bytes(range(11)))
        buffer.write(b"\xaa\xbb\xcc", offset=offset)
        expected = bytearray(range(11))
        expected[offset : offset + 3] = b"\xaa\xbb\xcc"
        assert buffer.read() == bytes(expected)


def test_a_write_past_the_end_is_refused(device: MetalDevice) -> None:
    buffer = device.buffer(10)
    with pytest.raises(UsageError, match="10 bytes"):
        buffer.write(bytes(4), offset=7)
    with pytest.raises(UsageError):
        buffer.write(b"a", offset=-1)


def test_a_copy_on_the_device_and_its_encoders(device: MetalDevice, fake: fake_metal.Device) -> None:
    source, target = device.buffer(10, mode="staged"), device.buffer(12)
    source.write(bytes(range(10)))
    target.write(bytes(12))
    fake._encoders.clear()
    batch = device.batch([Copy(source, target, 10)], count=5)
    batch.run()
    batch.run()
    assert batch.count == 5
    assert fake._encoders == ["blit", "blit"]
    assert target.read()[:10] == bytes(range(10))
    with pytest.raises(UsageError, match="11 bytes"):
        device.batch([Copy(source, target, 11)])


def test_imported_memory_is_the_hosts_own(device: MetalDevice) -> None:
    pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    buffer = device.import_buffer(pages)
    assert (buffer.mode, buffer.num_bytes) == ("imported", 2 * mmap.PAGESIZE)
    pages[5] = 77
    assert buffer.read()[5] == 77
    buffer.write(b"\x42", offset=9)
    assert pages[9] == 0x42
    assert device.facts.import_alignment_bytes == mmap.PAGESIZE


def test_memory_that_cannot_be_imported_says_why(device: MetalDevice, fake: fake_metal.Device) -> None:
    pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    with pytest.raises(UsageError, match="whole pages"):
        device.import_buffer(memoryview(pages)[1:])
    with pytest.raises(UsageError, match="read-only"):
        device.import_buffer(bytes(mmap.PAGESIZE))
    fake._copy_import = True
    with pytest.raises(UnavailableError, match="import-copied"):
        device.import_buffer(pages)
    fake._refuse_import = True
    with pytest.raises(UnavailableError, match="import-refused"):
        device.import_buffer(pages)


def test_sizes_that_cannot_be_had(device: MetalDevice, fake: fake_metal.Device) -> None:
    with pytest.raises(UsageError, match="at least one byte"):
        device.buffer(0)
    with pytest.raises(DeviceError) as caught:
        device.buffer(fake._largest + 1)
    assert caught.value.code == "out-of-device-memory"


def test_a_closed_buffer_is_not_used(device: MetalDevice) -> None:
    buffer = device.buffer(4)
    buffer.close()
    with pytest.raises(UsageError, match="closed"):
        buffer.read()


def test_what_the_compiler_says_is_carried(device: MetalDevice, fake: fake_metal.Device) -> None:
    text = "program_source:3:5: error: use of undeclared identifier 'simd_summ'\n" * 200
    fake._compile_error = fake_metal.Error("MTLLibraryErrorDomain", 3, text)
    with pytest.raises(DeviceError) as caught:
        row_sum(device)
    assert caught.value.code == "compile-error"
    assert "simd_summ" in caught.value.detail
    assert len(caught.value.detail) < 5000


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (1, "driver-error"),
        (2, "device-hung"),
        (3, "page-fault"),
        (4, "device-lost"),
        (8, "out-of-device-memory"),
        (9, "invalid-resource"),
        (11, "device-lost"),
        (99, "driver-error"),
    ],
)
def test_an_error_of_a_command_buffer_becomes_a_reason(
    device: MetalDevice, fake: fake_metal.Device, code: int, reason: str
) -> None:
    source, target = device.buffer(4), device.buffer(4)
    batch = device.batch([Copy(source, target, 4)])
    fake._next_error = fake_metal.Error("MTLCommandBufferErrorDomain", code, "what the driver said")
    with pytest.raises(DeviceError) as caught:
        batch.run()
    assert caught.value.code == reason
    assert "what the driver said" in caught.value.detail
    fake._next_error = None
    if reason == "device-lost":
        with pytest.raises(DeviceError, match="device-lost"):
            batch.run()
    else:
        batch.run()


def test_a_failure_without_an_error_still_has_a_reason() -> None:
    assert faults.from_error(None, what="compiling k", reasons=faults.LIBRARY).code == "driver-error"


def test_a_device_that_never_answers_does_not_hang_the_run(
    device: MetalDevice, fake: fake_metal.Device
) -> None:
    source, target = device.buffer(4), device.buffer(4)
    batch = device.batch([Copy(source, target, 4)])
    fake._hang = threading.Event()
    try:
        with pytest.raises(DeviceError, match="device-hung"):
            batch.run(timeout_s=0.01)
        with pytest.raises(DeviceError, match="device-hung"):
            batch.run()
    finally:
        fake._hang.set()


def test_an_error_while_encoding_reaches_the_caller(device: MetalDevice) -> None:
    source, target = device.buffer(4), device.buffer(4)
    batch = device.batch([Copy(source, target, 4)])
    source.close()
    with pytest.raises(UsageError, match="closed"):
        batch.run()


@pytest.mark.parametrize(
    ("gpu", "device_s", "wait"),
    [
        ((10.25, 10.75), 0.5, 0.25),
        ((0.0, 0.0), None, None),  # never ran on the GPU
        ((10.75, 10.25), None, None),  # ends before it starts
        ((10.0, 12.0), None, None),  # longer than the round trip
        ((9.5, 10.25), 0.75, None),  # starts before it was submitted: another clock
    ],
)
def test_times_that_contradict_themselves_are_dropped(
    gpu: tuple[float, float], device_s: float | None, wait: float | None
) -> None:
    times = submission.timing(began=10.0, ended=11.0, cpu_s=0.1, gpu_start=gpu[0], gpu_end=gpu[1])
    assert (times.device_s, times.submit_to_start_s, times.round_trip_s) == (device_s, wait, 1.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"workgroup": None}, "does not state them"),
        ({"workgroup": (0, 1, 1)}, "does not state them"),
        ({"num_buffers": 3}, "expected '?3"),
        ({"push_constant_bytes": 0}, "buffers of row_sum"),
        ({"push_constant_bytes": 5000}, "4096"),
        ({"entry_point": "row_product"}, "row_sum"),
        ({"specialization": {0: bytes(4)}}, "function constants"),
    ],
)
def test_a_source_that_does_not_fit_its_call_is_refused(
    device: MetalDevice, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        row_sum(device, **changes)


def test_text_that_is_none_is_refused(device: MetalDevice) -> None:
    with pytest.raises(UsageError, match="UTF-8"):
        device.pipeline(b"\xff\xfe", entry_point="k", num_buffers=0, workgroup=(1, 1, 1))


def test_a_kernel_too_large_for_the_device_is_a_missing_feature(
    device: MetalDevice, fake: fake_metal.Device
) -> None:
    fake._max_threads = 96
    with pytest.raises(UnavailableError, match="feature-missing:threads-per-threadgroup"):
        row_sum(device)
    fake._max_threads = 1024
    fake._threadgroup_memory = 40000
    with pytest.raises(UnavailableError, match="feature-missing:threadgroup-memory"):
        row_sum(device)


def test_a_width_of_simdgroups_that_the_driver_changed_is_a_missing_feature(
    device: MetalDevice, fake: fake_metal.Device
) -> None:
    fake._simd_width = 16
    with pytest.raises(UnavailableError, match="feature-missing:subgroup-size-32"):
        row_sum(device)
    plain = b"kernel void k(device float* x [[buffer(0)]]) { x[0] = 1.0f; }"
    assert device.pipeline(plain, entry_point="k", num_buffers=1, workgroup=(1, 1, 1)).simd_width == 16


def test_a_dispatch_that_does_not_fit_its_pipeline_is_refused(device: MetalDevice) -> None:
    pipeline = row_sum(device)
    buffer: Buffer = device.buffer(16)
    push = bytes(8)
    for dispatch, message in (
        (Dispatch(pipeline, [buffer], (1, 1, 1), push), "buffers of row_sum"),
        (Dispatch(pipeline, [buffer, buffer], (0, 1, 1), push), "workgroups"),
        (Dispatch(pipeline, [buffer, buffer], (1, 1, 1)), "push constants"),
    ):
        with pytest.raises(UsageError, match=message):
            device.batch([dispatch])
    with pytest.raises(UsageError, match="no command"):
        device.batch([])


def test_it_is_a_device_as_the_protocol_says(device: MetalDevice) -> None:
    opened: Device = device
    assert {name for name in vars(Device) if not name.startswith("_")} <= set(dir(opened))
