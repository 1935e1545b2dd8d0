"""BPMF: Bayesian probabilistic matrix factorization by Gibbs sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import wishart
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, check_number
from skfactor.ratings.base import Before
from skfactor.ratings.comparators.rows import RowView, both_views, solve_rows
from skfactor.ratings.comparators.values import ValueModel
from skfactor.ratings.embedding import Embedding
from skfactor.ratings.triples import Triples

#: The weight of the prior mean 0, in observations (beta_0 of the paper).
_PRIOR_WEIGHT = 2.0
Normal = tuple[FloatArray, FloatArray]


@dataclass(eq=False, repr=False, kw_only=True)
class BPMF(ValueModel):
    """Bayesian probabilistic matrix factorization: no ridge to choose, the mean over many factorizations.

    Ratings are normal around m + U_i . V_j with a given precision; rows of U and of V are normal, and their means
    and precision matrices have Normal-Wishart priors (mu_0 = 0, beta_0 = 2, nu_0 = d, W_0 = I). Gibbs sampling
    draws all of them by turns; a prediction is the mean over the samples, which is one factorization of rank
    n_samples * n_components.

    Parameters
    ----------
    n_components : int
        The number of factors, d.
    precision : float
        Of a rating (alpha of the paper).
    n_burn_in : int
        Turns before the first sample.
    n_samples : int
        Turns that are kept.
    n_threads : int
        The result does not depend on it.
    random_state : int, RandomState instance or None
    rounded, levels, duplicates, decision
        As in `ValueModel`.

    Attributes
    ----------
    mean_ : float
        m.
    priors_ : list of pairs of pairs
        For each sample, the mean and the precision matrix of the users' and of the items' factors.
    embedding_, users_, items_, levels_, n_unknown_
        As in `RatingModel`.

    References
    ----------
    R. Salakhutdinov and A. Mnih, "Bayesian probabilistic matrix factorization using Markov chain Monte Carlo",
    ICML 2008.

    Examples
    --------
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import BPMF
    >>> data, table = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> model = BPMF(n_components=4, n_burn_in=5, n_samples=5).fit(data.pairs, data.ratings)
    >>> model.embedding_.U.shape
    (60, 20)
    """

    n_components: int = 20
    precision: float = 2.0
    n_burn_in: int = 20
    n_samples: int = 50
    n_threads: int = 1
    random_state: Any = 0

    def _learn(self, triples: Triples, before: Before | None) -> tuple[Embedding, bool]:
        rng = check_random_state(self.random_state)
        values = self._level_values[triples.levels]
        self.mean_ = float(values.mean())
        views = both_views(triples, values - self.mean_)
        U, V = (0.1 * rng.standard_normal((rows, self.n_components)) for rows in triples.shape)
        samples: list[tuple[FloatArray, FloatArray, tuple[Normal, Normal]]] = []
        interrupted = False
        try:
            for turn in range(self.n_burn_in + self.n_samples):
                priors = draw_prior(U, rng), draw_prior(V, rng)
                U = self._draw(views[0], V, priors[0], rng)
                V = self._draw(views[1], U, priors[1], rng)
                if turn >= self.n_burn_in:
                    samples.append((U, V, priors))
        except KeyboardInterrupt:
            interrupted = True
            if not samples:
                raise
        Us, Vs, self.priors_ = (list(part) for part in zip(*samples, strict=True))
        return self._mean_of(Us, Vs), interrupted

    def _draw(self, view: RowView, F: FloatArray, prior: Normal, rng: np.random.RandomState | None) -> FloatArray:
        """Draw the rows given the others; without `rng`, their mean."""
        mean, precision = prior
        noise = None if rng is None else rng.standard_normal((len(view.counts), F.shape[1]))
        pull = precision @ mean
        return solve_rows(view, F, precision, pull, weight=self.precision, noise=noise, threads=self.n_threads)

    def _mean_of(self, Us: list[FloatArray], Vs: list[FloatArray]) -> Embedding:
        """Put factorizations side by side: (1/S) sum_s U_s V_s' = [U_1 ... U_S] [V_1 ... V_S]' / S."""
        return Embedding(np.hstack(Us) / len(Us), np.hstack(Vs), self._rounding(self.mean_))

    def _fold_users(self, embedding: Embedding, triples: Triples) -> Embedding:
        by_users, _ = both_views(triples, self._level_values[triples.levels] - self.mean_)
        Vs = np.hsplit(embedding.V, len(self.priors_))
        Us = [self._draw(by_users, V, prior, None) for V, (prior, _) in zip(Vs, self.priors_, strict=True)]
        return self._mean_of(Us, Vs)

    def _fold_items(self, embedding: Embedding, triples: Triples) -> Embedding:
        _, by_items = both_views(triples, self._level_values[triples.levels] - self.mean_)
        Us = np.hsplit(embedding.U * len(self.priors_), len(self.priors_))
        Vs = [self._draw(by_items, U, prior, None) for U, (_, prior) in zip(Us, self.priors_, strict=True)]
        return self._mean_of(Us, Vs)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        for name in ("n_components", "n_samples", "n_threads"):
            check_number(getattr(self, name), name, minimum=1, integer=True)
        check_number(self.n_burn_in, "n_burn_in", minimum=0, integer=True)
        check_number(self.precision, "precision", above=0)


def draw_prior(F: FloatArray, rng: np.random.RandomState) -> Normal:
    """Draw mean and precision matrix of the rows of F (n x d) from their Normal-Wishart posterior.

    With mean f and scatter S = F'F / n - f f', the precision is Wishart with n + d degrees of freedom and scale
    (I + n S + beta n / (beta + n) f f')^-1; the mean is normal around n f / (beta + n) with (beta + n) times it.
    """
    n, d = F.shape
    f = F.mean(axis=0)
    scatter = (F - f).T @ (F - f)
    spread = np.eye(d) + scatter + _PRIOR_WEIGHT * n / (_PRIOR_WEIGHT + n) * np.outer(f, f)
    scale = np.linalg.inv(spread)
    precision = np.atleast_2d(wishart.rvs(n + d, (scale + scale.T) / 2, random_state=rng))
    L = np.linalg.cholesky((_PRIOR_WEIGHT + n) * precision)
    mean = n * f / (_PRIOR_WEIGHT + n) + np.linalg.solve(L.T, rng.standard_normal(d))
    return mean, precision
