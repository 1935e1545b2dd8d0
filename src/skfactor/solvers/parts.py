"""A function of several arrays, for solvers that want one vector; and where a minimization ended."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from skfactor._validation import FloatArray

#: Takes arrays and returns a value and the gradient by each of them.
Function = Callable[[list[FloatArray]], tuple[float, Sequence[FloatArray]]]
VectorFunction = Callable[[FloatArray], tuple[float, FloatArray]]


@dataclass
class Minimum:
    """Where a minimization ended.

    Attributes
    ----------
    parts : list of ndarray
    objectives : list of float
        At the start and after each iteration.
    converged : bool
        Whether the last iteration changed the objective by no more than was asked for.
    """

    parts: list[FloatArray]
    objectives: list[float]
    converged: bool

    @property
    def n_iter(self) -> int:
        """Finished iterations."""
        return len(self.objectives) - 1

    def warn(self, name: str) -> Minimum:
        """Say so, unless it converged; `name` is what was being solved."""
        if not self.converged:
            warnings.warn(
                f"{name} has not converged after {self.n_iter} iterations: raise max_iter, or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self


class Layout:
    """Arrays as the pieces of one vector, and back without copying."""

    def __init__(self, parts: Sequence[FloatArray]):
        self.shapes = [np.shape(part) for part in parts]
        self.ends = np.cumsum([0, *(np.size(part) for part in parts)])

    def vector(self, parts: Sequence[FloatArray]) -> FloatArray:
        """The arrays one after the other."""
        return np.concatenate([np.ravel(part) for part in parts], dtype=np.float64)

    def parts(self, vector: FloatArray) -> list[FloatArray]:
        """Views of a vector as the arrays."""
        pieces = (vector[first:last] for first, last in pairwise(self.ends))
        return [piece.reshape(shape) for piece, shape in zip(pieces, self.shapes, strict=True)]

    def of_vector(self, function: Function) -> VectorFunction:
        """A function of arrays as one of a vector."""

        def joined(vector: FloatArray) -> tuple[float, FloatArray]:
            value, gradients = function(self.parts(vector))
            return value, self.vector(gradients)

        return joined
