"""Ridge solutions by the Gram matrix of the rows: for data of more features than rows that is not kept as Cxx."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg
from scipy.linalg import blas

from skfactor._validation import FloatArray, Matrix
from skfactor.moments.second import Centre, StreamedMoments, add_cross
from skfactor.moments.tables import scale_rows


@dataclass
class CentredRows:
    """The rows as A (n x D): weighted, centred, scaled and divided by the root of their weight, so that Cxx = A'A.

    With R the roots of the weights (n), N their sum of squares, s the scale and X the weighted rows,
    A = (I - R R'/N) X diag(1/s) / sqrt(N).
    """

    raw: StreamedMoments
    centre: Centre

    def _blocks(self) -> Iterator[tuple[slice, Matrix]]:
        """X diag(1/s), a few rows at a time, and which rows they are."""
        start = 0
        for _, block in self.raw.blocks():
            X = block.weighted()[0]
            yield slice(start, start + X.shape[0]), scale_rows(X.T, 1 / self.centre.scale).T
            start += X.shape[0]

    @cached_property
    def _root(self) -> FloatArray:
        """R / sqrt(N)."""
        root = np.concatenate([block.weighted()[2] for _, block in self.raw.blocks()])
        return np.asarray(root / np.linalg.norm(root))

    def _projected(self, U: FloatArray) -> FloatArray:
        """(I - R R'/N) U / sqrt(N)."""
        return np.asarray((U - np.outer(self._root, self._root @ U)) / np.sqrt(self.centre.n))

    def times(self, V: FloatArray) -> FloatArray:
        """A V (n x k)."""
        return self._projected(np.concatenate([X @ V for _, X in self._blocks()]))

    def transposed_times(self, U: FloatArray) -> FloatArray:
        """A' U (D x k)."""
        U = self._projected(U)
        total: FloatArray = sum(X.T @ U[rows] for rows, X in self._blocks())
        return total

    def gram(self) -> FloatArray:
        """A A' (n x n)."""
        K = np.zeros((len(self._root), len(self._root)))
        for rows, X in self._blocks():
            for others, other in self._blocks():
                add_cross(X.T, other.T, K[rows, others])
        r, Kr = self._root, K @ self._root
        half = Kr - (r @ Kr) / 2 * r
        for x, y in ((r, half), (half, r)):  # in place: K is all that there is memory for
            blas.dger(-1.0, x, y, a=K.T, overwrite_a=True)
        K /= self.centre.n
        return K


def gram_solver(rows: CentredRows, shift: float) -> Callable[[FloatArray], FloatArray]:
    """What multiplies tables (D x k) by (A'A + shift I)^-1, for shift > 0, decomposing a matrix of n x n only.

        (A'A + shift I)^-1 B = (B - A' (A A' + shift I)^-1 A B) / shift

    A small shift makes that a difference of nearly equal tables, whose digits the second step brings back.
    """
    K = rows.gram()
    K.ravel()[:: len(K) + 1] += shift
    factor = linalg.cho_factor(K.T, overwrite_a=True, check_finite=False)

    def step(B: FloatArray) -> FloatArray:
        return (B - rows.transposed_times(linalg.cho_solve(factor, rows.times(B), check_finite=False))) / shift

    def solve(B: FloatArray) -> FloatArray:
        Z = step(B)
        return Z + step(B - rows.transposed_times(rows.times(Z)) - shift * Z)

    return solve
