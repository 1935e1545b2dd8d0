"""ClassifierChains: each label is learned with those before it as features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, IntArray, Matrix, check_choice, check_number
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.binary import BinaryLearner, column_of, in_blocks, narrow, or_logistic


@dataclass(frozen=True)
class ChainScorer:
    """Scores are means over the chains; along a chain, predictions stand for the labels.

    Attributes
    ----------
    orders : ndarray of shape (n_chains, n_labels)
    chains : list of list of BinaryLearner
        Of each chain, the learners in its order.
    """

    orders: IntArray
    chains: list[list[BinaryLearner]]

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        return in_blocks(self._mean, narrow(X), X.shape[1] + self.orders.shape[1])

    def _mean(self, X: Matrix) -> FloatArray:
        total = np.zeros((X.shape[0], self.orders.shape[1]))
        for order, learners in zip(self.orders, self.chains, strict=True):
            predicted = np.zeros_like(total)
            for place, learner in enumerate(learners):
                rows = beside(X, sparse.csr_array(predicted[:, :place]))
                total[:, order[place]] += learner.score_rows(rows)
                predicted[:, place] = learner.predict(rows)
        return total / len(self.chains)


@dataclass(eq=False, repr=False)
class ClassifierChains(LabelClassifier):
    """Classifier chains: binary relevance in which each label knows the labels before it.

    A chain is an order of the labels. Each is learned by a classifier of scikit-learn from the features and the
    labels that come before it; for new rows, predictions take the place of those labels. The scores of several
    chains of random orders are averaged, which is the ensemble of classifier chains.

    One chain is scikit-learn's `ClassifierChain`, but for sparse labels, which are not made dense where the
    features are sparse, and for labels that all training rows have, or none.

    Parameters
    ----------
    estimator : classifier, optional
        With `decision_function` or `predict_proba`; logistic regression by default.
    n_chains : int
    order : {"given", "random"}
        Of the first chain: that of the columns of Y, or a random one as those of the others.
    n_jobs : int, optional
        Labels learned at the same time, each in a process of its own; -1 for as many as there are cores.
    random_state : int, RandomState instance or None
        Draws orders, and the folds. The estimator has a random state of its own.
    decision, calibration_folds
        As in `LabelClassifier`. The papers' decision is Threshold(value=0, min_labels=0), or .5 for probabilities.

    Attributes
    ----------
    scorer_ : ChainScorer
        `orders` has the order of each chain, `chains` its fitted estimators.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    J. Read, B. Pfahringer, G. Holmes and E. Frank, "Classifier chains for multi-label classification", Machine
    Learning 85(3), 2011.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import ClassifierChains
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = ClassifierChains(n_chains=3).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    estimator: Any = None
    n_chains: int = 1
    order: str = "given"
    n_jobs: int | None = None

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> ChainScorer:
        from joblib import Parallel, delayed

        X, columns, base = narrow(X), sparse.csc_array(labels), or_logistic(self.estimator)
        L = labels.shape[1]
        orders = self._orders(L)
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(_link)(X, columns, order[: place + 1], base) for order in orders for place in range(L)
        )
        return ChainScorer(orders, [list(found[first : first + L]) for first in range(0, len(found), L)])

    def _orders(self, n_labels: int) -> IntArray:
        rng = check_random_state(self.random_state)
        drawn = [rng.permutation(n_labels) for _ in range(self.n_chains)]
        return np.stack([np.arange(n_labels), *drawn[1:]] if self.order == "given" else drawn)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.n_chains, "n_chains", minimum=1, integer=True)
        check_choice(self.order, "order", ("given", "random"))


def beside(X: Matrix, labels: Matrix) -> Matrix:
    """The rows of X with sparse labels as further features, in the form that X has."""
    if sparse.issparse(X):
        return narrow(sparse.csr_array(sparse.hstack([X, labels], format="csr")))
    return np.hstack([X, labels.toarray()])


def _link(X: Matrix, columns: sparse.csc_array, order: IntArray, base: Any) -> BinaryLearner:
    """The learner of the last label of `order`, from the features and the labels before it."""
    return BinaryLearner(base).fit(beside(X, columns[:, order[:-1]]), column_of(columns, order[-1]))
