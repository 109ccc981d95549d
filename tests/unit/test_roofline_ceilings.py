"""Ceilings under a scripted clock, and placing a kernel by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench_lib.errors import DamagedFileError, UsageError
from bench_lib.roofline import ceilings_command
from bench_lib.roofline.ceilings import Ceilings, measure, place, read_ceilings
from bench_lib.sampling import Plan

MADE = Ceilings("cpu", "Some CPU", 1e10, {"fp32": 2e11}, 1024, 64)

GOOD = (
    '{"schema": 1, "ceilings": {"device": "cpu", "name": "Some CPU", "copy_bytes_per_s": 1e10, '
    '"flop_per_s": {"fp32": 2e11}, "copy_bytes": 1024, "gemm_size": 64}}'
)


class Script:
    """A clock whose intervals are given."""

    name = "script"

    def __init__(self, *elapsed_s: float) -> None:
        self._elapsed = iter(elapsed_s)

    def mark(self) -> int:
        return 0

    def elapsed_s(self, start: int, end: int) -> float:
        return next(self._elapsed)


def test_the_fastest_sample_is_the_ceiling() -> None:
    clock = Script(2.0, 1.0, 4.0, 8.0, 0.5, 0.25)
    found = measure(copy_bytes=800, gemm_size=4, plan=Plan(num_samples=2, num_warmup=0), clock=clock)
    # 800 B read and 800 B written in 1 s; 2·4³ FLOP in 4 s and in 0.25 s.
    assert found.copy_bytes_per_s == 1600
    assert found.flop_per_s == {"fp64": 32.0, "fp32": 512.0}
    assert found.roofs.ridge_flop_per_byte("fp32") == pytest.approx(0.32)


def test_placing_a_kernel() -> None:
    # Ridge at 20. 1e9 FLOP and 1e9 B need 0.1 s of bytes and 0.005 s of FLOP.
    low = place(MADE, flop=1e9, num_bytes=1e9, duration_s=0.2, precision="fp32")
    assert (low.side, low.ridge_flop_per_byte) == ("memory", 20.0)
    assert low.share_of_roof == pytest.approx(0.5) and low.flop_per_s == pytest.approx(5e9)
    high = place(MADE, flop=1e11, num_bytes=1e9, duration_s=1.0, precision="fp32")
    assert high.side == "compute" and high.share_of_roof == pytest.approx(0.5)


@pytest.mark.parametrize(
    "wrong", [{"flop": 0.0}, {"num_bytes": -1.0}, {"duration_s": float("nan")}, {"precision": "fp8"}]
)
def test_what_cannot_be_placed(wrong: dict[str, float | str]) -> None:
    given = {"flop": 1.0, "num_bytes": 1.0, "duration_s": 1.0, "precision": "fp32", **wrong}
    with pytest.raises(UsageError):
        place(MADE, **given)  # type: ignore[arg-type]


def test_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings_command, "measure", lambda *, device: MADE)
    text = CliRunner().invoke(ceilings_command.ceilings, ["--place", "1e9", "1e9", "0.2"]).stdout
    assert "10 GB/s" in text and "ridge at 20.0" in text and "memory side, at 50% of its roof" in text
    document = json.loads(CliRunner().invoke(ceilings_command.ceilings, ["--json"]).stdout)
    assert document["ceilings"]["flop_per_s"] == {"fp32": 2e11} and document["placement"] is None


def test_what_the_command_writes_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings_command, "measure", lambda *, device: MADE)
    path = tmp_path / "ceilings.json"
    path.write_text(CliRunner().invoke(ceilings_command.ceilings, ["--json"]).stdout)
    assert read_ceilings(path) == MADE


@pytest.mark.parametrize(
    "text", ["", "[]", '{"schema": 2}', GOOD.replace("1e10", "0"), GOOD.replace("2e11", "-1")]
)
def test_other_files_are_no_ceilings(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ceilings.json"
    path.write_text(text)
    with pytest.raises(DamagedFileError, match=r"ceilings\.json: found"):
        read_ceilings(path)
