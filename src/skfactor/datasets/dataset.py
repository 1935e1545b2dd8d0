"""What every loader returns: samples with labels, or ratings of items by users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix, check_same_rows

DataSet = TypeVar("DataSet", "MultilabelData", "RatingsData")


@dataclass(eq=False, repr=False)
class MultilabelData:
    """Samples that have several labels each.

    Parameters
    ----------
    X : ndarray or sparse array of shape (n_samples, n_features)
        The features, as float64. Sparse containers become a CSR array.
    Y : array-like or sparse array of shape (n_samples, n_labels)
        1 where the sample has the label, else 0. Becomes a CSR array of float64 (so that sums and products
        of it cannot overflow).
    feature_names, label_names : sequence of str, optional
        Names of the columns of X and Y.
    name : str
        What to call the data set.
    train_idx, test_idx : array of int, optional
        The rows of a published split, for `split`.

    Examples
    --------
    >>> data = MultilabelData([[1.0, 0.0], [0.5, 2.0]], [[1, 1, 0], [0, 1, 0]], name="tiny")
    >>> data
    MultilabelData('tiny': 2 rows, 2 features (dense), 3 labels, 1.500 per row)
    >>> data.subset([1]).X
    array([[0.5, 2. ]])
    """

    X: Matrix
    Y: Matrix
    feature_names: list[str] | None = None
    label_names: list[str] | None = None
    name: str = ""
    train_idx: IntArray | None = None
    test_idx: IntArray | None = None

    def __post_init__(self) -> None:
        self.X = _csr(self.X) if sparse.issparse(self.X) else np.asarray(self.X, dtype=np.float64)
        self.Y = _csr(self.Y)
        if self.X.ndim != 2 or self.Y.ndim != 2:
            raise ValueError(f"X and Y must be 2-d tables, got X {self.X.shape} and Y {self.Y.shape}.")
        check_same_rows(X=self.X, Y=self.Y)
        if self.Y.nnz and (self.Y.data != 1).any():
            wrong = self.Y.data[self.Y.data != 1][0]
            raise ValueError(f"Y must be 1 where a sample has a label and 0 elsewhere, got {wrong:g}.")
        self.feature_names = _names(self.feature_names, "feature_names", self.X.shape[1])
        self.label_names = _names(self.label_names, "label_names", self.Y.shape[1])
        self.train_idx, self.test_idx = _split_rows(self.train_idx, self.test_idx, len(self))

    def __len__(self) -> int:
        return int(self.X.shape[0])

    def __repr__(self) -> str:
        rows, features = self.X.shape
        stored = getattr(self.X, "nnz", None)
        filled = "dense" if stored is None else f"sparse, {_share(stored, rows * features)} filled"
        per_row = self.Y.nnz / max(rows, 1)
        return (
            f"MultilabelData({self.name!r}: {rows} rows, {features} features ({filled}), "
            f"{self.Y.shape[1]} labels, {per_row:.3f} per row)"
        )

    def subset(self, rows: Any) -> MultilabelData:
        """Make a data set of some `rows`, given as indices, a mask or a slice."""
        rows = _row_indices(rows, len(self))
        return MultilabelData(self.X[rows], self.Y[rows], self.feature_names, self.label_names, self.name)

    def split(self) -> tuple[MultilabelData, MultilabelData]:
        """Make the training and the test part of the stored split."""
        return _split(self)


@dataclass(eq=False, repr=False)
class RatingsData:
    """Ratings of items by users.

    Parameters
    ----------
    pairs : array-like of shape (n_ratings, 2)
        Identifiers of the user and of the item, as they are in the source.
    ratings : array-like of shape (n_ratings,)
        The levels, as float64.
    timestamps : array-like of shape (n_ratings,), optional
        When each was given.
    levels : array-like, optional
        All levels that can be given, ascending. Default: those that occur.
    name : str
        What to call the data set.
    train_idx, test_idx : array of int, optional
        The rows of a published split, for `split`.

    Examples
    --------
    >>> RatingsData([[7, 1], [7, 2], [9, 1]], [4, 5, 1], name="tiny")
    RatingsData('tiny': 3 ratings of 2 items by 2 users, levels 1 4 5)
    """

    pairs: npt.NDArray[Any]
    ratings: FloatArray
    timestamps: npt.NDArray[Any] | None = None
    levels: FloatArray | None = None
    name: str = ""
    train_idx: IntArray | None = None
    test_idx: IntArray | None = None

    def __post_init__(self) -> None:
        self.pairs = np.asarray(self.pairs)
        self.ratings = np.asarray(self.ratings, dtype=np.float64)
        if self.pairs.ndim != 2 or self.pairs.shape[1] != 2:
            raise ValueError(f"pairs must have two columns, user and item, got shape {self.pairs.shape}.")
        if self.ratings.ndim != 1:
            raise ValueError(f"ratings must have one column, got shape {self.ratings.shape}.")
        if self.timestamps is not None:
            self.timestamps = np.asarray(self.timestamps)
        check_same_rows(pairs=self.pairs, ratings=self.ratings, timestamps=self.timestamps)
        given = self.ratings if self.levels is None else np.asarray(self.levels, dtype=np.float64)
        self.levels = np.unique(given)
        self.train_idx, self.test_idx = _split_rows(self.train_idx, self.test_idx, len(self))

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        users, items = (len(np.unique(column)) for column in self.pairs.T)
        assert self.levels is not None
        levels = [f"{level:g}" for level in self.levels]
        shown = " ".join(levels if len(levels) <= 12 else [*levels[:6], "...", *levels[-3:]])
        size = f"{len(self)} ratings of {items} items by {users} users"
        return f"RatingsData({self.name!r}: {size}, levels {shown})"

    def subset(self, rows: Any) -> RatingsData:
        """Make a data set of some `rows`, given as indices, a mask or a slice. The levels stay the same."""
        rows = _row_indices(rows, len(self))
        times = None if self.timestamps is None else self.timestamps[rows]
        return RatingsData(self.pairs[rows], self.ratings[rows], times, self.levels, self.name)

    def split(self) -> tuple[RatingsData, RatingsData]:
        """Make the training and the test part of the stored split."""
        return _split(self)


def _split(data: DataSet) -> tuple[DataSet, DataSet]:
    if data.train_idx is None or data.test_idx is None:
        raise ValueError(
            f"{data.name or 'This data set'} has no stored split. Make one with "
            "sklearn.model_selection.train_test_split, or with skfactor.datasets.folds."
        )
    return data.subset(data.train_idx), data.subset(data.test_idx)


def _csr(table: Matrix) -> Matrix:
    """Make a canonical CSR array of float64 without stored zeros, and leave `table` as it is."""
    given: Any = table if sparse.issparse(table) else np.asarray(table)
    csr: Matrix = sparse.csr_array(given, dtype=np.float64)
    if not csr.has_canonical_format or (csr.data == 0).any():
        csr = csr.copy()
        csr.sum_duplicates()
        csr.eliminate_zeros()
    return csr


def _names(names: Sequence[str] | None, argument: str, count: int) -> list[str] | None:
    if names is None:
        return None
    names = [str(name) for name in names]
    if len(names) != count:
        raise ValueError(f"{argument} has {len(names)} names for {count} columns.")
    return names


def _split_rows(train: Any, test: Any, rows: int) -> tuple[IntArray | None, IntArray | None]:
    if (train is None) != (test is None):
        raise ValueError("train_idx and test_idx go together: give both or none.")
    if train is None:
        return None, None
    return _row_indices(train, rows), _row_indices(test, rows)


def _row_indices(rows: Any, count: int) -> IntArray:
    """Resolve indices, a mask or a slice to indices below `count`."""
    indices = np.arange(count)
    try:
        return np.asarray(indices[rows if isinstance(rows, slice) else np.asarray(rows)], dtype=np.int64)
    except IndexError as error:
        raise IndexError(f"rows must be indices, a mask or a slice of {count} rows: {error}.") from None


def _share(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.3g} %"
