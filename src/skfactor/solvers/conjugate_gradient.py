"""Nonlinear conjugate gradients over several arrays, with steps that satisfy the strong Wolfe conditions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skfactor._validation import FloatArray
from skfactor.solvers.line_search import strong_wolfe
from skfactor.solvers.parts import Function, Layout, Minimum, VectorFunction


def minimize_conjugate_gradient(
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
    >>> from skfactor.solvers.conjugate_gradient import minimize_conjugate_gradient
    >>> bowl = lambda parts: (float(np.sum((parts[0] - 1) ** 2)), [2 * (parts[0] - 1)])
    >>> found = minimize_conjugate_gradient(bowl, [np.zeros((2, 2))])
    >>> found.parts[0].round(6)
    array([[1., 1.],
           [1., 1.]])
    """
    layout = Layout(start)
    descent = _Descent(layout.of_vector(function), layout.vector(start))
    objectives, converged = [descent.value], False
    while len(objectives) <= max_iter and not converged:
        moved = descent.iterate()
        converged = not moved or objectives[-1] - descent.value <= tol * abs(descent.value)
        objectives.append(descent.value)
    return Minimum(layout.parts(descent.x), objectives, converged)


class _Descent:
    """The point, its value and gradient, and the direction that leads on."""

    def __init__(self, function: VectorFunction, start: FloatArray):
        self.function, self.x = function, start
        self.value, self.gradient = function(start)
        self.direction = -self.gradient
        self.slope = -float(self.gradient @ self.gradient)
        self.length = 1 / max(np.sqrt(-self.slope), np.finfo(float).tiny)

    def iterate(self) -> bool:
        """Move to a lower point, unless none is found even along the gradient."""
        return self.move() or self.restart()

    def restart(self) -> bool:
        """Forget the directions so far, which rounding may have spoiled."""
        self.direction = -self.gradient
        self.slope = -float(self.gradient @ self.gradient)
        return self.move()

    def move(self) -> bool:
        """One step along the direction, and the next direction."""
        if self.slope >= 0:
            return False
        step = strong_wolfe(self.along, self.value, self.slope, self.length)
        if step == 0:
            return False
        if step != self.tried[0]:  # the search gave up, and returned an earlier trial
            self.along(step)
        self.x = self.x + step * self.direction
        _, self.value, gradient = self.tried
        self.turn(gradient, step)
        return True

    def along(self, step: float) -> tuple[float, float]:
        """Value and slope at a step along the direction."""
        value, gradient = self.function(self.x + step * self.direction)
        self.tried = step, value, gradient
        return value, float(gradient @ self.direction)

    def turn(self, gradient: FloatArray, step: float) -> None:
        """The direction of Hager and Zhang (2005), which descends whatever the line search found.

        With y the change of the gradient g and d the old direction::

            d <- beta d - g,    beta = (y - 2 d y'y / d'y)'g / d'y, but no less than -1 / (|d| min(.01, |g|))
        """
        change, direction, before = gradient - self.gradient, self.direction, self.slope
        along = float(change @ direction)
        beta = 0.0  # unless the slope has flattened, as it does but for rounding
        if along > 0:
            beta = float((change - 2 * direction * (float(change @ change) / along)) @ gradient) / along
            sizes = float(np.linalg.norm(direction)), float(np.linalg.norm(self.gradient))
            beta = max(beta, -1 / (sizes[0] * min(0.01, sizes[1])))
        self.direction, self.gradient = beta * direction - gradient, gradient
        self.slope = float(gradient @ self.direction)
        # The change of the value that the last step brought is what is expected of the next.
        self.length = step * before / self.slope if self.slope < 0 else step
