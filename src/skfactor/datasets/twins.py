"""Rows that are equal, found by their hashes without comparing all pairs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import IntArray, Matrix


def row_hashes(table: Matrix) -> IntArray:
    """Hash each row: equal rows have equal hashes."""
    if not sparse.issparse(table):
        table = np.ascontiguousarray(table) + 0.0  # of -0 and 0, which are equal, only 0 remains
        return np.array([hash(row.tobytes()) for row in table], dtype=np.int64)
    ends: Any = table.indptr
    rows = (slice(*bounds) for bounds in pairwise(ends))
    hashes = [hash((table.indices[row].tobytes(), table.data[row].tobytes())) for row in rows]
    return np.array(hashes, dtype=np.int64)


def groups_of(hashes: IntArray) -> list[IntArray]:
    """Find the places that share a hash with others, ascending in each group."""
    order = np.argsort(hashes, kind="stable")
    starts = np.flatnonzero(np.diff(hashes[order], prepend=hashes[order[:1]] - 1))
    return [group for group in np.split(order, starts[1:]) if len(group) > 1] if len(order) else []
