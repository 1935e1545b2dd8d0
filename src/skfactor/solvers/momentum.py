"""Momentum for steps that lower an objective by themselves: fewer of them for the same end."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from skfactor._validation import FloatArray


class Moving(NamedTuple):
    """Where an accelerated iteration is, where it was one step before, and how long it has run freely."""

    now: FloatArray
    before: FloatArray
    pace: float
    objective: float


def at_rest(state: FloatArray) -> Moving:
    """The start of an accelerated iteration."""
    return Moving(state, state, 1.0, math.inf)


def with_momentum(
    step: Callable[[FloatArray], tuple[FloatArray, float]],
) -> Callable[[Moving], tuple[Moving, float]]:
    """The step, taken from ahead of the last two states Z_k and Z_{k-1} (Nesterov's weights, with restarts).

        Z_{k+1} = step(Z_k + (t_k - 1) / t_{k+1} (Z_k - Z_{k-1})),    t_{k+1} = (1 + sqrt(1 + 4 t_k^2)) / 2

    Where that is worse than the last objective, the step is taken from Z_k, and t starts from 1 again. `step` must
    return the objective of the state that it is given, and never raise it: then these objectives never rise.
    """

    def moved(state: Moving) -> tuple[Moving, float]:
        pace = (1 + math.sqrt(1 + 4 * state.pace**2)) / 2
        ahead = state.now + (state.pace - 1) / pace * (state.now - state.before)
        following, objective = step(ahead)
        if objective > state.objective:
            pace = 1.0
            following, objective = step(state.now)
        return Moving(following, state.now, pace, objective), objective

    return moved
