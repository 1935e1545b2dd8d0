"""When to stop: shared by all iterative solvers."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeVar

import numpy as np
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
    look: int = 1,
) -> tuple[State, list[float]]:
    """Repeat `step` until the objective falls by no more than `tol` times itself (or times `unit`).

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
    look : int
        Over how many steps the fall is taken. More than one where a single step may be a short one, as after an
        accelerated method has started anew.
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
        fall = objectives[-1 - look] - objective if len(objectives) > look else np.inf
        if fall <= tol * (abs(objective) if unit is None else unit):
            return state, objectives
    if name is None:
        return state, objectives
    warnings.warn(
        f"{name} has not converged after {max_iter} iterations: raise max_iter, or tol={tol:g}.",
        ConvergenceWarning,
        stacklevel=2,
    )
    return state, objectives
