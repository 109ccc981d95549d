"""Generate the SPIR-V and MSL of kernel folders, or check that what they hold is what the compiler makes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import msgspec

from bench_lib.edge import slang
from bench_lib.edge.generated import (
    MANIFEST_SCHEMA,
    Manifest,
    ManifestEntry,
    compile_pass,
    defines_of,
    label_of,
    sha256,
    steps,
)
from bench_lib.edge.kernel import KERNELS_FOLDER
from bench_lib.edge.kernel_file import read_kernel_file
from bench_lib.errors import BenchLibError, DamagedFileError, UsageError
from bench_lib.files import write_whole


def generate(folder: Path) -> dict[str, bytes]:
    """Files of ``generated/`` by name, made from what ``folder`` holds now.

    Raises
    ------
    DamagedFileError
        The folder holds no kernel, or one that reaches outside it.
    SlangError
        A source does not compile.
    UnavailableError
        ``no-slang``.
    """
    kernel = read_kernel_file(folder / "kernel.toml")
    files: dict[str, bytes] = {}
    sources: dict[str, str] = {}
    entries = []
    for variant, index, step in steps(kernel):
        code = compile_pass(folder, kernel, variant, index)
        stem = f"{variant.name}.{index}"
        files[f"{stem}.spv"] = code.spirv
        if code.msl is not None:
            files[f"{stem}.metal"] = code.msl.encode()
        for file in code.files:
            sources[label_of(file, folder)] = sha256(file.read_bytes())
        entries.append(
            ManifestEntry(
                variant=variant.name,
                step=index,
                source=step.source,
                entry_point=code.entry_point,
                defines=defines_of(step, variant),
                spirv=f"{stem}.spv",
                spirv_sha256=sha256(code.spirv),
                msl=None if code.msl is None else f"{stem}.metal",
                msl_sha256=None if code.msl is None else sha256(code.msl.encode()),
            )
        )
    manifest = Manifest(MANIFEST_SCHEMA, kernel.op, slang.version(), dict(sorted(sources.items())), entries)
    files["manifest.json"] = msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"
    return files


def write_generated(folder: Path, files: Mapping[str, bytes]) -> int:
    """Make ``generated/`` hold exactly ``files``, the manifest written last; returns how many changed."""
    target = folder / "generated"
    changed = 0
    try:
        for name in sorted(files, key=lambda name: (name == "manifest.json", name)):
            changed += write_whole(target / name, files[name])
        for path in target.iterdir():
            if path.name not in files:
                path.unlink()
                changed += 1
    except OSError as error:
        raise DamagedFileError(
            target, found=error.strerror or str(error), expected="a folder of files that can be written"
        ) from error
    return changed


def differences(folder: Path, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Names in ``generated/`` that are missing, left over, or hold something else than ``files``."""
    target = folder / "generated"
    paths = target.iterdir() if target.is_dir() else ()
    present = {path.name: path.read_bytes() if path.is_file() else None for path in paths}
    return tuple(sorted(name for name in {*present, *files} if present.get(name) != files.get(name)))


def validate_spirv(code: bytes) -> str | None:
    """What ``spirv-val`` says against ``code``; ``None`` where it is content, or not installed."""
    validator = shutil.which("spirv-val")
    if validator is None:
        return None
    with tempfile.NamedTemporaryFile(suffix=".spv") as file:
        file.write(code)
        file.flush()
        command = [validator, "--target-env", "vulkan1.3", file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    message = done.stdout.strip() + done.stderr.strip()
    # A capability that the validator cannot even name is newer than it: it has no verdict.
    return None if done.returncode == 0 or "Invalid capability operand" in message else message


def project_folders() -> tuple[Path, ...]:
    """Folders of the project's own kernels."""
    return tuple(sorted(path.parent for path in KERNELS_FOLDER.glob("*/kernel.toml")))


@click.command("build-kernels")
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--check", is_flag=True, help="Write nothing; exit with 1 where generated code is not up to date."
)
def build_kernels(folders: Sequence[Path], check: bool) -> None:
    """Generate SPIR-V and MSL of the kernels in FOLDERS; without any, of the project's own."""
    stale = False
    for folder in folders or project_folders():
        files = generate(folder)
        for name, content in files.items():
            message = validate_spirv(content) if name.endswith(".spv") else None
            if message is not None:
                raise DamagedFileError(folder / "generated" / name, found=message, expected="valid SPIR-V")
        if check:
            found = differences(folder, files)
            stale = stale or bool(found)
            click.echo(f"{folder.name}: {'not up to date: ' + ', '.join(found) if found else 'up to date'}")
        else:
            click.echo(f"{folder.name}: {write_generated(folder, files)} of {len(files)} files changed")
    if stale:
        raise click.exceptions.Exit(1)


if __name__ == "__main__":
    try:
        build_kernels(standalone_mode=False)
    except (BenchLibError, UsageError, click.ClickException) as error:
        sys.exit(f"build-kernels: {error}")
