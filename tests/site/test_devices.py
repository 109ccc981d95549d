"""Device files: they load, names match whole, and peaks are the dense ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench_lib.hardware import all_hardware, find, load_device
from bench_lib.hardware.catalog import DEVICES_DIR
from bench_lib.model import Hardware

FILES = sorted(DEVICES_DIR.glob("*.toml"))
BY_SLUG = {h.slug: h for h in all_hardware()}

#: Rates with structured sparsity, in TFLOP/s, as the vendors print them.
SPARSE = {
    ("nvidia-a100-sxm-80gb", "bfloat16"): 624,
    ("nvidia-a100-sxm-80gb", "tf32"): 312,
    ("nvidia-h100-sxm", "tf32"): 989,
    ("nvidia-h100-sxm", "bfloat16"): 1979,
    ("nvidia-h100-sxm", "float8"): 3958,
    ("nvidia-h100-pcie", "bfloat16"): 1513,
    ("nvidia-h100-pcie", "float8"): 3026,
    ("nvidia-h200-sxm", "bfloat16"): 1979,
    ("nvidia-l4", "tf32"): 120,
    ("nvidia-l4", "bfloat16"): 242,
    ("nvidia-l4", "float8"): 485,
    ("nvidia-l40s", "bfloat16"): 733,
    ("nvidia-l40s", "float8"): 1466,
    ("nvidia-geforce-rtx-4090", "bfloat16"): 330.4,
    ("amd-instinct-mi300x", "bfloat16"): 2614.9,
    ("amd-instinct-mi300x", "float8"): 5229.8,
}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_file_is_complete(path: Path) -> None:
    device = load_device(path)
    assert device.source
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", device.date)
    assert device.peak_flop_per_s
    assert device.memory_bytes and device.memory_bandwidth_bytes_per_s
    # A factor of 1000 in a unit would leave these ranges.
    assert all(1e12 < peak < 1e16 for peak in device.peak_flop_per_s.values())
    assert 1e11 < device.memory_bandwidth_bytes_per_s < 1e14
    assert 8 * 1024**3 <= device.memory_bytes <= 1024**4


def test_there_are_devices() -> None:
    assert len(FILES) >= 8


@pytest.mark.parametrize("key", SPARSE, ids="-".join)
def test_peaks_are_dense(key: tuple[str, str]) -> None:
    slug, dtype = key
    assert BY_SLUG[slug].peak_flop_per_s[dtype] == pytest.approx(SPARSE[key] * 1e12 / 2, rel=0.02)


@pytest.mark.parametrize("device", BY_SLUG.values(), ids=lambda h: h.slug)
def test_found_by_whole_names_only(device: Hardware) -> None:
    for name in (device.slug, device.name, *device.aliases):
        assert find(name.upper()) is device
        assert find(name[:-1]) is not device
        assert find(name + " X") is None


@pytest.mark.parametrize(
    "name", ["NVIDIA H100", "H100", "NVIDIA A100", "A100-SXM4-80GB", "RTX 4090", "NVIDIA", ""]
)
def test_part_of_a_name_is_unknown(name: str) -> None:
    assert find(name) is None


def test_names_are_unique() -> None:
    names = [n.casefold() for h in BY_SLUG.values() for n in {h.slug, h.name, *h.aliases}]
    assert len(names) == len(set(names))
