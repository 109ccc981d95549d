"""Damaged reports: always an error that names the file, or the values of the undamaged one."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from bench_lib.errors import DamagedFileError
from bench_lib.roofline.ncu_report_file import NcuReport

sys.path.insert(0, str(Path(__file__).parents[1]))
from roofline_data import ncu_data

SMALL = "KernelBench__matmul_kernel__f576477.ncu-rep"


def read_all(path: Path) -> int:
    num_values = 0
    for launch in NcuReport(path):
        for name in launch.metrics:
            launch.metrics[name]
            num_values += 1
    return num_values


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    data = (ncu_data() / SMALL).read_bytes()
    path = tmp_path / "cut.ncu-rep"
    seeded = random.Random(1)
    offsets = [*range(0, 300, 7), *(seeded.randrange(len(data)) for _ in range(150))]
    for offset in offsets:
        path.write_bytes(data[:offset])
        with pytest.raises(DamagedFileError, match=r"cut\.ncu-rep: found .+, expected a whole Nsight"):
            read_all(path)


def test_every_cut_of_a_report_with_many_blocks_is_refused(tmp_path: Path) -> None:
    data = (ncu_data() / "ESMM-Research__profile_output__3264678.ncu-rep").read_bytes()
    path = tmp_path / "cut.ncu-rep"
    seeded = random.Random(2)
    for _ in range(150):
        path.write_bytes(data[: seeded.randrange(len(data))])
        with pytest.raises(DamagedFileError):
            read_all(path)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "an empty file"),
        (b"SQLite format 3\0" + bytes(100), "SQLite"),
        (b"PK\x03\x04" + bytes(100), "ZIP"),
        (b"\x1f\x8b" + bytes(100), "gzip"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"),
        (b"<!DOCTYPE html><html></html>", "HTML"),
        (b'{"a": 1}', "JSON"),
        (b"NVR\0", "file header of 0 bytes"),
        (b"NVR\0\xff\xff\xff\xff", "file header of 4294967295 bytes"),
        (b"NVR\0\x02\0\0\0\x08\x07", "nothing after it"),
        (b"NVR\0\x02\0\0\0\x08\x09" + bytes(64), "report format 9"),
        (b"NVR\0\x02\0\0\0\x08\x07" + bytes(64), "without its counts"),
    ],
)
def test_foreign_files_say_what_was_found(tmp_path: Path, content: bytes, found: str) -> None:
    path = tmp_path / "foreign.ncu-rep"
    path.write_bytes(content)
    with pytest.raises(DamagedFileError, match=found):
        NcuReport(path)


def test_random_content_never_passes(tmp_path: Path) -> None:
    path = tmp_path / "noise.ncu-rep"
    seeded = random.Random(3)
    for size in (5, 50, 500, 5_000, 50_000):
        for start in (b"", b"NVR\0", b"NVR\0\x02\0\0\0\x08\x07"):
            for _ in range(15):
                path.write_bytes(start + seeded.randbytes(size))
                with pytest.raises(DamagedFileError):
                    read_all(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.ncu-rep", tmp_path):
        with pytest.raises(DamagedFileError, match=path.name):
            NcuReport(path)


def test_flipped_bits_raise_only_the_one_error(tmp_path: Path) -> None:
    data = bytearray((ncu_data() / SMALL).read_bytes())
    path = tmp_path / "flipped.ncu-rep"
    seeded = random.Random(4)
    refused = 0
    for _ in range(400):
        # Metrics begin after the machine code, at byte 6,600; half of the flips go there.
        position = seeded.randrange(6_600, 110_000) if seeded.random() < 0.5 else seeded.randrange(len(data))
        bit = 1 << seeded.randrange(8)
        data[position] ^= bit
        path.write_bytes(data)
        try:
            read_all(path)
        except DamagedFileError:
            refused += 1
        data[position] ^= bit
    # Most bits are numbers or machine code, where a change cannot be seen without a checksum.
    assert refused >= 15
