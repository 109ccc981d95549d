"""CSV exports: each oddity that was seen in public ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bench_lib.errors import DamagedFileError
from bench_lib.roofline.analysis import open_source
from bench_lib.roofline.ncu_csv_file import NcuCsv
from bench_lib.roofline.ncu_csv_values import bottleneck_title, parse_number, scale_of, to_metric

DETAILS = (
    '"ID","Process ID","Process Name","Host Name","Kernel Name","CC","Section Name","Metric Name",'
    '"Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description"\n'
)
RAW = (
    '"ID","Process ID","Kernel Name","CC","gpu__time_duration.sum","dram__bytes.sum.per_second",'
    '"sm__throughput.avg.pct_of_peak_sustained_elapsed","launch__func_cache_config"\n'
)


def row(identity: int, section: str, name: str, unit: str, value: str) -> str:
    return f'"{identity}","7","a.out","127.0.0.1","k(int)","9.0","{section}","{name}","{unit}","{value}",\n'


def write(tmp_path: Path, text: str, *, encoding: str = "utf-8") -> Path:
    path = tmp_path / "export.csv"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12.0),
        ("1,342,177,280", 1342177280.0),
        ("30,990.14", 30990.14),
        ("-0.5", -0.5),
        ("1.2e+09", 1.2e9),
        ("1\u202f234\u202f567", 1234567.0),
        ("3 (1; 2)", 3.0),
        ("(!) 5", 5.0),
        ("n/a", None),
        ("(!) n/a", None),
        ("nan", None),
        ("inf", None),
        ("", None),
        ("54,36", None),
        ("1,23,456", None),
        ("No-CC", None),
    ],
)
def test_numbers(text: str, number: float | None) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    ("unit", "factor", "dimension"),
    [
        ("Mbyte", 1e6, "byte"),
        ("Gbyte/s", 1e9, "byte/s"),
        ("Gbyte/second", 1e9, "byte/s"),
        ("Ghz", 1e9, "hz"),
        ("cycle/nsecond", 1e9, "hz"),
        ("usecond", 1e-6, "s"),
        ("ms", 1e-3, "s"),
        ("%", 1.0, "%"),
        ("", 1.0, "1"),
        ("furlong", 1.0, "?"),
    ],
)
def test_units(unit: str, factor: float, dimension: str) -> None:
    found, name = scale_of(unit)
    assert (found, name) == (pytest.approx(factor), dimension)


def test_one_heading_two_meanings() -> None:
    sol, memory = "GPU Speed Of Light Throughput", "Memory Workload Analysis"
    share = to_metric("Memory Throughput", "%", 54.36, section=sol)
    rate = to_metric("Memory Throughput", "Gbyte/s", 958.09, section=memory)
    assert share == ("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 54.36)
    assert rate == ("dram__bytes.sum.per_second", pytest.approx(958.09e9))
    assert to_metric("Memory Throughput", "%", 1.0, section=memory) is None


def test_details_with_preamble_bom_and_noise(tmp_path: Path) -> None:
    sol = "GPU Speed Of Light Throughput"
    text = (
        "==PROF== Connected to process 7 (/home/someone/a.out)\nloss 0.1\n"
        + DETAILS
        + row(0, sol, "Duration", "us", "18.34")
        + "step 1, loss 0.05\n"
        + row(0, sol, "Compute (SM) Throughput", "%", "n/a")
        + row(1, sol, "Duration", "ms", "1.5")
        + '"1","7","a.out","127.0.0.1","k(int)","9.0","SpeedOfLight","","","","SOLBottleneck","OPT",'
        '"This kernel grid is too small to fill, ""really"""\n' + "==PROF== Disconnected from process 7\n"
    )
    launches = list(NcuCsv(write(tmp_path, text, encoding="utf-8-sig")))
    assert [launch.number("gpu__time_duration.sum") for launch in launches] == [18340.0, 1.5e6]
    sm = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
    assert sm in launches[0].metrics and launches[0].number(sm) is None
    assert [launch.nvidia_rule for launch in launches] == [None, "Small Grid"]


def test_raw_page_with_units(tmp_path: Path) -> None:
    text = (
        RAW
        + '"","","","","us","Gbyte/s","%",""\n'
        + '"0","7","k(int)","8.6","1,000.5","2","91.5","CachePreferNone"\n'
        + '"1","7","k(int)","8.6","n/a"\n'
    )
    first, short = NcuCsv(write(tmp_path, text))
    assert first.number("gpu__time_duration.sum") == pytest.approx(1000.5e3)
    assert first.number("dram__bytes.sum.per_second") == 2e9
    assert first.text("launch__func_cache_config") == "CachePreferNone"
    assert short.number("gpu__time_duration.sum") is None
    assert short.number("dram__bytes.sum.per_second") is None


def test_raw_page_without_units_gives_only_percentages(tmp_path: Path) -> None:
    (launch,) = NcuCsv(write(tmp_path, RAW + '"0","7","k(int)","8.6","1000","2","91.5",""\n'))
    assert launch.number("sm__throughput.avg.pct_of_peak_sustained_elapsed") == 91.5
    assert launch.number("gpu__time_duration.sum") is None


def test_powershell_redirection(tmp_path: Path) -> None:
    text = DETAILS + row(0, "GPU Speed Of Light Throughput", "Duration", "ns", "9,589,248")
    (launch,) = NcuCsv(write(tmp_path, text, encoding="utf-16"))
    assert launch.number("gpu__time_duration.sum") == 9589248.0


def test_two_processes_with_the_same_ids_are_two_launches(tmp_path: Path) -> None:
    one = row(0, "GPU Speed Of Light Throughput", "Duration", "us", "1")
    text = DETAILS + one + one.replace('"7"', '"8"') + DETAILS + one
    assert NcuCsv(write(tmp_path, text)).num_launches == 3


def test_a_metric_given_twice_with_two_values_is_unknown(tmp_path: Path) -> None:
    sol = "GPU Speed Of Light Throughput"
    text = DETAILS + row(0, sol, "Memory Throughput", "%", "90") + row(0, sol, "Memory Throughput", "%", "10")
    (launch,) = NcuCsv(write(tmp_path, text))
    assert launch.number("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "no table of launches"),
        ("a,b\n1,2\n", "no table of launches"),
        ("==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - no permission\n", "ERR_NVGPUCTRPERM"),
        (DETAILS, "without any launch"),
        (DETAILS + '"0","7","a.out","127.0.0.1","k(int', "inside a quoted cell"),
        (DETAILS + '"0","7","a.out"', "inside a row"),
        ("\0\1\2", "binary content"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, found: str) -> None:
    with pytest.raises(DamagedFileError, match=found):
        NcuCsv(write(tmp_path, text))


def test_rule_texts() -> None:
    assert bottleneck_title("Memory is more heavily utilized than\nCompute: look") == "High Memory Throughput"
    assert bottleneck_title("something new") is None


def test_an_unquoted_file_that_ends_inside_a_row_is_refused(tmp_path: Path) -> None:
    text = RAW.replace('"', "") + ",,,,ns,byte/second,%,\n0,7,k,9.0,5,6,9"
    with pytest.raises(DamagedFileError, match="ends inside a row"):
        NcuCsv(write(tmp_path, text))


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedFileError, match="a line of more than"):
        NcuCsv(write(tmp_path, RAW + "x" * (1 << 21)))


@pytest.mark.parametrize("name", ["p.csv", "p.ncu-rep"])
def test_a_pipe_is_refused_at_once(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(DamagedFileError, match=f"{name}: found a pipe, socket or device"):
        open_source(tmp_path / name)


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (DETAILS.replace('"Metric Unit"', '"Metric Value"'), "two columns 'Metric Value'"),
        (DETAILS.replace('"Metric Name",', ""), "without the column 'Metric Name'"),
        (DETAILS.replace('"Metric Value"', '"Value"'), "without the column 'Metric Value'"),
        (RAW.replace('"CC"', '"Kernel Name"'), "two columns 'Kernel Name'"),
    ],
)
def test_a_header_must_say_one_thing(tmp_path: Path, header: str, found: str) -> None:
    with pytest.raises(DamagedFileError, match=found):
        NcuCsv(write(tmp_path, header + row(0, "s", "n", "%", "1")))


def test_a_printed_line_with_a_lone_quote_hides_no_row(tmp_path: Path) -> None:
    rows = row(0, "GPU Speed Of Light Throughput", "Memory Throughput", "%", "54.36")
    (launch,) = NcuCsv(write(tmp_path, '"odd\n' + DETAILS + rows + '"done\n'))
    assert launch.number("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed") == 54.36


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("gpu__time_duration.sum", ""),
        ("gpu__time_duration.sum", "fortnight"),
        ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "us"),
        ("dram__bytes.sum.per_second", "furlong"),
    ],
)
def test_a_unit_that_does_not_fit_makes_no_number(name: str, unit: str) -> None:
    assert to_metric(name, unit, 5.0) is None
