"""Leading eigenvectors of a symmetric matrix that is known by its products."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from skfactor._validation import FloatArray

Product = Callable[[FloatArray], FloatArray]
#: Below this size the whole matrix is made and decomposed.
SMALL = 2000
#: Below twice this size, that is quicker than Lanczos even for one eigenvalue.
SLIGHT = 32


def leading_eigenvectors(
    product: Product, size: int, n_components: int, *, small: int | None = None
) -> tuple[FloatArray, FloatArray]:
    """The `n_components` largest eigenvalues, falling, and their vectors (size x n_components).

    `product` multiplies the symmetric matrix by tables of `size` rows. Values below zero come from rounding
    and are returned as 0. The sign is fixed so that the largest entry of a vector is positive. Up to the size
    `small`, by default `SMALL`, the whole matrix is made and decomposed; where products are cheap, Lanczos' method
    is quicker from smaller sizes on.
    """
    if size <= max(SMALL if small is None else small, 2 * n_components):
        whole = product(np.eye(size))
        values, vectors = _largest((whole + whole.T) / 2, None, n_components)
    else:
        start = np.random.default_rng(0).normal(size=size)
        values, vectors = eigsh(_operator(product, size), k=n_components, which="LA", v0=start)
    return _falling(values, vectors)


def leading_generalized_eigenvectors(
    product: Product, metric: Product, inverse: Product, size: int, n_components: int
) -> tuple[FloatArray, FloatArray]:
    """The `n_components` largest lambda, falling, of A v = lambda B v, and their v, with v' B v = 1.

    `product` multiplies the symmetric A by tables of `size` rows, `metric` the positive definite B, and `inverse`
    its inverse. Signs and values are as those of `leading_eigenvectors`.
    """
    if size <= max(SMALL, 2 * n_components):
        A, B = (table + table.T for table in (product(np.eye(size)), metric(np.eye(size))))
        values, vectors = _largest(A, B, n_components)
        return _falling(values, vectors * np.sqrt(2.0))
    start = np.random.default_rng(0).normal(size=size)
    A, M, Minv = (_operator(function, size) for function in (product, metric, inverse))
    return _falling(*eigsh(A, k=n_components, M=M, Minv=Minv, which="LA", v0=start))


def _largest(A: FloatArray, B: FloatArray | None, n_components: int) -> tuple[FloatArray, FloatArray]:
    """The largest eigenvalues, rising, and their vectors, of a matrix that is there."""
    size = len(A)
    values, vectors = linalg.eigh(A, B, subset_by_index=[size - n_components, size - 1])
    if len(values) < n_components:  # LAPACK may lose some of an eigenvalue that is there many times
        values, vectors = linalg.eigh(A, B)
    return values[-n_components:], vectors[:, -n_components:]


def _operator(product: Product, size: int) -> LinearOperator:
    return LinearOperator(
        (size, size), matvec=lambda v: product(v.reshape(size, 1)).ravel(), matmat=product, dtype=float
    )


def _falling(values: FloatArray, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    falling = np.argsort(values)[::-1]
    return np.maximum(values[falling], 0.0), with_fixed_signs(vectors[:, falling])


def largest_eigenvalue(product: Callable[[FloatArray], FloatArray], size: int) -> float:
    """The largest eigenvalue of a positive semidefinite matrix, or a thousandth above: for step lengths."""
    if size < 2 * SLIGHT:
        return float(leading_eigenvectors(product, size, 1)[0][0])
    operator = LinearOperator((size, size), matvec=lambda v: product(v.reshape(size, 1)).ravel(), dtype=float)
    start = np.random.default_rng(0).normal(size=size)
    return 1.001 * float(eigsh(operator, k=1, which="LA", v0=start, tol=1e-4, return_eigenvectors=False)[0])


def square_root(matrix: FloatArray) -> FloatArray:
    """R (p x p) with R R' the matrix, which has no eigenvalue below 0 but for rounding."""
    values, vectors = linalg.eigh(matrix)
    return np.asarray(with_fixed_signs(vectors) * np.sqrt(np.maximum(values, 0.0)))


def with_fixed_signs(vectors: FloatArray) -> FloatArray:
    """Turn each column so that its entry of largest size is positive: the first one, of those that nearly are it.

    Symmetric data has entries that differ by rounding only, which must not decide the sign.
    """
    size = np.abs(vectors)
    largest = (size >= 0.99 * size.max(axis=0, initial=0.0)).argmax(axis=0)
    signs = np.where(vectors[largest, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
    return np.asarray(vectors * signs)
