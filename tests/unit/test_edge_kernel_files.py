"""Kernel folders: expressions, hostile TOML, generated code that does not match its source."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench_lib.cli import cli
from bench_lib.edge import slang
from bench_lib.edge.expressions import evaluate, evaluate_integer
from bench_lib.edge.kernel import KERNELS_FOLDER, Tolerance
from bench_lib.edge.kernel_build import differences, generate, project_folders, write_generated
from bench_lib.edge.kernel_reader import load_kernel
from bench_lib.edge.reference import compare, expected, make_inputs
from bench_lib.errors import BenchLibError, DamagedFileError, UnavailableError, UsageError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ceil_div(n, 256)", 4),
        ("align_up(n, 32) - n", 24),
        ("min(n, 7) * -2", -14),
        ("(n % 4 == 0) * (n > 10)", 1),
        ("n // 3 + 1 / 2", 333.5),
        ("sqrt(n * n)", 1000),
    ],
)
def test_expressions_have_the_value_worked_by_hand(text: str, value: float) -> None:
    assert evaluate(text, {"n": 1000}) == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "n.__class__",
        "(lambda: 1)()",
        "[1][0]",
        "'a' * 9",
        "2 ** 99",
        "True",
        "m",
        "1 // 0",
        "9" * 30,
        "1e308 * 10",
        "n if n else 1",
        "ceil_div(n)",
        "",
        "(" * 150 + "n" + ")" * 150 + " " * 200,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        evaluate(text, {"n": 1})


def test_a_fraction_is_no_size() -> None:
    with pytest.raises(UsageError, match="whole number"):
        evaluate_integer("n / 2", {"n": 3})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "saxpy"
    shutil.copytree(KERNELS_FOLDER / "saxpy", made)
    return made


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('entry_point = "saxpy"', 'entry_point = "saxpy"\nsource = "../saxpy/kernel.slang"'),
        ('entry_point = "saxpy"', 'entry_point = "saxpy"\nsource = "/etc/passwd"'),
        ('entry_point = "saxpy"', 'entry_point = "saxpy"\nsource = "a\\\\b.slang"'),
        ('entry_point = "saxpy"', 'entry_point = "a; rm"'),
        ('title = "saxpy"', 'title = "saxpy"\nreference = "../../reference.py"'),
        ('name = "x"', 'name = "y"'),
        ('name = "x"', 'name = "<script>"'),
        ("FORMAT = 32", 'FORMAT = "-o /x"'),
        ('element = "scalar"', 'element = "f64"'),
        ("schema = 1", "schema = 2"),
        ("schema = 1", "schema = 1\nsurprise = 1"),
        ("[[variants]]", "[[variants"),
        ('op = "saxpy"', 'op = "../x"'),
        ("shapes = [{ ", "shapes = [{ m = 1, "),
    ],
)
def test_a_hostile_or_damaged_file_is_refused(folder: Path, old: str, new: str) -> None:
    path = folder / "kernel.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(DamagedFileError):
        load_kernel(folder)


def test_a_link_out_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.slang").write_text((folder / "kernel.slang").read_text())
    (folder / "kernel.slang").unlink()
    (folder / "kernel.slang").symlink_to(tmp_path / "elsewhere.slang")
    with pytest.raises(DamagedFileError, match="own folder"):
        load_kernel(folder)


def test_code_that_is_not_what_the_manifest_says_is_refused(folder: Path) -> None:
    (folder / "generated" / "fp32.0.spv").write_bytes(b"x")
    with pytest.raises(DamagedFileError, match="manifest"):
        load_kernel(folder)


def test_a_changed_source_needs_a_compiler(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = folder / "kernel.slang"
    source.write_text(source.read_text() + "\n// changed\n")
    monkeypatch.setattr(slang, "is_available", lambda: False)
    with pytest.raises(UnavailableError, match="kernel-changed"):
        load_kernel(folder)


def needs_slang() -> None:
    if not slang.is_available():
        pytest.skip("no Slang compiler: pip install 'bench-lib[kernel-build]'")


def test_a_changed_source_is_compiled_where_a_compiler_is(folder: Path) -> None:
    needs_slang()
    source = folder / "kernel.slang"
    source.write_text(source.read_text().replace("void saxpy(", "void other(", 1))
    toml = folder / "kernel.toml"
    toml.write_text(toml.read_text().replace('entry_point = "saxpy"', 'entry_point = "other"'))
    kernel = load_kernel(folder)
    assert b"other" in kernel.variant("fp32").spirv
    assert kernel.variant("fp32").spirv != load_kernel("saxpy").variant("fp32").spirv
    write_generated(folder, generate(folder))
    assert load_kernel(folder).variant("fp32").spirv == kernel.variant("fp32").spirv


def test_a_source_that_does_not_compile_says_where(folder: Path) -> None:
    needs_slang()
    source = folder / "kernel.slang"
    source.write_text(source.read_text() + "\nthis is no code\n")
    with pytest.raises(slang.SlangError, match=r"kernel\.slang"):
        load_kernel(folder)


def test_a_source_may_not_include_files_from_elsewhere(folder: Path, tmp_path: Path) -> None:
    needs_slang()
    (tmp_path / "secret.slang").write_text("// nothing\n")
    source = folder / "kernel.slang"
    source.write_text('#include "../secret.slang"\n' + source.read_text())
    with pytest.raises(DamagedFileError, match=r"secret\.slang"):
        load_kernel(folder)


@pytest.mark.parametrize("folder", project_folders(), ids=lambda p: p.name)
def test_generated_code_is_what_the_compiler_makes(folder: Path) -> None:
    needs_slang()
    if slang.version() not in (folder / "generated" / "manifest.json").read_text():
        pytest.skip(f"the code was generated by another compiler than {slang.version()}")
    assert differences(folder, generate(folder)) == ()


def test_magnitudes_scale_the_tolerance() -> None:
    kernel = load_kernel("gemv")
    variant = kernel.variant("fp32-lanes8")
    assert variant.tolerance == Tolerance(relative=2e-6)
    sizes = {"m": 1, "k": 4}
    inputs = {"a": np.float32([1, -1, 1, -1]), "x": np.float32([8, 8, 8, 8])}
    reference = expected(kernel, variant, inputs, sizes=sizes)
    values, magnitudes = reference["y"]
    assert (values[0], magnitudes[0]) == (0, 32)
    assert compare(variant, {"y": np.float32([32e-6])}, reference)[0].worst == pytest.approx(0.5)
    assert not compare(variant, {"y": np.float32([128.1e-6])}, reference)[0].is_right
    assert compare(variant, {"y": np.float32([np.nan])}, reference)[0].worst == np.inf


def test_bytes_and_flop_of_a_gemm() -> None:
    variant = load_kernel("gemm").variant("fp16-tile64")
    sizes = {"m": 2, "n": 3, "k": 5}
    assert variant.bytes_moved(sizes) == 2 * (10 + 15) + 4 * 6
    assert variant.flop(sizes) == 60


def test_bytes_of_an_int4_gemv_count_scales_and_padding() -> None:
    # One group of 32 a row: 16 bytes of weights and 2 of scale; 20 floats of x; one of y a row.
    assert load_kernel("gemv_int4").variant("fp32").bytes_moved({"m": 3, "k": 20}) == 3 * 18 + 80 + 12


def test_inputs_are_the_same_for_the_same_seed() -> None:
    kernel = load_kernel("softmax")
    variant = kernel.variants[0]
    one, two, other = (
        make_inputs(kernel, variant, sizes={"rows": 2, "cols": 8}, seed=s)["x"] for s in (1, 1, 2)
    )
    assert np.array_equal(one, two) and not np.array_equal(one, other)


@pytest.mark.parametrize("name", ["nothing", "..", ""])
def test_an_unknown_kernel_is_named(name: str) -> None:
    with pytest.raises(BenchLibError):
        load_kernel(name)


def test_the_command_that_the_remedies_name_checks_and_mends(folder: Path) -> None:
    if not slang.is_available():
        pytest.skip("no Slang compiler: pip install 'bench-lib[kernel-build]'")
    (folder / "generated" / "fp32.0.spv").write_bytes(b"")
    check = ["edge", "build-kernels", "--check", str(folder)]
    stale = CliRunner().invoke(cli, check)
    assert stale.exit_code == 1
    assert "fp32.0.spv" in stale.output
    assert CliRunner().invoke(cli, ["edge", "build-kernels", str(folder)]).exit_code == 0
    assert CliRunner().invoke(cli, check).output == "saxpy: up to date\n"
