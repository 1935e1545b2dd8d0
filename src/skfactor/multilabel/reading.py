"""Rows and their labels in any form people have them, read and checked: for classifiers and for transformers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from skfactor._validation import FloatArray, Matrix, check_choice, check_finite, check_number, check_same_rows
from skfactor.moments import MEMORY_BUDGET, Moments, Scale
from skfactor.multilabel.targets import Indicator, Targets, learn_targets


class LabelReader(BaseEstimator):
    """Base of the estimators that are fitted to rows with labels."""

    #: Whether a method takes sparse X, and whether it refuses negative entries.
    accepts_sparse: ClassVar[bool] = True
    nonnegative: ClassVar[bool] = False

    def _begin(
        self, X: Any, y: Any, classes: Sequence[Any] | None, sample_weight: Any, *, positives_needed: bool
    ) -> tuple[Matrix, sparse.csr_array, FloatArray]:
        """Read the rows of a first fit, and check everything before any work is done."""
        X = self._read_features(X, reset=True)
        targets = learn_targets(y, classes)
        check_same_rows(X=X, y=y, sample_weight=sample_weight)
        labels = targets.encode(y)
        if not len(targets.names):
            raise ValueError("Y has no label at all: there is nothing to learn. Are its rows or columns empty?")
        self._check_parameters(X.shape[1], len(targets.names))
        if positives_needed and not labels.nnz:
            raise ValueError("Y has no positive entry: there is nothing to learn. Were the columns mixed up?")
        weight = row_weights(sample_weight, X.shape[0])
        self._set_targets(targets)
        return X, labels, weight

    def _begin_from(self, moments: Moments) -> None:
        """Take from moments what is otherwise learned from rows, and check everything."""
        check_label_moments(moments)
        self._check_parameters(moments.n_features, moments.n_labels)
        self.n_features_in_ = moments.n_features
        self.__dict__.pop("feature_names_in_", None)
        if moments.feature_names is not None:
            self.feature_names_in_ = np.asarray(moments.feature_names, dtype=object)
        self._set_targets(Indicator(np.zeros((0, moments.n_labels), dtype=np.int64), moments.label_names))

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        """Refuse parameters that cannot be, before any work is done. Methods add their own."""

    def _read(
        self, X: Any, y: Any, sample_weight: Any, classes: Sequence[Any] | None = None
    ) -> tuple[Matrix, sparse.csr_array, FloatArray]:
        """Read further rows, whose labels have to be those of the first."""
        if classes is not None and set(map(str, classes)) != set(map(str, self.classes_)):
            raise ValueError(
                f"classes={list(classes)[:5]}... are not those of the first call, {list(self.classes_[:5])}...: "
                "all labels have to be named there."
            )
        X = self._read_features(X)
        check_same_rows(X=X, y=y, sample_weight=sample_weight)
        return X, self._targets.encode(y), row_weights(sample_weight, X.shape[0])

    def _read_features(self, X: Any, *, reset: bool = False) -> Matrix:
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr" if self.accepts_sparse else False,
            dtype=[np.float64, np.float32],
            ensure_all_finite=False,
        )
        check_finite(X, "X")
        if self.nonnegative:
            check_nonnegative(X, type(self).__name__)
        return X

    def _set_targets(self, targets: Targets) -> None:
        self._targets = targets
        self.classes_ = targets.names

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.accepts_sparse
        tags.input_tags.positive_only = self.nonnegative
        return tags


@dataclass(eq=False, repr=False, kw_only=True)
class MomentReader(LabelReader):
    """Base of the estimators that know their rows by the moments only.

    Attributes
    ----------
    moments_ : Moments
        What the model was solved from.
    """

    scale: Scale = "auto"
    memory_budget: float = MEMORY_BUDGET

    @abstractmethod
    def _solve_from(self, moments: Moments) -> None:
        """Solve for the model, and keep the moments."""

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were fitted before; a decision rule stays as it is.

        Parameters
        ----------
        X, y, sample_weight
            Rows as they were given to `fit` or `partial_fit`.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        X, labels, weight = self._read(X, y, sample_weight)
        self._unlearn(X, labels, weight)
        return self

    def _learn_more(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> None:
        """Add rows that were read."""
        self._solve_from(self.moments_ + self._moments_of(X, labels, weight))

    def _unlearn(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> None:
        """Take away rows that were read."""
        self._solve_from(self.moments_ - self._moments_of(X, labels, weight))

    def _begin_moments(self, moments: Moments) -> None:
        """Solve from moments that were made before."""
        self._begin_from(moments)
        self._solve_from(moments)

    @property
    def _at_once(self) -> int:
        """How many moments exist at the same time."""
        return 3

    def _moments_of(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Moments:
        names = getattr(self, "feature_names_in_", None)
        return Moments.of(
            X,
            labels,
            sample_weight=weight,
            memory_budget=self.memory_budget / self._at_once,
            feature_names=None if names is None else list(names),
            label_names=self._targets.shown_names(),
        )

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_choice(self.scale, "scale", ("auto", "std", None))
        check_number(self.memory_budget, "memory_budget", minimum=0)


def check_label_moments(moments: Any) -> None:
    """Refuse what is no `Moments`, or those of a Y that was not 0/1: then y^2 and y have other sums."""
    if not isinstance(moments, Moments):
        raise TypeError(f"moments must be made by skfactor.Moments.of, got {type(moments).__name__}.")
    gap = np.abs(moments.second.diagonal_yy() - moments.sum_y)
    if gap.max() > 1e-6 * moments.n:
        raise ValueError(
            f"The moments are of a Y that is not binary (column {int(np.argmax(gap))}): make them of a 0/1 "
            "indicator."
        )


def check_nonnegative(X: Matrix, method: str) -> None:
    """Refuse a table with a negative entry, naming the first column that has one."""
    lowest = X.min(axis=0).toarray().ravel() if sparse.issparse(X) else X.min(axis=0)
    if lowest.min() < 0:
        column = int(np.argmax(lowest < 0))
        raise ValueError(
            f"Negative values in data passed to {method}: column {column} has {lowest[column]:g}, and no feature "
            "may be below 0. Scale with sklearn.preprocessing.MinMaxScaler, say."
        )


def row_weights(sample_weight: Any, n: int) -> FloatArray:
    """Weights of n rows, checked; all 1 where none are given."""
    if sample_weight is None:
        return np.ones(n)
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n,):
        raise ValueError(f"sample_weight must be 1-d with {n} values, got shape {weight.shape}.")
    check_finite(weight[:, None], "sample_weight")
    if weight.min() < 0 or weight.max() <= 0:
        raise ValueError("sample_weight must not be negative, nor zero for all rows.")
    return weight
