"""PMMMF: proximal maximum-margin matrix factorization."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skfactor._validation import IntArray, check_choice
from skfactor.ratings import kernels
from skfactor.ratings.descending import DescendingModel
from skfactor.ratings.embedding import Embedding, Factor
from skfactor.ratings.kernels import Loss
from skfactor.ratings.mmmf import spread_thresholds
from skfactor.ratings.problem import Point
from skfactor.ratings.triples import Triples


@dataclass(eq=False, repr=False, kw_only=True)
class PMMMF(DescendingModel):
    r"""Proximal maximum-margin matrix factorization: ratings gather at planes instead of between thresholds.

    The plane of level r of user i lies at the mean score theta*_ir of the items that the user rated r. With
    D_ijr = U_i . V_j - theta*_ir, it minimizes

        J = sum_Omega (D_ij,y^2 + sum_{r != y} h(T_r D_ijr)) + ridge/2 (||U||^2 + ||V||^2),

    T_r = +1 if r < y_ij, -1 if r > y_ij, and h the smooth hinge. The gradient goes through theta*, which move with
    U and V. The boundary between two levels lies between their planes, divided in the ratio of their numbers of
    ratings; the predicted level is 1 + the number of boundaries below the score. A level that a user never gave
    has no plane: its terms are left out for that user, and it is not predicted.

    With few factors, scores scatter wider around their planes than these lie apart, and boundaries between the
    planes give the outer levels far too often. Then boundaries="hinges" is the better choice.

    Parameters
    ----------
    boundaries : {"planes", "hinges"}
        Whether the boundaries lie between the planes, as in the paper, or are the thresholds of `MMMF` for the
        same U and V: they minimize the hinges of all thresholds, factors held.
    n_components, ridge, ridge_power, biases, solver, max_iter, tol, early_stopping, validation_fraction, \
n_iter_no_change, warm_start, n_threads, dtype, time_limit, callback, verbose, random_state
        As in `DescendingModel`; ridge is lambda of the paper.
    levels, duplicates, decision
        As in `RatingModel`.

    Attributes
    ----------
    planes_ : ndarray of shape (N, R)
        theta*; NaN where the user never gave the level.
    U_, V_, thresholds_, n_iter_, objectives_, validation_errors_
        As in `DescendingModel`; the thresholds are the boundaries.
    embedding_, users_, items_, levels_, n_unknown_
        As in `RatingModel`.

    References
    ----------
    V. Kumar, A. K. Pujari, S. K. Sahu, V. R. Kagita and V. Padmanabhan, "Proximal maximum margin matrix
    factorization for collaborative filtering", Pattern Recognition Letters 86, 2017.

    Examples
    --------
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import PMMMF
    >>> data, table = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> model = PMMMF(n_components=10, ridge=5).fit(data.pairs, data.ratings)
    >>> model.planes_.shape
    (60, 5)
    """

    ridge: Any = 30.0
    boundaries: str = "planes"

    @property
    def planes_(self) -> Factor:
        """Return the mean score of each user's ratings at each level, shape (N, R)."""
        return np.asarray(self.embedding_.planes)

    def _loss(self) -> Loss:
        return moving_planes

    def _first_thresholds(self, n_users: int) -> Factor:
        return np.zeros((n_users, self._n_levels), dtype=self.dtype)

    def _held_thresholds(self, embedding: ProximalEmbedding) -> Factor:
        return embedding.planes

    def _held_loss(self) -> Loss:
        return kernels.proximal

    def _embed(self, point: Point, triples: Triples) -> ProximalEmbedding:
        counts = triples.level_counts(self._n_levels, axis=0)
        scores = Embedding(point.U, point.V, point.thresholds).scores(triples.user_column(), triples.items)
        cells = triples.user_column() * self._n_levels + triples.levels
        sums = np.bincount(cells, weights=scores, minlength=counts.size).reshape(counts.shape)
        planes = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0).astype(self.dtype)
        thresholds = self._boundaries(point, triples, planes, counts).astype(self.dtype)
        return ProximalEmbedding(point.U, point.V, thresholds, planes)

    def _boundaries(self, point: Point, triples: Triples, planes: Factor, counts: IntArray) -> Factor:
        if self.boundaries == "planes":
            return between(planes, counts)
        start = point._replace(thresholds=spread_thresholds(*counts.shape).astype(self.dtype))
        return self._fold(triples, start, kernels.all_threshold, ("thresholds",)).point.thresholds

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self.boundaries, "boundaries", ("planes", "hinges"))


@dataclass(frozen=True, eq=False)
class ProximalEmbedding(Embedding):
    """An embedding that knows the planes between which its thresholds lie.

    Attributes
    ----------
    planes : ndarray of shape (N, R)
    """

    planes: Factor

    def with_users(self, others: Any) -> ProximalEmbedding:
        """Append users."""
        both = super().with_users(others)
        planes = np.concatenate([self.planes, others.planes])
        return ProximalEmbedding(both.U, both.V, both.thresholds, planes)

    def with_items(self, others: Embedding) -> ProximalEmbedding:
        """Append items; the planes stay where they are."""
        both = super().with_items(others)
        return ProximalEmbedding(both.U, both.V, both.thresholds, self.planes)


def moving_planes(first, last, starts, levels, planes, values, losses, slopes):  # type: ignore[no-untyped-def]
    """Loss whose planes are the means of the scores, wherever these move."""
    kernels.level_means(first, last, starts, levels, planes, values)
    kernels.proximal(first, last, starts, levels, planes, values, losses, slopes)
    kernels.through_means(first, last, starts, levels, values, slopes)


def between(planes: Factor, counts: IntArray) -> Factor:
    """Boundaries between the levels of each user, from planes and numbers of ratings (both N x R).

    Between neighbouring levels p < q that the user gave, theta*_p + n_p / (n_p + n_q) (theta*_q - theta*_p); the
    boundaries of all levels from p to below q are there, so that none between them is predicted. Below the lowest
    level given they are -inf, from the highest on inf.

    Returns
    -------
    ndarray of shape (N, R - 1)
    """
    N, R = planes.shape
    given = counts > 0
    rows = np.arange(N)
    below, above = _nearest_below(given)[:, :-1], (R - 1 - _nearest_below(given[:, ::-1]))[:, ::-1][:, 1:]
    result = np.empty((N, R - 1))
    for r in range(R - 1):
        p, q = below[:, r], above[:, r]
        share = counts[rows, p] / np.maximum(counts[rows, p] + counts[rows, q], 1)
        between = planes[rows, p] + share * (planes[rows, q] - planes[rows, p])
        result[:, r] = np.where(~given[:, : r + 1].any(axis=1), -np.inf, between)
        result[~given[:, r + 1 :].any(axis=1), r] = np.inf
    return result


def _nearest_below(given: Any) -> IntArray:
    """For each level, the nearest one at or below it that was given; the first one where there is none."""
    places = np.where(given, np.arange(given.shape[1]), 0)
    return np.asarray(np.maximum.accumulate(places, axis=1))
