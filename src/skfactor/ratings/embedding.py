"""What most models come down to: users as hyperplanes with thresholds, items as points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from skfactor._validation import FloatArray, IntArray
from skfactor.ratings.levels import LevelIndex

Factor = npt.NDArray[Any]
#: Scores of pairs are computed for so many pairs at once.
_BLOCK = 16384


class Predictor(Protocol):
    """What a fitted model knows of users and items, by their numbers. Levels are counted from 0."""

    def index(self, users: Any, items: Any) -> LevelIndex:
        """Return levels of pairs, shape (n,)."""

    def grid_index(self, users: IntArray, items: IntArray) -> LevelIndex:
        """Return levels of all users with all items, shape (n_users, n_items)."""

    def margins(self, users: IntArray, items: IntArray) -> FloatArray:
        """Return how far pairs are above each of the R - 1 boundaries between levels, shape (n, R - 1)."""

    def utilities(self, user: int) -> FloatArray:
        """Return what the user's recommendations are sorted by, shape (M,)."""

    def with_users(self, others: Self) -> Self:
        """Append the users of `others`, which has the same items."""

    def with_items(self, others: Self) -> Self:
        """Append the items of `others`, which has the same users."""


@dataclass(frozen=True, eq=False)
class Embedding:
    """Scores x_ij = U_i . V_j, and the level of a score: the number of the user's thresholds below it.

    Attributes
    ----------
    U : ndarray of shape (N, d)
    V : ndarray of shape (M, d)
    thresholds : ndarray of shape (N, R - 1), or (1, R - 1) where all users have the same
    """

    U: Factor
    V: Factor
    thresholds: Factor

    def scores(self, users: Any, items: Any) -> FloatArray:
        """Return x_ij of pairs, shape (n,)."""
        blocks = [
            np.einsum("nd,nd->n", self.U[users[start : start + _BLOCK]], self.V[items[start : start + _BLOCK]])
            for start in range(0, len(users), _BLOCK)
        ]
        return np.concatenate(blocks or [np.empty(0)])

    def grid_scores(self, users: IntArray, items: IntArray) -> FloatArray:
        """Return x_ij of all users with all items, shape (n_users, n_items)."""
        return np.asarray(self.U[users] @ self.V[items].T)

    def thresholds_of(self, users: IntArray) -> Factor:
        """Return the thresholds of users, shape (n, R - 1)."""
        if len(self.thresholds) == 1:
            return np.broadcast_to(self.thresholds, (len(users), self.thresholds.shape[1]))
        return np.asarray(self.thresholds[users])

    def index(self, users: Any, items: Any) -> LevelIndex:
        """Return levels of pairs, shape (n,)."""
        return _passed(self.scores(users, items), self.thresholds_of(users).T)

    def grid_index(self, users: IntArray, items: IntArray) -> LevelIndex:
        """Return levels of all users with all items."""
        return _passed(self.grid_scores(users, items), self.thresholds_of(users).T[:, :, None])

    def margins(self, users: IntArray, items: IntArray) -> FloatArray:
        """Return how far x_ij is above each threshold, shape (n, R - 1)."""
        return np.asarray(self.scores(users, items)[:, None] - self.thresholds_of(users))

    def utilities(self, user: int) -> FloatArray:
        """Return x_ij of all items."""
        return np.asarray(self.V @ self.U[user])

    def with_users(self, others: Embedding) -> Embedding:
        """Append users."""
        shared = len(self.thresholds) == 1
        thresholds = self.thresholds if shared else np.concatenate([self.thresholds, others.thresholds])
        return Embedding(np.concatenate([self.U, others.U]), self.V, thresholds)

    def with_items(self, others: Embedding) -> Embedding:
        """Append items."""
        return Embedding(self.U, np.concatenate([self.V, others.V]), self.thresholds)


def _passed(scores: FloatArray, thresholds: Factor) -> LevelIndex:
    """Count, threshold by threshold, those that a score has passed."""
    index = np.zeros(scores.shape, dtype=np.int8)
    for threshold in thresholds:
        index += scores > threshold
    return index
