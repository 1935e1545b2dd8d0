"""LEML with labels missing, or another loss than the squared: alternation of Newton steps over rows and labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from skfactor._validation import FloatArray, Matrix
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.moments.second import Centre
from skfactor.multilabel.label_space.leml_algebra import Spectrum, balanced, divide, spectral_start
from skfactor.multilabel.label_space.leml_entries import Entries, LabelEntries
from skfactor.multilabel.label_space.leml_moments import START_RIDGE
from skfactor.solvers.newton import Expansion, newton_step
from skfactor.solvers.stopping import iterate


@dataclass(frozen=True)
class CentredRows:
    """Rows of X seen from their mean and scaled, in products only: a sparse X stays sparse."""

    X: Matrix
    centre: Centre

    def codes(self, U: FloatArray) -> FloatArray:
        """X U (n x k)."""
        U = U / self.centre.scale[:, None]
        return np.asarray(self.X @ U - self.centre.mean_x @ U)

    def back(self, M: FloatArray) -> FloatArray:
        """X' M (D x k)."""
        product = self.X.T @ M - np.outer(self.centre.mean_x, M.sum(axis=0))
        return np.asarray(product / self.centre.scale[:, None])


@dataclass(frozen=True)
class EncoderStep:
    """F(U) = sum w_ij loss(y_ij, x_i U v_j + b_j) + weight ||U||^2 for U (D x r), given B = [V' b] (L x r + 1).

    Its Hessian is sum h_ij (x_i x_i') x (v_j v_j') + 2 weight I. With curvatures h_ij that depend on the label
    alone, as those of squared loss without missing labels do, it would be Cxx x (V diag(h) V') + 2 weight I: by
    that the steps are preconditioned.
    """

    rows: CentredRows
    entries: Entries
    B: FloatArray
    weight: float
    features: Spectrum

    def value(self, U: FloatArray) -> float:
        """F(U)."""
        return self.entries.value(_beside(self.rows.codes(U), 1.0), self.B) + self.weight * float(np.sum(U**2))

    def expand(self, U: FloatArray) -> Expansion:
        """F about U."""
        sums = self.entries.expand(_beside(self.rows.codes(U), 1.0), self.B)
        V, double = self.B[:, :-1].T, 2 * self.weight
        labels = Spectrum.of((V * sums.curvature[1]) @ V.T)
        return Expansion(
            sums.value + self.weight * float(np.sum(U**2)),
            self.rows.back(sums.gradient[:, :-1]) + double * U,
            lambda P: self.rows.back(sums.product(_beside(self.rows.codes(P), 0.0))[:, :-1]) + double * P,
            lambda R: divide(R, self.features, labels, double),
        )


@dataclass(frozen=True)
class DecoderStep:
    """F(B) = sum w_ij loss(y_ij, a_i . b_j) + weight ||V||^2 for B = [V' b] (L x r + 1), given A = [X U 1].

    Preconditioned by the curvature of each label times the mean of a_i a_i'.
    """

    entries: Entries
    A: FloatArray
    weight: float

    def value(self, B: FloatArray) -> float:
        """F(B)."""
        return self.entries.value(B, self.A) + self.weight * float(np.sum(B[:, :-1] ** 2))

    def expand(self, B: FloatArray) -> Expansion:
        """F about B."""
        sums, double = self.entries.expand(B, self.A), 2 * self.weight
        codes, bend = self.A[:, :-1], np.maximum(sums.curvature[0], np.finfo(float).eps)
        labels, rows = Spectrum(bend), Spectrum.of(codes.T @ codes / len(codes))

        def precondition(R: FloatArray) -> FloatArray:
            return np.column_stack([divide(R[:, :-1], labels, rows, double), R[:, -1] / bend])

        return Expansion(
            sums.value + self.weight * float(np.sum(B[:, :-1] ** 2)),
            sums.gradient + double * _beside(B[:, :-1], 0.0),
            lambda P: sums.product(P) + double * _beside(P[:, :-1], 0.0),
            precondition,
        )


def minimize_on_rows(
    X: Matrix,
    entries: LabelEntries,
    moments: CentredMoments,
    features: Spectrum,
    n_components: int,
    weight: float,
    *,
    margin: bool,
    max_iter: int,
    tol: float,
) -> tuple[Factors, list[float]]:
    """Minimize sum w_ij loss(y_ij, x_i U v_j + b_j) + weight (||U||^2 + ||V||^2) over U (D x r), V (r x L), b (L).

    Parameters
    ----------
    X : array or sparse table of shape (n, D)
    entries : LabelEntries
        What the sum is over.
    moments : CentredMoments
        Of the features: how they are centred and scaled.
    features : Spectrum
        Of Cxx, or of something near: it speeds the steps up and changes nothing else.
    n_components : int
    weight : float
    margin : bool
        Whether the loss takes labels -1 and +1. Its scores z are then given as (1 + z) / 2.
    max_iter, tol
        As in `iterate`.

    Returns
    -------
    Factors
        For X as it came.
    objectives : list of float
    """
    rows = CentredRows(X.astype(np.float64, copy=False), moments.centre)

    def step(state: tuple[FloatArray, FloatArray]) -> tuple[tuple[FloatArray, FloatArray], float]:
        U, B = state
        B, value = newton_step(DecoderStep(entries.by_label, _beside(rows.codes(U), 1.0), weight), B)
        objective = value + weight * float(np.sum(U**2))
        U, B = _balanced(U, B)
        U, _ = newton_step(EncoderStep(rows, entries.by_row, B, weight, features), U)
        return _balanced(U, B), objective

    start = _start(rows, entries, features, n_components, START_RIDGE * moments.mean_square, margin)
    (U, B), objectives = iterate(step, start, max_iter=max_iter, tol=tol, name="LEML")
    V, b = (B[:, :-1].T / 2, (1 + B[:, -1]) / 2) if margin else (B[:, :-1].T, B[:, -1])
    return Factors(U, V).uncentred(replace(moments.centre, mean_y=b)), objectives


def _start(
    rows: CentredRows, entries: LabelEntries, features: Spectrum, n_components: int, shift: float, margin: bool
) -> tuple[FloatArray, FloatArray]:
    """Reduced-rank ridge regression on covariances with each label over the rows where it is known."""
    T = entries.linear
    U, V = spectral_start(
        lambda W: rows.back(T @ W),
        lambda Z: T.T @ rows.codes(Z),
        lambda R: divide(R, features, Spectrum(np.ones(R.shape[1])), shift),
        len(entries.mean),
        n_components,
    )
    B = np.column_stack([V.T, entries.mean])
    return U, 2 * B - np.eye(1, B.shape[1], B.shape[1] - 1) if margin else B


def _balanced(U: FloatArray, B: FloatArray) -> tuple[FloatArray, FloatArray]:
    U, V = balanced(U, B[:, :-1].T)
    return U, np.column_stack([V.T, B[:, -1]])


def _beside(table: FloatArray, value: float) -> FloatArray:
    """The table with a further column of one value."""
    return np.column_stack([table, np.full(len(table), value)])
