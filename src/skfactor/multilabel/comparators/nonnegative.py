"""What ANMF and MNMF share: factors without negative entries, and rows projected on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, Matrix, check_number
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.solvers import nnls


@dataclass(frozen=True)
class NonnegativeScorer:
    """scores = h Q, where h >= 0 minimizes ||x - h P||^2.

    Attributes
    ----------
    basis : ndarray of shape (n_components, n_features)
        P.
    label_basis : ndarray of shape (n_components, n_labels)
        Q.
    n_iter : int
        Iterations of the factorization.
    """

    basis: FloatArray
    label_basis: FloatArray
    n_iter: int

    def transform(self, X: Matrix) -> FloatArray:
        """H (n x r)."""
        return nnls.solve(self.basis @ self.basis.T, np.asarray(X @ self.basis.T))

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        return np.asarray(self.transform(X) @ self.label_basis)


@dataclass(eq=False, repr=False)
class NonnegativeClassifier(LabelClassifier):
    """Base of both.

    Attributes
    ----------
    n_iter_ : int
    """

    nonnegative: ClassVar[bool] = True

    n_components: int | None = None
    max_iter: int = 200
    tol: float = 1e-4

    def _factorized(self, table: Matrix) -> tuple[FloatArray, FloatArray, int]:
        """Nonnegative H (n x r) and B (r x k) with H B near a table (n x k), and the number of iterations."""
        import warnings

        from sklearn.decomposition import NMF
        from sklearn.exceptions import ConvergenceWarning

        seed = check_random_state(self.random_state).randint(2**31 - 1)
        model = NMF(self._rank(table), max_iter=self.max_iter, tol=self.tol, random_state=seed)
        with warnings.catch_warnings():  # it stops where little is gained, long before it has converged
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.simplefilter("ignore", RuntimeWarning)  # of an error that is 0, and by rounding below
            H = model.fit_transform(table)
        return H, model.components_, model.n_iter_

    def _rank(self, table: Matrix) -> int:
        return min(USUAL_RANK, *table.shape) if self.n_components is None else self.n_components

    @property
    def n_iter_(self) -> int:
        """Iterations of the factorization."""
        count: int = self.scorer_.n_iter  # type: ignore[attr-defined]
        return count

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        if self.n_components is not None:
            check_number(self.n_components, "n_components", minimum=1, integer=True)
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.tol, "tol", minimum=0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # two features allow no more than two nonnegative directions
        return tags


#: Components unless asked for another number.
USUAL_RANK = 50
