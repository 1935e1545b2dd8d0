"""Adam: steps for noisy gradients, of a length of their own for each weight."""

from __future__ import annotations

import numpy as np

from skfactor._validation import FloatArray

#: How long the means of the gradients and of their squares are remembered.
MEMORY = (0.9, 0.999)
Weights = list[FloatArray]


class Adam:
    """Steps of a length of their own for each weight, made in place.

    With the means m and v of the gradients and of their squares, each of which forgets the past by and by,

        w <- w - rate m / (sqrt(v) + 1e-8)

    where the rate makes up for the means' start at 0.

    Parameters
    ----------
    weights : list of ndarray
        Contiguous.
    learning_rate : float
    ridge : float
        Its part of the gradient, ridge * w, is added to that which is given.
    """

    def __init__(self, weights: Weights, learning_rate: float, ridge: float = 0.0):
        self.weights, self.learning_rate, self.ridge, self.count = weights, learning_rate, ridge, 0
        self.first, self.second = ([np.zeros_like(w) for w in weights] for _ in range(2))

    def step(self, gradient: Weights) -> None:
        """One step against the gradient."""
        from skfactor.solvers.adam_kernel import move

        self.count += 1
        keep, keep_square = MEMORY
        rate = self.learning_rate * np.sqrt(1 - keep_square**self.count) / (1 - keep**self.count)
        for parts in zip(self.weights, gradient, self.first, self.second, strict=True):
            w, g, m, v = (part.reshape(-1) for part in parts)
            move(w, g, m, v, self.ridge, keep, keep_square, rate)
