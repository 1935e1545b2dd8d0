"""Adam: steps for noisy gradients, of a length of their own for each weight."""

from __future__ import annotations

import numpy as np

from skfactor._validation import FloatArray

#: How long the means of the gradients and of their squares are remembered.
MEMORY = (0.9, 0.999)
Weights = list[FloatArray]


class Adam:
    """Steps of a length of their own for each weight, made in place."""

    def __init__(self, weights: Weights, learning_rate: float):
        self.weights, self.learning_rate, self.count = weights, learning_rate, 0
        self.first, self.second = ([np.zeros_like(w) for w in weights] for _ in range(2))

    def step(self, gradient: Weights) -> None:
        """One step against the gradient."""
        self.count += 1
        keep, keep_square = MEMORY
        rate = self.learning_rate * np.sqrt(1 - keep_square**self.count) / (1 - keep**self.count)
        for w, g, m, v in zip(self.weights, gradient, self.first, self.second, strict=True):
            m += (1 - keep) * (g - m)
            v += (1 - keep_square) * (g * g - v)
            w -= rate * m / (np.sqrt(v) + 1e-8)
