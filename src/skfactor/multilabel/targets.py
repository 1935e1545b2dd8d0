"""Y as people have it, read into a sparse indicator, and predictions brought back to the same type."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from skfactor._validation import check_finite
from skfactor.moments.tables import names_of

Names = npt.NDArray[Any]
#: What the labels of a row may come in, and go out in. (Arrays, as Parquet files have them, go out as lists.)
ROW_TYPES: dict[str, type] = {kind.__name__: kind for kind in (set, frozenset, tuple, list)}

UNKNOWN_LABELS = "Leave out rows whose labels are not known."


class Targets(ABC):
    """One way of writing labels; it was learned from the Y of `fit`.

    Attributes
    ----------
    names : ndarray of shape (n_labels,)
        Names of the labels: column names, the labels themselves, or 0, 1, ...
    """

    names: Names
    #: Whether exactly one label is right for each row.
    exclusive = False

    @abstractmethod
    def encode(self, Y: Any) -> sparse.csr_array:
        """Indicator (n x L, float64), checked."""

    @abstractmethod
    def decode(self, indicator: sparse.csr_array, index: Any = None) -> Any:
        """The same labels in the type that Y had; `index` is that of X, if it was a pandas frame."""

    def shown_names(self) -> tuple[str, ...] | None:
        """Names to keep with moments, None if they are mere numbers."""
        return None if self.names.dtype.kind in "iu" else tuple(str(name) for name in self.names)


class Indicator(Targets):
    """A 0/1 table: array, sparse matrix or array, or data frame whose columns name the labels."""

    def __init__(self, Y: Any, names: Sequence[Any] | None = None):
        table: Any = Y if hasattr(Y, "shape") else np.asarray(Y)
        given = getattr(table, "columns", range(table.shape[1])) if names is None else names
        self.names = _as_names(list(given))
        if len(self.names) != table.shape[1]:
            raise ValueError(f"There are {len(self.names)} label names for the {table.shape[1]} columns of Y.")
        self.kind = _kind(table)
        self.format = table.format if sparse.issparse(table) else None
        self.dtype = _dtype(table)

    def encode(self, Y: Any) -> sparse.csr_array:
        """Check that Y is 0/1 and as wide, and its columns in the same order, as in `fit`."""
        given = names_of(Y)
        if given is not None and list(given) != [str(name) for name in self.names]:
            strange = [name for name in given if name not in set(map(str, self.names))]
            which = f"unseen labels {strange[:5]}" if strange else "other columns or another order"
            raise ValueError(f"Y has {which}; it must have the columns {[str(n) for n in self.names[:5]]}...")
        table = Y if hasattr(Y, "shape") else np.asarray(Y)
        if len(table.shape) != 2 or table.shape[1] != len(self.names):
            raise ValueError(f"Y must have {len(self.names)} label columns, got shape {tuple(table.shape)}.")
        return read_indicator(table)

    def decode(self, indicator: sparse.csr_array, index: Any = None) -> Any:
        """Array, sparse container or frame, with the dtype that Y had."""
        indicator = indicator.astype(self.dtype)
        if self.kind == "matrix":
            return sparse.csr_matrix(indicator).asformat(self.format)
        if self.kind == "array":
            return indicator.asformat(self.format)
        if self.kind == "dense":
            return indicator.toarray()
        columns = self.names.tolist()
        if self.kind == "polars":
            import polars as pl

            return pl.DataFrame(indicator.toarray(), schema=list(map(str, columns)), orient="row")
        import pandas as pd

        return pd.DataFrame(indicator.toarray(), columns=columns, index=index)


class LabelSets(Targets):
    """A list, or a column of a frame, with the labels of each row: sets, tuples, lists or arrays of names."""

    def __init__(self, Y: Any, names: Sequence[Any] | None = None):
        rows = _rows(Y) or [[]]
        self.row_type = next((name for name, kind in ROW_TYPES.items() if isinstance(rows[0], kind)), "list")
        self.names = _sorted_names((label for row in rows for label in row) if names is None else names)
        self.column = {name: place for place, name in enumerate(self.names.tolist())}

    def encode(self, Y: Any) -> sparse.csr_array:
        """Look every label up; one that `fit` has not seen is refused."""
        rows = [list(dict.fromkeys(row)) for row in self._given(Y)]
        strange = [(i, label) for i, row in enumerate(rows) for label in row if label not in self.column]
        if strange:
            raise ValueError(
                f"Row {strange[0][0]} of Y has the unseen label {strange[0][1]!r}. Name all labels that may "
                "come in the first call: partial_fit(X, Y, classes=[...])."
            )
        columns = [self.column[label] for row in rows for label in row]
        starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        shape = (len(rows), len(self.names))
        return sparse.csr_array((np.ones(len(columns)), np.asarray(columns, dtype=np.int64), starts), shape=shape)

    @staticmethod
    def _given(Y: Any) -> list[Any]:
        rows = _rows(Y)
        if rows is None:
            raise ValueError(
                "Y was a list of label sets in fit; here it must be one, too, with a set, tuple or list in every "
                f"row, got {type(Y).__name__}."
            )
        return rows

    def decode(self, indicator: sparse.csr_array, index: Any = None) -> Any:
        """A list of sets, tuples or lists, as Y was."""
        names, starts = self.names.tolist(), indicator.indptr
        rows = (indicator.indices[first:last] for first, last in pairwise(starts))
        row_type = ROW_TYPES[self.row_type]
        return [row_type(names[column] for column in sorted(row)) for row in rows]


class Classes(Targets):
    """A 1-d y: one class per row."""

    exclusive = True

    def __init__(self, Y: Any, names: Sequence[Any] | None = None):
        column = column_or_1d(Y, warn=True)
        check_finite(column[:, None], "y", UNKNOWN_LABELS)
        missing = [row for row, label in enumerate(column) if label is None] if column.dtype.kind == "O" else []
        if missing:
            raise ValueError(f"Input y contains None (row {missing[0]}). {UNKNOWN_LABELS}")
        check_classification_targets(column)
        self.names = np.unique(column if names is None else np.asarray(names))
        if not len(self.names):
            raise ValueError("y is empty: there is nothing to learn.")
        if len(self.names) < 2:
            raise ValueError(
                f"y has one class only ({self.names[0]!r}): a classifier needs samples of at least two classes."
            )

    def encode(self, Y: Any) -> sparse.csr_array:
        """One 1 per row, in the column of its class."""
        column = column_or_1d(Y)
        place = np.minimum(np.searchsorted(self.names, column), len(self.names) - 1)
        strange = np.flatnonzero(self.names[place] != column)
        if len(strange):
            raise ValueError(
                f"Row {strange[0]} of y has the unseen class {column[strange[0]]}. Name all classes that may "
                "come in the first call: partial_fit(X, y, classes=[...])."
            )
        parts = (np.ones(len(column)), place, np.arange(len(column) + 1))
        return sparse.csr_array(parts, shape=(len(column), len(self.names)))

    def decode(self, indicator: sparse.csr_array, index: Any = None) -> Any:
        """A 1-d array of classes."""
        return self.names[indicator.indices]


def learn_targets(Y: Any, classes: Sequence[Any] | None = None) -> Targets:
    """Find out how Y is written. `classes` names all labels, where Y need not have every one of them.

    Lists of equal length that hold nothing but 0 and 1 are read as an indicator; sets and tuples never are.
    """
    if Y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    if sparse.issparse(Y) or names_of(Y) is not None:
        return Indicator(Y, classes)
    if _holds_sets(Y):
        return LabelSets(Y, classes)
    table = np.asarray(Y)
    if table.ndim == 2 and (table.shape[1] > 1 or _is_binary(table)):
        return Indicator(table, classes)
    if table.ndim > 2:
        raise ValueError(f"Y must be a table, a column of classes or a list of label sets, got {table.ndim}-d.")
    return Classes(Y, classes)


def read_indicator(Y: Any) -> sparse.csr_array:
    """CSR of float64 from a 0/1 table; anything but 0 and 1 is refused with its place."""
    table = sparse.csr_array(Y) if sparse.issparse(Y) else _numbers(Y)
    check_finite(table, "Y", UNKNOWN_LABELS)
    indicator = sparse.csr_array(table, dtype=np.float64)
    indicator.sum_duplicates()
    indicator.eliminate_zeros()
    if (indicator.data != 1).any():
        wrong = sparse.coo_array(indicator)
        place = int(np.flatnonzero(wrong.data != 1)[0])
        row, column, value = wrong.row[place], wrong.col[place], wrong.data[place]
        raise ValueError(
            f"Y must be binary (0 or 1), got {value:g} in row {row}, column {column}. For levels rather than "
            "labels see skfactor.ratings; for one class per row pass a 1-d y."
        )
    return indicator


def _numbers(Y: Any) -> Any:
    """A table of any type as an array of numbers; what a frame calls missing becomes NaN."""
    table = np.asarray(Y)
    if table.dtype.kind != "O":
        return table
    try:
        return (
            Y.to_numpy(dtype=np.float64, na_value=np.nan) if hasattr(Y, "to_numpy") else table.astype(np.float64)
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"Y must be binary (0 or 1): {error}.") from None


def _is_binary(table: Any) -> bool:
    return table.dtype.kind in "biuf" and bool(np.isin(table, (0, 1)).all())


def _rows(Y: Any) -> list[Any] | None:
    """The rows of Y if each is a set, tuple or list of labels, else None; rows that are arrays become lists."""
    column = Y if isinstance(Y, list | tuple) or hasattr(Y, "to_list") else np.asarray(Y)
    if isinstance(column, np.ndarray) and (column.dtype != object or column.ndim != 1):
        return None
    given = column.to_list() if hasattr(column, "to_list") else column
    rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in given]
    others = [i for i, row in enumerate(rows) if not isinstance(row, tuple(ROW_TYPES.values()))]
    if others and len(others) < len(rows):
        raise ValueError(
            f"Row {others[0]} of Y is {rows[others[0]]!r}, where others are sets or lists of labels: write an "
            f"empty one for no label. {UNKNOWN_LABELS}"
        )
    return None if others else rows


def _holds_sets(Y: Any) -> bool:
    rows = _rows(Y)
    if not rows:
        return False
    if any(isinstance(row, set | frozenset | tuple) for row in rows) or len({len(row) for row in rows}) > 1:
        return True
    return not _is_binary(np.asarray(rows))


def _kind(table: Any) -> str:
    if sparse.issparse(table):
        return "array" if isinstance(table, sparse.sparray) else "matrix"
    return "dense" if isinstance(table, np.ndarray) else type(table).__module__.split(".")[0]


def _dtype(table: Any) -> np.dtype[Any]:
    dtype = np.asarray(table).dtype if not sparse.issparse(table) else table.dtype
    return np.dtype(np.int64) if dtype.kind == "O" else np.dtype(dtype)


def _sorted_names(names: Iterable[Any]) -> Names:
    unique = list(dict.fromkeys(names))
    try:
        ordered = sorted(unique)
    except TypeError:
        ordered = sorted(unique, key=str)
    return _as_names(ordered)


def _as_names(names: list[Any]) -> Names:
    """An array of names: of one type as that, else of objects."""
    if {type(name) for name in names} in ({str}, {int}, {float}):
        return np.asarray(names)
    boxed = np.empty(len(names), dtype=object)
    boxed[:] = names
    return boxed
