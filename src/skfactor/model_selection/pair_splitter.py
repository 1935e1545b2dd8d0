"""What the splitters of ratings share: rows by user, in an order, and the interface of scikit-learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from skfactor._validation import BoolArray, IntArray, check_number
from skfactor.ratings.reading import read_pairs

#: Whether each row is learned from, and whether it is tested on.
Masks = tuple[BoolArray, BoolArray]


class PairSplitter(ABC):
    """Base of the splitters, which `cross_validate`, `GridSearchCV` and their like take as `cv`."""

    n_splits: int

    @abstractmethod
    def _parts(self, pairs: Any, groups: Any) -> Iterator[Masks]:
        """Yield the parts of each split."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield the rows of each split.

        Parameters
        ----------
        X : array-like of shape (n, 2) or data frame
            Users and items, as the models take them.
        y : ignored
        groups : array-like of shape (n,), optional
            What else a splitter needs to know of each rating: for `TimeOrdered`, the time.

        Yields
        ------
        train, test : ndarray of int
            Rows, ascending.
        """
        check_number(self.n_splits, "n_splits", minimum=1, integer=True)
        for learned, tested in self._parts(X, groups):
            if not (learned.any() and tested.any()):
                empty = "test" if learned.any() else "training"
                raise ValueError(f"{self!r} leaves the {empty} part empty: there are too few ratings.")
            yield np.flatnonzero(learned), np.flatnonzero(tested)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits."""
        return self.n_splits


def user_numbers(pairs: Any) -> IntArray:
    """Number the user of each pair from 0, in the order of the identifiers."""
    users, _ = read_pairs(pairs)
    return np.asarray(np.unique(users, return_inverse=True)[1], dtype=np.int64)


def places(order: IntArray, groups: IntArray) -> tuple[IntArray, IntArray]:
    """Find the place of each row among those of its group.

    Parameters
    ----------
    order : ndarray of int, shape (n,)
        The rows, first one first.
    groups : ndarray of int, shape (n,)
        The group of each row, numbered from 0.

    Returns
    -------
    place, count : ndarray of int, shape (n,)
        Its place, from 0, and the size of its group.
    """
    counts = np.bincount(groups)
    by_group = order[np.argsort(groups[order], kind="stable")]
    place = np.empty(len(order), dtype=np.int64)
    place[by_group] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    return place, counts[groups]


def share_or_number(size: float, name: str, total: int) -> int:
    """Make a number of a share (a float below 1) or number of `total`; at least one, and one remains."""
    if isinstance(size, int | np.integer):
        check_number(size, name, minimum=1, maximum=total - 1, integer=True)
        return int(size)
    check_number(size, name, above=0, maximum=np.nextafter(1, 0))
    return min(max(1, round(size * total)), total - 1)


def generator(random_state: Any) -> np.random.Generator:
    """Make a generator of a seed, a generator (which is used up as it goes), or a RandomState."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31 - 1))
    return np.random.default_rng(random_state)
