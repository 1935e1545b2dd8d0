"""MME: max-margin embedding of rows and labels."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state, gen_batches

from skfactor._validation import BoolArray, FloatArray, Matrix, check_choice, check_number
from skfactor.moments import Moments, Scale
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.traced import Traced, TracedFactors
from skfactor.multilabel.rows import Rows
from skfactor.solvers.adam import Adam, Weights

#: Ridge of the decoder, relative to the mean squared code.
DECODER_RIDGE = 1e-3


@dataclass(frozen=True)
class EmbeddingFactors(TracedFactors):
    """Factors whose codes lie near those of their labels.

    Attributes
    ----------
    label_encoder : ndarray of shape (n_labels, n_components)
        The map of label vectors into the same space.
    """

    label_encoder: FloatArray = field(kw_only=True)


@dataclass(eq=False, repr=False)
class MME(Traced, LabelClassifier):
    r"""Max-margin embedding: rows and label sets in one space, each row nearest to its own set.

    Over the encoders A (D x r) of rows and B (L x r) of labels, it minimizes the mean, over pairs of rows i and j
    with different labels, of

        max(0, 1 + (x_i A) (y_j B)' - (x_i A) (y_i B)')        + ridge/2 (||A||^2 + ||B||^2)

    in steps on batches of rows, whose pairs are those looked at. Labels are decoded from codes x A by least
    squares: scores = x A W + b.

    Parameters
    ----------
    n_components : int, optional
        The number r of dimensions; by default as many as there are labels, but no more than 100.
    ridge : float
        Weight of the squared norms.
    max_iter : int
        Epochs (passes over the rows).
    learning_rate : float
        Of the steps, which Adam makes.
    batch_size : int
        Rows of a step, each of which is compared with the labels of all.
    scale : {"auto", "std"} or None
        Whether features, which are centred, are divided by their standard deviation. "auto" does so for dense
        real-valued data.
    random_state : int, RandomState instance or None
        Draws first encoders, batches, and the folds.
    decision, calibration_folds
        As in `LabelClassifier`.

    Attributes
    ----------
    scorer_ : EmbeddingFactors
        The encoder is A, the decoder W; `label_encoder` is B.
    objective_ : ndarray of shape (n_iter_,)
        Mean loss of each epoch.
    n_iter_ : int
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    S. Park and S. Choi, "Max-margin embedding for multi-label learning", Pattern Recognition Letters 34(3), 2013.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import MME
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = MME(n_components=6).fit(data.X[:200], data.Y[:200])
    >>> model.scorer_.encoder.shape
    (20, 6)
    """

    n_components: int | None = None
    ridge: float = 1e-4
    max_iter: int = 50
    learning_rate: float = 0.01
    batch_size: int = 128
    scale: Scale = "auto"

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> EmbeddingFactors:
        centre = Moments.variances_of(X, labels).centre(self.scale)
        A, B, losses = self._embedded(Rows.seen_from(centre, X), labels)
        W, b = _decoder(Rows.seen_from(centre, X).times(A), labels)
        A = A / centre.scale[:, None]
        return EmbeddingFactors(A, W, b - centre.mean_x @ A @ W, label_encoder=B, objectives=losses)

    def _embedded(self, rows: Rows, labels: sparse.csr_array) -> tuple[FloatArray, FloatArray, list[float]]:
        rng = check_random_state(self.random_state)
        D, L = rows.table.shape[1], labels.shape[1]
        rank = min(L, 100) if self.n_components is None else self.n_components
        A, B = (rng.normal(size=(size, rank)) / np.sqrt(size * rank) for size in (D, L))
        adam, losses = Adam([A, B], self.learning_rate, self.ridge), []
        for _ in range(self.max_iter):
            losses.append(0.0)
            order = rng.permutation(len(rows))
            for batch in gen_batches(len(order), self.batch_size):
                some = order[batch]
                loss, gradient = loss_and_gradient(A, B, rows.taken(some), labels[some])
                adam.step(gradient)
                losses[-1] += loss * len(some) / len(rows)
        return A, B, losses

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        if self.n_components is not None:
            check_number(self.n_components, "n_components", minimum=1, integer=True)
        check_number(self.ridge, "ridge", minimum=0)
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.learning_rate, "learning_rate", above=0)
        check_number(self.batch_size, "batch_size", minimum=2, integer=True)
        check_choice(self.scale, "scale", ("auto", "std", None))


def loss_and_gradient(A: FloatArray, B: FloatArray, rows: Rows, Y: sparse.csr_array) -> tuple[float, Weights]:
    """Mean hinge of the pairs of rows with different labels, and its gradient by A and B.

    With S = (X A) (Y B)' and T (b x b) 1 at the pairs that are short of the margin, over their number at most,
    the gradient by S is T less diag(T 1).
    """
    codes, marks = rows.times(A), Y @ B
    S = codes @ marks.T
    short = np.maximum(0.0, 1 + S - np.diag(S)[:, None]) * differ(Y)
    pairs = max(1, len(S) * (len(S) - 1))
    T = (short > 0) / pairs
    np.fill_diagonal(T, -T.sum(axis=1))
    return float(short.sum() / pairs), [rows.transposed_times(T @ marks), Y.T @ (T.T @ codes)]


def differ(Y: sparse.csr_array) -> BoolArray:
    """Which pairs (b x b) of rows of a 0/1 table differ."""
    common, counts = (Y @ Y.T).toarray(), Y.sum(axis=1)
    return np.asarray((common < counts[:, None]) | (common < counts))


def _decoder(codes: FloatArray, labels: sparse.csr_array) -> tuple[FloatArray, FloatArray]:
    """W (r x L) and b (L) of ridge regression of the labels on centred codes, with b for codes as they are."""
    mean, share = codes.mean(axis=0), labels.mean(axis=0)
    gram = codes.T @ codes / len(codes) - np.outer(mean, mean)
    cross = (labels.T @ codes).T / len(codes) - np.outer(mean, share)
    shift = DECODER_RIDGE * (np.trace(gram) / len(gram) or 1.0)
    W = np.linalg.solve(gram + shift * np.eye(len(gram)), cross)
    return W, share - mean @ W
