"""The figures that the papers print, as they print them.

The CSV files beside this one have a row per figure: table, dataset, method, metric, mean, std, note.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from skfactor._validation import FloatArray


@dataclass(frozen=True)
class Figure:
    """One printed figure.

    Attributes
    ----------
    table : str
        Paper and number of the table, as "thesis-6.2".
    dataset, method, metric : str
        As the table calls them.
    mean : float
        A time is in seconds. NaN where the table says that the method was not run.
    std : float or None
        If the table has it.
    note : str
        What the table says beside it: a rank, a protocol.
    """

    table: str
    dataset: str
    method: str
    metric: str
    mean: float
    std: float | None
    note: str


def figures(table: str | None = None) -> list[Figure]:
    """Look up the printed figures of a table, or all of them.

    Parameters
    ----------
    table : str, optional
        See `tables`.

    Returns
    -------
    list of Figure

    Examples
    --------
    >>> figures("twomf-3")[0]
    Figure(table='twomf-3', dataset='corel5k', method='TWOMF', metric='micro_f1', mean=0.283, std=None, ...)
    """
    if table is not None and table not in tables():
        raise ValueError(f"No figures of a table {table!r}. Choose from {', '.join(tables())}.")
    return [figure for figure in _all() if table in (None, figure.table)]


def tables() -> list[str]:
    """Names of the tables, in their order.

    >>> tables()[:2]
    ['mnmtf-2', 'ommf-2']
    """
    return list(dict.fromkeys(figure.table for figure in _all()))


def matrix(table: str, metric: str, without: Sequence[str] = ()) -> tuple[list[str], list[str], FloatArray]:
    """One metric of a table as a matrix.

    Parameters
    ----------
    table, metric : str
    without : sequence of str
        Data sets to leave out.

    Returns
    -------
    datasets, methods : list of str
    values : ndarray of shape (n_datasets, n_methods)
        NaN where the table has no figure.
    """
    found = [f for f in figures(table) if f.metric == metric and f.dataset not in without]
    datasets, methods = (list(dict.fromkeys(getattr(f, part) for f in found)) for part in ("dataset", "method"))
    values = np.full((len(datasets), len(methods)), np.nan)
    for figure in found:
        values[datasets.index(figure.dataset), methods.index(figure.method)] = figure.mean
    return datasets, methods, values


@cache
def _all() -> tuple[Figure, ...]:
    return tuple(figure for path in sorted(_files(), key=lambda path: path.name) for figure in _read(path))


def _files() -> list[Any]:
    return [path for path in files(__name__).iterdir() if path.name.endswith(".csv")]


def _read(path: Any) -> Iterator[Figure]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            std = float(row["std"]) if row["std"] else None
            names = (row["table"], row["dataset"], row["method"], row["metric"])
            yield Figure(*names, _number(row["mean"]), std, row["note"])


def _number(text: str) -> float:
    """A number, or the seconds of hours, minutes and seconds, however they are divided.

    >>> _number("0.283"), _number("01:08.11"), _number("00.16.60 (sic)"), _number("")
    (0.283, 4091.0, 1020.0, nan)
    """
    try:
        return float(text or "nan")
    except ValueError:
        hours, minutes, seconds = map(float, re.findall(r"\d+", text))
        return 3600 * hours + 60 * minutes + seconds
