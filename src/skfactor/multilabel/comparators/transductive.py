"""The part of the template for methods that also learn from rows without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from skfactor._validation import Matrix
from skfactor.multilabel.classifier import LabelClassifier


@dataclass(eq=False, repr=False, kw_only=True)
class SemiSupervisedClassifier(LabelClassifier):
    """Base of the classifiers that look at how all rows lie, be they labelled or not."""

    def fit(self, X: Any, y: Any, unlabelled: Any = None) -> Self:
        """Fit to rows and their labels.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features)
        y : indicator array, sparse matrix or array, data frame with label names, or list of label sets
            A 1-d y is a multiclass problem; its highest score is predicted.
        unlabelled : like X, of shape (n_unlabelled, n_features), optional
            Rows whose labels nobody knows; those that are to be predicted, for instance.

        Returns
        -------
        self
        """
        self._unlabelled: Matrix | None = None
        if unlabelled is not None:
            self._read_features(X, reset=True)
            self._unlabelled = self._read_features(unlabelled)
        try:
            return self._fit(X, y)
        finally:
            del self._unlabelled
