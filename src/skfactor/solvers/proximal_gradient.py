"""Accelerated proximal gradient that never rises: for a smooth function and a penalty."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from skfactor._validation import FloatArray
from skfactor.penalties import Penalty
from skfactor.solvers.stopping import iterate

#: A smooth function: takes Z, returns its value and its gradient (of the shape of Z).
Smooth = Callable[[FloatArray], tuple[float, FloatArray]]
#: Steps over which the objective has to have stopped falling: after a restart, one or two are short.
LOOK = 5


class _Point(NamedTuple):
    """Z with the gradient of the smooth part there, and the objective."""

    Z: FloatArray
    gradient: FloatArray
    objective: float


class _State(NamedTuple):
    """The last two points, and the number that says how much to trust the way from one to the other."""

    here: _Point
    before: _Point
    momentum: float


def minimize(
    smooth: Smooth,
    penalty: Penalty,
    start: FloatArray,
    lipschitz: float,
    *,
    max_iter: int = 1000,
    tol: float = 1e-6,
    quadratic: bool = False,
    name: str | None = "Proximal gradient",
) -> tuple[FloatArray, list[float]]:
    """Minimize smooth(Z) + penalty(Z), starting at `start`.

    With the step s = 1 / lipschitz and the momentum t of Nesterov, iterate

        A = Z + (t - 1) / t' (Z - Z_before),    t' = (1 + sqrt(1 + 4 t^2)) / 2
        Z_next = prox(A - s gradient(A), s)

    Where the objective would rise, the momentum is thrown away and the step made from Z itself, which cannot
    rise: so the objective only falls, and the acceleration starts anew.

    Parameters
    ----------
    smooth : callable
        Z -> (value, gradient).
    penalty : Penalty
    start : ndarray
    lipschitz : float
        The largest eigenvalue of the Hessian of `smooth`, or anything above.
    max_iter, tol
        Iterations at most, and the relative fall of the objective, over the last `LOOK`, at which to stop.
    quadratic : bool
        Whether `smooth` is quadratic. Its gradient at A then follows from those at the last two points, and
        an iteration calls `smooth` once in place of twice.
    name : str or None
        Of what is being solved, for the warning when `max_iter` did not suffice; None for no warning.

    Returns
    -------
    Z : ndarray
    objectives : list of float
        At the start and after every iteration but the last.

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.penalties import PENALTIES
    >>> from skfactor.solvers import proximal_gradient
    >>> A, b = np.diag([1.0, 2.0]), np.array([3.0, 0.5])  # 1/2 z'Az - b'z + |z|
    >>> smooth = lambda z: (z @ A @ z / 2 - b @ z, A @ z - b)
    >>> proximal_gradient.minimize(smooth, PENALTIES["l1"], np.zeros(2), 2.0, tol=1e-9)[0].round(3)
    array([2., 0.])
    """
    length = 1 / lipschitz if lipschitz > 0 else 1.0

    def point(Z: FloatArray) -> _Point:
        value, gradient = smooth(Z)
        return _Point(Z, gradient, value + penalty.value(Z))

    def moved(Z: FloatArray, gradient: FloatArray) -> _Point:
        return point(penalty.prox(Z - length * gradient, length))

    def step(state: _State) -> tuple[_State, float]:
        here, before, momentum = state
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        share = (momentum - 1) / following
        if share > 0:
            ahead = here.Z + share * (here.Z - before.Z)
            gradient = here.gradient + share * (here.gradient - before.gradient) if quadratic else smooth(ahead)[1]
            reached = moved(ahead, gradient)
            if reached.objective <= here.objective:
                return _State(reached, here, following), here.objective
        reached = moved(here.Z, here.gradient)
        if reached.objective > here.objective:  # by rounding: this is the minimum
            reached = here
        return _State(reached, here, (1 + np.sqrt(5)) / 2), here.objective

    first = point(start)
    start_state = _State(first, first, 1.0)
    state, objectives = iterate(step, start_state, max_iter=max_iter, tol=tol, name=name, look=LOOK)
    return state.here.Z, objectives
