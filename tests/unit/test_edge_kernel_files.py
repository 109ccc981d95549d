"""Kernel folders: expressions, hostile TOML, generated code that does not match its source."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

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


_CONSTANT = '{ id = 1, type = "u32", value = "1" }'


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
        ("a = 1.5", "a = nan"),
        ("a = 1.5", "a = -inf"),
        ("relative = 2e-07", "relative = inf"),
        ("relative = 2e-07", "relative = nan"),
        ("relative = 2e-07", "relative = -1.0"),
        ("relative = 2e-07", "relative = 2e-07, absolute = inf"),
        ('dtype = "fp32"', 'dtype = "<script>"'),
        ('dtype = "fp32"', 'dtype = ""'),
        ('algorithm = "vectors"', r'algorithm = "\u001b[31m"'),
        ('algorithm = "vectors"', r'algorithm = "x"' + "\n" + r'requires = ["\u001b[31m"]'),
        ('algorithm = "vectors"', 'algorithm = "x"\nsubgroup_size = -3'),
        ('algorithm = "vectors"', 'algorithm = "x"\ncooperative_matrix = { wings = 2 }'),
        ("uniforms = [", 'specialization = [{ id = -1, type = "u32", value = "1" }]\nuniforms = ['),
        ("uniforms = [", f'specialization = [{{ id = {2**32}, type = "u32", value = "1" }}]\nuniforms = ['),
        ("uniforms = [", f"specialization = [{', '.join(2 * [_CONSTANT])}]\nuniforms = ["),
        ("schema = 1", "schema = 1" + 5000 * "0"),
        ("schema = 1", "schema = " + 5000 * "[" + 5000 * "]"),
        ("schema = 1", "\ufeffschema = 1"),
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


def changed(folder: Path, name: str, old: str, new: str) -> Path:
    """The folder with one text of one file replaced."""
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
    return folder


_RETURNED = 'return {"result": (values, np.abs(parameters["a"] * x) + np.abs(y))}'


@pytest.mark.parametrize(
    "returned",
    [
        "return None",
        'return {"result": values}',
        'return {"result": None}',
        'return {"result": ("x", "y")}',
        'return {"result": (values[:-1], np.abs(values))}',
        'return {"result": (values, np.abs(values) * np.inf)}',
        'return {"result": (values, np.abs(values) * np.nan)}',
        'return {"result": (values, values), "more": (values, values)}',
        'return {"result": (np.append(values, values), 1.0)}',
        'return {"result": (values * np.nan, np.abs(values))}',
    ],
)
def test_a_reference_that_returns_something_else_is_refused(folder: Path, returned: str) -> None:
    kernel = load_kernel(changed(folder, "reference.py", _RETURNED, returned))
    variant, sizes = kernel.variant("fp32"), {"n": 8}
    inputs = make_inputs(kernel, variant, sizes=sizes)
    with pytest.raises(DamagedFileError):
        expected(kernel, variant, inputs, sizes=sizes)


@pytest.mark.parametrize("returned", ["return None", "return [1]", 'return {"x": None, "y": None}'])
def test_inputs_that_are_something_else_are_refused(folder: Path, returned: str) -> None:
    old = 'return {name: _drawn(rng, sizes["n"], types[name]) for name in ("x", "y")}'
    kernel = load_kernel(changed(folder, "reference.py", old, returned))
    with pytest.raises(DamagedFileError):
        make_inputs(kernel, kernel.variant("fp32"), sizes={"n": 8})


def test_an_exception_of_a_reference_is_told_with_its_function_and_line(folder: Path) -> None:
    path = folder / "reference.py"
    source = path.read_text()
    sizes = {"n": 8}
    kernel = load_kernel(folder)
    variant = kernel.variant("fp32")
    inputs = make_inputs(kernel, variant, sizes=sizes)
    for raised, said in (
        ("raise ValueError('no\\nway')", "ValueError in line {}: no way"),
        ("1 / 0", "ZeroDivisionError in line {}: division by zero"),
        ("raise SystemExit(3)", "SystemExit in line {}: 3"),
    ):
        lines = len(source.splitlines())
        path.write_text(f"{source}\n\ndef expected(*given):\n    {raised}\n")
        with pytest.raises(DamagedFileError) as caught:
            expected(kernel, variant, inputs, sizes=sizes)
        assert str(caught.value).startswith(f"{path}: found expected that raised {said.format(lines + 4)}")
        path.write_text(f"{source}\n\ndef make_inputs(*given):\n    {raised}\n")
        with pytest.raises(DamagedFileError, match="make_inputs that raised"):
            make_inputs(kernel, variant, sizes=sizes)
    for text in ("import no_such_module_at_all\n", "def broken(:\n", "raise SystemExit\n"):
        path.write_text(text)
        with pytest.raises(DamagedFileError, match="import that raised"):
            make_inputs(kernel, variant, sizes=sizes)


def test_an_input_of_ragged_rows_is_refused(folder: Path) -> None:
    old = 'return {name: _drawn(rng, sizes["n"], types[name]) for name in ("x", "y")}'
    kernel = load_kernel(
        changed(folder, "reference.py", old, 'return {"x": [[1.0], [1.0, 2.0]], "y": [1.0]}')
    )
    with pytest.raises(DamagedFileError, match="input x that raised ValueError"):
        make_inputs(kernel, kernel.variant("fp32"), sizes={"n": 8})


def test_without_shapes_sizes_have_to_be_named(folder: Path) -> None:
    old = "shapes = [{ n = 1048576 }, { n = 16777216 }]"
    assert load_kernel(folder).default_sizes == {"n": 1048576}
    without = load_kernel(changed(folder, "kernel.toml", old, ""))
    with pytest.raises(UsageError, match="--sizes n=…"):
        _ = without.default_sizes


def test_less_than_no_work_is_refused(folder: Path) -> None:
    kernel = load_kernel(changed(folder, "kernel.toml", 'flop = "2 * n"', 'flop = "0 - n"'))
    with pytest.raises(UsageError, match="flop"):
        kernel.variant("fp32").flop({"n": 3})


def test_a_variant_for_metal_alone_has_no_code_for_vulkan(folder: Path) -> None:
    old = 'algorithm = "vectors"'
    kernel = load_kernel(changed(folder, "kernel.toml", old, old + '\napis = ["metal"]'))
    assert kernel.variant("fp32").passes[0].spirv is None


@pytest.mark.parametrize("made", ["a file", "a folder in it"])
def test_generated_that_is_no_folder_of_files_is_said(folder: Path, made: str) -> None:
    files = {"manifest.json": b"{}"}
    shutil.rmtree(folder / "generated")
    if made == "a file":
        (folder / "generated").write_text("x")
        assert differences(folder, files) == ("manifest.json",)
    else:
        (folder / "generated" / "manifest.json").mkdir(parents=True)
        assert differences(folder, files) == ("manifest.json",)
    with pytest.raises(DamagedFileError, match="can be written"):
        write_generated(folder, files)


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


@pytest.mark.parametrize("op", ["attention_decode", "gemm", "gemv", "layernorm", "rmsnorm", "softmax"])
@pytest.mark.parametrize("width", [4, 8])
def test_odd_shapes_on_a_software_device_get_a_variant_written_for_it(op: str, width: int) -> None:
    # What SwiftShader has, and more: a variant for GPUs costs 10 to 30 times as much there.
    device = SimpleNamespace(
        kind="software",
        features={"subgroup-arithmetic", "subgroup-basic", "subgroup-quad", "subgroup-shuffle"},
        subgroup_size=width,
        max_workgroup_invocations=256,
        shared_memory_bytes=16384,
    )
    kernel = load_kernel(op)
    chosen = kernel.choose("fp32", sizes=dict.fromkeys(kernel.sizes, 33), device=device)
    assert (chosen.device, chosen.subgroup_size) == ("software", width)
