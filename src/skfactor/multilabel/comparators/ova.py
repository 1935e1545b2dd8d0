"""OVA: one classifier of scikit-learn for each label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scipy import sparse

from skfactor._validation import FloatArray, Matrix
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.binary import (
    BinaryLearner,
    LearnerScorer,
    for_each_label,
    narrow,
    or_logistic,
)


@dataclass(eq=False, repr=False)
class OVA(LabelClassifier):
    """One versus all: binary relevance with any classifier of scikit-learn, and with calibrated decisions.

    Every label is learned on its own, as the class of its rows against that of all others.

    Parameters
    ----------
    estimator : classifier, optional
        With `decision_function` or `predict_proba`; logistic regression by default.
    n_jobs : int, optional
        Labels learned at the same time; -1 for as many as there are cores.
    decision, calibration_folds, random_state
        As in `LabelClassifier`. The estimator has a random state of its own.

    Attributes
    ----------
    scorer_, decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`. `scorer_.learners` has the fitted estimators.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import OVA
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = OVA(GaussianNB()).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    estimator: Any = None
    n_jobs: int | None = None

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> LearnerScorer:
        X, base = narrow(X), or_logistic(self.estimator)
        return LearnerScorer(for_each_label(lambda y: BinaryLearner(base).fit(X, y), labels, self.n_jobs))
