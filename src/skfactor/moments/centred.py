"""Centred and scaled moments: what a method solves from."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray
from skfactor.moments.gram import CentredRows, gram_solver
from skfactor.moments.second import Centre, HeldMoments, SecondMoments
from skfactor.solvers.linear_conjugate_gradient import solve_positive_definite
from skfactor.solvers.spectral import leading_eigenvectors, with_fixed_signs

#: A decomposition of Cxx takes as long as so many of Cholesky's.
DECOMPOSITION_PAYS = 12

Product = Callable[[FloatArray], FloatArray]


class CentredMoments:
    """Covariances Cxx (D x D), Cxy (D x L) and Cyy (L x L) of data seen from its mean.

    They are divided by n, so that they mean the same for any number of rows, and x by its scale. All of it is
    done on the moments: the data is not looked at again.

    Attributes
    ----------
    centre : Centre
        n, the means and the scale, which bring a solution back to the coordinates of the data.
    n_features, n_labels : int
    points, ridges : int
        How many models are going to be solved from these moments, and with how many different ridges: for many, it
        pays to decompose Cxx once.
    """

    def __init__(self, second: SecondMoments, centre: Centre):
        self._second = second
        self._kept: dict[Any, Any] = {}
        self._solver: tuple[float, Product] | None = None
        self.points = self.ridges = 1
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

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What `make` returns, made once for each `key`: models solved from the same moments share it."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def leading(
        self, key: Any, product: Product, size: int, n_components: int, *, small: int | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """`leading_eigenvectors` of the matrix that `key` names, of those found before if they were enough."""
        if key not in self._kept or len(self._kept[key][0]) < n_components:
            self._kept[key] = leading_eigenvectors(product, size, n_components, small=small)
        values, vectors = self._kept[key]
        return values[:n_components], vectors[:, :n_components]

    def leading_y(self, n_components: int) -> tuple[FloatArray, FloatArray]:
        """The leading eigenvalues of Cyy and their vectors (L x r)."""
        return self.leading("Cyy", self.yy, self.n_labels, n_components)

    @cached_property
    def rotated_xy(self) -> FloatArray:
        """Cxy (D x L) between the eigenvectors of Cxx and those of Cyy."""
        return np.asarray(self.eigh_x[1].T @ self.xy(self.leading_y(self.n_labels)[1]))

    def solve_ridge(self, ridge: float, B: FloatArray) -> FloatArray:
        """(Cxx + ridge * mean_square * I)^-1 B for B (D x k); the shortest solution where that is singular."""
        return self.ridge_solver(ridge)(B)

    def ridge_solver(self, ridge: float) -> Product:
        """What multiplies tables by (Cxx + ridge * mean_square * I)^-1: decomposed once, for any number of them.

        By Cholesky, or by the eigendecomposition where that is there already or needed. Where Cxx is not kept,
        by the Gram matrix of the rows if they are few, else by conjugate gradients.
        """
        if self._solver is None or self._solver[0] != ridge:
            self._solver = None  # before there is another, which is as large
            self._solver = ridge, self._new_solver(ridge)
        return self._solver[1]

    def _new_solver(self, ridge: float) -> Product:
        shift = ridge * self.mean_square
        if self.held is None:
            return self._free_solver(shift)
        if "eigh_x" not in self.__dict__ and ridge > 0 and self.ridges < DECOMPOSITION_PAYS:
            shifted = self.held.Sxx.copy()
            shifted.ravel()[:: self.n_features + 1] += shift
            try:  # transposed, a symmetric matrix is in the order that LAPACK can overwrite
                factor = linalg.cho_factor(shifted.T, overwrite_a=True, check_finite=False)
                return lambda B: np.asarray(linalg.cho_solve(factor, B, check_finite=False))
            except linalg.LinAlgError:  # rounding, after rows were taken away, made Cxx indefinite
                pass
        values, vectors = self.eigh_x
        inverse = _inverse(values + shift)[:, None]
        return lambda B: vectors @ (inverse * (vectors.T @ B))

    def _free_solver(self, shift: float) -> Product:
        stream = self._second.raw  # type: ignore[attr-defined]
        if shift > 0 and stream.few_rows(self.n_features):
            try:
                return gram_solver(CentredRows(stream, self.centre), shift)
            except linalg.LinAlgError:  # so small a shift is lost in the rounding of the Gram matrix
                pass
        diagonal = self._second.diagonal_xx() + shift
        return lambda B: solve_positive_definite(lambda V: self.xx(V) + shift * V, B, diagonal)


def _inverse(values: FloatArray) -> FloatArray:
    """1 / values, and 0 where a value is zero but for rounding."""
    floor = values.max(initial=0.0) * len(values) * np.finfo(float).eps
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > floor)
