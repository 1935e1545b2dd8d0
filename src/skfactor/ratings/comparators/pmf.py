"""PMF: probabilistic matrix factorization, at its most probable point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skfactor._validation import IntArray
from skfactor.ratings import kernels
from skfactor.ratings.base import Before
from skfactor.ratings.comparators.values import ValueModel
from skfactor.ratings.embedding import Embedding
from skfactor.ratings.kernels import Loss
from skfactor.ratings.problem import Factor, Point
from skfactor.ratings.stochastic import StochasticModel
from skfactor.ratings.triples import Triples


@dataclass(eq=False, repr=False, kw_only=True)
class PMF(ValueModel, StochasticModel):
    """Probabilistic matrix factorization (MAP): normal ratings and normal factors.

    It minimizes, with m the mean rating,

        1/2 sum_Omega (y_ij - m - U_i . V_j)^2 + ridge/2 (||U||^2 + ||V||^2).

    Parameters
    ----------
    n_components, ridge, ridge_power, biases, solver, max_iter, tol, early_stopping, validation_fraction, \
n_iter_no_change, warm_start, n_threads, dtype, time_limit, callback, verbose, random_state
        As in `DescendingModel`; ridge is the ratio of the variances of ratings and factors.
    rounded, levels, duplicates, decision
        As in `ValueModel`.

    Attributes
    ----------
    mean_ : float
        m.
    U_, V_, thresholds_, n_iter_, objectives_, validation_errors_
        As in `DescendingModel`.
    embedding_, users_, items_, levels_, n_unknown_
        As in `RatingModel`.

    References
    ----------
    R. Salakhutdinov and A. Mnih, "Probabilistic matrix factorization", NIPS 20, 2008.

    Examples
    --------
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import PMF
    >>> data, table = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> PMF(n_components=5, ridge=2).fit(data.pairs, data.ratings).U_.shape
    (60, 5)
    """

    ridge: Any = 10.0

    def _learn(self, triples: Triples, before: Before | None) -> tuple[Any, bool]:
        self._see_counts(np.bincount(triples.levels, minlength=self._n_levels))
        return super()._learn(triples, before)

    def _see_counts(self, counts: IntArray) -> None:
        self.mean_ = float(np.average(self._level_values, weights=counts))

    def _loss(self) -> Loss:
        return kernels.squares

    def _first_thresholds(self, n_users: int) -> Factor:
        # The kernel looks up here what each level stands for.
        return np.tile((self._level_values - self.mean_).astype(self.dtype), (n_users, 1))

    def _held_thresholds(self, embedding: Embedding) -> Factor:
        return self._first_thresholds(len(embedding.U))

    def _embed(self, point: Point, triples: Triples) -> Embedding:
        return Embedding(point.U, point.V, self._rounding(self.mean_))
