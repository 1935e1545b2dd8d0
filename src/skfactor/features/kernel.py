"""KernelFeatures: similarities to some of the training rows, for scores that are no linear map of x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from skfactor._validation import FloatArray, Matrix, check_choice, check_finite, check_number

#: Rows whose distances give the width.
WIDTH_ROWS = 500


@dataclass(eq=False, repr=False)
class KernelFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Features of a Gaussian kernel, whose width comes from the data: any moment method behind them bends.

    Of the training rows (standardized) it draws r landmarks. With K the kernel between landmarks and k(x) that
    between x and the landmarks,

        z(x) = K^-1/2 k(x),        k_j(x) = exp(-||x - x_j||^2 / (width^2 * m))

    where m is the median squared distance of two rows. So z(x)' z(x') is the kernel, but for the landmarks that
    were not drawn (scikit-learn's Nystroem). Ridge regression on z costs what it costs on r features, for any
    number of rows.

    Parameters
    ----------
    n_components : int
        The number r of landmarks; all rows if there are fewer.
    width : float
        Of the kernel, relative to the median distance of two rows.
    scale : {"auto", "std"} or None
        Whether features are standardized first. "auto" does so for dense real-valued data.
    random_state : int, RandomState instance or None
        Draws the landmarks.

    Attributes
    ----------
    gamma_ : float
        1 / (width^2 * m).
    scaler_ : StandardScaler or None
    nystroem_ : Nystroem
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X was a frame.

    References
    ----------
    C. Williams and M. Seeger, "Using the Nystroem method to speed up kernel machines", NIPS 2000.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.features import KernelFeatures
    >>> from skfactor.multilabel import RidgeBR
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = make_pipeline(KernelFeatures(n_components=100), RidgeBR(ridge=0.1)).fit(data.X, data.Y)
    >>> model[:-1].transform(data.X).shape
    (300, 100)
    """

    n_components: int = 1000
    width: float = 1.0
    scale: Literal["auto", "std"] | None = "auto"
    random_state: Any = 0

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the landmarks and find the width.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        self
        """
        self._check_parameters()
        X = self._read(X, reset=True)
        self.scaler_ = StandardScaler(with_mean=not sparse.issparse(X)).fit(X) if self._scales(X) else None
        X = self._scaled(X)
        rng = check_random_state(self.random_state)
        self.gamma_ = 1.0 / (self.width**2 * _median_square(X, rng))
        count = min(self.n_components, X.shape[0])
        self.nystroem_ = Nystroem(gamma=self.gamma_, n_components=count, random_state=rng.randint(2**31)).fit(X)
        return self

    def transform(self, X: Any) -> FloatArray:
        """Features of the kernel.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        X = self._read(X, reset=False)
        return np.asarray(self.nystroem_.transform(self._scaled(X)), dtype=X.dtype)

    def _check_parameters(self) -> None:
        check_number(self.n_components, "n_components", minimum=1, integer=True)
        check_number(self.width, "width", above=0)
        check_choice(self.scale, "scale", ("auto", "std", None))

    def _read(self, X: Any, *, reset: bool) -> Matrix:
        X = validate_data(
            self, X, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32], ensure_all_finite=False
        )
        check_finite(X, "X")
        return X

    def _scales(self, X: Matrix) -> bool:
        if self.scale != "auto":
            return self.scale == "std"
        return not sparse.issparse(X) and not np.isin(X, (0, 1)).all()

    def _scaled(self, X: Matrix) -> Matrix:
        return X if self.scaler_ is None else self.scaler_.transform(X)

    @property
    def _n_features_out(self) -> int:
        return int(self.nystroem_.components_.shape[0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _median_square(X: Matrix, rng: np.random.RandomState) -> float:
    """Median squared distance of two rows (of a sample), or 1 if most rows are alike."""
    rows = rng.permutation(X.shape[0])[:WIDTH_ROWS]
    squares = euclidean_distances(X[rows], squared=True)
    between = squares[np.triu_indices(len(rows), 1)]
    return float(np.median(between)) if len(between) and np.median(between) > 0 else 1.0
