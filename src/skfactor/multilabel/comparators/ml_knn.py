"""ML-kNN: labels of the nearest rows, weighed by what such neighbours meant before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix, check_number
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.neighbours import nearest, neighbour_indicator


@dataclass(frozen=True)
class NeighbourScorer:
    """scores_ij = posterior[j, c], where c of the nearest rows of x_i have label j.

    Attributes
    ----------
    rows : ndarray or csr_array of shape (n, n_features)
    labels : csr_array of shape (n, n_labels)
    posterior : ndarray of shape (n_labels, k + 1)
    metric : str
    n_jobs : int or None
    """

    rows: Matrix
    labels: sparse.csr_array
    posterior: FloatArray
    metric: str
    n_jobs: int | None

    def scores(self, X: Matrix) -> FloatArray:
        """Posterior probabilities (n x L)."""
        counts = neighbour_counts(self.rows, self.labels, self.posterior.shape[1] - 1, self.metric, self.n_jobs, X)
        scores = np.repeat(self.posterior[None, :, 0], X.shape[0], axis=0)
        row, label = counts.nonzero()
        scores[row, label] = self.posterior[label, counts.data.astype(np.int64)]
        return scores


@dataclass(eq=False, repr=False)
class MLkNN(LabelClassifier):
    r"""Multi-label k nearest neighbours: a label is as likely as it was for rows with as many such neighbours.

    Let c of the k nearest rows have label j. From how many training rows with the label, and without it, had c
    such neighbours (themselves left out), Bayes' rule gives the score

        P(y_j = 1 | c) = P(y_j = 1) P(c | y_j = 1) / (P(y_j = 1) P(c | y_j = 1) + P(y_j = 0) P(c | y_j = 0))

    where every probability is a share of counts to each of which `smoothing` was added. The paper predicts
    labels whose score is above one half, which is `decision=Threshold(value=0.5, min_labels=0)` here.

    Parameters
    ----------
    n_neighbors : int
        k.
    smoothing : float
        The paper's s; 1 is Laplace's.
    metric : str
        Of the distances: a name that scikit-learn's NearestNeighbors takes. "cosine" suits texts.
    n_jobs : int, optional
        Threads that look for neighbours.
    decision, calibration_folds, random_state
        As in `LabelClassifier`.

    Attributes
    ----------
    scorer_ : NeighbourScorer
        The training rows, and the posterior for every count of neighbours.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    M.-L. Zhang and Z.-H. Zhou, "ML-kNN: a lazy learning approach to multi-label learning", Pattern Recognition
    40(7), 2007.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import MLkNN
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = MLkNN(n_neighbors=5).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    n_neighbors: int = 10
    smoothing: float = 1.0
    metric: str = "euclidean"
    n_jobs: int | None = None

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> NeighbourScorer:
        k = max(1, min(self.n_neighbors, X.shape[0] - 1))
        counts = neighbour_counts(X, labels, k, self.metric, self.n_jobs)
        posterior = posteriors(counts, labels, k, weight, self.smoothing)
        return NeighbourScorer(X, labels, posterior, self.metric, self.n_jobs)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.n_neighbors, "n_neighbors", minimum=1, integer=True)
        check_number(self.smoothing, "smoothing", above=0)


def neighbour_counts(
    rows: Matrix, labels: sparse.csr_array, k: int, metric: str, n_jobs: int | None, X: Matrix | None = None
) -> sparse.csr_array:
    """How many of the k nearest of `rows` have each label (n x L), for the rows of X.

    Without X, for `rows` themselves, where no row is its own neighbour.
    """
    if X is None and rows.shape[0] == 1:
        return sparse.csr_array(labels.shape)
    numbers = nearest(rows, k, X, metric=metric, n_jobs=n_jobs)[1]
    return sparse.csr_array(neighbour_indicator(numbers, rows.shape[0]) @ labels)


def posteriors(
    counts: sparse.csr_array, labels: sparse.csr_array, k: int, weight: FloatArray, smoothing: float
) -> FloatArray:
    """P(y_j = 1 | c) for every label j and count c (L x (k + 1)), by Bayes' rule from smoothed shares."""
    positives, total = labels.T @ weight, float(weight.sum())
    every = _tables(counts, k, weight, np.full(labels.shape[1], total))
    those = _tables(sparse.csr_array(counts.multiply(labels)), k, weight, positives)
    prior = (smoothing + positives) / (2 * smoothing + total)
    present = prior[:, None] * _shares(those, smoothing)
    absent = (1 - prior)[:, None] * _shares(every - those, smoothing)
    return np.asarray(present / (present + absent))


def _tables(counts: sparse.csr_array, k: int, weight: FloatArray, total: FloatArray) -> FloatArray:
    """By weight, how many rows have each count (L x (k + 1)); those that are not stored have count 0."""
    L = counts.shape[1]
    row, label = counts.nonzero()
    place = label * (k + 1) + counts.data[counts.data != 0].astype(np.int64)
    table = np.bincount(place, weights=weight[row], minlength=L * (k + 1)).reshape(L, k + 1)
    table[:, 0] = total - table.sum(axis=1)
    return np.asarray(table)


def _shares(table: FloatArray, smoothing: float) -> FloatArray:
    return np.asarray((smoothing + table) / (smoothing * table.shape[1] + table.sum(axis=1, keepdims=True)))
