"""Ratings that do not fit into memory: batches, counted in a first pass and learned from in the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from skfactor._validation import IntArray
from skfactor.ratings.identifiers import Identifiers
from skfactor.ratings.levels import LevelIndex, Levels
from skfactor.ratings.reading import Column, read_ratings
from skfactor.ratings.triples import Triples

#: Batches that are gone through several times: a list, or a function that begins anew.
Batches = Iterable[Any] | Callable[[], Iterable[Any]]


@dataclass(frozen=True, eq=False)
class Census:
    """What the first pass found.

    Attributes
    ----------
    levels : Levels
    users, items : Identifiers
    of_users, of_items : ndarray of int, shape (N, R) and (M, R)
        The ratings of each at each level.
    """

    levels: Levels
    users: Identifiers
    items: Identifiers
    of_users: IntArray
    of_items: IntArray

    @classmethod
    def of(cls, batches: Batches, levels: Levels) -> Census:
        """Number users and items, and count."""
        found: Census | None = None
        for users, items, ratings in read_batches(batches):
            before = found or cls._empty(users, items, levels)
            found = before._extended(users, items, levels.encode(ratings))
        if found is None:
            raise ValueError("There are no batches: nothing to learn.")
        return found

    @classmethod
    def _empty(cls, users: Column, items: Column, levels: Levels) -> Census:
        none = np.zeros((0, len(levels)), dtype=np.int64)
        return cls(levels, Identifiers.of(users[:0], "user"), Identifiers.of(items[:0], "item"), none, none)

    def _extended(self, users: Column, items: Column, codes: LevelIndex) -> Self:
        known = replace(self, users=self.users.extended(users), items=self.items.extended(items))
        return replace(
            known,
            of_users=added_counts(self.of_users, known.users.find(users), codes, len(known.users)),
            of_items=added_counts(self.of_items, known.items.find(items), codes, len(known.items)),
        )

    def batch(self, users: Column, items: Column, ratings: Column) -> Batch:
        """Compress the ratings of a batch."""
        codes = self.levels.encode(ratings)
        (rows, local_rows), (columns, local_columns) = (
            np.unique(numbers, return_inverse=True) for numbers in (self.users.find(users), self.items.find(items))
        )
        if min(rows[0], columns[0]) < 0:
            raise ValueError("The batches have users or items that they did not have in the first pass.")
        triples = Triples.of(local_rows, local_columns, codes, (len(rows), len(columns)))
        return Batch(rows, columns, triples)

    def without_ratings(self) -> Triples:
        """All users and items, and no rating."""
        none = np.empty(0, dtype=np.int64)
        return Triples.of(none, none, none.astype(np.int8), (len(self.users), len(self.items)))


@dataclass(frozen=True, eq=False)
class Batch:
    """Some ratings, whose users and items are numbered anew.

    Attributes
    ----------
    users, items : ndarray of int
        Of each row and column of `triples`, the number in the whole.
    triples : Triples
    """

    users: IntArray
    items: IntArray
    triples: Triples


def read_batches(batches: Batches) -> Iterator[tuple[Column, Column, Column]]:
    """Go through the batches once. Each is a tuple (pairs, ratings), a frame, or a sparse matrix."""
    for batch in batches() if callable(batches) else batches:
        yield read_ratings(*batch) if isinstance(batch, tuple) else read_ratings(batch)


def added_counts(counts: IntArray, rows: IntArray, codes: LevelIndex, length: int) -> IntArray:
    """Add ratings to a table of counts (n x R), which grows to `length` rows."""
    width = counts.shape[1]
    grown = np.bincount(rows * width + codes, minlength=length * width).reshape(length, width)
    grown[: len(counts)] += counts
    return grown
