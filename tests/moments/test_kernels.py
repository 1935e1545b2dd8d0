import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from skfactor.moments.kernels import add_sparse_product


@given(seed=st.integers(0, 999), density=st.sampled_from([0.0, 0.05, 0.5]))
@settings(max_examples=30, deadline=None)
def test_product_of_sparse_tables(seed, density):
    rng = np.random.default_rng(seed)
    n, p, q = rng.integers(1, 30, 3)
    A = sparse.random_array((n, p), density=density, rng=rng, format="csr")
    B = sparse.random_array((n, q), density=density, rng=rng, format="csr")
    out = np.ones((p, q))
    add_sparse_product(A, B, out)
    assert np.allclose(out, 1 + A.toarray().T @ B.toarray())


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_number_of_threads_changes_nothing(monkeypatch, threads):
    A = sparse.random_array((200, 50), density=0.1, rng=np.random.default_rng(0), format="csr")
    one, many = np.zeros((50, 50)), np.zeros((50, 50))
    monkeypatch.setattr(joblib, "cpu_count", lambda: 1)
    add_sparse_product(A, A, one)
    monkeypatch.setattr(joblib, "cpu_count", lambda: threads)
    add_sparse_product(A, A, many)
    assert np.array_equal(one, many)
