"""Results of other tools become records: every form, every version of it, and what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench_lib import results
from bench_lib.cli import cli
from bench_lib.errors import DamagedFileError, UsageError
from bench_lib.results import records
from bench_lib.results.imports.devices import agreement, target
from bench_lib.results.imports.formats import read_file
from bench_lib.results.imports.reading import Reading, plain


def read(tmp_path: Path, text: str | bytes, name: str = "out.txt") -> tuple[str, list[Reading]]:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    form, readings = read_file(path)
    return form.name, readings


def values(reading: Reading) -> dict[str, tuple[float, ...]]:
    return {m.metric: m.samples for m in reading.measurements}


# llama-bench

ROW = {
    "build_commit": "0abc1234",
    "build_number": 6123,
    "cpu_info": "Some CPU",
    "gpu_info": "NVIDIA GeForce RTX 4090",
    "backends": "CUDA",
    "model_filename": "/home/somebody/models/tiny-q4_0.gguf",
    "model_type": "llama 1B Q4_0",
    "model_size": 700000000,
    "n_batch": 2048,
    "n_ubatch": 512,
    "n_threads": 8,
    "type_k": "f16",
    "type_v": "f16",
    "n_gpu_layers": 99,
    "flash_attn": True,
    "n_prompt": 512,
    "n_gen": 0,
    "n_depth": 0,
    "test_time": "2026-05-01T10:00:00Z",
    "avg_ns": 200000000,
    "stddev_ns": 1000,
    "avg_ts": 2560.0,
    "stddev_ts": 10.0,
    "samples_ns": [200000000, 210000000],
    "samples_ts": [2560.0, 2438.1],
}
DECODE = {**ROW, "n_prompt": 0, "n_gen": 128, "avg_ts": 150.0, "samples_ts": [151.0, 149.0]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([ROW, DECODE], indent=2),
        "ggml_cuda_init: found 1 CUDA devices:\n  Device 0: NVIDIA GeForce RTX 4090\n"
        + json.dumps([ROW, DECODE]),
        json.dumps(ROW) + "\n" + json.dumps(DECODE) + "\n",
        ("﻿" + json.dumps([ROW, DECODE])).encode("utf-8"),
        json.dumps([ROW, DECODE]).replace("\n", "\r\n").encode("utf-16"),
    ],
    ids=["json", "json after a log", "jsonl", "byte order mark", "redirected by PowerShell"],
)
def test_llama_bench_json_keeps_samples(tmp_path: Path, text: str | bytes) -> None:
    name, (prefill, decode) = read(tmp_path, text)
    assert name == "llama-bench JSON"
    assert values(prefill) == {"prefill_tokens_per_s": (2560.0, 2438.1)}
    assert values(decode) == {"decode_tokens_per_s": (151.0, 149.0)}
    assert prefill.params["model"] == "llama 1B Q4_0"
    assert (prefill.params["n_prompt"], prefill.params["backend"]) == (512, "CUDA")
    assert prefill.device == "NVIDIA GeForce RTX 4090"
    assert prefill.details["build_commit"] == "0abc1234"
    assert prefill.details["model_filename"] == "tiny-q4_0.gguf"
    assert prefill.started == "2026-05-01T10:00:00Z"


def test_llama_bench_tolerates_new_columns_and_old_ones(tmp_path: Path) -> None:
    old = {k: v for k, v in ROW.items() if k not in ("backends", "n_depth", "flash_attn", "n_ubatch")}
    _, (new_row,) = read(tmp_path, json.dumps([{**ROW, "moe_cache": "auto"}]))
    _, (old_row,) = read(tmp_path, json.dumps([{**old, "metal": False, "cuda": True, "gpu_blas": True}]))
    assert new_row.details["moe_cache"] == "auto"
    assert "moe_cache" not in new_row.params
    assert old_row.params["backend"] == "CUDA"
    assert old_row.params["n_depth"] == 0


def test_llama_bench_on_a_cpu_names_the_cpu(tmp_path: Path) -> None:
    _, (row,) = read(tmp_path, json.dumps([{**ROW, "backends": "CPU", "gpu_info": ""}]))
    assert row.device == "Some CPU"


def test_llama_bench_csv_has_the_mean_only(tmp_path: Path) -> None:
    row = {k: v for k, v in DECODE.items() if not k.startswith("samples")}
    text = ",".join(row) + "\n" + ",".join(f'"{v}"' for v in row.values()) + "\n"
    name, (reading,) = read(tmp_path, "log line\n" + text)
    assert name == "llama-bench CSV"
    assert values(reading) == {"decode_tokens_per_s": (150.0,)}
    assert reading.details["has_samples"] is False
    assert reading.params["n_gpu_layers"] == 99


TABLE = """\
ggml_metal_device_init: GPU name:   Apple M2 Pro
| model                | size     | params | backend | threads | fa | test           |           t/s |
| -------------------- | -------: | -----: | ------- | ------: | -: | -------------: | ------------: |
| llama 1B Q4_0        | 0.65 GiB | 1.10 B | Metal   |       8 |  1 |          pp512 | 1234.50 ± 6.7 |
| llama 1B Q4_0        | 0.65 GiB | 1.10 B | Metal   |       8 |  1 |  tg 128 @ d256 |  98.70 ± 0.12 |
| llama 1B Q4_0        | 0.65 GiB | 1.10 B | Metal   |       8 |  1 | pp512+tg128    |  300.25 ± 1.5 |

build: 0abc1234 (6123)
"""


def test_llama_bench_table_as_people_paste_it(tmp_path: Path) -> None:
    name, rows = read(tmp_path, "On my laptop:\n\n" + TABLE + "\nNot bad.")
    assert name == "llama-bench Markdown"
    assert [values(r) for r in rows] == [
        {"prefill_tokens_per_s": (1234.5,)},
        {"decode_tokens_per_s": (98.7,)},
        {"mixed_tokens_per_s": (300.25,)},
    ]
    assert rows[1].params["n_depth"] == 256
    assert rows[0].params["flash_attn"] == 1 and rows[0].params["n_threads"] == 8
    assert {r.device for r in rows} == {"Apple M2 Pro"}
    assert rows[0].details["build_number"] == 6123
    assert rows[0].details["stddev_ts"] == 6.7


def test_llama_bench_table_of_an_early_build(tmp_path: Path) -> None:
    text = """\
| model | backend | ngl | test | t/s |
| ----- | ------- | --: | ---- | --: |
| llama 7B mostly Q4_0 | CUDA | 99 | pp 512 | 2368.80 ± 93.24 |
"""
    _, (row,) = read(tmp_path, text)
    assert row.params["n_gpu_layers"] == 99
    assert row.device == ""


# test-backend-ops

OPS = """\
ggml_vulkan: Found 1 Vulkan devices:
Testing 2 devices

Backend 1/2: Vulkan0
  Device description: AMD Radeon RX 9070 XT
  Device memory: 16304 MB (16238 MB free)

  MUL_MAT(type_a=f16,m=64):    4260 runs - 250.00 us/run - 117.44 MFLOP/run - \x1b[1;34m469.76 GFLOPS\x1b[0m
  ADD(type=f32,ne=[64,1,1,1],nr=[1,1,1,1]):    100 runs -     2.00 us/run -       48 kB/run -    4.00 GB/s
  SOFT_MAX(type=f32,ne=[77,4,5,1],mask=0):   59928 runs -    17.33 us/run -  678.14 GB/s
  MUL_MAT(type_a=bf16,type_b=f32,m=64,n=1): not supported
  Backend Vulkan0: OK
Backend 2/2: CPU
  Skipping CPU backend
2/2 backends passed
"""


def test_backend_ops_text(tmp_path: Path) -> None:
    name, rows = read(tmp_path, OPS)
    assert name == "test-backend-ops text"
    product, add, softmax, refused = rows
    assert values(product) == {"run_time": (250e-6,), "flop_per_s": (469.76e9,)}
    assert product.measurements[0].number == 4260
    assert values(add)["bytes_per_s"] == (4.0 * 1024**3,)
    assert values(softmax)["bytes_per_s"] == (678.14 * 1024**3,)
    assert (refused.status, refused.reason) == ("skipped", "not-supported")
    assert product.params["op"] == "MUL_MAT" and product.params["backend"] == "Vulkan"
    assert {r.device for r in rows} == {"AMD Radeon RX 9070 XT"}


def test_backend_ops_csv_with_times(tmp_path: Path) -> None:
    text = (
        '"test_time","backend_name","op_name","op_params","test_mode","supported","error_message",'
        '"time_us","flops","bandwidth_gb_s","n_runs","device_description","novel"\n'
        '"2026-05-01T10:00:00Z","CUDA0","MUL_MAT","type_a=f16,m=64","perf","1","","10.5","2e12","0","300",'
        '"NVIDIA L4","x"\n'
        '"2026-05-01T10:00:01Z","CUDA0","ADD","type=f32","perf","0","","0","0","0","0","NVIDIA L4",""\n'
        '"2026-05-01T10:00:01Z","CUDA0","DIV","type=f32","perf","1","compute failed","0","0","0","0",'
        '"NVIDIA L4",""\n'
    )
    _, (product, skipped, failed) = read(tmp_path, text)
    assert values(product) == {"run_time": (10.5e-6,), "flop_per_s": (2e12,)}
    assert product.measurements[0].number == 300
    assert product.details["novel"] == "x"
    assert skipped.status == "skipped"
    assert (failed.status, failed.reason) == ("failed", "compute failed")


def test_backend_ops_csv_without_times_says_what_to_do(tmp_path: Path) -> None:
    text = '"backend_name","op_name","op_params","test_mode","supported"\n"CPU","ADD","type=f32","perf","1"\n'
    with pytest.raises(DamagedFileError, match="time_us"):
        read(tmp_path, text)


# Google Benchmark, iree-benchmark-module, uVkCompute


def google(*benchmarks: dict[str, object], executable: str = "/home/somebody/bench") -> str:
    context = {
        "date": "2026-05-01T12:00:00+02:00",
        "host_name": "secret",
        "executable": executable,
        "num_cpus": 8,
    }
    return json.dumps({"context": context, "benchmarks": list(benchmarks)})


def iteration(name: str, time: float, **more: object) -> dict[str, object]:
    return {
        "name": name, "run_name": name, "run_type": "iteration", "iterations": 50, "threads": 1,
        "real_time": time, "cpu_time": time / 2, "time_unit": "ms", **more,
    }  # fmt: skip


def test_google_benchmark_repetitions_are_samples(tmp_path: Path) -> None:
    mean = {
        "name": "BM_f_mean",
        "run_name": "BM_f",
        "run_type": "aggregate",
        "aggregate_name": "mean",
        "real_time": 9,
    }
    name, (row,) = read(
        tmp_path,
        google(iteration("BM_f", 2.0, FLOps=1e9, cv=3.0), iteration("BM_f", 4.0, FLOps=2e9, cv=4.0), mean),
    )
    assert name == "Google Benchmark JSON"
    assert row.benchmark == "google_benchmark"
    assert values(row) == {
        "run_time": (2e-3, 4e-3),
        "run_cpu_time": (1e-3, 2e-3),
        "flop_per_s": (1e9, 2e9),
    }
    assert row.details["cv"] == 3.0
    assert row.details["executable"] == "bench"
    assert "secret" not in json.dumps(dict(row.details))


def test_google_benchmark_aggregates_only(tmp_path: Path) -> None:
    rows = [
        {**iteration("BM_f", t), "name": f"BM_f_{kind}", "run_type": "aggregate", "aggregate_name": kind}
        for kind, t in (("mean", 5.0), ("median", 4.0), ("stddev", 1.0))
    ]
    _, (row,) = read(tmp_path, google(*rows))
    assert values(row)["run_time"] == (4e-3,)
    assert row.details["has_samples"] is False


def test_google_benchmark_errors_and_skips(tmp_path: Path) -> None:
    _, (failed, skipped) = read(
        tmp_path,
        google(
            iteration("BM_a", 0.0, error_occurred=True, error_message="no device"),
            iteration("BM_b", 0.0, skipped="SKIPPED", skip_message="not here"),
        ),
    )
    assert (failed.status, failed.reason) == ("failed", "no device")
    assert (skipped.status, skipped.reason) == ("skipped", "not here")


def test_iree_and_uvkcompute_are_told_apart(tmp_path: Path) -> None:
    _, (iree,) = read(tmp_path, google(iteration("BM_main/process_time/real_time", 1.0)))
    assert iree.benchmark == "iree_benchmark_module"
    _, (uvk,) = read(
        tmp_path, google(iteration("Adreno (TM) 740/Matmul[64x64x64]/fp32->fp32/manual_time", 1.0, FLOps=5e9))
    )
    assert (uvk.benchmark, uvk.device) == ("uvkcompute", "Adreno (TM) 740")
    assert uvk.params["case"] == "Matmul[64x64x64]/fp32->fp32/manual_time"


# vkpeak

PEAKS = """\
device       = Apple M4 Pro

fp32-scalar  = 7894.86 GFLOPS
fp16-matrix  = 0.00 GFLOPS

int8-dotprod = 28286.09 GIOPS

copy-d2d     = 190.70 GBPS
"""


def test_vkpeak(tmp_path: Path) -> None:
    name, rows = read(tmp_path, PEAKS)
    assert name == "vkpeak text"
    assert [values(r) for r in rows] == [
        {"flop_per_s": (7894.86e9,)},
        {},
        {"op_per_s": (28286.09e9,)},
        {"bytes_per_s": (190.70e9,)},
    ]
    assert (rows[1].status, rows[1].reason) == ("skipped", "not-supported")
    assert {r.device for r in rows} == {"Apple M4 Pro"}


# clpeak

CLPEAK = """\

Platform: QUALCOMM Snapdragon(TM)
  Device: QUALCOMM Adreno(TM)
    Driver version  : OpenCL 2.0 build: commit 6ff Date: 09/23/16 (Android)
    Compute units   : 4
    Clock frequency : 1 MHz

    Global memory bandwidth (GBPS)
      float   : 15.28
      float16 : 20.43

    half-precision compute (GFLOPS)
      half   : 260.10

    No double precision support! Skipped

    Integer compute (GIOPS)
      int   : clEnqueueNDRangeKernel (-54)
      Tests skipped

    Transfer bandwidth (GBPS)
      enqueueWriteBuffer         : 18.17
      enqueueMapBuffer(for read) : 0.00
        memcpy from mapped ptr   : inf
      enqueueUnmap(after write)  : -- (zero-copy)

    Kernel launch latency : 296.08 us
"""


def test_clpeak_text_of_version_1(tmp_path: Path) -> None:
    name, rows = read(tmp_path, CLPEAK)
    assert name == "clpeak text"
    by_test = {(r.params["test"], r.params["reading"]): r for r in rows}
    assert values(by_test["global_memory_bandwidth", "float16"]) == {"bytes_per_s": (20.43e9,)}
    assert values(by_test["half_precision_compute", "half"]) == {"flop_per_s": (260.10e9,)}
    assert by_test["double_precision_compute", ""].reason == "not-supported"
    assert by_test["integer_compute", "int"].reason == "clEnqueueNDRangeKernel (-54)"
    assert by_test["transfer_bandwidth", "memcpy_from_mapped_ptr"].status == "skipped"
    assert by_test["transfer_bandwidth", "enqueueunmap_after_write"].reason == "-- (zero-copy)"
    assert values(by_test["kernel_launch_latency", ""]) == {"launch_latency": (pytest.approx(296.08e-6),)}
    assert {r.device for r in rows} == {"QUALCOMM Adreno(TM)"}
    assert {r.params["backend"] for r in rows} == {"OpenCL"}
    assert "build: commit" in str(rows[0].details["driver_version"])


def test_clpeak_text_of_version_3(tmp_path: Path) -> None:
    text = """\
Backend: CUDA
  Device 0: NVIDIA L4
    Tensor cores (WMMA / mma.sync)
      fp16     : 42.6 TFLOPS
      int8     : 84.7 TOPS
    Global memory bandwidth
      float4   : 420 GB/s
    Kernel launch latency
      roundtrip : 6.68 us
"""
    _, rows = read(tmp_path, text)
    assert [values(r) for r in rows] == [
        {"flop_per_s": (42.6e12,)},
        {"op_per_s": (84.7e12,)},
        {"bytes_per_s": (420e9,)},
        {"launch_latency": (pytest.approx(6.68e-6),)},
    ]
    assert rows[0].params == {"backend": "CUDA", "test": "tensor_cores", "reading": "fp16"}


XML_1 = """\
<?xml version="1.0" encoding="UTF-8"?>
<clpeak os="Linux x64">
 <platform name="Some CL"><device name="Mali-G78" driver_version="3.0">
  <global_memory_bandwidth unit="gbps"><float>20.5</float></global_memory_bandwidth>
  <kernel_launch_latency unit="us">35.5</kernel_launch_latency>
 </device></platform>
</clpeak>
"""
XML_2 = """\
<?xml version="1.0" encoding="utf-8"?>
<clpeak format_version="2" clpeak_version="2.0.9" os="Macintosh">
  <run backend="Metal" platform="Metal" device="Apple M1 Pro" driver="macOS 26.5">
    <category name="fp_compute">
      <test name="simdgroup_matrix_fp16" unit="tflops"><metric name="simdgroup_fp16">15.8</metric></test>
      <test name="simdgroup_matrix_bf16" unit="tflops">
        <metric name="simdgroup_bf16" status="unsupported" reason="needs an M3"/>
      </test>
    </category>
  </run>
</clpeak>
"""


def test_clpeak_xml_of_both_versions(tmp_path: Path) -> None:
    _, (bandwidth, latency) = read(tmp_path, XML_1)
    assert values(bandwidth) == {"bytes_per_s": (20.5e9,)}
    assert values(latency) == {"launch_latency": (35.5e-6,)}
    assert bandwidth.device == "Mali-G78"
    _, (matrix, refused) = read(tmp_path, XML_2)
    assert values(matrix) == {"flop_per_s": (15.8e12,)}
    assert matrix.params == {"backend": "Metal", "test": "simdgroup_matrix_fp16", "reading": "simdgroup_fp16"}
    assert refused.reason == "needs an M3"
    assert matrix.details["clpeak_version"] == "2.0.9"


def test_clpeak_xml_with_entities_is_refused(tmp_path: Path) -> None:
    bomb = XML_1.replace("<clpeak os", '<!DOCTYPE clpeak [<!ENTITY a "aaaa">]><clpeak os')
    with pytest.raises(DamagedFileError, match="document type"):
        read(tmp_path, bomb)


RUN = {
    "schema": "clpeak/run",
    "format_version": 3,
    "clpeak_version": "3.0.0",
    "generated_at": "2026-10-01T15:13:11Z",
    "host": {"os": "Macintosh", "os_version": "27.0"},
    "invocation": {"argv": ["/Users/somebody/clpeak"]},
    "devices": [
        {
            "backend": "Metal",
            "platform": "Metal",
            "name": "Apple M1 Pro",
            "driver": "macOS 27.0",
            "tests": [
                {
                    "id": "single_precision_compute",
                    "unit": "FLOPS",
                    "metrics": [
                        {"id": "float", "value": 4.5e12},
                        {"id": "float2", "status": "error", "reason": "lost"},
                    ],
                },
                {
                    "id": "kernel_launch_latency",
                    "unit": "s",
                    "metrics": [{"id": "dispatch", "value": 6.5e-6}],
                },
                {"id": "novel", "unit": "frobs/s", "metrics": [{"id": "a", "value": 1.0}]},
            ],
        }
    ],
}


def test_clpeak_json_of_version_3(tmp_path: Path) -> None:
    _, rows = read(tmp_path, json.dumps(RUN))
    assert [(values(r), r.status) for r in rows] == [
        ({"flop_per_s": (4.5e12,)}, "ok"),
        ({}, "failed"),
        ({"launch_latency": (6.5e-6,)}, "ok"),
        ({}, "skipped"),
    ]
    assert rows[3].reason == "unknown unit frobs/s"
    assert "somebody" not in repr(rows)


# Damage


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps([ROW, DECODE])[:-40], "cut short"),
        (json.dumps(ROW) + "\n" + json.dumps(DECODE)[:-20], "line 2"),
        (json.dumps([{k: v for k, v in ROW.items() if k != "n_gen"}, ROW]), "no n_gen in entry 1"),
        (json.dumps([{**ROW, "samples_ts": ["fast"]}]), "a number"),
        (json.dumps([{**ROW, "samples_ts": [float("nan")]}]), "a number"),
        (TABLE.replace("1234.50 ± 6.7", "fast"), "120.60"),
        (TABLE.replace("|          pp512 |", "|"), "cells on line"),
        (OPS[: OPS.index("us/run - 117")], "cut short"),
        (google(iteration("BM_f", 1.0, time_unit="fortnight")), "time_unit"),
        (google(iteration("BM_f", 1.0))[:-10], "cut short"),
        (PEAKS.replace("7894.86", "lots"), "a number"),
        (PEAKS.replace("7894.86 GFLOPS", "7894.86"), "GFLOPS"),
        (CLPEAK[: CLPEAK.index(" 296.08")], "cut short"),
        (XML_2[:400], "cut short"),
        (XML_2.replace("15.8", "many"), "a number"),
        (json.dumps(RUN)[:-3], "cut short"),
        ("", "empty"),
        ("   \n", "empty"),
        (b"\x00\xff\xfe\x80", "no text"),
        ("hello world", "hello world"),
        ('{"a": 1}', "the output of"),
    ],
)
def test_a_damaged_or_foreign_file_is_one_error(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(DamagedFileError, match=message) as caught:
        read(tmp_path, text)
    assert "\n" not in str(caught.value)


def test_hostile_texts_are_made_plain(tmp_path: Path) -> None:
    nasty = "<script>alert(1)</script>\x1b[31m\u202e" + "x" * 10_000
    _, (row,) = read(tmp_path, json.dumps([{**ROW, "model_type": nasty, "note": nasty}]))
    assert "\x1b" not in str(row.params["model"]) and "\u202e" not in str(row.params["model"])
    assert len(str(row.details["note"])) < 600


# Devices


@pytest.mark.parametrize(
    ("device", "slug", "expected"),
    [
        ("NVIDIA GeForce RTX 4090", "nvidia-geforce-rtx-4090", "same"),
        ("NVIDIA H100 80GB HBM3", "nvidia-h100-sxm", "same"),
        ("NVIDIA L4", "nvidia-geforce-rtx-4090", "contradicts"),
        ("NVIDIA L4", "my-box", "contradicts"),
        ("NVIDIA L4, NVIDIA GeForce RTX 4090", "nvidia-l4", "same"),
        ("Apple M1 Pro", "apple-m2-max", "contradicts"),
        ("Apple M2 Pro", "apple-m2-pro-19-core-gpu", "same"),
        ("Adreno (TM) 740", "qualcomm-adreno-750", "contradicts"),
        ("Adreno (TM) 740", "samsung-galaxy-s23", "unknown"),
        ("", "samsung-galaxy-s23", "unknown"),
        ("AMD Radeon RX 9070 XT (RADV GFX1201)", "amd-radeon-rx-9070-xt", "same"),
    ],
)
def test_a_files_device_and_the_named_hardware(device: str, slug: str, expected: str) -> None:
    assert agreement(device, target(slug)) == expected


@pytest.mark.parametrize("name", ["", "My Phone", "../x", "a" * 101, "Ünïcode"])
def test_hardware_that_is_no_slug_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="--hardware"):
        target(name)


# The command


@pytest.fixture
def run(tmp_path: Path):
    def call(*arguments: str, ok: bool = True) -> str:
        done = CliRunner().invoke(cli, ["import", "--results", str(tmp_path / "results"), *arguments])
        if ok:
            assert done.exception is None, done.output
            return done.output
        assert done.exception is not None
        return str(done.exception)

    return call


def write(tmp_path: Path, name: str, text: str) -> str:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return str(tmp_path / name)


def stored(tmp_path: Path) -> list:
    return list(records.load(tmp_path / "results").runs)


def test_imports_are_records_that_say_so(tmp_path: Path, run) -> None:
    path = write(tmp_path, "bench.json", json.dumps([ROW, DECODE]))
    output = run(path, "--hardware", "NVIDIA GeForce RTX 4090", "--source", "https://example.org/bench")
    assert "2 values" in output and "2 records written" in output
    first, _ = sorted(stored(tmp_path), key=lambda r: r.measurements[0].metric, reverse=True)
    assert (first.origin, first.hardware) == ("imported", "nvidia-geforce-rtx-4090")
    assert first.details["source"] == "https://example.org/bench"
    assert first.details["device_matches"] is True
    assert first.environment.started == "2026-05-01T10:00:00+00:00"
    assert str(tmp_path) not in records.to_json(first)
    frame = results.load(tmp_path / "results")
    assert set(frame["benchmark"]) == {
        "llama_bench.track_prefill_tokens_per_s",
        "llama_bench.track_decode_tokens_per_s",
    }
    assert set(frame["origin"]) == {"imported"}
    assert set(frame["environment"]) == {"llama_bench-6123"}
    assert list(frame[frame["metric"] == "decode_tokens_per_s"]["value"]) == [150.0]


def test_the_same_file_twice_does_not_double(tmp_path: Path, run) -> None:
    path = write(tmp_path, "bench.json", json.dumps([ROW, DECODE]))
    grown = write(tmp_path, "grown.json", json.dumps([ROW, DECODE, {**ROW, "n_prompt": 1024}]))
    run(path, "--hardware", "nvidia-geforce-rtx-4090")
    assert "0 records written" in run(path, path, "--hardware", "nvidia-geforce-rtx-4090")
    assert "1 records written" in run(grown, "--hardware", "nvidia-geforce-rtx-4090")
    assert len(stored(tmp_path)) == 3


def test_repeated_rows_of_one_file_become_samples(tmp_path: Path, run) -> None:
    again = TABLE.replace(
        "build:", "| llama 1B Q4_0 | 0.65 GiB | 1.10 B | Metal | 8 | 1 | pp512 | 1300.00 ± 1 |\nbuild:"
    )
    again = again.replace("1.5 |\n\n", "1.5 |\n")
    path = write(tmp_path, "table.md", again)
    run(path, "--hardware", "apple-m2-pro")
    (prefill,) = [r for r in stored(tmp_path) if r.measurement("prefill_tokens_per_s")]
    assert prefill.measurement("prefill_tokens_per_s").samples == (1234.5, 1300.0)


def test_one_bad_file_of_several_writes_nothing(tmp_path: Path, run) -> None:
    good = write(tmp_path, "good.json", json.dumps([ROW]))
    bad = write(tmp_path, "bad.json", json.dumps([ROW])[:-5])
    assert "bad.json" in run(good, bad, "--hardware", "nvidia-geforce-rtx-4090", ok=False)
    assert not (tmp_path / "results").exists()


def test_another_device_is_refused_or_marked(tmp_path: Path, run) -> None:
    path = write(tmp_path, "bench.json", json.dumps([ROW]))
    message = run(path, "--hardware", "nvidia-l4", ok=False)
    assert "NVIDIA GeForce RTX 4090" in message and "--keep-mismatch" in message
    run(path, "--hardware", "nvidia-l4", "--keep-mismatch")
    assert stored(tmp_path)[0].details["device_matches"] is False


def test_a_file_with_several_devices_needs_a_choice(tmp_path: Path, run) -> None:
    both = json.dumps(
        {**RUN, "devices": [*RUN["devices"], {**RUN["devices"][0], "name": "Apple Neural Engine"}]}
    )
    path = write(tmp_path, "run.json", both)
    assert "4 of other devices left out" in run(path, "--hardware", "apple-m1-pro")
    message = run(path, "--hardware", "some-laptop", ok=False)
    assert "Apple Neural Engine" in message and "--device" in message
    run(path, "--hardware", "apple-neural-engine-m1", "--device", "apple neural engine")
    assert "'CPU'" not in run(path, "--hardware", "apple-m1-pro", "--device", "nonsense", ok=False)


def test_a_missing_file_is_one_error(tmp_path: Path, run) -> None:
    assert "no-such" in run(str(tmp_path / "no-such.json"), "--hardware", "nvidia-l4", ok=False)


def test_imported_rows_are_found_and_compared(tmp_path: Path, run) -> None:
    path = write(tmp_path, "bench.json", json.dumps([DECODE]))
    slow = write(
        tmp_path, "slow.json", json.dumps([{**DECODE, "gpu_info": "NVIDIA L4", "samples_ts": [50.0, 51.0]}])
    )
    run(path, "--hardware", "nvidia-geforce-rtx-4090")
    run(slow, "--hardware", "nvidia-l4")
    folder = str(tmp_path / "results")
    found = CliRunner().invoke(cli, ["lookup", "llama_bench", "--results", folder])
    assert "imported" in found.output and "150 token/s" in found.output
    compared = CliRunner().invoke(
        cli, ["compare", "nvidia-geforce-rtx-4090", "nvidia-l4", "--results", folder]
    )
    assert compared.exit_code == 0 and "decode" in compared.output
    hardware = CliRunner().invoke(cli, ["hardware", "nvidia-l4", "--results", folder])
    assert hardware.exit_code == 0


@pytest.mark.parametrize("digits", [400, 5000])
@pytest.mark.parametrize("key", ["n_prompt", "samples_ts"])
def test_an_integer_of_any_length_is_a_damaged_file(tmp_path: Path, key: str, digits: int) -> None:
    row = {"build_commit": "a", "build_number": 1, "backends": "CPU", "model_type": "l", "n_gen": 0}
    row |= {"n_prompt": 32, "avg_ts": 1.0, "samples_ts": [1.0], "model_filename": "m.gguf"}
    number = "1" * digits
    text = json.dumps([{**row, key: "HERE"}]).replace(
        '"HERE"', f"[{number}]" if key == "samples_ts" else number
    )
    with pytest.raises(DamagedFileError) as caught:
        read(tmp_path, text)
    assert len(str(caught.value)) < 600


def test_an_integer_that_no_record_holds_is_kept_as_text() -> None:
    assert plain(2**63 - 1) == 2**63 - 1
    assert plain(10**20) == "1" + "0" * 20
    assert plain(True) is True
