"""A linear embedding of rows in which every label is told by a margin: smooth hinge loss, low rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skfactor._validation import FloatArray, Matrix
from skfactor.losses import LOSSES
from skfactor.solvers.lbfgs import minimize_lbfgs
from skfactor.solvers.nonlinear_conjugate_gradient import minimize_conjugate_gradient
from skfactor.solvers.parts import Minimum

SOLVERS: dict[str, Callable[..., Minimum]] = {
    "lbfgs": minimize_lbfgs,
    "conjugate_gradient": minimize_conjugate_gradient,
}
#: Standard deviation of x U V at the start, for an x of length 1.
START = 0.1


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


def learn_embedding(
    X: Matrix,
    labels: FloatArray,
    n_components: int,
    penalty: float,
    *,
    solver: str,
    max_iter: int,
    tol: float,
    rng: np.random.RandomState,
) -> tuple[MarginEmbedding, Minimum]:
    """Minimize the objective for rows X (n x D) and their labels (n x L, 0/1) from a small random start."""
    signs, L = np.where(labels > 0, 1.0, -1.0), labels.shape[1]
    size = np.sqrt(START) / n_components**0.25
    start = [
        rng.normal(scale=size, size=(X.shape[1], n_components)),
        rng.normal(scale=size, size=(n_components, L)),
    ]

    def function(parts: list[FloatArray]) -> Any:
        return objective(parts, X, signs, penalty)

    found = SOLVERS[solver](function, [*start, np.zeros(L)], max_iter=max_iter, tol=tol)
    return MarginEmbedding(*found.parts), found
