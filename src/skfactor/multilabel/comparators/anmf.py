"""ANMF: asymmetric nonnegative matrix factorization."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix
from skfactor.multilabel.comparators.nonnegative import NonnegativeClassifier, NonnegativeScorer
from skfactor.solvers import nnls


@dataclass(eq=False, repr=False)
class ANMF(NonnegativeClassifier):
    r"""Asymmetric nonnegative matrix factorization: the labels make the codes, and the features follow.

    The labels are factorized first, and then a basis of the features is fitted to the same codes H (n x r):

        min over H, Q >= 0   ||Y - H Q||^2,        min over P >= 0   ||X - H P||^2

    A row x has the code h >= 0 that minimizes ||x - h P||^2, and the scores h Q. Features are not to be negative.

    Parameters
    ----------
    n_components : int, optional
        The rank r; by default 50, or the number of labels if there are fewer.
    max_iter, tol
        Of the factorization: iterations at most, and the relative change at which to stop.
    random_state : int, RandomState instance or None
        Draws the start, and the folds.
    decision, calibration_folds
        As in `LabelClassifier`.

    Attributes
    ----------
    scorer_ : NonnegativeScorer
        `basis` is P, `label_basis` Q.
    n_iter_ : int
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    J. C. Caicedo, J. BenAbdallah, F. A. Gonzalez and O. Nasraoui, "Multimodal representation, indexing, automated
    annotation and retrieval of image collections via non-negative matrix factorization", Neurocomputing 76(1),
    2012.

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import ANMF
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> X = np.maximum(data.X, 0)
    >>> model = ANMF(n_components=6).fit(X[:200], data.Y[:200])
    >>> model.predict(X[200:]).shape
    (100, 8)
    """

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> NonnegativeScorer:
        H, Q, n_iter = self._factorized(labels)
        P = nnls.solve(H.T @ H, np.asarray(X.T @ H)).T
        return NonnegativeScorer(P, Q, n_iter)
