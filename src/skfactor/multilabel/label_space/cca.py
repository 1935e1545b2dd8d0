"""CCA: regression through canonical correlations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray, check_number, check_rank
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.multilabel.base import MomentClassifier
from skfactor.solvers.spectral import leading_eigenvectors


@dataclass(eq=False, repr=False)
class CCA(MomentClassifier):
    r"""Canonical correlation analysis: codes that features and labels agree on, be labels common or rare.

    The canonical directions A (D x r) and B (L x r) have the largest correlations between X A and Y B,

        max tr(A' Cxy B)    with    A' (Cxx + ridge m I) A = B' (Cyy + label_ridge v I) B = I

    where m and v are the mean squares of the (centred, scaled) features and of the (centred) labels. Ridge
    regression on X A then predicts the labels, as the map W = A A' Cxy of least
    1/n ||Y - X W||^2 + ridge * m * ||W||^2 among all that read X A only, and scores = X W + b. With r = L this
    is `RidgeBR`; as label_ridge grows it becomes `CPLST`.

    Parameters
    ----------
    n_components : int, optional
        The number r of canonical directions, at most the number of labels; all of them by default.
    ridge : float
        Weight of the squared norm on the side of the features, relative to their mean square.
    label_ridge : float
        The same on the side of the labels: the smaller, the more the directions of rare labels count.
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`.

    Attributes
    ----------
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is A, each column multiplied by its canonical correlation.

    References
    ----------
    L. Sun, S. Ji and J. Ye, "Canonical correlation analysis for multilabel classification: a least-squares
    formulation, extensions, and analysis", IEEE Transactions on Pattern Analysis and Machine Intelligence
    33(1), 2011.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import CCA
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = CCA(n_components=4).fit(data.X[:200], data.Y[:200])
    >>> model.transform(data.X[200:]).shape
    (100, 4)
    """

    tuned: ClassVar[Mapping[str, Sequence[Any]]] = {"label_ridge": (0.1, 1.0, 10.0)}
    nested_ranks: ClassVar[bool] = True

    n_components: int | None = None
    ridge: float = 0.3
    label_ridge: float = 1.0

    def solve(self, moments: CentredMoments) -> Factors:
        """U: leading eigenvectors of K' Cyx W K, where W = (Cxx + ridge m I)^-1 Cxy and K whitens the labels.

        Then A = W K U / rho and A' Cxy = rho U' K^-1, whose correlations rho need not be divided by.
        """
        rank = check_rank(self.n_components, n_labels=moments.n_labels)
        K, inverse = self._whitening(moments)
        W = moments.solve_ridge(self.ridge, moments.xy()) @ K
        _, U = leading_eigenvectors(lambda B: K.T @ moments.yx(W @ B), moments.n_labels, rank)
        return Factors(W @ U, U.T @ inverse)

    def _whitening(self, moments: CentredMoments) -> tuple[FloatArray, FloatArray]:
        """K (L x L) with K K' = (Cyy + label_ridge v I)^-1, and its inverse."""
        values, Q = linalg.eigh(moments.yy(np.eye(moments.n_labels)))
        values = np.maximum(values, 0.0)
        root = np.sqrt(values + self.label_ridge * (values.mean() or 1.0))
        return Q / root, (Q * root).T

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.ridge, "ridge", minimum=0)
        check_number(self.label_ridge, "label_ridge", above=0)
        check_rank(self.n_components, n_labels=n_labels)
