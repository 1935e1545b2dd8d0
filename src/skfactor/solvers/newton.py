"""Newton steps by preconditioned conjugate gradients, for functions whose Hessian is known by products."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from skfactor._validation import FloatArray

Linear = Callable[[FloatArray], FloatArray]
#: A step is taken if the function falls by this share of what its slope promises.
ENOUGH = 1e-4
HALVINGS = 30


class Expansion(NamedTuple):
    """A function of Z (p x k) about a point: its value, its gradient (p x k) and its Hessian as a product.

    `precondition` multiplies by a rough inverse of the Hessian, symmetric and positive definite.
    """

    value: float
    gradient: FloatArray
    product: Linear
    precondition: Linear


class Smooth(Protocol):
    """A function to be minimized."""

    def value(self, Z: FloatArray) -> float:
        """The function alone."""

    def expand(self, Z: FloatArray) -> Expansion:
        """The function about Z."""


def newton_step(
    function: Smooth, Z: FloatArray, *, residual: float = 0.3, max_products: int = 20
) -> tuple[FloatArray, float]:
    """One step from Z that never rises, and the value at Z itself.

    The direction is that of `newton_direction`, halved until the function falls enough. Where it falls nowhere,
    which only rounding brings about, Z is returned.
    """
    about = function.expand(Z)
    direction = newton_direction(about, residual=residual, max_products=max_products)
    slope = float(np.sum(about.gradient * direction))
    for halvings in range(HALVINGS):
        step = 0.5**halvings
        if function.value(Z + step * direction) <= about.value + ENOUGH * step * slope:
            return Z + step * direction, about.value
    return Z, about.value


def newton_direction(about: Expansion, *, residual: float, max_products: int) -> FloatArray:
    """Solve H P = -G for the gradient G and the Hessian H, roughly: a direction of descent in any case.

    Conjugate gradients stop when the residual, measured by the preconditioner, is `residual` of what it was at
    the start, after `max_products` products, or where the curvature is not positive.
    """
    direction, rest = np.zeros_like(about.gradient), -about.gradient
    search = about.precondition(rest)
    size = start = float(np.sum(rest * search))
    for _ in range(max_products):
        image = about.product(search) if size > 0 else search
        curvature = float(np.sum(search * image))
        if size <= residual**2 * start or curvature <= 0:
            break
        direction += size / curvature * search
        rest -= size / curvature * image
        conditioned = about.precondition(rest)
        previous, size = size, float(np.sum(rest * conditioned))
        search = conditioned + size / previous * search
    return direction if np.any(direction) else search
