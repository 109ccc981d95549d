"""Whether samples drift, as they do when a device heats up or changes its clock."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

#: Fewer samples than this cannot show a trend at the level below.
MIN_SAMPLES: Final = 8
#: A trend is marked where chance would give one as strong in less than 1 of 100 steady series…
LEVEL: Final = 0.01
#: …and the samples moved by at least this share of their median: less changes no reading.
SIZE: Final = 0.03


@dataclass(frozen=True)
class Drift:
    """How samples move over a series.

    Parameters
    ----------
    change
        Theil–Sen slope over the whole series, as a share of the median: 0.1 ends 10 % slower.
    p_value
        Of the Mann–Kendall test; small where a steady series would hardly do this.
    """

    change: float
    p_value: float

    @property
    def is_marked(self) -> bool:
        """Whether a reader should be told."""
        return self.p_value < LEVEL and abs(self.change) >= SIZE


def find_drift(samples: Sequence[float]) -> Drift | None:
    """Trend of ``samples`` in the order they were taken; ``None`` for fewer than :data:`MIN_SAMPLES`.

    **Source**: H. B. Mann, *Econometrica* 13 (1945): Kendall's τ between values and their order;
    P. K. Sen, *J. Am. Stat. Assoc.* 63 (1968). Both as SciPy computes them, ties corrected for.
    """
    if len(samples) < MIN_SAMPLES:
        return None
    from scipy.stats import kendalltau, theilslopes

    order = range(len(samples))
    p_value = float(kendalltau(order, samples).pvalue)
    median = sorted(samples)[len(samples) // 2]
    slope = float(theilslopes(samples, order)[0])
    change = slope * (len(samples) - 1) / median if median > 0 else 0.0
    # All samples alike have no τ.
    return Drift(change=change, p_value=1.0 if math.isnan(p_value) else p_value)
