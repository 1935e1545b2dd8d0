"""BlockScaler: one unit for a whole block of features, so that blocks can stand beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from skfactor._validation import Matrix, check_number


@dataclass(eq=False, repr=False)
class BlockScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Divides all features by one number, such that their variances sum to `weight`.

    Unlike standardization it keeps what the features weigh among each other, as those of a kernel must. A union of
    blocks that were scaled so weighs each block by its `weight`.

    Parameters
    ----------
    weight : float
    dense : bool
        Whether a sparse block becomes an array, as it should beside blocks that are arrays.

    Attributes
    ----------
    scale_ : float
        What is divided by.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X was a frame.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline, make_union
    >>> from skfactor.features import BlockScaler, KernelFeatures
    >>> X = np.random.default_rng(0).normal(size=(100, 5))
    >>> blend = make_union(BlockScaler(), make_pipeline(KernelFeatures(20), BlockScaler(weight=3.0)))
    >>> Z = blend.fit_transform(X)
    >>> Z[:, :5].var(axis=0).sum().round(6), Z[:, 5:].var(axis=0).sum().round(6)
    (np.float64(1.0), np.float64(3.0))
    """

    weight: float = 1.0
    dense: bool = False

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the number.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        self
        """
        check_number(self.weight, "weight", above=0)
        X = self._read(X, reset=True)
        squares = X.power(2) if sparse.issparse(X) else np.square(X, dtype=np.float64)
        variance = squares.mean(axis=0) - np.square(X.mean(axis=0, dtype=np.float64))
        self.scale_ = float(np.sqrt(max(variance.sum(), 0.0) / self.weight)) or 1.0
        return self

    def transform(self, X: Any) -> Matrix:
        """Divide.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        array or sparse container of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        X = self._read(X, reset=False)
        scaled = X / X.dtype.type(self.scale_)
        return scaled.toarray() if self.dense and sparse.issparse(scaled) else scaled

    def _read(self, X: Any, *, reset: bool) -> Matrix:
        return validate_data(self, X, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
