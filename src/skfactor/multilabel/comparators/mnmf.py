"""MNMF: mixed nonnegative matrix factorization."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix, check_number
from skfactor.multilabel.comparators.nonnegative import NonnegativeClassifier, NonnegativeScorer


@dataclass(eq=False, repr=False)
class MNMF(NonnegativeClassifier):
    r"""Mixed nonnegative matrix factorization: codes that rebuild features and labels side by side.

    Over nonnegative codes H (n x r) and bases P (r x D) and Q (r x L), it minimizes

        (1 - label_weight)^2 ||X - H P||^2 + label_weight^2 ||Y - H Q||^2

    which is the factorization of (1 - label_weight) X and label_weight Y put side by side. A row x has the code
    h >= 0 that minimizes ||x - h P||^2, and the scores h Q. Features are not to be negative.

    Parameters
    ----------
    n_components : int, optional
        The rank r; by default 50, or the number of rows if there are fewer.
    label_weight : float
        Between 0 and 1. A new row's code comes of its features alone, so that components which only the labels
        asked for are of no use to it: the more of them n_components allows, the smaller this should be.
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
    >>> from skfactor.multilabel import MNMF
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> X = np.maximum(data.X, 0)
    >>> model = MNMF(n_components=12).fit(X[:200], data.Y[:200])
    >>> model.predict(X[200:]).shape
    (100, 8)
    """

    label_weight: float = 0.2

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> NonnegativeScorer:
        a, D = self.label_weight, X.shape[1]
        scaled = sparse.hstack([(1 - a) * sparse.csr_array(X), a * labels], format="csr")
        _, basis, n_iter = self._factorized(scaled)
        return NonnegativeScorer(np.ascontiguousarray(basis[:, :D]) / (1 - a), basis[:, D:] / a, n_iter)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.label_weight, "label_weight", above=0, maximum=1 - 1e-9)
