"""Features that do no more than tell the rows apart: a column of identifiers, with one feature for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from skfactor._validation import IntArray, Matrix

# Of fewer rows, values that differ in all of them are no surprise.
_FEWEST = 20


class Identifier(NamedTuple):
    """Features that identify rows, and the column of the source that they were made of, if that is known."""

    features: IntArray
    column: str | None


def find_identifiers(X: Matrix, names: Sequence[str] | None = None, share: float = 0.9) -> list[Identifier]:
    """Find groups of features of which nearly every row has one that no other row has, and only one.

    Rare words are no identifier: of them, a row may as well have none or several.

    Parameters
    ----------
    X : ndarray or sparse array of shape (n_samples, n_features)
        The features.
    names : sequence of str, optional
        Their names. Those called `column=value` are a group for each column; all others are one more group.
    share : float
        The share of rows from which on a group counts as an identifier.

    Returns
    -------
    identifiers : list of Identifier
        With all features of the group if it is a column, else only those that a single row has.

    Examples
    --------
    >>> X = np.hstack([np.ones((30, 1)), np.eye(30)])
    >>> (found,) = find_identifiers(X, ["size", *(f"name={row}" for row in range(30))])
    >>> found.column, len(found.features)
    ('name', 30)
    """
    n_rows, n_features = X.shape
    if n_rows < _FEWEST:
        return []
    columns, group = _columns(names, n_features)
    rows, features = _alone(X)
    owned, count = np.unique(group[features] * n_rows + rows, return_counts=True)
    owners = np.bincount(owned[count == 1] // n_rows, minlength=len(columns))
    found = np.flatnonzero(owners >= share * n_rows)
    return [_identifier(columns[place], np.flatnonzero(group == place), features) for place in found]


def _columns(names: Sequence[str] | None, n_features: int) -> tuple[list[str | None], IntArray]:
    """List the columns that features were made of, and which of them each feature is of."""
    parts = [name.partition("=") for name in names or [""] * n_features]
    made_of = [column if equals else None for column, equals, _ in parts]
    columns = list(dict.fromkeys(made_of))
    place = {column: number for number, column in enumerate(columns)}
    return columns, np.array([place[column] for column in made_of], dtype=np.int64)


def _alone(X: Matrix) -> tuple[IntArray, IntArray]:
    """Find the rows and features of the entries that are the only ones of their feature."""
    rows, features = X.nonzero()
    alone = np.bincount(features, minlength=X.shape[1])[features] == 1
    return rows[alone], features[alone]


def _identifier(column: str | None, group: IntArray, alone: IntArray) -> Identifier:
    return Identifier(np.intersect1d(group, alone) if column is None else group, column)
