"""The how-to's own folder, in each of the languages that it shows, run as it says."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from vulkan_here import require_device, selectors

from bench_lib.cli import cli
from bench_lib.edge import slang
from bench_lib.edge.kernel_reader import load_kernel
from bench_lib.errors import UsageError

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "add-a-kernel.md"
_FILE = re.compile(r"```\{code-block\} \w+\n:caption: scale/(\S+)\n(.*?)\n```", re.DOTALL)
SOURCES = {"slang": "kernel.slang", "glsl": "kernel.comp", "hlsl": "kernel.hlsl", "spirv": "kernel.spv"}


def write_folder(folder: Path, language: str) -> Path:
    """The folder as the guide shows it."""
    if not slang.is_available():
        pytest.skip("no Slang compiler: pip install 'bench-lib[kernel-build]'")
    files = dict(_FILE.findall(GUIDE.read_text()))
    assert files.keys() == {
        "kernel.toml",
        "reference.py",
        *(n for n in SOURCES.values() if n != "kernel.spv"),
    }
    source = SOURCES[language]
    folder.mkdir()
    text = files["kernel.toml"].replace("kernel.slang", source)
    if language == "glsl":
        text = text.replace('entry_point = "scale"', 'entry_point = "main"')
    (folder / "kernel.toml").write_text(text)
    (folder / "reference.py").write_text(files["reference.py"])
    if language == "spirv":
        other = write_folder(folder.with_name("compiled"), "hlsl")
        (variant,) = load_kernel(other).variants
        (folder / source).write_bytes(variant.spirv)
    else:
        (folder / source).write_text(files[source])
    return folder


def run(folder: Path, *arguments: str) -> Result:
    """``bench-lib edge run`` on the first device here, short."""
    short = ["--no-roofs", "--no-cold", "--samples", "1", "--device", selectors()[0]]
    return CliRunner().invoke(cli, ["edge", "run", "--op", str(folder), *short, *arguments])


@pytest.mark.parametrize("language", SOURCES)
def test_every_language_runs_on_a_device(language: str, tmp_path: Path) -> None:
    require_device()
    folder = write_folder(tmp_path / "scale", language)
    done = run(folder, "--sizes", "n=1001", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["status"] == "ok"


@pytest.mark.parametrize("language", SOURCES)
def test_generated_code_runs_without_a_compiler(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_folder(tmp_path / "scale", language)
    assert CliRunner().invoke(cli, ["edge", "build-kernels", str(folder)]).exit_code == 0
    monkeypatch.setattr(slang, "is_available", lambda: False)
    monkeypatch.setattr(slang, "compile_source", None)
    (variant,) = load_kernel(folder).variants
    assert variant.spirv.startswith(b"\x03\x02\x23\x07")
    assert (variant.passes[0].msl is not None) == (language == "slang")


def test_a_reference_that_raises_is_bad_use_in_one_line(tmp_path: Path) -> None:
    require_device()
    folder = write_folder(tmp_path / 'a "scale" of mine', "slang")
    (folder / "reference.py").write_text("def make_inputs(*given):\n    return 1 / 0\n\nexpected = None.x\n")
    done = run(folder, "--sizes", "n=8")
    assert isinstance(done.exception, UsageError), done.output
    said = str(done.exception)
    assert str(folder / "reference.py") in said and "import that raised AttributeError in line 4" in said
    assert "\n" not in said


def test_an_op_of_the_project_is_found_by_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bench_lib.edge import kernel_reader

    write_folder(tmp_path / "scale", "slang")
    shutil.copytree(kernel_reader.KERNELS_FOLDER / "copy", tmp_path / "copy")
    monkeypatch.setattr(kernel_reader, "KERNELS_FOLDER", tmp_path)
    assert kernel_reader.ops() == ("copy", "scale")
    assert load_kernel("scale").op == "scale"
