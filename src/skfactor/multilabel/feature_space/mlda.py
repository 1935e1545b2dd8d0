"""MLDA: multi-label linear discriminant analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix, check_number, check_rank
from skfactor.moments import CentredMoments, Moments
from skfactor.multilabel.cosines import cosines, divided
from skfactor.multilabel.feature_space.base import MomentTransformer
from skfactor.solvers.spectral import leading_eigenvectors


@dataclass(eq=False, repr=False)
class MLDA(MomentTransformer):
    r"""Multi-label linear discriminant analysis: directions in which labels are far apart and each is compact.

    A row belongs to class k as far as z_k says, where z = C y / |y|, for the number |y| of its labels and the
    cosines C (L x L) between labels. With the classes' weights s_k = sum_i z_ik and means m_k, and the mean m of
    all,

        Sb = sum_k s_k (m_k - m) (m_k - m)'        Sw = sum_k sum_i z_ik (x_i - m_k) (x_i - m_k)'

    and the directions E (D x r) lead in Sb e = lambda (Sw + ridge n m_x I) e, for m_x the mean squared (centred,
    scaled) feature. Rows without labels do not count.

    Parameters
    ----------
    n_components : int, optional
        The number r of directions, at most one less than there are labels; all of them by default.
    ridge : float
        Relative to the mean squared feature. The paper has none, and then needs more rows than features.
    scale, memory_budget
        As in `MomentTransformer`.

    Attributes
    ----------
    label_cosines_ : ndarray of shape (n_labels, n_labels)
        C, of the rows that `fit` saw; `partial_fit` keeps it.
    encoder_, mean_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentTransformer`. The moments are those of x and y / |y| / w, weighted by w = sum_k z_k.

    References
    ----------
    H. Wang, C. Ding and H. Huang, "Multi-label linear discriminant analysis", ECCV 2010.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import MLDA, RidgeBR
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = make_pipeline(MLDA(n_components=4), RidgeBR()).fit(data.X[:200], data.Y[:200])
    >>> model[:1].transform(data.X[200:]).shape
    (100, 4)
    """

    n_components: int | None = None
    ridge: float = 0.1

    def solve(self, moments: CentredMoments) -> FloatArray:
        """E = R B V / (rho (1 - rho))^1/2, where V and rho lead in B' R B.

        B B' is Sb / n, and R = (Cxx + ridge m I)^-1. Here x has its weight w, so that Sb + Sw = n Cxx, and the
        directions for Sw are those for Cxx, with lambda = rho / (1 - rho). Column k of B (D x L) is
        s_k (m_k - m) / (n s_k)^1/2.
        """
        rank = check_rank(self.n_components, **_limits(moments.n_features, moments.n_labels))
        C = self.label_cosines_
        B = divided(moments.xy(C), moments.centre.mean_y @ C)
        W = moments.solve_ridge(self.ridge, B)
        rho, V = leading_eigenvectors(lambda U: B.T @ (W @ U), moments.n_labels, rank)
        return divided(W @ V, rho * np.maximum(1 - rho, 0.0))

    def _begin(self, X: Any, y: Any, classes: Any, sample_weight: Any, *, positives_needed: bool) -> Any:
        read = super()._begin(X, y, classes, sample_weight, positives_needed=positives_needed)
        labels, weight = read[1:]
        self.label_cosines_ = cosines((labels.T @ sparse.diags_array(weight) @ labels).toarray())
        return read

    def _moments_of(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Moments:
        """Of x and y / |y| / w, with weights w: so Sxx and Sxy C are those of x and z, and Y stays sparse."""
        counts = labels.sum(axis=1)
        shares = sparse.diags_array(np.divide(1.0, counts, out=np.zeros_like(counts), where=counts > 0)) @ labels
        w = shares @ self.label_cosines_.sum(axis=1)
        inverse = np.divide(1.0, w, out=np.zeros_like(w), where=w > 0)
        return super()._moments_of(X, sparse.csr_array(sparse.diags_array(inverse) @ shares), weight * w)

    def _begin_moments(self, moments: Moments) -> None:
        raise TypeError(
            "MLDA divides the labels of a row by their number, which moments do not know: use fit or partial_fit."
        )

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        if n_labels < 2:
            raise ValueError("MLDA tells labels from one another, and there is one only: use MDDM.")
        check_rank(self.n_components, **_limits(n_features, n_labels))
        check_number(self.ridge, "ridge", above=0)


def _limits(n_features: int, n_labels: int) -> dict[str, int]:
    return {"n_labels - 1": n_labels - 1, "n_features": n_features}
