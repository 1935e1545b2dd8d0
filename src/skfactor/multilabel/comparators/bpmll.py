"""BP-MLL: backpropagation for multi-label learning."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state, gen_batches

from skfactor._validation import FloatArray, IntArray, Matrix, check_number
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.binary import in_blocks

#: Of Adam: how long first and second moments of the gradients are remembered.
MEMORY = (0.9, 0.999)
#: Hidden units at least, where they are a share of few features.
FEWEST_UNITS = 8
Weights = list[FloatArray]


@dataclass(frozen=True)
class NetworkScorer:
    """scores = c(x) - t(x): what the network says, less the threshold that goes with it.

    Attributes
    ----------
    weights : list of ndarray
        A (D x h), a (h), B (h x L), b (L) of c(x) = tanh(tanh(z A + a) B + b), for the scaled row z.
    mean, scale : ndarray of shape (n_features,)
        z = (x - mean) / scale.
    threshold : ndarray of shape (n_labels + 1,)
        t(x) = (c(x), 1) threshold.
    losses : list of float
        Mean loss of each epoch.
    """

    weights: Weights
    mean: FloatArray
    scale: FloatArray
    threshold: FloatArray
    losses: list[float] = field(repr=False)

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        return in_blocks(self._scores, X, X.shape[1])

    def _scores(self, X: Matrix) -> FloatArray:
        c = outputs(self.weights, standardized(X, self.mean, self.scale))[1]
        return np.asarray(c - (c @ self.threshold[:-1] + self.threshold[-1])[:, None])


@dataclass(eq=False, repr=False)
class BPMLL(LabelClassifier):
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
    random_state : int, RandomState instance or None
        Draws first weights, batches, and the folds.
    decision, calibration_folds
        As in `LabelClassifier`. The paper's decision is Threshold(value=0, min_labels=0).

    Attributes
    ----------
    scorer_ : NetworkScorer
        The weights. Features are divided by their standard deviation, and dense ones centred.
    n_iter_ : int
    loss_curve_ : list of float
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

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> NetworkScorer:
        rng = check_random_state(self.random_state)
        mean, scale = _centre(X)
        weights = first_weights((X.shape[1], self._units(X.shape[1]), labels.shape[1]), rng)
        counts = labels.sum(axis=1)
        ranked = np.flatnonzero((counts > 0) & (counts < labels.shape[1]))
        adam, losses = Adam(weights, self.learning_rate), []
        for _ in range(self.max_iter):
            losses.append(0.0)
            order = rng.permutation(ranked)
            for batch in gen_batches(len(order), self.batch_size):
                rows = order[batch]
                Z, Y = standardized(X[rows], mean, scale), labels[rows].toarray()
                loss, gradient = loss_and_gradient(weights, Z, Y)
                adam.step([g + self.ridge * w for g, w in zip(gradient, weights, strict=True)])
                losses[-1] += loss * len(rows) / len(ranked)
        network = NetworkScorer(weights, mean, scale, np.zeros(labels.shape[1] + 1), losses)
        return NetworkScorer(weights, mean, scale, fit_threshold(network.scores(X), labels), losses)

    def _units(self, n_features: int) -> int:
        if isinstance(self.hidden, int | np.integer):
            return int(self.hidden)
        return max(FEWEST_UNITS, round(self.hidden * n_features))

    @property
    def loss_curve_(self) -> list[float]:
        """Mean loss of each epoch."""
        losses: list[float] = self.scorer_.losses  # type: ignore[attr-defined]
        return losses

    @property
    def n_iter_(self) -> int:
        """Epochs."""
        return len(self.loss_curve_)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.hidden, "hidden", above=0)
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.learning_rate, "learning_rate", above=0)
        check_number(self.batch_size, "batch_size", minimum=1, integer=True)
        check_number(self.ridge, "ridge", minimum=0)


def _centre(X: Matrix) -> tuple[FloatArray, FloatArray]:
    """Means (zeros of sparse X, which stays so) and standard deviations; 1 for constant features."""
    mean = np.asarray(X.mean(axis=0)).ravel()
    squares = X.multiply(X) if sparse.issparse(X) else np.square(X)
    variance = np.asarray(squares.mean(axis=0)).ravel() - mean**2
    scale = np.sqrt(np.where(variance > 1e-12 * (1 + mean**2), variance, 1.0))
    return (np.zeros_like(mean) if sparse.issparse(X) else mean), scale


def standardized(X: Matrix, mean: FloatArray, scale: FloatArray) -> Matrix:
    """(X - mean) / scale for a few rows; sparse if X is."""
    return X @ sparse.diags_array(1 / scale) if sparse.issparse(X) else (X - mean) / scale


def first_weights(sizes: tuple[int, int, int], rng: np.random.RandomState) -> Weights:
    """A, a, B, b: uniform, of a variance that keeps that of the signals, and zeros."""
    D, h, L = sizes
    A, B = (rng.uniform(-1, 1, (m, n)) * np.sqrt(6 / (m + n)) for m, n in ((D, h), (h, L)))
    return [A, np.zeros(h), B, np.zeros(L)]


def outputs(weights: Weights, Z: Matrix) -> tuple[FloatArray, FloatArray]:
    """Hidden units tanh(Z A + a) (n x h), and c = tanh(hidden B + b) (n x L)."""
    A, a, B, b = weights
    hidden = np.tanh(Z @ A + a)
    return hidden, np.tanh(hidden @ B + b)


def loss_and_gradient(weights: Weights, Z: Matrix, Y: FloatArray) -> tuple[float, Weights]:
    """Mean ranking loss of rows Z with labels Y (n x L, 0/1, some of both in each row), and its gradient.

    The double sum is a product of two: sum_k exp(-c_k) / |P| times sum_l exp(c_l) / |N|.
    """
    hidden, c = outputs(weights, Z)
    inside, outside = Y / Y.sum(axis=1, keepdims=True), (1 - Y) / (1 - Y).sum(axis=1, keepdims=True)
    low, high = np.exp(-c) * inside, np.exp(c) * outside
    total_low, total_high = low.sum(axis=1, keepdims=True), high.sum(axis=1, keepdims=True)
    by_sum = (high * total_low - low * total_high) / len(Y) * (1 - c**2)
    by_hidden = (by_sum @ weights[2].T) * (1 - hidden**2)
    gradient = [Z.T @ by_hidden, by_hidden.sum(axis=0), hidden.T @ by_sum, by_sum.sum(axis=0)]
    return float(np.mean(total_low * total_high)), gradient


class Adam:
    """Steps of a length of their own for each weight, made in place."""

    def __init__(self, weights: Weights, learning_rate: float):
        self.weights, self.learning_rate, self.count = weights, learning_rate, 0
        self.first, self.second = ([np.zeros_like(w) for w in weights] for _ in range(2))

    def step(self, gradient: Weights) -> None:
        """One step against the gradient."""
        self.count += 1
        keep, keep_square = MEMORY
        rate = self.learning_rate * np.sqrt(1 - keep_square**self.count) / (1 - keep**self.count)
        for w, g, m, v in zip(self.weights, gradient, self.first, self.second, strict=True):
            m += (1 - keep) * (g - m)
            v += (1 - keep_square) * (g * g - v)
            w -= rate * m / (np.sqrt(v) + 1e-8)


def fit_threshold(c: FloatArray, labels: sparse.csr_array) -> FloatArray:
    """The t (L + 1) of least squares between (c, 1) t and the best threshold of each row."""
    best = np.array(
        [best_cut(row, labels.indices[labels.indptr[i] : labels.indptr[i + 1]]) for i, row in enumerate(c)]
    )
    return np.asarray(np.linalg.lstsq(np.column_stack([c, np.ones(len(c))]), best, rcond=None)[0])


def best_cut(row: FloatArray, positives: IntArray) -> float:
    """The threshold with the fewest labels on the wrong side; the middle of the first such gap."""
    order = np.argsort(row)
    hit = np.isin(order, positives)
    below = np.concatenate([[0], np.cumsum(hit)])  # positives that a cut before place i leaves below
    wrong = below + (len(row) - len(positives)) - (np.arange(len(row) + 1) - below)
    edges = np.concatenate([[row[order[0]] - 0.2], row[order], [row[order[-1]] + 0.2]])
    place = int(np.argmin(wrong))
    return float((edges[place] + edges[place + 1]) / 2)
