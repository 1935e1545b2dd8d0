"""Second moments: held as matrices, or computed anew from the data for every product.

Both kinds answer the same four questions, so that a method is written once:

    xx(V) = Sxx V (D x k)      xy(W) = Sxy W (D x k)      yx(V) = Sxy' V (L x k)      yy(W) = Syy W (L x k)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix
from skfactor.moments.tables import Block


class SecondMoments(Protocol):
    """What a method asks of second moments."""

    def xx(self, V: FloatArray) -> FloatArray: ...
    def xy(self, W: FloatArray) -> FloatArray: ...
    def yx(self, V: FloatArray) -> FloatArray: ...
    def yy(self, W: FloatArray) -> FloatArray: ...
    def diagonal_xx(self) -> FloatArray: ...
    def diagonal_yy(self) -> FloatArray: ...


@dataclass(frozen=True)
class Centre:
    """What centring takes: total weight n, means of x (D) and y (L), and what x (D) and y (1) are divided by."""

    n: float
    mean_x: FloatArray
    mean_y: FloatArray
    scale: FloatArray
    unit_y: float = 1.0


def add_cross(A: Matrix, B: Matrix, out: FloatArray) -> None:
    """Add A'B to `out`, each of A and B dense or sparse, neither ever made dense."""
    if sparse.issparse(A) and sparse.issparse(B):
        from skfactor.moments.kernels import add_sparse_product

        add_sparse_product(A, B, out)
    elif sparse.issparse(B):
        out += (B.T @ A).T
    else:
        out += A.T @ B  # NumPy calls syrk where B is A


@dataclass
class HeldMoments:
    """Sxx (D x D), Sxy (D x L) and Syy (L x L) in memory."""

    Sxx: FloatArray
    Sxy: FloatArray
    Syy: FloatArray

    @classmethod
    def zeros(cls, n_features: int, n_labels: int) -> Self:
        """No data yet."""
        return cls(
            np.zeros((n_features, n_features)),
            np.zeros((n_features, n_labels)),
            np.zeros((n_labels, n_labels)),
        )

    def add(self, X: Matrix, Y: Matrix) -> None:
        """Add the moments of (weighted) rows, in place."""
        add_cross(X, X, self.Sxx)
        add_cross(X, Y, self.Sxy)
        add_cross(Y, Y, self.Syy)

    def plus(self, other: HeldMoments, sign: float) -> HeldMoments:
        """The sum with `sign` times the other."""
        return HeldMoments(self.Sxx + sign * other.Sxx, self.Sxy + sign * other.Sxy, self.Syy + sign * other.Syy)

    def xx(self, V: FloatArray) -> FloatArray:
        return self.Sxx @ V

    def xy(self, W: FloatArray) -> FloatArray:
        return self.Sxy @ W

    def yx(self, V: FloatArray) -> FloatArray:
        return self.Sxy.T @ V

    def yy(self, W: FloatArray) -> FloatArray:
        return self.Syy @ W

    def diagonal_xx(self) -> FloatArray:
        return self.Sxx.diagonal()

    def diagonal_yy(self) -> FloatArray:
        return self.Syy.diagonal()

    def centred(self, centre: Centre) -> HeldMoments:
        """Cxx = (Sxx / n - mx mx') / (s s'), Cxy = (Sxy / n - mx my') / (s u), Cyy = (Syy / n - my my') / u^2."""
        n, mean_x, mean_y, scale, unit = centre.n, centre.mean_x, centre.mean_y, centre.scale, centre.unit_y
        return HeldMoments(
            (self.Sxx / n - np.outer(mean_x, mean_x)) / np.outer(scale, scale),
            (self.Sxy / n - np.outer(mean_x, mean_y)) / (unit * scale[:, None]),
            (self.Syy / n - np.outer(mean_y, mean_y)) / unit**2,
        )


@dataclass
class Variances:
    """The diagonals of Sxx (D) and Syy (L) alone: what centring and scaling take."""

    xx_diagonal: FloatArray
    yy_diagonal: FloatArray

    @classmethod
    def zeros(cls, n_features: int, n_labels: int) -> Self:
        """No data yet."""
        return cls(np.zeros(n_features), np.zeros(n_labels))

    def add(self, X: Matrix, Y: Matrix) -> None:
        """Add the squares of (weighted) rows, in place."""
        self.xx_diagonal += _column_squares(X)
        self.yy_diagonal += _column_squares(Y)

    def plus(self, other: Variances, sign: float) -> Variances:
        """The sum with `sign` times the other."""
        return Variances(self.xx_diagonal + sign * other.xx_diagonal, self.yy_diagonal + sign * other.yy_diagonal)

    def diagonal_xx(self) -> FloatArray:
        return self.xx_diagonal

    def diagonal_yy(self) -> FloatArray:
        return self.yy_diagonal


@dataclass
class StreamedMoments:
    """The data itself: every product is a pass over it, so that nothing of size D x D exists.

    `parts` are pairs of a sign and blocks that can be gone through again. Data that was subtracted is a part
    with the sign -1, unless it is the very same data that was added: then both are gone.
    `budget` is what a matrix may take, in GiB.
    """

    parts: tuple[tuple[float, Iterable[Block]], ...]
    budget: float = 0.0

    def plus(self, other: StreamedMoments, sign: float) -> StreamedMoments:
        """The sum with `sign` times the other."""
        parts = list(self.parts)
        for own, blocks in other.parts:
            undone = [i for i, part in enumerate(parts) if part[1] is blocks and part[0] == -sign * own]
            if undone:
                parts.pop(undone[0])
            else:
                parts.append((sign * own, blocks))
        return StreamedMoments(tuple(parts), self.budget)

    def blocks(self) -> Iterator[tuple[float, Block]]:
        """All blocks, with their signs."""
        return ((sign, block) for sign, blocks in self.parts for block in blocks)

    def few_rows(self, n_features: int) -> bool:
        """Whether there are fewer rows than features, none subtracted, whose Gram matrix fits into the budget."""
        rows = sum(block.X.shape[0] for _, block in self.blocks())
        added = all(sign > 0 for sign, _ in self.parts)
        return added and rows < n_features and 8 * rows**2 <= self.budget * 2**30

    def _total(self, product: Callable[[Matrix, Matrix], FloatArray]) -> FloatArray:
        total: FloatArray = sum(  # type: ignore[assignment]
            sign * product(*block.weighted()[:2]) for sign, block in self.blocks()
        )
        return total

    def xx(self, V: FloatArray) -> FloatArray:
        return self._total(lambda X, _: X.T @ (X @ V))

    def xy(self, W: FloatArray) -> FloatArray:
        return self._total(lambda X, Y: X.T @ (Y @ W))

    def yx(self, V: FloatArray) -> FloatArray:
        return self._total(lambda X, Y: Y.T @ (X @ V))

    def yy(self, W: FloatArray) -> FloatArray:
        return self._total(lambda _, Y: Y.T @ (Y @ W))

    def diagonal_xx(self) -> FloatArray:
        return self._total(lambda X, _: _column_squares(X))

    def diagonal_yy(self) -> FloatArray:
        return self._total(lambda _, Y: _column_squares(Y))

    def centred(self, centre: Centre) -> CentredStream:
        """The same data seen from its mean."""
        return CentredStream(self, centre)


def _column_squares(table: Matrix) -> FloatArray:
    squares = table.power(2) if sparse.issparse(table) else np.square(table)
    return np.asarray(squares.sum(axis=0)).ravel()


@dataclass
class CentredStream:
    """Products with centred and scaled data: those with the raw data, less a product of the means."""

    raw: StreamedMoments
    centre: Centre

    def _unscaled(self, V: FloatArray) -> FloatArray:
        return V / self.centre.scale[:, None]

    def xx(self, V: FloatArray) -> FloatArray:
        V, mean = self._unscaled(V), self.centre.mean_x
        return self._unscaled(self.raw.xx(V) / self.centre.n - np.outer(mean, mean @ V))

    def xy(self, W: FloatArray) -> FloatArray:
        means = np.outer(self.centre.mean_x, self.centre.mean_y @ W)
        return self._unscaled(self.raw.xy(W) / self.centre.n - means) / self.centre.unit_y

    def yx(self, V: FloatArray) -> FloatArray:
        V = self._unscaled(V)
        means = np.outer(self.centre.mean_y, self.centre.mean_x @ V)
        return (self.raw.yx(V) / self.centre.n - means) / self.centre.unit_y

    def yy(self, W: FloatArray) -> FloatArray:
        mean = self.centre.mean_y
        return (self.raw.yy(W) / self.centre.n - np.outer(mean, mean @ W)) / self.centre.unit_y**2

    def diagonal_xx(self) -> FloatArray:
        variance = self.raw.diagonal_xx() / self.centre.n - self.centre.mean_x**2
        return variance / self.centre.scale**2

    def diagonal_yy(self) -> FloatArray:
        return (self.raw.diagonal_yy() / self.centre.n - self.centre.mean_y**2) / self.centre.unit_y**2
