"""Y of which some rows are not known: rows of NaN, None in a list of label sets, or a mask."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import BoolArray


def learnable(y: Any) -> Any:
    """Y as it is if it has rows that can be taken; else (whatever NumPy can read) as an array."""
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    return y if hasattr(y, "shape") or isinstance(y, list | tuple) else np.asarray(y)


def labelled_rows(y: Any, labelled: Any = None) -> BoolArray:
    """Which rows have labels.

    Parameters
    ----------
    y : what `fit` takes, where a row that is not known may be NaN throughout, or None in a list
    labelled : array of bool of shape (n_samples,), optional
        Says so instead; the other rows of y are then not looked at.

    Returns
    -------
    ndarray of bool, shape (n_samples,)
    """
    n = y.shape[0] if hasattr(y, "shape") else len(y)
    if labelled is None:
        known = _marked(y)
    else:
        known = np.asarray(labelled)
        if known.shape != (n,) or known.dtype != bool:
            raise ValueError(
                f"labelled must be a mask of {n} truth values, one for each row of y, got shape {known.shape} "
                f"of {known.dtype}."
            )
    if not known.any():
        raise ValueError("No row of y has labels: at least one has to be known.")
    return known


def take_rows(y: Any, known: BoolArray) -> Any:
    """The rows of y that are known, in the type that y has."""
    if known.all():
        return y
    if hasattr(y, "iloc"):
        return y.iloc[np.flatnonzero(known)]
    if sparse.issparse(y):
        return y.tocsr()[np.flatnonzero(known)].asformat(y.format)
    if hasattr(y, "shape"):
        return y[np.flatnonzero(known)]
    return [row for row, kept in zip(y, known, strict=True) if kept]


def _marked(y: Any) -> BoolArray:
    if sparse.issparse(y):
        return np.ones(y.shape[0], dtype=bool)
    table = _numbers(y)
    if table is None:
        return np.array([row is not None for row in y])
    missing = np.isnan(table).reshape(len(table), -1)
    part = np.flatnonzero(missing.any(axis=1) & ~missing.all(axis=1))
    if len(part):
        raise ValueError(
            f"Row {part[0]} of y has NaN for some labels only. A row is labelled or it is not: fill the row, or "
            "make it NaN throughout. LEML(...).fit(X, Y, observed=...) takes single labels that are missing."
        )
    return np.asarray(~missing[:, 0])


def _numbers(y: Any) -> np.ndarray[Any, np.dtype[np.float64]] | None:
    """A table as numbers, or None if it holds something else."""
    try:
        return np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        return None
