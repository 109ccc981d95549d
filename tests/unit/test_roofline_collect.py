"""Profiling with a scripted ncu: the command lines it is given, and what its failures become."""

from __future__ import annotations

import json
import os
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench_lib.errors import UnavailableError, UsageError
from bench_lib.roofline.collect import Request, collect, command_line, explain, find_ncu
from bench_lib.roofline.ncu_commands import ncu

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_synthetic import write_report

NCU = Path("/opt/ncu")


def line(request: Request, version: tuple[int, int] | None = (2025, 2)) -> list[str]:
    return command_line(request, ncu=NCU, version=version)


def test_full_set_is_complete_from_2025_on() -> None:
    request = Request(command=("python", "a.py", "--flag"), output=Path("out/r"))
    assert line(request) == [
        "/opt/ncu",
        "--target-processes",
        "all",
        "--clock-control",
        "base",
        "--export",
        "out/r",
        "--set",
        "full",
        "python",
        "a.py",
        "--flag",
    ]
    for version in ((2024, 3), None):
        older = line(request, version)
        metrics = older[older.index("--metrics") + 1].split(",")
        assert "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum.per_cycle_elapsed" in metrics


def test_every_filter_is_passed_on() -> None:
    request = Request(
        command=("a.out",),
        output=Path("r"),
        metric_set="verdict",
        clock_control="none",
        kernel="gemm|attn",
        nvtx_range="step",
        launch_count=3,
        launch_skip=0,
        overwrite=True,
    )
    words = line(request)
    pairs = dict(pairwise(words))
    assert pairs["--clock-control"] == "none" and pairs["--kernel-name"] == "regex:gemm|attn"
    assert pairs["--nvtx"] == "--nvtx-include" and pairs["--nvtx-include"] == "step/"
    assert pairs["--launch-count"] == "3" and pairs["--launch-skip"] == "0"
    assert "--force-overwrite" in words and "--set" not in words
    assert "breakdown:sm__throughput.avg.pct_of_peak_sustained_elapsed" in pairs["--metrics"].split(",")


def test_ranks_get_one_report_each_and_no_collectives() -> None:
    request = Request(command=("python", "a.py"), output=Path("o/r"), num_ranks=2)
    words = line(request)
    assert words[:3] == [sys.executable, "-m", "torch.distributed.run"]
    pairs = dict(pairwise(words))
    assert pairs["--nproc-per-node"] == "2" and pairs["--export"] == "o/r_rank%q{RANK}"
    assert pairs["--kernel-name"] == "regex:^(?!nccl)"
    assert words.index("--no-python") < words.index("/opt/ncu")
    assert request.reports() == [Path("o/r_rank0.ncu-rep"), Path("o/r_rank1.ncu-rep")]


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(UsageError):
        Request(command=(), output=Path("r"))
    with pytest.raises(UsageError):
        Request(command=("a",), output=Path("r"), num_ranks=0)


@pytest.mark.parametrize(
    ("output", "returncode", "code"),
    [
        ("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission", 1, "counters-not-permitted"),
        ("==ERROR== Profiling is not supported on device 0.", 1, "gpu-not-supported"),
        ("==WARNING== No kernels were profiled.", 0, "no-kernel-profiled"),
        ("==ERROR== File r.ncu-rep already exists. Use -f", 1, "report-exists"),
        ("==ERROR== The application returned an error code (11).", 1, "ncu-failed"),
        ("", 3, "ncu-failed"),
        ("cache already exists\n", 3, "ncu-failed"),
    ],
)
def test_failures_become_reasons(output: str, returncode: int, code: str) -> None:
    failure = explain(output, returncode=returncode)
    assert failure is not None and failure.code == code


def test_success_has_no_reason() -> None:
    assert explain("==PROF== Report: r.ncu-rep\n", returncode=0) is None


@pytest.fixture
def scripted_ncu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An ``ncu`` that notes its arguments, prints what $SAY holds and copies a report where told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    source = write_report(tmp_path / "source.ncu-rep")
    script = folder / "ncu"
    script.write_text(
        f"#!{sys.executable}\n"
        "import json, os, shutil, sys\n"
        "if sys.argv[1:] == ['--version']:\n"
        "    print('NVIDIA (R) Nsight Compute Command Line Profiler\\nVersion 2024.3.2.0 (build 1)')\n"
        "    sys.exit(0)\n"
        f"json.dump(sys.argv[1:], open({str(tmp_path / 'seen.json')!r}, 'w'))\n"
        "print(os.environ.get('SAY', ''))\n"
        "if not os.environ.get('SAY'):\n"
        f"    shutil.copy({str(source)!r}, sys.argv[sys.argv.index('--export') + 1] + '.ncu-rep')\n"
        "sys.exit(int(os.environ.get('RC', '0')))\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def test_run_profiles_and_classifies(scripted_ncu: Path) -> None:
    output = scripted_ncu / "new" / "r"
    done = CliRunner().invoke(
        ncu,
        ["run", "--output", str(output), "--launch-count", "2", "--", "a.out", "--launch-count", "9"],
        catch_exceptions=False,
    )
    assert done.exit_code == 0 and "dram_bound" in done.stdout
    seen = json.loads((scripted_ncu / "seen.json").read_text())
    assert seen[-3:] == ["a.out", "--launch-count", "9"]
    assert seen[seen.index("--launch-count") + 1] == "2"
    assert "--metrics" in seen  # 2024.3: FP16 is not in the full set


@pytest.mark.parametrize(
    ("said", "code"),
    [("==ERROR== ERR_NVGPUCTRPERM", "counters-not-permitted"), ("nothing to do", "report-missing")],
)
def test_run_says_why_it_failed(
    scripted_ncu: Path, monkeypatch: pytest.MonkeyPatch, said: str, code: str
) -> None:
    monkeypatch.setenv("SAY", said)
    with pytest.raises(UnavailableError) as caught:
        collect(Request(command=("a.out",), output=scripted_ncu / "r"))
    assert caught.value.code == code


def test_missing_ncu_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnavailableError, match=r"ncu-missing: .*bench-lib classify"):
        find_ncu()


def test_a_report_that_is_there_is_never_taken_for_the_new_one(
    scripted_ncu: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scripted_ncu / "r.ncu-rep").write_bytes(b"an earlier run's")
    with pytest.raises(UnavailableError, match=r"report-exists: r\.ncu-rep"):
        collect(Request(command=("a.out",), output=scripted_ncu / "r"))
    monkeypatch.setenv("SAY", "nothing written")
    with pytest.raises(UnavailableError, match="report-missing"):
        collect(Request(command=("a.out",), output=scripted_ncu / "r", overwrite=True))
    monkeypatch.delenv("SAY")
    assert collect(Request(command=("a.out",), output=scripted_ncu / "r", overwrite=True))


def test_an_output_that_cannot_be_made_is_named(scripted_ncu: Path) -> None:
    (scripted_ncu / "file").write_text("")
    with pytest.raises(UsageError, match="output"):
        collect(Request(command=("a.out",), output=scripted_ncu / "file" / "r"))


def test_percent_signs_in_a_name_stand_for_themselves(tmp_path: Path) -> None:
    request = Request(command=("a.out",), output=tmp_path / "50%p", num_ranks=2)
    words = command_line(request, ncu=Path("ncu"), version=None)
    assert words[words.index("--export") + 1] == f"{tmp_path}/50%%p_rank%q{{RANK}}"


def test_a_killed_ncu_says_so() -> None:
    reason = explain("", returncode=-9)
    assert reason is not None and "ended by signal 9" in str(reason)
