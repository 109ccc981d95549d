"""Every value that asv's own site draws of public results is in ours, on its page and in the frame."""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("asv", reason="asv is not installed")

from screenshot import CHROMIUM, browser  # noqa: E402

from bench_lib import chart_library, results, site_cost  # noqa: E402
from bench_lib.results_site import build_results_site  # noqa: E402

pytestmark = [
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no browser at {CHROMIUM}"),
    pytest.mark.skipif(
        not chart_library.is_present(), reason="uPlot was not fetched when this was installed"
    ),
]

DATA = Path(
    os.environ.get("BENCH_LIB_TEST_DATA") or Path(__file__).parents[2].parent / "shared" / "data", "asv"
)

#: (benchmark, parameter values, machine, environment, commit)
Key = tuple[str, tuple[str, ...], str, str, str]


def asv(project: Path, command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "asv", command], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def environments(project: Path) -> dict[tuple[tuple[str, str], ...], str]:
    """What asv's site calls each environment: its facts, and those of the machine → its name."""
    found = {}
    for path in project.glob("results/*/*-*.json"):
        content = json.loads(path.read_bytes())
        variables = {f"env-{name}": value for name, value in content.get("env_vars", {}).items()}
        # asv writes null for a requirement of any version, and in its index for one that there is not.
        stated = {
            key: "" if value is None else value for key, value in (content["params"] | variables).items()
        }
        found[facts(stated)] = content["env_name"]
    return found


def facts(params: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((k, str(v)) for k, v in params.items() if v is not None and k != "branch"))


def drawn_by_asv(project: Path) -> Iterator[tuple[Key, float]]:
    """Every value in the files that asv's site draws graphs from."""
    from asv.graph import Graph

    site = project / "asv-html"
    index = json.loads((site / "index.json").read_bytes())
    names = environments(project)
    for params, (name, about) in itertools.product(index["graph_param_list"], index["benchmarks"].items()):
        path = site / (Graph.get_file_path(params, name) + ".json")
        if not path.is_file():
            continue
        combinations = list(itertools.product(*about["params"]))
        for revision, drawn in json.loads(path.read_bytes()):
            commit = index["revision_to_hash"][str(revision)]
            for values, value in zip(combinations, drawn if about["params"] else [drawn], strict=True):
                if value is not None:
                    yield (name, values, params["machine"], names[facts(params)], commit), value


#: What the chart's script makes of a page, whichever way the page carries it.
_UNPACK = """() => new Promise((done) => {
  const block = document.querySelector(".bench-block").benchBlock;
  const numbers = [...Array(block.count).keys()];
  block.load(numbers, () => done([block.page.name, numbers.map((n) => {
    const s = block.unpack(n);
    const parameters = s.parameters.map(([, value]) => value);
    return [parameters, s.machine, s.environment, s.x.map((x) => block.commits.hash(x)), s.value];
  })]));
})"""


def shown_by_us(html: Path) -> dict[Key, float]:
    """Every value that a reader of the pages of benchmarks can choose; commits by their first digits."""
    found: dict[Key, float] = {}
    with browser(width=1280, height=900) as context:
        page = context.new_page()
        for path in sorted(html.glob("benchmarks/*.html")):
            page.goto(path.as_uri())
            page.wait_for_selector(".bench-chart-host[data-drawn]")
            name, series = page.evaluate(_UNPACK)
            for parameters, machine, environment, commits, values in series:
                for commit, value in zip(commits, values, strict=True):
                    found[name, tuple(parameters), machine, environment, commit] = value
    return found


@pytest.mark.parametrize("name", ["kedro", "sunpy", "empymod"])
def test_every_value_that_asv_draws_is_ours(name: str, tmp_path: Path) -> None:
    if not DATA.is_dir():
        pytest.skip("the public results are not here")
    project = tmp_path / name
    site_cost.copy_published_store(DATA / name / "results", directory=project)
    # Ours read what was published; asv asks for format 1 to be rewritten first.
    read = results.read(project, cache=False)
    build_results_site(project / "results", output=project / "html")
    if name == "empymod":
        asv(project, "update")
    asv(project, "publish")
    columns = ["benchmark", "parameters", "machine", "environment", "commit", "value"]
    loaded = {
        (benchmark, tuple(v for _, v in read.parameters[text]), *place): value
        for benchmark, text, *place, value in read.frame[columns].astype(object).to_numpy().tolist()
    }
    shown = shown_by_us(project / "html")
    (length,) = {len(key[-1]) for key in shown}
    num_drawn = 0
    for key, value in drawn_by_asv(project):
        num_drawn += 1
        # Both wrote decimal numbers of the same float.
        assert math.isclose(loaded[key], value, rel_tol=1e-12), key
        # Pages keep five digits at the median of a series, and three of its smallest value.
        assert math.isclose(shown[*key[:-1], key[-1][:length]], value, rel_tol=5.01e-4), key
    assert num_drawn > 1_000
    # asv leaves out values of versions of a benchmark that are not its index's.
    assert len(shown) >= num_drawn
