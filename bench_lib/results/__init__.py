"""The only reader and writer of asv's JSON and of our records.

``load`` gives pandas data; ``read`` gives the same with what could not be read, and what is known of
machines and parameters. pandas is imported when one of them is called, not before.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from bench_lib.results.frames import Results


class ResultsWarning(UserWarning):
    """Something below a results directory could not be used, and was left out."""


def load(directory: Path | str, *, samples: bool = True, cache: bool = True) -> pd.DataFrame:
    """Everything measured below ``directory``, one row a value; see :func:`read` for what it needs.

    A file that cannot be read is named in a :class:`ResultsWarning`, and the others are still read.
    """
    found = read(directory, samples=samples, cache=cache)
    for note in (*found.damaged, *found.notes):
        warnings.warn(str(note), ResultsWarning, stacklevel=2)
    return found.frame


def read(directory: Path | str, *, samples: bool = True, cache: bool = True) -> Results:
    """Read asv's results (every format from asv 0.4 to 0.6) and our records below ``directory``.

    Parameters
    ----------
    directory
        asv's results directory, or a folder that holds one called ``results``. Neither asv.conf.json
        nor the benchmarked repository is needed.
    samples
        Fill the column ``samples``. Without them, a large store takes less memory.
    cache
        Keep what was parsed in the user's cache directory (or ``BENCH_LIB_CACHE``), so that the next
        call reads only files that changed. Needs pyarrow, and is left out for small stores.

    Raises
    ------
    UsageError
        ``directory`` is no folder.
    """
    from bench_lib.results.frames import read_results

    return read_results(Path(directory), samples=samples, cache=cache)
