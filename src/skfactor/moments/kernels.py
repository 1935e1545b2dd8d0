"""The compiled product of two sparse tables, threaded.

Numba is imported with this module, so whoever needs it imports it when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar, cast

import joblib
import numba
import numpy as np

from skfactor._validation import FloatArray, Matrix

Function = TypeVar("Function", bound=Callable[..., None])
#: Chunks per thread: enough that a thread with short columns takes over from one with long ones.
CHUNKS_PER_THREAD = 8


def kernel(function: Function) -> Function:
    """Compile `function`, keep the machine code on disk, and let it run beside other threads."""
    compiled: Any = numba.njit(nogil=True, cache=True)(function)
    return cast(Function, compiled)


@kernel
def _add_columns(first, last, a_starts, a_rows, a_values, b_starts, b_columns, b_values, out):  # type: ignore[no-untyped-def]
    for column in range(first, last):
        for place in range(a_starts[column], a_starts[column + 1]):
            row, value = a_rows[place], a_values[place]
            for other in range(b_starts[row], b_starts[row + 1]):
                out[column, b_columns[other]] += value * b_values[other]


def add_sparse_product(A: Matrix, B: Matrix, out: FloatArray) -> None:
    """Add A'B to `out`, for sparse A (n x p) and B (n x q).

    Costs sum over the rows of nnz(a_i) nnz(b_i). A thread owns rows of `out`, so that no two threads write to
    the same place and the sum does not depend on their number.
    """
    A, B = A.tocsc(), B.tocsr()
    parts = (A.indptr, A.indices, A.data, B.indptr, B.indices, B.data, out)
    threads = joblib.cpu_count()
    work = np.concatenate([[0], np.cumsum(np.diff(B.indptr)[A.indices])])[A.indptr]
    goals = np.linspace(0, work[-1], threads * CHUNKS_PER_THREAD + 1)
    bounds = np.unique(np.searchsorted(work, goals))
    bounds[-1:] = A.shape[1]
    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(_add_columns, first, last, *parts) for first, last in pairwise(bounds)]
        for job in jobs:
            job.result()
