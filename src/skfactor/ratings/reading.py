"""What people pass as ratings, made into three columns: users, items, ratings."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

Column = npt.NDArray[Any]
NAMES = ("user", "item", "rating")
_FORMS = (
    "Pass pairs of shape (n, 2) with users and items and ratings of length n, or a data frame with the columns "
    "user, item and rating, or a SciPy sparse matrix of users by items."
)


def read_ratings(pairs: Any, ratings: Any = None) -> tuple[Column, Column, Column]:
    """Columns of users, items and ratings.

    Parameters
    ----------
    pairs : array-like of shape (n, 2), data frame, or sparse matrix
        Users and items. Of a frame, the columns named user and item, else the first two. Of a sparse matrix, the
        places of its stored entries, row by row.
    ratings : array-like of shape (n,), optional
        Left out, they are the column named rating (else the third) of the frame, or the stored entries.

    Returns
    -------
    users, items, ratings : ndarray of shape (n,)
    """
    if ratings is None:
        ratings = _own_ratings(pairs)
    users, items = read_pairs(pairs)
    values = _rating_column(ratings)
    if len(values) != len(users):
        raise ValueError(f"There are {len(users)} pairs and {len(values)} ratings. Pass one rating for each pair.")
    if not len(values):
        raise ValueError("There are no ratings: nothing to learn.")
    return users, items, values


def read_pairs(pairs: Any) -> tuple[Column, Column]:
    """Columns of users and items, of what `read_ratings` takes."""
    if sparse.issparse(pairs):
        rows, columns, _ = _stored(pairs)
        return rows, columns
    if hasattr(pairs, "columns"):
        first, second, *_ = _frame_columns(pairs, NAMES[:2])
        return identifier_column(pairs[first], "user"), identifier_column(pairs[second], "item")
    table = pairs if isinstance(pairs, np.ndarray) else _object_table(pairs)
    if table.ndim != 2 or table.shape[1] != 2:
        raise ValueError(f"pairs have shape {table.shape}. {_FORMS}")
    return identifier_column(table[:, 0], "user"), identifier_column(table[:, 1], "item")


def identifier_column(values: Any, noun: str) -> Column:
    """Identifiers as whole numbers (int64), strings or dates; anything else is refused with its row."""
    column = np.asarray(values, dtype=None if hasattr(values, "dtype") else object)
    if column.ndim != 1:
        raise ValueError(f"{noun} identifiers must have one column, got shape {column.shape}.")
    if column.dtype.kind == "O":
        column = _of_one_type(column, noun)
    if column.dtype.kind == "f":
        wrong = np.flatnonzero(~(np.isfinite(column) & (np.floor(column) == column)))
        if len(wrong):
            value = column[wrong[0]]
            lacking = "is missing" if np.isnan(value) else f"{value:g} is no whole number"
            raise ValueError(f"Row {wrong[0]}: the {noun} {lacking}. Identifiers are whole numbers or strings.")
    if column.dtype.kind in "fiub":
        return column.astype(np.int64)
    if column.dtype.kind in "UTSM":
        return column.astype(str) if column.dtype.kind == "T" else column
    raise TypeError(f"{noun} identifiers must be whole numbers or strings, got {column.dtype}.")


def _of_one_type(column: Column, noun: str) -> Column:
    """Turn a column of Python objects, all of them numbers or all of them strings, into a typed one."""
    wanted: type = str if isinstance(next(iter(column), ""), str) else Real
    for row, value in enumerate(column):
        if _is_missing(value):
            raise ValueError(f"Row {row}: the {noun} is missing. Drop such rows.")
        if not isinstance(value, wanted):
            raise TypeError(
                f"Row {row}: the {noun} is {value!r} ({type(value).__name__}). Identifiers of {noun}s must be all "
                "whole numbers or all strings; turn them into strings with str()."
            )
    if wanted is str:
        return column.astype(np.str_)
    return column.astype(np.int64 if all(isinstance(value, Integral) for value in column) else np.float64)


def _is_missing(value: Any) -> bool:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return True
    return type(value).__name__ in ("NAType", "NaTType")


def _rating_column(ratings: Any) -> Column:
    values = np.asarray(ratings)
    if values.ndim != 1:
        raise ValueError(f"ratings must have one column, got shape {values.shape}. {_FORMS}")
    if values.dtype.kind not in "iufb":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"ratings must be numbers: {error}. Map your levels to numbers first.") from None
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        what = "NaN" if np.isnan(values[wrong[0]]) else "infinite"
        raise ValueError(f"Row {wrong[0]}: the rating is {what}. Leave out pairs that have no rating.")
    return values.astype(np.int64) if values.dtype.kind in "iub" else values


def _own_ratings(pairs: Any) -> Any:
    if sparse.issparse(pairs):
        return _stored(pairs)[2]
    if hasattr(pairs, "columns"):
        return pairs[_frame_columns(pairs, NAMES)[2]]
    raise ValueError(f"There are no ratings. {_FORMS}")


def _stored(matrix: Any) -> tuple[Column, Column, Column]:
    """Rows, columns and values of the stored entries, zeros among them, row by row."""
    entries = sparse.coo_array(matrix)
    order = np.lexsort((entries.col, entries.row))
    return entries.row[order].astype(np.int64), entries.col[order].astype(np.int64), entries.data[order]


def _frame_columns(frame: Any, names: tuple[str, ...]) -> list[Any]:
    columns = list(frame.columns)
    if all(name in columns for name in names):
        return list(names)
    if len(columns) < len(names):
        raise ValueError(f"The data frame has the columns {columns}. {_FORMS}")
    return columns[: len(names)]


def _object_table(pairs: Any) -> Column:
    """Each column of a list of tuples keeps its own type."""
    return np.array(pairs, dtype=object)
