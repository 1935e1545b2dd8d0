"""MMMF: maximum-margin matrix factorization with thresholds of each user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from skfactor._validation import check_choice
from skfactor.ratings import kernels
from skfactor.ratings.embedding import Embedding
from skfactor.ratings.kernels import Loss
from skfactor.ratings.problem import Factor, Point
from skfactor.ratings.stochastic import StochasticModel
from skfactor.ratings.triples import Triples

LOSSES = {"all": kernels.all_threshold, "immediate": kernels.immediate_threshold}


@dataclass(eq=False, repr=False, kw_only=True)
class MMMF(StochasticModel):
    r"""Maximum-margin matrix factorization: quick and exact for ordinal ratings, the one to start with.

    With R - 1 thresholds theta_ir of each user it minimizes

        J = sum_Omega sum_r h(T_r (theta_ir - U_i . V_j)) + ridge/2 (||U||^2 + ||V||^2),

    T_r = +1 if r >= y_ij, else -1, and h the smooth hinge (0 for z >= 1, (1 - z)^2 / 2 for 0 < z < 1, 1/2 - z for
    z <= 0). The predicted level is 1 + the number of thresholds below U_i . V_j, so that thresholds out of order,
    which a user with few ratings may get, do no harm.

    The defaults are the papers' model. With biases=True, ridge_power=0.5 and a ridge between 1 and 2.4, the error
    on MovieLens is lower; with decision="median", a little more so.

    Parameters
    ----------
    threshold_loss : {"all", "immediate"}
        Whether the hinges of all thresholds count, or only of the two next to the level.
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
    J. Rennie and N. Srebro, "Fast maximum margin matrix factorization for collaborative prediction", ICML 2005.

    Examples
    --------
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import MMMF
    >>> data, table = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> model = MMMF(n_components=10, ridge=5).fit(data.pairs, data.ratings)
    >>> model.score(data.pairs, data.ratings) > -0.4
    True
    >>> model.recommend(user=7, k=3).shape
    (3,)
    """

    threshold_loss: str = "all"

    _free: ClassVar[tuple[str, ...]] = ("U", "V", "thresholds")
    _user_parts: ClassVar[tuple[str, ...]] = ("U", "thresholds")

    def _loss(self) -> Loss:
        return LOSSES[self.threshold_loss]

    def _first_thresholds(self, n_users: int) -> Factor:
        return spread_thresholds(n_users, self._n_levels).astype(self.dtype)

    def _embed(self, point: Point, triples: Triples) -> Embedding:
        return Embedding(point.U, point.V, point.thresholds)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self.threshold_loss, "threshold_loss", LOSSES)


def spread_thresholds(n_users: int, n_levels: int) -> Factor:
    """Make thresholds at distances of 1 around 0, the same for all users."""
    thresholds = np.arange(n_levels - 1.0)
    return np.tile(thresholds - thresholds.mean(), (n_users, 1))
