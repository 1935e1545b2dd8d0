"""MME: loss and gradient by brute force, and that it learns."""

import numpy as np
import pytest
from scipy import optimize, sparse
from sklearn.linear_model import Ridge

from skfactor.multilabel import MME, RidgeBR
from skfactor.multilabel.comparators import mme
from skfactor.multilabel.rows import Rows


@pytest.fixture
def batch(problem):
    X, Y = problem
    rng = np.random.default_rng(1)
    return rng.normal(size=(10, 3)), rng.normal(size=(5, 3)), X[:15], Y[:15]


def test_the_loss_is_a_mean_over_pairs(batch):
    A, B, X, Y = batch
    total = 0.0
    for i in range(15):
        for j in range(15):
            if (Y[i] != Y[j]).any():
                total += max(
                    0.0, 1 + X[i] @ A @ (Y[j] - Y[i]) @ B if False else 1 + (X[i] @ A) @ ((Y[j] - Y[i]) @ B)
                )
    rows = Rows(X, np.zeros(10), np.ones(10), np.ones(15))
    assert mme.loss_and_gradient(A, B, rows, sparse.csr_array(Y))[0] == pytest.approx(total / 15 / 14)


def test_the_gradient_is_that_of_the_loss(batch):
    A, B, X, Y = batch
    rows = Rows(X, np.zeros(10), np.ones(10), np.ones(15))

    def both(vector):
        parts = vector[:30].reshape(10, 3), vector[30:].reshape(5, 3)
        return mme.loss_and_gradient(*parts, rows, sparse.csr_array(Y))

    start = np.concatenate([A.ravel(), B.ravel()])
    error = optimize.check_grad(
        lambda v: both(v)[0], lambda v: np.concatenate([g.ravel() for g in both(v)[1]]), start
    )
    assert error < 1e-5


def test_rows_come_to_lie_nearest_to_their_own_labels(problem):
    X, Y = problem
    model = MME(4, random_state=0).fit(X, Y)
    assert model.objective_[-1] < 0.5 * model.objective_[0]
    centre = X.mean(axis=0)
    sets = np.unique(Y, axis=0)
    found = sets[np.argmax((X - centre) @ model.scorer_.encoder @ (sets @ model.scorer_.label_encoder).T, axis=1)]
    assert (found == Y).mean() > 0.75
    assert model.score(X, Y) > RidgeBR().fit(X, Y).score(X, Y) - 0.05


def test_labels_are_decoded_by_least_squares(problem):
    X, Y = problem
    model = MME(4, random_state=0).fit(X, Y)
    codes = X @ model.scorer_.encoder
    variance = np.mean(np.var(codes, axis=0))
    theirs = Ridge(mme.DECODER_RIDGE * variance * len(X)).fit(codes, Y)
    np.testing.assert_allclose(model.label_scores(X), theirs.predict(codes), atol=1e-8)


def test_sparse_and_dense_agree(problem):
    X, Y = problem
    thin = sparse.csr_array(X)
    scores = MME(3, random_state=0, scale="std").fit(X, Y).label_scores(X)
    np.testing.assert_allclose(
        MME(3, random_state=0, scale="std").fit(thin, Y).label_scores(thin), scores, atol=1e-8
    )
