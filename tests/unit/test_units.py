"""Scaling and formatting, by hand."""

from __future__ import annotations

import math

import pytest

from bench_lib.errors import UsageError
from bench_lib.metrics import METRICS, metric
from bench_lib.units import UNITS, Unit, format_value, scale


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (1.5, "s", "1.5 s"),
        (0.0123456, "s", "12.35 ms"),
        (4.2e-5, "s", "42 µs"),
        (5e-10, "s", "0.5 ns"),
        (0.99999996, "s", "1 s"),
        (0.0, "s", "0 s"),
        (123456.0, "s", "123,500 s"),
        (1023.0, "B", "1023 B"),
        (1536.0, "B", "1.5 KiB"),
        (11220 * 1024**2, "B", "10.96 GiB"),
        (989.4e12, "FLOP/s", "989.4 TFLOP/s"),
        (3.35e12, "B/s", "3.35 TB/s"),
        (12345.0, "token/s", "12.35 ktoken/s"),
        (0.93, "1", "0.93"),
        (-0.002, "s", "-2 ms"),
        (None, "s", "unknown"),
        (math.nan, "B", "unknown"),
        (math.inf, "s", "inf s"),
    ],
)
def test_format(value: float | None, unit: Unit, expected: str) -> None:
    assert format_value(value, unit) == expected


@pytest.mark.parametrize("unit", UNITS)
def test_every_unit_scales(unit: Unit) -> None:
    factor, name = scale(1.0, unit)
    assert factor == 1.0
    assert name == ("" if unit == "1" else unit)


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown unit 'ms'"):
        scale(1.0, "ms")  # type: ignore[arg-type]


def test_metrics_are_named_by_their_key_and_have_known_units() -> None:
    for name, entry in METRICS.items():
        assert entry.name == name
        assert entry.unit in UNITS
        assert entry.description.endswith(".")


def test_an_unknown_metric_lists_those_that_exist() -> None:
    with pytest.raises(UsageError, match=r"found 'steptime', expected one of step_time"):
        metric("steptime")
