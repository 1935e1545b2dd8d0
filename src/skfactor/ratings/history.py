"""What a descent remembers of its steps, and the direction that L-BFGS or conjugate gradients make of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skfactor._validation import FloatArray
from skfactor.ratings.kernels import in_chunks
from skfactor.ratings.problem import Factor

#: Steps that L-BFGS remembers. Each costs two vectors of memory.
MEMORY = 5
#: Long vectors are worked on in pieces of this size, which fit into a core's cache; their sums are added in order.
PIECE = 16384
#: What the rows can hold.
SINGLE = np.finfo(np.float32)


class History:
    """The last m steps s and changes y of the gradient, and the gradient g: rows of one table B (2m + 1, n).

    A direction is a combination of these rows, found from their inner products G = B B' alone. So long vectors
    meet few operations, which threads share; the result does not depend on the number of threads.

    The rows are of single precision, whatever that of the vectors: they only bend the direction, and take half the
    memory, and half the time to go through it. Differences of gradients are formed before they are rounded.

    The step that is being tried is in the row of the oldest s.
    """

    #: The slope that a step may leave, as a share of the slope that it began with.
    flatten = 0.9
    memory = MEMORY

    def __init__(self, size: int, dtype: Any, threads: int) -> None:
        memory, self.threads = self.memory, threads
        self.rows = np.zeros((2 * memory + 1, size), dtype=SINGLE.dtype)
        self.gradient, self.next_gradient = np.zeros(size, dtype=dtype), np.zeros(size, dtype=dtype)
        self.products = np.zeros((2 * memory + 1, 2 * memory + 1))
        self.known: list[int] = []  # slots of the steps that are remembered, oldest first
        self.slot = 0
        self._pieces = np.append(np.arange(0, size, PIECE), size)

    def begin(self) -> None:
        """Take the first gradient up."""
        self.rows[-1] = self.gradient
        self._learn_products([2 * self.memory])

    def prepare(self) -> float:
        """Write a direction of descent to its row.

        Returns
        -------
        float
            The slope of the objective in that direction.
        """
        weights = self._weights()
        slope = float(self.products[-1] @ weights)
        usable = slope < 0 and np.abs(weights).max() <= SINGLE.max
        if not usable and self.known:  # rounding has spoilt the history
            self.known = []
            return self.prepare()
        if len(self.known) == self.memory:
            self.slot = self.known.pop(0)
        else:
            self.slot = next(slot for slot in range(self.memory) if slot not in self.known)
        combined = weights.astype(self.rows.dtype)

        def combine(piece: slice) -> None:
            self.rows[self.slot, piece] = combined @ self.rows[:, piece]

        self._over_pieces(combine)
        return slope

    def move(self, x: Factor, length: float, result: Factor) -> None:
        """Compute x + length * direction."""
        factor = x.dtype.type(length)

        def add(piece: slice) -> None:
            np.multiply(self.rows[self.slot, piece], factor, out=result[piece])
            result[piece] += x[piece]

        self._over_pieces(add)

    def next_slope(self) -> float:
        """Compute the slope in the direction at the trial."""
        return float(self._summed(lambda piece: self.rows[self.slot, piece] @ self.next_gradient[piece]))

    def accept(self, length: float) -> None:
        """Remember the step, and go on from its gradient."""
        y, factor = self.memory + self.slot, self.rows.dtype.type(length)

        def turn(piece: slice) -> None:
            self.rows[self.slot, piece] *= factor
            self.rows[y, piece] = self.next_gradient[piece] - self.gradient[piece]
            self.rows[-1, piece] = self.next_gradient[piece]

        self._learn_products([self.slot, y, 2 * self.memory], turn)
        self.gradient, self.next_gradient = self.next_gradient, self.gradient
        if min(self.products[self.slot, y], self.products[y, y]) > SINGLE.tiny:  # else it is rounding
            self.known.append(self.slot)

    def _weights(self) -> FloatArray:
        """Find -H g as weights of the rows: the two loops of L-BFGS, on inner products."""
        G, m = self.products, self.memory
        weights = np.zeros(2 * m + 1)
        weights[-1] = -1.0
        if not self.known:
            return np.asarray(weights / np.sqrt(max(G[-1, -1], SINGLE.tiny)))
        shares = {}
        for s in reversed(self.known):
            shares[s] = G[s] @ weights / G[s, m + s]
            weights[m + s] -= shares[s]
        latest = self.known[-1]
        weights *= G[latest, m + latest] / G[m + latest, m + latest]
        for s in self.known:
            weights[s] += shares[s] - G[m + s] @ weights / G[s, m + s]
        return weights

    def _learn_products(self, changed: list[int], change: Callable[[slice], None] | None = None) -> None:
        """Compute the products of rows that changed, or that `change` changes piece by piece on the way."""

        def multiply(piece: slice) -> Any:
            if change is not None:
                change(piece)
            rows = self.rows[:, piece]
            return [rows @ rows[row] for row in changed]  # for so flat a table quicker than one product of tables

        found = self._summed(multiply)
        self.products[changed] = found
        self.products[:, changed] = found.T

    def _summed(self, function: Callable[[slice], Any]) -> Any:
        parts: dict[int, Any] = {}

        def keep(piece: slice) -> None:
            parts[piece.start] = np.asarray(function(piece), dtype=np.float64)

        self._over_pieces(keep)
        return sum(parts[start] for start in sorted(parts))

    def _over_pieces(self, task: Callable[[slice], None]) -> None:
        def chunk(first: int, last: int) -> None:
            for number in range(first, last):
                task(slice(int(self._pieces[number]), int(self._pieces[number + 1])))

        in_chunks(chunk, self._pieces, self.threads)


class LastStep(History):
    """Nonlinear conjugate gradients (Hestenes and Stiefel): of the steps, only the last one is remembered.

    The direction is a multiple of -g + max(0, g.y / s.y) s. The multiple s.y / y.y makes 1 a good length to try.
    """

    flatten = 0.4
    memory = 1

    def _weights(self) -> FloatArray:
        if not self.known:
            return super()._weights()
        G, (s, y, g) = self.products, range(3)
        weights = np.array([max(0.0, float(G[g, y] / G[s, y])), 0.0, -1.0])
        return np.asarray(weights * G[s, y] / G[y, y])
