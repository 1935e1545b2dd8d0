"""RAkEL: random k-labelsets."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, IntArray, Matrix, check_number
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.binary import in_blocks, narrow, or_logistic

#: Labels of a set at most: their subsets are numbered by whole numbers of 64 bits.
LARGEST_SET = 62


@dataclass(frozen=True)
class Powerset:
    """A classifier whose classes are the subsets of some labels that training rows had.

    Attributes
    ----------
    labels : ndarray of shape (k,)
    subsets : ndarray of shape (n_classes, k)
        Which of the labels each class has, 0 or 1.
    learner : classifier or None
        None where there is but one class.
    """

    labels: IntArray
    subsets: FloatArray
    learner: Any

    def shares(self, X: Matrix) -> FloatArray:
        """The probability (n x k) of each label, that of the classes which have it; or the class predicted."""
        if self.learner is None:
            return np.repeat(self.subsets, X.shape[0], axis=0)
        if hasattr(self.learner, "predict_proba"):
            return np.asarray(self.learner.predict_proba(X) @ self.subsets)
        return np.asarray(self.subsets[self.learner.predict(X)])


@dataclass(frozen=True)
class PowersetScorer:
    """scores = the mean share of each label in the sets that it is in.

    Attributes
    ----------
    sets : list of Powerset
    n_labels : int
    """

    sets: list[Powerset]
    n_labels: int

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L), between 0 and 1."""
        return in_blocks(self._mean, narrow(X), self.n_labels)

    def _mean(self, X: Matrix) -> FloatArray:
        total, count = np.zeros((X.shape[0], self.n_labels)), np.zeros(self.n_labels)
        for powerset in self.sets:
            total[:, powerset.labels] += powerset.shares(X)
            count[powerset.labels] += 1
        return np.asarray(total / count)


@dataclass(eq=False, repr=False)
class RAkEL(LabelClassifier):
    """Random k-labelsets: small sets of labels, of which every combination that occurs is a class.

    For each of many random sets of k labels, a classifier of scikit-learn tells which of its subsets a row has.
    The score of a label is the mean, over the sets that it is in, of the probability of the subsets with it; or,
    for classifiers without probabilities, the share of the sets that predict it.

    Sets either overlap, or part the labels. One set of all labels is the label powerset.

    Parameters
    ----------
    estimator : classifier, optional
        For several classes; logistic regression by default.
    labelset_size : int
        k; fewer where there are fewer labels.
    overlapping : bool
        Whether sets may have labels in common (the paper's RAkELo), or part the labels (RAkELd).
    n_labelsets : int, optional
        How many sets overlap, all different; by default two for each label. The first of them part the labels, so
        that none is left out.
    n_jobs : int, optional
        Sets learned at the same time, each in a process of its own; -1 for as many as there are cores.
    random_state : int, RandomState instance or None
        Draws the sets, and the folds. The estimator has a random state of its own.
    decision, calibration_folds
        As in `LabelClassifier`. The paper's decision is Threshold(value=0.5, min_labels=0).

    Attributes
    ----------
    scorer_ : PowersetScorer
        `sets` has the labels, the classes and the fitted estimator of each set.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    G. Tsoumakas, I. Katakis and I. Vlahavas, "Random k-labelsets for multilabel classification", IEEE Transactions
    on Knowledge and Data Engineering 23(7), 2011.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import RAkEL
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = RAkEL(labelset_size=3).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    estimator: Any = None
    labelset_size: int = 3
    overlapping: bool = True
    n_labelsets: int | None = None
    n_jobs: int | None = None

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> PowersetScorer:
        from joblib import Parallel, delayed

        X, columns, base = narrow(X), sparse.csc_array(labels), or_logistic(self.estimator)
        sets = Parallel(n_jobs=self.n_jobs)(
            delayed(_learned)(X, columns[:, chosen], chosen, base) for chosen in self._labelsets(labels.shape[1])
        )
        return PowersetScorer(list(sets), labels.shape[1])

    def _labelsets(self, n_labels: int) -> list[IntArray]:
        usual = 2 * n_labels if self.n_labelsets is None else self.n_labelsets
        size = min(self.labelset_size, n_labels)
        return draw_labelsets(n_labels, size, usual if self.overlapping else 0, self.random_state)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.labelset_size, "labelset_size", minimum=1, maximum=LARGEST_SET, integer=True)
        if self.n_labelsets is not None:
            check_number(self.n_labelsets, "n_labelsets", minimum=1, integer=True)


def draw_labelsets(n_labels: int, size: int, count: int, random_state: Any) -> list[IntArray]:
    """Random sets of labels: a partition into sets of `size` or less, and then others of `size`, all different.

    There are `count` in all if so many can be different, and no fewer than part the labels.
    """
    rng = check_random_state(random_state)
    parts = np.array_split(rng.permutation(n_labels), -(-n_labels // size))
    found = dict.fromkeys(tuple(sorted(part)) for part in parts)
    while len(found) < min(count, comb(n_labels, size)):
        found[tuple(sorted(rng.choice(n_labels, size, replace=False)))] = None
    return [np.array(labels) for labels in found]


def _learned(X: Matrix, columns: sparse.csc_array, chosen: IntArray, base: Any) -> Powerset:
    numbers = np.asarray(columns.astype(np.int64) @ (1 << np.arange(len(chosen))))
    classes, y = np.unique(numbers, return_inverse=True)
    subsets = (classes[:, None] >> np.arange(len(chosen)) & 1).astype(np.float64)
    return Powerset(chosen, subsets, clone(base).fit(X, y) if len(classes) > 1 else None)
