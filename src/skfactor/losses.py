"""Losses of a score: value, gradient and curvature, elementwise.

A margin loss takes labels y of -1 and +1 and is a function phi of the margin t = y z alone, z being the score. The
squared loss is a function of the difference t = z - y, and takes any y. Their derivatives by z are::

                   value    gradient    curvature
    margin         phi(t)   y phi'(t)   phi''(t)
    difference     phi(t)     phi'(t)   phi''(t)

Where phi has no derivative, that to the right is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from skfactor._validation import BoolArray, FloatArray

Function = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Loss:
    """A loss, by the function phi and its first two derivatives.

    Attributes
    ----------
    phi, slope, bend : callable
        phi, phi' and phi'', elementwise.
    margin : bool
        Whether t = y z for labels of -1 and +1; else t = z - y.
    convex : bool
        In the score.
    """

    phi: Function
    slope: Function
    bend: Function
    margin: bool = True
    convex: bool = True

    def value(self, y: FloatArray, z: FloatArray) -> FloatArray:
        """phi(t)."""
        return self.phi(self._argument(y, z))

    def gradient(self, y: FloatArray, z: FloatArray) -> FloatArray:
        """Derivative of the value by the score."""
        slope = self.slope(self._argument(y, z))
        return y * slope if self.margin else slope

    def curvature(self, y: FloatArray, z: FloatArray) -> FloatArray:
        """Second derivative of the value by the score."""
        return self.bend(self._argument(y, z))

    def _argument(self, y: FloatArray, z: FloatArray) -> FloatArray:
        return y * z if self.margin else z - y


def _short(t: FloatArray) -> FloatArray:
    """How much a margin falls short of 1."""
    return np.maximum(0.0, 1 - t)


def _smooth_hinge(t: FloatArray) -> FloatArray:
    return np.square(np.minimum(_short(t), 1.0)) / 2 + np.maximum(-t, 0.0)


def _where(condition: BoolArray, value: float) -> FloatArray:
    return np.where(condition, value, 0.0)


#: Every loss by its name.
LOSSES = {
    # t^2, t = z - y
    "squared": Loss(np.square, lambda t: 2 * t, lambda t: np.full_like(t, 2.0), margin=False),
    # log(1 + exp(-t))
    "logistic": Loss(lambda t: np.logaddexp(0.0, -t), lambda t: -expit(-t), lambda t: expit(t) * expit(-t)),
    # max(0, 1 - t)
    "hinge": Loss(_short, lambda t: _where(t < 1, -1.0), np.zeros_like),
    # 0 for t >= 1, (1 - t)^2 / 2 for 0 < t < 1, 1/2 - t for t <= 0
    "smooth_hinge": Loss(
        _smooth_hinge, lambda t: -np.minimum(_short(t), 1.0), lambda t: _where((t >= 0) & (t < 1), 1.0)
    ),
    # max(0, 1 - t)^2
    "modified_square": Loss(
        lambda t: np.square(_short(t)), lambda t: -2 * _short(t), lambda t: _where(t < 1, 2.0)
    ),
    # 1 for t <= 0, else 0: what the others stand in for; its gradient is of no use to a solver
    "zero_one": Loss(lambda t: _where(t <= 0, 1.0), np.zeros_like, np.zeros_like, convex=False),
}
