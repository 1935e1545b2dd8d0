"""A table that grows by rows, of whatever a text file has next."""

from __future__ import annotations

from array import array

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix


class GrowingTable:
    """Rows of values, and of their columns where these are not simply all columns.

    Arrays of machine numbers: a list of Python numbers would need four times the memory.
    """

    def __init__(self, n_columns: int):
        self.n_columns = n_columns
        self.columns, self.values, self.ends = array("q"), array("d"), array("q")

    def __len__(self) -> int:
        return len(self.ends)

    def add(self, values: list[float], columns: list[int] | None = None) -> None:
        """Add a row; raise ValueError if it has a column twice, or one that does not exist."""
        if columns is not None:
            if len(set(columns)) < len(columns):
                raise ValueError("a column occurs twice")
            if columns and not (min(columns) >= 0 and max(columns) < self.n_columns):
                raise ValueError("a column does not exist")
            self.columns.extend(columns)
        self.values.extend(values)
        self.ends.append(len(self.values))

    def dense(self) -> FloatArray:
        """Make an ndarray of rows that have all columns."""
        return np.array(self.values).reshape(len(self), self.n_columns)

    def csr(self) -> Matrix:
        """Make a CSR array of rows that were added with their columns."""
        starts: IntArray = np.array([0, *self.ends], dtype=np.int64)
        parts = (np.array(self.values), np.array(self.columns), starts)
        return sparse.csr_array(parts, shape=(len(self), self.n_columns))
