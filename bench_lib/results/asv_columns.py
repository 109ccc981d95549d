"""Results files of asv read by column, where every row of one is whole: most files are such ones."""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any, Final

import numpy as np

from bench_lib.results.asv_cells import Cells, Layout, Tables, counts_of, status_of, values_of, vector_of

_WHOLE: Final = ("params", "version", "result", "stats_ci_99_a", "stats_ci_99_b", "stats_repeat")
_MAX_LAYOUTS: Final = 8


def cells_like_before(data: dict[str, Any], tables: Tables) -> Cells | None:
    """Cells of a file whose rows are all whole, column by column; of any other, nothing.

    Most files are such ones. What they have in common with one before is then compared, not made again.
    """
    columns = _whole_columns(data["result_columns"], list(data["results"].values()))
    if columns is None:
        return None
    params, versions, *figures = columns
    lengths = list(map(len, figures[0]))
    if any(list(map(len, other)) != lengths for other in figures[1:]):
        return None
    layout = _layout_of(list(data["results"]), params, versions, lengths, tables)
    if layout is None:
        return None
    value, low, high, repeat = (list(itertools.chain.from_iterable(lists)) for lists in figures)
    values = values_of(value)
    return Cells(
        combination=layout.combination,
        version=layout.version,
        value=values,
        low=vector_of(low, "stats_ci_99_a"),
        high=vector_of(high, "stats_ci_99_b"),
        num_samples=counts_of(repeat),
        status=status_of(value, values),
        sample_counts=np.zeros(len(values), dtype=np.int32),
        samples=np.empty(0),
    )


def _whole_columns(names: list[str], rows: list[Any]) -> list[list[Any]] | None:
    """Columns ``_WHOLE`` of rows without samples, where every row has them all and each figure is a list."""
    if not rows or set(map(type, rows)) != {list} or not set(_WHOLE) <= set(names):
        return None
    wanted = [names.index(name) for name in _WHOLE]
    samples = names.index("samples") if "samples" in names else len(names)
    if min(map(len, rows)) <= max(wanted) or any(
        row[samples:] and row[samples] not in (None, []) for row in rows
    ):
        return None
    columns = [list(map(operator.itemgetter(place), rows)) for place in wanted]
    # Versions 1 and True are equal, and not the same.
    is_plain = set(map(type, columns[1])) <= {str, type(None)}
    return columns if is_plain and all(set(map(type, c)) == {list} for c in columns[2:]) else None


def _layout_of(
    names: list[str], params: list[Any], versions: list[Any], lengths: list[int], tables: Tables
) -> Layout | None:
    for layout in reversed(tables.layouts):
        if (
            layout.lengths == lengths
            and layout.names == names
            and layout.versions == versions
            and layout.params == params
        ):
            return layout
    # Not made where a row does not fit: its error is told by what reads rows.
    # Other than strings may be equal without being the same; asv writes strings.
    if not all(type(v) is str for axes in params for values in axes or [] for v in values):
        return None
    combination: list[int] = []
    version: list[int] = []
    for name, axes, stated, n in zip(names, params, versions, lengths, strict=True):
        if n != math.prod(map(len, axes or [])):
            return None
        combination += tables.combinations(name, axes or [])
        version += [tables.version.code("" if stated is None else str(stated))] * n
    made = Layout(
        names,
        params,
        versions,
        lengths,
        np.array(combination, dtype=np.int32),
        np.array(version, dtype=np.int32),
    )
    tables.layouts = [*tables.layouts[1 - _MAX_LAYOUTS :], made]
    return made
