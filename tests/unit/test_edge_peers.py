"""Comparison with other frameworks: which chains count, what is a skip, and how the ratios are made."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bench_lib.errors import DeviceError

FOLDER = Path(__file__).parents[2] / "benchmarks" / "peers"
DISTRIBUTIONS = {
    "ncnn_chain": "ncnn",
    "iree_chain": "iree-base-compiler",
    "llama_cpp_chain": "cyllama-vulkan",
}


def load(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A program of the folder as a module; they find one another by the folder that they lie in."""
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


def served(
    chains: ModuleType, capsys: pytest.CaptureFixture[str], read: Callable[[int], Any]
) -> list[dict[str, Any]]:
    """What a program that answers with ``read`` prints."""
    calls: dict[int, Callable[[], object]] = {n: lambda: None for n in (chains.SHORT, chains.LONG)}
    try:
        chains.serve(chains.work("gemm", 3, 4), calls, read, "device")
    except SystemExit as end:
        assert not end.code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("op", ["gemm", "gemv", "rmsnorm"])
def test_a_chain_of_two_is_a_link_of_a_link(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chains = load("chains", monkeypatch)
    once = chains.work(op, 2, 3)
    again = chains.Work(op, once.result(1), once.weight)
    np.testing.assert_allclose(once.result(2), again.result(1), rtol=1e-15)


def test_one_link_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    chains = load("chains", monkeypatch)
    x, weight = np.array([[3.0, 4.0]]), np.array([[1.0, 0.0], [2.0, 1.0]])
    assert chains.Work("gemv", x, weight).result(1).tolist() == [[3.0, 10.0]]
    norm = chains.Work("rmsnorm", x, np.array([1.0, 2.0])).result(1)
    np.testing.assert_allclose(norm, [[3 / 12.500001**0.5, 8 / 12.500001**0.5]], rtol=1e-15)


def test_the_time_of_a_link_is_the_difference_of_the_chains(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chains = load("chains", monkeypatch)
    work = chains.work("gemm", 3, 4)
    # A chain of one takes 3 s of the processor, one of five 11 s: 2 s a link. On the clock 1 s and 5 s.
    monkeypatch.setattr(chains.time, "process_time", iter([0.0, 3.0, 10.0, 21.0]).__next__)
    monkeypatch.setattr(chains.time, "perf_counter", iter([0.0, 1.0, 2.0, 7.0]).__next__)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    ready, sample = served(chains, capsys, work.result)
    assert ready == {"device": "device", "error": 0.0}
    assert sample == {"cpu_s": 2.0, "wall_s": 1.0}


@pytest.mark.parametrize("wrong", ["rounded to float16", "left out", "NaN"])
def test_a_wrong_result_is_never_timed(
    wrong: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chains = load("chains", monkeypatch)
    work = chains.work("gemm", 3, 4)
    reads: dict[str, Callable[[int], Any]] = {
        "rounded to float16": lambda n: work.result(n).astype(np.float16).astype(np.float64),
        # The long chain stops after the first link.
        "left out": lambda n: work.result(1),
        "NaN": lambda n: work.result(n) * np.nan,
    }
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    (answer,) = served(chains, capsys, reads[wrong])
    assert "off by" in answer["skip"]


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_a_framework_that_is_not_installed_is_a_skip(name: str) -> None:
    # Hidden, as some may be installed here.
    numpy = Path(np.__file__).parents[1]
    program = (
        "import sys, runpy, importlib.metadata, importlib.abc\n"
        "class Hidden(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('ncnn', 'iree'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "def files(name):\n"
        "    raise importlib.metadata.PackageNotFoundError(name)\n"
        "importlib.metadata.files = files\n"
        "sys.meta_path.insert(0, Hidden())\n"
        f"sys.path[:0] = [{str(FOLDER)!r}, {str(numpy)!r}]\n"
        "sys.argv = ['program', 'gemm', 'fp32', '4', '4', 'no such device']\n"
        f"runpy.run_path({str(FOLDER / name)!r} + '.py', run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["skip"].startswith("not installed: pip install ")
    assert DISTRIBUTIONS[name] in done.stdout


@pytest.mark.parametrize(("dtype", "most"), [("int8", 127), ("int4", 7)])
def test_blocks_have_a_scale_every_32_columns(dtype: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chains = load("chains", monkeypatch)
    weight = np.zeros((1, 64), np.float32)
    weight[0, :3] = (most, -most, 2.4)
    weight[0, 33] = most / 4
    levels, scales = chains.blocks(weight, dtype)
    assert levels.shape == (1, 2, 32) and scales.tolist() == [[1.0, 0.25]]
    assert levels[0, 0, :4].tolist() == [most, -most, 2, 0] and levels[0, 1, :3].tolist() == [0, most, 0]
    # A block of zeros has nothing to divide by.
    assert not chains.blocks(np.zeros((1, 32), np.float32), dtype)[0].any()


def test_stored_numbers_are_those_of_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    chains = load("chains", monkeypatch)
    half = chains.work("gemv", 1, 64, "fp16")
    assert all((array == array.astype(np.float16)).all() for array in (half.x, half.weight))
    for dtype in ("int8", "int4"):
        made = chains.work("gemv", 1, 64, dtype)
        exact = chains.work("gemv", 1, 64).weight
        levels, scales = chains.blocks(exact, dtype)
        wanted = levels * scales.astype(np.float64)[..., None]
        np.testing.assert_allclose(made.weight.reshape(wanted.shape), wanted, rtol=1e-6)
        assert np.abs(made.weight - exact).max() <= float(scales.max()) * 0.51


def test_weights_are_laid_out_as_ggml_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    quants = pytest.importorskip("gguf.quants", reason="gguf reads ggml's blocks; it is not installed")
    from gguf import GGMLQuantizationType as Types

    chains = load("chains", monkeypatch)
    llama = load("llama_cpp_chain", monkeypatch)
    for dtype, kind in (("int8", Types.Q8_0), ("int4", Types.Q4_0)):
        work = chains.work("gemv", 1, 64, dtype)
        # Work has the numbers as stored: they are their own nearest blocks.
        stored = llama.stored(work).reshape(64, -1)
        np.testing.assert_allclose(quants.dequantize(stored, kind), work.weight, rtol=2e-3, atol=1e-6)


def test_float16_is_widened_and_rounded_once_by_iree(monkeypatch: pytest.MonkeyPatch) -> None:
    chains = load("chains", monkeypatch)
    iree = load("iree_chain", monkeypatch)
    product = iree.module_text(chains.work("gemm", 2, 8, "fp16"), 2)
    assert product.count("arith.truncf") == 2 and "tensor<2x8xf16>" in product
    assert "outs(%clear0 : tensor<2x8xf32>)" in product
    norm = iree.module_text(chains.work("rmsnorm", 2, 8, "fp16"), 1)
    assert norm.count("arith.extf") == 3 and norm.count("arith.truncf") == 1
    for op in ("gemm", "rmsnorm"):
        assert "f16" not in iree.module_text(chains.work(op, 2, 8), 1)


def test_links_of_iree_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    chains = load("chains", monkeypatch)
    iree = load("iree_chain", monkeypatch)
    text = iree.module_text(chains.work("rmsnorm", 2, 8), 5)
    assert text.count("util.optimization_barrier") == 5
    assert "tensor<2x8xf32>" in text and "tensor<8xf32>" in text


@pytest.mark.parametrize(
    ("program", "error", "said"),
    [
        (
            "import sys; sys.stderr.write('first\\nUnsupported device\\n'); sys.exit(134)",
            DeviceError,
            "Unsupp",
        ),
        (
            "print('[0 device] a log line'); print('{\"skip\": \"no kernel\"}')",
            NotImplementedError,
            "no kernel",
        ),
    ],
)
def test_a_program_that_cannot_go_on_says_why(
    program: str, error: type[Exception], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(FOLDER.parents[1]))
    peers = importlib.import_module("benchmarks.edge_peers")
    with (
        (tmp_path / "errors").open("w") as errors,
        subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
        pytest.raises(error, match=said),
    ):
        peers._answer(process, tmp_path / "errors")
