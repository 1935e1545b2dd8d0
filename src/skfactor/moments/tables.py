"""What people pass as X and Y, read as blocks of rows of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix, check_finite, check_same_rows

#: Rows are read in blocks of about this many bytes: large enough for BLAS, small enough for a float64 copy.
BLOCK_BYTES = 2**26


@dataclass(frozen=True)
class Block:
    """Rows of X (b x D) and Y (b x L), and their weights (b) or None."""

    X: Matrix
    Y: Matrix
    weight: FloatArray | None = None

    def weighted(self) -> tuple[Matrix, Matrix, FloatArray]:
        """sqrt(w) X, sqrt(w) Y and sqrt(w), as float64: their products are the weighted moments."""
        X, Y = self.X.astype(np.float64, copy=False), self.Y.astype(np.float64, copy=False)
        if self.weight is None:
            return X, Y, np.ones(X.shape[0])
        root = np.sqrt(self.weight)
        return scale_rows(X, root), scale_rows(Y, root), root

    def slices(self) -> Iterator[Block]:
        """The same rows, a few at a time."""
        rows = max(1, BLOCK_BYTES // (8 * max(1, self.X.shape[1])))
        if sparse.issparse(self.X) or self.X.shape[0] <= rows:
            yield self
            return
        for start in range(0, self.X.shape[0], rows):
            part = slice(start, start + rows)
            yield Block(self.X[part], self.Y[part], None if self.weight is None else self.weight[part])


def scale_rows(table: Matrix, factor: FloatArray) -> Matrix:
    """diag(factor) @ table, in the form that the table has."""
    return sparse.diags_array(factor) @ table if sparse.issparse(table) else table * factor[:, None]


def names_of(table: Any) -> tuple[str, ...] | None:
    """Column names of a data frame, None for anything else."""
    columns = getattr(table, "columns", None)
    return None if columns is None else tuple(str(name) for name in columns)


def as_table(values: Any, name: str) -> Matrix:
    """Array or CSR of real numbers, checked, without a copy where none is needed; a 1-d array is one column."""
    if sparse.issparse(values):
        table = values.tocsr()
    else:
        table = np.asarray(values)
        table = table.astype(np.float64) if table.dtype.kind in "bO" else table
        table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or table.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be a 2-d table of real numbers, got {table.ndim}-d of {table.dtype}.")
    check_finite(table, name)
    return table


def as_block(X: Any, Y: Any, sample_weight: Any = None) -> Block:
    """Read one pair, checking that its rows match and that there are any."""
    X, Y = as_table(X, "X"), as_table(Y, "Y")
    check_same_rows(X=X, Y=Y, sample_weight=sample_weight)
    if 0 in X.shape or Y.shape[1] == 0:
        raise ValueError(f"Moments need at least one row, feature and label: X is {X.shape}, Y is {Y.shape}.")
    if sample_weight is None:
        return Block(X, Y)
    weight = np.asarray(sample_weight, dtype=np.float64)
    check_finite(weight[:, None], "sample_weight")
    if weight.min() < 0:
        row = int(np.argmin(weight))
        raise ValueError(f"sample_weight must not be negative, got {weight[row]:g} in row {row}.")
    return Block(X, Y, None if (weight == 1).all() else weight)


@dataclass(frozen=True)
class Chunks:
    """Batches of Dask arrays: as many rows at a time as the chunks of X have, computed when it is their turn."""

    X: Any
    Y: Any
    sample_weight: Any = None

    @staticmethod
    def suit(X: Any) -> bool:
        """Whether X is a Dask array, which is told without importing Dask."""
        return hasattr(X, "dask") and hasattr(X, "chunks")

    def __post_init__(self) -> None:
        for name, table in vars(self).items():
            if self.suit(table) and np.isnan(table.shape[0]):
                raise ValueError(
                    f"{name} does not know how many rows its chunks have: call {name}.compute_chunk_sizes() first."
                )
        check_same_rows(**vars(self))

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        tables = [table for table in vars(self).values() if table is not None]
        for first, last in pairwise(np.cumsum([0, *self.X.chunks[0]])):
            parts = (table[first:last] for table in tables)
            yield tuple(part.compute() if hasattr(part, "compute") else part for part in parts)


def as_blocks(batches: Iterable[Any], first: int = 0) -> Iterator[Block]:
    """Read batches (pairs, or triples with weights), which are numbered from `first` on, for messages."""
    for number, batch in enumerate(batches, first):
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise TypeError(f"Batch {number} must be a pair (X, Y) or a triple (X, Y, sample_weight).")
        try:
            block = as_block(*batch)
        except ValueError as error:
            raise ValueError(f"Batch {number} (from 0): {error}") from None
        yield from block.slices()


@dataclass(frozen=True)
class Batches:
    """Batches, checked and sliced anew each time they are gone through."""

    source: Iterable[Any]

    def __iter__(self) -> Iterator[Block]:
        return as_blocks(self.source)
