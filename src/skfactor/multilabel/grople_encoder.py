"""The feature embedding of GroPLE: a sparse map from features to codes, which keeps unlike codes apart."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray
from skfactor.moments import CentredMoments
from skfactor.penalties import PENALTIES
from skfactor.solvers import proximal_gradient
from skfactor.solvers.spectral import largest_eigenvalue

#: The least ridge of the regression that the encoder starts from.
START_RIDGE = 0.01


def solve(
    moments: CentredMoments,
    right: FloatArray,
    length: float,
    R: FloatArray,
    *,
    sparsity: float,
    max_iter: int,
    tol: float,
) -> tuple[FloatArray, list[float]]:
    """Minimize over Z (D x r), for Cxu = `right` (D x r) and tr(Cuu) = `length` of the codes,

        1/n ||U - X Z||^2 + tr(R Z'Z) + sparsity s ||Z||_1,    s = 2 max |Cxu|

    beginning with a ridge regression, whose ridge is the mean eigenvalue of R. From sparsity 1 on, Z is zero.
    Returns Z and the objective on the way.
    """  # noqa: D400
    penalty = PENALTIES["l1"].times(sparsity * 2 * float(np.abs(right).max(initial=0.0)))
    bound = largest_eigenvalue(moments.xx, moments.n_features) + float(linalg.eigvalsh(R)[-1])

    def error(Z: FloatArray) -> tuple[float, FloatArray]:
        image = moments.xx(Z) + Z @ R
        return length + float(np.sum(Z * (image - 2 * right))), 2 * (image - right)

    ridge = float(np.trace(R)) / len(R) / moments.mean_square
    first = moments.solve_ridge(max(ridge, START_RIDGE), right)
    return proximal_gradient.minimize(
        error, penalty, first, 2 * bound, max_iter=max_iter, tol=tol, quadratic=True, name="GroPLE's encoder"
    )


def unlikeness(code_covariance: FloatArray) -> FloatArray:
    """1 - C (r x r) for the correlations C of the codes; a code that is constant correlates with none."""
    deviation = np.sqrt(np.maximum(code_covariance.diagonal(), 0.0))
    unit = np.outer(deviation, deviation)
    C = np.divide(code_covariance, unit, out=np.zeros_like(unit), where=unit > 0)
    np.fill_diagonal(C, 1.0)
    return np.asarray(1.0 - (C + C.T) / 2)


def is_bounded(moments: CentredMoments, R: FloatArray) -> bool:
    """Whether Cxx (x) I + I (x) R has no eigenvalue below 0, without which there is no minimum.

    Its smallest eigenvalue is the sum of theirs. Where Cxx is not kept, its smallest counts as 0.
    """
    lowest = float(linalg.eigvalsh(R)[0])
    if lowest >= -1e-12 * max(1.0, float(np.abs(R).max())):
        return True
    if moments.held is None:
        return False
    try:
        linalg.cholesky(moments.held.Sxx + lowest * np.eye(moments.n_features), overwrite_a=True)
    except linalg.LinAlgError:
        return False
    return True
