"""BiasOnly: the mean, how each user rates and how each item is rated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skfactor._validation import FloatArray, check_number
from skfactor.ratings.base import Before
from skfactor.ratings.comparators.values import ValueModel
from skfactor.ratings.embedding import Embedding
from skfactor.ratings.triples import Triples

#: The alternation ends when no bias moves by more than this.
_STILL = 1e-8


@dataclass(eq=False, repr=False, kw_only=True)
class BiasOnly(ValueModel):
    """Mean rating plus a bias of the user and one of the item.

    It minimizes, by turns, sum_Omega (y_ij - m - b_i - c_j)^2 + ridge (||b||^2 + ||c||^2).

    Parameters
    ----------
    ridge : float
        Weight of the squared biases: as many ratings of size 0 are added to each user and item.
    max_iter : int
        Most turns.
    rounded, levels, duplicates, decision
        As in `ValueModel`.

    Attributes
    ----------
    mean_ : float
        m.
    embedding_, users_, items_, levels_, n_unknown_
        As in `RatingModel`. The factors are [b, 1] and [1, c].

    Examples
    --------
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import BiasOnly
    >>> data, table = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> BiasOnly(rounded=False).fit(data.pairs, data.ratings).predict(data.pairs[:2]).round(1)
    array([..., ...])
    """

    ridge: float = 5.0
    max_iter: int = 100

    def _learn(self, triples: Triples, before: Before | None) -> tuple[Embedding, bool]:
        values = self._level_values[triples.levels]
        self.mean_ = float(values.mean())
        residual = values - self.mean_
        users, items = triples.user_column(), triples.items
        b, c = np.zeros(triples.shape[0]), np.zeros(triples.shape[1])
        for _ in range(self.max_iter):
            before_b, b = b, self._bias(residual - c[items], users, len(b))
            c = self._bias(residual - b[users], items, len(c))
            if np.abs(b - before_b).max() < _STILL:
                break
        return self._embedding(b, c), False

    def _fold_users(self, embedding: Embedding, triples: Triples) -> Embedding:
        rest = self._level_values[triples.levels] - self.mean_ - embedding.V[triples.items, -1]
        return self._embedding(self._bias(rest, triples.user_column(), triples.shape[0]), embedding.V[:, -1])

    def _fold_items(self, embedding: Embedding, triples: Triples) -> Embedding:
        rest = self._level_values[triples.levels] - self.mean_ - embedding.U[triples.user_column(), 0]
        return self._embedding(embedding.U[:, 0], self._bias(rest, triples.items, triples.shape[1]))

    def _bias(self, residual: FloatArray, rows: object, count: int) -> FloatArray:
        rows = np.asarray(rows)
        sums = np.bincount(rows, weights=residual, minlength=count)
        return np.asarray(sums / (np.bincount(rows, minlength=count) + self.ridge))

    def _embedding(self, b: FloatArray, c: FloatArray) -> Embedding:
        return self._with_biases(np.empty((len(b), 0)), np.empty((len(c), 0)), b, c)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self.ridge, "ridge", above=0)
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
