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
from bs4 import BeautifulSoup

from bench_lib import results, site_cost
from bench_lib.results_site import build_results_site

pytest.importorskip("asv", reason="asv is not installed")

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


def shown_by_us(html: Path) -> dict[Key, tuple[float, float]]:
    """Every value in the pages of benchmarks, with half of what it is rounded to."""
    commits = script_data(html / "benchmarks" / "commits.js")
    found: dict[Key, tuple[float, float]] = {}
    for path in html.glob("benchmarks/*.html"):
        soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        element = soup.select_one('script[id^="bench-data-"]')
        assert element is not None and element.string
        page = json.loads(element.string)
        figures = dict(page["figures"])
        for chunk in html.glob(f"benchmarks/{page['file']}-[0-9]*.js"):
            figures |= script_data(chunk)
        stride = 3 + len(page["axes"])
        assert len(figures) * stride == len(page["series"]), path
        for number, packed in figures.items():
            machine, environment, _, *codes = page["series"][int(number) * stride :][:stride]
            values = tuple(a["values"][c] for a, c in zip(page["axes"], codes, strict=True) if c >= 0)
            places = [
                s + i for s, n in zip(packed["x"][::2], packed["x"][1::2], strict=True) for i in range(n)
            ]
            for place, count in zip(places, packed["v"], strict=True):
                commit = (
                    commits["odd"].get(str(place)) or commits["h"][place * commits["n"] :][: commits["n"]]
                )
                quantum = packed["q"]
                value = count if quantum is None else (count + packed["b"]) * quantum
                key = (
                    page["name"],
                    values,
                    page["machines"][machine],
                    page["environments"][environment],
                    commit,
                )
                found[key] = (value, abs(value) * 1e-5 if quantum is None else quantum / 2)
    return found


def script_data(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8").partition("]=")[2].rstrip(";\n"))


@pytest.mark.parametrize("name", ["kedro", "sunpy", "empymod"])
def test_every_value_that_asv_draws_is_ours(name: str, tmp_path: Path) -> None:
    if not DATA.is_dir():
        pytest.skip("the public results are not here")
    project = tmp_path / name
    site_cost.copy_published_store(DATA / name / "results", directory=project)
    # Ours read what was published; asv asks for format 1 to be rewritten first.
    frame = results.load(project, cache=False)
    parameters = results.read(project, cache=False).parameters
    build_results_site(project / "results", output=project / "html")
    if name == "empymod":
        asv(project, "update")
    asv(project, "publish")
    loaded = {
        (
            r.benchmark,
            tuple(v for _, v in parameters[r.parameters]),
            r.machine,
            r.environment,
            r.commit,
        ): r.value
        for r in frame.itertuples(index=False)
    }
    shown = shown_by_us(project / "html")
    (length,) = {len(key[-1]) for key in shown}
    num_drawn = 0
    for key, value in drawn_by_asv(project):
        num_drawn += 1
        # Both wrote decimal numbers of the same float.
        assert math.isclose(loaded[key], value, rel_tol=1e-12), key
        ours, half = shown[(*key[:-1], key[-1][:length])]
        assert abs(ours - value) <= half * (1 + 1e-6), (key, ours, value)
    assert num_drawn > 1_000
    # asv leaves out values of versions of a benchmark that are not its index's.
    assert len(shown) >= num_drawn
