"""Reduced-rank ridge regression: the best of all linear maps of a given rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from skfactor._validation import check_number, check_rank
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.multilabel.base import MomentClassifier
from skfactor.solvers.spectral import leading_eigenvectors


@dataclass(eq=False, repr=False)
class ReducedRankRidge(MomentClassifier):
    r"""Reduced-rank ridge regression: `RidgeBR` compressed to rank r with the least possible loss.

    It minimizes, over all W (D x L) of rank r at most, and exactly,

        1/n ||Y - X W||^2 + ridge * m * ||W||^2,        scores = X W + b

    where m is the mean squared (centred, scaled) feature. The minimizer is the full solution R Cxy, with
    R = (Cxx + ridge m I)^-1, projected on the r leading eigenvectors V (L x r) of Cyx R Cxy: W = R Cxy V V'.
    With r = L this is `RidgeBR`.

    Parameters
    ----------
    n_components : int, optional
        The rank r, at most the number of labels; all of them by default.
    ridge : float
        Weight of the squared norm, relative to the mean squared feature.
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`.

    Attributes
    ----------
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is R Cxy V, the decoder V'.

    Notes
    -----
    `CPLST` reaches the same minimizer by another road and is this model under its own name. LEML with the
    squared loss penalizes ||A||^2 + ||B||^2 for W = A B, which is twice the sum of the singular values of W:
    that shrinks weak directions to nothing, where the squared norm here only makes all of them smaller.

    References
    ----------
    A. Mukherjee and J. Zhu, "Reduced rank ridge regression and its kernel extensions", Statistical Analysis
    and Data Mining 4(6), 2011.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import ReducedRankRidge
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = ReducedRankRidge(n_components=4).fit(data.X[:200], data.Y[:200])
    >>> model.transform(data.X[200:]).shape
    (100, 4)
    """

    nested_ranks: ClassVar[bool] = True

    n_components: int | None = None
    ridge: float = 0.3

    def solve(self, moments: CentredMoments) -> Factors:
        """W = R Cxy; V: leading eigenvectors of Cyx W; the encoder is W V."""
        rank = check_rank(self.n_components, n_labels=moments.n_labels)
        W = moments.solve_ridge(self.ridge, moments.xy())
        _, V = leading_eigenvectors(lambda B: moments.yx(W @ B), moments.n_labels, rank)
        return Factors(W @ V, V.T)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.ridge, "ridge", minimum=0)
        check_rank(self.n_components, n_labels=n_labels)
