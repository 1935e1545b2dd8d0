"""ALS: alternating least squares with biases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, check_number
from skfactor.ratings.base import Before
from skfactor.ratings.comparators.rows import RowView, both_views, solve_rows
from skfactor.ratings.comparators.values import ValueModel
from skfactor.ratings.embedding import Embedding
from skfactor.ratings.triples import Triples


@dataclass(eq=False, repr=False, kw_only=True)
class ALS(ValueModel):
    """Regularized squares with biases, by alternating least squares: lowest squared error of the quick models.

    It minimizes, by turns over users and items,

        sum_Omega (y_ij - m - b_i - c_j - U_i . V_j)^2 + ridge (||U_i||^2 + b_i^2 + ||V_j||^2 + c_j^2),

    so that a user or item with more ratings is shrunk no less per rating than one with few.

    Parameters
    ----------
    n_components : int
        The number of factors, d.
    ridge : float
        Weight of the squared norms, per rating.
    max_iter : int
        Turns.
    n_threads : int
        The result does not depend on it.
    random_state : int, RandomState instance or None
        Draws the start.
    rounded, levels, duplicates, decision
        As in `ValueModel`.

    Attributes
    ----------
    mean_ : float
        m.
    embedding_, users_, items_, levels_, n_unknown_
        As in `RatingModel`. The factors are [U, b, 1] and [V, 1, c].

    References
    ----------
    Y. Zhou, D. Wilkinson, R. Schreiber and R. Pan, "Large-scale parallel collaborative filtering for the Netflix
    prize", AAIM 2008.

    Examples
    --------
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import ALS
    >>> data, table = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> ALS(n_components=5).fit(data.pairs, data.ratings).predict(data.pairs[:3])
    array([...])
    """

    n_components: int = 20
    ridge: float = 0.1
    max_iter: int = 20
    n_threads: int = 1
    random_state: Any = 0

    def _learn(self, triples: Triples, before: Before | None) -> tuple[Embedding, bool]:
        rng = check_random_state(self.random_state)
        values = self._level_values[triples.levels]
        self.mean_ = float(values.mean())
        by_users, by_items = both_views(triples, values - self.mean_)
        V, c = 0.1 * rng.standard_normal((triples.shape[1], self.n_components)), np.zeros(triples.shape[1])
        finished: Embedding | None = None
        try:
            for _ in range(self.max_iter):
                U, b = self._solve(by_users, V, c)
                V, c = self._solve(by_items, U, b)
                finished = self._with_biases(U, V, b, c)
        except KeyboardInterrupt:
            if finished is None:
                raise
            return finished, True
        assert finished is not None
        return finished, False

    def _solve(self, view: RowView, F: FloatArray, biases: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Solve the factors and biases of the rows, given those of the others."""
        design = np.column_stack([F, np.ones(len(F))])
        rest = RowView(view.starts, view.others, view.values - biases[view.others])
        precision = self.ridge * np.maximum(view.counts, 1)
        solved = solve_rows(rest, design, precision, np.zeros(design.shape[1]), threads=self.n_threads)
        return solved[:, :-1], solved[:, -1]

    def _fold_users(self, embedding: Embedding, triples: Triples) -> Embedding:
        by_users, _ = both_views(triples, self._level_values[triples.levels] - self.mean_)
        V, c = embedding.V[:, :-2], embedding.V[:, -1]
        U, b = self._solve(by_users, V, c)
        return self._with_biases(U, V, b, c)

    def _fold_items(self, embedding: Embedding, triples: Triples) -> Embedding:
        _, by_items = both_views(triples, self._level_values[triples.levels] - self.mean_)
        U, b = embedding.U[:, :-2], embedding.U[:, -2]
        V, c = self._solve(by_items, U, b)
        return self._with_biases(U, V, b, c)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        for name in ("n_components", "max_iter", "n_threads"):
            check_number(getattr(self, name), name, minimum=1, integer=True)
        check_number(self.ridge, "ridge", above=0)
