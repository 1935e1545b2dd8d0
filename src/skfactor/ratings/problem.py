"""The objective that the methods share, and its gradient, in two passes over the ratings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skfactor._validation import FloatArray, IntArray
from skfactor.ratings import kernels
from skfactor.ratings.triples import Triples

#: float64 or float32
Factor = npt.NDArray[Any]


class Point(NamedTuple):
    """U (N x d), V (M x d) and thresholds (N x K); or the slopes of an objective there."""

    U: Factor
    V: Factor
    thresholds: Factor


@dataclass
class Problem:
    """J = sum_Omega loss(U_i . V_j, y_ij, theta_i) + 1/2 (sum_i r_i ||U_i||^2 + sum_j r_j ||V_j||^2).

    The ridge of a row with n ratings is r = ridge * n ** ridge_power.

    With biases, U_i ends in [b_i, 1] and V_j in [1, c_j], so that b_i + c_j is a part of U_i . V_j. The ones stay
    as they are, and are left out of the norms.

    Users are shared among threads, which makes dJ/dx_ij, dJ/dU and dJ/dtheta; then items are, for dJ/dV. Costs
    O(n (d + K)).

    Parameters
    ----------
    triples : Triples
    loss : Loss
        See `skfactor.ratings.kernels`.
    ridge, ridge_power : float
    free : tuple of str
        What the gradient is wanted of, among U, V and thresholds.
    threads : int
        The result is the same for any number.
    dtype : type
        Of scores and factors.
    biases : bool
    """

    triples: Triples
    loss: kernels.Loss
    ridge: float
    free: tuple[str, ...]
    threads: int = 1
    dtype: Any = np.float64
    biases: bool = False
    ridge_power: float = 0.0
    _values: Factor = field(init=False, repr=False)
    _turned: Factor = field(init=False, repr=False)
    _losses: FloatArray = field(init=False, repr=False)
    _ridges: tuple[Factor, Factor] = field(init=False, repr=False)
    _penalties: tuple[FloatArray, FloatArray] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        N, M = self.triples.shape
        self._values, self._turned = (np.empty(len(self.triples), dtype=self.dtype) for _ in range(2))
        self._losses = np.empty(N)
        self._ridges = self._of_rows(self.triples.user_starts), self._of_rows(self.triples.item_starts)
        self._penalties = np.zeros(N), np.zeros(M)

    def __call__(self, point: Point, slopes: Point) -> float:
        """Compute J and write its gradient to the free parts of `slopes`."""
        triples = self.triples

        def users(first: int, last: int) -> None:
            starts, others = triples.user_starts, triples.items
            kernels.score(first, last, starts, others, point.U, point.V, self._values)
            levels = triples.levels
            self.loss(first, last, starts, levels, point.thresholds, self._values, self._losses, slopes.thresholds)
            if "U" in self.free:
                parts = self._values, point.V, point.U, self._ridges[0], slopes.U, self._penalties[0]
                kernels.gather(first, last, starts, others, *parts)
                self._hold_ones(slopes.U, -1, slice(first, last), 0)

        def items(first: int, last: int) -> None:
            starts = triples.item_starts
            kernels.turn(first, last, starts, triples.places, self._values, self._turned)
            parts = self._turned, point.U, point.V, self._ridges[1], slopes.V, self._penalties[1]
            kernels.gather(first, last, starts, triples.users, *parts)
            self._hold_ones(slopes.V, -2, slice(first, last), 1)

        kernels.in_chunks(users, triples.user_starts, self.threads)
        if "V" in self.free:
            kernels.in_chunks(items, triples.item_starts, self.threads)
        return float(self._losses.sum() + sum(penalty.sum() for penalty in self._penalties))

    def _of_rows(self, starts: IntArray) -> Factor:
        return np.asarray(row_ridges(self.ridge, self.ridge_power, np.diff(starts)), dtype=self.dtype)

    def _hold_ones(self, slopes: Factor, column: int, rows: slice, side: int) -> None:
        if self.biases:
            slopes[rows, column] = 0
            self._penalties[side][rows] -= self._ridges[side][rows] / 2


def row_ridges(ridge: float, power: float, counts: IntArray) -> FloatArray:
    """Compute the ridge of users or items with so many ratings: ridge * n ** power; no rating counts as one."""
    return np.asarray(ridge * np.maximum(counts, 1.0) ** power)
