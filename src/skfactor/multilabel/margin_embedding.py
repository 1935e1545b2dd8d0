"""A linear embedding of rows in which every label is told by a margin: smooth hinge loss, low rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix
from skfactor.losses import LOSSES
from skfactor.solvers.conjugate_gradient import minimize_conjugate_gradient
from skfactor.solvers.lbfgs import minimize_lbfgs
from skfactor.solvers.parts import Minimum

SOLVERS: dict[str, Callable[..., Minimum]] = {
    "lbfgs": minimize_lbfgs,
    "conjugate_gradient": minimize_conjugate_gradient,
}
#: Sparse rows that are fuller than this are made dense to be learned from: products are then faster.
FULL = 0.1


@dataclass(frozen=True)
class MarginEmbedding:
    """Outputs X U V + 1 b', positive for labels.

    Attributes
    ----------
    U : ndarray of shape (D, r)
    V : ndarray of shape (r, L)
    intercept : ndarray of shape (L,)
        b.
    """

    U: FloatArray
    V: FloatArray
    intercept: FloatArray

    def outputs(self, X: Matrix) -> FloatArray:
        """X U V + 1 b' (n x L)."""
        return np.asarray(X @ self.U @ self.V + self.intercept)

    def hamming_losses(self, X: Matrix, labels: FloatArray) -> FloatArray:
        """The share of labels that the sign gets wrong, of each row (n)."""
        return np.asarray(np.mean((self.outputs(X) > 0) != (labels > 0), axis=1))


def objective(
    parts: list[FloatArray], X: Matrix, signs: FloatArray, penalty: float
) -> tuple[float, list[FloatArray]]:
    r"""Value and gradients by U (D x r), V (r x L) and b (L) of the objective.

    With S = X U V + 1 b', labels y of -1 and +1 and the smooth hinge h::

        J = sum_il h(y_il S_il) + penalty / 2 (||U||^2 + ||V||^2)
        G_il = y_il h'(y_il S_il)    dU = X' G V' + penalty U    dV = (X U)' G + penalty V    db = G' 1
    """
    U, V, b = parts
    hinge, codes = LOSSES["smooth_hinge"], np.asarray(X @ U)
    S = codes @ V + b
    G = hinge.gradient(signs, S)
    value = float(hinge.value(signs, S).sum()) + penalty / 2 * float(np.sum(U**2) + np.sum(V**2))
    return value, [np.asarray(X.T @ (G @ V.T)) + penalty * U, codes.T @ G + penalty * V, G.sum(axis=0)]


def spectral_start(X: Matrix, signs: FloatArray, n_components: int) -> list[FloatArray]:
    r"""U (D x r), V (r x L) and b (L) from one step of least squares, cut to rank r.

    From U V = 0 and b the mean signs, squared errors fall fastest along R = X'(signs - 1 b') = P S Q', furthest at
    t = ||R||^2 / ||X R||^2. Of t R the r leading parts are kept, which both factors share::

        U = P_r (t S_r)^1/2        V = (t S_r)^1/2 Q_r'

    A rank beyond that of R would not be made use of, and is not given.
    """
    b = signs.mean(axis=0)
    R = np.asarray(X.T @ (signs - b))
    P, s, Qt = np.linalg.svd(R, full_matrices=False)
    reached = float(np.sum(np.square(X @ R)))
    roots = np.sqrt(s[:n_components] * (float(s @ s) / reached if reached > 0 else 0.0))
    return [P[:, : len(roots)] * roots, roots[:, None] * Qt[: len(roots)], b]


def learn_embedding(
    X: Matrix, labels: FloatArray, n_components: int, penalty: float, *, solver: str, max_iter: int, tol: float
) -> tuple[MarginEmbedding, Minimum]:
    """Minimize the objective for rows X (n x D) and their labels (n x L, 0/1) from a spectral start."""
    if sparse.issparse(X) and X.nnz > FULL * X.shape[0] * X.shape[1]:
        X = X.toarray()
    signs = np.where(labels > 0, 1.0, -1.0)

    def function(parts: list[FloatArray]) -> Any:
        return objective(parts, X, signs, penalty)

    found = SOLVERS[solver](function, spectral_start(X, signs, n_components), max_iter=max_iter, tol=tol)
    return MarginEmbedding(*found.parts), found
