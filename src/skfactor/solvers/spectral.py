"""Leading eigenvectors of a symmetric matrix that is known by its products."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from skfactor._validation import FloatArray

#: Below this size the whole matrix is made and decomposed.
SMALL = 2000


def leading_eigenvectors(
    product: Callable[[FloatArray], FloatArray], size: int, n_components: int
) -> tuple[FloatArray, FloatArray]:
    """The `n_components` largest eigenvalues, falling, and their vectors (size x n_components).

    `product` multiplies the symmetric matrix by tables of `size` rows. Values below zero come from rounding
    and are returned as 0. The sign is fixed so that the largest entry of a vector is positive.
    """
    if size <= max(SMALL, 2 * n_components):
        whole = product(np.eye(size))
        values, vectors = linalg.eigh((whole + whole.T) / 2, subset_by_index=[size - n_components, size - 1])
    else:
        operator = LinearOperator(
            (size, size), matvec=lambda v: product(v.reshape(size, 1)).ravel(), matmat=product, dtype=float
        )
        start = np.random.default_rng(0).normal(size=size)
        values, vectors = eigsh(operator, k=n_components, which="LA", v0=start)
    falling = np.argsort(values)[::-1]
    return np.maximum(values[falling], 0.0), with_fixed_signs(vectors[:, falling])


def with_fixed_signs(vectors: FloatArray) -> FloatArray:
    """Turn each column so that its entry of largest size is positive."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.where(vectors[largest, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
    return np.asarray(vectors * signs)
