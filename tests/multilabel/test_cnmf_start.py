import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import cosine_similarity

from skfactor.multilabel.cnmf_start import FLOOR, at_random, neighbours, ridge_regression
from skfactor.multilabel.similarity import Similarity


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    X = rng.poisson(0.7, (20, 8)).astype(float)
    labelled = np.arange(20) < 7
    labels = (rng.random((7, 4)) < 0.5).astype(float)
    labels[0] = 1
    return X, labelled, labels / np.maximum(labels.sum(axis=1, keepdims=True), 1)


def shared(T):
    return T / T.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("given", [True, False])
def test_neighbours_are_weighted_by_similarity(rows, given):
    X, labelled, shares = rows
    A = cosine_similarity(X)
    similarity = Similarity.precomputed(A) if given else Similarity.cosine(sparse.csr_array(X))
    T = neighbours(similarity, labelled, shares)(similarity.rows)
    near = A[:, labelled] @ shares
    some = near.sum(axis=1) > 0
    np.testing.assert_allclose(
        T[some], (1 - FLOOR) * shared(near[some]) + FLOOR * shares.sum(axis=0) / shares.sum()
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_ridge_is_ridge_regression(rows, form):
    X, labelled, shares = rows
    start = ridge_regression(Similarity.cosine(form(X)), labelled, shares, 0.7)
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    theirs = Ridge(alpha=0.7).fit(unit[labelled], (shares > 0).astype(float))
    np.testing.assert_allclose(unit @ start.W + start.offset, theirs.predict(unit), atol=1e-5)


def test_every_start_is_positive_with_rows_of_sum_one(rows):
    X, labelled, shares = rows
    similarity = Similarity.cosine(X)
    starts = [
        ridge_regression(similarity, labelled, shares, 0.1),
        neighbours(similarity, labelled, shares),
        at_random(similarity, shares),
    ]
    for start in starts:
        T = start(np.vstack([similarity.rows, np.zeros((1, 8))]))
        assert np.all(T > 0)
        np.testing.assert_allclose(T.sum(axis=1), 1.0)
