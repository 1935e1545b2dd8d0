"""Descent over the free parts of a point, by L-BFGS or conjugate gradients; interrupts lose no iteration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from skfactor.ratings.history import History, LastStep
from skfactor.ratings.problem import Factor, Point, Problem

#: A step must lower the objective by this share of what the slope promises (Armijo), and must flatten the slope as
#: its solver wants it (Wolfe).
FALL = 1e-4
SOLVERS: dict[str, type[History]] = {"lbfgs": History, "cg": LastStep}
#: Iterations whose mean fall tells convergence: near a saddle point, where many a fit begins, a single one may
#: bring next to nothing.
LAST = 5
#: Trials of a step length.
_TRIALS = 20
#: Called after each iteration with its number, J and the point, which holds until the next; True stops.
Watcher = Callable[[int, float, Point], bool]


@dataclass
class Descent:
    """Where a run ended.

    Attributes
    ----------
    point : Point
    objectives : list of float
        J after each iteration.
    converged, interrupted : bool
    """

    point: Point
    objectives: list[float]
    converged: bool = False
    interrupted: bool = False

    @property
    def n_iter(self) -> int:
        """Finished iterations."""
        return len(self.objectives)


def minimize(
    problem: Problem,
    start: Point,
    *,
    max_iter: int,
    tol: float,
    watch: Watcher | None = None,
    solver: str = "lbfgs",
) -> Descent:
    """Go down from `start` until J falls by less than `tol` of itself in the mean of the last iterations.

    SciPy's L-BFGS-B does its share of the work on one thread and in float64, which at n_components = 100 is a
    third of the time (in float32 a half) and spoils what more threads and less precision bring.
    """
    descent = Descent(start, [])
    try:
        run = _Run(problem, start, SOLVERS[solver])
        while descent.n_iter < max_iter and not descent.converged:
            if not run.step():
                descent.converged = True
                break
            descent.point = run.parts.point(run.x)
            descent.objectives.append(run.value)
            descent.converged = _is_still(descent.objectives, tol)
            if watch is not None and watch(descent.n_iter, run.value, descent.point):
                break
    except KeyboardInterrupt:
        descent.interrupted = True
    return descent


def _is_still(objectives: list[float], tol: float) -> bool:
    if len(objectives) <= LAST:
        return False
    before, now = objectives[-1 - LAST], objectives[-1]
    return before - now <= LAST * tol * abs(before)


class _Run:
    """The vector x, J there, and the history that a direction is made of.

    A trial and its gradient are written beside x: whenever it is interrupted, x is a finished iteration.
    """

    def __init__(self, problem: Problem, start: Point, history: type[History]) -> None:
        self.problem = problem
        self.parts = _Parts(start, problem.free)
        self.x = self.parts.vector(start)
        self.trial = np.empty_like(self.x)
        self.history = history(self.x.size, self.x.dtype, problem.threads)
        self.value = self._evaluate(self.x, self.history.gradient)
        self.history.begin()

    def step(self) -> bool:
        """Move to a lower point, unless none is found."""
        slope = self.history.prepare()
        shortest, longest, length = 0.0, np.inf, 1.0
        for _ in range(_TRIALS):
            self.history.move(self.x, length, self.trial)
            value = self._evaluate(self.trial, self.history.next_gradient)
            if not value <= self.value + FALL * length * slope:
                longest = length
            elif self.history.next_slope() < self.history.flatten * slope:
                shortest = length
            else:
                break
            length = (shortest + longest) / 2 if longest < np.inf else 2 * length
        if not value < self.value:
            return False
        self.history.accept(length)
        self.x, self.trial, self.value = self.trial, self.x, value
        return True

    def _evaluate(self, vector: Factor, gradient: Factor) -> float:
        return self.problem(self.parts.point(vector), self.parts.point(gradient, slopes=True))


class _Parts:
    """The free parts of a point as one vector, and back without copying."""

    def __init__(self, start: Point, free: tuple[str, ...]) -> None:
        self.start = start
        # Kernels write slopes of what is held, too.
        self.unused = Point(
            *(
                np.empty(0 if name in free else part.shape, part.dtype)
                for name, part in zip(Point._fields, start, strict=True)
            )
        )
        self.shapes = {name: getattr(start, name).shape for name in Point._fields if name in free}

    def vector(self, point: Point) -> Factor:
        return np.concatenate([getattr(point, name).ravel() for name in self.shapes])

    def point(self, vector: Factor, *, slopes: bool = False) -> Point:
        ends = np.cumsum([int(np.prod(shape)) for shape in self.shapes.values()])
        pieces = np.split(vector, ends[:-1])
        shaped = {
            name: piece.reshape(shape) for (name, shape), piece in zip(self.shapes.items(), pieces, strict=True)
        }
        return (self.unused if slopes else self.start)._replace(**shaped)
