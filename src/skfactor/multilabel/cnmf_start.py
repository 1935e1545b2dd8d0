"""Where CNMF starts from: rough label shares of rows, by their similarity to labelled ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skfactor._validation import BoolArray, FloatArray, Matrix
from skfactor.multilabel.cnmf_updates import normalized
from skfactor.multilabel.similarity import Similarity
from skfactor.solvers.linear_conjugate_gradient import solve_positive_definite

#: Of the label frequencies, this share is in every start: an entry that starts at 0 can never grow.
FLOOR = 1e-3


@dataclass(frozen=True)
class Start:
    """T0 = (R W + offset)+ with rows of sum 1, and a little of the labels' frequencies in it.

    Attributes
    ----------
    W : ndarray of shape (m, L)
    offset : ndarray of shape (L,)
    frequency : ndarray of shape (L,)
        Of the labels; its sum is 1.
    """

    W: FloatArray
    offset: FloatArray
    frequency: FloatArray

    def __call__(self, rows: Matrix) -> FloatArray:
        """T0 (b x L) for rows of R (b x m)."""
        rough = normalized(np.maximum(rows @ self.W + self.offset, 0.0), self.frequency)
        return (1 - FLOOR) * rough + FLOOR * self.frequency


def frequencies(shares: FloatArray) -> FloatArray:
    """The labels' share (L) of all that is given."""
    return np.asarray(shares.sum(axis=0) / max(shares.sum(), np.finfo(float).tiny))


def neighbours(similarity: Similarity, labelled: BoolArray, shares: FloatArray) -> Start:
    """The mean of the labelled rows' shares, weighted by similarity."""
    W = similarity.summary(shares, labelled)
    return Start(W, np.zeros(shares.shape[1]), frequencies(shares))


def ridge_regression(similarity: Similarity, labelled: BoolArray, shares: FloatArray, weight: float) -> Start:
    """Ridge regression: W = R_c' (R_c R_c' + weight I)^-1 (Y - mean) of rows that have length 1, centred then.

    No n_labelled x n_labelled matrix is made, nor a centred row: conjugate gradients take products. What they find
    is centred, as Y - mean is, so that R_c' times it is R' times it.
    """
    R, labels = similarity.rows[labelled], (shares > 0).astype(np.float64)
    mean = labels.mean(axis=0)

    def product(Z: FloatArray) -> FloatArray:
        products = R @ (R.T @ Z)
        return np.asarray(products - products.mean(axis=0) + weight * Z)

    solution = solve_positive_definite(product, labels - mean, np.full(len(labels), 1 + weight), tol=1e-6)
    W = np.asarray(R.T @ solution)
    return Start(W, mean - np.mean(R @ W, axis=0), frequencies(shares))


def at_random(similarity: Similarity, shares: FloatArray) -> Start:
    """Every label alike: for new rows, where those of `fit` start at random."""
    m, L = similarity.rows.shape[1], shares.shape[1]
    return Start(np.zeros((m, L)), np.full(L, 1 / L), frequencies(shares))
