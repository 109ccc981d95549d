"""Methods that look for steps, on the same labelled series: ``python -m bench_lib.results.change_benchmark``.

Precision: found steps that are true. Recall: true steps that were found. A step counts as found within five
values of its place. Delay: values after a step until it is found, when they come in one by one. Time: CPU
milliseconds for one series of 200 values.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bench_lib.results import change_methods
from bench_lib.results.change_methods import Floats, Method
from bench_lib.results.labelled_series import MAIN_NOISES, NOISES, STEPS, LabelledSeries, labelled

#: How far from its place a step may be found, in values.
TOLERANCE: Final = 5
#: Values after the step at which methods look, to tell the delay.
LOOKS: Final = (2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 30, 40)
#: Differs from that with which thresholds were chosen (1).
SEED: Final = 7
METHODS: Final[dict[str, Method]] = {
    "ours, confirmed": change_methods.confirmed,
    "ours, with possible": change_methods.possible,
    "asv, all steps": change_methods.asv_steps,
    "asv, > 5 % (its default)": change_methods.asv_default,
    "PELT l2, no outliers": change_methods.pelt_l2,
}
#: Takes 200 ms a series.
SLOW_METHODS: Final[dict[str, Method]] = {"PELT rbf, no outliers": change_methods.pelt_rbf}


@dataclass(frozen=True)
class Score:
    """How a method did. ``false_in_null`` counts steps found in series that have none, per series."""

    precision: float
    recall: float
    false_in_null: float
    delay: float
    milliseconds: float


def match(found: Iterable[int], true: Sequence[int], *, tolerance: int = TOLERANCE) -> int:
    """Number of ``true`` steps found, each by one found step of its own, the nearest."""
    left = list(found)
    hits = 0
    for place in true:
        near = [f for f in left if abs(f - place) <= tolerance]
        if near:
            hits += 1
            left.remove(min(near, key=lambda f: abs(f - place)))
    return hits


def score(series: Sequence[LabelledSeries], found: Sequence[Sequence[int]], *, cpu_s: float) -> Score:
    """Score what was ``found`` in ``series``; the delay is not known from it, and NaN."""
    hits = sum(match(f, s.steps) for f, s in zip(found, series, strict=True))
    num_found, num_true = sum(map(len, found)), sum(len(s.steps) for s in series)
    null = [len(f) for f, s in zip(found, series, strict=True) if not s.steps]
    return Score(
        precision=hits / num_found if num_found else math.nan,
        recall=hits / num_true if num_true else math.nan,
        false_in_null=sum(null) / len(null) if null else math.nan,
        delay=math.nan,
        milliseconds=1e3 * cpu_s / len(series),
    )


def run(method: Method, series: Sequence[LabelledSeries]) -> Score:
    """Score ``method`` on ``series``."""
    start = time.process_time()
    found = [method(s.values) for s in series]
    return score(series, found, cpu_s=time.process_time() - start)


def delay(
    find_all: Callable[[list[Floats]], Sequence[Sequence[int]]], series: Sequence[LabelledSeries]
) -> float:
    """Median over ``series`` of the values after the step until it is found; infinite where it never is."""
    asked = [(s, look) for s in series for look in LOOKS if s.steps[0] + look <= len(s.values)]
    found = find_all([s.values[: s.steps[0] + look] for s, look in asked])
    delays: dict[int, float] = {id(s): math.inf for s in series}
    for (s, look), places in zip(asked, found, strict=True):
        if match(places, s.steps):
            delays[id(s)] = min(delays[id(s)], look)
    ordered = sorted(delays.values())
    return ordered[len(ordered) // 2] if ordered else math.nan


def _row(kind: str, name: str, result: Score, waited: float) -> str:
    delays = f"{waited:5.0f}" if math.isfinite(waited) else f"  >{LOOKS[-1]}"
    return (
        f"{kind:10} {name:26} {result.precision:9.3f} {result.recall:7.3f} {result.false_in_null:12.3f} "
        f"{delays:>6} {result.milliseconds:8.2f}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=20, help="series a size and noise level")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--otava-python", help="interpreter of an environment with apache-otava")
    parser.add_argument("--rbf", action="store_true", help="also PELT with a kernel: 200 ms a series")
    parser.add_argument(
        "--small", action="store_true", help="steps of 2, 5 and 10 % alone, without those of 20 %"
    )
    parser.add_argument("--more", action="store_true", help="also noise for which nothing is promised")
    arguments = parser.parse_args()
    methods = METHODS | (SLOW_METHODS if arguments.rbf else {})
    steps = STEPS[:3] if arguments.small else STEPS
    python = str(arguments.otava_python)
    print(f"{'noise':10} {'method':26} precision  recall  in null/each  delay       ms")
    for kind in NOISES if arguments.more else MAIN_NOISES:
        series = list(labelled(kind, repeats=arguments.repeats, seed=arguments.seed, steps=steps))
        # Delay where a method has a fair chance: steps of 10 % with noise of 2 %.
        watched = [s for s in series if s.size == 0.1 and s.noise_level == 0.02][:10]
        for name, method in methods.items():
            waited = delay(lambda values, m=method: [m(v) for v in values], watched)  # type: ignore[misc]
            print(_row(kind, name, run(method, series), waited), flush=True)
        if arguments.otava_python:
            for p in change_methods.OTAVA_P:
                found, cpu_s = change_methods.otava([s.values for s in series], python=python, p=p)
                waited = delay(
                    lambda values, p=p: change_methods.otava(values, python=python, p=p)[0],  # type: ignore[misc]
                    watched,
                )
                print(_row(kind, f"Otava, p = {p:g}", score(series, found, cpu_s=cpu_s), waited), flush=True)


if __name__ == "__main__":
    main()
