"""MDDM: multi-label dimensionality reduction via dependence maximization."""

from __future__ import annotations

from dataclasses import dataclass

from skfactor._validation import FloatArray, check_number, check_rank
from skfactor.moments import CentredMoments
from skfactor.multilabel.cosines import divided
from skfactor.multilabel.feature_space.base import MomentTransformer
from skfactor.solvers.spectral import leading_eigenvectors


@dataclass(eq=False, repr=False)
class MDDM(MomentTransformer):
    r"""Dependence maximization: the few directions whose codes depend most on the labels.

    The dependence of codes X E on labels is measured by the Hilbert-Schmidt independence criterion with linear
    kernels, which is the squared norm of their covariance. Over E (D x r),

        max tr(E' Cxy Cyx E)    with    E' E = I    or    E' (Cxx + ridge m I) E = I

    where m is the mean squared (centred, scaled) feature. The first keeps the geometry of the features, the second
    makes the codes uncorrelated.

    Parameters
    ----------
    n_components : int, optional
        The number r of directions, at most the number of labels, since beyond them the criterion sees nothing; by
        default as many as there are.
    ridge : float, optional
        None for an orthonormal projection. Else codes are uncorrelated, and this is the weight of the squared norm
        in their constraint: for the paper's mu, n * m * ridge is (1 - mu) / mu.
    scale, memory_budget
        As in `MomentTransformer`.

    Attributes
    ----------
    encoder_, mean_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentTransformer`.

    References
    ----------
    Y. Zhang and Z.-H. Zhou, "Multilabel dimensionality reduction via dependence maximization", ACM Transactions on
    Knowledge Discovery from Data 4(3), 2010.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import MDDM, RidgeBR
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = make_pipeline(MDDM(n_components=4), RidgeBR()).fit(data.X[:200], data.Y[:200])
    >>> model[:1].transform(data.X[200:]).shape
    (100, 4)
    """

    n_components: int | None = None
    ridge: float | None = None

    def solve(self, moments: CentredMoments) -> FloatArray:
        """E = W V / rho, for W = Cxy or (Cxx + ridge m I)^-1 Cxy, and V, rho^2 leading in Cyx W (L x L)."""
        rank = check_rank(self.n_components, n_labels=moments.n_labels, n_features=moments.n_features)
        W = moments.xy()
        if self.ridge is not None:
            W = moments.solve_ridge(self.ridge, W)
        squares, V = leading_eigenvectors(lambda B: moments.yx(W @ B), moments.n_labels, rank)
        return divided(W @ V, squares)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_rank(self.n_components, n_labels=n_labels, n_features=n_features)
        if self.ridge is not None:
            check_number(self.ridge, "ridge", minimum=0)
