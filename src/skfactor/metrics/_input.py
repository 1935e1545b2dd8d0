"""What the metrics accept: tables of labels, tables of scores, and weights of the samples.

A table of labels is CSR from here on, whatever it came as: one code path then serves dense and sparse, and
the work is in proportion to the number of labels that are there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix, check_finite


def indicator_table(Y: Matrix, name: str) -> Any:
    """`Y` as a CSR array of ones, refusing whatever is no table of 0 and 1."""
    Y = _numbers(Y)
    _check_table(Y, name)
    table = _csr(Y)
    table.eliminate_zeros()
    check_finite(table, name)
    _check_binary(table, name)
    return table


def score_table(scores: Matrix, name: str = "scores") -> Any:
    """`scores` as an array, or as CSR if they are sparse, where every stored score stays, even 0."""
    scores = _csr(scores) if sparse.issparse(scores) else _numbers(scores)
    _check_table(scores, name)
    check_finite(scores, name)
    return scores


def row_weights(sample_weight: Any, n_rows: int) -> FloatArray:
    """`sample_weight` as an array, ones if None."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight must have shape ({n_rows},), got {weights.shape}.")
    check_finite(weights, "sample_weight")
    if np.any(weights < 0) or not np.any(weights):
        raise ValueError("sample_weight must be nonnegative with a sum above 0.")
    return weights


def check_same_shape(**tables: Any) -> None:
    """Refuse tables whose shapes differ."""
    if len({table.shape for table in tables.values()}) > 1:
        shapes = ", ".join(f"{name} has shape {table.shape}" for name, table in tables.items())
        raise ValueError(f"The shapes must be the same, but {shapes}.")


def _numbers(table: Matrix) -> Any:
    """`table` if it is sparse, else as an array of numbers, whatever objects hold them."""
    if sparse.issparse(table):
        return table
    array = np.asarray(table)
    return array if array.dtype.kind in "biuf" else array.astype(np.float64)


def _csr(table: Matrix) -> Any:
    """`table` in rows, each entry stored once; a copy, for the caller's own is not to be changed."""
    rows = sparse.csr_array(table, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    return rows


def _check_table(table: Any, name: str) -> None:
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(f"{name} must be a table of samples x labels with entries, got shape {table.shape}.")


def _check_binary(table: Any, name: str) -> None:
    other = np.flatnonzero(table.data != 1)
    if other.size:
        place = table.tocoo()
        row, column = (int(index[other[0]]) for index in (place.row, place.col))
        raise ValueError(
            f"{name} must hold 0 and 1 only, got {place.data[other[0]]:g} (row {row}, column {column}). "
            f"Pass {name} > 0 for labels coded -1 and +1, and threshold scores first."
        )
