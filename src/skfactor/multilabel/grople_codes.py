"""The label embedding of GroPLE: codes whose decoder has one pattern of zeros per group of labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray, IntArray
from skfactor.penalties import group_rows
from skfactor.solvers import proximal_gradient
from skfactor.solvers.momentum import at_rest, with_momentum
from skfactor.solvers.spectral import largest_eigenvalue, leading_eigenvectors
from skfactor.solvers.stopping import iterate

#: Steps of the decoder between two steps of the codes.
INNER = 5


class Codes(NamedTuple):
    """Codes U = Y T as a map T (L x r) of the labels, their decoder V (r x L), and the objective on the way."""

    T: FloatArray
    V: FloatArray
    objectives: list[float]


def solve(
    G: FloatArray,
    groups: IntArray,
    n_components: int,
    *,
    code_ridge: float,
    group_sparsity: float,
    max_iter: int,
    tol: float,
) -> Codes:
    """Minimize over U (n x r) and V (r x L), for the moments G = Y'Y / n (L x L) of the coded labels,

        1/n ||Y - U V||^2 + code_ridge / n ||U||^2 + group_sparsity sum over groups k of ||V^k||_{2,1}

    by turns: U = Y T with T = V' (V V' + code_ridge I)^-1 is exact, and V, given T'G and T'G T, takes proximal
    gradient steps, after which `balanced` moves lengths between the two. Momentum over the turns, which are many
    and short, ends lower in less time. Nothing of size n is needed.
    """  # noqa: D400
    penalty, total = group_rows(groups).times(group_sparsity), float(np.trace(G))

    def step(V: FloatArray) -> tuple[FloatArray, float]:
        T = code_map(V, code_ridge)
        B = T.T @ G
        A = B @ T
        constant = total + code_ridge * float(np.trace(A))

        def error(V: FloatArray) -> tuple[float, FloatArray]:
            image = A @ V
            return constant + float(np.sum(V * (image - 2 * B))), 2 * (image - B)

        lipschitz = 2 * largest_eigenvalue(lambda W: A @ W, n_components)
        better, objectives = proximal_gradient.minimize(
            error, penalty, V, lipschitz, max_iter=INNER, tol=tol / 10, quadratic=True, name=None
        )
        return balanced(better, A.diagonal(), groups, code_ridge, group_sparsity), objectives[0]

    values, vectors = leading_eigenvectors(lambda W: G @ W, len(G), n_components)
    start = balanced(vectors.T, values, groups, code_ridge, group_sparsity)
    state, objectives = iterate(
        with_momentum(step), at_rest(start), max_iter=max_iter, tol=tol, name="GroPLE's codes", unit=total or 1.0
    )
    return Codes(code_map(state.now, code_ridge), state.now, objectives)


def code_map(V: FloatArray, code_ridge: float) -> FloatArray:
    """T = V' (V V' + code_ridge I)^-1 (L x r), the shortest where that is singular."""
    gram = V @ V.T
    floor = 1e-12 * max(float(np.trace(gram)), np.finfo(float).tiny)
    return np.asarray(linalg.solve(gram + (code_ridge + floor) * np.eye(len(V)), V, assume_a="pos").T)


def balanced(
    V: FloatArray, squares: FloatArray, groups: IntArray, code_ridge: float, group_sparsity: float
) -> FloatArray:
    """Every row v of V times the c that makes the penalties least, when its code u is divided by c.

    With the mean squares u^2 / n of the codes and the sums |v| over the groups of the norms of their parts, c
    minimizes code_ridge u^2 / n / c^2 + group_sparsity c |v|. Without it, the two change places slowly.
    """
    if code_ridge == 0 or group_sparsity == 0:
        return V
    penalties = np.array([group_rows(groups).value(v[None, :]) for v in V])
    used = (penalties > 0) & (squares > 0)
    ratios = np.divide(2 * code_ridge * squares, group_sparsity * penalties, out=np.ones_like(squares), where=used)
    return np.asarray(np.cbrt(ratios)[:, None] * V)
