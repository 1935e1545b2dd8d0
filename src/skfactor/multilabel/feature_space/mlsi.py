"""MLSI: multi-label informed latent semantic indexing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skfactor._validation import FloatArray, check_number, check_rank
from skfactor.moments import CentredMoments
from skfactor.multilabel.cosines import divided
from skfactor.multilabel.feature_space.base import MomentTransformer
from skfactor.solvers.spectral import leading_generalized_eigenvectors


@dataclass(eq=False, repr=False)
class MLSI(MomentTransformer):
    r"""Multi-label informed latent semantic indexing: principal directions that also tell the labels.

    Codes are to reconstruct features and labels together. The directions E (D x r) lead in the generalized
    eigenproblem

        ((1 - b) Cxx Cxx + b Cxy Cyx) e = lambda (Cxx + ridge m I) e

    for the weight b of the labels, and m the mean squared (centred, scaled) feature. Without labels (b = 0) it
    finds the directions of latent semantic indexing, with nothing else (b = 1) those that predict labels best.

    Parameters
    ----------
    n_components : int, optional
        The number r of directions, at most the number of features; all of them by default.
    label_weight : float
        The weight b (the paper's beta). It is between sums of squares of features and of labels as they come, so
        that for many features of unit variance it takes values near 1 for the labels to have a say.
    ridge : float
        Relative to the mean squared feature; the paper's gamma is n * m * ridge.
    scale, memory_budget
        As in `MomentTransformer`.

    Attributes
    ----------
    encoder_, mean_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentTransformer`.

    References
    ----------
    K. Yu, S. Yu and V. Tresp, "Multi-label informed latent semantic indexing", SIGIR 2005.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import MLSI, RidgeBR
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = make_pipeline(MLSI(n_components=10), RidgeBR()).fit(data.X[:200], data.Y[:200])
    >>> model[:1].transform(data.X[200:]).shape
    (100, 10)
    """

    n_components: int | None = None
    label_weight: float = 0.5
    ridge: float = 0.1

    def solve(self, moments: CentredMoments) -> FloatArray:
        """E of unit length in Cxx + ridge m I; zeros where lambda is zero, where any direction would do."""
        rank = check_rank(self.n_components, n_features=moments.n_features)
        shift, b = self.ridge * moments.mean_square, self.label_weight
        values, E = leading_generalized_eigenvectors(
            lambda V: (1 - b) * moments.xx(moments.xx(V)) + b * moments.xy(moments.yx(V)),
            lambda V: moments.xx(V) + shift * V,
            moments.ridge_solver(self.ridge),
            moments.n_features,
            rank,
        )
        return divided(E * np.sqrt(values), values)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_rank(self.n_components, n_features=n_features)
        check_number(self.label_weight, "label_weight", minimum=0, maximum=1)
        check_number(self.ridge, "ridge", above=0)
