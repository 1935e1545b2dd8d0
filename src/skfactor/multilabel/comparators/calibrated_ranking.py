"""CalibratedRanking: calibrated label ranking, by pairs of labels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix, check_choice
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.binary import BinaryLearner, column_of, in_blocks, narrow, or_logistic


@dataclass(frozen=True)
class PairScorer:
    """Scores are the votes of a label, less those of the virtual label that parts a row's labels from the others.

    Attributes
    ----------
    pairs : list of tuple of int
        Labels j and k; k is `n_labels` for the virtual one.
    learners : list of BinaryLearner or None
        Of each pair: 1 votes for j, 0 for k. None where no row told them apart.
    n_labels : int
    soft : bool
        Whether probabilities are votes.
    """

    pairs: list[tuple[int, int]]
    learners: list[BinaryLearner | None]
    n_labels: int
    soft: bool

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        return in_blocks(self._margins, narrow(X), self.n_labels)

    def _margins(self, X: Matrix) -> FloatArray:
        votes = np.zeros((X.shape[0], self.n_labels + 1))
        for (j, k), learner in zip(self.pairs, self.learners, strict=True):
            share = self._share(learner, X)
            votes[:, j] += share
            votes[:, k] += 1 - share
        return votes[:, :-1] - votes[:, -1:]

    def _share(self, learner: BinaryLearner | None, X: Matrix) -> Any:
        """Of the first label of a pair in its vote."""
        if learner is None:
            return 0.5
        return learner.probabilities(X) if self.soft else learner.predict(X)


@dataclass(eq=False, repr=False)
class CalibratedRanking(LabelClassifier):
    """Calibrated label ranking: every pair of labels is told apart, and a virtual label says where to cut.

    For each two labels, a classifier of scikit-learn learns from the rows that have one of them but not the other
    which it is. A virtual label stands between a row's labels and the rest: its pair with a label is learned from
    all rows, as in binary relevance. In the ranking of a row by the votes of all pairs, the labels above the
    virtual one are predicted. For L labels that are L (L + 1) / 2 classifiers: it is meant for few.

    Parameters
    ----------
    estimator : classifier, optional
        Logistic regression by default.
    voting : {"hard", "soft"}
        Whether a pair votes for one label, or divides its vote by the probabilities, which the estimator then has
        to have.
    n_jobs : int, optional
        Pairs learned at the same time, each in a process of its own; -1 for as many as there are cores.
    decision, calibration_folds, random_state
        As in `LabelClassifier`. The paper's decision is Threshold(value=0, min_labels=0). The estimator has a
        random state of its own.

    Attributes
    ----------
    scorer_ : PairScorer
        `pairs` and their fitted estimators, `learners`.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    J. Fürnkranz, E. Hüllermeier, E. Loza Mencía and K. Brinker, "Multilabel classification via calibrated label
    ranking", Machine Learning 73(2), 2008.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import CalibratedRanking
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = CalibratedRanking().fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    estimator: Any = None
    voting: str = "hard"
    n_jobs: int | None = None

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> PairScorer:
        from joblib import Parallel, delayed

        X, columns, base = narrow(X), sparse.csc_array(labels), or_logistic(self.estimator)
        L = labels.shape[1]
        pairs = list(combinations(range(L + 1), 2))
        found = Parallel(n_jobs=self.n_jobs)(delayed(_told_apart)(X, columns, j, k, base) for j, k in pairs)
        return PairScorer(pairs, list(found), L, self.voting == "soft")

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_choice(self.voting, "voting", ("hard", "soft"))
        if self.voting == "soft" and not hasattr(or_logistic(self.estimator), "predict_proba"):
            raise ValueError(f"voting='soft' needs probabilities, which {self.estimator} has not: vote 'hard'.")


def _told_apart(X: Matrix, columns: sparse.csc_array, j: int, k: int, base: Any) -> BinaryLearner | None:
    """What tells rows with label j from those with label k, if any; for the virtual k, from all others."""
    y = column_of(columns, j)
    if k == columns.shape[1]:
        return BinaryLearner(base).fit(X, y)
    rows = np.flatnonzero(y != column_of(columns, k))
    return BinaryLearner(base).fit(X[rows], y[rows]) if len(rows) else None
