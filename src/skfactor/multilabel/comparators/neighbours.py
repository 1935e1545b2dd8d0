"""Rows that are near one another, and their graph."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix

#: Distances are computed for as many rows at a time as take so many MiB. More is slower, too.
WORKING_MEMORY = 64


def nearest(
    rows: Matrix, count: int, X: Matrix | None = None, *, metric: str = "euclidean", n_jobs: int | None = None
) -> tuple[FloatArray, IntArray]:
    """Distances and numbers (n x count) of those of `rows` that are nearest to the rows of X.

    Without X, to `rows` themselves, where no row is its own neighbour.
    """
    from sklearn import config_context
    from sklearn.neighbors import NearestNeighbors

    with config_context(working_memory=WORKING_MEMORY):
        found = NearestNeighbors(n_neighbors=count, metric=metric, n_jobs=n_jobs).fit(rows).kneighbors(X)
    return found[0], found[1]


def neighbour_indicator(numbers: IntArray, n_rows: int) -> sparse.csr_array:
    """The table (n x n_rows) with 1 at the neighbours (n x count) of each row."""
    starts = np.arange(0, numbers.size + 1, numbers.shape[1])
    return sparse.csr_array((np.ones(numbers.size), numbers.ravel(), starts), shape=(len(numbers), n_rows))


def neighbour_graph(X: Matrix, n_neighbors: int, *, metric: str = "euclidean") -> sparse.csr_array:
    """Symmetric (n x n) with 1 where one of two rows is among the nearest of the other, and 0 on the diagonal."""
    n = X.shape[0]
    graph = neighbour_indicator(nearest(X, min(n_neighbors, n - 1), metric=metric)[1], n)
    return sparse.csr_array(graph.maximum(graph.T))


def laplacian(graph: sparse.csr_array) -> sparse.csr_array:
    """Degrees less the graph: v' L v is half the sum of e_ij (v_i - v_j)^2."""
    return sparse.csr_array(sparse.diags_array(graph.sum(axis=1)) - graph)


def stacked(X: Matrix, others: Matrix) -> Matrix:
    """The rows of X, and below them the others."""
    if sparse.issparse(X):
        return sparse.csr_array(sparse.vstack([X, others], format="csr"))
    return np.vstack([X, others])
