"""Two-class learners of scikit-learn, one for each label: what several methods are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import gen_batches

from skfactor._validation import FloatArray, IntArray, Matrix

Learned = TypeVar("Learned")
#: Entries of a table of kernels, distances or rows that are made at a time.
BLOCK_ENTRIES = 2**22
#: In how many parts each process gets its labels.
BATCHES = 32


def for_each_label(
    learn: Callable[[IntArray], Learned], labels: sparse.csr_array, n_jobs: int | None
) -> list[Learned]:
    """What `learn` makes of each column (n, 0 or 1) of the labels, on several cores if asked for.

    The columns are made dense one at a time. The work goes to processes, as the shuffles of LIBLINEAR would come
    in another order each time in threads. Labels with much to learn come first, and batches are small, so that no
    process is left with a long one at the end.
    """
    from joblib import Parallel, delayed, effective_n_jobs

    columns, (n, L) = sparse.csc_array(labels), labels.shape
    positives = np.diff(columns.indptr)
    order = np.argsort(-np.minimum(positives, n - positives), kind="stable")
    batch = max(1, L // (BATCHES * effective_n_jobs(n_jobs)))
    jobs = (delayed(learn)(column_of(columns, j)) for j in order)
    found = list(Parallel(n_jobs=n_jobs, batch_size=batch)(jobs))
    return [found[place] for place in np.argsort(order)]


def column_of(columns: sparse.csc_array, j: int) -> IntArray:
    """Column j of a sparse 0/1 table, dense."""
    column = np.zeros(columns.shape[0], dtype=np.int64)
    column[columns.indices[columns.indptr[j] : columns.indptr[j + 1]]] = 1
    return column


def narrow(X: Matrix) -> Matrix:
    """The same table with 32-bit indices, which the solvers of scikit-learn want."""
    if not sparse.issparse(X) or X.indices.dtype == np.int32 or X.nnz > np.iinfo(np.int32).max:
        return X
    return sparse.csr_array((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape)


def in_blocks(scores: Callable[[Matrix], FloatArray], X: Matrix, width: int) -> FloatArray:
    """Scores of all rows of X, made of so few at a time that a table of `width` columns stays small."""
    return np.concatenate([scores(X[rows]) for rows in row_blocks(X.shape[0], width)])


def row_blocks(n: int, width: int) -> list[slice]:
    """So few of n rows at a time that a table of `width` columns stays small."""
    return list(gen_batches(n, max(1, BLOCK_ENTRIES // max(1, width))))


def or_logistic(estimator: Any) -> Any:
    """The estimator, or logistic regression where there is none."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000) if estimator is None else estimator


class BinaryLearner(ClassifierMixin, BaseEstimator):
    """A classifier of scikit-learn that takes columns with a single class, too.

    Parameters
    ----------
    estimator : classifier
        It is cloned.
    """

    def __init__(self, estimator: Any):
        self.estimator = estimator

    def fit(self, X: Matrix, y: IntArray) -> Self:
        """Fit to y of zeros and ones; where all are the same, nothing is fitted."""
        self.classes_ = np.arange(2)
        self.first_ = int(y[0])
        self.estimator_ = None if (y == y[0]).all() else clone(self.estimator).fit(X, y)
        return self

    def predict(self, X: Matrix) -> IntArray:
        """0 or 1."""
        if self.estimator_ is None:
            return np.full(X.shape[0], self.first_)
        return np.asarray(self.estimator_.predict(X))

    def probabilities(self, X: Matrix) -> FloatArray:
        """Of class 1."""
        if self.estimator_ is None:
            return np.full(X.shape[0], float(self.first_))
        return np.asarray(self.estimator_.predict_proba(X)[:, 1])

    def score_rows(self, X: Matrix) -> FloatArray:
        """The decision function where there is one, else the probability of class 1.

        Where all of y were the same, it is 1 for ones and -1 for zeros.
        """
        if not hasattr(self.estimator, "decision_function"):
            return self.probabilities(X)
        if self.estimator_ is None:
            return np.full(X.shape[0], 2.0 * self.first_ - 1)
        return np.asarray(self.estimator_.decision_function(X))


@dataclass(frozen=True)
class LearnerScorer:
    """A column of scores for each learner."""

    learners: list[BinaryLearner]

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        X = narrow(X)
        return np.stack([learner.score_rows(X) for learner in self.learners], axis=1).astype(np.float64)
