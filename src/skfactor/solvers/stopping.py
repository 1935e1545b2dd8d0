"""When to stop: shared by all iterative solvers."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeVar

from sklearn.exceptions import ConvergenceWarning

State = TypeVar("State")


def iterate(
    step: Callable[[State], tuple[State, float]],
    state: State,
    *,
    max_iter: int,
    tol: float,
    name: str | None,
    unit: float | None = None,
) -> tuple[State, list[float]]:
    """Repeat `step` until the objective falls by less than `tol` times itself (or times `unit`).

    Parameters
    ----------
    step : callable
        Takes a state and returns the next one, with the objective of the state that it was given (which is what
        block minimizers know on their way).
    state : object
        Where to start.
    max_iter : int
        After so many steps a warning is given instead.
    tol : float
        Relative change of the objective.
    unit : float, optional
        What `tol` is relative to instead, where the objective itself may come close to 0.
    name : str or None
        Of what is being solved, for the warning; None for none, where not all the way has to be gone.

    Returns
    -------
    state : object
    objectives : list of float
        Of all states that were stepped from.
    """
    objectives: list[float] = []
    for _ in range(max_iter):
        state, objective = step(state)
        objectives.append(objective)
        if len(objectives) > 1 and objectives[-2] - objective <= tol * (abs(objective) if unit is None else unit):
            return state, objectives
    if name is None:
        return state, objectives
    warnings.warn(
        f"{name} has not converged after {max_iter} iterations: raise max_iter, or tol={tol:g}.",
        ConvergenceWarning,
        stacklevel=2,
    )
    return state, objectives
