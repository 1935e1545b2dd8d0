import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import cosine_similarity

from skfactor.multilabel.similarity import Similarity


@pytest.fixture(name="X", params=["dense", "sparse"])
def counts(request):
    table = np.random.default_rng(0).poisson(0.4, (14, 9)).astype(float)
    table[3] = 0
    return table if request.param == "dense" else sparse.csr_array(table)


def test_cosines_without_the_matrix(X):
    A = cosine_similarity(X)
    similarity = Similarity.cosine(X)
    T = np.random.default_rng(1).random((14, 3))
    np.testing.assert_allclose(similarity.rows @ similarity.summary(T), A @ T, atol=1e-12)
    assert similarity.squared_norm() == pytest.approx(np.sum(A**2))


def test_the_smaller_gram_matrix_serves_for_the_norm():
    X = np.random.default_rng(0).random((5, 30))
    assert Similarity.cosine(X).squared_norm() == pytest.approx(np.sum(cosine_similarity(X) ** 2))


def test_a_given_matrix_is_made_symmetric(X):
    rng = np.random.default_rng(2)
    A = rng.random((8, 8))
    similarity = Similarity.precomputed(sparse.csr_array(A) if sparse.issparse(X) else A)
    half = (A + A.T) / 2
    T = rng.random((8, 2))
    np.testing.assert_allclose(similarity.rows @ similarity.summary(T), half @ T)
    assert similarity.squared_norm() == pytest.approx(np.sum(half**2))


@pytest.mark.parametrize("given", [True, False])
def test_parts_and_rows_left_out(X, given):
    A = cosine_similarity(X)
    similarity = Similarity.precomputed(A) if given else Similarity.cosine(X)
    rows = np.array([1, 4, 5, 9])
    T = np.random.default_rng(3).random((4, 2))
    np.testing.assert_allclose(similarity.rows @ similarity.summary(T, rows), A[:, rows] @ T, atol=1e-12)
    part = similarity.part(rows)
    np.testing.assert_allclose(part.rows @ part.summary(T), A[np.ix_(rows, rows)] @ T, atol=1e-12)
