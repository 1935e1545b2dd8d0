"""BP-MLL: backpropagation for multi-label learning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state, gen_batches

from skfactor._validation import FloatArray, IntArray, Matrix, check_choice, check_number
from skfactor.moments import Moments, Scale
from skfactor.moments.second import Centre
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.binary import in_blocks, row_blocks
from skfactor.multilabel.comparators.traced import Traced
from skfactor.multilabel.rows import Rows
from skfactor.solvers.adam import Adam, Weights

#: Hidden units at least, where they are a share of few features.
FEWEST_UNITS = 8


@dataclass(frozen=True)
class NetworkScorer:
    """scores = c(x) - t(x): what the network says, less the threshold that goes with it.

    Attributes
    ----------
    weights : list of ndarray
        A (D x h), a (h), B (h x L), b (L) of c(x) = tanh(tanh(z A + a) B + b), for the scaled row z.
    centre : Centre
        What z takes from x, and divides it by.
    threshold : ndarray of shape (n_labels + 1,)
        t(x) = (c(x), 1) threshold.
    objectives : list of float
        Mean loss of each epoch.
    """

    weights: Weights
    centre: Centre
    threshold: FloatArray
    objectives: list[float] = field(repr=False)

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        return in_blocks(self._scores, X, sum(len(b) for b in self.weights[1::2]))

    def _scores(self, X: Matrix) -> FloatArray:
        c = outputs(self.weights, Rows.seen_from(self.centre, X))[1]
        return np.asarray(c - (c @ self.threshold[:-1] + self.threshold[-1])[:, None])


@dataclass(eq=False, repr=False)
class BPMLL(Traced, LabelClassifier):
    r"""Backpropagation for multi-label learning: a neural network that ranks a row's labels above the others.

    A hidden layer of tanh units and an output c_j of one tanh unit per label minimize the mean, over the rows that
    have some labels P and lack some others N, of

        1 / (|P| |N|) sum_{k in P} sum_{l in N} exp(c_l - c_k)        + ridge / 2 ||weights||^2

    A threshold t(x), linear in the outputs, is then fitted by least squares to those that separate the labels of
    each training row best. Scores are c_j(x) - t(x), and those above 0 the labels that the paper predicts.

    Parameters
    ----------
    hidden : int or float
        Number of hidden units, or as a share of the number of features, then at least 8.
    max_iter : int
        Epochs (passes over the rows).
    learning_rate : float
        Of the steps, which Adam makes for batches of rows.
    batch_size : int
        Rows of a step.
    ridge : float
        Weight of the squared norm of the weights.
    scale : {"auto", "std"} or None
        Whether features, which are centred, are divided by their standard deviation. "auto" does so for dense
        real-valued data.
    random_state : int, RandomState instance or None
        Draws first weights, batches, and the folds.
    decision, calibration_folds
        As in `LabelClassifier`. The paper's decision is Threshold(value=0, min_labels=0).

    Attributes
    ----------
    scorer_ : NetworkScorer
        Weights and threshold.
    n_iter_ : int
    objective_ : ndarray of shape (n_iter_,)
        Mean loss of each epoch.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    M.-L. Zhang and Z.-H. Zhou, "Multilabel neural networks with applications to functional genomics and text
    categorization", IEEE Transactions on Knowledge and Data Engineering 18(10), 2006.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import BPMLL
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = BPMLL(hidden=10, max_iter=20).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    hidden: int | float = 0.2
    max_iter: int = 100
    learning_rate: float = 0.003
    batch_size: int = 32
    ridge: float = 1e-4
    scale: Scale = "auto"

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> NetworkScorer:
        rng = check_random_state(self.random_state)
        centre = Moments.variances_of(X, labels).centre(self.scale)
        weights = first_weights((X.shape[1], self._units(X.shape[1]), labels.shape[1]), rng)
        counts = labels.sum(axis=1)
        ranked = np.flatnonzero((counts > 0) & (counts < labels.shape[1]))
        adam, losses = Adam(weights, self.learning_rate, self.ridge), []
        for _ in range(self.max_iter):
            losses.append(0.0)
            order = rng.permutation(ranked)
            for batch in gen_batches(len(order), self.batch_size):
                rows = order[batch]
                Z, Y = Rows.seen_from(centre, X[rows]).form(), labels[rows].toarray()
                loss, gradient = loss_and_gradient(weights, Z, Y)
                adam.step(gradient)
                losses[-1] += loss * len(rows) / len(ranked)
        network = NetworkScorer(weights, centre, np.zeros(labels.shape[1] + 1), losses)
        blocks = ((network.scores(X[rows]), labels[rows]) for rows in row_blocks(*labels.shape))
        return replace(network, threshold=fit_threshold(blocks))

    def _units(self, n_features: int) -> int:
        if isinstance(self.hidden, int | np.integer):
            return int(self.hidden)
        return max(FEWEST_UNITS, round(self.hidden * n_features))

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.hidden, "hidden", above=0)
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.learning_rate, "learning_rate", above=0)
        check_number(self.batch_size, "batch_size", minimum=1, integer=True)
        check_number(self.ridge, "ridge", minimum=0)
        check_choice(self.scale, "scale", ("auto", "std", None))


def first_weights(sizes: tuple[int, int, int], rng: np.random.RandomState) -> Weights:
    """A, a, B, b: uniform, of a variance that keeps that of the signals, and zeros."""
    D, h, L = sizes
    A, B = (rng.uniform(-1, 1, (m, n)) * np.sqrt(6 / (m + n)) for m, n in ((D, h), (h, L)))
    return [A, np.zeros(h), B, np.zeros(L)]


def outputs(weights: Weights, Z: Rows) -> tuple[FloatArray, FloatArray]:
    """Hidden units tanh(Z A + a) (n x h), and c = tanh(hidden B + b) (n x L)."""
    A, a, B, b = weights
    hidden = np.tanh(Z.times(A) + a)
    return hidden, np.tanh(hidden @ B + b)


def loss_and_gradient(weights: Weights, Z: Rows, Y: FloatArray) -> tuple[float, Weights]:
    """Mean ranking loss of rows Z with labels Y (n x L, 0/1, some of both in each row), and its gradient.

    The double sum is a product of two: sum_k exp(-c_k) / |P| times sum_l exp(c_l) / |N|.
    """
    hidden, c = outputs(weights, Z)
    inside, outside = Y / Y.sum(axis=1, keepdims=True), (1 - Y) / (1 - Y).sum(axis=1, keepdims=True)
    low, high = np.exp(-c) * inside, np.exp(c) * outside
    total_low, total_high = low.sum(axis=1, keepdims=True), high.sum(axis=1, keepdims=True)
    by_sum = (high * total_low - low * total_high) / len(Y) * (1 - c**2)
    by_hidden = (by_sum @ weights[2].T) * (1 - hidden**2)
    gradient = [Z.transposed_times(by_hidden), by_hidden.sum(axis=0), hidden.T @ by_sum, by_sum.sum(axis=0)]
    return float(np.mean(total_low * total_high)), gradient


def fit_threshold(blocks: Iterable[tuple[FloatArray, sparse.csr_array]]) -> FloatArray:
    """The t (L + 1) of least squares between (c, 1) t and the best threshold of each row.

    Rows come as blocks of c and of labels. Of those that went before, the triangle of a QR factorization says all.
    """
    triangle: FloatArray = np.empty((0, 0))
    for c, labels in blocks:
        ends = zip(labels.indptr[:-1], labels.indptr[1:], strict=True)
        best = [best_cut(row, labels.indices[first:last]) for row, (first, last) in zip(c, ends, strict=True)]
        table = np.column_stack([c, np.ones(len(c)), best])
        triangle = np.asarray(np.linalg.qr(np.vstack([triangle.reshape(-1, table.shape[1]), table]), mode="r"))
    return np.asarray(np.linalg.lstsq(triangle[:, :-1], triangle[:, -1], rcond=None)[0])


def best_cut(row: FloatArray, positives: IntArray) -> float:
    """The threshold with the fewest labels on the wrong side; the middle of the first such gap."""
    order = np.argsort(row)
    hit = np.isin(order, positives)
    below = np.concatenate([[0], np.cumsum(hit)])  # positives that a cut before place i leaves below
    wrong = below + (len(row) - len(positives)) - (np.arange(len(row) + 1) - below)
    edges = np.concatenate([[row[order[0]] - 0.2], row[order], [row[order[-1]] + 0.2]])
    place = int(np.argmin(wrong))
    return float((edges[place] + edges[place + 1]) / 2)
