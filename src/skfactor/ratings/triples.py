"""Observed ratings (user, item, level) in compressed form, by users and by items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from skfactor._validation import IntArray
from skfactor.ratings.levels import LevelIndex, Levels

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Triples:
    """The observed set Omega of n ratings of M items by N users, 13 bytes a rating.

    Attributes
    ----------
    user_starts : ndarray of shape (N + 1,)
        The ratings of user i are at user_starts[i]:user_starts[i + 1].
    items, levels : ndarray of shape (n,)
        Item and level of each, by users.
    item_starts : ndarray of shape (M + 1,)
        Likewise, by items.
    users : ndarray of shape (n,)
        The user of each, by items.
    places : ndarray of shape (n,)
        Where the rating is in the order by users, for each in the order by items.
    """

    user_starts: IntArray
    items: Numbers
    levels: LevelIndex
    item_starts: IntArray
    users: Numbers
    places: Numbers

    @classmethod
    def of(cls, users: Any, items: Any, levels: LevelIndex, shape: tuple[int, int]) -> Triples:
        """Compress ratings in any order; a pair that occurs twice counts twice."""
        order = np.lexsort((items, users))
        by_users = np.asarray(items[order], dtype=np.int32)
        places = np.argsort(by_users, kind="stable").astype(np.int32)
        return cls(
            user_starts=_starts(users, shape[0]),
            items=by_users,
            levels=levels[order].astype(np.int8),
            item_starts=_starts(items, shape[1]),
            users=users[order][places].astype(np.int32),
            places=places,
        )

    def __len__(self) -> int:
        return len(self.items)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of users and items."""
        return len(self.user_starts) - 1, len(self.item_starts) - 1

    def user_column(self) -> IntArray:
        """Return the user of each rating, by users."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.user_starts))

    def of_user(self, user: int) -> Numbers:
        """Return the items that a user rated."""
        return self.items[self.user_starts[user] : self.user_starts[user + 1]]

    def with_levels(self, levels: LevelIndex) -> Triples:
        """Make the same pairs with other levels."""
        return replace(self, levels=levels)

    def subset(self, chosen: IntArray) -> Triples:
        """Make the ratings at `chosen` places (by users) of the same users and items."""
        return Triples.of(self.user_column()[chosen], self.items[chosen], self.levels[chosen], self.shape)

    def level_counts(self, n_levels: int, *, axis: int) -> IntArray:
        """Count the ratings of each user (axis 0) or item (axis 1) at each level."""
        rows = (self.user_column(), self.items)[axis]
        cells = rows.astype(np.int64) * n_levels + self.levels
        return np.bincount(cells, minlength=self.shape[axis] * n_levels).reshape(-1, n_levels)

    def joined(self, users: Any, items: Any, levels: LevelIndex, shape: tuple[int, int]) -> Triples:
        """Add ratings; `shape` counts the new users and items too."""
        return Triples.of(
            np.concatenate([self.user_column(), users]),
            np.concatenate([self.items, items]),
            np.concatenate([self.levels, levels]),
            shape,
        )


def _starts(rows: IntArray, n: int) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class RatedPairs:
    """Ratings in the order of the data, by numbers of users and items.

    Attributes
    ----------
    users, items : ndarray of int, shape (n,)
    ratings : ndarray of shape (n,)
    """

    users: IntArray
    items: IntArray
    ratings: npt.NDArray[Any]

    def without_duplicates(self, policy: str, scale: Levels) -> tuple[IntArray, IntArray, LevelIndex]:
        """Settle pairs that were rated twice: an error, the last rating, or the mean's nearest level.

        Returns
        -------
        users, items, levels : ndarray
            Each pair once, in the order of first appearance.
        """
        levels = scale.encode(self.ratings)
        _, first, group = self._groups()
        if len(first) == len(levels):
            return self.users, self.items, levels
        if policy == "error":
            raise ValueError(self._complaint(first, group))
        kept = np.sort(first)
        if policy == "last":
            last = np.empty(len(first), dtype=np.int64)
            last[group] = np.arange(len(group))
            levels = levels[last]
        else:
            sums = np.bincount(group, weights=scale.values[levels].astype(np.float64))
            levels = scale.nearest(sums / np.bincount(group))
        return self.users[kept], self.items[kept], levels[np.argsort(first)]

    def _groups(self) -> tuple[IntArray, IntArray, IntArray]:
        pair = self.users.astype(np.int64) * (int(self.items.max(initial=0)) + 1) + self.items
        return np.unique(pair, return_index=True, return_inverse=True)

    def _complaint(self, first: IntArray, group: IntArray) -> str:
        repeated = np.setdiff1d(np.arange(len(group)), first)
        row = repeated[0]
        return (
            f"Rows {first[group[row]]} and {row} rate the same item by the same user; {len(repeated)} rows in all "
            "repeat an earlier pair. Drop them, or choose the rating with duplicates='last' or 'mean'."
        )


def held_out(triples: Triples, share: float, rng: np.random.RandomState) -> tuple[Triples, Triples]:
    """Split at random into ratings to learn from and a `share` to measure the error on."""
    drawn = rng.permutation(len(triples))
    count = min(max(1, round(share * len(triples))), len(triples) - 1)
    return triples.subset(np.sort(drawn[count:])), triples.subset(np.sort(drawn[:count]))
