"""Multiplicative updates: descent for nonnegative factors that needs no step length.

Let the gradient of an objective by a block Z >= 0 be `rising - falling`, both nonnegative. Then

    Z <- Z * falling / rising

keeps Z nonnegative, stays where Z is stationary, and for squared losses (and quadratic penalties split the same
way) never raises the objective. An entry that is 0 remains so: start from positive ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from skfactor._validation import FloatArray
from skfactor.solvers.stopping import iterate

Blocks = tuple[FloatArray, ...]
#: Takes all blocks, returns (falling, rising) of one of them.
Parts = Callable[..., tuple[FloatArray, FloatArray]]
#: What denominators are kept above.
TINY = 1e-300


def updated(Z: FloatArray, falling: FloatArray, rising: FloatArray) -> FloatArray:
    """Z * falling / rising, with 0/0 taken for 0."""
    return np.asarray(Z * (falling / np.maximum(rising, TINY)))


def minimize(
    parts: Sequence[Parts],
    objective: Callable[..., float],
    blocks: Blocks,
    *,
    max_iter: int = 1000,
    tol: float = 1e-6,
    unit: float | None = None,
    name: str | None = "Multiplicative updates",
) -> tuple[Blocks, list[float]]:
    """Update the blocks in turn until the objective hardly falls.

    Parameters
    ----------
    parts : sequence of callables
        One per block: takes all blocks, returns the falling and the rising part of its gradient.
    objective : callable
        Takes all blocks, returns a number.
    blocks : tuple of ndarray
        Where to start, positive.
    max_iter, tol
        Rounds at most, and the relative change of the objective at which to stop.
    unit : float, optional
        What `tol` is relative to instead, such as the squares of what is factorized.
    name : str or None
        Of what is being solved, for the warning when `max_iter` did not suffice; None for no warning.

    Returns
    -------
    blocks : tuple of ndarray
    objectives : list of float
        At the start and after every round but the last.

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.solvers import multiplicative
    >>> A, b = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([3.0, 3.0])  # 1/2 z'Az - b'z
    >>> (z,), objectives = multiplicative.minimize(
    ...     [lambda z: (b, A @ z)], lambda z: z @ A @ z / 2 - b @ z, (np.array([0.2, 3.0]),), tol=1e-12
    ... )
    >>> z.round(3)
    array([1., 1.])
    """

    def step(blocks: Blocks) -> tuple[Blocks, float]:
        value = objective(*blocks)
        following = list(blocks)
        for place, part in enumerate(parts):
            following[place] = updated(following[place], *part(*following))
        return tuple(following), value

    return iterate(step, blocks, max_iter=max_iter, tol=tol, unit=unit, name=name)
