"""Similarities of rows that are known by their products: a symmetric n x n matrix A that is never formed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize
from sklearn.utils import gen_batches

from skfactor._validation import FloatArray, Matrix

#: Columns of a Gram matrix that are made at a time.
BLOCK = 512


@dataclass(frozen=True)
class Similarity:
    """A = R S with R (n x m) for the rows and S (m x n), of which products are taken.

    Rows of lengths 1 have S = R', so that A holds their cosines; a matrix A that is given has R = A and S = I.

    Attributes
    ----------
    rows : array or CSR array of shape (n, m)
        R. New rows are scored by theirs.
    given : bool
        Whether A itself was given.
    """

    rows: Matrix
    given: bool

    @classmethod
    def cosine(cls, X: Matrix) -> Similarity:
        """Cosines of the rows of X (n x D); rows of zeros are like no other."""
        return cls(unit_rows(X), given=False)

    @classmethod
    def precomputed(cls, A: Matrix) -> Similarity:
        """A given A, or rather (A + A') / 2, which is as far from symmetric matrices but for a constant."""
        half = (A + A.T) / 2
        return cls(sparse.csr_array(half) if sparse.issparse(half) else np.asarray(half), given=True)

    def summary(self, T: FloatArray, rows: Any = slice(None)) -> FloatArray:
        """S T (m x k) for T (n x k); or for T whose other rows than `rows` are 0 and left out."""
        if not self.given:
            return np.asarray(self.rows[rows].T @ T)
        whole = np.zeros((self.rows.shape[0], T.shape[1]))
        whole[rows] = T
        return whole

    def part(self, rows: Any) -> Similarity:
        """The similarities of some rows among themselves."""
        return Similarity(self.rows[rows][:, rows] if self.given else self.rows[rows], self.given)

    def squared_norm(self) -> float:
        """||A||^2, the sum of all squared similarities."""
        if self.given:
            return _squares(self.rows)
        R = self.rows if self.rows.shape[0] > self.rows.shape[1] else self.rows.T  # ||R R'|| = ||R' R||
        R = sparse.csc_array(R) if sparse.issparse(R) else R
        blocks = (R.T @ R[:, block] for block in gen_batches(R.shape[1], BLOCK))
        return sum(map(_squares, blocks))


def _squares(table: Matrix) -> float:
    return float(np.sum(np.square(table.data if sparse.issparse(table) else table)))


def unit_rows(X: Matrix) -> Matrix:
    """X in float64 with rows of length 1; rows of zeros stay."""
    unit = normalize(X)
    return sparse.csr_array(unit) if sparse.issparse(unit) else np.asarray(unit, dtype=np.float64)
