"""The part of the template for methods that also learn from rows without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from skfactor._validation import Matrix, check_same_rows
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.unlabelled import labelled_rows, learnable, take_rows


@dataclass(eq=False, repr=False, kw_only=True)
class SemiSupervisedClassifier(LabelClassifier):
    """Base of the classifiers that look at how all rows lie, be they labelled or not.

    Attributes
    ----------
    labelled_ : ndarray of bool, shape (n_samples,)
        Which rows had labels.
    """

    def fit(self, X: Any, y: Any, labelled: Any = None) -> Self:
        """Fit to rows of which some have labels.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features)
            All rows, labelled or not.
        y : indicator array, sparse matrix or array, data frame with label names, or list of label sets
            Rows that are not labelled are NaN throughout (or None in a list), or what `labelled` says.
        labelled : array of bool of shape (n_samples,), optional
            Which rows have labels. The other rows of y are not looked at.

        Returns
        -------
        self
        """
        everything = self._read_features(X, reset=True)
        y = learnable(y)
        check_same_rows(X=X, y=y, labelled=labelled)
        known = labelled_rows(y, labelled)
        self._unlabelled: Matrix = everything[~known]
        try:
            self._fit(take_rows(learnable(X), known), take_rows(y, known))
        finally:
            del self._unlabelled
        self.labelled_ = known
        return self

    def _in_order(self, values: Any) -> Any:
        """Values of the labelled rows and then of the others, in the order of the rows of `fit`."""
        ordered = np.empty_like(values)
        ordered[np.concatenate([np.flatnonzero(self.labelled_), np.flatnonzero(~self.labelled_)])] = values
        return ordered
