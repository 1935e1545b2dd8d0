"""LIFT: multi-label learning with label-specific features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, IntArray, Matrix, check_number
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.binary import for_each_label, in_blocks, narrow
from skfactor.multilabel.comparators.bsvm import LinearMachine


@dataclass(frozen=True)
class DistanceScorer:
    """scores = distances(X, P) W + b, for the prototypes P (p x D) of all labels.

    Attributes
    ----------
    prototypes : ndarray of shape (p, n_features)
        P.
    weights : csr_array of shape (p, n_labels)
        W, in whose column j the prototypes of label j have their weights.
    intercept : ndarray of shape (n_labels,)
    """

    prototypes: FloatArray
    weights: sparse.csr_array
    intercept: FloatArray

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        return in_blocks(
            lambda rows: _distances(rows, self.prototypes) @ self.weights, X, len(self.prototypes)
        ) + (self.intercept)


@dataclass(eq=False, repr=False)
class LIFT(LabelClassifier):
    r"""Label-specific features: each label is told by distances to what its own rows, and the others, look like.

    For each label, k-means finds m = ceil(ratio min(p, n - p)) prototypes among its p rows, and as many among the
    n - p others. The Euclidean distances to them are the features of a linear support vector machine.

    Parameters
    ----------
    ratio : float
        Of prototypes to rows of the smaller class.
    C : float
        Weight of the losses of the support vector machine.
    n_jobs : int, optional
        Labels learned at the same time, each in a process of its own; -1 for as many as there are cores.
    random_state : int, RandomState instance or None
        Draws the first prototypes, and the folds.
    decision, calibration_folds
        As in `LabelClassifier`.

    Attributes
    ----------
    scorer_ : DistanceScorer
        Prototypes and weights of all labels.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    M.-L. Zhang and L. Wu, "LIFT: multi-label learning with label-specific features", IEEE Transactions on Pattern
    Analysis and Machine Intelligence 37(1), 2015.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import LIFT
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = LIFT().fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    ratio: float = 0.1
    C: float = 1.0
    n_jobs: int | None = None

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> DistanceScorer:
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        X = narrow(X)
        found = for_each_label(lambda y: _learned(X, y, self.ratio, self.C, seed), labels, self.n_jobs)
        prototypes, weights = zip(*found, strict=True)
        columns = [sparse.csc_array(column[:-1, None]) for column in weights]
        intercept = np.array([column[-1] for column in weights])
        return DistanceScorer(np.concatenate(prototypes), sparse.block_diag(columns, format="csr"), intercept)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.ratio, "ratio", above=0, maximum=1)
        check_number(self.C, "C", above=0)


def _learned(X: Matrix, y: IntArray, ratio: float, C: float, seed: int) -> tuple[FloatArray, FloatArray]:
    """Prototypes (2m x D) of a label, and the weights of the distances to them with the intercept (2m + 1)."""
    count = int(np.ceil(ratio * min(y.sum(), len(y) - y.sum())))
    if count == 0:
        return np.zeros((0, X.shape[1])), np.array([2.0 * y[0] - 1])
    prototypes = np.concatenate([_means(X[y == 1], count, seed), _means(X[y == 0], count, seed)])
    machine = LinearMachine(_distances(X, prototypes), C)
    return prototypes, machine.weights(y)


def _means(X: Matrix, count: int, seed: int) -> FloatArray:
    import warnings

    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    # Labels are learned side by side. On top of that, threads only wait for each other on so few rows.
    with threadpool_limits(1, "openmp"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer different rows than means: some are the same
        found = KMeans(count, n_init=1, random_state=seed).fit(X)
    return np.asarray(found.cluster_centers_, dtype=np.float64)


def _distances(X: Matrix, prototypes: FloatArray) -> Any:
    from sklearn.metrics import euclidean_distances

    return euclidean_distances(X, prototypes)
