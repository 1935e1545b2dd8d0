import numpy as np
import pytest
from scipy import sparse

from skfactor import datasets
from skfactor.decisions import Threshold
from skfactor.metrics import one_error
from skfactor.multilabel import MLkNN, RidgeBR


def by_hand(X, Y, new, k, s):
    """The paper's algorithm, a loop per row, label and count."""

    def nearest(x, left_out):
        distance = np.linalg.norm(X - x, axis=1)
        if left_out is not None:
            distance[left_out] = np.inf
        return np.argsort(distance)[:k]

    n, L = Y.shape
    prior = (s + Y.sum(axis=0)) / (2 * s + n)
    having, lacking = np.zeros((L, k + 1)), np.zeros((L, k + 1))
    for i in range(n):
        count = Y[nearest(X[i], i)].sum(axis=0).astype(int)
        for label in range(L):
            (having if Y[i, label] else lacking)[label, count[label]] += 1
    scores = np.zeros((len(new), L))
    for i, x in enumerate(new):
        count = Y[nearest(x, None)].sum(axis=0).astype(int)
        for label in range(L):
            c = count[label]
            one = prior[label] * (s + having[label, c]) / (s * (k + 1) + having[label].sum())
            none = (1 - prior[label]) * (s + lacking[label, c]) / (s * (k + 1) + lacking[label].sum())
            scores[i, label] = one / (one + none)
    return scores


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 5))
    Y = (X @ rng.normal(size=(5, 6)) + rng.normal(size=(90, 6)) > 1.5).astype(float)
    Y[:, 5] = 0
    Y[3, 5] = 1
    return X, Y


@pytest.mark.parametrize(("k", "s"), [(1, 1.0), (4, 1.0), (10, 0.3)])
def test_scores_are_those_of_the_paper(rows, k, s):
    X, Y = rows
    model = MLkNN(n_neighbors=k, smoothing=s).fit(X[:60], Y[:60])
    np.testing.assert_allclose(model.label_scores(X[60:]), by_hand(X[:60], Y[:60], X[60:], k, s), atol=1e-12)


def test_sparse_and_dense_agree(rows):
    X, Y = rows
    X = X * (np.abs(X) > 0.2)  # without ties, which rounding would break
    dense = MLkNN(n_neighbors=5).fit(X, Y)
    thin = MLkNN(n_neighbors=5).fit(sparse.csr_array(X), sparse.csr_array(Y))
    np.testing.assert_allclose(thin.label_scores(sparse.csr_array(X)), dense.label_scores(X), atol=1e-12)
    np.testing.assert_array_equal(thin.predict(sparse.csr_array(X)).toarray(), dense.predict(X))


def test_the_papers_decision_is_one_half(rows):
    X, Y = rows
    model = MLkNN(decision=Threshold(value=0.5, min_labels=0)).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), model.label_scores(X) > 0.5)


def test_fewer_rows_than_neighbours(rows):
    X, Y = rows
    assert np.isfinite(MLkNN(n_neighbors=10).fit(X[:4], Y[:4]).label_scores(X)).all()


def test_probabilities_follow_the_neighbours(rows):
    """More neighbours with the label make it no less likely, on data where labels are smooth in x."""
    X, _ = rows
    Y = np.column_stack([X[:, 0] > 0, X[:, 0] + 0.3 * X[:, 1] > 0.2]).astype(float)
    posterior = MLkNN(n_neighbors=3).fit(X, Y).scorer_.posterior
    assert posterior.shape == (2, 4)
    assert (np.diff(posterior, axis=1) > 0).all()
    assert (posterior > 0).all()
    assert (posterior < 1).all()


def test_wrong_parameters_are_refused(rows):
    with pytest.raises(ValueError, match="n_neighbors must be at least 1"):
        MLkNN(n_neighbors=0).fit(*rows)
    with pytest.raises(ValueError, match="smoothing must be above 0"):
        MLkNN(smoothing=0).fit(*rows)


@pytest.mark.data
def test_it_ranks_scene_better_than_ridge_regression():
    """Labels of scene are not linear in its features: a known strength of neighbours."""
    data = datasets.load("scene")
    train, test = slice(0, 1600), slice(1600, None)
    errors = [
        one_error(data.Y[test], model.fit(data.X[train], data.Y[train]).decision_function(data.X[test]))
        for model in (MLkNN(decision=Threshold(value=0.5)), RidgeBR())
    ]
    assert errors[0] < errors[1] - 0.02
