"""What ``make report`` says at its end, from the commands that make would run."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_figures_are_named_before_the_path_of_the_site() -> None:
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed")
    # Below another make, as in make test, it would say which folder it enters and leaves.
    command = [make, "--no-print-directory", "-n", "report"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    *_, said, last = done.stdout.strip().splitlines()
    # The last line of the site's command is the path of the page to open.
    assert last.endswith("/bench-lib site")
    assert said.startswith('echo "figures: ') and "/bench-lib lookup" in said
    named = re.findall(r"(?:results/)?([\w-]+)\.html", said)
    assert named == ["fsdp2", "edge", "edge-models", "runs"]
    assert all((ROOT / "docs" / "results" / f"{name}.md").is_file() for name in named)
