"""Centred and scaled moments: what a method solves from."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray
from skfactor.moments.second import Centre, HeldMoments, SecondMoments
from skfactor.solvers.linear_conjugate_gradient import solve_positive_definite
from skfactor.solvers.spectral import leading_eigenvectors, with_fixed_signs


class CentredMoments:
    """Covariances Cxx (D x D), Cxy (D x L) and Cyy (L x L) of data seen from its mean.

    They are divided by n, so that they mean the same for any number of rows, and x by its scale. All of it is
    done on the moments: the data is not looked at again.

    Attributes
    ----------
    centre : Centre
        n, the means and the scale, which bring a solution back to the coordinates of the data.
    n_features, n_labels : int
    """

    def __init__(self, second: SecondMoments, centre: Centre):
        self._second = second
        self.centre = centre
        self.n_features = len(centre.mean_x)
        self.n_labels = len(centre.mean_y)

    @property
    def held(self) -> HeldMoments | None:
        """The covariances as matrices, or None where they are not kept in memory."""
        return self._second if isinstance(self._second, HeldMoments) else None

    def xx(self, V: FloatArray) -> FloatArray:
        """Cxx V."""
        return self._second.xx(V)

    def xy(self, W: FloatArray | None = None) -> FloatArray:
        """Cxy W, or Cxy itself."""
        if W is None:
            return self._second.Sxy if self.held else self._second.xy(np.eye(self.n_labels))  # type: ignore[attr-defined]
        return self._second.xy(W)

    def yx(self, V: FloatArray) -> FloatArray:
        """Cxy' V."""
        return self._second.yx(V)

    def yy(self, W: FloatArray) -> FloatArray:
        """Cyy W."""
        return self._second.yy(W)

    def diagonals(self) -> tuple[FloatArray, FloatArray]:
        """Variances of the features (D) and of the labels (L)."""
        return self._second.diagonal_xx(), self._second.diagonal_yy()

    @cached_property
    def mean_square(self) -> float:
        """Mean squared (centred, scaled) feature, the unit of every ridge; 1 if all are constant."""
        return float(np.mean(np.maximum(self._second.diagonal_xx(), 0.0))) or 1.0

    @cached_property
    def eigh_x(self) -> tuple[FloatArray, FloatArray]:
        """Eigenvalues of Cxx, falling and not below 0, with their vectors: one for every ridge and rank."""
        if self.held is None:
            raise ValueError(
                f"{self.n_features} features are too many for an eigendecomposition within the memory budget. "
                "Raise memory_budget, or choose a method or solver that runs matrix-free."
            )
        values, vectors = linalg.eigh(self.held.Sxx)
        return np.maximum(values[::-1], 0.0), with_fixed_signs(vectors[:, ::-1])

    def leading_y(self, n_components: int) -> tuple[FloatArray, FloatArray]:
        """The leading eigenvalues of Cyy and their vectors (L x r)."""
        return leading_eigenvectors(self.yy, self.n_labels, n_components)

    def solve_ridge(self, ridge: float, B: FloatArray) -> FloatArray:
        """(Cxx + ridge * mean_square * I)^-1 B for B (D x k); the shortest solution where that is singular."""
        return self.ridge_solver(ridge)(B)

    def ridge_solver(self, ridge: float) -> Callable[[FloatArray], FloatArray]:
        """What multiplies tables by (Cxx + ridge * mean_square * I)^-1: decomposed once, for any number of them.

        By Cholesky, by the eigendecomposition where that is there already or needed, by conjugate gradients
        where Cxx is not kept.
        """
        shift = ridge * self.mean_square
        if self.held is None:
            diagonal = self._second.diagonal_xx() + shift
            return lambda B: solve_positive_definite(lambda V: self.xx(V) + shift * V, B, diagonal)
        if "eigh_x" not in self.__dict__ and ridge > 0:
            try:
                factor = linalg.cho_factor(self.held.Sxx + shift * np.eye(self.n_features), overwrite_a=True)
                return lambda B: np.asarray(linalg.cho_solve(factor, B))
            except linalg.LinAlgError:  # rounding, after rows were taken away, made Cxx indefinite
                pass
        values, vectors = self.eigh_x
        inverse = _inverse(values + shift)[:, None]
        return lambda B: vectors @ (inverse * (vectors.T @ B))


def _inverse(values: FloatArray) -> FloatArray:
    """1 / values, and 0 where a value is zero but for rounding."""
    floor = values.max(initial=0.0) * len(values) * np.finfo(float).eps
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > floor)
