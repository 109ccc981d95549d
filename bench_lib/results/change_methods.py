"""Methods that look for steps, ours and others', each as: values → first index of each new level."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench_lib.errors import UnavailableError
from bench_lib.results import changes
from bench_lib.results.step_noise import outliers
from bench_lib.results.step_search import MIN_SIDE

Floats = NDArray[np.float64]
Method = Callable[[Floats], list[int]]

#: asv's own default: steps below this are not shown as regressions.
ASV_THRESHOLD: Final = 0.05
#: Otava's default p, and one that alerts less.
OTAVA_P: Final = (0.001, 1e-5)


def confirmed(values: Floats) -> list[int]:
    """Ours: confirmed steps."""
    return [step.index for step in changes.find_steps(values) if step.kind == "confirmed"]


def possible(values: Floats) -> list[int]:
    """Ours: confirmed and possible steps."""
    return [step.index for step in changes.find_steps(values)]


def asv_steps(values: Floats) -> list[int]:
    """Every step of asv's detection, up or down."""
    from asv.step_detect import detect_steps

    return [left for left, *_ in detect_steps(list(values))[1:]]


def asv_default(values: Floats) -> list[int]:
    """asv's steps of more than 5 %, the size from which it reports by default; up or down."""
    from asv.step_detect import detect_steps

    steps = detect_steps(list(values))
    return [
        after[0]
        for before, after in itertools.pairwise(steps)
        if abs(after[2] / before[2] - 1) > ASV_THRESHOLD
    ]


def pelt_l2(values: Floats) -> list[int]:
    """PELT on squares, with a penalty of 8 s² ln n, with outliers, as we find them, replaced."""
    ruptures = _ruptures()
    y = _without_outliers(values)
    deviation = 1.4826 * float(np.median(np.abs(np.diff(y)))) / math.sqrt(2)
    if deviation == 0:
        return []
    fitted = ruptures.KernelCPD(kernel="linear", min_size=MIN_SIDE).fit(y)
    return list(fitted.predict(pen=8 * deviation**2 * math.log(len(y))))[:-1]


def pelt_rbf(values: Floats) -> list[int]:
    """PELT with a kernel, with outliers replaced likewise."""
    ruptures = _ruptures()
    y = _without_outliers(values)
    if np.ptp(y) == 0:
        return []
    fitted = ruptures.KernelCPD(kernel="rbf", min_size=MIN_SIDE).fit(y)
    return list(fitted.predict(pen=3 * math.log(len(y))))[:-1]


def _without_outliers(values: Floats) -> Floats:
    """Logarithms of ``values``, with the median of its neighbours in place of each outlier."""
    y = np.log(values)
    return y - outliers(y)


def _ruptures() -> Any:
    try:
        import ruptures
    except ImportError as error:
        raise UnavailableError(
            "no-ruptures",
            "the comparison with PELT needs ruptures, which is not installed.",
            remedy="Install with: python -m pip install 'bench-lib[change-benchmark]'",
        ) from error
    return ruptures


_OTAVA_CHILD: Final = """
import json, sys, time
from otava.analysis import compute_change_points
request = json.load(sys.stdin)
found, start = [], time.process_time()
for series in request["series"]:
    points, _ = compute_change_points(series, max_pvalue=request["p"])
    found.append([int(point.index) for point in points])
json.dump({"found": found, "cpu_s": time.process_time() - start}, sys.stdout)
"""


def otava(series: Sequence[Floats], *, python: str, p: float) -> tuple[list[list[int]], float]:
    """E-divisive as Apache Otava has it, run by another interpreter: steps of each series, and CPU seconds.

    Otava pins a numpy of its own, so that it needs an environment of its own.

    Raises
    ------
    UnavailableError
        ``python`` has no Otava, or it failed.
    """
    request = json.dumps({"series": [list(values) for values in series], "p": p})
    try:
        done = subprocess.run(
            [python, "-c", _OTAVA_CHILD], input=request, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        said = str(getattr(error, "stderr", "") or error).strip().splitlines()[-1:]
        raise UnavailableError(
            "no-otava",
            f"{python} could not run Apache Otava: {' '.join(said)}",
            remedy="Make an environment for it alone: python -m pip install apache-otava",
        ) from error
    answer = json.loads(done.stdout)
    return answer["found"], float(answer["cpu_s"])
