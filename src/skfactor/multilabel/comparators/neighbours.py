"""The graph of rows that are near one another."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from skfactor._validation import Matrix


def neighbour_graph(X: Matrix, n_neighbors: int, *, metric: str = "euclidean") -> sparse.csr_array:
    """Symmetric (n x n) with 1 where one of two rows is among the nearest of the other, and 0 on the diagonal."""
    from sklearn.neighbors import kneighbors_graph

    count = min(n_neighbors, X.shape[0] - 1)
    graph = sparse.csr_array(kneighbors_graph(X, count, metric=metric, include_self=False))
    return sparse.csr_array(graph.maximum(graph.T))


def laplacian(graph: sparse.csr_array) -> sparse.csr_array:
    """Degrees less the graph: v' L v is half the sum of e_ij (v_i - v_j)^2."""
    return sparse.csr_array(sparse.diags_array(graph.sum(axis=1)) - graph)


def stacked(X: Matrix, others: Matrix) -> Matrix:
    """The rows of X, and below them the others."""
    if sparse.issparse(X):
        return sparse.csr_array(sparse.vstack([X, others], format="csr"))
    return np.vstack([X, others])
