"""The template of the transformers that are solved from moments: fewer features that say more of the labels.

A method supplies `solve(moments)`, the directions to project on; everything else is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from skfactor._arrays import like
from skfactor._validation import FloatArray, Matrix
from skfactor.moments import CentredMoments, Moments
from skfactor.multilabel.reading import MomentReader


@dataclass(eq=False, repr=False, kw_only=True)
class MomentTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, MomentReader, ABC):
    """Base of the linear feature reducers that depend on the data through its moments only.

    They stand before any classifier in a pipeline. Codes are (X - mean) E, for the encoder E (D x r).

    Parameters
    ----------
    scale : {"auto", "std"} or None
        Whether features are divided by their standard deviation. It is done on the moments, and the encoder
        absorbs it. "auto" does so for dense real-valued data.
    memory_budget : float
        In GiB, for all moments together. Beyond it, the products that a method needs are computed from the
        data, which is then kept.

    Attributes
    ----------
    encoder_ : ndarray of shape (n_features, n_components)
        E.
    mean_ : ndarray of shape (n_features,)
    moments_ : Moments
        What it was solved from; `partial_fit` adds to it, `forget` takes away.
    classes_ : ndarray of shape (n_labels,)
        Label names.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X was a frame.
    """

    @abstractmethod
    def solve(self, moments: CentredMoments) -> FloatArray:
        """The directions E (D x r) for centred and scaled data.

        Parameters
        ----------
        moments : CentredMoments

        Returns
        -------
        ndarray of shape (n_features, n_components)
        """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows and their labels.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features)
        y : indicator array, sparse matrix or array, data frame with label names, list of label sets, or classes
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        read = self._begin(X, y, None, sample_weight, positives_needed=True)
        self._solve_from(self._moments_of(*read))
        return self

    def partial_fit(self, X: Any, y: Any, classes: Sequence[Any] | None = None, sample_weight: Any = None) -> Self:
        """Add rows: afterwards the directions are those of all rows so far.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        classes : sequence, optional
            In the first call: the names of all labels that may come.

        Returns
        -------
        self
        """
        if hasattr(self, "encoder_"):
            self._learn_more(*self._read(X, y, sample_weight, classes))
        else:
            read = self._begin(X, y, classes, sample_weight, positives_needed=False)
            self._solve_from(self._moments_of(*read))
        return self

    def fit_moments(self, moments: Moments) -> Self:
        """Fit to moments that were made before, from any source.

        Parameters
        ----------
        moments : Moments
            Of features and a 0/1 indicator of labels.

        Returns
        -------
        self
        """
        self._begin_moments(moments)
        return self

    def _solve_from(self, moments: Moments) -> None:
        centred = moments.centred(self.scale)
        self.encoder_ = self.solve(centred) / centred.centre.scale[:, None]
        self.mean_ = centred.centre.mean_x
        self.moments_ = moments

    def transform(self, X: Any) -> FloatArray:
        """Codes of the rows of X, in its precision.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        table: Matrix = self._read_features(X)
        codes: FloatArray = table @ like(self.encoder_, table) - like(self.mean_ @ self.encoder_, table)
        return codes

    @property
    def _n_features_out(self) -> int:
        return int(self.encoder_.shape[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
