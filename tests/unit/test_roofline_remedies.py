"""Remedies that the figures contradict are not given; gains are bounded by hand-worked figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench_lib.errors import UsageError
from bench_lib.roofline.analysis import LaunchAnalysis, analyse
from bench_lib.roofline.ceilings import Ceilings
from bench_lib.roofline.launch import Launch
from bench_lib.roofline.recorded import RecordedMetrics
from bench_lib.roofline.remedies import Remedy

PCT = ".avg.pct_of_peak_sustained_elapsed"
SM, MEMORY = f"sm__throughput{PCT}", f"gpu__compute_memory_throughput{PCT}"
TENSOR = f"sm__inst_executed_pipe_tensor{PCT}"
FMA = f"sm__inst_executed_pipe_fma{PCT}"
ISSUE, DRAM = f"sm__issue_active{PCT}", f"dram__cycles_active{PCT}"
OPCODES = "sass__inst_executed_per_opcode_with_modifier_all"


def analysed(
    metrics: dict[str, float | str | int],
    opcodes: dict[str, float] | None = None,
    ceilings: Ceilings | None = None,
) -> LaunchAnalysis:
    tables = {OPCODES: opcodes} if opcodes else {}
    values = {**metrics, **dict.fromkeys(tables, 0.0)}
    launch = Launch(
        index=0,
        function="k",
        demangled="",
        metrics=RecordedMetrics(values, tables, path=Path("r.ncu-rep")),
    )
    return analyse(launch, ceilings=ceilings, gpu="NVIDIA Made 1")


def tensor_bound(opcodes: dict[str, float] | None = None, **counters: float) -> list[str]:
    found = analysed(
        {
            SM: 90.0,
            MEMORY: 20.0,
            TENSOR: 90.0,
            DRAM: 20.0,
            f"breakdown:{SM}": TENSOR,
            f"breakdown:{MEMORY}": DRAM,
            "device__attribute_compute_capability_major": 10,
            "device__attribute_compute_capability_minor": 0,
            **counters,
        },
        opcodes,
    )
    assert found.classification.verdict.reason_code == "tensor-pipe"
    return [r.code for r in found.remedies if r.code in {"fp8", "nvfp4"}]


@pytest.mark.parametrize(
    ("opcodes", "advised"),
    [
        ({"HMMA.16816.F32.BF16": 10.0, "QMMA.16832": 0.0}, ["fp8", "nvfp4"]),
        ({"QMMA.16832.F32.E4M3": 10.0}, ["nvfp4"]),
        ({"QMMA.16832.F32.E4M3": 10.0, "HMMA.16816.F32": 1.0}, ["fp8", "nvfp4"]),
        ({"IMMA.16832.S8": 10.0}, ["nvfp4"]),
        ({"OMMA.SF.16864": 10.0}, []),
        ({"FFMA": 10.0}, ["fp8", "nvfp4"]),
    ],
)
def test_narrower_operands_are_not_advised_to_narrow_ones(
    opcodes: dict[str, float], advised: list[str]
) -> None:
    assert tensor_bound(opcodes) == advised


def test_counters_tell_the_width_where_there_are_no_opcodes() -> None:
    assert tensor_bound(**{"sm__ops_path_tensor_src_fp8_dst_fp32.sum": 1e9}) == ["nvfp4"]
    assert tensor_bound(**{"sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp32.sum": 1e9}) == ["nvfp4"]
    assert tensor_bound(**{"sm__ops_path_tensor_src_bf16_dst_fp32.sum": 1e9}) == ["fp8", "nvfp4"]


def test_both_of_a_balanced_launch_are_halved() -> None:
    # FMA and DRAM at 80 %, issue at 50 %: halved, the busiest is at 40 %.
    found = analysed(
        {
            SM: 80.0,
            MEMORY: 80.0,
            FMA: 80.0,
            ISSUE: 50.0,
            DRAM: 80.0,
            f"breakdown:{SM}": f"{FMA},{ISSUE}",
            f"breakdown:{MEMORY}": DRAM,
            "gpu__time_duration.sum": 1e6,
        }
    )
    assert found.classification.verdict.label == "balanced"
    first = found.remedies[0]
    assert first.code == "less-of-both" and first.speedup_at_most == pytest.approx(2.5)
    assert first.time_s == pytest.approx(0.4e-3)
    # The same work at the busiest resource's peak: 80 % of 1 ms.
    assert found.evidence["time_at_ceiling_s"] == pytest.approx(0.8e-3)


def test_tensor_cores_gain_what_memory_leaves() -> None:
    metrics: dict[str, float | str | int] = {
        SM: 99.0,
        MEMORY: 40.0,
        FMA: 99.0,
        DRAM: 40.0,
        f"breakdown:{SM}": FMA,
        f"breakdown:{MEMORY}": DRAM,
        "device__attribute_compute_capability_major": 9,
        "device__attribute_compute_capability_minor": 0,
    }
    (remedy,) = [r for r in analysed(metrics).remedies if r.code == "tensor-cores"]
    # DRAM at 40 % would be the limit.
    assert remedy.speedup_at_most == pytest.approx(2.5) and remedy.time_s is None


def test_evidence_has_rates_and_roofs_by_precision_at_both_clocks() -> None:
    sass = "smsp__sass_thread_inst_executed_op_"
    found = analysed(
        {
            SM: 20.0,
            MEMORY: 90.0,
            "gpu__time_duration.sum": 1e6,
            **{f"{sass}f{op}_pred_on.sum": n for op, n in (("add", 1e9), ("mul", 0.0), ("fma", 2e9))},
            "sm__cycles_elapsed.avg.per_second": 1e9,
            "device__attribute_clock_rate": 2_000_000,
            "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained": 10_000.0,
            "dram__bytes.sum.peak_sustained": 1000.0,
            "dram__cycles_elapsed.avg.per_second": 2e9,
        }
    ).evidence
    # (1 + 2·2) GFLOP in 1 ms; 2·10,000 FLOP a cycle at 1 and at 2 GHz; 1,000 B at 2 GHz.
    assert found["achieved_fp32_flop_per_s"] == pytest.approx(5e12)
    assert found["peak_fp32_flop_per_s"] == pytest.approx(2e13)
    assert found["boost_peak_fp32_flop_per_s"] == pytest.approx(4e13)
    assert found["dram_roof_bytes_per_s"] == pytest.approx(2e12)
    assert found["ridge_fp32_flop_per_byte"] == pytest.approx(10.0)
    # What is unknown is left out, not 0.
    assert "achieved_fp64_flop_per_s" not in found and "boost_ridge_fp32_flop_per_byte" not in found


def ceilings(name: str = "NVIDIA Made 1") -> Ceilings:
    # A copy reaches 0.8 of the 2 TB/s of DRAM at boost, an FP32 product 0.9 of 40 TFLOP/s.
    return Ceilings("cuda", name, 1.6e12, {"fp32": 3.6e13, "bf16": 1e14}, 1, 1)


MEMORY_BOUND: dict[str, float | str | int] = {
    SM: 30.0,
    MEMORY: 72.0,
    FMA: 30.0,
    DRAM: 72.0,
    f"breakdown:{SM}": FMA,
    f"breakdown:{MEMORY}": DRAM,
    "gpu__time_duration.sum": 1e6,
    "device__attribute_clock_rate": 2_000_000,
    "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained": 10_000.0,
    # 2 · 1 GHz · 8,000 bit / 8.
    "device__attribute_memory_clock_rate": 1_000_000,
    "device__attribute_global_memory_bus_width": 8_000,
}


def test_gains_end_at_ceilings_measured_on_the_same_gpu() -> None:
    found = analysed(MEMORY_BOUND, ceilings=ceilings())
    assert found.attainable == pytest.approx({"dram": 0.8, "math": 0.9})
    # 72 % of the peak is 90 % of what a copy reaches.
    assert found.evidence["time_at_ceiling_s"] == pytest.approx(0.9e-3)
    assert found.evidence["measured_dram_ceiling_share"] == pytest.approx(0.8)
    fuse = found.remedies[0]
    # Without DRAM traffic, FMA at 30 % of peak, a third of what products reach.
    assert fuse.code == "fuse" and fuse.speedup_at_most == pytest.approx(3.0)
    assert fuse.basis == "math would be the limit, at its measured ceiling"
    plain = analysed(MEMORY_BOUND)
    assert plain.evidence["time_at_ceiling_s"] == pytest.approx(0.72e-3)
    assert plain.remedies[0].speedup_at_most == pytest.approx(100 / 30)
    assert plain.classification == found.classification


def test_a_kernel_above_the_measured_ceiling_gains_nothing_from_it() -> None:
    found = analysed({**MEMORY_BOUND, MEMORY: 90.0, DRAM: 90.0}, ceilings=ceilings())
    assert found.evidence["time_at_ceiling_s"] == pytest.approx(1e-3)


def test_a_ceiling_above_the_peak_is_the_peak() -> None:
    found = analysed({**MEMORY_BOUND, "device__attribute_global_memory_bus_width": 800}, ceilings=ceilings())
    assert found.attainable["dram"] == 1.0


def test_ceilings_of_another_gpu_are_refused() -> None:
    with pytest.raises(UsageError, match="found 'those of NVIDIA Other', expected those of NVIDIA Made 1"):
        analysed(MEMORY_BOUND, ceilings=ceilings("NVIDIA Other"))


def compute_and_dram(dram_pct: float, *, flop_per_cycle: float = 10_000.0) -> Remedy | None:
    found = analysed(
        {
            **MEMORY_BOUND,
            SM: 90.0,
            FMA: 90.0,
            MEMORY: dram_pct,
            DRAM: dram_pct,
            "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained": flop_per_cycle,
        }
    )
    return next((r for r in found.remedies if r.code == "larger-gpu"), None)


def test_a_larger_gpu_is_one_of_the_catalogue() -> None:
    # 2 · 10,000 FLOP a cycle at 2 GHz are 40 TFLOP/s; the L40S's sheet has 91.6, more than any other's.
    remedy = compute_and_dram(10.0)
    assert remedy is not None and remedy.speedup_at_most == pytest.approx(91.6 / 40, rel=1e-3)
    assert "NVIDIA L40S" in remedy.basis
    # With DRAM as busy, its 0.86 TB/s for 2 would lose; the H200 has 4.8 TB/s and 66.9 TFLOP/s.
    remedy = compute_and_dram(88.0)
    assert remedy is not None and remedy.speedup_at_most == pytest.approx(66.9 / 40, rel=1e-3)


def test_no_larger_gpu_where_none_is_known() -> None:
    assert compute_and_dram(10.0, flop_per_cycle=30_000.0) is None
