import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse

from skfactor.datasets import leaks
from skfactor.datasets.leaks import find_leaks


def brute_force(X, Y, threshold):
    found = {}
    for label, y in enumerate(Y.T):
        for feature, x in enumerate(X.T):
            if x.std() > 0 and y.std() > 0:
                correlation = np.corrcoef(x, y)[0, 1]
                assume(abs(abs(correlation) - threshold) > 1e-6)
                if abs(correlation) >= threshold:
                    found[feature, label] = correlation
    return found


@pytest.mark.parametrize("is_sparse", [False, True])
@settings(max_examples=50, deadline=None)
@given(st.integers(2, 12), st.integers(1, 6), st.integers(1, 4), st.floats(0.1, 1), st.integers(0, 10**6))
def test_agrees_with_brute_force(is_sparse, n, d, n_labels, threshold, seed):
    random = np.random.default_rng(seed)
    X = random.integers(-1, 3, (n, d)).astype(float)
    Y = random.integers(0, 2, (n, n_labels)).astype(float)
    expected = brute_force(X, Y, threshold)
    found = find_leaks(sparse.csr_array(X) if is_sparse else X, sparse.csr_array(Y), threshold)
    assert {(leak.feature, leak.label) for leak in found} == set(expected)
    for leak in found:
        assert leak.correlation == pytest.approx(expected[leak.feature, leak.label])


def test_many_labels_go_by_blocks(monkeypatch):
    random = np.random.default_rng(0)
    Y = sparse.csr_array(random.integers(0, 2, (30, 11)).astype(float))
    X = sparse.csr_array(1 - Y.toarray()[:, [7, 2]])
    expected = [(1, 2, -1.0), (0, 7, -1.0)]
    assert find_leaks(X, Y) == expected
    monkeypatch.setattr(leaks, "_BLOCK", 3)
    assert find_leaks(X, Y) == expected


def test_large_offsets_do_not_make_leaks():
    random = np.random.default_rng(0)
    X = 1e9 + random.standard_normal((200, 3))
    assert find_leaks(X, sparse.csr_array(random.integers(0, 2, (200, 4)).astype(float))) == []
