"""Rows of a table seen from the mean of all: products without a centred copy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._arrays import Array, is_tensor, like
from skfactor._validation import Matrix
from skfactor.factors import Factors
from skfactor.moments.second import Centre


@dataclass(frozen=True)
class Rows:
    """R = diag(root) (T - 1 mean') / scale for rows T (b x k) of a table, never formed where T is sparse.

    T may be a NumPy array, sparse, or a torch tensor. `root` (b) has the roots of the rows' weights. If `formed`,
    the table is R itself.
    """

    table: Any
    mean: Array
    scale: Array
    root: Array
    formed: bool = False

    @classmethod
    def seen_from(cls, centre: Centre, X: Matrix) -> Rows:
        """All rows of X, each with weight 1."""
        return cls(X, centre.mean_x, centre.scale, np.ones(X.shape[0]))

    def taken(self, numbers: Any) -> Rows:
        """The rows with these numbers."""
        return replace(self, table=self.table[numbers], root=self.root[numbers])

    def __len__(self) -> int:
        return int(self.table.shape[0])

    def times(self, V: Array) -> Array:
        """R V (b x c) for V (k x c)."""
        if self.formed:
            return self.table @ V
        scaled = V / self.scale[:, None]
        return self.root[:, None] * (self.table @ scaled - self.mean @ scaled)

    def transposed_times(self, U: Array) -> Array:
        """R' U (k x c) for U (b x c)."""
        if self.formed:
            return self.table.T @ U
        U = self.root[:, None] * U
        product = self.table.T @ U
        product -= self.mean[:, None] * U.sum(0)
        product /= self.scale[:, None]
        return product

    def dense(self) -> Array:
        """R itself (b x k), for few rows."""
        if self.formed:
            return self.table
        table = self.table.toarray() if sparse.issparse(self.table) else self.table
        return (table - self.mean) * (self.root[:, None] / self.scale)

    def form(self) -> Rows:
        """The same rows with R formed: for few rows, products are quicker so."""
        return replace(self, table=self.dense(), formed=True)


class Pairs:
    """X and Y of all rows in one precision, of which batches are taken as pairs of `Rows`.

    Of a dense X, the batches are formed, and those of Y with them where it is no wider.
    """

    def __init__(self, X: Any, Y: Any, weight: Any, centre: Centre):
        if sparse.issparse(Y):
            Y = Y.toarray() if is_tensor(X) else Y.astype(X.dtype)
        self.X, self.Y = X, Y if sparse.issparse(Y) else like(Y, X)
        self.root = like(weight**0.5, X)
        self.mean_x, self.scale_x = like(centre.mean_x, X), like(centre.scale, X)
        self.mean_y, self.scale_y = like(centre.mean_y, X), like(0 * centre.mean_y + centre.unit_y, X)

    def rows(self, numbers: Any) -> tuple[Rows, Rows]:
        """The rows with these numbers."""
        root = self.root[numbers]
        X = Rows(self.X[numbers], self.mean_x, self.scale_x, root)
        Y = Rows(self.Y[numbers], self.mean_y, self.scale_y, root)
        if sparse.issparse(self.X):
            return X, Y
        return X.form(), Y.form() if self.Y.shape[1] <= self.X.shape[1] else Y

    def error(self, factors: Factors, numbers: Any, block: int = 4096) -> float:
        """Mean squared error of the labels of these rows, as the factors (of centred data) predict them."""
        total = 0.0
        for start in range(0, len(numbers), block):
            X, Y = self.rows(numbers[start : start + block])
            encoder, decoder = like(factors.encoder, self.X), factors.decoder
            codes = X.times(encoder)
            total += float(
                ((Y.dense() - (codes if decoder is None else codes @ like(decoder, self.X))) ** 2).sum()
            )
        return total / len(numbers)


def largest_eigenvalue(product: Callable[[Array], Array], vector: Array, rounds: int = 2) -> tuple[float, Array]:
    """An estimate of the largest eigenvalue of a positive semidefinite matrix, from a guess at its vector.

    Power iteration; the vector that it returns is the guess for the next, slightly different matrix.
    """
    length = 0.0
    for _ in range(rounds):
        image = product(vector)
        length = float((image * image).sum()) ** 0.5
        vector = image / length if length > 0 else vector
    return length, vector
