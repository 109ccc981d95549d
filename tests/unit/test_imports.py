"""The direction of imports, and what the light side must never pull in."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "bench_lib"

#: Lowest first. A module may import from its own layer and from those before it.
LAYERS = [
    {"errors", "units", "files", "ended", "drawing", "chart_library", "table_script"},
    {"metrics"},
    {"model"},
    {"stats", "clocks", "placement"},
    {"sampling"},
    {"hardware", "results"},
    {"fsdp2", "roofline", "edge"},
    {"asv_bridge"},
    {"pip_config", "measured_content", "asv_machine", "asv_current"},
    {"asv_build"},
    {"asv_plugin", "asv_run", "sphinx_ext", "doctor"},
    {"site_theme"},
    {"results_site", "site_cost"},
    {"site"},
    {"cli"},
]
RANK = {name: index for index, layer in enumerate(LAYERS) for name in layer}
FAMILIES = {"fsdp2", "roofline", "edge"}


def subpackage(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "bench_lib" and len(parts) > 1 else None


def imports_of(path: Path) -> set[str]:
    """Modules imported at run time; those under ``if TYPE_CHECKING`` do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py" or p.parent != PACKAGE)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert own in RANK, f"{own} has no layer: add it to LAYERS"
    for module in imports_of(path):
        other = subpackage(module)
        if other is None or other not in RANK:
            continue
        assert RANK[other] <= RANK[own], f"{own} imports {module}, which is above it"
        if own in FAMILIES and other in FAMILIES:
            assert own == other, f"{own} imports from another family: {module}"


LIGHT = ["bench_lib.results.records", "bench_lib.sphinx_ext", "bench_lib.cli", "bench_lib.doctor"]


@pytest.mark.parametrize("module", LIGHT)
def test_light_side_never_imports_heavy_packages(module: str) -> None:
    code = f"import sys, {module}; print(*sorted({{'torch', 'vulkan', 'ncu_report'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
