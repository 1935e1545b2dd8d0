"""BMMMF: bi-level maximum-margin matrix factorization."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skfactor._validation import check_number
from skfactor.ratings import kernels
from skfactor.ratings.embedding import Embedding
from skfactor.ratings.kernels import Loss
from skfactor.ratings.problem import Factor, Point
from skfactor.ratings.stochastic import StochasticModel
from skfactor.ratings.triples import Triples


@dataclass(eq=False, repr=False, kw_only=True)
class BMMMF(StochasticModel):
    r"""Bi-level maximum-margin matrix factorization: for likes and dislikes.

    It minimizes, with y = -1 for the lower and +1 for the upper of two levels,

        J = sum_Omega h(y_ij U_i . V_j) + ridge/2 (||U||^2 + ||V||^2),

    h the smooth hinge (0 for z >= 1, (1 - z)^2 / 2 for 0 < z < 1, 1/2 - z for z <= 0), and predicts the upper
    level where U_i . V_j >= threshold.

    Parameters
    ----------
    threshold : float
        From this score on, the upper level is predicted (theta of the paper).
    n_components, ridge, ridge_power, biases, solver, max_iter, tol, early_stopping, validation_fraction, \
n_iter_no_change, warm_start, n_threads, dtype, time_limit, callback, verbose, random_state
        As in `DescendingModel`; ridge is lambda of the paper.
    levels, duplicates, decision
        As in `RatingModel`.

    Attributes
    ----------
    U_, V_, thresholds_, n_iter_, objectives_, validation_errors_
        As in `DescendingModel`.
    embedding_, users_, items_, levels_, n_unknown_
        As in `RatingModel`.

    References
    ----------
    N. Srebro, J. Rennie and T. Jaakkola, "Maximum-margin matrix factorization", NIPS 17, 2004. J. Rennie and N.
    Srebro, "Fast maximum margin matrix factorization for collaborative prediction", ICML 2005.

    Examples
    --------
    >>> from skfactor.ratings import BMMMF
    >>> pairs = [("ann", "tea"), ("ann", "beer"), ("bob", "tea"), ("bob", "beer"), ("cid", "tea")]
    >>> model = BMMMF(n_components=2, ridge=0.1).fit(pairs, [1, 0, 1, 0, 0])
    >>> model.predict([("ann", "tea"), ("cid", "beer")])
    array([1, 1])
    """

    ridge: Any = 12.0
    threshold: float = 0.0

    def _loss(self) -> Loss:
        # With a single threshold that is held at 0, both hinges of a level are h(y x).
        return kernels.all_threshold

    def _first_thresholds(self, n_users: int) -> Factor:
        return np.zeros((n_users, 1), dtype=self.dtype)

    def _held_thresholds(self, embedding: Embedding) -> Factor:
        return self._first_thresholds(len(embedding.U))

    def _embed(self, point: Point, triples: Triples) -> Embedding:
        # A score is above the number next below the threshold just when it is not below the threshold.
        below = np.nextafter(np.float64(self.threshold), -np.inf)
        return Embedding(point.U, point.V, np.full((1, 1), below))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self.threshold, "threshold")

    def _check_levels(self, n_levels: int) -> None:
        if n_levels != 2:
            raise ValueError(
                f"BMMMF is for two levels, got {n_levels}. Use HMF, MMMF or PMMMF, or turn the ratings into likes "
                "and dislikes."
            )
