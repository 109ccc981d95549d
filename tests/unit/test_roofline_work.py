"""Work, roofs, remedies and names, on numbers worked by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from bench_lib.roofline.analysis import analyse
from bench_lib.roofline.chart_axes import Point
from bench_lib.roofline.kernel_names import short_kernel_name
from bench_lib.roofline.launch import Launch
from bench_lib.roofline.launch_table import COLUMNS, cells
from bench_lib.roofline.roofs import boost_roofs, clock_share_of_boost, profiled_roofs, share_of_roof
from bench_lib.roofline.work import measure_work, tensor_flop_by_source

SASS = "smsp__sass_thread_inst_executed_op_"
SM = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
MEMORY = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"


def made(metrics: dict[str, Any]) -> Launch:
    return Launch(index=0, function="k", demangled="", metrics=metrics)


def rates(letter: str, add: float, mul: float, fma: float) -> dict[str, float]:
    return {
        f"{SASS}{letter}{op}_pred_on.sum.per_cycle_elapsed": rate
        for op, rate in (("add", add), ("mul", mul), ("fma", fma))
    }


TIMED = {
    "gpu__time_duration.sum": 1000.0,
    "smsp__cycles_elapsed.avg.per_second": 1e9,
    "sm__cycles_elapsed.avg.per_second": 1e9,
}


def test_flop_from_rates() -> None:
    # 1 µs at 1 GHz is 1000 cycles: FP32 (1 + 2 + 2·3)·1000, FP16 (2·1 + 2·0 + 4·5)·1000.
    work = measure_work(made({**TIMED, **rates("f", 1, 2, 3), **rates("h", 1, 0, 5)}))
    assert work.flop_by_precision["fp32"] == pytest.approx(9000)
    assert work.flop_by_precision["fp16"] == pytest.approx(22_000)
    assert work.flop_by_precision["fp64"] is None and work.flop_by_precision["tensor"] is None
    assert work.flop is None and work.flop_per_s is None


def test_intensity_needs_every_precision() -> None:
    metrics = {
        **TIMED,
        **rates("f", 0, 0, 50),
        **rates("h", 0, 0, 0),
        **rates("d", 0, 0, 0),
        "dram__bytes_read.sum": 40_000.0,
        "dram__bytes_write.sum": 10_000.0,
    }
    assert measure_work(made(metrics)).arithmetic_intensity_flop_per_byte is None
    idle = {**metrics, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed": 0.0}
    work = measure_work(made(idle))
    assert work.flop == pytest.approx(100_000) and work.dram_bytes == 50_000
    assert work.arithmetic_intensity_flop_per_byte == pytest.approx(2.0)
    assert work.flop_per_s == pytest.approx(1e11)
    # A busy tensor pipe without counts: that work is unknown, not none.
    busy = {**metrics, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed": 3.0}
    assert measure_work(made(busy)).flop is None


def test_no_traffic_has_no_intensity() -> None:
    metrics = {
        **TIMED,
        **rates("f", 0, 0, 50),
        **rates("h", 0, 0, 0),
        **rates("d", 0, 0, 0),
        "sm__inst_executed_pipe_tensor.sum": 0.0,
        "dram__bytes.sum.per_second": 0.0,
    }
    work = measure_work(made(metrics))
    assert work.dram_bytes == 0 and work.arithmetic_intensity_flop_per_byte is None


def test_tensor_counters_that_overlap_count_once() -> None:
    path = "sm__ops_path_tensor"
    assert tensor_flop_by_source(
        made(
            {
                f"{path}_src_bf16_dst_fp32.sum": 100.0,
                f"{path}_src_bf16_dst_fp32_sparsity_off.sum": 100.0,
                f"{path}_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum": 60.0,
                f"{path}_op_hmma_src_bf16_dst_fp32_sparsity_off.sum": 40.0,
                f"{path}_op_hmma_src_fp16_dst_fp32_sparsity_off.sum": 7.0,
                f"{path}_op_hgmma_src_fp16_dst_fp32_sparsity_off.sum": 5.0,
                f"{path}_src_int8.sum": 1e9,
            }
        )
    ) == {"bf16": 100.0, "fp16": 12.0}


ROOFS = {
    "sm__cycles_elapsed.avg.per_second": 1e9,
    "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained": 1000.0,
    "sm__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained": 500.0,
    "dram__bytes.sum.peak_sustained": 100.0,
    "dram__cycles_elapsed.avg.per_second": 2e9,
    "lts__lts2xbar_cycles_active.sum.peak_sustained": 10.0,
    "lts__cycles_elapsed.avg.per_second": 1.5e9,
    "l1tex__lsu_writeback_active_mem_lg.sum.peak_sustained": 4.0,
    "device__attribute_clock_rate": 2_000_000,
    "device__attribute_memory_clock_rate": 1_000_000,
    "device__attribute_global_memory_bus_width": 800,
    "sm__ops_path_tensor_src_bf16_dst_fp32.sum.peak_sustained": 8192.0,
    "sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off.sum.peak_sustained": 4096.0,
    "device__attribute_compute_capability_major": 9,
}


def test_roofs_at_both_clocks() -> None:
    profiled, boost = profiled_roofs(made(ROOFS)), boost_roofs(made(ROOFS))
    assert profiled.flop_per_s == {"fp32": 2e12, "fp16": 2e12, "tensor_bf16": 4096e9}
    assert profiled.bytes_per_s == {"dram": 2e11, "l2": 10 * 32 * 1.5e9, "l1": 4 * 128 * 1e9}
    assert profiled.ridge_flop_per_byte("fp32") == pytest.approx(10.0)
    assert profiled.ridge_flop_per_byte("fp64") is None
    assert boost.flop_per_s["fp32"] == 4e12
    # 2 · 1 GHz · 800 bit / 8
    assert boost.bytes_per_s == {"dram": 2e11}
    assert clock_share_of_boost(made(ROOFS)) == pytest.approx(0.5)


def test_share_of_roof_is_the_longer_of_bytes_and_flop() -> None:
    metrics = {
        **TIMED,
        **ROOFS,
        **rates("f", 0, 0, 500),
        **rates("h", 0, 0, 0),
        **rates("d", 0, 0, 0),
        "sm__inst_executed_pipe_tensor.sum": 0.0,
        "dram__bytes.sum": 150_000.0,
    }
    # Bytes need 150000 / 2e11 = 0.75 µs, 1e6 FLOP at 2e12 need 0.5 µs, of 1 µs.
    found = share_of_roof(measure_work(made(metrics)), profiled_roofs(made(metrics)))
    assert found == pytest.approx(0.75)


@pytest.mark.parametrize(("fma", "num_bytes", "shown"), [(500, 150_000.0, "75.0"), (0, 0.0, "–")])
def test_a_launch_without_work_has_no_place_under_a_roof(fma: float, num_bytes: float, shown: str) -> None:
    metrics = {
        **TIMED,
        **ROOFS,
        **rates("f", 0, 0, fma),
        **rates("h", 0, 0, 0),
        **rates("d", 0, 0, 0),
        "sm__inst_executed_pipe_tensor.sum": 0.0,
        "dram__bytes.sum": num_bytes,
    }
    analysis = analyse(made(metrics))
    assert analysis.share_of_roof == pytest.approx(0.75 if fma else 0.0)
    cell = cells(Point(file="f", gpu="g", analysis=analysis))[COLUMNS.index("% of roof")]
    assert cell.text == shown and cell.key is not None
    assert math.isnan(cell.key) == (shown == "–")


def compute_bound(pipe: str, capability: tuple[int, int], **rest: float) -> list[str]:
    unit = f"sm__pipe_{pipe}_cycles_active.avg.pct_of_peak_sustained_elapsed"
    dram = "dram__cycles_active.avg.pct_of_peak_sustained_elapsed"
    found = analyse(
        made(
            {
                SM: 90.0,
                MEMORY: 20.0,
                unit: 90.0,
                dram: 20.0,
                f"breakdown:{SM}": unit,
                f"breakdown:{MEMORY}": dram,
                "device__attribute_compute_capability_major": capability[0],
                "device__attribute_compute_capability_minor": capability[1],
                **rest,
            }
        )
    )
    assert found.classification.verdict.label == "compute_bound"
    return [r.code for r in found.remedies]


def test_remedies_fit_the_pipe_and_the_gpu() -> None:
    assert compute_bound("tensor", (8, 0)) == ["aligned-tiles", "larger-gpu"]
    assert compute_bound("tensor", (8, 9)) == ["fp8", "aligned-tiles", "larger-gpu"]
    assert compute_bound("tensor", (10, 0)) == ["fp8", "nvfp4", "aligned-tiles", "larger-gpu"]
    assert compute_bound("fma", (9, 0)) == ["tensor-cores", "larger-gpu"]
    assert compute_bound("alu", (9, 0)) == ["less-integer", "larger-gpu"]
    assert compute_bound("fp64", (9, 0)) == ["lower-fp64", "larger-gpu"]


def l1_bound(**rest: float) -> list[str]:
    lsu = "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed"
    l1 = "l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed"
    issue = "sm__inst_issued.avg.pct_of_peak_sustained_elapsed"
    fma = "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed"
    metrics = {SM: 91.0, MEMORY: 91.0, lsu: 91.0, l1: 91.0, issue: 20.0, fma: 10.0}
    metrics |= {f"breakdown:{SM}": f"{lsu},{issue},{fma}", f"breakdown:{MEMORY}": l1}
    found = analyse(made({**metrics, **rest}))
    assert found.classification.verdict.label == "l1_bound"
    return [r.code for r in found.remedies]


def test_bank_conflicts_are_not_blamed_where_there_are_none() -> None:
    conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"
    assert "bank-conflicts" in l1_bound(**{conflicts: 12.0})
    assert "bank-conflicts" not in l1_bound(**{conflicts: 0.0})


def test_gain_is_bounded_by_what_limits_next() -> None:
    dram, l2 = (f"{u}.avg.pct_of_peak_sustained_elapsed" for u in ("dram__cycles_active", "lts__t_sectors"))
    issue = "sm__issue_active.avg.pct_of_peak_sustained_elapsed"
    found = analyse(
        made(
            {
                SM: 20.0,
                MEMORY: 96.0,
                issue: 20.0,
                dram: 96.0,
                l2: 60.0,
                f"breakdown:{SM}": issue,
                f"breakdown:{MEMORY}": f"{dram},{l2}",
                "gpu__time_duration.sum": 6000.0,
                "dram__bytes_read.sum": 0.0,
                "dram__bytes_write.sum": 100.0,
            }
        )
    )
    # Without DRAM traffic L2, at 60 %, sets the pace: 1/0.6. Nothing was read, so nothing to quantise.
    (fuse,) = found.remedies
    assert fuse.code == "fuse" and fuse.speedup_at_most == pytest.approx(100 / 60)
    assert fuse.time_s == pytest.approx(3.6e-6)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("adamw_kernel2(float *, const float *)", "adamw_kernel2"),
        ("void ns::inner::gemm<(int)128, float>(T1 *)", "gemm"),
        ("void cutlass::Kernel<cutlass::gemm::kernel::Gemm<a::B<int>, 3>>(T1::Params)", "Kernel<Gemm>"),
        ("enable_if<!T7, void>::type kernel<int, float>(T13)", "kernel<int>"),
        ("void (anonymous namespace)::softmax<float>(float *)", "softmax<float>"),
        ("void at::op<at::Functor::operator()(int)::lambda>(int)", "op<Functor>"),
        ("", ""),
        ("<<<>>>((", "<<<>>>(("),
    ],
)
def test_short_names(name: str, short: str) -> None:
    found = short_kernel_name(name)
    assert len(found) <= 44
    if short:
        assert found.startswith(short[:6])
    if name.startswith(("adamw", "void ns", "void cut", "enable")):
        assert found == short


def test_long_names_keep_both_ends() -> None:
    name = "a" * 60 + "z"
    found = short_kernel_name(name, width=20)
    assert len(found) == 20 and found[0] == "a" and found[-1] == "z" and "…" in found
