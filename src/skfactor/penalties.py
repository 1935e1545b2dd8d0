"""Penalties of a matrix: value, gradient and proximal step.

The proximal step of a penalty p is what a descent step on its own would lead to::

    prox(Z, t) = argmin over W of  1/2 ||W - Z||^2 + t p(W)

Where p has no derivative, `gradient` is its shortest subgradient.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from skfactor._validation import FloatArray, IntArray


@dataclass(frozen=True)
class Penalty:
    """A penalty, by its value, its gradient and its proximal step.

    Attributes
    ----------
    value : callable
        Takes Z, returns a number.
    gradient : callable
        Takes Z, returns as many numbers as Z has.
    prox : callable
        Takes Z and the length t of the step.

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.penalties import PENALTIES
    >>> Z = np.array([[3.0, -4.0], [0.1, 0.0]])
    >>> PENALTIES["l21"].value(Z)
    5.1
    >>> PENALTIES["l21"].times(0.5).prox(Z, 1.0)
    array([[ 2.7, -3.6],
           [ 0. ,  0. ]])
    """

    value: Callable[[FloatArray], float]
    gradient: Callable[[FloatArray], FloatArray]
    prox: Callable[[FloatArray, float], FloatArray]

    def times(self, weight: float) -> Penalty:
        """The penalty `weight` times over."""
        return Penalty(
            lambda Z: weight * self.value(Z),
            lambda Z: weight * self.gradient(Z),
            lambda Z, step: self.prox(Z, weight * step),
        )


def soft_threshold(Z: FloatArray, step: float) -> FloatArray:
    """Every entry moved by `step` towards 0, and no further."""
    return np.asarray(Z - np.clip(Z, -step, step))


def group_rows(groups: IntArray) -> Penalty:
    """The l2,1 norm of blocks of columns: the sum, over groups and rows, of the l2 norm of the row's block.

    A row of a block is shrunk as a whole, and so becomes zero as a whole. `groups` (L) has the group of every
    column, from 0.
    """
    member = np.eye(int(groups.max()) + 1)[groups]

    def lengths(Z: FloatArray) -> FloatArray:
        return np.sqrt(np.square(Z) @ member)

    def scaled(Z: FloatArray, factors: FloatArray) -> FloatArray:
        return Z * factors[:, groups]

    return Penalty(
        lambda Z: float(lengths(Z).sum()),
        lambda Z: scaled(Z, _inverse(lengths(Z))),
        lambda Z, step: scaled(Z, np.maximum(0.0, 1 - step * _inverse(lengths(Z)))),
    )


def _inverse(values: FloatArray) -> FloatArray:
    """1 / values, and 0 where a value is 0."""
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)


def _rows(Z: FloatArray) -> Penalty:
    return group_rows(np.zeros(Z.shape[1], dtype=np.int64))


#: Every penalty without parameters, by its name.
PENALTIES = {
    # sum |z|
    "l1": Penalty(lambda Z: float(np.abs(Z).sum()), np.sign, soft_threshold),
    # sum z^2
    "l2": Penalty(lambda Z: float(np.sum(Z * Z)), lambda Z: 2 * Z, lambda Z, step: Z / (1 + 2 * step)),
    # sum over the rows of their l2 norms
    "l21": Penalty(
        lambda Z: _rows(Z).value(Z), lambda Z: _rows(Z).gradient(Z), lambda Z, step: _rows(Z).prox(Z, step)
    ),
    # 0 where no entry is negative, else infinity
    "nonnegative": Penalty(
        lambda Z: np.inf if (Z < 0).any() else 0.0, np.zeros_like, lambda Z, step: np.maximum(Z, 0.0)
    ),
}
