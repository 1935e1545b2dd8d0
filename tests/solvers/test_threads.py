"""Problems side by side: each by one thread of BLAS, and all as if one after the other."""

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from skfactor.solvers.threads import blas_threads, side_by_side


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(threads):
    rng = np.random.default_rng(0)
    tables = [rng.normal(size=(30, 30)) for _ in range(7)]
    found = side_by_side(np.linalg.inv, tables, threads)
    assert all(np.allclose(inverse @ table, np.eye(30)) for inverse, table in zip(found, tables, strict=True))


def test_they_do_run_at_the_same_time_with_one_thread_of_blas_each():
    meeting = threading.Barrier(2, timeout=30)
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        assert side_by_side(lambda _: (meeting.wait(), blas_threads())[1], range(2), 2) == [1, 1]
        assert blas_threads() == before


def test_an_error_comes_out():
    with pytest.raises(ZeroDivisionError):
        side_by_side(lambda value: 1 / value, [1, 0], 2)
