"""Nonnegative least squares of many rows at once, from the Gram matrix."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np

from skfactor._validation import FloatArray

#: Rows that a thread takes at a time.
CHUNK = 64


def solve(gram: FloatArray, right: FloatArray, *, tol: float = 1e-10) -> FloatArray:
    """For every row b of `right`, the v >= 0 that minimizes 1/2 v'G v - b'v.

    With G = U'U and right = X U it is the nonnegative projection of the rows x of X: min ||x - U v||^2.

    Each row goes by turns through two steps. Coordinate descent finds out which entries are positive. A Cholesky
    factorization of G among these gives them exactly, and the optimality conditions are checked. Entries that
    come out negative are set to 0, and the next round begins; should that not have ended after some rounds, the
    way to the exact values is followed only until a first entry reaches 0, which is left out from then on. Such
    rounds never raise the objective and each ends in the minimum on its own set of entries, so that no set
    comes twice.

    Parameters
    ----------
    gram : ndarray of shape (r, r)
        Symmetric positive semidefinite.
    right : ndarray of shape (n, r)
    tol : float
        Of the optimality conditions, relative to the row.

    Returns
    -------
    ndarray of shape (n, r)

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.solvers import nnls
    >>> U = np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
    >>> X = np.array([[3.0, 1.0, 5.0], [1.0, -1.0, 0.0]])
    >>> nnls.solve(U.T @ U, X @ U)
    array([[2., 1.],
           [1., 0.]])
    """
    from skfactor.solvers.nnls_kernels import solve_rows

    gram = np.ascontiguousarray(gram, dtype=np.float64)
    right = np.ascontiguousarray(right, dtype=np.float64)
    out = np.zeros_like(right)
    with ThreadPoolExecutor(joblib.cpu_count()) as pool:
        starts = range(0, len(right), CHUNK)
        jobs = [pool.submit(solve_rows, gram, right[i : i + CHUNK], tol, out[i : i + CHUNK]) for i in starts]
        for job in jobs:
            job.result()
    return out
