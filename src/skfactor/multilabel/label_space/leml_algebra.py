"""What both ways of fitting LEML share: division in two eigenbases, balanced factors, the start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy import linalg
from sklearn.utils import gen_batches

from skfactor._validation import FloatArray
from skfactor.moments import CentredMoments
from skfactor.solvers.spectral import leading_eigenvectors

Linear = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues (p) of a symmetric matrix and their vectors (p x p), None for a diagonal one."""

    values: FloatArray
    vectors: FloatArray | None = None

    @classmethod
    def of(cls, matrix: FloatArray) -> Self:
        """That of a matrix without negative eigenvalues, but for rounding."""
        values, vectors = linalg.eigh(matrix)
        return cls(np.maximum(values, 0.0), vectors)

    @classmethod
    def of_features(cls, moments: CentredMoments) -> Self:
        """That of Cxx, or of its diagonal where Cxx is not kept."""
        if moments.held is None:
            return cls(np.maximum(moments.diagonals()[0], 0.0))
        return cls(*moments.eigh_x)

    def inside(self, R: FloatArray) -> FloatArray:
        """R (p x k) in the eigenbasis."""
        return R if self.vectors is None else self.vectors.T @ R

    def outside(self, R: FloatArray) -> FloatArray:
        """R (p x k) back from the eigenbasis."""
        return R if self.vectors is None else self.vectors @ R


def divide(R: FloatArray, left: Spectrum, right: Spectrum, shift: float) -> FloatArray:
    """The Z (p x k) with A Z B + shift Z = R, for A (p x p) and B (k x k) by their spectra and a shift above 0."""
    inside = right.inside(left.inside(R).T).T / (left.values[:, None] * right.values + shift)
    return left.outside(right.outside(inside.T).T)


def balanced(U: FloatArray, V: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Factors with the same product U V whose ||U||^2 + ||V||^2 is least.

    With the singular value decomposition U V = A S B' they are A S^1/2 and S^1/2 B', so that U'U = V V' = S.
    """
    left, upper = np.linalg.qr(U)
    right, lower = np.linalg.qr(V.T)
    A, S, B = np.linalg.svd(upper @ lower.T)
    B = B @ right.T
    # A row of V has its largest entry positive: so that the factors, too, do not depend on rounding.
    root = np.sqrt(S) * np.where(B.max(axis=1) < -B.min(axis=1), -1.0, 1.0)
    return left @ (A * root), root[:, None] * B


def spectral_start(
    xy: Linear,
    yx: Linear,
    solve: Linear,
    n_labels: int,
    n_components: int,
    leading: Callable[[Linear, int, int], tuple[FloatArray, FloatArray]] = leading_eigenvectors,
) -> tuple[FloatArray, FloatArray]:
    """Reduced-rank ridge regression: V' = leading eigenvectors of Cyx R Cxy (L x r), and U = R Cxy V'.

    `xy`, `yx` and `solve` are the products with Cxy (D x L), with its transpose, and with R = (Cxx + shift I)^-1.
    """

    def product(W: FloatArray) -> FloatArray:
        # Few columns at a time: what lies between is as long as the data.
        parts = gen_batches(W.shape[1], n_components)
        return np.hstack([yx(solve(xy(W[:, part]))) for part in parts])

    _, vectors = leading(product, n_labels, n_components)
    return balanced(solve(xy(vectors)), vectors.T)
