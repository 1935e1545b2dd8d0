"""Y and the pattern of its known entries, from what people pass to say that labels are missing."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import BoolArray


def split_missing(Y: Any, observed: Any = None) -> tuple[Any, sparse.csr_array | None]:
    """Y without NaN, and the pattern (n x L, ones) of its known entries, None if all are known.

    Parameters
    ----------
    Y : any form of labels
        In a dense array or a data frame, NaN (or None, or the NA of pandas) stands for a label that is not known.
    observed : sparse or dense table of shape (n, L), optional
        Not 0 where a label is known.
    """
    missing = _missing(Y)
    pattern = None if observed is None else _pattern(observed)
    if missing is None or not missing.any():
        return Y, _unless_full(pattern)
    known = _pattern(~missing)
    return _filled(Y, missing), known if pattern is None else _pattern(known.multiply(pattern))


def check_pattern(observed: sparse.csr_array, labels: sparse.csr_array) -> sparse.csr_array:
    """The labels at known entries; refuse a pattern of another shape, and one that leaves nothing to learn."""
    if observed.shape != labels.shape:
        raise ValueError(f"observed must have the shape of Y, {labels.shape}, got {observed.shape}.")
    known = sparse.csr_array(labels.multiply(observed))
    if not known.nnz:
        raise ValueError("Y has no positive entry among those that are known: there is nothing to learn.")
    return known


def _pattern(table: Any) -> sparse.csr_array:
    pattern = (
        sparse.csr_array(table if sparse.issparse(table) else np.asarray(table)).astype(bool).astype(np.float64)
    )
    pattern.sum_duplicates()
    pattern.eliminate_zeros()
    pattern.data[:] = 1.0
    return pattern


def _unless_full(pattern: sparse.csr_array | None) -> sparse.csr_array | None:
    return None if pattern is None or pattern.nnz == pattern.shape[0] * pattern.shape[1] else pattern


def _missing(Y: Any) -> BoolArray | None:
    """Where Y is NaN, None if it is of a form that has no place for it."""
    if sparse.issparse(Y) or len(getattr(Y, "shape", ())) != 2:
        return None
    if hasattr(Y, "isna"):
        return np.asarray(Y.isna())
    table = np.asarray(Y)
    if table.dtype.kind == "O":
        return np.asarray([[entry is None or entry != entry for entry in row] for row in table], dtype=bool)
    return np.isnan(table) if table.dtype.kind == "f" else None


def _filled(Y: Any, missing: BoolArray) -> Any:
    """Y with 0 where it is missing: an array, or a frame of the same kind with the same columns."""
    table = np.zeros(missing.shape)
    table[~missing] = np.asarray(Y)[~missing].astype(np.float64)
    columns = getattr(Y, "columns", None)
    return table if columns is None else type(Y)(dict(zip(columns, table.T, strict=True)))
