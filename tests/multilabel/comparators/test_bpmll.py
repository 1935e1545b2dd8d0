"""BP-MLL: gradient, loss and thresholds by brute force."""

import numpy as np
import pytest
from scipy import optimize, sparse

from skfactor.multilabel import BPMLL
from skfactor.multilabel.comparators import bpmll
from skfactor.multilabel.rows import Rows


@pytest.fixture
def network(problem):
    X, Y = problem
    some = Y.any(axis=1) & ~Y.all(axis=1)
    weights = bpmll.first_weights((10, 4, 5), np.random.RandomState(0))
    return weights, Rows(X[some][:20], np.zeros(10), np.ones(10), np.ones(20)), Y[some][:20].astype(float)


def test_the_loss_is_a_double_sum(network):
    weights, Z, Y = network
    c = bpmll.outputs(weights, Z)[1]
    rows = [
        np.mean([np.exp(row[other] - row[k]) for k in np.flatnonzero(y) for other in np.flatnonzero(1 - y)])
        for row, y in zip(c, Y, strict=True)
    ]
    assert bpmll.loss_and_gradient(weights, Z, Y)[0] == pytest.approx(np.mean(rows))


def test_the_gradient_is_that_of_the_loss(network):
    weights, Z, Y = network
    shapes = [np.shape(w) for w in weights]
    ends = np.cumsum([0, *(np.size(w) for w in weights)])

    def parts(vector):
        return [vector[a:b].reshape(shape) for a, b, shape in zip(ends[:-1], ends[1:], shapes, strict=True)]

    def loss(vector):
        return bpmll.loss_and_gradient(parts(vector), Z, Y)[0]

    def gradient(vector):
        return np.concatenate([g.ravel() for g in bpmll.loss_and_gradient(parts(vector), Z, Y)[1]])

    start = np.concatenate([w.ravel() for w in weights])
    assert optimize.check_grad(loss, gradient, start) < 1e-5


def test_the_best_cut_makes_the_fewest_mistakes():
    rng = np.random.default_rng(0)
    for _ in range(50):
        row, positives = rng.normal(size=6), np.flatnonzero(rng.random(6) < 0.4)
        truth = np.isin(np.arange(6), positives)
        cut = bpmll.best_cut(row, positives)
        tried = np.concatenate([[row.min() - 1], row])
        assert ((row > cut) != truth).sum() == min(((row > t) != truth).sum() for t in tried)


@pytest.mark.parametrize("size", [3, 40, 100])
def test_the_threshold_is_that_of_least_squares(size):
    rng = np.random.default_rng(0)
    c, labels = np.tanh(rng.normal(size=(100, 4))), sparse.csr_array((rng.random((100, 4)) < 0.4).astype(float))
    best = [bpmll.best_cut(c[i], labels[[i]].indices) for i in range(100)]
    expected = np.linalg.lstsq(np.column_stack([c, np.ones(100)]), best, rcond=None)[0]
    blocks = [(c[i : i + size], labels[i : i + size]) for i in range(0, 100, size)]
    np.testing.assert_allclose(bpmll.fit_threshold(blocks), expected, atol=1e-10)


def test_rows_with_no_label_or_all_of_them_do_not_count_in_the_loss(problem):
    X, Y = problem
    plain = Y.any(axis=1) & ~Y.all(axis=1)
    model = BPMLL(hidden=6, max_iter=15, random_state=0)
    scorer = model.fit(X, Y).scorer_
    assert scorer.objectives[-1] < 0.7 * scorer.objectives[0]
    c = bpmll.outputs(scorer.weights, Rows.seen_from(scorer.centre, X[plain]))[1]
    ranks_right = [row[y > 0].mean() > row[y == 0].mean() for row, y in zip(c, Y[plain], strict=True)]
    assert np.mean(ranks_right) > 0.8


def test_sparse_rows_are_learned_as_dense_ones(problem):
    X, Y = problem
    model = BPMLL(max_iter=20, scale="std", random_state=0)
    dense = model.fit(X, Y).label_scores(X)
    assert BPMLL(random_state=0).fit(X, Y).score(X, Y) > 0.75
    thin = sparse.csr_array(X)
    np.testing.assert_allclose(model.fit(thin, sparse.csr_array(Y)).label_scores(thin), dense, atol=1e-8)
