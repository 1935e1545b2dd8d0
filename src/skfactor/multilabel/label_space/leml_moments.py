"""LEML with squared loss and all labels known: alternation on moments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray
from skfactor.moments import CentredMoments
from skfactor.multilabel.label_space.leml_algebra import Spectrum, balanced, spectral_start
from skfactor.solvers.linear_conjugate_gradient import solve_positive_definite
from skfactor.solvers.stopping import iterate

#: The ridge of the start, in mean squared features.
START_RIDGE = 0.1


class Covariances(Protocol):
    """Products with Cxx (D x D) and Cxy (D x L), in some coordinates of x."""

    def xx(self, U: FloatArray) -> FloatArray:
        """Cxx U."""

    def xy(self, W: FloatArray) -> FloatArray:
        """Cxy W."""

    def yx(self, U: FloatArray) -> FloatArray:
        """Cxy' U."""

    def divide(self, B: FloatArray, q: FloatArray, shift: float) -> FloatArray:
        """The U (D x r) with Cxx U diag(q) + shift U = B."""


@dataclass(frozen=True)
class Rotated:
    """In the eigenbasis of Cxx, with Cxy brought there once: no product is dearer than D L r."""

    values: FloatArray
    Cxy: FloatArray

    def xx(self, U: FloatArray) -> FloatArray:
        """Cxx U."""
        return self.values[:, None] * U

    def xy(self, W: FloatArray) -> FloatArray:
        """Cxy W."""
        return self.Cxy @ W

    def yx(self, U: FloatArray) -> FloatArray:
        """Cxy' U."""
        return self.Cxy.T @ U

    def divide(self, B: FloatArray, q: FloatArray, shift: float) -> FloatArray:
        """Division, since both matrices are diagonal."""
        return B / (self.values[:, None] * q + shift)


@dataclass(frozen=True)
class MatrixFree:
    """In the coordinates of x, where Cxx is not kept."""

    moments: CentredMoments

    def xx(self, U: FloatArray) -> FloatArray:
        """Cxx U."""
        return self.moments.xx(U)

    def xy(self, W: FloatArray) -> FloatArray:
        """Cxy W."""
        return self.moments.xy(W)

    def yx(self, U: FloatArray) -> FloatArray:
        """Cxy' U."""
        return self.moments.yx(U)

    def divide(self, B: FloatArray, q: FloatArray, shift: float) -> FloatArray:
        """By conjugate gradients, all columns at once."""
        diagonal = self.moments.diagonals()[0] * q.mean() + shift
        return solve_positive_definite(lambda U: self.xx(U) * q + shift * U, B, diagonal)


def minimize_on_moments(
    moments: CentredMoments, n_components: int, weight: float, *, max_iter: int, tol: float
) -> tuple[FloatArray, FloatArray, list[float]]:
    r"""Minimize 1/n ||Y - X U V||^2 + weight (||U||^2 + ||V||^2) for centred X (n x D) and Y (n x L).

    Given one factor, the other has a closed form::

        V = (U' Cxx U + weight I)^-1 U' Cxy              Cxx U (V V') + weight U = Cxy V'

    The factors are balanced after each, so that V V' is diagonal, and all of it lowers the objective.

    Returns
    -------
    U : ndarray of shape (D, r)
    V : ndarray of shape (r, L)
    objectives : list of float
    """
    spectrum = None if moments.held is None else Spectrum(*moments.eigh_x)
    form: Covariances = MatrixFree(moments)
    if spectrum is not None:
        form = moments.once("LEML", lambda: Rotated(spectrum.values, spectrum.inside(moments.xy())))
    spread = float(moments.diagonals()[1].sum())

    def step(state: tuple[FloatArray, FloatArray]) -> tuple[tuple[FloatArray, FloatArray], float]:
        U, V = state
        K, T = U.T @ form.xx(U), form.yx(U).T
        fit = spread - 2 * np.sum(T * V) + np.sum(K * (V @ V.T))
        objective = fit + weight * (np.sum(U**2) + np.sum(V**2))
        V = linalg.solve(K + weight * np.eye(len(K)), T, assume_a="pos")
        V = balanced(U, V)[1]
        U = form.divide(form.xy(V.T), np.sum(V**2, axis=1), weight)
        return balanced(U, V), float(objective)

    shift = START_RIDGE * moments.mean_square
    start = spectral_start(
        form.xy,
        form.yx,
        lambda B: form.divide(B, np.ones(B.shape[1]), shift),
        moments.n_labels,
        n_components,
        partial(moments.leading, "LEML start"),
    )
    (U, V), objectives = iterate(step, start, max_iter=max_iter, tol=tol, name="LEML")
    return U if spectrum is None else spectrum.outside(U), V, objectives
