"""Damaged reports: always an error that names the file, or the values of the undamaged one."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from bench_lib.errors import DamagedFileError
from bench_lib.roofline.analysis import analyse_file
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


def verdicts(path: Path) -> list[tuple[str, str, str | None]]:
    return [
        (c.verdict.label, c.spec_label, c.nvidia_rule)
        for c in (analysis.classification for analysis in analyse_file(path))
    ]


def damage(data: bytes, seeded: random.Random) -> bytes:
    """Bits flipped, a stretch zeroed, overwritten, removed, inserted or copied from elsewhere."""
    content = bytearray(data)
    at, length = seeded.randrange(len(content)), seeded.choice([8, 64, 512, 4096])
    kind = seeded.randrange(6)
    if kind == 0:
        for _ in range(50):
            content[seeded.randrange(len(content))] ^= 1 << seeded.randrange(8)
    elif kind == 1:
        content[at : at + length] = bytes(len(content[at : at + length]))
    elif kind == 2:
        content[at : at + length] = seeded.randbytes(len(content[at : at + length]))
    elif kind == 3:
        del content[at : at + length]
    elif kind == 4:
        content[at:at] = seeded.randbytes(length)
    else:
        other = seeded.randrange(len(content) - length)
        content[at : at + length] = content[other : other + len(content[at : at + length])]
    return bytes(content)


def test_damage_never_gives_another_verdict(tmp_path: Path) -> None:
    path = tmp_path / "damaged.ncu-rep"
    seeded = random.Random(6)
    refused = 0
    for name in (SMALL, "ESMM-Research__profile_output__3264678.ncu-rep"):
        data, right = (ncu_data() / name).read_bytes(), verdicts(ncu_data() / name)
        for _ in range(150):
            path.write_bytes(damage(data, seeded))
            try:
                found = verdicts(path)
            except DamagedFileError:
                refused += 1
                continue
            assert len(found) == len(right)
            for ours, true in zip(found, right, strict=True):
                assert ours == true or ours[0] == "unknown"
    assert refused > 180


def test_cut_or_garbled_exports_never_give_another_class(tmp_path: Path) -> None:
    path = tmp_path / "damaged.csv"
    seeded = random.Random(7)
    refused = 0
    for source in sorted((ncu_data() / "csv").glob("*details.csv")):
        data, right = source.read_bytes(), verdicts(source)
        for number in range(80):
            cut = data[: seeded.randrange(len(data))]
            path.write_bytes(damage(data, seeded) if number % 2 else cut)
            try:
                found = verdicts(path)
            except DamagedFileError:
                refused += 1
                continue
            if number % 2 == 0:
                # A cut at the end of a row looks whole; what is missing then is unknown.
                assert all(label in {right[0][0], "unknown"} for label, _, _ in found)
    assert refused > 100
