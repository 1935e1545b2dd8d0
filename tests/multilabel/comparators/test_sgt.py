"""SGT: its optimization by brute force, and that rows without labels help."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_moons

from skfactor.multilabel import SGT, RidgeBR
from skfactor.multilabel.comparators import neighbours, sgt


def test_nothing_on_the_sphere_is_lower():
    rng = np.random.default_rng(0)
    for hard in (False, True):
        G = rng.normal(size=(4, 4))
        G, b = G @ G.T, rng.normal(size=4)
        if hard:  # nothing of b in the lowest direction
            lowest = np.linalg.eigh(G)[1][:, 0]
            b = 0.01 * (b - lowest * (lowest @ b))
        w = sgt.smallest_on_sphere(G, b, 3.0)
        assert np.linalg.norm(w) == pytest.approx(3.0)
        others = rng.normal(size=(20_000, 4))
        others *= 3.0 / np.linalg.norm(others, axis=1, keepdims=True)
        values = np.einsum("ij,jk,ik->i", others, G, others) - 2 * others @ b
        assert w @ G @ w - 2 * b @ w <= values.min() + 1e-9


def test_the_cut_is_a_stationary_point_of_its_objective():
    """On the sphere, the gradient by w is a multiple of w."""
    rng = np.random.default_rng(0)
    V = np.linalg.qr(rng.normal(size=(30, 5)))[0]
    z = sgt.cut(V, 12, np.array([0, 3, 5]), 10.0)
    assert z @ z == pytest.approx(30)
    has = np.isin(np.arange(12), [0, 3, 5])
    goal, weight = np.where(has, np.sqrt(3.0), -np.sqrt(1 / 3)), 10 * np.where(has, 12 / 6, 12 / 18)
    w = V.T @ z
    gradient = np.arange(1, 6) ** 2 * w + V[:12].T @ (weight * (z[:12] - goal))
    np.testing.assert_allclose(gradient / w, (gradient / w)[0], rtol=1e-6)


def test_the_vectors_are_the_smoothest():
    X = np.random.default_rng(0).normal(size=(40, 3))
    graph = neighbours.neighbour_graph(X, 5).toarray()
    degrees = graph.sum(axis=1)
    values, vectors = np.linalg.eigh(np.eye(40) - graph / np.sqrt(np.outer(degrees, degrees)))
    V = sgt.smooth_vectors(sparse.csr_array(graph), 4)
    np.testing.assert_allclose(np.abs(np.sum(V * vectors[:, 1:5], axis=0)), 1, atol=1e-8)
    assert (values[1:5] > -1e-12).all()


def test_two_labels_of_each_moon_are_enough():
    X, moon = make_moons(400, noise=0.05, random_state=0)
    X, Y = np.hstack([X, np.random.default_rng(0).normal(size=(400, 1)) * 0.05]), np.eye(2, dtype=int)[moon]
    known = np.zeros(400, dtype=bool)
    known[np.concatenate([np.flatnonzero(moon == k)[:4] for k in (0, 1)])] = True
    model = SGT(n_components=20).fit(X, Y, labelled=known)
    assert (model.transduction_.argmax(axis=1) == moon).mean() > 0.97
    assert model.score(X, Y) > RidgeBR().fit(X[known], Y[known]).score(X, Y) + 0.05
    marked = np.where(known[:, None], Y, np.nan)
    np.testing.assert_array_equal(SGT(n_components=20).fit(X, marked).transduction_, model.transduction_)


def test_known_rows_have_their_own_cut_and_new_ones_that_of_their_neighbours(problem):
    X, Y = problem
    model = SGT(n_neighbors=3).fit(X, Y)
    np.testing.assert_allclose(model.label_scores(X), model.transduction_)
    new = X[:1] + 0.01
    nearest = np.argsort(np.linalg.norm(X - new, axis=1))[:3]
    np.testing.assert_allclose(model.label_scores(new)[0], model.transduction_[nearest].mean(axis=0))
    thin = sparse.csr_array(X)
    np.testing.assert_allclose(SGT(n_neighbors=3).fit(thin, Y).label_scores(thin), model.transduction_, atol=1e-6)


def test_labels_of_all_known_rows_or_none(problem):
    X, Y = problem
    Y = np.hstack([Y, np.ones((120, 1), int), np.zeros((120, 1), int)])
    z = SGT().fit(X, Y).transduction_
    assert (z[:, 5] == 1).all()
    assert (z[:, 6] == -1).all()
