"""What MNMTF sums over its rows, and the multiplicative updates that need nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix
from skfactor.moments import Moments
from skfactor.moments.second import add_cross
from skfactor.solvers import multiplicative


@dataclass(frozen=True)
class LabelSums:
    """What MNMTF knows of its rows: n (total weight), ||X||^2, Sxy = X'Y (D x L) and K = Y'Y (L x L)."""

    n: float
    square: float
    cross: FloatArray
    common: FloatArray

    @classmethod
    def of(cls, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> LabelSums:
        """One pass over rows, dense or sparse. The products of features with one another are not needed."""
        weighted = sparse.csr_array(sparse.diags_array(weight) @ labels)
        D, L = X.shape[1], labels.shape[1]
        cross, common = np.zeros((D, L)), np.zeros((L, L))
        add_cross(X, weighted, cross)
        add_cross(labels, weighted, common)
        squares = X.multiply(X).sum(axis=1) if sparse.issparse(X) else np.einsum("ij,ij->i", X, X)
        return cls(float(weight.sum()), float(weight @ np.ravel(squares)), cross, common)

    @classmethod
    def of_moments(cls, moments: Moments) -> LabelSums:
        """From moments of any source."""
        second, identity = moments.second, np.eye(moments.n_labels)
        square = float(second.diagonal_xx().sum())
        return cls(moments.n, square, second.xy(identity), second.yy(identity))  # type: ignore[union-attr]

    def plus(self, other: LabelSums, sign: float) -> LabelSums:
        """The sum with `sign` times the other; subtraction leaves nothing below 0."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return LabelSums(*(np.maximum(mine + sign * theirs, 0.0) for mine, theirs in pairs))


def factorize(
    sums: LabelSums,
    n_components: int,
    graph_weight: float,
    rng: np.random.RandomState,
    max_iter: int,
    tol: float,
) -> tuple[tuple[FloatArray, FloatArray], list[float]]:
    """U (D x r) and S (r x L), by multiplicative updates in O(D L r + L^2 r) an iteration.

    With all sums divided by n, and graph_weight times ||X||^2 / n,

        U <- U * (Sxy S') / (U S K S')
        S <- S * (U'Sxy + graph_weight S K) / (U'U S K + graph_weight S Deg)
    """
    square, cross, common = sums.square / sums.n, sums.cross / sums.n, sums.common / sums.n
    degree, graph_weight = common.sum(axis=1), graph_weight * square

    def objective(U: FloatArray, S: FloatArray) -> float:
        SK = S @ common
        fit = square - 2 * np.sum((U.T @ cross) * S) + np.sum((U.T @ U @ S) * SK)
        return float(fit + graph_weight * np.sum(S * (S * degree - SK)))

    def parts_of_basis(U: FloatArray, S: FloatArray) -> tuple[FloatArray, FloatArray]:
        return cross @ S.T, U @ (S @ common @ S.T)

    def parts_of_labels(U: FloatArray, S: FloatArray) -> tuple[FloatArray, FloatArray]:
        SK = S @ common
        return U.T @ cross + graph_weight * SK, U.T @ U @ SK + graph_weight * S * degree

    U, S = start(cross, common.diagonal(), n_components, rng)
    like, unlike = np.sum((U.T @ cross) * S), np.sum((U.T @ U @ S) * (S @ common))
    S *= like / unlike if like > 0 else 1.0  # as long as fits the data best
    return multiplicative.minimize(
        (parts_of_basis, parts_of_labels),
        objective,
        (U, S),
        max_iter=max_iter,
        tol=tol,
        unit=square or 1.0,
        name="MNMTF",
    )  # type: ignore[return-value]


def start(
    cross: FloatArray, frequency: FloatArray, n_components: int, rng: np.random.RandomState
) -> tuple[FloatArray, FloatArray]:
    """Positive U (D x r) and S (r x L): every component is one label's mean row, each label's in turn, with noise.

    A start that knows nothing of the labels ends in basis vectors that are all much the same: the labels explain
    no more than L of them, and updates move the others little.
    """
    D, L = cross.shape
    own = np.resize(np.arange(L), n_components)
    means = cross / np.maximum(frequency, np.finfo(float).tiny)
    floor = 1e-4 * (float(means.mean()) or 1.0)
    U = means[:, own] * rng.uniform(0.5, 1.5, (D, n_components)) + floor
    S = rng.uniform(0.01, 0.1, (n_components, L))
    S[np.arange(n_components), own] += 1.0
    return U, S
