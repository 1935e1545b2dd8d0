"""Compiled products over the observed entries of a table, threaded.

The pattern of entries is that of a CSR table: row i has the columns `others[starts[i]:starts[i + 1]]`. Numba is
imported with this module, so whoever needs it imports it when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar, cast

import joblib
import numba
import numpy as np

from skfactor._validation import FloatArray, IntArray

Function = TypeVar("Function", bound=Callable[..., None])
#: Chunks per thread: enough that a thread with short rows takes over from one with long ones.
CHUNKS_PER_THREAD = 8
#: With fewer entries, starting threads takes longer than the work.
FEW_ENTRIES = 20_000


def kernel_of_sums(function: Function) -> Function:
    """Compile `function`, in which sums may be taken in an order that suits the machine."""
    compiled: Any = numba.njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})(function)
    return cast(Function, compiled)


@kernel_of_sums
def _sample(first, last, starts, others, A, B, out):  # type: ignore[no-untyped-def]
    for row in range(first, last):
        for place in range(starts[row], starts[row + 1]):
            total = 0.0
            for k in range(A.shape[1]):
                total += A[row, k] * B[others[place], k]
            out[place] = total


@kernel_of_sums
def _curve(first, last, starts, others, bend, A, B, out):  # type: ignore[no-untyped-def]
    for row in range(first, last):
        for place in range(starts[row], starts[row + 1]):
            other, total = others[place], 0.0
            for k in range(A.shape[1]):
                total += A[row, k] * B[other, k]
            total *= bend[place]
            for k in range(A.shape[1]):
                out[row, k] += total * B[other, k]


def sampled_products(starts: IntArray, others: IntArray, A: FloatArray, B: FloatArray) -> FloatArray:
    """Products a_i . b_j of rows of A and B at the entries (i, j)."""
    out = np.empty(len(others))
    _by_rows(_sample, starts, others, np.ascontiguousarray(A), np.ascontiguousarray(B), out)
    return out


def curved_products(
    starts: IntArray, others: IntArray, bend: FloatArray, A: FloatArray, B: FloatArray
) -> FloatArray:
    """Rows sum_j h_ij (a_i . b_j) b_j over the entries (i, j) with the values h: (H * (A B')) B for sparse H."""
    out = np.zeros(A.shape)
    _by_rows(_curve, starts, others, bend, np.ascontiguousarray(A), np.ascontiguousarray(B), out)
    return out


def _by_rows(function: Callable[..., None], starts: IntArray, *parts: Any) -> None:
    """Share the rows out. A row belongs to one thread, so that the result does not depend on their number."""
    threads = joblib.cpu_count()
    if starts[-1] < FEW_ENTRIES:
        function(0, len(starts) - 1, starts, *parts)
        return
    goals = np.linspace(0, starts[-1], threads * CHUNKS_PER_THREAD + 1)
    bounds = np.unique(np.concatenate([[0], np.searchsorted(starts, goals[1:-1]), [len(starts) - 1]]))
    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(function, first, last, starts, *parts) for first, last in pairwise(bounds)]
        for job in jobs:
            job.result()
