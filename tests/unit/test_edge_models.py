"""Small models: the reference, what ends in a record, and each framework that is installed."""

from __future__ import annotations

import functools
import importlib.util
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import faulty_models
import numpy as np
import psutil
import pytest
from click.testing import CliRunner
from vulkan_here import SWIFTSHADER

from bench_lib.edge import frameworks
from bench_lib.edge.frameworks import Case, adapter, all_cases
from bench_lib.edge.frameworks.availability import require_package
from bench_lib.edge.models import artefacts, decoder, measure, power, present
from bench_lib.edge.models.accuracy import TOLERANCES
from bench_lib.edge.models.commands import choose_cases, models_command
from bench_lib.edge.models.process import Failure, ModelProcess
from bench_lib.edge.models.tracked import case_names, case_run
from bench_lib.ended import scrub
from bench_lib.errors import DamagedFileError, UnavailableError, UsageError
from bench_lib.hardware import catalog, detect
from bench_lib.metrics import METRICS
from bench_lib.model import Environment, Measurement, Run

ONCE = measure.Plan(num_rounds=1, samples_a_round=2, num_warmup=0, timeout_s=120)


# The reference


def test_the_decoder_has_its_parameters() -> None:
    # 2 · 512 · 256 + 256, and a layer: 2 · 256² + 2 · 256 · 128 + 3 · 256 · 768 + 2 · 256.
    assert decoder.DECODER.num_parameters == 262_400 + 4 * 786_944 == 3_410_176


def test_one_layer_by_hand() -> None:
    # One head of two dimensions, one token: attention gives its own value back, whatever the angle.
    config = decoder.DecoderConfig(vocabulary=4, dim=2, num_layers=1, num_heads=1, num_kv_heads=1, ffn_dim=1)
    eye = np.eye(2, dtype=np.float32)
    layer = {
        "attn_norm.weight": np.ones(2, dtype=np.float32),
        "attn_q.weight": eye,
        "attn_k.weight": eye,
        "attn_v.weight": 2 * eye,
        "attn_output.weight": eye,
        "ffn_norm.weight": np.ones(2, dtype=np.float32),
        "ffn_gate.weight": np.array([[1.0, 0.0]], dtype=np.float32),
        "ffn_up.weight": np.array([[0.0, 1.0]], dtype=np.float32),
        "ffn_down.weight": np.array([[1.0], [0.0]], dtype=np.float32),
    }
    found = decoder.block_reference(np.array([[3.0, 4.0]]), layer, config)
    # RMS of (3, 4) is 5 / √2; the value is twice (3, 4) / that.
    rms = math.sqrt(12.5)
    x = np.array([3 + 6 / rms, 4 + 8 / rms])
    normed = x / math.sqrt((x[0] ** 2 + x[1] ** 2) / 2)
    gate = normed[0] / (1 + math.exp(-normed[0]))
    assert found[0] == pytest.approx([x[0] + gate * normed[1], x[1]], rel=1e-5)


def test_later_tokens_change_no_earlier_logits() -> None:
    tokens = decoder.prompt()[:6]
    whole = decoder.logits_reference(tokens)
    assert np.allclose(decoder.logits_reference(tokens[:4]), whole[:4], rtol=1e-12)
    assert not np.allclose(decoder.logits_reference((*tokens[:4], 5))[4], whole[4])


def test_only_distances_between_positions_matter() -> None:
    cos, sin = decoder.rope_table(decoder.DECODER, 12)
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, decoder.DECODER.head_dim))

    def product(at: int, other: int) -> float:
        return float(decoder._rotate(a, cos[at], sin[at]) @ decoder._rotate(b, cos[other], sin[other]))

    assert product(3, 1) == pytest.approx(product(11, 9))
    assert product(3, 1) != pytest.approx(product(3, 2))


def test_greedy_tokens_are_far_from_ties() -> None:
    found = decoder.generation()
    assert found.tokens == (164, 441, 345, 504, 496, 133, 469, 88)
    assert found.least_margin > 0.1


@pytest.mark.parametrize("tokens", [(), (512,), (-1,), tuple([1] * 65)])
def test_tokens_that_cannot_be(tokens: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="tokens: found"):
        decoder.logits_reference(tokens)


# What ends in a record


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(frameworks, "FRAMEWORKS", dict(frameworks.FRAMEWORKS))
    monkeypatch.setattr(artefacts, "FRAMEWORKS", frameworks.FRAMEWORKS)
    faulty_models.register()
    folder = str(Path(faulty_models.__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")]))
    # The digest of an artefact reads the adapter's source, which is not in the package.
    monkeypatch.setattr(artefacts, "_PACKAGE", Path(faulty_models.__file__).parent / "x")
    process = functools.partial(ModelProcess, worker="faulty_models")
    monkeypatch.setattr(artefacts, "ModelProcess", process)
    monkeypatch.setattr(measure, "ModelProcess", process)
    yield


def run_of(fault: str, cache: Path, *, timeout_s: float = 60, workload: str = "decoder") -> Run:
    case = Case(fault, "cpu", "f32", workload)  # type: ignore[arg-type]
    plan = measure.Plan(num_rounds=2, samples_a_round=3, num_warmup=1, timeout_s=timeout_s)
    (run,) = measure.measure([case], plan=plan, cache=cache)
    return run


@pytest.mark.parametrize("fault", ["none", "noisy"])
def test_a_good_one_has_every_figure(faulty: None, tmp_path: Path, fault: str) -> None:
    run = run_of(fault, tmp_path)
    assert (run.status, run.reason) == ("ok", "")
    found = {m.metric: m for m in run.measurements}
    assert set(found) == {
        *("prefill_time", "time_to_first_token", "decode_time", "prefill_time_cpu", "decode_time_cpu"),
        *("model_load_time", "first_inference_time", "output_error", "artefact_size", "peak_rss"),
    }
    assert set(found) <= set(METRICS)
    assert len(found["decode_time"].samples) == 6
    assert found["artefact_size"].samples == (7.0,)
    assert found["output_error"].samples[0] < 1e-6
    assert all(
        a <= b
        for a, b in zip(found["prefill_time"].samples, found["time_to_first_token"].samples, strict=True)
    )
    assert run.details["tokens"] == "164 441 345 504 496 133 469 88"
    assert run.details["shader_cache"] == "empty at the start"
    assert run.details["artefact_bytes"] == 7


def test_the_block_too(faulty: None, tmp_path: Path) -> None:
    run = run_of("none", tmp_path, workload="block")
    assert run.benchmark == "edge_models.Block"
    assert run.measurement("inference_latency") is not None


@pytest.mark.parametrize(
    ("fault", "status", "code", "reason"),
    [
        ("missing", "skipped", "not-installed", "pip install it"),
        ("damaged", "failed", "refused", "model: found other bytes, expected weights"),
        ("wrong", "failed", "wrong-output", "against the float64 reference, expected at most 0.0005"),
        ("nan", "failed", "wrong-output", "relative error nan"),
        ("fallback", "failed", "fell-back", "asked for cpu, and it runs on vulkan"),
        (
            "segfault",
            "failed",
            "crashed",
            "ended by SIGSEGV while loading. Its last line: about to fall at file",
        ),
        ("exit", "failed", "crashed", "ended with exit code 3 while loading"),
        ("raise", "failed", "raised", "RuntimeError: first line of file"),
        ("late nan", "failed", "wrong-output", "relative error nan"),
        ("garbled", "failed", "confused", "its answer while loading cannot be read"),
    ],
)
@pytest.mark.usefixtures("faulty")
def test_what_goes_wrong_is_a_record(tmp_path: Path, fault: str, status: str, code: str, reason: str) -> None:
    run = run_of(fault, tmp_path)
    assert run.status == status
    assert run.details["reason_code"] == code
    assert reason in run.reason
    assert "somebody" not in run.reason and "second line" not in run.reason
    assert run.measurements == ()


def test_one_that_hangs_is_ended(faulty: None, tmp_path: Path) -> None:
    before = {p.pid for p in psutil.Process().children(recursive=True)}
    run = run_of("hang", tmp_path, timeout_s=2)
    assert run.status == "timed_out" and "no answer in 2 s while loading" in run.reason
    assert {p.pid for p in psutil.Process().children(recursive=True)} <= before


def test_others_go_on_where_one_crashes(faulty: None, tmp_path: Path) -> None:
    cases = [Case(fault, "cpu", "f32") for fault in ("none", "segfault", "noisy")]
    runs = measure.measure(cases, plan=ONCE, cache=tmp_path)
    assert [r.status for r in runs] == ["ok", "failed", "ok"]
    assert len({r.session for r in runs}) == 1


def test_an_artefact_is_exported_once_and_whole(faulty: None, tmp_path: Path) -> None:
    case = Case("none", "cpu", "f32")
    first = artefacts.artefact(case, cache=tmp_path, threads=1)
    assert first.name == "model" and [p.name for p in first.parent.iterdir()] == ["model"]
    first.write_text("changed by hand")
    assert artefacts.artefact(case, cache=tmp_path, threads=1).read_text() == "changed by hand"
    assert run_of("none", tmp_path).details["reason_code"] == "refused"


def test_joules_of_packages_by_hand(tmp_path: Path) -> None:
    def write(name: str, energy: str) -> None:
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "energy_uj").write_text(energy)
        (tmp_path / name / "max_energy_range_uj").write_text("1000000\n")

    for name, energy in (("intel-rapl:0", "900000\n"), ("intel-rapl:1", "10"), ("intel-rapl:0:0", "5")):
        write(name, energy)
    write("intel-rapl:2", "no number")
    before = power.read(tmp_path)
    write("intel-rapl:0", "100000")
    write("intel-rapl:1", "40")
    write("intel-rapl:0:0", "700000")
    # The first wrapped: 0.2 J; the second took 30 µJ; a part of the first and the unreadable one count not.
    assert power.energy_j(before, power.read(tmp_path)) == pytest.approx(0.20003)
    assert power.energy_j(power.read(tmp_path / "none"), before) is None


# What is shown

ENVIRONMENT = Environment(
    commit=None, dirty=None, python="3.11", os="Linux", started="2026-12-02T00:00:00+00:00"
)


def made(framework: str, decode_s: float, *, software: bool = False) -> Run:
    return Run(
        benchmark="edge_models.Decoder",
        version="1",
        params={"case": framework},
        hardware="a-cpu",
        environment=ENVIRONMENT,
        status="ok",
        measurements=(Measurement("decode_time", (decode_s,) * 20),),
        details={
            "software_device": software,
            "framework": framework,
            "device": "vulkan" if software else "cpu",
            "precision": "f32",
        },
    )


def test_relative_to_the_fastest_of_its_kind() -> None:
    runs = [
        made("a", 2e-3),
        made("b", 1e-3),
        made("c", 0.5e-3, software=True),
        made("d", 1e-3, software=True),
    ]
    assert [present.relative(r, runs) for r in runs] == [2.0, 1.0, 1.0, 2.0]
    lines = present.as_text(runs).splitlines()
    assert [line.split()[0] for line in lines[3:]] == ["b", "a", "c", "d"]
    assert "vulkan (software)" in lines[5]


def test_percentiles_only_from_enough_samples() -> None:
    few, enough = Measurement("decode_time", (1.0,) * 19), Measurement("decode_time", tuple(range(1, 21)))
    assert present.percentile(few, 90) is None and present.percentile(few, 50) == 1.0
    # Between the 18th and 19th of 20: position 0.9 · 19 = 17.1 from 0.
    assert present.percentile(enough, 90) == pytest.approx(18.1)
    assert present.percentile(enough, 99) is None


def test_cases_are_named_the_same_everywhere() -> None:
    names = case_names("decoder") + case_names("block")
    assert len(names) == len(all_cases())
    assert "llama.cpp vulkan q4_k_m" in names and "ncnn vulkan f16" in names
    assert {c.precision for c in all_cases()} <= set(TOLERANCES)
    with pytest.raises(UsageError, match="case: found 'nosuch'"):
        case_run("decoder", "nosuch", root=Path())


@pytest.mark.parametrize(
    "wrong",
    [
        {"frameworks": ("nosuch",)},
        {"devices": ("npu",)},
        {"precisions": ("q3",)},
        {"frameworks": ("ncnn",), "workload": "decoder"},
    ],
)
def test_cases_that_do_not_exist(wrong: dict[str, tuple[str, ...]]) -> None:
    given: dict[str, object] = {"frameworks": (), "devices": (), "precisions": (), "workload": "all"}
    with pytest.raises(UsageError):
        choose_cases(**{**given, **wrong})  # type: ignore[arg-type]


# Each framework that is installed

INSTALLED = {
    "torch": "torch",
    "mlx": "mlx",
    "llama.cpp": "cyllama",
    "executorch": "executorch",
    "executorch-portable": "executorch",
    "iree": "iree.turbine",
    "ncnn": "pnnx",
}


def _is_installed(framework: str) -> bool:
    try:
        return importlib.util.find_spec(INSTALLED[framework]) is not None
    except ModuleNotFoundError:
        return False


def need(framework: str) -> None:
    if not _is_installed(framework):
        pytest.skip(f"{framework} is not installed: make frameworks")


@pytest.fixture(autouse=True)
def drivers_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    # Tests of kernels add a driver that llama.cpp refuses, and it would be the first.
    monkeypatch.delenv("VK_ADD_DRIVER_FILES", raising=False)


def test_a_device_that_llama_cpp_refuses_is_a_skip(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    need("llama.cpp")
    if not SWIFTSHADER.is_file():
        pytest.skip(f"no SwiftShader at {SWIFTSHADER}")
    monkeypatch.setenv("VK_DRIVER_FILES", str(SWIFTSHADER))
    (run,) = measure.measure([Case("llama.cpp", "vulkan", "f16")], plan=ONCE, cache=cache)
    assert (run.status, run.details["reason_code"]) == ("skipped", "unsupported-device"), run.reason


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Exports are slow: kept by content in the user's cache, as the command does.
    return artefacts.default_cache()


CPU_CASES = [c for c in all_cases() if c.device == "cpu" and (c.precision != "int8" or c.workload == "block")]


@pytest.mark.parametrize("case", CPU_CASES, ids=lambda c: f"{c.framework}-{c.precision}-{c.workload}")
def test_a_framework_is_right_on_the_processor(case: Case, cache: Path) -> None:
    need(case.framework)
    (run,) = measure.measure([case], plan=ONCE, cache=cache)
    assert run.status == "ok", run.reason
    assert run.details["device_observed"] == "cpu"
    assert run.details["threads"] == 1
    if case.workload == "decoder" and case.precision in ("f32", "f16"):
        assert run.details["tokens"] == "164 441 345 504 496 133 469 88"


VULKAN_CASES = [
    Case("llama.cpp", "vulkan", "f16"),
    Case("iree", "vulkan", "f32", "block"),
    Case("ncnn", "vulkan", "f32", "block"),
]


@pytest.mark.parametrize("case", VULKAN_CASES, ids=lambda c: c.framework)
def test_a_framework_is_right_on_vulkan(case: Case, cache: Path) -> None:
    need(case.framework)
    (run,) = measure.measure([case], plan=ONCE, cache=cache)
    if run.status == "skipped":
        pytest.skip(run.reason)
    assert run.status == "ok", run.reason
    assert run.details["device_observed"] == "vulkan"


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (Case("torch", "mps", "f32"), "not-macos"),
        (Case("mlx", "metal", "f32"), "not-macos"),
        (Case("iree", "metal", "f32", "block"), "not-macos"),
        (Case("executorch", "vulkan", "f32", "block"), "no-runtime"),
    ],
    ids=lambda x: x if isinstance(x, str) else x.framework,
)
def test_what_this_machine_cannot_run_is_a_skip(case: Case, code: str, cache: Path) -> None:
    need(case.framework)
    if os.uname().sysname == "Darwin":
        pytest.skip("a Mac can")
    (run,) = measure.measure([case], plan=ONCE, cache=cache)
    assert (run.status, run.details["reason_code"]) == ("skipped", code)


def test_a_corrupt_gguf_is_a_record(tmp_path: Path) -> None:
    need("llama.cpp")
    case = Case("llama.cpp", "cpu", "f16")
    good = artefacts.artefact(case, cache=tmp_path, threads=1)
    good.write_bytes(good.read_bytes()[: good.stat().st_size // 2])
    (run,) = measure.measure([case], plan=ONCE, cache=tmp_path)
    assert run.status == "failed" and "expected a GGUF file of the decoder" in run.reason
    assert str(tmp_path) not in run.reason


def test_an_unknown_vulkan_device_is_a_record(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    need("llama.cpp")
    monkeypatch.setenv("GGML_VK_VISIBLE_DEVICES", "7")
    (run,) = measure.measure([Case("llama.cpp", "vulkan", "f16")], plan=ONCE, cache=cache)
    assert run.status in ("skipped", "failed") and run.reason


def test_the_command_prints_json(faulty: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(measure, "default_cache", lambda: tmp_path / "cache")
    monkeypatch.setattr("bench_lib.edge.models.commands.FRAMEWORKS", frameworks.FRAMEWORKS)
    arguments = [
        "--framework",
        "none",
        "--framework",
        "segfault",
        "--rounds",
        "1",
        "--samples",
        "1",
        "--json",
    ]
    done = CliRunner().invoke(models_command, [*arguments, "--results", str(tmp_path / "results")])
    assert done.exit_code == 1, done.output
    document = json.loads(done.stdout)
    assert [m["status"] for m in document["models"]] == ["ok", "failed"]
    assert document["models"][0]["measurements"]["decode_time"]["median"] > 0
    assert len(list((tmp_path / "results").rglob("*.record"))) == 2


def test_every_adapter_names_what_installs_it() -> None:
    for name in frameworks.FRAMEWORKS:
        assert adapter(name).extra.startswith("edge-"), name


def test_a_process_that_is_asked_after_its_end_says_so(tmp_path: Path) -> None:
    from bench_lib.edge.models import protocol

    with ModelProcess(tmp_path, threads=1) as process:
        process.ask(protocol.End(), protocol.Ended, doing="ending", timeout_s=60)
        with pytest.raises(Failure, match="ended with exit code 0 while measuring"):
            process.ask(protocol.Round(1), protocol.Sampled, doing="measuring", timeout_s=60)


@pytest.mark.parametrize("module", ["nosuch_framework", "nosuch_framework.compiler", "os.nosuch"])
def test_a_package_that_is_missing_names_what_installs_it(module: str) -> None:
    with pytest.raises(UnavailableError, match=r"pip install 'bench-lib\[edge-iree\]'") as caught:
        require_package(module, extra="edge-iree")
    assert caught.value.code == "not-installed"


def test_a_host_named_like_part_of_a_word_spoils_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "vm")
    assert scrub("module.vmfb on vm: vm_verifier failed, llvm too") == (
        "module.vmfb on <host>: vm_verifier failed, llvm too"
    )


@pytest.mark.parametrize("text", [b"{", b'{"a": {"b": 1}}', b"[1]", b"\xff", b""])
def test_facts_that_are_none_are_a_damaged_file(tmp_path: Path, text: bytes) -> None:
    (tmp_path / frameworks.FACTS).write_bytes(text)
    with pytest.raises(DamagedFileError, match="an object of plain values"):
        frameworks.facts_of(tmp_path)


def test_a_damaged_artefact_says_what_to_remove(
    faulty: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("none", "cpu", "f32")
    folder = artefacts.artefact(case, cache=tmp_path, threads=1).parent
    (folder / "model").write_text("half")
    run = run_of("none", tmp_path)
    assert run.status == "failed"
    assert f"Remove {folder.name} from the cache's folder models" in run.reason

    def refuse(path: Path) -> dict[str, frameworks.Detail]:
        raise DamagedFileError("facts.json", found="{", expected="an object of plain values")

    monkeypatch.setattr(measure, "facts_of", refuse)
    run = run_of("none", tmp_path)
    assert (run.status, run.details["reason_code"]) == ("failed", "refused")
    assert f"Remove {folder.name}" in run.reason


def test_an_empty_artefact_folder_is_exported_again(faulty: None, tmp_path: Path) -> None:
    folder = artefacts.artefact(Case("none", "cpu", "f32"), cache=tmp_path, threads=1).parent
    (folder / "model").unlink()
    (folder / ".DS_Store").write_text("")
    (folder / ".DS_Store").unlink()
    assert run_of("none", tmp_path).status == "ok"
    (folder / ".DS_Store").write_text("")
    assert artefacts.artefact(Case("none", "cpu", "f32"), cache=tmp_path, threads=1).name == "model"


def test_a_cache_that_cannot_be_made_is_a_record(faulty: None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = run_of("none", tmp_path / "file")
    assert (run.status, run.details["reason_code"]) == ("failed", "no-room")
    assert "XDG_CACHE_HOME" in run.reason


def test_facts_in_the_cache_take_no_details_place(
    faulty: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "facts_of", lambda path: {"framework": "another", "dispatches": 3})
    run = run_of("none", tmp_path)
    assert (run.details["framework"], run.details["dispatches"]) == ("none", 3)


def test_many_samples_a_round_are_asked_for_in_portions(faulty: None, tmp_path: Path) -> None:
    plan = measure.Plan(num_rounds=1, samples_a_round=23, num_warmup=0, timeout_s=60)
    (run,) = measure.measure([Case("none", "cpu", "f32", "block")], plan=plan, cache=tmp_path)
    found = run.measurement("inference_latency")
    assert found is not None and len(found.samples) == 23


def test_an_emulated_device_is_the_processor(
    faulty: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = detect()
    gpu = catalog.all_hardware()[0]
    monkeypatch.setattr(measure, "detect", lambda: replace(machine, gpus=(gpu,)))
    case = Case("emulated", "vulkan", "f32", "block")
    (run,) = measure.measure([case], plan=ONCE, cache=tmp_path)
    assert (run.status, run.hardware) == ("ok", machine.processor.slug)


def test_what_a_crashed_process_started_is_ended(faulty: None, tmp_path: Path) -> None:
    run = run_of("orphan", tmp_path)
    assert run.status == "failed"
    pid = int(run.reason.rpartition("child ")[2])
    # SIGKILL is sent by now; the kernel takes its time to act on it.
    deadline = time.monotonic() + 30
    while _is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _is_alive(pid)


def _is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("timeout", ["nan", "inf", "1e300", "86401"])
def test_a_patience_that_is_none(timeout: str) -> None:
    done = CliRunner().invoke(models_command, ["--timeout", timeout])
    assert isinstance(done.exception, UsageError) and "--timeout" in str(done.exception)


@pytest.mark.parametrize(
    ("case", "threads"),
    [
        (Case("executorch", "cpu", "f32", "block"), 2),
        (Case("ncnn", "cpu", "f32", "block"), 2),
        (Case("llama.cpp", "cpu", "f16"), 2),
        (Case("torch", "cpu", "f32", "block"), 2),
        # Its device runs on the thread that calls it.
        (Case("iree", "cpu", "f32", "block"), 1),
    ],
    ids=lambda x: x.framework if isinstance(x, Case) else str(x),
)
def test_a_framework_takes_the_threads_it_is_given(case: Case, threads: int, cache: Path) -> None:
    need(case.framework)
    plan = measure.Plan(num_rounds=1, samples_a_round=1, num_warmup=0, threads=2, timeout_s=120)
    (run,) = measure.measure([case], plan=plan, cache=cache)
    assert run.status == "ok", run.reason
    assert run.details["threads"] == threads


ASKS_WHAT_LOADING_IMPORTS = """
import os
import sys
from pathlib import Path
from bench_lib.edge.frameworks import Case, adapter

case = Case(sys.argv[1], "cpu", "f32", sys.argv[2])
made = adapter(case.framework)
made.require(case)
before = {name.partition(".")[0] for name in sys.modules}
made.load(case, Path(sys.argv[3]))
print(sorted({name.partition(".")[0] for name in sys.modules} - before), flush=True)
# As the model's process does: llama.cpp falls while the interpreter takes itself down.
os._exit(0)
"""


@pytest.mark.parametrize("framework", list(INSTALLED))
def test_loading_a_model_imports_no_framework(framework: str, cache: Path) -> None:
    need(framework)
    case = next(c for c in CPU_CASES if c.framework == framework and c.precision == "f32")
    path = artefacts.artefact(case, cache=cache, threads=1)
    command = [sys.executable, "-c", ASKS_WHAT_LOADING_IMPORTS, framework, case.workload, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    newly = done.stdout.splitlines()[-1]
    packages = ("torch", "mlx", "cyllama", "executorch", "iree", "ncnn")
    assert not [name for name in packages if f"'{name}'" in newly], newly
