"""Columns of features and labels from the columns of an ARFF file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix
from skfactor.datasets.arff_header import POSITIVE, Attribute


def column_names(attribute: Attribute) -> list[str]:
    """Name the columns that `encode` makes of `attribute`.

    >>> column_names(Attribute("sick", ("NO", "YES"))), column_names(Attribute("size", ("S", "M", "L")))
    (['sick'], ['size=S', 'size=M', 'size=L'])
    """
    if attribute.values is None or attribute.binary:
        return [attribute.name]
    return [f"{attribute.name}={value}" for value in attribute.values]


def encode(table: Matrix, attributes: Sequence[Attribute], places: Sequence[int]) -> Matrix:
    """Make the columns of `attributes`, which stand at `places` of `table`: of the same kind as `table`."""
    columns: Any = table.tocsc() if hasattr(table, "tocsc") else None
    if columns is None:
        blocks = [_values(kind, table[:, place]) for kind, place in zip(attributes, places, strict=True)]
        return np.hstack([np.empty((len(table), 0)), *blocks])
    # One column at a time: what is stored, and what is not, which is value 0 of the attribute.
    n_rows = columns.shape[0]
    data: list[FloatArray] = []
    rows: list[IntArray] = []
    for attribute, place in zip(attributes, places, strict=True):
        stored = slice(columns.indptr[place], columns.indptr[place + 1])
        values, left_out = _values(attribute, columns.data[stored]), _values(attribute, np.zeros(1))[0]
        for column, rest in zip(values.T, left_out, strict=True):
            place_rows, place_values = columns.indices[stored], column
            if rest:
                filled = np.full(n_rows, rest)
                filled[place_rows] = place_values
                place_rows, place_values = np.arange(n_rows), filled
            rows.append(place_rows)
            data.append(place_values)
    return _csr(data, rows, n_rows)


def _values(attribute: Attribute, codes: FloatArray) -> FloatArray:
    """Turn numbers, or places of nominal values, into one or several columns. NaN stays NaN."""
    if attribute.values is None:
        return codes[:, np.newaxis]
    if attribute.binary:
        meaning = np.array([[value.lower() in POSITIVE] for value in attribute.values], dtype=np.float64)
    else:
        meaning = np.eye(len(attribute.values))
    values = np.full((len(codes), meaning.shape[1]), np.nan)
    known = ~np.isnan(codes)
    values[known] = meaning[codes[known].astype(np.intp)]
    return values


def _csr(data: list[FloatArray], rows: list[IntArray], n_rows: int) -> Matrix:
    starts = np.cumsum([0, *(len(column) for column in data)])
    none = np.empty(0, dtype=np.int64)
    parts = (np.concatenate([none, *data]), np.concatenate([none, *rows]), starts)
    table: Matrix = sparse.csc_array(parts, shape=(n_rows, len(data))).tocsr()
    table.eliminate_zeros()
    return table
