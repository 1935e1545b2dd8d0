"""A step along a line of descent that falls enough and ends where the line is flat (strong Wolfe conditions)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

#: The function falls by this share of what its slope at the start promises, and the slope flattens to this share.
FALL, FLATTEN = 1e-4, 0.1
#: Without a point beyond the minimum, the next trial is so many times as long.
LONGER = 4.0


class Trial(NamedTuple):
    """A step, with the value and the slope of the function there."""

    step: float
    value: float
    slope: float


def strong_wolfe(
    line: Callable[[float], tuple[float, float]], value: float, slope: float, first: float, *, max_trials: int = 25
) -> float:
    """A step t > 0 with f(t) <= f(0) + FALL t f'(0) and |f'(t)| <= FLATTEN |f'(0)|.

    `line` returns f(t) and f'(t); at 0 they are `value` and `slope` < 0, and `first` is tried first. After
    `max_trials` the step that falls enough and is lowest so far is returned, which is 0 if none does.

    The minimum is between the lowest trial and `other`, if that is known yet; each trial replaces one of them
    (Nocedal and Wright, Numerical Optimization, section 3.5).
    """
    lowest, other = Trial(0.0, value, slope), None
    step = first
    for _ in range(max_trials):
        trial = Trial(step, *line(step))
        if not trial.value <= min(value + FALL * step * slope, lowest.value):
            other = trial
        elif abs(trial.slope) <= -FLATTEN * slope:
            return step
        else:
            beyond = np.inf if other is None else other.step
            if trial.slope * (beyond - step) >= 0:
                other = lowest
            lowest = trial
        step = LONGER * step if other is None else between(lowest, other)
    return lowest.step


def between(a: Trial, b: Trial) -> float:
    """Minimum of the cubic through both trials, kept a tenth of their distance away from either."""
    width = b.step - a.step
    bend = a.slope + b.slope - 3 * (b.value - a.value) / width
    with np.errstate(invalid="ignore"):
        root = np.sign(width) * np.sqrt(bend**2 - a.slope * b.slope)
        share = 1 - (b.slope + root - bend) / (b.slope - a.slope + 2 * root)
    return a.step + width * float(np.clip(share if np.isfinite(share) else 0.5, 0.1, 0.9))
