"""Records of models as text: each beside the fastest of its workload on devices of its kind."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any, Final

from tabulate import tabulate

from bench_lib.model import Measurement, Run
from bench_lib.units import format_value

#: What each workload is compared by.
MAIN_METRIC: Final = {"edge_models.Decoder": "decode_time", "edge_models.Block": "inference_latency"}
#: Details that a case consists of.
CASE: Final = ("framework", "device", "precision")
#: Least samples for a percentile: ten beyond it, or it is one sample's luck.
_LEAST_SAMPLES: Final = {90: 20, 99: 1000}


def percentile(measurement: Measurement | None, at: int) -> float | None:
    """A percentile of the samples; ``None`` where there are too few to tell it."""
    if measurement is None or len(measurement.samples) < _LEAST_SAMPLES.get(at, 1):
        return None
    if at == 50:
        return statistics.median(measurement.samples)
    return statistics.quantiles(measurement.samples, n=100, method="inclusive")[at - 1]


def is_software(run: Run) -> bool:
    """Whether a processor emulated the device: never compared with the others."""
    return bool(run.details.get("software_device"))


def relative(run: Run, runs: Sequence[Run]) -> float | None:
    """Median over the smallest median among ``runs`` of the same benchmark, hardware and kind of device."""
    metric = MAIN_METRIC[run.benchmark]
    own = percentile(run.measurement(metric), 50)
    medians = [
        m
        for other in runs
        if (other.benchmark, other.hardware, is_software(other))
        == (run.benchmark, run.hardware, is_software(run))
        and other.status == "ok"
        and (m := percentile(other.measurement(metric), 50)) is not None
    ]
    return own / min(medians) if own is not None and medians else None


def tokens_per_s(run: Run, metric: str, num_tokens: int) -> float | None:
    """Tokens over the median time that they took."""
    median = percentile(run.measurement(metric), 50)
    return num_tokens / median if median else None


def as_json(run: Run, runs: Sequence[Run]) -> dict[str, Any]:
    """One record for programs; unknown values are ``None``."""
    return {
        "benchmark": run.benchmark,
        **{name: run.details.get(name) for name in CASE},
        "status": run.status,
        "reason": run.reason or None,
        "hardware": run.hardware,
        "origin": run.origin,
        "relative_to_fastest": relative(run, runs),
        "measurements": {
            m.metric: {
                "median": percentile(m, 50),
                "p90": percentile(m, 90),
                "p99": percentile(m, 99),
                "samples": list(m.samples),
                "clock": m.clock,
            }
            for m in run.measurements
        },
        "details": dict(run.details),
    }


def as_text(runs: Sequence[Run]) -> str:
    """A table a workload, fastest first, software devices after the others; then what gave no figures."""
    parts: list[str] = []
    for benchmark, main in MAIN_METRIC.items():
        good = [r for r in runs if r.benchmark == benchmark and r.status == "ok"]
        good.sort(key=lambda r: (is_software(r), percentile(r.measurement(main), 50) or 0.0))
        if good:
            parts.append(f"{benchmark}\n" + tabulate([_row(r, good) for r in good], headers="keys"))
    parts += [f"{r.params.get('case')}: {r.status}: {r.reason}" for r in runs if r.status != "ok"]
    return "\n\n".join(parts)


def _row(run: Run, runs: Sequence[Run]) -> dict[str, str]:
    times = {
        "edge_models.Decoder": (
            ("prefill", "prefill_time"),
            ("first token", "time_to_first_token"),
            ("decode a token", "decode_time"),
        ),
        "edge_models.Block": (("latency", "inference_latency"),),
    }[run.benchmark]
    row = {key: str(run.details.get(key, "")) for key in CASE}
    if is_software(run):
        row["device"] += " (software)"
    for title, metric in times:
        measurement = run.measurement(metric)
        p90 = percentile(measurement, 90)
        row[title] = format_value(percentile(measurement, 50), "s", digits=3)
        row[f"{title} p90"] = format_value(p90, "s", digits=3) if p90 is not None else "–"
    ratio = relative(run, runs)
    row["to fastest"] = "–" if ratio is None else f"{ratio:.2f}×"
    for title, metric, unit in (
        ("load", "model_load_time", "s"),
        ("first run", "first_inference_time", "s"),
        ("peak RSS", "peak_rss", "B"),
        ("bytes", "artefact_size", "B"),
    ):
        row[title] = format_value(percentile(run.measurement(metric), 50), unit, digits=3)  # type: ignore[arg-type]
    error = percentile(run.measurement("output_error"), 50)
    row["error"] = "unknown" if error is None else f"{error:.1g}"
    return row
