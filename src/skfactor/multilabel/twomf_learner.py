"""TWOMF from a stream of batches: stochastic gradients with momentum, on whatever device holds the arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import linalg

from skfactor._arrays import Array, as_numpy, like
from skfactor.multilabel.rows import Rows, largest_eigenvalue
from skfactor.multilabel.twomf_moments import Blocks, Weights

#: The curvature is looked at in each of the first steps, and then in every so-manieth.
FIRST_LOOKS, LOOK_EVERY = 50, 5


@dataclass
class MomentumLearner:
    """Mini-batch gradient descent with momentum p: step = -gamma * gradient + p * previous step.

    gamma is 2 (1 - p) over the block's curvature, of which running estimates are kept in `curvature`: so that
    neither the scale of the data nor the weights ask for tuning by hand. After e epochs it is divided by 1 + e, so
    that the noise of the batches dies out. Only operators that NumPy arrays and torch tensors share are used.

    Parameters
    ----------
    blocks : Blocks
        Where to start; their precision and device are those of all work.
    weights : Weights
    momentum : float
    rate : float
        Multiplies the steps.
    period : float
        Steps of an epoch.
    """

    blocks: Blocks
    weights: Weights
    momentum: float = 0.9
    rate: float = 1.0
    period: float = math.inf
    steps: int = 0
    previous: tuple[Array, ...] | None = None
    directions: dict[str, Any] = field(default_factory=dict)
    curvature: dict[str, float] = field(default_factory=dict)
    bounds: tuple[float, ...] | None = None

    def step(self, batch: tuple[Rows, Rows]) -> float:
        """One step on a batch."""
        X, Y = batch
        gradients, curvatures, loss = self._gradients(X, Y)
        gamma = 2 * self.rate * (1 - self.momentum) / (1 + self.steps / self.period)
        self.steps += 1
        if self.previous is None:
            self.previous = tuple(0 * block for block in self.blocks)
        for block, step, gradient, value in zip(self.blocks, self.previous, gradients, curvatures, strict=True):
            # In place: for small batches, new tables take as long as the products.
            step *= self.momentum
            gradient *= gamma / value
            step -= gradient
            block += step
        return loss

    def slow_down(self) -> None:
        """Halve the steps, and forget the momentum."""
        self.rate /= 2
        self.previous = None

    def _gradients(self, X: Rows, Y: Rows) -> tuple[tuple[Array, ...], tuple[float, ...], float]:
        """Half the gradients of the four blocks, their curvatures, and the loss, per row of the batch.

        With the codes Cx = X Ex and Cy = Y Ey, what the data enters by are products with thin tables; no
        residual of the width of X is made:

            dEx = b Ex - X' (a (X Dx' - Cx Dx Dx') + d (Y Dy' - Cx Dy Dy'))
            dDx = b Dx - a (Cx'X - Cx'Cx Dx)
            dEy = b Ey - c Y' (Y Dy' - Cy Dy Dy')
            dDy = b Dy - (c Cy'Y + d Cx'Y - (c Cy'Cy + d Cx'Cx) Dy)
        """
        (Ex, Dx, Ey, Dy), (a, c, d, b), n = self.blocks, self.weights, len(X)
        Cx, Fx, Cy, Fy = X.times(Ex), X.times(Dx.T), Y.times(Ey), Y.times(Dy.T)
        Gx, Gy, Kx, Ky = Dx @ Dx.T, Dy @ Dy.T, Cx.T @ Cx / n, Cy.T @ Cy / n
        Tx, Ty = a * (Fx - Cx @ Gx) + d * (Fy - Cx @ Gy), c * (Fy - Cy @ Gy)
        K = c * Ky + d * Kx
        gradients = (
            b * Ex - X.transposed_times(Tx) / n,
            b * Dx - a * (X.transposed_times(Cx).T / n - Kx @ Dx),
            b * Ey - Y.transposed_times(Ty) / n,
            b * Dy - (Y.transposed_times(c * Cy + d * Cx).T / n - K @ Dy),
        )
        fit = a * ((Kx * Gx).sum() - 2 * (Cx * Fx).sum() / n) + c * ((Ky * Gy).sum() - 2 * (Cy * Fy).sum() / n)
        link = d * ((Kx * Gy).sum() - 2 * (Cx * Fy).sum() / n)
        norms = b * sum(block.ravel() @ block.ravel() for block in self.blocks)
        constant = a * Ex.shape[0] + (c + d) * Ey.shape[0]
        curvatures = self._curvatures(X, Y, a * Kx, K, a * Gx + d * Gy, c * Gy)
        return gradients, curvatures, float(fit + link + norms) + constant

    def _curvatures(self, X: Rows, Y: Rows, Kx: Array, K: Array, Gx: Array, Gy: Array) -> tuple[float, ...]:
        """Bounds of the curvature of each block: products of the largest eigenvalues of what it is between."""
        ridge, known = self.weights.ridge, self.bounds
        if known is not None and self.steps > FIRST_LOOKS and self.steps % LOOK_EVERY:
            return known
        spread_x = self._largest("x", lambda v: X.transposed_times(X.times(v)) / len(X), self.blocks.Ex[:, :1])
        spread_y = self._largest("y", lambda v: Y.transposed_times(Y.times(v)) / len(Y), self.blocks.Ey[:, :1])
        encode_x = self._largest("Gx", lambda v: Gx @ v, Gx[:, :1])
        encode_y = self._largest("Gy", lambda v: Gy @ v, Gy[:, :1])
        decode_x = self._largest("Kx", lambda v: Kx @ v, Kx[:, :1])
        decode_y = self._largest("K", lambda v: K @ v, K[:, :1])
        self.bounds = (
            spread_x * encode_x + ridge,
            decode_x + ridge,
            spread_y * encode_y + ridge,
            decode_y + ridge,
        )
        return self.bounds

    def _largest(self, name: str, product: Any, like_this: Array) -> float:
        """Running estimate of a largest eigenvalue, on the safe side: it rises at once and falls slowly."""
        guess = self.directions.get(name)
        value, self.directions[name] = largest_eigenvalue(product, like_this * 0 + 1 if guess is None else guess)
        self.curvature[name] = max(1.1 * value, 0.98 * self.curvature.get(name, 0.0))
        return self.curvature[name]


def first_blocks(X: Rows, Y: Rows, n_components: int, init: str, rng: np.random.RandomState) -> Blocks:
    """Blocks to start from, like the arrays of X: leading singular vectors of the first rows, or random ones.

    The singular vectors of x encode and decode x; the label decoder is a ridge regression on those codes, and the
    label encoder its transpose.
    """
    D, L = len(X.mean), len(Y.mean)
    scale = 1 / np.sqrt(n_components)
    Ex = rng.normal(scale=1 / np.sqrt(D), size=(D, n_components))
    Dy = rng.normal(scale=scale / np.sqrt(L), size=(n_components, L))
    if init == "svd":
        x, y = (np.asarray(as_numpy(rows.dense()), dtype=np.float64) for rows in (X, Y))
        vectors = linalg.svd(x, full_matrices=False)[2][:n_components].T
        Ex[:, : vectors.shape[1]] = vectors
        codes = x @ Ex
        K = codes.T @ codes / len(x)
        Dy = linalg.solve(
            K + np.trace(K) / n_components * np.eye(n_components), codes.T @ y / len(x), assume_a="pos"
        )
    blocks = (Ex, Ex.T.copy(), Dy.T.copy(), Dy)
    return Blocks(*(like(block, X.mean) for block in blocks))
