"""What goes on beside a descent: callback, progress, time limit, early stopping."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from skfactor.ratings.problem import Factor, Point


@dataclass(frozen=True)
class Progress:
    """What a callback gets after each iteration.

    Attributes
    ----------
    name : str
        Of the model, or of the stage of an `HMF`.
    iteration : int
    objective : float
    seconds : float
        Since the start.
    validation_error : float
        Mean absolute error in levels on the held-out ratings; NaN without early stopping.
    U, V, thresholds : ndarray
        The factors; copy what you want to keep.
    """

    name: str
    iteration: int
    objective: float
    seconds: float
    validation_error: float
    U: Factor
    V: Factor
    thresholds: Factor


@dataclass
class Watch:
    """Called after each iteration; True stops the descent.

    Parameters
    ----------
    name : str
        For progress lines.
    callback : callable, optional
        Gets a Progress; True stops.
    time_limit : float, optional
        Seconds.
    verbose : int
        Print a line every so many iterations; 0 prints none.
    measure : callable, optional
        The validation error of a point.
    patience : int
        Iterations without a lower validation error that are allowed.
    """

    name: str
    callback: Callable[[Progress], bool | None] | None = None
    time_limit: float | None = None
    verbose: int = 0
    measure: Callable[[Point], float] | None = None
    patience: int = 5
    best: Point | None = None
    errors: list[float] = field(default_factory=list)
    _start: float = field(default_factory=time.perf_counter)

    def __call__(self, iteration: int, objective: float, point: Point) -> bool:
        """Look at an iteration."""
        error = self._measured(point)
        seconds = time.perf_counter() - self._start
        if self.verbose and iteration % self.verbose == 0:
            held_out = "" if np.isnan(error) else f", held-out error {error:.4f}"
            print(f"{self.name} iteration {iteration}: objective {objective:.6g}{held_out}, {seconds:.1f} s")
        stop = self.callback is not None and self.callback(
            Progress(self.name, iteration, objective, seconds, error, *point)
        )
        return bool(stop) or self._tired() or (self.time_limit is not None and seconds >= self.time_limit)

    def _measured(self, point: Point) -> float:
        if self.measure is None:
            return float("nan")
        self.errors.append(self.measure(point))
        if self.errors[-1] <= min(self.errors):
            self.best = point
        return self.errors[-1]

    def _tired(self) -> bool:
        return bool(self.errors) and len(self.errors) - 1 - int(np.argmin(self.errors)) >= self.patience
