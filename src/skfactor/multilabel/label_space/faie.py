"""FaIE: feature-aware implicit label space encoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from skfactor._validation import FloatArray, check_number, check_rank
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.multilabel.base import MomentClassifier
from skfactor.solvers.spectral import Product, leading_generalized_eigenvectors


@dataclass(eq=False, repr=False)
class FaIE(MomentClassifier):
    r"""Feature-aware implicit label space encoding: codes that need not be a linear map of the labels.

    The codes C (n x r) of the rows themselves are found first, such that labels follow from them and they
    follow from features:

        max tr(C' (Y Y' / n + alpha X R X' / n) C)    with    C' C = I,        R = (Cxx + ridge m I)^-1

    where m is the mean squared (centred, scaled) feature and alpha = feature_weight times the largest
    eigenvalue of Cyy. Least squares decodes them, ridge regression E (D x r) predicts them, and
    scores = X E (C' Y) + b. Without the second term this is `PLST`; with nothing but it, the codes are
    principal components of X.

    Parameters
    ----------
    n_components : int, optional
        The rank r, at most the number of labels; as many by default.
    ridge : float
        Weight of the squared norm of E, relative to the mean squared feature.
    feature_weight : float
        How much the codes are made to follow from the features; at 1, both terms have about the same largest
        eigenvalue. The paper's alpha, for sums over rows in place of means, is n times the one above.
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`.

    Attributes
    ----------
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is E, the decoder C' Y.

    References
    ----------
    Z. Lin, G. Ding, M. Hu and J. Wang, "Multi-label classification via feature-aware implicit label space
    encoding", ICML 2014.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import FaIE
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = FaIE(n_components=4).fit(data.X[:200], data.Y[:200])
    >>> model.transform(data.X[200:]).shape
    (100, 4)
    """

    tuned: ClassVar[Mapping[str, Sequence[Any]]] = {"feature_weight": (0.01, 0.1)}
    nested_ranks: ClassVar[bool] = True

    n_components: int | None = None
    ridge: float = 0.3
    feature_weight: float = 0.1

    def solve(self, moments: CentredMoments) -> Factors:
        """All from the leading solutions of a pencil of the size of the moments.

        With a = sqrt(alpha), it is

            [Cyy    a Cyx ] [G]   [I         0       ] [G]
            [a Cxy a^2 Cxx] [F] = [0  Cxx + ridge m I] [F] diag(mu)

        The codes are (Y G + a X F) / sqrt(n mu). So its first row is their decoder, sqrt(mu) G', and its second
        the ridge regression on X that predicts them, F sqrt(mu) / a; the unit sqrt(n) of the codes cancels.
        """
        rank = check_rank(self.n_components, n_labels=moments.n_labels)
        a = np.sqrt(self.feature_weight * (moments.leading_y(1)[0][0] or 1.0))
        products = _pencil(moments, a, self.ridge)
        mu, H = leading_generalized_eigenvectors(*products, moments.n_labels + moments.n_features, rank)
        G, F = np.split(H * np.sqrt(mu), [moments.n_labels])
        return Factors(F / a, G.T)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.ridge, "ridge", above=0)
        check_number(self.feature_weight, "feature_weight", above=0)
        check_rank(self.n_components, n_labels=n_labels)


def _pencil(moments: CentredMoments, a: float, ridge: float) -> tuple[Product, Product, Product]:
    """Products of (G, F), one above the other, with the left matrix, the right one and the inverse of that."""
    L, shift, solve = moments.n_labels, ridge * moments.mean_square, moments.ridge_solver(ridge)

    def left(H: FloatArray) -> FloatArray:
        G, F = H[:L], a * H[L:]
        return np.vstack([moments.yy(G) + moments.yx(F), a * (moments.xy(G) + moments.xx(F))])

    def right(H: FloatArray) -> FloatArray:
        return np.vstack([H[:L], moments.xx(H[L:]) + shift * H[L:]])

    def right_inverse(H: FloatArray) -> FloatArray:
        return np.vstack([H[:L], solve(H[L:])])

    return left, right, right_inverse
