"""OMMF from a stream of batches: by gradient steps, or by running averages. Memory O((D + L) r)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray
from skfactor.multilabel.ommf_moments import code_map, left_of_features
from skfactor.multilabel.rows import Rows, largest_eigenvalue


@dataclass
class OMMFLearner:
    """What both ways share: W = (P; Q), and the best codes of a batch.

    Parameters
    ----------
    W : ndarray of shape (D + L, r)
    n_features : int
    label_weight, ridge : float
    rate : float
        Multiplies the steps.
    period : float
        Steps of an epoch.

    Attributes
    ----------
    A : ndarray of shape (r, r)
        Running average of H'H / b.
    residual : float
        Running average of the mean square of what the codes leave of a feature.
    """

    W: FloatArray
    n_features: int
    label_weight: float
    ridge: float
    rate: float = 1.0
    period: float = math.inf
    steps: int = 0
    A: FloatArray | None = None
    residual: float = 1.0

    def codes(self, X: Rows, Y: Rows) -> FloatArray:
        """H (b x r), each row the exact minimizer given W.

            G = (1-a) P'P + a Q'Q + ridge I,    h = G^-1 ((1-a) P'x + a Q'y)

        Rows count with the units in which the mean variance of a feature and of a label is 1.
        """
        x, weight = slice(0, self.n_features), self.weight()
        M = code_map(self.W, weight, self.ridge).astype(self.W.dtype)
        H = X.times(np.ascontiguousarray(M[:, x].T)) + Y.times(np.ascontiguousarray(M[:, self.n_features :].T))
        return np.asarray(H)

    def weight(self) -> FloatArray:
        """1 - a for each feature, a for each label."""
        sizes = [self.n_features, len(self.W) - self.n_features]
        return np.repeat([1 - self.label_weight, self.label_weight], sizes).astype(self.W.dtype)

    def loss(self, B: FloatArray, A: FloatArray) -> float:
        """The objective per row, up to the constant (1-a) ||x||^2 + a ||y||^2, whose mean is added.

        B = Z'H / b ((D + L) x r) and A = H'H / b (r x r) of the batch.
        """
        weight = self.weight()[:, None]
        fit = float(np.sum((self.W.T @ (weight * self.W)) * A) - 2 * np.sum(weight * self.W * B))
        return float(weight.sum()) + fit + self.ridge * float(np.sum(self.W**2) + np.trace(A))

    def averages(self, batch: tuple[Rows, Rows]) -> tuple[FloatArray, FloatArray, float]:
        """B and A of a batch, and its loss."""
        X, Y = batch
        H = self.codes(X, Y)
        B = np.vstack([X.transposed_times(H), Y.transposed_times(H)]) / len(X)
        A = H.T @ H / len(X)
        return B, A, self.loss(B, A)

    def remember(self, B: FloatArray, A: FloatArray, share: float) -> FloatArray:
        """Take a batch into the running averages, with this share of the whole; returns that of A."""
        left = 1 + left_of_features(self.W, B, A, self.n_features)
        self.residual = left if self.A is None else (1 - share) * self.residual + share * left
        self.A = A if self.A is None else (1 - share) * self.A + share * A
        return self.A

    def slow_down(self) -> None:
        """Halve the steps."""
        self.rate /= 2


@dataclass
class GradientLearner(OMMFLearner):
    """Stochastic gradient steps, on P and Q alike, with w their weight (1-a or a).

        W <- W - gamma_t (ridge W - w (B - W A)),    gamma_t = gamma_0 / (1 + gamma_0 ridge t)

    gamma_0 is 1 / (w lambda + ridge), lambda the largest eigenvalue of the running average of A: the curvature, so
    that no scale of the data asks for tuning by hand. After e epochs it is divided by 1 + e / 5.
    """

    direction: FloatArray | None = None

    def step(self, batch: tuple[Rows, Rows]) -> float:
        """One step on a batch."""
        B, A, loss = self.averages(batch)
        self.steps += 1
        average = self.remember(B, A, max(1 / self.steps, 0.05))
        guess = np.ones(len(A), dtype=A.dtype) if self.direction is None else self.direction
        largest, self.direction = largest_eigenvalue(lambda v: average @ v, guess, 3)
        weight = self.weight()[:, None]
        first = self.rate / (weight * 1.2 * largest + self.ridge)
        gamma = first / (1 + first * self.ridge * self.steps + self.steps / (5 * self.period))
        self.W = self.W - gamma * (self.ridge * self.W - weight * (B - self.W @ A))
        return loss


@dataclass
class AveragingLearner(OMMFLearner):
    """Running averages of A and B, with which P and Q are minimized exactly after every batch.

        A <- (1-s) A + s H'H / b,   B <- (1-s) B + s Z'H / b,   W <- w B (w A + ridge I)^-1

    The share s of a new batch, 1 at most, falls like t^-0.7, so that codes of old factors are forgotten.
    """

    B: FloatArray | None = None

    def step(self, batch: tuple[Rows, Rows]) -> float:
        """One update from a batch."""
        B, A, loss = self.averages(batch)
        self.steps += 1
        share = min(1.0, self.rate * self.steps**-0.7)
        average = self.remember(B, A, share)
        self.B = B if self.B is None else (1 - share) * self.B + share * B
        identity = self.ridge * np.eye(len(A), dtype=A.dtype)
        blocks = []
        for rows, weight in (
            (slice(0, self.n_features), 1 - self.label_weight),
            (slice(self.n_features, None), self.label_weight),
        ):
            solved = linalg.solve(weight * average + identity, weight * self.B[rows].T, assume_a="pos")
            blocks.append(solved.T)
        self.W = np.vstack(blocks).astype(A.dtype)
        return loss


def first_factors(X: Rows, Y: Rows, n_components: int, rng: np.random.RandomState) -> FloatArray:
    """W to start from: leading right singular vectors of the first rows, small noise beyond their number."""
    Z = np.hstack([X.dense(), Y.dense()])
    _, lengths, vectors = linalg.svd(Z, full_matrices=False)
    count = min(n_components, len(lengths))
    W = rng.normal(scale=1 / math.sqrt(Z.shape[1]), size=(Z.shape[1], n_components))
    W[:, :count] = vectors[:count].T * np.sqrt(lengths[:count] / math.sqrt(len(Z)))
    return W.astype(Z.dtype)
