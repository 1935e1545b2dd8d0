import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import nnls as one_row

from skfactor.solvers import nnls, nnls_kernels


def both(U, X):
    return nnls.solve(U.T @ U, X @ U), np.array([one_row(U, x)[0] for x in X])


@pytest.mark.parametrize("columns", [1, 3, 20, 80])
@pytest.mark.parametrize("kind", ["normal", "positive"])
def test_every_row_is_that_of_scipy(columns, kind):
    rng = np.random.default_rng(columns)
    U = rng.normal(size=(120, columns)) if kind == "normal" else rng.random((120, columns)) ** 3
    X = np.maximum(0, rng.normal(size=(150, columns))) @ U.T + rng.normal(size=(150, 120))
    ours, theirs = both(U, X)
    np.testing.assert_allclose(ours, theirs, atol=1e-8)
    assert (ours == 0).any() == (theirs == 0).any()


def test_walking_alone_reaches_the_same(monkeypatch):
    """The rounds behind the jumps, which ordinary rows never need, end in the same place."""
    rng = np.random.default_rng(0)
    U, X = rng.random((40, 15)) ** 3, rng.random((20, 40))
    gram, right = U.T @ U, X @ U
    size = len(gram)
    for b, expected in zip(right, nnls.solve(gram, right), strict=True):
        v = np.ones(size)
        scratch = np.empty(size, dtype=np.int64), np.empty((size, size)), np.empty(size)
        gradient = gram @ v - b
        for _ in range(100):
            before = v @ gram @ v / 2 - b @ v
            nnls_kernels._polish(gram, b, v, *scratch, False)
            assert v @ gram @ v / 2 - b @ v <= before + 1e-12
            nnls_kernels._refresh(gram, b, v, gradient)
            nnls_kernels._descend(gram, v, gradient)
        np.testing.assert_allclose(v, expected, atol=1e-8)


@settings(max_examples=60, deadline=None)
@given(
    arrays(np.int64, (6, 4), elements=st.integers(-3, 3)), arrays(np.int64, (3, 6), elements=st.integers(-3, 3))
)
def test_dependent_and_empty_columns_still_give_a_minimum(U, X):
    """Where several minima share the value, any will do: compare the residuals."""
    U, X = U.astype(float), X.astype(float)
    V = nnls.solve(U.T @ U, X @ U)
    assert (V >= 0).all()
    residuals = [one_row(U, x)[1] for x in X]
    np.testing.assert_allclose(np.linalg.norm(X - V @ U.T, axis=1), residuals, atol=1e-6)


def test_no_rows_and_zero_rows():
    assert nnls.solve(np.eye(3), np.empty((0, 3))).shape == (0, 3)
    np.testing.assert_array_equal(nnls.solve(np.eye(3), np.zeros((2, 3))), np.zeros((2, 3)))
    np.testing.assert_array_equal(nnls.solve(np.zeros((2, 2)), np.zeros((1, 2))), np.zeros((1, 2)))


def test_rows_do_not_depend_on_their_neighbours():
    rng = np.random.default_rng(0)
    U, X = rng.random((30, 10)), rng.random((200, 30))
    whole = nnls.solve(U.T @ U, X @ U)
    np.testing.assert_array_equal(whole[150:151], nnls.solve(U.T @ U, (X @ U)[150:151]))
