import numpy as np
import pytest
from scipy import sparse

from skfactor.factors import Factors
from skfactor.moments.second import Centre
from skfactor.multilabel.rows import Pairs, Rows, largest_eigenvalue


@pytest.fixture
def pairs(table):
    X, Y, w = table
    return Pairs(X, sparse.csr_array(Y), w, Centre(60.0, X.mean(axis=0), Y.mean(axis=0), X.std(axis=0) + 1, 0.5))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csr_matrix])
def test_products_are_those_of_a_centred_copy(form, table):
    X, _, w = table
    rng = np.random.default_rng(0)
    mean, scale, root = X.mean(axis=0), X.std(axis=0) + 1, np.sqrt(w)
    rows = Rows(form(X), mean, scale, root)
    R = root[:, None] * (X - mean) / scale
    V, U = rng.normal(size=(7, 3)), rng.normal(size=(60, 3))
    assert np.allclose(rows.dense(), R)
    assert np.allclose(rows.times(V), R @ V)
    assert np.allclose(rows.transposed_times(U), R.T @ U)
    assert len(rows) == 60


def test_pairs_keep_the_precision_of_x(table):
    X, Y, w = table
    data = Pairs(X.astype(np.float32), sparse.csr_array(Y), w, Centre(60.0, X[0], Y[0], np.ones(7)))
    x, y = data.rows(np.arange(5))
    assert x.times(np.ones((7, 1), np.float32)).dtype == y.times(np.ones((4, 1), np.float32)).dtype == np.float32


def test_the_error_is_that_of_the_predicted_labels(pairs, table):
    rng = np.random.default_rng(0)
    factors = Factors(rng.normal(size=(7, 2)), rng.normal(size=(2, 4)))
    rows = np.arange(10, 40)
    x, y = pairs.rows(rows)
    expected = np.sum((y.dense() - x.dense() @ factors.encoder @ factors.decoder) ** 2) / 30
    assert pairs.error(factors, rows) == pytest.approx(expected)
    assert pairs.error(factors, rows, block=7) == pytest.approx(expected)


def test_the_largest_eigenvalue_is_approached_from_below():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(20, 20))
    A = A @ A.T
    vector, largest = np.ones(20), np.linalg.eigvalsh(A)[-1]
    for _ in range(40):
        value, vector = largest_eigenvalue(lambda v: A @ v, vector)
        assert value <= largest * (1 + 1e-9)
    assert value == pytest.approx(largest, rel=1e-2)
