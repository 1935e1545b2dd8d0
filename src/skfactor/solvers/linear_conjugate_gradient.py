"""Conjugate gradients for a positive definite linear system with many right-hand sides."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from skfactor._validation import FloatArray


def solve_positive_definite(
    product: Callable[[FloatArray], FloatArray],
    B: FloatArray,
    diagonal: FloatArray,
    *,
    tol: float = 1e-9,
    max_iter: int = 1000,
) -> FloatArray:
    """Solve A Z = B (both D x k), A known by its product with D x k tables and by its diagonal (D).

    All columns go through the data together; each has its own step lengths. A column is done when its
    residual has fallen below `tol` times its right-hand side.
    """
    Z = np.zeros_like(B)
    residual = B.copy()
    enough = tol * np.linalg.norm(B, axis=0)
    inverse = 1.0 / np.maximum(diagonal, np.finfo(float).tiny)[:, None]
    direction = inverse * residual
    slope = np.sum(residual * direction, axis=0)
    for _ in range(max_iter):
        if np.all(np.linalg.norm(residual, axis=0) <= enough):
            break
        image = product(direction)
        curvature = np.sum(direction * image, axis=0)
        step = np.divide(slope, curvature, out=np.zeros_like(slope), where=curvature > 0)
        Z += step * direction
        residual -= step * image
        preconditioned = inverse * residual
        previous, slope = slope, np.sum(residual * preconditioned, axis=0)
        growth = np.divide(slope, previous, out=np.zeros_like(slope), where=previous > 0)
        direction = preconditioned + growth * direction
    return Z
