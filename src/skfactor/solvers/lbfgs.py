"""L-BFGS over several arrays: SciPy's."""

from __future__ import annotations

from collections.abc import Sequence

from scipy import optimize

from skfactor._validation import FloatArray
from skfactor.solvers.parts import Function, Layout, Minimum


def minimize_lbfgs(
    function: Function, start: Sequence[FloatArray], *, max_iter: int = 1000, tol: float = 1e-6
) -> Minimum:
    """Go down from `start` until the function falls by less than `tol` times itself in an iteration.

    Parameters
    ----------
    function : callable
        Takes a list of arrays and returns the value and a gradient for each.
    start : sequence of ndarray
    max_iter : int
    tol : float

    Returns
    -------
    Minimum

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.solvers.lbfgs import minimize_lbfgs
    >>> def hyperbola(parts):
    ...     x, y = parts
    ...     value = (x * y - 6) ** 2 + (x - 2) ** 2
    ...     return float(value), [2 * (x * y - 6) * y + 2 * (x - 2), 2 * (x * y - 6) * x]
    >>> found = minimize_lbfgs(hyperbola, [np.array(1.0), np.array(1.0)], tol=1e-12)
    >>> [round(float(part), 3) for part in found.parts]
    [2.0, 3.0]
    """
    layout = Layout(start)
    joined, first = layout.of_vector(function), layout.vector(start)
    objectives = [joined(first)[0]]
    found = optimize.minimize(
        joined,
        first,
        jac=True,
        method="L-BFGS-B",
        callback=lambda intermediate_result: objectives.append(float(intermediate_result.fun)),
        options={"maxiter": max_iter, "maxfun": 20 * max_iter, "ftol": tol, "gtol": 0.0},
    )
    # Status 1: out of iterations. Status 2: no lower point along the direction, which is rounding.
    return Minimum(layout.parts(found.x), objectives, converged=found.status != 1)
